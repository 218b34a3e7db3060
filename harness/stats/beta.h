/* SPDX-License-Identifier: Apache-2.0
 *
 * The regularised incomplete beta function, from which the tails of the binomial and of Student's
 * t distribution follow.
 */
#ifndef PB_STATS_BETA_H
#define PB_STATS_BETA_H

/*
 * I_x(a, b) = B(x; a, b) / B(a, b), the probability that a beta(a, b) variable is at most x.
 * x:       0..1
 * a, b:    > 0, up to some 10^6
 * returns: 0..1, to about 10 digits at a, b of 10^4 and 14 at small ones; NaN out of range
 * cost:    O(√max(a, b)), no allocation
 * source:  DLMF 8.17.22, the continued fraction, evaluated by Lentz's method
 */
double pb_beta_regularized(double x, double a, double b);

/*
 * P(|T| >= |t|) for Student's t.
 * freedom: degrees of freedom, > 0
 * returns: 0..1; NaN when t is NaN or freedom out of range
 * source:  DLMF 8.17 with x = freedom / (freedom + t²)
 */
double pb_student_two_sided(double t, double freedom);

#endif
