/* SPDX-License-Identifier: Apache-2.0
 *
 * The difference of two logarithms instead of the logarithm of a quotient: it rounds the same way
 * whichever side comes first, so that swapping the sides flips the sign and nothing else.
 */
#include "stats/ratio.h"

#include <math.h>

#include "stats/summary.h"

/* log of the smallest of a burst's slices; NaN when that is not a positive finite number. */
static double log_of_best(const float *slices_ns, size_t slices)
{
    float best = slices_ns[0];
    for (size_t i = 1; i < slices; i++) {
        if (slices_ns[i] < best || isnan(slices_ns[i])) {
            best = slices_ns[i];
        }
    }
    return best > 0 && isfinite(best) ? log((double)best) : NAN;
}

void pb_round_ratios(const float *a, const float *b, size_t rounds, size_t slices, double *d)
{
    for (size_t i = 0; i < rounds; i++) {
        d[i] = log_of_best(b + i * slices, slices) - log_of_best(a + i * slices, slices);
    }
}

double pb_launch_ratio(const float *a, const float *b, size_t rounds, size_t slices)
{
    if (rounds == 0 || rounds > PB_ROUNDS_MAX || slices == 0) {
        return NAN;
    }
    double d[PB_ROUNDS_MAX];
    pb_round_ratios(a, b, rounds, slices, d);
    for (size_t i = 0; i < rounds; i++) {
        if (isnan(d[i])) {
            return NAN;
        }
    }
    return pb_median(d, rounds);
}
