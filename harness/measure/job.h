/* SPDX-License-Identifier: Apache-2.0
 *
 * A job: one scenario with the sides that are wanted, and what became of them so far.
 *
 * A launch that dies costs the side that killed it, and nobody else: who is to blame is found out
 * here, and the launch is repeated without it.
 */
#ifndef PB_MEASURE_JOB_H
#define PB_MEASURE_JOB_H

#include "measure/calibrate.h"
#include "measure/launch.h"
#include "measure/looks.h"
#include "measure/measure.h"

struct pb_job_count {
    const char *name;
    int64_t value;
    bool deterministic;
};

struct pb_job_side {
    uint32_t variant; /* index in the case */
    uint32_t flags;   /* PAIRBENCH_VARIANT_… */
    const char *name; /* CASE/SCENARIO/VARIANT */
    enum pb_state state;
    const char *reason;
    bool below_resolution;
    double operation_ns; /* from calibration */
    uint64_t iterations;
    uint64_t executed;
    double inject_pct;
    struct pb_job_count counts[PB_LAUNCH_COUNTS_MAX];
    uint32_t n_counts;
};

/* The samples of one launch that went through. */
struct pb_job_launch {
    uint32_t wave;
    const float *real_ns[PB_LAUNCH_SIDES_MAX]; /* per side, NULL when it did not take part */
    const float *cpu_ns[PB_LAUNCH_SIDES_MAX];
};

struct pb_job {
    const struct pb_catalog_case *its_case;
    const struct pb_catalog_scenario *scenario;
    uint32_t scenario_index;
    struct pb_job_side sides[PB_LAUNCH_SIDES_MAX]; /* sides[0] is old */
    uint32_t n_sides;
    struct pb_slice_plan slices;
    struct pb_job_launch *launches;
    size_t n_launches;
    size_t launches_capacity;
    bool finished;
    const char *stopped;    /* why it got no more launches */
    uint32_t n_unexplained; /* launches that died though every side survives alone */
};

/* What all jobs of a run share. */
struct pb_session {
    const struct pb_catalog *catalog;
    const struct pb_plan *plan;
    struct pb_looks looks;
    struct pb_launch *launch;
    struct pb_arena *arena;
    uint64_t n_launched; /* numbers the launches, and so their seeds */
    double timed_s;
    double *start_ms; /* of every timing launch */
    size_t n_starts;
    size_t starts_capacity;
};

/* Makes the job of scenario `scenario` of case `its_case`, with the variants wanted[]. */
void pb_job_init(struct pb_job *job, struct pb_session *session,
                 const struct pb_catalog_case *its_case, uint32_t scenario, const bool *wanted);

/*
 * The tasks, in this order. Each leaves out the sides that are not well and marks those that fail.
 * errors: PB_ERR_SUITE, PB_ERR_CHILD, PB_ERR_IO
 */
enum pb_code pb_job_verify(struct pb_job *job, struct pb_session *session,
                           struct pb_error *err) PB_MUST_USE;
enum pb_code pb_job_count(struct pb_job *job, struct pb_session *session,
                          struct pb_error *err) PB_MUST_USE;
enum pb_code pb_job_calibrate(struct pb_job *job, struct pb_session *session,
                              struct pb_error *err) PB_MUST_USE;
enum pb_code pb_job_time(struct pb_job *job, struct pb_session *session, uint32_t wave,
                         struct pb_error *err) PB_MUST_USE;

/* Whether any side is left to be timed. */
bool pb_job_can_time(const struct pb_job *job);

#endif
