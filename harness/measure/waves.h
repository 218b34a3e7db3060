/* SPDX-License-Identifier: Apache-2.0
 *
 * The waves: who is launched next, and when a scenario has had enough.
 *
 * A wave runs one launch of every unfinished job, in random order, so that a slow minute hits all
 * of them. What a diagnostic asks for is done between launches: more untimed slices, another look,
 * a little patience.
 */
#ifndef PB_MEASURE_WAVES_H
#define PB_MEASURE_WAVES_H

#include "measure/diagnostics.h"
#include "measure/job.h"

/* What disturbs the machine meanwhile. */
struct pb_watchfulness {
    struct pb_noise_sample before; /* at the beginning of the stretch that is looked at next */
    double before_s;
    double waited_s; /* in all */
    struct pb_diagnosis worst;
};

/* Everything that goes on between the first worker and the last. */
struct pb_measurement {
    struct pb_session session;
    const struct pb_measure_watch *watch;
    struct pb_job *jobs;
    uint32_t n_jobs;
    struct pb_job control;
    bool has_control;
    uint32_t n_unfinished;
    uint32_t n_waves; /* so far; numbers the launches of a job, which may sit some waves out */
    uint64_t done;    /* steps, for the progress */
    uint64_t total;
    double started_s;
    struct pb_watchfulness noise;
};

/* From so many launches on a control can be rejected: all on one side have a chance of 2 / 2^11. */
enum { PB_CONTROL_LAUNCHES_LEAST = 11 };

/* Shows what comes next and counts it as done. errors: PB_ERR_INTERRUPTED */
enum pb_code pb_measurement_step(struct pb_measurement *measurement, const struct pb_job *job,
                                 struct pb_error *err) PB_MUST_USE;

/*
 * Launches all jobs, and the control, until each is finished or the budget is used up; what is left
 * of the budget then goes to the widest interval.
 * errors: PB_ERR_INTERRUPTED, PB_ERR_SUITE, PB_ERR_CHILD, PB_ERR_IO
 */
enum pb_code pb_waves_run(struct pb_measurement *measurement, struct pb_error *err) PB_MUST_USE;

#endif
