/* SPDX-License-Identifier: Apache-2.0
 *
 * Three kernels that do nothing but wait for one thing each: the processor's arithmetic, its second
 * cache, its memory. Every step needs the result of the one before, so that nothing overlaps.
 *
 * A walk goes through lines of memory in a random order that visits each of them once before it
 * comes back, which no prefetcher can foresee.
 */
#include "measure/worker/tasks.h"

#include <stdlib.h>
#include <time.h>

#include "stats/random.h"
#include "stats/summary.h"

enum { REPEATS = 64, LINE_BYTES = 64 };

/* Larger than any first cache and smaller than any second; larger than what caches leave to one of
 * many virtual machines. */
enum { L2_LINES = (128 << 10) / LINE_BYTES, MEMORY_LINES = (32 << 20) / LINE_BYTES };

/* About as long as a slice, so that as few of them are interrupted. */
enum { ALU_STEPS = 30000, L2_STEPS = 10000, MEMORY_STEPS = 250 };

struct line {
    uint32_t next;
    unsigned char rest[LINE_BYTES - sizeof(uint32_t)];
};

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* x: what the step before left; returns: the same for the next */
static uint64_t chain(uint64_t x)
{
    for (int i = 0; i < ALU_STEPS; i++) {
        x = (x ^ (x >> 29)) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return x;
}

static uint64_t walk(const struct line *lines, uint64_t at, int steps)
{
    for (int i = 0; i < steps; i++) {
        at = lines[at].next;
    }
    return at;
}

/* Makes one cycle through all lines. source: Sattolo 1986 */
static struct line *make_lines(uint32_t n, uint64_t seed)
{
    struct line *lines = aligned_alloc(LINE_BYTES, n * sizeof *lines);
    if (lines == NULL) {
        return NULL;
    }
    struct pb_random random;
    pb_random_init(&random, seed);
    for (uint32_t i = 0; i < n; i++) {
        lines[i].next = i;
    }
    for (uint32_t i = n - 1; i > 0; i--) {
        const uint32_t j = (uint32_t)pb_random_below(&random, i);
        const uint32_t kept = lines[i].next;
        lines[i].next = lines[j].next;
        lines[j].next = kept;
    }
    return lines;
}

static double time_chain(void)
{
    volatile uint64_t x = 1; /* keeps the work from being removed, and its repeats apart */
    double step_ns[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        const double begun_ns = now_ns();
        x = chain(x);
        step_ns[i] = (now_ns() - begun_ns) / ALU_STEPS;
    }
    return pb_median(step_ns, REPEATS);
}

/* returns: 0 when there is not enough memory */
static double time_walk(uint32_t n_lines, int steps, uint64_t seed)
{
    struct line *lines = make_lines(n_lines, seed);
    if (lines == NULL) {
        return 0;
    }
    volatile uint64_t at = walk(lines, 0, steps);
    double step_ns[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        const double begun_ns = now_ns();
        at = walk(lines, at, steps);
        step_ns[i] = (now_ns() - begun_ns) / steps;
    }
    free(lines);
    return pb_median(step_ns, REPEATS);
}

void task_kernels(struct pb_launch_region *region)
{
    const uint64_t seed = region->request.seed;
    region->phase = PB_PHASE_RUN;
    region->kernels_ns[PB_KERNEL_ALU] = time_chain();
    region->kernels_ns[PB_KERNEL_L2] = time_walk(L2_LINES, L2_STEPS, seed);
    region->kernels_ns[PB_KERNEL_MEMORY] = time_walk(MEMORY_LINES, MEMORY_STEPS, seed);
}
