/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries of an array of numbers, each defined in prose before it is computed.
 */
#ifndef PB_STATS_SUMMARY_H
#define PB_STATS_SUMMARY_H

#include <stddef.h>

/* Smallest of x[0..n). returns: NaN when n == 0 */
double pb_min(const double *x, size_t n);

/*
 * Median of x[0..n): the middle value, or the mean of the middle two when n is even. (Taking the
 * upper one of an even number of rounds biased identical code by +0.1 %.)
 * x:       n finite values; reordered in place
 * returns: NaN when n == 0
 * cost:    O(n log n), no allocation
 */
double pb_median(double *x, size_t n);

/*
 * Quantile p of x[0..n), linear between order statistics.
 * x:       n finite values; reordered in place
 * p:       0..1
 * returns: NaN when n == 0
 * source:  Hyndman & Fan 1996, type 7
 */
double pb_quantile(double *x, size_t n, double p);

/*
 * Median absolute deviation from the median, not scaled.
 * x: n finite values; overwritten
 * returns: NaN when n == 0
 */
double pb_mad(double *x, size_t n);

#endif
