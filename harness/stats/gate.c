/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are exact. A ratio comes with its uncertainty. An absolute time has none that a run could
 * know of, so it is held against what was usual on the same machine.
 */
#include "stats/gate.h"

#include <math.h>

#include "stats/binomial.h"
#include "stats/summary.h"

/* From a median absolute deviation to a standard deviation, for normal values: 1 / Φ⁻¹(3/4). */
#define SD_OF_MAD 1.4826022185056018

static enum pb_verdict judge(double lo, double hi)
{
    if (lo > log1p(PB_RATIO_GATE_CHANGE)) {
        return PB_VERDICT_REGRESSED;
    }
    if (hi < -log1p(PB_RATIO_GATE_CHANGE)) {
        return PB_VERDICT_IMPROVED;
    }
    if (lo > -log1p(PB_RATIO_GATE_UNCHANGED) && hi < log1p(PB_RATIO_GATE_UNCHANGED)) {
        return PB_VERDICT_UNCHANGED;
    }
    return PB_VERDICT_INCONCLUSIVE;
}

/* Length of the diagonal: independent uncertainties add up in squares. */
static double add_up(double a, double b, double c)
{
    return sqrt(a * a + b * b + c * c);
}

struct pb_ratio_gate pb_ratio_gate_judge(struct pb_interval now, struct pb_interval baseline,
                                         double spread)
{
    const double delta = now.estimate - baseline.estimate;
    const double down = add_up(now.estimate - now.lo, baseline.hi - baseline.estimate, spread);
    const double up = add_up(now.hi - now.estimate, baseline.estimate - baseline.lo, spread);
    if (!isfinite(delta) || !isfinite(down) || !isfinite(up)) {
        return (struct pb_ratio_gate){delta, -INFINITY, INFINITY, PB_VERDICT_INCONCLUSIVE};
    }
    return (struct pb_ratio_gate){delta, delta - down, delta + up, judge(delta - down, delta + up)};
}

double pb_ratio_gate_p(const double *d, size_t n, struct pb_interval baseline, double spread)
{
    const double limit = baseline.estimate + add_up(baseline.hi - baseline.estimate, spread, 0) +
                         log1p(PB_RATIO_GATE_CHANGE);
    size_t n_above = 0;
    for (size_t i = 0; i < n; i++) {
        n_above += d[i] > limit;
    }
    return pb_sign_test_above(n_above, n);
}

double pb_run_spread(const double *estimates, size_t n)
{
    double steps[PB_HISTORY_MOST - 1];
    if (n < PB_HISTORY_LEAST) {
        return NAN;
    }
    if (n > PB_HISTORY_MOST) {
        estimates += n - PB_HISTORY_MOST;
        n = PB_HISTORY_MOST;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        steps[i] = fabs(estimates[i + 1] - estimates[i]);
    }
    return SD_OF_MAD * pb_median(steps, n - 1) / sqrt(2);
}

enum pb_verdict pb_count_gate_judge(int64_t now, int64_t baseline)
{
    if (now == baseline) {
        return PB_VERDICT_UNCHANGED;
    }
    return now > baseline ? PB_VERDICT_REGRESSED : PB_VERDICT_IMPROVED;
}

struct pb_instructions_gate pb_instructions_gate_judge(int64_t now, int64_t baseline)
{
    const double moved = (double)now - (double)baseline;
    const double margin = PB_INSTRUCTIONS_GATE_MOVED * (double)baseline;
    struct pb_instructions_gate gate = {.verdict = PB_VERDICT_UNCHANGED};
    if (moved > margin) {
        gate.verdict = PB_VERDICT_REGRESSED;
        gate.fails = moved > PB_INSTRUCTIONS_GATE_FAILS * (double)baseline;
    } else if (moved < -margin) {
        gate.verdict = PB_VERDICT_IMPROVED;
    }
    return gate;
}

/* History of one benchmark in logs, without the two runs that are judged. */
struct usual {
    double time; /* medians */
    double kernels[PB_KERNELS];
};

static double log_median(const double *values, size_t n)
{
    double logs[PB_HISTORY_MOST];
    for (size_t i = 0; i < n; i++) {
        logs[i] = log(values[i]);
    }
    return pb_median(logs, n);
}

static struct usual find_usual(const struct pb_absolute_point *points, size_t n)
{
    struct usual usual;
    double values[PB_HISTORY_MOST];
    for (size_t i = 0; i < n; i++) {
        values[i] = points[i].time_ns;
    }
    usual.time = log_median(values, n);
    for (int k = 0; k < PB_KERNELS; k++) {
        for (size_t i = 0; i < n; i++) {
            values[i] = points[i].kernels_ns[k];
        }
        usual.kernels[k] = log_median(values, n);
    }
    return usual;
}

/* How far a time is from the usual one, less what the kernels account for. */
static double own_change(const struct usual *usual, const struct pb_absolute_point *point)
{
    double least = INFINITY;
    double most = -INFINITY;
    for (int k = 0; k < PB_KERNELS; k++) {
        const double moved = log(point->kernels_ns[k]) - usual->kernels[k];
        least = fmin(least, moved);
        most = fmax(most, moved);
    }
    const double moved = log(point->time_ns) - usual->time;
    return moved - fmin(fmax(moved, least), most);
}

struct pb_absolute_gate pb_absolute_gate_judge(const struct pb_absolute_point *points, size_t n)
{
    struct pb_absolute_gate gate = {NAN, NAN, NAN, PB_VERDICT_INSUFFICIENT_HISTORY};
    if (n < PB_HISTORY_LEAST + 2) {
        return gate;
    }
    if (n > PB_HISTORY_MOST + 2) {
        points += n - (PB_HISTORY_MOST + 2);
        n = PB_HISTORY_MOST + 2;
    }
    const size_t n_history = n - 2;
    const struct usual usual = find_usual(points, n_history);
    double changes[PB_HISTORY_MOST];
    for (size_t i = 0; i < n_history; i++) {
        changes[i] = own_change(&usual, &points[i]);
    }
    const double before = own_change(&usual, &points[n - 2]);
    gate.usual_ns = exp(usual.time);
    gate.change = own_change(&usual, &points[n - 1]);
    gate.limit = fmax(log1p(PB_ABSOLUTE_GATE_CHANGE),
                      PB_ABSOLUTE_GATE_DEVIATIONS * pb_mad(changes, n_history));
    if (fabs(gate.change) <= gate.limit) {
        gate.verdict = PB_VERDICT_UNCHANGED;
    } else if (fabs(before) <= gate.limit || (before > 0) != (gate.change > 0)) {
        gate.verdict = PB_VERDICT_INCONCLUSIVE;
    } else {
        gate.verdict = gate.change > 0 ? PB_VERDICT_REGRESSED : PB_VERDICT_IMPROVED;
    }
    return gate;
}
