/* SPDX-License-Identifier: Apache-2.0
 *
 * The baseline is walked first, so that what is missing is seen; then the run, for what is new.
 */
#include "commands/judging/parts.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "commands/comparing/confirm.h"
#include "commands/judging/run_baseline.h"
#include "measure/selection.h"
#include "stats/gate.h"
#include "stats/multiplicity.h"
#include "stats/verdict.h"

struct pb_finding *pb_judge_add(struct pb_judge *judge, const char *name, const char *gate,
                                const char *metric, enum pb_verdict verdict)
{
    struct pb_check_record *check = judge->check;
    check->findings = pb_arena_grow(judge->arena, check->findings, check->n_findings,
                                    &judge->capacity, sizeof *check->findings);
    struct pb_finding *finding = &check->findings[check->n_findings++];
    *finding = (struct pb_finding){
        .name = name,
        .gate = gate,
        .metric = metric,
        .baseline = NAN,
        .now = NAN,
        .change_pct = NAN,
        .lo_pct = NAN,
        .hi_pct = NAN,
        .verdict = verdict,
    };
    return finding;
}

/* Whether the run was asked for a benchmark. */
static bool was_asked_for(const struct pb_run_record *run, const char *case_name,
                          const char *scenario, const char *variant, struct pb_arena *arena)
{
    if (run->patterns == NULL || run->patterns[0] == '\0') {
        return true;
    }
    struct pb_strbuf pattern = {0};
    char *lines = pb_arena_strdup(arena, run->patterns);
    char *rest = NULL;
    bool asked = false;
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL && !asked;
         line = strtok_r(NULL, "\n", &rest)) {
        pb_strbuf_reset(&pattern);
        asked = pb_text_add_unescaped(&pattern, line) &&
                pb_name_matches(pattern.text, case_name, scenario, variant);
    }
    pb_strbuf_release(&pattern);
    return asked;
}

bool pb_judge_was_asked_for(const struct pb_judge *judge, const char *name)
{
    struct pb_name_parts parts;
    return !pb_name_split(name, judge->arena, &parts) ||
           was_asked_for(judge->run, parts.case_name, parts.scenario, parts.variant, judge->arena);
}

static const struct pb_pair_record *find_pair(const struct pb_run_record *run,
                                              const char *case_name, const char *scenario,
                                              const char *a, const char *b)
{
    for (size_t i = 0; i < run->n_pairs; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        if (strcmp(pair->case_name, case_name) == 0 && strcmp(pair->scenario, scenario) == 0 &&
            strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0) {
            return pair;
        }
    }
    return NULL;
}

static const char *pair_name(struct pb_arena *arena, const char *case_name, const char *scenario,
                             const char *variant)
{
    return pb_arena_printf(arena, "%s/%s/%s", case_name, scenario, variant);
}

static const char *pair_metric(struct pb_arena *arena, const char *a, const char *b)
{
    return pb_arena_printf(arena, "%s/%s", b, a);
}

/* Whether a diagnosis, such as a drift, has taken the verdict from a pair that has an interval. */
static bool lost_its_verdict(const struct pb_pair_record *pair)
{
    return pair->verdict == PB_VERDICT_INCONCLUSIVE && pair->reason != NULL;
}

static double widest_side(struct pb_interval interval)
{
    return fmax(interval.hi - interval.estimate, interval.estimate - interval.lo);
}

/*
 * How much faster (below 0) or slower a, the reference, was in a run than for the baseline, log.
 *
 * A machine that is busy otherwise slows the code of a and b down differently, so their ratio may
 * have moved by as much as a did, either way, without any change of code: in nine runs of 61 pairs
 * on a shared machine the time of a had a deviation of 17 % and the ratio one of 7 %, correlated by
 * -0.57; the ratio moved by 3 % more than a in 7 cases of 549. 0 where nothing is known of a.
 */
static double slowdown_of(const struct pb_judge *judge, const struct pb_run_record *run,
                          const struct pb_baseline_ratio *baseline)
{
    const double now_ns =
        pb_run_time_ns(run, baseline->case_name, baseline->scenario, baseline->a, judge->arena);
    const double slowdown = log(now_ns / baseline->a_ns);
    return isfinite(slowdown) ? slowdown : 0;
}

/* What the ratio of a baseline may be on a machine on which a is slower or faster by so much. */
static struct pb_interval baseline_at(const struct pb_baseline_ratio *baseline, double slowdown)
{
    return (struct pb_interval){baseline->estimate, baseline->lo - fabs(slowdown),
                                baseline->hi + fabs(slowdown)};
}

/* Why a change is not known well enough, and what would help: the largest of what adds up. */
static const char *explain_width(const struct pb_judge *judge, const struct pb_ratio_gate *gate,
                                 struct pb_interval now, struct pb_interval baseline, double spread)
{
    const char *known = pb_arena_printf(
        judge->arena, "the change is known to ± %.2g %% only",
        pb_change_pct(widest_side((struct pb_interval){gate->delta, gate->lo, gate->hi})));
    const double h_now = widest_side(now);
    const double h_baseline = widest_side(baseline);
    if (h_baseline > fmax(h_now, spread)) {
        return pb_arena_printf(judge->arena,
                               "%s; the baseline itself to ± %.2g %%: one saved from a quieter or "
                               "longer run would narrow it",
                               known, pb_change_pct(h_baseline));
    }
    if (spread > h_now) {
        return pb_arena_printf(judge->arena, "%s; runs of the same code differ by %.2g %%", known,
                               pb_change_pct(spread));
    }
    return pb_arena_printf(judge->arena, "%s; more launches would narrow it", known);
}

/* The same where a ran at another speed, and most of the width comes from that. */
static const char *explain_slowdown(const struct pb_judge *judge, const struct pb_ratio_gate *gate,
                                    const struct pb_baseline_ratio *baseline, double slowdown)
{
    return pb_arena_printf(
        judge->arena,
        "the change is known to ± %.2g %% only; %s took %+.2g %% compared with the baseline: the "
        "machine is more or less busy than then",
        pb_change_pct(widest_side((struct pb_interval){gate->delta, gate->lo, gate->hi})),
        baseline->a, pb_change_pct(slowdown));
}

/* run: the one that the pair is of */
static void fill_ratio(const struct pb_judge *judge, struct pb_finding *finding,
                       const struct pb_run_record *run, const struct pb_pair_record *pair,
                       const struct pb_baseline_ratio *baseline)
{
    const struct pb_interval now = {pair->estimate, pair->lo, pair->hi};
    const double slowdown = slowdown_of(judge, run, baseline);
    const struct pb_interval then = baseline_at(baseline, slowdown);
    const double spread = pb_judge_spread(judge, baseline, &finding->spread_runs);
    const struct pb_ratio_gate gate = pb_ratio_gate_judge(now, then, spread);
    finding->spread_pct = pb_change_pct(spread);
    finding->baseline = exp(baseline->estimate);
    finding->now = exp(pair->estimate);
    finding->change_pct = pb_change_pct(gate.delta);
    finding->lo_pct = pb_change_pct(gate.lo);
    finding->hi_pct = pb_change_pct(gate.hi);
    finding->verdict = lost_its_verdict(pair) ? PB_VERDICT_INCONCLUSIVE : gate.verdict;
    finding->reason = pair->reason;
    if (finding->verdict == PB_VERDICT_INCONCLUSIVE && pair->reason == NULL) {
        const bool is_busy = fabs(slowdown) > fmax(widest_side(baseline_at(baseline, 0)),
                                                   fmax(widest_side(now), spread));
        finding->reason = is_busy ? explain_slowdown(judge, &gate, baseline, slowdown)
                                  : explain_width(judge, &gate, now, then, spread);
    }
}

static bool was_timed(const struct pb_pair_record *pair)
{
    return pair->verdict <= PB_VERDICT_INCONCLUSIVE;
}

static void judge_ratio(struct pb_judge *judge, const struct pb_baseline_ratio *baseline)
{
    const char *name =
        pair_name(judge->arena, baseline->case_name, baseline->scenario, baseline->b);
    const char *metric = pair_metric(judge->arena, baseline->a, baseline->b);
    const struct pb_pair_record *pair =
        find_pair(judge->run, baseline->case_name, baseline->scenario, baseline->a, baseline->b);
    if (pair == NULL) {
        if (was_asked_for(judge->run, baseline->case_name, baseline->scenario, baseline->b,
                          judge->arena)) {
            struct pb_finding *finding =
                pb_judge_add(judge, name, PB_GATE_RATIO, metric, PB_VERDICT_MISSING);
            finding->baseline = exp(baseline->estimate);
            finding->reason = "in the baseline, but not in the run";
        }
        return;
    }
    struct pb_finding *finding = pb_judge_add(judge, name, PB_GATE_RATIO, metric, pair->verdict);
    finding->baseline = exp(baseline->estimate);
    finding->reason = pair->reason;
    if (was_timed(pair) && !judge->run->valid) { /* one finding of the run says why */
        finding->verdict = PB_VERDICT_INVALID_RUN;
    } else if (was_timed(pair)) {
        fill_ratio(judge, finding, judge->run, pair, baseline);
    }
}

static const struct pb_baseline_ratio *find_ratio(const struct pb_baseline *baseline,
                                                  const struct pb_pair_record *pair)
{
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        const struct pb_baseline_ratio *ratio = &baseline->ratios[i];
        if (strcmp(pair->case_name, ratio->case_name) == 0 &&
            strcmp(pair->scenario, ratio->scenario) == 0 && strcmp(pair->a, ratio->a) == 0 &&
            strcmp(pair->b, ratio->b) == 0) {
            return ratio;
        }
    }
    return NULL;
}

static void judge_ratios(struct pb_judge *judge)
{
    const struct pb_baseline *baseline = &judge->set->baseline;
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        judge_ratio(judge, &baseline->ratios[i]);
    }
    for (size_t i = 0; i < judge->run->n_pairs; i++) {
        const struct pb_pair_record *pair = &judge->run->pairs[i];
        if (!pair->gated || !was_timed(pair) || find_ratio(baseline, pair) != NULL) {
            continue;
        }
        struct pb_finding *finding = pb_judge_add(
            judge, pair_name(judge->arena, pair->case_name, pair->scenario, pair->b), PB_GATE_RATIO,
            pair_metric(judge->arena, pair->a, pair->b), PB_VERDICT_ADDED);
        finding->now = exp(pair->estimate);
        finding->reason = PB_JUDGED_NOT_YET;
    }
}

bool pb_judge_is_judged(const struct pb_benchmark_record *benchmark)
{
    return benchmark->state == PB_STATE_OK && benchmark->flags == 0;
}

/* Benchmarks that failed or were skipped are told apart from those that are missing. */
static void judge_states(struct pb_judge *judge)
{
    for (size_t i = 0; i < judge->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &judge->run->benchmarks[i];
        if (benchmark->state == PB_STATE_OK) {
            continue;
        }
        const bool failed = benchmark->state == PB_STATE_FAILED;
        pb_judge_add(judge, benchmark->name, PB_GATE_STATE, "run",
                     failed ? PB_VERDICT_FAILED : PB_VERDICT_SKIPPED)
            ->reason = benchmark->reason;
    }
}

/* The verdict on the ratio of which a benchmark is the side b; inconclusive when there is none. */
static enum pb_verdict ratio_verdict(const struct pb_check_record *check, const char *name)
{
    for (size_t i = 0; i < check->n_findings; i++) {
        const struct pb_finding *finding = &check->findings[i];
        if (strcmp(finding->gate, PB_GATE_RATIO) == 0 && strcmp(finding->name, name) == 0) {
            return finding->verdict;
        }
    }
    return PB_VERDICT_INCONCLUSIVE;
}

/* More instructions fail a check unless they are few, or the time proves that they do no harm. */
static void weigh_instructions(const struct pb_check_record *check, struct pb_finding *finding)
{
    const enum pb_verdict ratio = ratio_verdict(check, finding->name);
    const bool few =
        !pb_instructions_gate_judge((int64_t)finding->now, (int64_t)finding->baseline).fails;
    finding->warns = few || ratio == PB_VERDICT_UNCHANGED || ratio == PB_VERDICT_IMPROVED;
    finding->reason = few               ? "not more than 1 %: a warning"
                      : !finding->warns ? "more than 1 %, and the ratio does not prove it harmless"
                      : ratio == PB_VERDICT_UNCHANGED ? "more than 1 %, but the ratio is unchanged"
                                                      : "more than 1 %, but the ratio has improved";
}

/* What depends on other findings: to be done again when one of them has changed. */
static void weigh(const struct pb_judge *judge)
{
    const struct pb_check_record *check = judge->check;
    for (size_t i = 0; i < check->n_findings; i++) {
        struct pb_finding *finding = &check->findings[i];
        if (finding->verdict == PB_VERDICT_REGRESSED &&
            strcmp(finding->metric, PB_BASELINE_INSTRUCTIONS) == 0) {
            weigh_instructions(check, finding);
            pb_judge_waive(judge, finding);
        }
    }
    pb_findings_sort(check->findings, check->n_findings);
}

static struct pb_judge make_judge(const struct pb_judge_spec *spec, struct pb_arena *arena,
                                  struct pb_check_record *check)
{
    return (struct pb_judge){
        .run = spec->run,
        .set = spec->set,
        .past = spec->past,
        .arena = arena,
        .check = check,
        .capacity = check->n_findings,
    };
}

void pb_judge_run(const struct pb_judge_spec *spec, struct pb_arena *arena,
                  struct pb_check_record *check)
{
    const struct pb_baseline_set *set = spec->set;
    const char **paths = pb_arena_array(arena, set->n_paths, sizeof *paths);
    for (size_t i = 0; i < set->n_paths; i++) {
        paths[i] = set->paths[i]; /* the check outlives the set */
    }
    *check = (struct pb_check_record){
        .baselines = paths,
        .n_baselines = set->n_paths,
        .note = set->incompatible,
    };
    struct pb_judge judge = make_judge(spec, arena, check);
    if (!spec->run->valid) {
        pb_judge_add(&judge, PB_JUDGED_RUN, PB_GATE_STATE, "run", PB_VERDICT_INVALID_RUN)->reason =
            spec->run->invalid_reason;
    }
    judge_states(&judge);
    if (set->has_counts) {
        pb_judge_counts(&judge);
    }
    if (set->has_ratios) {
        judge_ratios(&judge);
        pb_judge_instructions(&judge);
    }
    if (set->incompatible != NULL) { /* the note says why */
        pb_judge_add(&judge, PB_JUDGED_RUN, PB_GATE_RATIO, "all", PB_VERDICT_INCOMPARABLE);
    }
    pb_judge_absolute(&judge);
    for (size_t i = 0; i < check->n_findings; i++) {
        pb_judge_waive(&judge, &check->findings[i]);
    }
    weigh(&judge);
}

bool pb_judge_is_flagged(const struct pb_finding *finding)
{
    return finding->verdict == PB_VERDICT_REGRESSED && finding->waived_until == NULL &&
           strcmp(finding->gate, PB_GATE_RATIO) == 0;
}

/* A flagged finding beside what it is about. */
struct flagged {
    struct pb_finding *finding;
    const struct pb_baseline_ratio *baseline;
    const struct pb_pair_record *fresh; /* NULL when there are no fresh times */
};

/* Finds the baseline and the fresh pair of a finding. */
static struct flagged look_up(const struct pb_judge *judge, struct pb_finding *finding,
                              const struct pb_run_record *fresh)
{
    struct flagged flagged = {.finding = finding};
    for (size_t i = 0; i < fresh->n_pairs && fresh->valid; i++) {
        const struct pb_pair_record *pair = &fresh->pairs[i];
        const struct pb_baseline_ratio *ratio = find_ratio(&judge->set->baseline, pair);
        if (ratio != NULL && pair->gated && was_timed(pair) && pair->n_launches > 0 &&
            strcmp(pair_name(judge->arena, pair->case_name, pair->scenario, pair->b),
                   finding->name) == 0 &&
            strcmp(pair_metric(judge->arena, pair->a, pair->b), finding->metric) == 0) {
            flagged.baseline = ratio;
            flagged.fresh = pair;
        }
    }
    return flagged;
}

/* returns: 1 when the fresh launches say nothing */
static double p_of(const struct pb_judge *judge, const struct flagged *flagged,
                   const struct pb_run_record *fresh)
{
    if (flagged->fresh == NULL || lost_its_verdict(flagged->fresh)) {
        return 1;
    }
    size_t n_runs = 0;
    const struct pb_baseline_ratio *baseline = flagged->baseline;
    const struct pb_interval then = baseline_at(baseline, slowdown_of(judge, fresh, baseline));
    return pb_ratio_gate_p(flagged->fresh->d, flagged->fresh->n_launches, then,
                           pb_judge_spread(judge, baseline, &n_runs));
}

/* p: adjusted */
static const char *describe_again(const struct pb_judge *judge, const struct pb_pair_record *fresh,
                                  double first_pct, double p)
{
    if (p <= PB_CONFIRM_LEVEL) {
        return pb_arena_printf(judge->arena,
                               "confirmed on %zu fresh launches (first %+.2f %%, p = %.1g)",
                               fresh->n_launches, first_pct, p);
    }
    return pb_arena_printf(
        judge->arena, "first %+.2f %%, which %zu fresh launches did not confirm (p = %.2g)%s%s",
        first_pct, fresh->n_launches, p, lost_its_verdict(fresh) ? "; " : "",
        lost_its_verdict(fresh) ? fresh->reason : "");
}

static void judge_again(const struct pb_judge *judge, const struct flagged *flagged,
                        const struct pb_run_record *fresh, double p)
{
    struct pb_finding *finding = flagged->finding;
    const double first_pct = finding->change_pct;
    fill_ratio(judge, finding, fresh, flagged->fresh, flagged->baseline);
    finding->reason = describe_again(judge, flagged->fresh, first_pct, p);
    if (p <= PB_CONFIRM_LEVEL) {
        finding->verdict = PB_VERDICT_REGRESSED;
    } else if (finding->verdict == PB_VERDICT_REGRESSED) {
        finding->verdict = PB_VERDICT_INCONCLUSIVE;
    }
}

void pb_judge_leave_unconfirmed(struct pb_check_record *check, const char *reason,
                                struct pb_arena *arena)
{
    const char *text =
        pb_arena_printf(arena, "not confirmed, it could not be measured again: %s", reason);
    for (size_t i = 0; i < check->n_findings; i++) {
        if (pb_judge_is_flagged(&check->findings[i])) {
            check->findings[i].reason = text;
        }
    }
}

void pb_judge_confirm(const struct pb_judge_spec *spec, const struct pb_run_record *fresh,
                      struct pb_arena *arena, struct pb_check_record *check)
{
    const struct pb_judge judge = make_judge(spec, arena, check);
    struct flagged *flagged = pb_arena_array(arena, check->n_findings, sizeof *flagged);
    double *p = pb_arena_array(arena, check->n_findings, sizeof *p);
    double *adjusted = pb_arena_array(arena, check->n_findings, sizeof *adjusted);
    size_t n = 0;
    for (size_t i = 0; i < check->n_findings; i++) {
        if (pb_judge_is_flagged(&check->findings[i])) {
            flagged[n] = look_up(&judge, &check->findings[i], fresh);
            p[n] = p_of(&judge, &flagged[n], fresh);
            n++;
        }
    }
    pb_holm_adjust(p, n, adjusted);
    for (size_t i = 0; i < n; i++) {
        if (flagged[i].fresh != NULL) {
            judge_again(&judge, &flagged[i], fresh, adjusted[i]);
        } else {
            flagged[i].finding->reason =
                fresh->valid
                    ? "not confirmed, it could not be measured again"
                    : pb_arena_printf(arena, "not confirmed, the second look is invalid: %s",
                                      fresh->invalid_reason);
        }
        pb_judge_waive(&judge, flagged[i].finding);
    }
    weigh(&judge);
}
