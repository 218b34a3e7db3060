/* SPDX-License-Identifier: Apache-2.0
 *
 * One Google Benchmark run with W + S repetitions of `iterations`; the first W are dropped.
 *
 * Google Benchmark reads the CPU clock inside the time that it takes, which adds about a
 * microsecond to every slice: 2 % of a slice that both sides of a pair would share, and that would
 * make a ratio of 2 look like 1.96. The time of an empty slice, the smallest of several in the same
 * process, is therefore taken off every sample.
 */
#include "measure/worker/burst.h"

#include <stdio.h>
#include <time.h>

#include "gbench.h"

struct progress {
    const struct burst *burst;
    int code; /* of run() */
    uint32_t n_reported;
};

static void body(struct gb_state *state, void *payload)
{
    struct progress *progress = payload;
    const struct burst *burst = progress->burst;
    const struct pb_variant *variant = burst->side->variant;
    int code = PAIRBENCH_OK;
    while (gb_state_next_batch(state) != 0) {
        code = variant->run(burst->side->state, burst->executed);
    }
    if (code != PAIRBENCH_OK) {
        progress->code = code;
        gb_state_skip_with_error(state, "run() failed");
    }
}

/* Time per operation without what an empty slice takes; never negative. */
static float net_ns(double ns, double empty_slice_ns, uint64_t iterations)
{
    const double net = ns - empty_slice_ns / (double)iterations;
    return net > 0 ? (float)net : 0;
}

static void report(const struct gb_result *result, void *payload)
{
    struct progress *progress = payload;
    const struct burst *burst = progress->burst;
    struct pb_launch_region *region = burst->side->region;
    if (result->error != NULL) {
        return;
    }
    const uint32_t slice = progress->n_reported++;
    if (slice < burst->warm_slices || slice - burst->warm_slices >= burst->timed_slices) {
        return;
    }
    const uint32_t timed = slice - burst->warm_slices;
    if (burst->real_ns != NULL) {
        burst->real_ns[timed] = net_ns(result->real_ns, region->empty_slice_ns, burst->iterations);
        burst->cpu_ns[timed] =
            net_ns(result->cpu_ns, region->empty_slice_cpu_ns, burst->iterations);
    }
    region->timed_s += 1e-9 * result->real_ns * (double)burst->iterations;
}

static void empty_body(struct gb_state *state, void *payload)
{
    (void)payload;
    while (gb_state_next_batch(state) != 0) {
    }
}

static void report_empty(const struct gb_result *result, void *payload)
{
    struct pb_launch_region *region = payload;
    if (result->error != NULL) {
        return;
    }
    if (region->empty_slice_ns == 0 || result->real_ns < region->empty_slice_ns) {
        region->empty_slice_ns = result->real_ns;
    }
    if (region->empty_slice_cpu_ns == 0 || result->cpu_ns < region->empty_slice_cpu_ns) {
        region->empty_slice_cpu_ns = result->cpu_ns;
    }
}

/* Times empty slices, once a launch. returns: whether that went well */
static bool time_empty_slices(struct pb_launch_region *region)
{
    enum { EMPTY_SLICES = 24 };
    return region->empty_slice_ns > 0 || gb_burst(&(struct gb_burst_spec){
                                             .name = "empty slice",
                                             .body = empty_body,
                                             .iterations = 1,
                                             .repetitions = EMPTY_SLICES,
                                             .report = report_empty,
                                             .report_payload = region,
                                         }) == GB_OK;
}

static void note_first(struct pb_launch_region *region)
{
    if (region->first_ns == 0) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        region->first_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
}

bool burst_run(const struct burst *burst)
{
    struct side *side = burst->side;
    struct progress progress = {.burst = burst, .code = PAIRBENCH_OK};
    const uint32_t slices = burst->warm_slices + burst->timed_slices;
    note_first(side->region);
    if (!time_empty_slices(side->region)) {
        side_fail(side, "Google Benchmark could not time an empty slice");
        return false;
    }
    side_enter(side, PB_PHASE_RUN);
    const enum gb_code code = gb_burst(&(struct gb_burst_spec){
        .name = "slice",
        .body = body,
        .payload = &progress,
        .iterations = burst->iterations,
        .repetitions = slices,
        .report = report,
        .report_payload = &progress,
    });
    if (!side_accept(side, progress.code)) {
        return false;
    }
    if (code != GB_OK || progress.n_reported != slices) {
        side_fail(side, "Google Benchmark reported %u of %u slices", progress.n_reported, slices);
    }
    return side_ok(side);
}
