/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two groups of values lie apart: the rank-sum test, also known as the U test.
 */
#ifndef PB_STATS_RANK_SUM_H
#define PB_STATS_RANK_SUM_H

#include <stddef.h>

struct pb_rank_sum {
    double u; /* pairs (x, y) with x > y, those with x = y as halves                */
    double p; /* two-sided, 0..1; 1 when a group is empty or all values are the same */
};

/*
 * The rank-sum test of x[0..n_x) against y[0..n_y).
 * x, y: finite values; sorted in place
 * cost: O(n log n), no allocation
 * source: Mann & Whitney 1947; p from the normal distribution with the variance for ties and the
 *         correction for continuity (Lehmann 1975), good from about 8 values a group on
 */
struct pb_rank_sum pb_rank_sum_test(double *x, size_t n_x, double *y, size_t n_y);

enum { PB_RANK_SUM_EXACT_MAX = 16 };

/*
 * Probability that at most u of the pairs (x, y) have x > y, when both groups are drawn alike and
 * no two values are equal: one side of the exact test.
 * n_x, n_y: 1..PB_RANK_SUM_EXACT_MAX
 * returns:  0..1; NaN for groups out of range
 * source:   Mann & Whitney 1947, the recursion for the number of arrangements
 */
double pb_rank_sum_tail(unsigned u, size_t n_x, size_t n_y);

#endif
