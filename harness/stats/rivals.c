/* SPDX-License-Identifier: Apache-2.0
 *
 * The thresholds are those that such tools come with.
 */
#include "stats/rivals.h"

#include <string.h>

#include "stats/rank_sum.h"
#include "stats/summary.h"

#define U_TEST_LEVEL    0.05
#define MIN_THRESHOLD   0.05
#define BOOTSTRAP_LEVEL 0.05

static bool has_both(const struct pb_repetitions *repetitions)
{
    return repetitions->n_base > 0 && repetitions->n_head > 0 &&
           repetitions->n_base <= PB_RIVAL_REPETITIONS_MAX &&
           repetitions->n_head <= PB_RIVAL_REPETITIONS_MAX;
}

static enum pb_verdict judge_u_test(const struct pb_repetitions *repetitions,
                                    struct pb_random *random)
{
    (void)random;
    double base[PB_RIVAL_REPETITIONS_MAX];
    double head[PB_RIVAL_REPETITIONS_MAX];
    if (!has_both(repetitions)) {
        return PB_VERDICT_INCONCLUSIVE;
    }
    memcpy(base, repetitions->base, repetitions->n_base * sizeof *base);
    memcpy(head, repetitions->head, repetitions->n_head * sizeof *head);
    const struct pb_rank_sum test =
        pb_rank_sum_test(head, repetitions->n_head, base, repetitions->n_base);
    if (test.p >= U_TEST_LEVEL) {
        return PB_VERDICT_INCONCLUSIVE;
    }
    const double middle = 0.5 * (double)repetitions->n_base * (double)repetitions->n_head;
    return test.u > middle ? PB_VERDICT_REGRESSED : PB_VERDICT_IMPROVED;
}

static enum pb_verdict judge_min(const struct pb_repetitions *repetitions, struct pb_random *random)
{
    (void)random;
    if (!has_both(repetitions)) {
        return PB_VERDICT_INCONCLUSIVE;
    }
    const double base = pb_min(repetitions->base, repetitions->n_base);
    const double head = pb_min(repetitions->head, repetitions->n_head);
    return head > base * (1 + MIN_THRESHOLD)   ? PB_VERDICT_REGRESSED
           : head < base / (1 + MIN_THRESHOLD) ? PB_VERDICT_IMPROVED
                                               : PB_VERDICT_INCONCLUSIVE;
}

static double resampled_mean(const double *x, size_t n, struct pb_random *random)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[pb_random_below(random, n)];
    }
    return sum / (double)n;
}

static enum pb_verdict judge_bootstrap(const struct pb_repetitions *repetitions,
                                       struct pb_random *random)
{
    double ratio[PB_RIVAL_RESAMPLES];
    if (!has_both(repetitions)) {
        return PB_VERDICT_INCONCLUSIVE;
    }
    for (size_t i = 0; i < PB_RIVAL_RESAMPLES; i++) {
        ratio[i] = resampled_mean(repetitions->head, repetitions->n_head, random) /
                   resampled_mean(repetitions->base, repetitions->n_base, random);
    }
    const double lo = pb_quantile(ratio, PB_RIVAL_RESAMPLES, BOOTSTRAP_LEVEL / 2);
    const double hi = pb_quantile(ratio, PB_RIVAL_RESAMPLES, 1 - BOOTSTRAP_LEVEL / 2);
    return lo > 1 ? PB_VERDICT_REGRESSED : hi < 1 ? PB_VERDICT_IMPROVED : PB_VERDICT_INCONCLUSIVE;
}

static const struct pb_rival rivals[] = {
    {"u_test", "U test on repetitions, p < 5 %", judge_u_test},
    {"min", "minimum, fixed 5 %", judge_min},
    {"mean_bootstrap", "mean, bootstrap interval at 95 %", judge_bootstrap},
};

const struct pb_rival *pb_rivals_all(size_t *n)
{
    *n = sizeof rivals / sizeof rivals[0];
    return rivals;
}
