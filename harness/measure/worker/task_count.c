/* SPDX-License-Identifier: Apache-2.0
 *
 * One operation warms up whatever grows once; the next one is counted. Allocations are counted when
 * the counting allocator was preloaded, system calls where the kernel lets them be counted and the
 * suite does not count them itself.
 */
#include "measure/worker/tasks.h"

#include <dlfcn.h>
#include <string.h>

#include "base/record.h"
#include "measure/heap/heap_counter.h"
#include "measure/worker/syscall_counter.h"

/* What an operation did. */
struct counted {
    struct pb_heap_counter heap;
    int64_t syscalls; /* -1 when they were not counted */
};

/* Runs one operation under the counters. heap: NULL when there is none */
static bool run_counted(struct side *side, struct pb_heap_counter *heap, struct counted *counted)
{
    side_enter(side, PB_PHASE_RUN);
    if (heap != NULL) {
        *heap = (struct pb_heap_counter){.on = 1};
    }
    const bool counts_syscalls = syscall_counter_begin();
    const int code = side->variant->run(side->state, 1);
    counted->syscalls = counts_syscalls ? syscall_counter_end() : -1;
    if (heap != NULL) {
        heap->on = 0;
        counted->heap = *heap;
    }
    side->region->counts_syscalls = counts_syscalls;
    return side_accept(side, code);
}

static void report_heap(struct side *side, const struct pb_heap_counter *counted)
{
    struct pb_env *env = &side->env;
    side_enter(side, PB_PHASE_COUNTS);
    pb_count(env, PB_ALLOCATIONS_COUNT, (int64_t)counted->allocations);
    pb_count(env, PB_ALLOCATED_BYTES_COUNT, (int64_t)counted->allocated_bytes);
    pb_count(env, PB_PEAK_LIVE_BYTES_COUNT, counted->peak_live_bytes);
}

/* After the suite's own counts. */
static void report_syscalls(struct side *side, int64_t syscalls)
{
    for (uint32_t i = 0; i < side->result->n_counts; i++) {
        if (strcmp(side->result->counts[i].name, PB_SYSCALLS_COUNT) == 0) {
            return;
        }
    }
    if (syscalls >= 0) {
        side_enter(side, PB_PHASE_COUNTS);
        pb_count(&side->env, PB_SYSCALLS_COUNT, syscalls);
    }
}

static void count_side(struct side *side, struct pb_heap_counter *heap)
{
    struct counted counted = {0};
    if (!side_setup(side) || !side_open(side, 0) || !side_run(side, 1) ||
        !run_counted(side, heap, &counted)) {
        return;
    }
    if (heap != NULL) {
        report_heap(side, &counted.heap);
    }
    if (side_counts(side)) {
        report_syscalls(side, counted.syscalls);
    }
}

void task_count(struct side *sides, uint32_t n)
{
    struct pb_heap_counter *heap = dlsym(RTLD_DEFAULT, PB_HEAP_COUNTER_SYMBOL);
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &sides[i];
        count_side(side, heap);
        side_close(side);
        side_teardown(side);
        side->result->done = 1;
    }
}
