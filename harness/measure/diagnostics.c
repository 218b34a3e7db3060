/* SPDX-License-Identifier: Apache-2.0
 *
 * Thresholds are on purpose far from what chance does: what follows from a diagnostic costs time.
 */
#include "measure/diagnostics.h"

#include <math.h>
#include <string.h>

#include "stats/interval.h"
#include "stats/summary.h"
#include "stats/trend.h"
#include "stats/verdict.h"

#define ORDER_EFFECT_PCT 0.5
#define DRIFT_P          0.001
#define APART_PCT        12.5 /* one launch in eight */
#define APART_WIDTHS     3.0
#define APART_LEAST      0.00995 /* log(1.01) */

/* The narrowest half of a few launches is too narrow by chance, hence the second one. */
enum { MODAL_LAUNCHES_LEAST = 16, APART_LEAST_LAUNCHES = 4 };

const struct pb_diagnostic_words *pb_diagnostic_words(enum pb_diagnostic diagnostic)
{
    static const struct pb_diagnostic_words table[] = {
        [PB_DIAGNOSTIC_ORDER] = {"order", "the side that goes first is favoured",
                                 "the sides warm each other up or cool each other down: run with "
                                 "longer operations, or look at what they share",
                                 "%", PB_REMEDY_WARM},
        [PB_DIAGNOSTIC_DRIFT] = {"drift", "the ratio drifted from launch to launch",
                                 "something changed on the machine meanwhile: measure again, see "
                                 "pairbench doctor",
                                 "", PB_REMEDY_DOUBT},
        [PB_DIAGNOSTIC_MODAL] = {"modal", "many launches stand apart from the others",
                                 "whole processes are faster or slower by luck, of addresses or "
                                 "layout: more launches, or several layouts of the suite",
                                 "%", PB_REMEDY_LAUNCHES},
        [PB_DIAGNOSTIC_STEAL] = {"steal", "the host took processor time for others",
                                 "measure later, or on a machine with fewer neighbours", "%",
                                 PB_REMEDY_WAIT},
        [PB_DIAGNOSTIC_PRESSURE] = {"pressure", "programs waited for a processor",
                                    "stop what else is running, or measure later", "%",
                                    PB_REMEDY_WAIT},
        [PB_DIAGNOSTIC_THROTTLED] = {"throttled", "the CPU quota of the container was used up",
                                     "raise the quota, or run fewer things beside", "",
                                     PB_REMEDY_WAIT},
    };
    return &table[diagnostic];
}

struct pb_diagnosis pb_diagnosis_none(void)
{
    struct pb_diagnosis none = {0};
    for (int i = 0; i < PB_DIAGNOSTICS; i++) {
        none.value[i] = NAN;
    }
    return none;
}

/* Small p-values in powers of ten, everything else with at most two digits behind the point. */
static const char *value_text(enum pb_diagnostic which, double value, struct pb_arena *arena)
{
    const char *unit = pb_diagnostic_words(which)->unit;
    switch (which) {
    case PB_DIAGNOSTIC_DRIFT:
        return pb_arena_printf(arena, "p = %.1g", value);
    case PB_DIAGNOSTIC_ORDER:
        return pb_arena_printf(arena, "%+.2f %s", value, unit);
    default:
        return pb_arena_printf(arena, "%.0f%s%s", value, unit[0] != '\0' ? " " : "", unit);
    }
}

const char *pb_diagnosis_text(const struct pb_diagnosis *diagnosis, struct pb_arena *arena)
{
    const char *text = NULL;
    for (int i = 0; i < PB_DIAGNOSTICS; i++) {
        if (diagnosis->found[i]) {
            text = pb_arena_printf(arena, "%s%s%s %s", text != NULL ? text : "",
                                   text != NULL ? "; " : "",
                                   pb_diagnostic_words((enum pb_diagnostic)i)->name,
                                   value_text((enum pb_diagnostic)i, diagnosis->value[i], arena));
        }
    }
    return text;
}

static void set(struct pb_diagnosis *diagnosis, enum pb_diagnostic which, double value, bool found)
{
    diagnosis->value[which] = value;
    diagnosis->found[which] = found && !isnan(value);
}

/* The narrowest interval that holds half of sorted x[0..n), n > 0. */
static struct pb_interval narrowest_half(const double *x, size_t n)
{
    const size_t half = (n + 1) / 2;
    struct pb_interval best = {.lo = x[0], .hi = x[half - 1]};
    for (size_t i = 1; i + half <= n; i++) {
        if (x[i + half - 1] - x[i] < best.hi - best.lo) {
            best.lo = x[i];
            best.hi = x[i + half - 1];
        }
    }
    return best;
}

/* How many of d[0..n) stand apart. n: 1..PB_LAUNCHES_MAX */
static size_t count_apart(const double *d, size_t n)
{
    double sorted[PB_LAUNCHES_MAX];
    memcpy(sorted, d, n * sizeof *d);
    pb_sort(sorted, n);
    const struct pb_interval home = narrowest_half(sorted, n);
    const double reach = fmax(APART_WIDTHS * (home.hi - home.lo), APART_LEAST);
    size_t n_apart = 0;
    for (size_t i = 0; i < n; i++) {
        n_apart += sorted[i] < home.lo - reach || sorted[i] > home.hi + reach;
    }
    return n_apart;
}

void pb_diagnose_pair(const struct pb_pair_samples *samples, struct pb_diagnosis *diagnosis)
{
    double order = NAN;
    if (samples->round_d != NULL) {
        order =
            pb_change_pct(pb_order_effect(samples->round_d, samples->a_first, samples->n_rounds));
    }
    set(diagnosis, PB_DIAGNOSTIC_ORDER, order, fabs(order) > ORDER_EFFECT_PCT);
    const double p = pb_trend(samples->d, samples->n).p;
    set(diagnosis, PB_DIAGNOSTIC_DRIFT, p, p < DRIFT_P);
    if (samples->n >= MODAL_LAUNCHES_LEAST && samples->n <= PB_LAUNCHES_MAX) {
        const size_t n_apart = count_apart(samples->d, samples->n);
        const double pct = 100.0 * (double)n_apart / (double)samples->n;
        set(diagnosis, PB_DIAGNOSTIC_MODAL, pct,
            pct >= APART_PCT && n_apart >= APART_LEAST_LAUNCHES);
    } else {
        set(diagnosis, PB_DIAGNOSTIC_MODAL, NAN, false);
    }
}

void pb_diagnose_noise(const struct pb_noise_interval *interval, struct pb_diagnosis *diagnosis)
{
    const double steal = interval->steal_pct;
    const double pressure = interval->pressure_pct;
    const double throttled =
        interval->n_throttled >= 0 ? (double)interval->n_throttled : (double)NAN;
    set(diagnosis, PB_DIAGNOSTIC_STEAL, steal, steal > PB_NOISE_STEAL_PCT);
    set(diagnosis, PB_DIAGNOSTIC_PRESSURE, pressure, pressure > PB_NOISE_PRESSURE_PCT);
    set(diagnosis, PB_DIAGNOSTIC_THROTTLED, throttled, throttled > 0);
}
