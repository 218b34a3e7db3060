/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons only. Each is written so that a NaN makes it false: what is not known is
 * inconclusive.
 */
#include "stats/verdict.h"

#include <math.h>

enum pb_verdict pb_pair_verdict(struct pb_interval interval, struct pb_margins margins)
{
    const double gate = log1p(margins.gate);
    const double equivalence = log1p(margins.equivalence);
    if (interval.lo > gate) {
        return PB_VERDICT_REGRESSED;
    }
    if (interval.hi < -gate) {
        return PB_VERDICT_IMPROVED;
    }
    if (-equivalence < interval.lo && interval.hi < equivalence) {
        return PB_VERDICT_UNCHANGED;
    }
    return PB_VERDICT_INCONCLUSIVE;
}

bool pb_control_rejected(struct pb_interval interval, struct pb_margins margins)
{
    const double bias = log1p(margins.gate) / 2;
    return interval.lo > bias || interval.hi < -bias;
}

double pb_provable_equivalence(struct pb_interval interval)
{
    const double reach = fmax(fabs(interval.lo), fabs(interval.hi));
    if (isnan(interval.lo) || isnan(interval.hi) || !isfinite(expm1(reach))) {
        return INFINITY;
    }
    /* The proof needs the margin to be strictly beyond the interval, after rounding too. */
    double margin = expm1(reach);
    while (!(log1p(margin) > reach)) {
        margin = nextafter(margin, INFINITY);
    }
    return margin;
}

double pb_change_pct(double log_ratio)
{
    return 100 * expm1(log_ratio);
}
