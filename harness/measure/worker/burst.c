/* SPDX-License-Identifier: Apache-2.0
 *
 * One Google Benchmark run with W + S repetitions of `iterations`; the first W are dropped.
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

static void report(const struct gb_result *result, void *payload)
{
    struct progress *progress = payload;
    const struct burst *burst = progress->burst;
    if (result->error != NULL) {
        return;
    }
    const uint32_t slice = progress->n_reported++;
    if (slice < burst->warm_slices || slice - burst->warm_slices >= burst->timed_slices) {
        return;
    }
    const uint32_t timed = slice - burst->warm_slices;
    if (burst->real_ns != NULL) {
        burst->real_ns[timed] = (float)result->real_ns;
        burst->cpu_ns[timed] = (float)result->cpu_ns;
    }
    burst->side->region->timed_s += 1e-9 * result->real_ns * (double)burst->iterations;
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
