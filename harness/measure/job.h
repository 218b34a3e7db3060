/* SPDX-License-Identifier: Apache-2.0
 *
 * A job: one scenario with the sides that take part, and what became of them so far.
 *
 * Sides are variants of one build (`run`), one variant of two builds (`compare`), or one variant
 * twice (the A/A control of a run).
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

/* Of one operation. */
struct pb_job_instructions {
    bool known; /* two passes counted the same */
    int64_t value;
};

struct pb_job_side {
    const struct pb_catalog_suite *suite;
    uint32_t case_index;     /* in the suite's table */
    uint32_t scenario_index; /* in the case */
    uint32_t variant_index;  /* in the case */
    uint32_t flags;          /* PAIRBENCH_VARIANT_… */
    const char *name;        /* CASE/SCENARIO/VARIANT */
    const char *variant;     /* its name */
    const char *label;       /* what a pair calls it: the variant, or `base`, `head` */
    const char *differs; /* how its output differs from the reference's, where that is allowed */
    enum pb_state state;
    const char *reason;
    bool below_resolution;
    double operation_ns; /* from calibration */
    uint64_t iterations;
    uint64_t executed;
    double inject_pct;
    struct pb_job_count counts[PB_LAUNCH_COUNTS_MAX];
    uint32_t n_counts;
    struct pb_job_instructions instructions;
};

/* The samples of one launch that went through. */
struct pb_job_launch {
    uint32_t wave;
    const float *real_ns[PB_LAUNCH_SIDES_MAX]; /* per side, NULL when it did not take part */
    const float *cpu_ns[PB_LAUNCH_SIDES_MAX];
    const uint8_t *turn[PB_LAUNCH_SIDES_MAX];   /* place in the order of each round        */
    const uint8_t *layout[PB_LAUNCH_SIDES_MAX]; /* of its suite, in which it ran each round */
};

enum pb_job_kind {
    PB_JOB_VARIANTS, /* sides[0] is old */
    PB_JOB_BUILDS,   /* sides[0] is base, sides[1] is head: one variant */
    PB_JOB_CONTROL,  /* the same side twice */
};

struct pb_job {
    enum pb_job_kind kind;
    const char *case_name;
    const char *scenario;
    struct pb_job_side sides[PB_LAUNCH_SIDES_MAX]; /* sides[0] is the reference */
    uint32_t n_sides;
    struct pb_slice_plan slices;
    double setup_ns; /* of all sides in one layout, from calibration */
    bool postponed;  /* it was narrow enough, but modal: one look more */
    bool warmed;     /* it got an untimed slice more, since going first mattered   */
    struct pb_job_launch *launches;
    size_t n_launches;
    size_t launches_capacity;
    bool finished;
    const char *stopped;    /* why it got no more launches */
    double wall_s;          /* seconds that its workers ran, whatever their task */
    double prepared_s;      /* of which before its first timing launch */
    uint32_t n_unexplained; /* launches that died though every side survives alone */
};

/* How counting instructions goes, see measure/instructions.h. */
struct pb_instructions {
    enum pb_counter counter;
    bool given_up;            /* there is no counter here                         */
    uint32_t n_missed;        /* sides that could not be counted where others can */
    const char *first_missed; /* its name                                         */
    const char *reason;       /* of giving up, or of the first missed; else NULL  */
};

/* What all jobs of a run share. */
struct pb_session {
    const struct pb_plan *plan;
    struct pb_looks looks;
    struct pb_launch *launch;
    struct pb_arena *arena;
    uint64_t n_launched; /* numbers the launches, and so their seeds */
    double timed_s;
    double *start_ms; /* of every timing launch */
    size_t n_starts;
    size_t starts_capacity;
    struct pb_instructions instructions;
    bool counts_syscalls; /* a worker could */
};

/* One scenario in the tables of a catalog. */
struct pb_job_place {
    const struct pb_catalog *catalog;
    size_t its_case;
    uint32_t scenario;
};

/* Makes the job of a scenario with the variants wanted[] of one build. */
void pb_job_init_variants(struct pb_job *job, struct pb_session *session,
                          const struct pb_job_place *place, const bool *wanted);

/* Makes the job of one variant in two builds, each with its own place in its own tables. */
void pb_job_init_builds(struct pb_job *job, struct pb_session *session,
                        const struct pb_job_place *base, const struct pb_job_place *head,
                        const char *variant);

/* Makes the A/A control from the reference of a job that was calibrated. */
void pb_job_init_control(struct pb_job *job, const struct pb_job *of);

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

/* Whether the sides that are left are worth timing: any, but of two builds or a control both. */
bool pb_job_can_time(const struct pb_job *job);

#endif
