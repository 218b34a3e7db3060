/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels themselves are in the worker.
 */
#include "measure/kernels.h"

#include <math.h>

#include "stats/random.h"

/* Stream of the run's seed, far from those of its launches. */
#define STREAM_KERNELS ((UINT64_C(1) << 63) + 16)

static void warn(const struct pb_measure_watch *watch, struct pb_arena *arena, const char *reason)
{
    if (watch != NULL && watch->warn != NULL) {
        watch->warn(watch->context,
                    pb_arena_printf(arena,
                                    "the calibration kernels were not timed, so that absolute "
                                    "times of this run can't be judged: %s",
                                    reason));
    }
}

enum pb_code pb_kernels_time(struct pb_session *session, const struct pb_measure_watch *watch,
                             struct pb_run_record *run, struct pb_error *err)
{
    const struct pb_launch_region *region = pb_launch_region(session->launch);
    struct pb_launch_request *request = &pb_launch_region(session->launch)->request;
    struct pb_launch_outcome outcome;
    request->task = PB_TASK_KERNELS;
    request->seed = pb_random_derive(session->plan->seed, STREAM_KERNELS);
    request->n_suites = 0;
    request->n_sides = 0;
    const enum pb_code code =
        pb_launch_run(session->launch, NULL, session->plan->deadline_s, &outcome, err);
    if (code != PB_OK) {
        return code;
    }
    if (outcome.end != PB_END_DONE) {
        warn(watch, session->arena, outcome.reason);
        return PB_OK;
    }
    for (int i = 0; i < PB_KERNELS; i++) {
        const double now_ns = region->kernels_ns[i];
        const double before_ns = run->kernels_ns[i];
        if (now_ns > 0 && isfinite(now_ns)) {
            run->kernels_ns[i] = before_ns > 0 ? 0.5 * (before_ns + now_ns) : now_ns;
        }
    }
    return PB_OK;
}
