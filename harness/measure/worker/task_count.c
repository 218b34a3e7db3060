/* SPDX-License-Identifier: Apache-2.0
 *
 * One operation warms up whatever grows once; the next one is counted. Allocations are counted when
 * the counting allocator was preloaded.
 */
#include "measure/worker/tasks.h"

#include <dlfcn.h>

#include "measure/heap/heap_counter.h"

/* Runs one operation under the counting allocator. returns: what it counted */
static bool run_counted(struct side *side, struct pb_heap_counter *heap,
                        struct pb_heap_counter *counted)
{
    *heap = (struct pb_heap_counter){.on = 1};
    side_enter(side, PB_PHASE_RUN);
    const int code = side->variant->run(side->state, 1);
    heap->on = 0;
    *counted = *heap;
    return side_accept(side, code);
}

static void report_heap(struct side *side, const struct pb_heap_counter *counted)
{
    struct pb_env *env = &side->env;
    side_enter(side, PB_PHASE_COUNTS);
    pb_count(env, "allocations", (int64_t)counted->allocations);
    pb_count(env, "allocated_bytes", (int64_t)counted->allocated_bytes);
    pb_count(env, "peak_live_bytes", counted->peak_live_bytes);
}

static void count_side(struct side *side, struct pb_heap_counter *heap)
{
    struct pb_heap_counter counted = {0};
    if (!side_setup(side) || !side_open(side, 0) || !side_run(side, 1)) {
        return;
    }
    if (heap != NULL && run_counted(side, heap, &counted)) {
        report_heap(side, &counted);
    }
    side_counts(side);
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
