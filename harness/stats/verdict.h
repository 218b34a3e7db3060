/* SPDX-License-Identifier: Apache-2.0
 *
 * From an interval to a verdict.
 */
#ifndef PB_STATS_VERDICT_H
#define PB_STATS_VERDICT_H

#include <stdbool.h>

#include "base/record.h"
#include "stats/interval.h"

/* Margins of a pair's verdict, as ratios: 0.0025 is 0.25 %. */
struct pb_margins {
    double gate;        /* γ: a smaller change is never called a regression or an improvement */
    double equivalence; /* δ: within it, a change is proven not to matter                    */
};

#define PB_GATE_MARGIN        0.0025
#define PB_EQUIVALENCE_MARGIN 0.01

/*
 * Verdict on log(b / a), where a larger value is worse.
 * returns: regressed when lo > log(1+γ); improved when hi < -log(1+γ); unchanged when the whole
 *          interval is within ±log(1+δ), which is a proof; else inconclusive
 */
enum pb_verdict pb_pair_verdict(struct pb_interval interval, struct pb_margins margins);

/*
 * Whether a side that was compared with itself says that the comparison is not fair. A bias of less
 * than half of the margin leaves every verdict half of its distance; with enough launches some bias
 * is always seen, if it is a hundredth of a percent.
 * interval: of its log ratio, at a level that a fair comparison would almost never leave
 * returns:  whether all of it is beyond ±log(1+γ) / 2
 */
bool pb_control_rejected(struct pb_interval interval, struct pb_margins margins);

/* Smallest δ, as a ratio, for which the interval would prove `unchanged`; INFINITY if none. */
double pb_provable_equivalence(struct pb_interval interval);

/* A log ratio as a change in percent: 100 · (exp(x) - 1). */
double pb_change_pct(double log_ratio);

#endif
