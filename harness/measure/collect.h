/* SPDX-License-Identifier: Apache-2.0
 *
 * From the samples of a job to the records of its benchmarks and pairs.
 */
#ifndef PB_MEASURE_COLLECT_H
#define PB_MEASURE_COLLECT_H

#include "measure/job.h"

/*
 * Appends the records of one job to run->benchmarks and run->pairs, which have room for all sides
 * and pairs of all jobs.
 * errors: PB_ERR_USAGE from the ranks of an interval: more launches than are possible
 */
enum pb_code pb_collect_job(const struct pb_job *job, const struct pb_looks *looks,
                            struct pb_arena *arena, struct pb_run_record *run,
                            struct pb_error *err) PB_MUST_USE;

/* How far a job is. */
struct pb_job_progress {
    double half_width; /* widest of the intervals of its gated pairs, log; INFINITY when one has
                          none yet, 0 when it has no gated pair that is timed */
    bool decided;      /* none of its gated pairs is inconclusive */
    bool modal;        /* launches of a gated pair stand apart, see measure/diagnostics.h */
    bool order;        /* going first mattered to a gated pair */
};

/* errors: as above */
enum pb_code pb_collect_progress(const struct pb_job *job, const struct pb_looks *looks,
                                 struct pb_arena *arena, struct pb_job_progress *progress,
                                 struct pb_error *err) PB_MUST_USE;

/* The pair of an A/A control. errors: as above */
enum pb_code pb_collect_control(const struct pb_job *job, const struct pb_looks *looks,
                                struct pb_arena *arena, struct pb_pair_record *pair,
                                struct pb_error *err) PB_MUST_USE;

/* Most pairs that a job with n sides makes. */
size_t pb_collect_pairs_max(size_t n_sides);

#endif
