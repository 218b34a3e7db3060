/* SPDX-License-Identifier: Apache-2.0
 *
 * The sequential procedure as a caller runs it: look after 16, 24, 40, 64 and 96 launches, stop at
 * the first verdict. Shared by the tests on simulated and on recorded launches.
 */
#ifndef PB_TESTS_SEQUENCE_H
#define PB_TESTS_SEQUENCE_H

#include <string.h>

#include "near.h"
#include "stats/interval.h"
#include "stats/verdict.h"

enum { LOOKS = 5, LAUNCHES = 96 };

struct sequence {
    unsigned looks[LOOKS];
    unsigned ranks[LOOKS];
    double exact; /* overall probability that any look's interval misses */
};

static inline struct sequence plan_sequence(double level)
{
    struct sequence plan = {.looks = {16, 24, 40, 64, LAUNCHES}};
    assert_int_equal(pb_interval_ranks(plan.looks, LOOKS, level, plan.ranks, &plan.exact, NULL),
                     PB_OK);
    return plan;
}

/* The interval that look k has of the launches d[0..LAUNCHES). */
static inline struct pb_interval look_at(const struct sequence *plan, size_t k, const double *d)
{
    double seen[LAUNCHES];
    memcpy(seen, d, plan->looks[k] * sizeof *seen);
    return pb_median_interval(seen, plan->looks[k], plan->ranks[k]);
}

/* The verdict at which the procedure stops. */
static inline enum pb_verdict judge_sequence(const struct sequence *plan, const double *d,
                                             struct pb_margins margins)
{
    enum pb_verdict verdict = PB_VERDICT_INCONCLUSIVE;
    for (size_t k = 0; k < LOOKS && verdict == PB_VERDICT_INCONCLUSIVE; k++) {
        verdict = pb_pair_verdict(look_at(plan, k, d), margins);
    }
    return verdict;
}

#endif
