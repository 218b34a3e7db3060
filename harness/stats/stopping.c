/* SPDX-License-Identifier: Apache-2.0
 *
 * Each look sorts a copy of what it sees: the order of the launches decides which those are.
 */
#include "stats/stopping.h"

#include <math.h>
#include <string.h>

static const unsigned adaptive[] = {16, 24, 40, 64, PB_STOPPING_LAUNCHES};
enum { N_ADAPTIVE = sizeof adaptive / sizeof adaptive[0] };

enum pb_code pb_stopping_plan(double level, double change_level, struct pb_stopping *stopping,
                              struct pb_error *err)
{
    struct pb_stopping made = {.n_looks = N_ADAPTIVE};
    memcpy(made.looks, adaptive, sizeof adaptive);
    enum pb_code code =
        pb_interval_ranks(made.looks, made.n_looks, level, made.ranks, &made.exact, err);
    if (code == PB_OK) {
        code = pb_interval_ranks(made.looks, made.n_looks, change_level, made.change, NULL, err);
    }
    if (code == PB_OK) {
        *stopping = made;
    }
    return code;
}

/* The interval of a look. ranks: of all looks */
static struct pb_interval look_at(const struct pb_stopping *stopping, size_t look,
                                  const unsigned *ranks, const double *d)
{
    double seen[PB_STOPPING_LAUNCHES];
    memcpy(seen, d, stopping->looks[look] * sizeof *seen);
    return pb_median_interval(seen, stopping->looks[look], ranks[look]);
}

static bool is_change(enum pb_verdict verdict)
{
    return verdict == PB_VERDICT_REGRESSED || verdict == PB_VERDICT_IMPROVED;
}

struct pb_stop pb_stopping_judge(const struct pb_stopping *stopping, const double *d, size_t n,
                                 struct pb_margins margins)
{
    struct pb_stop stop = {
        .verdict = PB_VERDICT_INCONCLUSIVE,
        .interval = {.estimate = NAN, .lo = -INFINITY, .hi = INFINITY},
    };
    for (size_t i = 0; i < stopping->n_looks && stopping->looks[i] <= n; i++) {
        stop.launches = stopping->looks[i];
        stop.interval = look_at(stopping, i, stopping->ranks, d);
        stop.verdict = pb_pair_verdict(look_at(stopping, i, stopping->change, d), margins);
        stop.verdict =
            is_change(stop.verdict) ? stop.verdict : pb_pair_verdict(stop.interval, margins);
        if (stop.verdict != PB_VERDICT_INCONCLUSIVE) {
            break;
        }
    }
    return stop;
}

bool pb_stopping_misses(const struct pb_stopping *stopping, const double *d, double truth)
{
    for (size_t i = 0; i < stopping->n_looks; i++) {
        const struct pb_interval interval = look_at(stopping, i, stopping->ranks, d);
        if (truth < interval.lo || truth > interval.hi) {
            return true;
        }
    }
    return false;
}
