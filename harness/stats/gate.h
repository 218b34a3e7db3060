/* SPDX-License-Identifier: Apache-2.0
 *
 * The gates of a check: a run against a committed baseline, and against the runs before it.
 */
#ifndef PB_STATS_GATE_H
#define PB_STATS_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "stats/interval.h"

/* Margins of the ratio gate, as ratios. */
#define PB_RATIO_GATE_CHANGE    0.005 /* beyond it, with its uncertainty: regressed or improved */
#define PB_RATIO_GATE_UNCHANGED 0.02  /* within it, with its uncertainty: unchanged             */
#define PB_RATIO_GATE_SPREAD    0.003 /* τ, spread between runs, where history gives none: this */
#define PB_RATIO_GATE_SHARE     0.5   /* or this share of the spread between launches           */

struct pb_ratio_gate {
    double delta; /* Δ = θ_now - θ_baseline, log                   */
    double lo;    /* its interval, log; infinite without intervals */
    double hi;
    enum pb_verdict verdict;
};

/*
 * Whether log(new / old) moved since the baseline.
 *
 * The interval of Δ is Δ ± √(h_now² + h_base² + τ²) with h the half-widths of the two intervals.
 * Where an estimate is not in the middle of its interval, h is the distance to the end that counts:
 * upwards Δ is uncertain by the upper part of now and the lower part of the baseline, downwards by
 * the other two. So a baseline that was lucky, with all of its interval on the slow side, neither
 * makes a regression nor hides one.
 *
 * spread:  τ, log
 * returns: regressed when lo > log(1.005), improved when hi < -log(1.005), unchanged when both lie
 *          within ± log(1.02), else inconclusive; also inconclusive when something is not finite
 * source:  Zou & Donner 2008, limits of a difference from the limits of its terms
 */
struct pb_ratio_gate pb_ratio_gate_judge(struct pb_interval now, struct pb_interval baseline,
                                         double spread);

/*
 * How surprising fresh launches are, if the ratio is in truth not beyond what the gate lets pass:
 * p-value of a sign test against log(1.005) above the upper end of what the baseline may be, which
 * is √(h² + τ²) above its estimate with h the upper part of its interval.
 * d:        n fresh log ratios of launches
 * baseline: an interval
 * spread:   τ, log
 * returns:  0 < p <= 1; 1 without launches or without an interval
 */
double pb_ratio_gate_p(const double *d, size_t n, struct pb_interval baseline, double spread);

/* How many runs of history are needed to say anything, and how many are looked at. */
enum { PB_HISTORY_LEAST = 5, PB_HISTORY_MOST = 60 };

/*
 * τ: the spread between runs of one pair, as a standard deviation.
 * estimates: n log ratios of runs in order of time; of more than PB_HISTORY_MOST the last ones
 * returns:   log; NaN for fewer than PB_HISTORY_LEAST
 * source:    1.4826 · median |x_(i+1) - x_i| / √2: the median absolute deviation of successive
 *            differences (after von Neumann 1941), which neither a step nor a slow drift widens
 */
double pb_run_spread(const double *estimates, size_t n);

/*
 * Whether an exact count moved: regressed when it grew, improved when it shrank, else unchanged.
 */
enum pb_verdict pb_count_gate_judge(int64_t now, int64_t baseline);

/* Margins of instructions, as ratios: beyond the first they moved, beyond the second they fail. */
#define PB_INSTRUCTIONS_GATE_MOVED 0.001
#define PB_INSTRUCTIONS_GATE_FAILS 0.01

struct pb_instructions_gate {
    enum pb_verdict verdict; /* regressed, improved or unchanged                             */
    bool fails;              /* regressed beyond the second margin; else it is a warning only */
};

/* now, baseline: per operation, >= 0; from 0 any growth is beyond all margins */
struct pb_instructions_gate pb_instructions_gate_judge(int64_t now, int64_t baseline);

/* Margins of the gate on absolute times: a ratio, and a multiple of the deviation of history. */
#define PB_ABSOLUTE_GATE_CHANGE     0.25
#define PB_ABSOLUTE_GATE_DEVIATIONS 6.0

/* One benchmark in one run. */
struct pb_absolute_point {
    double time_ns;
    double kernels_ns[PB_KERNELS]; /* how fast the machine was then, see base/record.h */
};

struct pb_absolute_gate {
    double usual_ns; /* median of history; NaN when there is too little                       */
    double change;   /* log(time / usual), less what the kernels account for; NaN as above    */
    double limit;    /* log: beyond it, on either side, it is unusual; NaN as above           */
    enum pb_verdict verdict;
};

/*
 * Whether the last of n runs on one machine, and the one before it, took unusually long.
 *
 * The kernels say how much slower or faster than usual the machine was: at least as much as the
 * least and at most as much as the most affected of them, depending on what the benchmark waits
 * for. Only what lies beyond both is a change of the benchmark's own. It is unusual beyond
 * max(log 1.25, 6 · MAD of the same in history).
 *
 * points:  n runs in order of time, the last two are judged, those before are history; all values
 *          positive and finite; of a longer history than PB_HISTORY_MOST the last ones count
 * returns: regressed or improved when both are unusual to the same side, inconclusive when the last
 *          alone is, else unchanged; insufficient history for a shorter one than PB_HISTORY_LEAST
 */
struct pb_absolute_gate pb_absolute_gate_judge(const struct pb_absolute_point *points, size_t n);

#endif
