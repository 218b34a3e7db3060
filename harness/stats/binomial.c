/* SPDX-License-Identifier: Apache-2.0
 *
 * All of it is one function, the incomplete beta, and its inverse by bisection.
 */
#include "stats/binomial.h"

#include <math.h>

#include "stats/beta.h"

double pb_binomial_cdf(uint64_t k, uint64_t n, double p)
{
    if (!(p >= 0 && p <= 1)) {
        return NAN;
    }
    if (k >= n) {
        return 1;
    }
    return pb_beta_regularized(1 - p, (double)(n - k), (double)k + 1);
}

double pb_sign_test(uint64_t n_below, uint64_t n_above)
{
    const uint64_t fewer = n_below < n_above ? n_below : n_above;
    return fmin(1, 2 * pb_binomial_cdf(fewer, n_below + n_above, 0.5));
}

double pb_sign_test_above(uint64_t n_above, uint64_t n)
{
    return pb_binomial_cdf(n - n_above, n, 0.5); /* as many tails are as likely */
}

/* The x at which I_x(a, b) reaches the given probability. */
static double beta_quantile(double probability, double a, double b)
{
    double below = 0;
    double above = 1;
    for (;;) {
        const double x = 0.5 * (below + above);
        if (x <= below || x >= above) {
            return x;
        }
        if (pb_beta_regularized(x, a, b) < probability) {
            below = x;
        } else {
            above = x;
        }
    }
}

struct pb_bounds pb_proportion_bounds(uint64_t k, uint64_t n, double level)
{
    if (k > n || !(level > 0 && level < 1)) {
        return (struct pb_bounds){NAN, NAN};
    }
    const double successes = (double)k;
    const double failures = (double)(n - k);
    struct pb_bounds bounds = {0, 1};
    if (k > 0) {
        bounds.lo = beta_quantile(0.5 * level, successes, failures + 1);
    }
    if (k < n) {
        bounds.hi = beta_quantile(1 - 0.5 * level, successes + 1, failures);
    }
    return bounds;
}
