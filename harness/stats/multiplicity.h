/* SPDX-License-Identifier: Apache-2.0
 *
 * Many tests at once: p-values that may each be compared with one family-wise level.
 */
#ifndef PB_STATS_MULTIPLICITY_H
#define PB_STATS_MULTIPLICITY_H

#include <stddef.h>

/*
 * Holm's adjustment. Rejecting every hypothesis whose adjusted p-value is at most L is wrong about
 * any of them with probability at most L, however the tests depend on each other.
 * p:        n p-values, 0..1; a NaN counts as 1
 * adjusted: out, n values in the order of p, each >= its p; may not overlap p
 * cost:     O(n²), no allocation
 * source:   Holm 1979
 */
void pb_holm_adjust(const double *p, size_t n, double *adjusted);

#endif
