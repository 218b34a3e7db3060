/* SPDX-License-Identifier: Apache-2.0
 *
 * The fraction converges fast left of the mean of the distribution; right of it, the symmetry
 * I_x(a, b) = 1 - I_{1-x}(b, a) leads back there.
 */
#include "stats/beta.h"

#include <float.h>
#include <math.h>

/* More steps than any a, b up to 10^6 need (they grow with the square root). */
enum { STEPS_MAX = 20000 };

/* Keeps Lentz's method away from a division by zero. */
static double away_from_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* Coefficient m of the fraction 1 + d_1 / (1 + d_2 / (1 + …)), DLMF 8.17.23. */
static double coefficient(int m, double x, double a, double b)
{
    const int pairs = m / 2;
    const double k = pairs;
    if (m % 2 == 0) {
        return k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
    }
    return -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
}

/* Value of the fraction: the product of the ratios of its successive convergents. */
static double fraction(double x, double a, double b)
{
    double value = 1;
    double numerators = 1;   /* ratio of successive numerators   */
    double denominators = 0; /* inverse ratio of denominators    */
    for (int m = 1; m <= STEPS_MAX; m++) {
        const double d = coefficient(m, x, a, b);
        denominators = 1 / away_from_zero(1 + d * denominators);
        numerators = away_from_zero(1 + d / numerators);
        const double step = numerators * denominators;
        value *= step;
        if (fabs(step - 1) < DBL_EPSILON) {
            break;
        }
    }
    return value;
}

/* lgamma without its global sign. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

double pb_beta_regularized(double x, double a, double b)
{
    if (!(x >= 0 && x <= 1 && a > 0 && b > 0)) {
        return NAN;
    }
    const double front =
        a * log(x) + b * log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b);
    if (x > (a + 1) / (a + b + 2)) {
        return 1 - exp(front) / (b * fraction(1 - x, b, a));
    }
    return exp(front) / (a * fraction(x, a, b));
}

double pb_student_two_sided(double t, double freedom)
{
    return pb_beta_regularized(freedom / (freedom + t * t), 0.5 * freedom, 0.5);
}
