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

#endif
