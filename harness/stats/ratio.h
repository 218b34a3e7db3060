/* SPDX-License-Identifier: Apache-2.0
 *
 * The ratio of two sides within one launch.
 */
#ifndef PB_STATS_RATIO_H
#define PB_STATS_RATIO_H

#include <stddef.h>

enum { PB_ROUNDS_MAX = 128 };

/*
 * d = median over rounds of log(min of b's slices in the round / min of a's).
 * a, b:    rounds × slices times per operation, ns, round by round
 * rounds:  1..PB_ROUNDS_MAX
 * slices:  >= 1
 * returns: exactly minus that when a and b are swapped; NaN when a slice is NaN or a minimum is not
 *          a positive finite number, and for rounds or slices out of range
 */
double pb_launch_ratio(const float *a, const float *b, size_t rounds, size_t slices);

/*
 * The ratios of the rounds, whose median that is: d[0..rounds), each as above, NaN where a round
 * has none. rounds, slices: >= 1
 */
void pb_round_ratios(const float *a, const float *b, size_t rounds, size_t slices, double *d);

#endif
