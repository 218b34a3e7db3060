/* SPDX-License-Identifier: Apache-2.0
 *
 * The sign test is the interval of the median seen from the other side: with a single pair, p is at
 * most 0.01 exactly when the interval at 0.01 lies beyond the margin.
 */
#include "commands/confirm.h"

#include <math.h>

#include "stats/binomial.h"
#include "stats/multiplicity.h"
#include "stats/trend.h"

#define DRIFT_LEVEL 0.001

bool pb_is_flagged(const struct pb_pair_record *pair)
{
    return pair->verdict == PB_VERDICT_REGRESSED || pair->verdict == PB_VERDICT_IMPROVED;
}

double pb_confirm_p(const struct pb_pair_record *fresh, enum pb_verdict flagged,
                    struct pb_margins margins)
{
    const double sign = flagged == PB_VERDICT_REGRESSED ? 1 : -1;
    const double gate = log1p(margins.gate);
    size_t beyond = 0;
    size_t within = 0;
    for (size_t i = 0; i < fresh->n_launches; i++) {
        beyond += sign * fresh->d[i] > gate;
        within += sign * fresh->d[i] < gate;
    }
    return beyond > within ? pb_sign_test(within, beyond) : 1;
}

static bool was_timed(const struct pb_pair_record *pair)
{
    return pair->verdict <= PB_VERDICT_INCONCLUSIVE && pair->n_launches > 0;
}

static void judge(struct pb_pair_record *pair, const struct pb_pair_record *screen, double p,
                  struct pb_margins margins, struct pb_arena *arena)
{
    if (p <= PB_CONFIRM_LEVEL) {
        pair->verdict = screen->verdict;
        pair->reason = NULL;
        return;
    }
    const struct pb_interval interval = {pair->estimate, pair->lo, pair->hi};
    const enum pb_verdict alone = pb_pair_verdict(interval, margins);
    pair->verdict = alone == PB_VERDICT_UNCHANGED ? PB_VERDICT_UNCHANGED : PB_VERDICT_INCONCLUSIVE;
    pair->reason = pb_arena_printf(
        arena, "first %+.2f %%, which %zu fresh launch%s did not confirm (p = %.2g)",
        pb_change_pct(screen->estimate), pair->n_launches, pair->n_launches == 1 ? "" : "es", p);
}

void pb_confirm_judge(const struct pb_pair_record *const *screen,
                      const struct pb_pair_record *const *fresh, size_t n,
                      struct pb_margins margins, struct pb_arena *arena,
                      struct pb_pair_record *judged, double *p)
{
    double *single = pb_arena_array(arena, n, sizeof *single);
    for (size_t i = 0; i < n; i++) {
        single[i] = was_timed(fresh[i]) ? pb_confirm_p(fresh[i], screen[i]->verdict, margins) : 1;
    }
    pb_holm_adjust(single, n, p);
    for (size_t i = 0; i < n; i++) {
        judged[i] = *fresh[i];
        if (was_timed(fresh[i])) {
            judge(&judged[i], screen[i], p[i], margins, arena);
        }
    }
}

void pb_confirm_check_drift(struct pb_pair_record *pair, struct pb_arena *arena)
{
    if (!was_timed(pair)) {
        return;
    }
    const struct pb_correlation trend = pb_trend(pair->d, pair->n_launches);
    if (trend.p < DRIFT_LEVEL) {
        pair->verdict = PB_VERDICT_INCONCLUSIVE;
        pair->reason = pb_arena_printf(
            arena, "drift: the ratio moved while it was measured (rho = %.2f, p = %.1g)", trend.rho,
            trend.p);
    }
}
