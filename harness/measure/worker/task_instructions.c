/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of one operation: those of 2n operations less those of n, divided by n, so that what
 * a call of run() costs whatever its n cancels.
 *
 * n is a function of instructions, not of time, so that it is the same every time. What code does
 * with the alignment of its stack is the same, too: operations run from a fixed place in a page.
 */
#include "measure/worker/tasks.h"

#include "measure/worker/meter.h"

/* Enough for loops that were unrolled and for callers that do something every so often. */
enum { OPERATIONS_MAX = 64 };

/* n operations may take that many: a tenth of a second under callgrind. */
#define INSTRUCTIONS_MAX 2000000

/* And of as many as an injected share is whole in, ten seconds. */
#define INJECTED_INSTRUCTIONS_MAX (100 * (int64_t)INSTRUCTIONS_MAX)

/* An interrupt adds a few to what the processor counts, and never takes any away. */
enum { REPEATS_PERF_EVENT = 5, REPEATS_CALLGRIND = 1 };

enum { PAGE_BYTES = 4096 };

/* Calls run() with the stack at the start of a page, wherever the environment has put it. */
__attribute__((noinline)) static int run_at_page(const struct side *side, uint64_t n)
{
    _Alignas(PAGE_BYTES) volatile unsigned char anchor[PAGE_BYTES];
    anchor[0] = 0;
    const int code = side->variant->run(side->state, n);
    return code + anchor[0];
}

/* Instructions of run(state, n) and a constant; negative when the side failed. */
static int64_t count_run(struct side *side, const struct meter *meter, uint64_t n)
{
    const int repeats =
        meter->counter == PB_COUNTER_PERF_EVENT ? REPEATS_PERF_EVENT : REPEATS_CALLGRIND;
    int64_t least = INT64_MAX;
    for (int i = 0; i < repeats; i++) {
        side_enter(side, PB_PHASE_RUN);
        meter_start(meter);
        const int code = run_at_page(side, n);
        const int64_t counted = meter_stop(meter);
        if (!side_accept(side, code)) {
            return -1;
        }
        if (counted < 0) {
            side_fail(side, "the counter gave no answer");
            return -1;
        }
        least = counted < least ? counted : least;
    }
    return least;
}

/* A power of two that suits pieces of so many instructions. */
static uint64_t choose_operations(int64_t instructions)
{
    uint64_t n = 1;
    while (n < OPERATIONS_MAX && (int64_t)(2 * n) * instructions <= INSTRUCTIONS_MAX) {
        n *= 2;
    }
    return n;
}

/* What is counted is pieces of operations, of which some more are executed than reported under
 * --inject; else of one. */
static void count_side(struct side *side, const struct meter *meter)
{
    const uint64_t reported = side->request->iterations;
    const uint64_t executed = side->request->executed;
    if (!side_setup(side) || !side_open(side, 0)) {
        return;
    }
    const int64_t first = count_run(side, meter, 1); /* warms up whatever grows once */
    if (first < 0) {
        return;
    }
    if (executed > 1 && first > INJECTED_INSTRUCTIONS_MAX / (int64_t)executed) {
        side_fail(side,
                  "the injected share is whole only in %llu operations, which take too long "
                  "to count: inject a rounder one",
                  (unsigned long long)reported);
        return;
    }
    const uint64_t n = choose_operations(first * (int64_t)executed);
    const int64_t once = count_run(side, meter, n * executed);
    const int64_t twice = once >= 0 ? count_run(side, meter, 2 * n * executed) : -1;
    if (twice < 0) {
        return;
    }
    if (twice < once) {
        side_fail(side, "twice as many operations took fewer instructions");
        return;
    }
    const int64_t n_reported = (int64_t)(n * reported);
    side->result->instructions = (twice - once + n_reported / 2) / n_reported;
}

void task_instructions(struct side *sides, uint32_t n)
{
    struct meter meter;
    if (!meter_open(&meter, sides[0].region)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &sides[i];
        count_side(side, &meter);
        side_close(side);
        side_teardown(side);
        side->result->done = 1;
    }
}
