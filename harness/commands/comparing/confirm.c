/* SPDX-License-Identifier: Apache-2.0
 *
 * A p-value is an interval seen from the other side: it is at most 0.01 exactly when the interval
 * at 0.01 lies beyond the margin at some look. Ranks only grow with the level, so bisection finds
 * it.
 */
#include "commands/comparing/confirm.h"

#include <math.h>

#include "stats/interval.h"
#include "stats/multiplicity.h"
#include "stats/summary.h"
#include "stats/trend.h"

#define DRIFT_LEVEL 0.001

/* Between these p-values are told apart, to one part in a million. */
#define LEVEL_LEAST 1e-15
#define LEVEL_MOST  0.5
enum { HALVINGS = 25 };

bool pb_is_flagged(const struct pb_pair_record *pair)
{
    return pair->verdict == PB_VERDICT_REGRESSED || pair->verdict == PB_VERDICT_IMPROVED;
}

struct pb_looks pb_confirm_looks(size_t n, struct pb_margins margins)
{
    struct pb_looks looks = {
        .at = {24, 48, 96, 144},
        .n = 4,
        .margins = margins,
        .change_level = PB_CONFIRM_LEVEL / (double)(n > 0 ? n : 1),
    };
    return looks;
}

/* The looks that were taken: those planned up to n launches, and n, where a budget ended it. */
static size_t looks_taken(const struct pb_looks *looks, size_t n, unsigned *at)
{
    size_t taken = 0;
    while (taken < looks->n && looks->at[taken] <= n) {
        at[taken] = looks->at[taken];
        taken++;
    }
    if (taken == 0 || at[taken - 1] != n) {
        at[taken++] = (unsigned)n;
    }
    return taken;
}

/* All looks, with those that were taken in front. returns: how many */
static size_t all_looks(const struct pb_looks *looks, size_t n, unsigned *at)
{
    size_t n_at = looks_taken(looks, n, at);
    for (size_t i = 0; i < looks->n; i++) {
        if (looks->at[i] > n) {
            at[n_at++] = looks->at[i];
        }
    }
    return n_at;
}

/* What the launches of a pair show up to each look. */
struct evidence {
    unsigned at[PB_LOOKS_MAX + 1];
    size_t n_at;
    size_t n_taken;
    unsigned within[PB_LOOKS_MAX + 1]; /* launches that do not lie beyond the margin, per look */
};

static struct evidence gather(const struct pb_pair_record *fresh, enum pb_verdict flagged,
                              const struct pb_looks *looks)
{
    const double sign = flagged == PB_VERDICT_REGRESSED ? 1 : -1;
    const double gate = log1p(looks->margins.gate);
    struct evidence evidence = {0};
    evidence.n_taken = looks_taken(looks, fresh->n_launches, evidence.at);
    evidence.n_at = all_looks(looks, fresh->n_launches, evidence.at);
    size_t k = 0;
    unsigned within = 0;
    for (size_t i = 0; i < fresh->n_launches; i++) {
        within += !(sign * fresh->d[i] > gate);
        if (i + 1 == evidence.at[k]) {
            evidence.within[k++] = within;
        }
    }
    return evidence;
}

/* Whether the interval of any look that was taken lies beyond the margin, at an overall level. */
static enum pb_code is_beyond(const struct evidence *evidence, double level, bool *beyond,
                              struct pb_error *err)
{
    unsigned ranks[PB_LOOKS_MAX + 1];
    const enum pb_code code =
        pb_interval_ranks(evidence->at, evidence->n_at, level, ranks, NULL, err);
    *beyond = false;
    for (size_t k = 0; code == PB_OK && k < evidence->n_taken; k++) {
        *beyond = *beyond || ranks[k] > evidence->within[k];
    }
    return code;
}

enum pb_code pb_confirm_p(const struct pb_pair_record *fresh, enum pb_verdict flagged,
                          const struct pb_looks *looks, double *p, struct pb_error *err)
{
    const struct evidence evidence = gather(fresh, flagged, looks);
    bool beyond = false;
    double high = LEVEL_MOST;
    double low = LEVEL_LEAST;
    enum pb_code code = is_beyond(&evidence, high, &beyond, err);
    *p = beyond ? high : 1;
    for (int i = 0; code == PB_OK && *p < 1 && i < HALVINGS; i++) {
        const double middle = sqrt(low * high);
        code = is_beyond(&evidence, middle, &beyond, err);
        low = beyond ? low : middle;
        high = beyond ? middle : high;
        *p = high;
    }
    return code;
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

enum pb_code pb_confirm_judge(const struct pb_confirmation *confirmation,
                              const struct pb_looks *looks, struct pb_arena *arena,
                              struct pb_error *err)
{
    const size_t n = confirmation->n;
    double *single = pb_arena_array(arena, n, sizeof *single);
    for (size_t i = 0; i < n; i++) {
        single[i] = 1;
        const enum pb_code code =
            was_timed(confirmation->fresh[i]) && !confirmation->fresh[i]->by_layout
                ? pb_confirm_p(confirmation->fresh[i], confirmation->screen[i]->verdict, looks,
                               &single[i], err)
                : PB_OK;
        if (code != PB_OK) {
            return code;
        }
    }
    pb_holm_adjust(single, n, confirmation->p);
    for (size_t i = 0; i < n; i++) {
        confirmation->judged[i] = *confirmation->fresh[i];
        if (was_timed(confirmation->fresh[i]) && !confirmation->fresh[i]->by_layout) {
            judge(&confirmation->judged[i], confirmation->screen[i], confirmation->p[i],
                  looks->margins, arena);
        }
    }
    return PB_OK;
}

/* Whether a part of the launches says the same by its median alone. */
static bool agrees(const struct pb_pair_record *pair, size_t from, size_t to,
                   struct pb_margins margins, struct pb_arena *arena)
{
    double *d = pb_arena_memdup(arena, pair->d + from, (to - from) * sizeof *d);
    const double median = pb_median(d, to - from);
    if (pair->verdict == PB_VERDICT_UNCHANGED) {
        margins.gate = margins.equivalence; /* a small change within it is none */
    }
    return pb_pair_verdict((struct pb_interval){median, median, median}, margins) == pair->verdict;
}

void pb_confirm_check_drift(struct pb_pair_record *pair, struct pb_margins margins,
                            struct pb_arena *arena)
{
    if (!was_timed(pair)) {
        return;
    }
    const struct pb_correlation trend = pb_trend(pair->d, pair->n_launches);
    const size_t half = pair->n_launches / 2;
    if (trend.p < DRIFT_LEVEL && !(agrees(pair, 0, half, margins, arena) &&
                                   agrees(pair, half, pair->n_launches, margins, arena))) {
        pair->verdict = PB_VERDICT_INCONCLUSIVE;
        pair->reason = pb_arena_printf(
            arena, "drift: the ratio moved while it was measured (rho = %.2f, p = %.1g)", trend.rho,
            trend.p);
    }
}
