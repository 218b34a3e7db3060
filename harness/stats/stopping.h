/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole sequential procedure on ratios that are already there: look, stop at the first verdict.
 *
 * Measuring does the same while launches come in. Here the launches were simulated or recorded, so
 * that what the procedure gets wrong can be counted.
 */
#ifndef PB_STATS_STOPPING_H
#define PB_STATS_STOPPING_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/interval.h"
#include "stats/verdict.h"

struct pb_stopping {
    unsigned looks[PB_LOOKS_MAX];  /* launches, growing */
    unsigned ranks[PB_LOOKS_MAX];  /* of the interval that is shown and that proves `unchanged` */
    unsigned change[PB_LOOKS_MAX]; /* of the interval that calls a change                       */
    size_t n_looks;
    double exact; /* overall probability that the interval shown misses at any look */
};

/* The looks of an adaptive run: after 16, 24, 40, 64 and 96 launches. */
enum { PB_STOPPING_LAUNCHES = 96 };

/*
 * The procedure with the looks of an adaptive run.
 * level:        overall probability that the interval shown misses, 0 < level < 1
 * change_level: the same of the interval that calls a change; larger where what is called is only
 *               flagged, to be measured again
 * errors:       PB_ERR_USAGE for other levels; PB_ERR_NOMEM
 */
enum pb_code pb_stopping_plan(double level, double change_level, struct pb_stopping *stopping,
                              struct pb_error *err) PB_MUST_USE;

/* How a procedure ended. */
struct pb_stop {
    enum pb_verdict verdict;
    unsigned launches; /* that the verdict took; all that were looked at when inconclusive */
    struct pb_interval interval;
};

/*
 * Judges d[0..n) as if they came in one by one. Looks that would need more than n are left out.
 * d: n finite values, left as they are
 */
struct pb_stop pb_stopping_judge(const struct pb_stopping *stopping, const double *d, size_t n,
                                 struct pb_margins margins);

/* Whether the interval of any look misses the true value. d: PB_STOPPING_LAUNCHES values */
bool pb_stopping_misses(const struct pb_stopping *stopping, const double *d, double truth);

#endif
