/* SPDX-License-Identifier: Apache-2.0
 *
 * The baseline is walked first, so that what is missing is seen; then the run, for what is new.
 */
#include "commands/judge.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "measure/selection.h"
#include "stats/gate.h"
#include "stats/verdict.h"

struct judge {
    const struct pb_run_record *run;
    const struct pb_baseline_set *set;
    struct pb_arena *arena;
    struct pb_check_record *check;
    size_t capacity;
};

static struct pb_finding *add(struct judge *judge, const char *name, const char *gate,
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

/* The same for a whole name, whose parts are not known. */
static bool name_was_asked_for(const struct pb_run_record *run, const char *name,
                               struct pb_arena *arena)
{
    char *parts = pb_arena_strdup(arena, name);
    char *variant = strrchr(parts, '/');
    if (variant == NULL) {
        return true;
    }
    *variant = '\0';
    char *scenario = strrchr(parts, '/');
    if (scenario == NULL) {
        return true;
    }
    *scenario = '\0';
    return was_asked_for(run, parts, scenario + 1, variant + 1, arena);
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

static void fill_ratio(struct pb_finding *finding, const struct pb_pair_record *pair,
                       const struct pb_baseline_ratio *baseline, struct pb_arena *arena)
{
    const struct pb_interval now = {pair->estimate, pair->lo, pair->hi};
    const struct pb_interval then = {baseline->estimate, baseline->lo, baseline->hi};
    const struct pb_ratio_gate gate = pb_ratio_gate_judge(now, then, log1p(PB_RATIO_GATE_SPREAD));
    finding->baseline = exp(baseline->estimate);
    finding->now = exp(pair->estimate);
    finding->change_pct = pb_change_pct(gate.delta);
    finding->lo_pct = pb_change_pct(gate.delta - gate.half_width);
    finding->hi_pct = pb_change_pct(gate.delta + gate.half_width);
    finding->verdict = gate.verdict;
    finding->reason = pair->reason;
    if (gate.verdict == PB_VERDICT_INCONCLUSIVE && pair->reason == NULL) {
        finding->reason = pb_arena_printf(
            arena, "the change is known to ± %.2g %% only; more launches would narrow it",
            pb_change_pct(gate.half_width));
    }
}

static bool was_timed(const struct pb_pair_record *pair)
{
    return pair->verdict <= PB_VERDICT_INCONCLUSIVE;
}

static void judge_ratio(struct judge *judge, const struct pb_baseline_ratio *baseline)
{
    const char *name =
        pair_name(judge->arena, baseline->case_name, baseline->scenario, baseline->b);
    const char *metric = pb_arena_printf(judge->arena, "%s/%s", baseline->b, baseline->a);
    const struct pb_pair_record *pair =
        find_pair(judge->run, baseline->case_name, baseline->scenario, baseline->a, baseline->b);
    if (pair == NULL) {
        if (was_asked_for(judge->run, baseline->case_name, baseline->scenario, baseline->b,
                          judge->arena)) {
            struct pb_finding *finding = add(judge, name, "ratio", metric, PB_VERDICT_MISSING);
            finding->baseline = exp(baseline->estimate);
            finding->reason = "in the baseline, but not in the run";
        }
        return;
    }
    struct pb_finding *finding = add(judge, name, "ratio", metric, pair->verdict);
    finding->baseline = exp(baseline->estimate);
    finding->reason = pair->reason;
    if (was_timed(pair)) {
        fill_ratio(finding, pair, baseline, judge->arena);
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

static void judge_ratios(struct judge *judge)
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
        struct pb_finding *finding =
            add(judge, pair_name(judge->arena, pair->case_name, pair->scenario, pair->b), "ratio",
                pb_arena_printf(judge->arena, "%s/%s", pair->b, pair->a), PB_VERDICT_ADDED);
        finding->now = exp(pair->estimate);
        finding->reason = "not in the baseline yet";
    }
}

static const struct pb_benchmark_record *find_benchmark(const struct pb_run_record *run,
                                                        const char *name)
{
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        if (strcmp(run->benchmarks[i].name, name) == 0) {
            return &run->benchmarks[i];
        }
    }
    return NULL;
}

/* Bounds and third parties are shown, not judged. */
static bool is_judged(const struct pb_benchmark_record *benchmark)
{
    return benchmark->state == PB_STATE_OK && benchmark->flags == 0;
}

static const struct pb_count_record *find_count(const struct pb_benchmark_record *benchmark,
                                                const char *metric)
{
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        if (strcmp(benchmark->counts[i].name, metric) == 0) {
            return &benchmark->counts[i];
        }
    }
    return NULL;
}

static double change_pct(double now, double baseline)
{
    if (now == baseline) {
        return 0;
    }
    return baseline == 0 ? INFINITY : 100 * (now - baseline) / baseline;
}

static void judge_count_of(struct judge *judge, const struct pb_baseline_count *baseline,
                           const struct pb_benchmark_record *benchmark)
{
    const struct pb_count_record *count = find_count(benchmark, baseline->metric);
    struct pb_finding *finding =
        add(judge, baseline->name, "counts", baseline->metric, PB_VERDICT_MISSING);
    finding->baseline = (double)baseline->value;
    if (count == NULL) {
        finding->reason = "in the baseline, but no longer counted";
        return;
    }
    finding->now = (double)count->value;
    if (!count->deterministic) {
        finding->verdict = PB_VERDICT_SKIPPED;
        finding->reason = "two counting passes disagreed: not deterministic, not gated";
        return;
    }
    finding->verdict = pb_count_gate_judge(count->value, baseline->value);
    finding->change_pct = change_pct(finding->now, finding->baseline);
}

static bool is_first_of_its_name(const struct pb_baseline *baseline, size_t index)
{
    return index == 0 ||
           strcmp(baseline->counts[index - 1].name, baseline->counts[index].name) != 0;
}

static void judge_counts(struct judge *judge)
{
    const struct pb_baseline *baseline = &judge->set->baseline;
    for (size_t i = 0; i < baseline->n_counts; i++) {
        const struct pb_baseline_count *count = &baseline->counts[i];
        const struct pb_benchmark_record *benchmark = find_benchmark(judge->run, count->name);
        if (benchmark != NULL && is_judged(benchmark)) {
            judge_count_of(judge, count, benchmark);
        } else if (benchmark == NULL && is_first_of_its_name(baseline, i) &&
                   name_was_asked_for(judge->run, count->name, judge->arena)) {
            add(judge, count->name, "counts", "all", PB_VERDICT_MISSING)->reason =
                "in the baseline, but not in the run";
        }
    }
    for (size_t i = 0; i < judge->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &judge->run->benchmarks[i];
        bool known = benchmark->n_counts == 0 || !is_judged(benchmark);
        for (size_t k = 0; !known && k < baseline->n_counts; k++) {
            known = strcmp(baseline->counts[k].name, benchmark->name) == 0;
        }
        if (!known) {
            add(judge, benchmark->name, "counts", "all", PB_VERDICT_ADDED)->reason =
                "not in the baseline yet";
        }
    }
}

/* Benchmarks that failed or were skipped are told apart from those that are missing. */
static void judge_states(struct judge *judge)
{
    for (size_t i = 0; i < judge->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &judge->run->benchmarks[i];
        if (benchmark->state == PB_STATE_OK) {
            continue;
        }
        const bool failed = benchmark->state == PB_STATE_FAILED;
        add(judge, benchmark->name, "state", "run", failed ? PB_VERDICT_FAILED : PB_VERDICT_SKIPPED)
            ->reason = benchmark->reason;
    }
}

void pb_judge_run(const struct pb_run_record *run, const struct pb_baseline_set *set,
                  struct pb_arena *arena, struct pb_check_record *check)
{
    struct judge judge = {.run = run, .set = set, .arena = arena, .check = check};
    const char **paths = pb_arena_array(arena, set->n_paths, sizeof *paths);
    for (size_t i = 0; i < set->n_paths; i++) {
        paths[i] = set->paths[i]; /* the check outlives the set */
    }
    *check = (struct pb_check_record){
        .baselines = paths,
        .n_baselines = set->n_paths,
        .note = set->incompatible,
    };
    if (!run->valid) {
        add(&judge, "(the run)", "state", "run", PB_VERDICT_INVALID_RUN)->reason =
            run->invalid_reason;
    }
    judge_states(&judge);
    if (set->has_counts) {
        judge_counts(&judge);
    }
    if (set->has_ratios) {
        judge_ratios(&judge);
    }
    pb_findings_sort(check->findings, check->n_findings);
}

const struct pb_pair_record *pb_judge_find_pair(const struct pb_run_record *run,
                                                const struct pb_finding *finding)
{
    for (size_t i = 0; i < run->n_pairs; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        struct pb_arena scratch = {0};
        const bool same =
            pair->gated && strcmp(finding->name, pair_name(&scratch, pair->case_name,
                                                           pair->scenario, pair->b)) == 0;
        pb_arena_release(&scratch);
        if (same) {
            return pair;
        }
    }
    return NULL;
}

void pb_judge_again(struct pb_finding *finding, const struct pb_pair_record *fresh,
                    const struct pb_baseline_set *set, struct pb_arena *arena)
{
    const struct pb_baseline_ratio *baseline = find_ratio(&set->baseline, fresh);
    const double first_pct = finding->change_pct;
    if (baseline == NULL || !was_timed(fresh)) {
        finding->reason = "could not be measured again";
        return;
    }
    fill_ratio(finding, fresh, baseline, arena);
    if (finding->verdict == PB_VERDICT_REGRESSED) {
        finding->reason = pb_arena_printf(arena, "confirmed on %zu fresh launches (first %+.2f %%)",
                                          fresh->n_launches, first_pct);
    } else {
        finding->reason =
            pb_arena_printf(arena, "first %+.2f %%, which %zu fresh launches did not confirm",
                            first_pct, fresh->n_launches);
    }
}

/* The words of --fail-on. */
static const struct {
    const char *word;
    unsigned bit;
} fail_words[] = {
    {"regressed", PB_FAIL_REGRESSED},
    {"failed", PB_FAIL_FAILED},
    {"missing", PB_FAIL_MISSING},
    {"differs", PB_FAIL_DIFFERS},
    {"incompatible", PB_FAIL_INCOMPATIBLE},
    {"inconclusive", PB_FAIL_INCONCLUSIVE},
    {"none", 0},
};
enum { N_FAIL_WORDS = sizeof fail_words / sizeof fail_words[0] };

enum pb_code pb_judge_parse_fail_on(const char *text, unsigned *fail_on, struct pb_error *err)
{
    unsigned bits = 0;
    for (const char *at = text;;) {
        const size_t n = strcspn(at, ",");
        size_t i = 0;
        while (i < N_FAIL_WORDS &&
               (strlen(fail_words[i].word) != n || strncmp(fail_words[i].word, at, n) != 0)) {
            i++;
        }
        if (i == N_FAIL_WORDS) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "--fail-on '%s': '%.*s' is none of regressed, failed, missing, "
                                "differs, incompatible, inconclusive, none",
                                text, (int)n, at);
        }
        bits |= fail_words[i].bit;
        if (at[n] == '\0') {
            break;
        }
        at += n + 1;
    }
    *fail_on = bits;
    return PB_OK;
}

static unsigned bit_of(const struct pb_finding *finding)
{
    switch (finding->verdict) {
    case PB_VERDICT_REGRESSED:
        return PB_FAIL_REGRESSED;
    case PB_VERDICT_FAILED:
        return finding->reason != NULL && strncmp(finding->reason, "output differs", 14) == 0
                   ? PB_FAIL_DIFFERS
                   : PB_FAIL_FAILED;
    case PB_VERDICT_INVALID_RUN:
        return PB_FAIL_FAILED;
    case PB_VERDICT_MISSING:
        return PB_FAIL_MISSING;
    case PB_VERDICT_INCOMPARABLE:
        return PB_FAIL_INCOMPATIBLE;
    case PB_VERDICT_INCONCLUSIVE:
        return PB_FAIL_INCONCLUSIVE;
    default:
        return 0;
    }
}

int pb_judge_exit_code(const struct pb_check_record *check, bool incompatible, unsigned fail_on)
{
    unsigned bits = incompatible ? PB_FAIL_INCOMPATIBLE : 0;
    for (size_t i = 0; i < check->n_findings; i++) {
        bits |= bit_of(&check->findings[i]);
    }
    bits &= fail_on;
    if ((bits & (PB_FAIL_FAILED | PB_FAIL_MISSING | PB_FAIL_DIFFERS)) != 0) {
        return PB_EXIT_FAILED;
    }
    if ((bits & PB_FAIL_REGRESSED) != 0) {
        return PB_EXIT_REGRESSED;
    }
    if ((bits & PB_FAIL_INCOMPATIBLE) != 0) {
        return PB_EXIT_INCOMPATIBLE;
    }
    return (bits & PB_FAIL_INCONCLUSIVE) != 0 ? PB_EXIT_INCONCLUSIVE : PB_EXIT_OK;
}
