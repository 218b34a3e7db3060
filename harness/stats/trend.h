/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics of a series of ratios: does it drift, does it depend on which side went first.
 */
#ifndef PB_STATS_TREND_H
#define PB_STATS_TREND_H

#include <stdbool.h>
#include <stddef.h>

enum {
    PB_TREND_EXACT_MAX = 9,     /* up to here p-values are exact        */
    PB_TREND_VALUES_MAX = 4096, /* values whose order effect can be seen */
};

struct pb_correlation {
    double rho; /* -1..1                                                           */
    double p;   /* two-sided p-value of no association                             */
};

/*
 * Spearman's rank correlation of x[0..n) and y[0..n), ties with their mean rank.
 * x, y:    finite values
 * returns: rho 0 and p 1 when nothing can be said: n < 3, or all of x or of y equal
 * cost:    O(n²), no allocation; n! permutations up to PB_TREND_EXACT_MAX (9! take 5 ms)
 * source:  Spearman 1904; p from all permutations up to PB_TREND_EXACT_MAX values, beyond them from
 *          rho·√((n-2)/(1-rho²)), which is about Student t with n - 2 degrees of freedom
 */
struct pb_correlation pb_spearman(const double *x, const double *y, size_t n);

/*
 * Spearman's correlation of d[0..n) with its index: a drift over the launches of a run.
 * n: at most PB_TREND_VALUES_MAX, else rho 0 and p 1
 */
struct pb_correlation pb_trend(const double *d, size_t n);

/*
 * What going first is worth: half the difference between the median of the ratios with a first
 * and that of those with b first.
 * d:       n ratios log(b / a), of rounds or launches; n at most PB_TREND_VALUES_MAX
 * a_first: for each of them whether a ran first
 * returns: log; positive when the side that goes first is faster; NaN when one of the two orders
 *          did not occur or there are too many values
 */
double pb_order_effect(const double *d, const bool *a_first, size_t n);

/*
 * The middle of the same two medians: the ratio as if nobody had gone first, whichever did so more
 * often. Arguments and NaN as above.
 */
double pb_order_middle(const double *d, const bool *a_first, size_t n);

#endif
