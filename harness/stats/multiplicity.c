/* SPDX-License-Identifier: Apache-2.0
 *
 * Quadratic, because nobody watches enough benchmarks to notice and no sort with an index is
 * needed.
 */
#include "stats/multiplicity.h"

#include <math.h>

/* p times the number of hypotheses that are left once all with a smaller p-value are rejected; fmin
 * makes a NaN 1. */
static double step_down(const double *p, size_t n, size_t i)
{
    size_t smaller = 0;
    for (size_t j = 0; j < n; j++) {
        smaller += p[j] < p[i];
    }
    return fmin(1, (double)(n - smaller) * p[i]);
}

void pb_holm_adjust(const double *p, size_t n, double *adjusted)
{
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = step_down(p, n, i);
    }
    /* None is rejected before one with a smaller p-value. A value that was raised already is the
     * maximum over a part of what counts here, so the order of going through them is free. */
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (p[j] <= p[i]) {
                adjusted[i] = fmax(adjusted[i], adjusted[j]);
            }
        }
    }
}
