/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact answers about counts: the binomial distribution, the sign test, bounds of a proportion.
 *
 * No normal approximation anywhere: the counts that matter here (false alarms, launches on one
 * side) are small or zero.
 */
#ifndef PB_STATS_BINOMIAL_H
#define PB_STATS_BINOMIAL_H

#include <stdint.h>

/*
 * P(X <= k) for X successes in n trials.
 * p:       probability of a success, 0..1
 * returns: 0..1; NaN when p is out of range
 */
double pb_binomial_cdf(uint64_t k, uint64_t n, double p);

/*
 * Two-sided p-value of the sign test: how surprising it is that fair coins fall this unevenly.
 * n_below, n_above: values on either side of the hypothesis; those equal to it count on neither
 * returns:          0 < p <= 1; 1 when there are no values
 * source:           exact binomial, twice the smaller tail
 */
double pb_sign_test(uint64_t n_below, uint64_t n_above);

/*
 * One-sided p-value of the sign test: how surprising it is, if the true value is not above the
 * hypothesis, that so many of n values are.
 * n_above: 0..n; values that equal the hypothesis are not above it
 * returns: 0 < p <= 1; 1 when there are no values
 * source:  exact binomial, the upper tail
 */
double pb_sign_test_above(uint64_t n_above, uint64_t n);

struct pb_bounds {
    double lo;
    double hi;
};

/*
 * Exact bounds of a proportion after k successes in n trials.
 * k:       0..n
 * level:   probability of a miss, half of it on each side, 0 < level < 1; for a one-sided bound
 *          give twice the level
 * returns: within 0..1; the whole of it when n == 0; NaN when an argument is out of range
 * source:  Clopper & Pearson 1934
 */
struct pb_bounds pb_proportion_bounds(uint64_t k, uint64_t n, double level);

#endif
