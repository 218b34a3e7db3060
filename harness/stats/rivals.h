/* SPDX-License-Identifier: Apache-2.0
 *
 * How others judge two builds: from repetitions, as if these were independent.
 *
 * They are here to be judged on the same samples as the method of this tool, and for nothing else.
 * None of them can prove that nothing changed: where they see no difference, they are inconclusive.
 */
#ifndef PB_STATS_RIVALS_H
#define PB_STATS_RIVALS_H

#include <stddef.h>

#include "base/record.h"
#include "stats/random.h"

enum { PB_RIVAL_REPETITIONS_MAX = 2048, PB_RIVAL_RESAMPLES = 500 };

/* Repetitions of two builds: times per operation, in any unit. */
struct pb_repetitions {
    const double *base;
    size_t n_base;
    const double *head;
    size_t n_head;
};

/*
 * One method.
 * repetitions: positive finite times, at most PB_RIVAL_REPETITIONS_MAX of each build
 * random:      for methods that resample
 * returns:     regressed, improved, or inconclusive; the last also when a build has no times
 */
typedef enum pb_verdict (*pb_rival_judge)(const struct pb_repetitions *repetitions,
                                          struct pb_random *random);

struct pb_rival {
    const char *name;    /* for machines: `u_test` */
    const char *summary; /* for people */
    pb_rival_judge judge;
};

/*
 * All of them: the rank-sum test at 5 %, the minimum with a fixed 5 %, the ratio of means with its
 * bootstrap interval at 95 %.
 * source: the test, Mann & Whitney 1947; the interval, Efron 1979, percentiles of
 *         PB_RIVAL_RESAMPLES resamples
 */
const struct pb_rival *pb_rivals_all(size_t *n);

#endif
