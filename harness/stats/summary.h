/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries of an array of numbers, each defined in prose before it is computed.
 */
#ifndef PB_STATS_SUMMARY_H
#define PB_STATS_SUMMARY_H

#include <stddef.h>

/*
 * Sorts x[0..n) in ascending order, a NaN behind all numbers.
 * cost: O(n log n), in place, no allocation
 */
void pb_sort(double *x, size_t n);

/* Smallest of x[0..n). returns: NaN when n == 0 or when one of them is NaN */
double pb_min(const double *x, size_t n);

/*
 * Median of x[0..n): the middle value, or the mean of the middle two when n is even. (Taking the
 * upper one of an even number of rounds biased identical code by +0.1 %.)
 * x:       n finite values; reordered in place
 * returns: NaN when n == 0
 * cost:    O(n log n), no allocation
 */
double pb_median(double *x, size_t n);

/* The same of values that are sorted already, left as they are. */
double pb_median_sorted(const double *x, size_t n);

/*
 * Quantile p of x[0..n), linear between order statistics.
 * x:       n finite values; reordered in place
 * p:       0..1
 * returns: NaN when n == 0 or p is outside 0..1
 * source:  Hyndman & Fan 1996, type 7
 */
double pb_quantile(double *x, size_t n, double p);

/*
 * Median absolute deviation from the median, not scaled.
 * x: n finite values; overwritten
 * returns: NaN when n == 0
 */
double pb_mad(double *x, size_t n);

/*
 * Standard deviation of the population that x[0..n) is a sample of: the root of the squared
 * distances from the mean, summed and divided by n - 1.
 * x: n finite values, left as they are
 * returns: NaN when n < 2
 * source:  Bessel's correction; two passes, which lose no digits to a large mean
 */
double pb_deviation(const double *x, size_t n);

#endif
