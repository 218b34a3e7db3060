/* SPDX-License-Identifier: Apache-2.0
 *
 * Both gates are differences against a committed number; only the first has an uncertainty.
 */
#include "stats/gate.h"

#include <math.h>

static enum pb_verdict judge(double delta, double half_width)
{
    if (delta - half_width > log1p(PB_RATIO_GATE_CHANGE)) {
        return PB_VERDICT_REGRESSED;
    }
    if (delta + half_width < -log1p(PB_RATIO_GATE_CHANGE)) {
        return PB_VERDICT_IMPROVED;
    }
    if (fabs(delta) + half_width < log1p(PB_RATIO_GATE_UNCHANGED)) {
        return PB_VERDICT_UNCHANGED;
    }
    return PB_VERDICT_INCONCLUSIVE;
}

struct pb_ratio_gate pb_ratio_gate_judge(struct pb_interval now, struct pb_interval baseline,
                                         double spread)
{
    const double h_now = 0.5 * (now.hi - now.lo);
    const double h_baseline = 0.5 * (baseline.hi - baseline.lo);
    const double half_width = sqrt(h_now * h_now + h_baseline * h_baseline + spread * spread);
    struct pb_ratio_gate gate = {
        .delta = now.estimate - baseline.estimate,
        .half_width = isfinite(half_width) ? half_width : INFINITY,
        .verdict = PB_VERDICT_INCONCLUSIVE,
    };
    if (isfinite(gate.delta)) {
        gate.verdict = judge(gate.delta, gate.half_width);
    }
    return gate;
}

enum pb_verdict pb_count_gate_judge(int64_t now, int64_t baseline)
{
    if (now == baseline) {
        return PB_VERDICT_UNCHANGED;
    }
    return now > baseline ? PB_VERDICT_REGRESSED : PB_VERDICT_IMPROVED;
}
