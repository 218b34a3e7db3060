/* SPDX-License-Identifier: Apache-2.0
 *
 * The gate on counts, which are exact, and what is found of instructions. What can't be gated is
 * named with its reason: a count that nobody speaks of looks like one that did not change.
 */
#include "commands/judging/parts.h"

#include <math.h>
#include <string.h>

#include "commands/judging/run_baseline.h"
#include "stats/gate.h"

static const char not_deterministic[] =
    "two counting passes disagreed: not deterministic, not gated";

static double change_pct(double now, double baseline)
{
    if (now == baseline) {
        return 0;
    }
    return baseline == 0 ? INFINITY : 100 * (now - baseline) / baseline;
}

static void judge_count_of(struct pb_judge *judge, const struct pb_baseline_count *baseline,
                           const struct pb_benchmark_record *benchmark)
{
    const struct pb_count_record *count = pb_benchmark_count(benchmark, baseline->metric);
    struct pb_finding *finding =
        pb_judge_add(judge, baseline->name, PB_GATE_COUNTS, baseline->metric, PB_VERDICT_MISSING);
    finding->baseline = (double)baseline->value;
    if (count == NULL) {
        const bool is_possible = pb_run_could_count(judge->run, baseline->metric);
        finding->verdict = is_possible ? PB_VERDICT_MISSING : PB_VERDICT_SKIPPED;
        finding->reason = is_possible ? "in the baseline, but no longer counted"
                                      : "this machine or build can't count them";
        return;
    }
    finding->now = (double)count->value;
    if (!count->deterministic) {
        finding->verdict = PB_VERDICT_SKIPPED;
        finding->reason = not_deterministic;
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

static bool has_count(const struct pb_baseline_count *counts, size_t n, const char *name,
                      const char *metric)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(counts[i].name, name) == 0 && strcmp(counts[i].metric, metric) == 0) {
            return true;
        }
    }
    return false;
}

/* What is counted of a benchmark that is in the baseline, but is not in the baseline itself. */
static void name_other_counts(struct pb_judge *judge, const struct pb_benchmark_record *benchmark)
{
    const struct pb_baseline *baseline = &judge->set->baseline;
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        const struct pb_count_record *count = &benchmark->counts[i];
        if ((count->deterministic && !pb_count_is_gated(count->name)) ||
            has_count(baseline->counts, baseline->n_counts, benchmark->name, count->name) ||
            has_count(baseline->instructions, baseline->n_instructions, benchmark->name,
                      count->name)) {
            continue;
        }
        struct pb_finding *finding =
            pb_judge_add(judge, benchmark->name, PB_GATE_COUNTS, count->name,
                         count->deterministic ? PB_VERDICT_ADDED : PB_VERDICT_SKIPPED);
        finding->now = (double)count->value;
        finding->reason = count->deterministic ? PB_JUDGED_NOT_YET : not_deterministic;
    }
}

/* Counts of benchmarks that the baseline has not, or not all of. */
static void judge_new_counts(struct pb_judge *judge)
{
    const struct pb_baseline *baseline = &judge->set->baseline;
    for (size_t i = 0; i < judge->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &judge->run->benchmarks[i];
        if (benchmark->n_counts == 0 || !pb_judge_is_judged(benchmark)) {
            continue;
        }
        bool known = false;
        for (size_t k = 0; !known && k < baseline->n_counts; k++) {
            known = strcmp(baseline->counts[k].name, benchmark->name) == 0;
        }
        if (known) {
            name_other_counts(judge, benchmark);
        } else {
            pb_judge_add(judge, benchmark->name, PB_GATE_COUNTS, "all", PB_VERDICT_ADDED)->reason =
                PB_JUDGED_NOT_YET;
        }
    }
}

void pb_judge_counts(struct pb_judge *judge)
{
    const struct pb_baseline *baseline = &judge->set->baseline;
    for (size_t i = 0; i < baseline->n_counts; i++) {
        const struct pb_baseline_count *count = &baseline->counts[i];
        const struct pb_benchmark_record *benchmark =
            pb_run_find_benchmark(judge->run, count->name);
        if (benchmark != NULL && pb_judge_is_judged(benchmark)) {
            judge_count_of(judge, count, benchmark);
        } else if (benchmark == NULL && is_first_of_its_name(baseline, i) &&
                   pb_judge_was_asked_for(judge, count->name)) {
            pb_judge_add(judge, count->name, PB_GATE_COUNTS, "all", PB_VERDICT_MISSING)->reason =
                "in the baseline, but not in the run";
        }
    }
    judge_new_counts(judge);
}

/* Whether the run counted instructions as the baseline did; if it did otherwise, that is said. */
static bool counts_instructions(struct pb_judge *judge)
{
    const struct pb_baseline *baseline = &judge->set->baseline;
    const char *now = pb_run_counter(judge->run);
    if (baseline->counter == NULL || baseline->n_instructions == 0) {
        return false;
    }
    if (now != NULL && strcmp(now, baseline->counter) == 0) {
        return true;
    }
    pb_judge_add(judge, PB_JUDGED_RUN, PB_GATE_COUNTS, PB_BASELINE_INSTRUCTIONS, PB_VERDICT_SKIPPED)
        ->reason = now == NULL
                       ? "the run did not count them, the baseline has them: `run --instructions`"
                       : pb_arena_printf(judge->arena,
                                         "counted by %s now, by %s in the baseline: not comparable",
                                         now, baseline->counter);
    return false;
}

static void judge_instructions_of(struct pb_judge *judge, const struct pb_baseline_count *baseline,
                                  const struct pb_benchmark_record *benchmark)
{
    struct pb_finding *finding = pb_judge_add(judge, baseline->name, PB_GATE_COUNTS,
                                              PB_BASELINE_INSTRUCTIONS, PB_VERDICT_SKIPPED);
    finding->baseline = (double)baseline->value;
    if (benchmark->instructions < 0) {
        finding->reason = pb_benchmark_count(benchmark, PB_BASELINE_INSTRUCTIONS) != NULL
                              ? not_deterministic
                              : "could not be counted";
        return;
    }
    finding->now = (double)benchmark->instructions;
    finding->change_pct = change_pct(finding->now, finding->baseline);
    finding->verdict = pb_instructions_gate_judge(benchmark->instructions, baseline->value).verdict;
}

void pb_judge_instructions(struct pb_judge *judge)
{
    const struct pb_baseline *baseline = &judge->set->baseline;
    if (!counts_instructions(judge)) {
        return;
    }
    for (size_t i = 0; i < baseline->n_instructions; i++) {
        const struct pb_baseline_count *count = &baseline->instructions[i];
        const struct pb_benchmark_record *benchmark =
            pb_run_find_benchmark(judge->run, count->name);
        if (benchmark != NULL && pb_judge_is_judged(benchmark)) {
            judge_instructions_of(judge, count, benchmark);
        }
    }
}
