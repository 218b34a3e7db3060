/* SPDX-License-Identifier: Apache-2.0
 *
 * A scenario that can't be timed is no reason to give up: the next one is tried.
 */
#include "measure/noise_floor.h"

#include <math.h>
#include <time.h>

#include "measure/collect.h"
#include "measure/job.h"
#include "stats/interval.h"

/* Scenarios that are tried; where that many fail, the suite is broken. */
enum { TRIES_MAX = 8 };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Launches the control until time is up. */
static enum pb_code launch_control(struct pb_job *control, struct pb_session *session,
                                   const struct pb_measure_watch *watch, struct pb_error *err)
{
    const double until_s = now_s() + session->plan->budget_s;
    for (uint32_t wave = 0; wave < PB_LAUNCHES_MAX && now_s() < until_s; wave++) {
        if (watch != NULL && watch->stopped != NULL && watch->stopped(watch->context)) {
            return pb_error_set(err, PB_ERR_INTERRUPTED, "interrupted");
        }
        const enum pb_code code = pb_job_time(control, session, wave, err);
        if (code != PB_OK || !pb_job_can_time(control)) {
            return code;
        }
    }
    return PB_OK;
}

static enum pb_code take_floor(const struct pb_job *control, const struct pb_session *session,
                               struct pb_noise_floor *floor, struct pb_error *err)
{
    struct pb_pair_record pair;
    const enum pb_code code =
        pb_collect_control(control, &session->looks, session->arena, &pair, err);
    if (code != PB_OK) {
        return code;
    }
    floor->reason = pair.reason;
    floor->n_launches = pair.n_launches;
    floor->estimate = pair.estimate;
    floor->lo = pair.lo;
    floor->hi = pair.hi;
    floor->floor = fmax(fabs(pair.lo), fabs(pair.hi));
    return PB_OK;
}

/* Measures old of one scenario; floor->reason says why that was not possible. */
static enum pb_code try_scenario(const struct pb_job_place *place, struct pb_session *session,
                                 const struct pb_measure_watch *watch, struct pb_noise_floor *floor,
                                 struct pb_error *err)
{
    static const bool only_old[PB_VARIANTS_MAX] = {true};
    struct pb_job *job = pb_arena_alloc(session->arena, sizeof *job);
    struct pb_job *control = pb_arena_alloc(session->arena, sizeof *control);
    pb_job_init_variants(job, session, place, only_old);
    const double started_s = now_s();
    enum pb_code code = pb_job_calibrate(job, session, err);
    floor->name = job->sides[0].name;
    if (code != PB_OK || !pb_job_can_time(job)) {
        floor->reason = job->sides[0].reason;
        return code;
    }
    pb_job_init_control(control, job);
    code = launch_control(control, session, watch, err);
    floor->wall_s = now_s() - started_s;
    return code == PB_OK ? take_floor(control, session, floor, err) : code;
}

static enum pb_code try_scenarios(const struct pb_catalog *catalog,
                                  const struct pb_selection *selection, struct pb_session *session,
                                  const struct pb_measure_watch *watch,
                                  struct pb_noise_floor *floor, struct pb_error *err)
{
    int n_tries = 0;
    for (size_t c = 0; c < catalog->n_cases; c++) {
        for (uint32_t s = 0; s < catalog->cases[c].n_scenarios; s++) {
            const struct pb_job_place place = {catalog, c, s};
            if (!selection->wanted[c][s][0]) {
                continue;
            }
            const enum pb_code code = try_scenario(&place, session, watch, floor, err);
            if (code != PB_OK || floor->n_launches > 0 || ++n_tries == TRIES_MAX) {
                return code;
            }
        }
    }
    return PB_OK;
}

enum pb_code pb_noise_floor_measure(const struct pb_catalog *catalog,
                                    const struct pb_selection *selection,
                                    const struct pb_plan *plan,
                                    const struct pb_measure_watch *watch, struct pb_arena *arena,
                                    struct pb_noise_floor *floor, struct pb_error *err)
{
    struct pb_session session = {
        .plan = plan,
        .arena = arena,
        .looks = pb_looks_make(PB_LAUNCHES_MAX, 0), /* one look, whenever it comes */
    };
    struct pb_noise_floor made = {
        .reason = "there is no scenario",
        .estimate = NAN,
        .lo = -INFINITY,
        .hi = INFINITY,
        .floor = INFINITY,
    };
    enum pb_code code = pb_launch_new(plan->worker, &session.launch, err);
    if (code != PB_OK) {
        return code;
    }
    code = try_scenarios(catalog, selection, &session, watch, &made, err);
    pb_launch_free(session.launch);
    if (code == PB_OK) {
        *floor = made;
    }
    return code;
}
