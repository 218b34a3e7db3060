/* SPDX-License-Identifier: Apache-2.0
 *
 * The gates between a run and a committed baseline.
 */
#ifndef PB_STATS_GATE_H
#define PB_STATS_GATE_H

#include <stdint.h>

#include "base/record.h"
#include "stats/interval.h"

/* Margins of the ratio gate, as ratios. */
#define PB_RATIO_GATE_CHANGE    0.005 /* beyond it, with its uncertainty: regressed or improved */
#define PB_RATIO_GATE_UNCHANGED 0.02  /* within it, with its uncertainty: unchanged             */
#define PB_RATIO_GATE_SPREAD    0.003 /* τ, spread between runs, where history gives none       */

struct pb_ratio_gate {
    double delta;      /* Δ = θ_now - θ_baseline, log                                  */
    double half_width; /* w = √(h_now² + h_base² + τ²); INFINITY without an interval   */
    enum pb_verdict verdict;
};

/*
 * Whether log(new / old) moved since the baseline.
 * spread:  τ, log
 * returns: regressed when Δ - w > log(1.005), improved when Δ + w < -log(1.005), unchanged when
 *          |Δ| + w < log(1.02), else inconclusive; also inconclusive when something is not finite
 */
struct pb_ratio_gate pb_ratio_gate_judge(struct pb_interval now, struct pb_interval baseline,
                                         double spread);

/*
 * Whether an exact count moved: regressed when it grew, improved when it shrank, else unchanged.
 */
enum pb_verdict pb_count_gate_judge(int64_t now, int64_t baseline);

#endif
