/* SPDX-License-Identifier: Apache-2.0
 *
 * The gates of a check on records that nobody measured, and their error rates on simulated nights.
 */
#include "commands/judging/judge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "commands/comparing/confirm.h"
#include "commands/judging/run_baseline.h"
#include "measure/looks.h"
#include "provenance/machine.h"
#include "stats/random.h"
#include "stats/summary.h"
#include "stats/verdict.h"
#include "synthetic_run.h"

struct bench {
    struct pb_arena arena;
    struct pb_run_record base; /* that the baseline is made of */
    struct pb_run_record run;  /* the same; to be changed */
    struct pb_baseline_set set;
    struct pb_past past;
    struct pb_check_record check;
};

/* Makes a baseline of bench->base. */
static void make_set(struct bench *bench)
{
    const struct pb_facts class_facts =
        pb_class_facts(&bench->arena, &bench->base.machine, &bench->base.build);
    bench->set = (struct pb_baseline_set){
        .baseline = pb_baseline_of_run(&bench->base, &bench->arena),
        .class_name = pb_class_name(&bench->arena, &class_facts),
        .has_counts = true,
        .has_ratios = true,
    };
}

static int set_up(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    bench.base = synthetic_run(&bench.arena, 1);
    bench.run = synthetic_run(&bench.arena, 2);
    make_set(&bench);
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    pb_arena_release(&bench->arena);
    return 0;
}

static struct pb_judge_spec spec_of(const struct bench *bench)
{
    return (struct pb_judge_spec){&bench->run, &bench->set, &bench->past};
}

/* returns: exit code */
static int judge(struct bench *bench)
{
    const struct pb_judge_spec spec = spec_of(bench);
    pb_judge_run(&spec, &bench->arena, &bench->check);
    pb_judge_conclude(&bench->check, PB_FAIL_DEFAULT);
    return bench->check.exit_code;
}

static const struct pb_finding *look_for(const struct bench *bench, const char *name,
                                         const char *gate, const char *metric)
{
    for (size_t i = 0; i < bench->check.n_findings; i++) {
        const struct pb_finding *finding = &bench->check.findings[i];
        if (strcmp(finding->name, name) == 0 && strcmp(finding->gate, gate) == 0 &&
            (metric == NULL || strcmp(finding->metric, metric) == 0)) {
            return finding;
        }
    }
    return NULL;
}

static const struct pb_finding *find(const struct bench *bench, const char *name, const char *gate,
                                     const char *metric)
{
    const struct pb_finding *found = look_for(bench, name, gate, metric);
    if (found == NULL) {
        fail_msg("no finding %s %s %s", name, gate, metric != NULL ? metric : "");
    }
    return found;
}

#define S1_NEW "cql/batch/s1/new"

static void nothing_against_nothing_is_unchanged(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(judge(bench), 0);
    const struct pb_finding *finding = find(bench, S1_NEW, "counts", "allocations");
    assert_int_equal(finding->verdict, PB_VERDICT_UNCHANGED);
    assert_true(finding->baseline == 0 && finding->now == 0 && finding->change_pct == 0);
}

static void from_nothing_every_growth_is_infinite_and_keeps_its_size(void **state)
{
    struct bench *bench = *state;
    static const int64_t counts[] = {5, INT64_C(5000000000)};
    for (int i = 0; i < 2; i++) {
        synthetic_count(synthetic_benchmark(&bench->run, "s1", "new"), "allocations")->value =
            counts[i];
        assert_int_equal(judge(bench), 1);
        const struct pb_finding *finding = find(bench, S1_NEW, "counts", "allocations");
        assert_int_equal(finding->verdict, PB_VERDICT_REGRESSED);
        assert_true(finding->change_pct == INFINITY && finding->now == (double)counts[i]);
        struct pb_strbuf shown = {0};
        pb_finding_add_change(&shown, finding);
        assert_string_equal(shown.text, i == 0 ? "+5 (+inf)" : "+5000000000 (+inf)");
        pb_strbuf_release(&shown);
    }
}

static void a_time_that_fell_to_nothing_since_it_failed_is_failed(void **state)
{
    struct bench *bench = *state;
    struct pb_benchmark_record *benchmark = synthetic_benchmark(&bench->run, "s1", "new");
    synthetic_spoil(&bench->run, "s1", "new", PB_STATE_FAILED, "exited with code 0 in run");
    benchmark->best_ns = benchmark->median_ns = 0;
    assert_int_equal(judge(bench), 3);
    assert_int_equal(find(bench, S1_NEW, "state", NULL)->verdict, PB_VERDICT_FAILED);
    assert_int_equal(find(bench, S1_NEW, "ratio", NULL)->verdict, PB_VERDICT_FAILED);
    assert_true(isnan(find(bench, S1_NEW, "ratio", NULL)->now));
    for (size_t i = 0; i < bench->check.n_findings; i++) {
        assert_int_not_equal(bench->check.findings[i].verdict, PB_VERDICT_IMPROVED);
    }
}

static void launches_that_are_all_alike_are_judged_like_others(void **state)
{
    struct bench *bench = *state;
    static const struct {
        double ratio;
        enum pb_verdict verdict;
    } rows[] = {
        {0.5, PB_VERDICT_UNCHANGED},
        {0.5 * 1.05, PB_VERDICT_REGRESSED},
        {0.5 / 1.05, PB_VERDICT_IMPROVED},
    };
    synthetic_set_ratio(synthetic_pair(&bench->base, "s1", "new"), 0.5, 0);
    make_set(bench);
    for (size_t i = 0; i < 3; i++) {
        synthetic_set_ratio(synthetic_pair(&bench->run, "s1", "new"), rows[i].ratio, 0);
        judge(bench);
        const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
        assert_int_equal(finding->verdict, rows[i].verdict);
        assert_true(isfinite(finding->change_pct) && isfinite(finding->lo_pct));
    }
}

static void one_launch_is_inconclusive_and_says_so(void **state)
{
    struct bench *bench = *state;
    struct pb_pair_record *pair = synthetic_pair(&bench->run, "s1", "new");
    synthetic_set_ratio(pair, 5, 0.1);
    pair->n_launches = 1;
    pair->lo = -INFINITY;
    pair->hi = INFINITY;
    pair->verdict = PB_VERDICT_INCONCLUSIVE;
    pair->reason = "only 1 launch: no interval can be given";
    assert_int_equal(judge(bench), 0);
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_INCONCLUSIVE);
    assert_string_equal(finding->reason, "only 1 launch: no interval can be given");
}

static enum pb_verdict mirrored(enum pb_verdict verdict)
{
    return verdict == PB_VERDICT_REGRESSED  ? PB_VERDICT_IMPROVED
           : verdict == PB_VERDICT_IMPROVED ? PB_VERDICT_REGRESSED
                                            : verdict;
}

static void turn_around(struct pb_pair_record *pair)
{
    const double lo = pair->lo;
    pair->estimate = -pair->estimate;
    pair->lo = -pair->hi;
    pair->hi = -lo;
}

static void swapping_the_sides_or_the_runs_flips_every_sign(void **state)
{
    struct bench *bench = *state;
    static const double changes[] = {1.05, 1 / 1.05, 1, 1.004, 1.015};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct pb_pair_record *base = synthetic_pair(&bench->base, "s1", "new");
        struct pb_pair_record *now = synthetic_pair(&bench->run, "s1", "new");
        synthetic_set_ratio(base, 0.5, 0.1);
        synthetic_set_ratio(now, 0.5 * changes[i], 0.2);
        make_set(bench);
        judge(bench);
        const struct pb_finding straight = *find(bench, S1_NEW, "ratio", NULL);
        turn_around(base);
        turn_around(now);
        make_set(bench);
        judge(bench);
        const struct pb_finding sides = *find(bench, S1_NEW, "ratio", NULL);
        synthetic_set_ratio(base, 0.5 * changes[i], 0.2);
        synthetic_set_ratio(now, 0.5, 0.1);
        make_set(bench);
        judge(bench);
        const struct pb_finding runs = *find(bench, S1_NEW, "ratio", NULL);
        const struct pb_finding *swapped[] = {&sides, &runs};
        for (int k = 0; k < 2; k++) {
            assert_int_equal(swapped[k]->verdict, mirrored(straight.verdict));
            const double log_change = log1p(straight.change_pct / 100);
            assert_true(fabs(log1p(swapped[k]->change_pct / 100) + log_change) < 1e-12);
            assert_true(fabs(log1p(swapped[k]->lo_pct / 100) + log1p(straight.hi_pct / 100)) <
                        1e-12);
        }
    }
}

static void a_verdict_that_a_diagnosis_took_away_stays_away(void **state)
{
    struct bench *bench = *state;
    struct pb_pair_record *pair = synthetic_pair(&bench->run, "s1", "new");
    synthetic_set_ratio(pair, 0.6, 0.1);
    pair->verdict = PB_VERDICT_INCONCLUSIVE;
    pair->reason = "the ratio drifted from launch to launch";
    assert_int_equal(judge(bench), 0);
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_INCONCLUSIVE);
    assert_string_equal(finding->reason, pair->reason);
}

static void a_lucky_baseline_makes_later_verdicts_careful(void **state)
{
    struct bench *bench = *state;
    struct pb_pair_record *pair = synthetic_pair(&bench->base, "s1", "new");
    synthetic_set_ratio(pair, 0.5 / 1.02, 3); /* its launches lie up to 3 % apart */
    make_set(bench);
    judge(bench);
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(finding->reason, "is known to"));
    assert_non_null(strstr(finding->reason, "the baseline itself to ± 3 %"));
    assert_true(bench->set.baseline.ratios[0].spread > 0.02);
}

static void a_wide_baseline_never_proves_that_nothing_changed(void **state)
{
    struct bench *bench = *state;
    static const double half_widths_pct[] = {2.5, 3, 8};
    struct pb_pair_record *base = synthetic_pair(&bench->base, "s1", "new");
    struct pb_pair_record *now = synthetic_pair(&bench->run, "s1", "new");
    for (size_t i = 0; i < sizeof half_widths_pct / sizeof half_widths_pct[0]; i++) {
        for (int lopsided = 0; lopsided < 3; lopsided++) {
            synthetic_set_ratio(base, 0.5, half_widths_pct[i]);
            base->lo = lopsided == 1 ? base->estimate : base->lo;
            base->hi = lopsided == 2 ? base->estimate : base->hi;
            make_set(bench);
            for (int moved_pct = -1; moved_pct <= 1; moved_pct++) {
                synthetic_set_ratio(now, 0.5 * (1 + 0.001 * moved_pct), 0.1);
                assert_int_equal(judge(bench), 0);
                assert_int_equal(find(bench, S1_NEW, "ratio", NULL)->verdict,
                                 PB_VERDICT_INCONCLUSIVE);
            }
            synthetic_set_ratio(now, 0.5 * 1.2, 0.1); /* which is beyond all of it */
            assert_int_equal(judge(bench), 1);
        }
    }
}

/* Adds the estimate of a pair in an earlier run, before all others. */
static void remember(struct bench *bench, size_t *capacity, int64_t started_at, double estimate)
{
    struct pb_past *past = &bench->past;
    past->pairs =
        pb_arena_grow(&bench->arena, past->pairs, past->n_pairs, capacity, sizeof *past->pairs);
    past->pairs[past->n_pairs++] = (struct pb_history_point){
        .run_id = "0",
        .started_at = started_at,
        .machine = bench->set.class_name,
        .case_name = "cql/batch",
        .scenario = "s1",
        .a = "old",
        .b = "new",
        .estimate = estimate,
    };
}

static void the_spread_between_runs_is_that_of_history_if_there_is_enough(void **state)
{
    struct bench *bench = *state;
    size_t capacity = 0;
    for (int i = 0; i < 4; i++) {
        remember(bench, &capacity, 100 + i, i % 2 == 0 ? -0.69 : -0.69 + 0.01);
    }
    remember(bench, &capacity, bench->run.started_at + 1, 7); /* later */
    remember(bench, &capacity, 200, 7);
    bench->past.pairs[5].injected = true;
    remember(bench, &capacity, 201, 7);
    bench->past.pairs[6].machine = "other";
    remember(bench, &capacity, 202, 7);
    bench->past.pairs[7].b = "lib";
    remember(bench, &capacity, 203, NAN);
    judge(bench);
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->spread_runs, 0);
    assert_true(fabs(finding->spread_pct - 0.3) < 1e-12);
    double *between_launches = &bench->set.baseline.ratios[0].spread;
    const double kept = *between_launches;
    for (size_t i = 0; i < bench->set.baseline.n_ratios; i++) {
        bench->set.baseline.ratios[i].spread = 0.04;
    }
    judge(bench);
    finding = find(bench, S1_NEW, "ratio", NULL);
    assert_true(fabs(finding->spread_pct - 100 * expm1(0.02)) < 1e-9); /* half of it */
    *between_launches = kept;
    remember(bench, &capacity, 204, -0.69);
    judge(bench);
    finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->spread_runs, 5);
    assert_true(fabs(finding->spread_pct - 100 * expm1(1.4826022 * 0.01 / sqrt(2))) < 1e-6);
    assert_true(fabs(finding->hi_pct - 1.06) < 0.02); /* wider than with what is assumed */
}

/* +3 % on a machine on which old is as fast as for the baseline, and on busier or idler ones. */
static void a_ratio_may_move_by_as_much_as_its_reference(void **state)
{
    struct bench *bench = *state;
    static const struct {
        double old_ns; /* 100 in the baseline */
        enum pb_verdict verdict;
        const char *reason;
    } rows[] = {
        {100, PB_VERDICT_REGRESSED, NULL},
        {101, PB_VERDICT_REGRESSED, NULL},
        {105, PB_VERDICT_INCONCLUSIVE, "old took +5 % compared with the baseline"},
        {95, PB_VERDICT_INCONCLUSIVE, "old took -5 % compared with the baseline"},
        {0, PB_VERDICT_REGRESSED, NULL}, /* nothing is known of it */
    };
    synthetic_set_ratio(synthetic_pair(&bench->run, "s1", "new"), 0.5 * 1.03, 0.1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        synthetic_benchmark(&bench->run, "s1", "old")->median_ns = rows[i].old_ns;
        judge(bench);
        const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
        assert_int_equal(finding->verdict, rows[i].verdict);
        assert_true(rows[i].reason == NULL || strstr(finding->reason, rows[i].reason) != NULL);
        assert_true(fabs(finding->change_pct - 3) < 1e-6);
    }
}

/* The second look is held against the machine as it is then. */
static void a_second_look_on_a_busier_machine_confirms_nothing(void **state)
{
    struct bench *bench = *state;
    synthetic_set_ratio(synthetic_pair(&bench->run, "s1", "new"), 0.5 * 1.03, 0.1);
    for (int is_busy = 0; is_busy < 2; is_busy++) {
        struct pb_run_record fresh = synthetic_run(&bench->arena, 3);
        synthetic_set_ratio(synthetic_pair(&fresh, "s1", "new"), 0.5 * 1.03, 0.1);
        synthetic_benchmark(&fresh, "s1", "old")->median_ns = is_busy ? 110 : 100;
        judge(bench);
        const struct pb_judge_spec spec = spec_of(bench);
        pb_judge_confirm(&spec, &fresh, &bench->arena, &bench->check);
        assert_int_equal(find(bench, S1_NEW, "ratio", NULL)->verdict,
                         is_busy ? PB_VERDICT_INCONCLUSIVE : PB_VERDICT_REGRESSED);
    }
}

/* Makes earlier runs on this machine, with the same times and kernels as this one. */
static void remember_times(struct bench *bench, size_t n_runs)
{
    for (int i = 0; i < PB_KERNELS; i++) {
        bench->run.kernels_ns[i] = 1 + i;
    }
    struct pb_past *past = &bench->past;
    past->times =
        pb_arena_array(&bench->arena, n_runs * bench->run.n_benchmarks, sizeof *past->times);
    past->n_times = 0;
    for (size_t r = 0; r < n_runs; r++) {
        const char *id = pb_arena_printf(&bench->arena, "r%zu", r);
        for (size_t i = 0; i < bench->run.n_benchmarks; i++) {
            past->times[past->n_times++] = (struct pb_time_point){
                .run_id = id,
                .started_at = (int64_t)r,
                .name = bench->run.benchmarks[i].name,
                .median_ns = bench->run.benchmarks[i].median_ns,
                .kernels_ns = {1, 2, 3},
            };
        }
    }
}

static void set_earlier_time(struct bench *bench, size_t from_the_last, const char *name,
                             double median_ns)
{
    struct pb_past *past = &bench->past;
    const size_t per_run = bench->run.n_benchmarks;
    for (size_t i = 0; i < per_run; i++) {
        struct pb_time_point *point = &past->times[past->n_times - per_run * from_the_last + i];
        if (strcmp(point->name, name) == 0) {
            point->median_ns = median_ns;
        }
    }
}

static void an_absolute_time_that_is_unusual_twice_warns(void **state)
{
    struct bench *bench = *state;
    remember_times(bench, 6);
    struct pb_benchmark_record *benchmark = synthetic_benchmark(&bench->run, "s1", "new");
    assert_int_equal(judge(bench), 0);
    assert_int_equal(find(bench, S1_NEW, "absolute", NULL)->verdict, PB_VERDICT_UNCHANGED);
    assert_null(look_for(bench, "cql/batch/s1/floor", "absolute", NULL));
    assert_null(look_for(bench, "cql/batch/s1/lib", "absolute", NULL));
    benchmark->median_ns = 80; /* instead of 50 */
    assert_int_equal(judge(bench), 0);
    const struct pb_finding *finding = find(bench, S1_NEW, "absolute", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(finding->reason, "in this run only"));
    pb_judge_conclude(&bench->check, PB_FAIL_INCONCLUSIVE);
    assert_int_equal(bench->check.exit_code, 0);
    set_earlier_time(bench, 1, S1_NEW, 75);
    assert_int_equal(judge(bench), 0);
    finding = find(bench, S1_NEW, "absolute", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_REGRESSED);
    assert_true(finding->warns && !finding->fails);
    assert_true(fabs(finding->baseline - 50) < 1e-9 && fabs(finding->now - 80) < 1e-9);
    assert_true(fabs(finding->change_pct - 60) < 1e-9);
    assert_non_null(strstr(finding->reason, "twice in a row; usual is within 25 %"));
    pb_judge_conclude(&bench->check, PB_FAIL_WARNINGS);
    assert_int_equal(bench->check.exit_code, 1);
}

static void what_is_inconclusive_says_what_would_help(void **state)
{
    struct bench *bench = *state;
    static const struct {
        double base_pct;
        double now_pct;
        double runs; /* how far they lie apart */
        const char *reason;
    } rows[] = {
        {3, 0.1, 0.001, "the baseline itself to ± 3 %: one saved from a quieter or longer run"},
        {0.1, 3, 0.001, "; more launches would narrow it"},
        {0.1, 0.1, 0.05, "; runs of the same code differ by 5.4 %"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t capacity = 0;
        bench->past = (struct pb_past){0};
        for (int k = 0; k < 6; k++) {
            remember(bench, &capacity, 100 + k, log(0.5) + (k % 2 == 0 ? 0 : rows[i].runs));
        }
        synthetic_set_ratio(synthetic_pair(&bench->base, "s1", "new"), 0.5, rows[i].base_pct);
        synthetic_set_ratio(synthetic_pair(&bench->run, "s1", "new"), 0.5, rows[i].now_pct);
        make_set(bench);
        judge(bench);
        const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
        assert_int_equal(finding->verdict, PB_VERDICT_INCONCLUSIVE);
        if (strstr(finding->reason, rows[i].reason) == NULL) {
            fail_msg("row %zu: %s", i, finding->reason);
        }
    }
}

static void an_invalid_run_proves_nothing_about_times(void **state)
{
    struct bench *bench = *state;
    remember_times(bench, 6);
    synthetic_set_ratio(synthetic_pair(&bench->run, "s1", "new"), 0.5 * 1.2, 0.1);
    synthetic_count(synthetic_benchmark(&bench->run, "s2", "new"), "writes")->value = 9;
    bench->run.valid = false;
    bench->run.invalid_reason = "the control was rejected";
    assert_int_equal(judge(bench), 3);
    assert_string_equal(find(bench, "(the run)", "state", NULL)->reason,
                        "the control was rejected");
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_INVALID_RUN);
    assert_false(pb_judge_is_flagged(finding));
    assert_int_equal(find(bench, "cql/batch/s2/new", "ratio", NULL)->verdict,
                     PB_VERDICT_INVALID_RUN);
    assert_null(look_for(bench, S1_NEW, "absolute", NULL));
    assert_int_equal(find(bench, "cql/batch/s2/new", "counts", "writes")->verdict,
                     PB_VERDICT_REGRESSED); /* counts do not depend on times */
}

/* Gives a benchmark one more count. */
static void add_count(struct bench *bench, struct pb_benchmark_record *benchmark, const char *name,
                      bool deterministic)
{
    struct pb_count_record *counts =
        pb_arena_array(&bench->arena, benchmark->n_counts + 1, sizeof *counts);
    memcpy(counts, benchmark->counts, benchmark->n_counts * sizeof *counts);
    counts[benchmark->n_counts++] = (struct pb_count_record){name, 3, deterministic};
    benchmark->counts = counts;
}

static void counts_that_the_baseline_has_not_are_named(void **state)
{
    struct bench *bench = *state;
    struct pb_benchmark_record *benchmark = synthetic_benchmark(&bench->run, "s1", "new");
    add_count(bench, benchmark, "syscalls", true);
    add_count(bench, benchmark, "reads", false);
    add_count(bench, benchmark, "peak_live_bytes", true);
    assert_int_equal(judge(bench), 0);
    const struct pb_finding *finding = find(bench, S1_NEW, "counts", "syscalls");
    assert_int_equal(finding->verdict, PB_VERDICT_ADDED);
    assert_true(finding->now == 3 && isnan(finding->baseline));
    finding = find(bench, S1_NEW, "counts", "reads");
    assert_int_equal(finding->verdict, PB_VERDICT_SKIPPED);
    assert_non_null(strstr(finding->reason, "not deterministic, not gated"));
    assert_null(look_for(bench, S1_NEW, "counts", "peak_live_bytes"));
    assert_null(look_for(bench, "cql/batch/s2/new", "counts", "syscalls"));
}

static void what_the_machine_accounts_for_is_not_unusual(void **state)
{
    struct bench *bench = *state;
    remember_times(bench, 6);
    synthetic_benchmark(&bench->run, "s1", "new")->median_ns = 80;
    set_earlier_time(bench, 1, S1_NEW, 80);
    bench->run.kernels_ns[PB_KERNEL_MEMORY] *= 1.6;
    judge(bench);
    const struct pb_finding *finding = find(bench, S1_NEW, "absolute", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_UNCHANGED);
    assert_true(finding->change_pct < 1e-9);
}

static void too_little_history_is_said_once_or_of_what_is_new(void **state)
{
    struct bench *bench = *state;
    remember_times(bench, 5);
    assert_int_equal(judge(bench), 0);
    const struct pb_finding *finding = find(bench, "(the run)", "absolute", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_INSUFFICIENT_HISTORY);
    assert_non_null(strstr(finding->reason, "5 earlier runs"));
    assert_null(look_for(bench, S1_NEW, "absolute", NULL));
    remember_times(bench, 6);
    for (size_t i = 0; i < bench->past.n_times; i++) {
        if (strcmp(bench->past.times[i].name, S1_NEW) == 0) {
            bench->past.times[i].name = "something else";
        }
    }
    judge(bench);
    assert_null(look_for(bench, "(the run)", "absolute", NULL));
    assert_int_equal(find(bench, S1_NEW, "absolute", NULL)->verdict,
                     PB_VERDICT_INSUFFICIENT_HISTORY);
    assert_int_equal(find(bench, "cql/batch/s1/old", "absolute", NULL)->verdict,
                     PB_VERDICT_UNCHANGED);
    bench->run.kernels_ns[0] = 0; /* it was too short to time them */
    judge(bench);
    assert_null(look_for(bench, S1_NEW, "absolute", NULL));
    assert_int_equal(find(bench, "(the run)", "absolute", NULL)->verdict, PB_VERDICT_SKIPPED);
    assert_non_null(
        strstr(find(bench, "(the run)", "absolute", NULL)->reason, "16 launches or more"));
    const struct pb_judge_spec without = {.run = &bench->run, .set = &bench->set};
    bench->run.kernels_ns[0] = 1;
    pb_judge_run(&without, &bench->arena, &bench->check);
    assert_null(look_for(bench, S1_NEW, "absolute", NULL));
}

/* A second look at what was flagged: d of all launches, so many of them far above the baseline. */
static struct pb_run_record second_look(struct bench *bench, size_t n_above)
{
    struct pb_run_record fresh = synthetic_run(&bench->arena, 99);
    for (size_t i = 0; i < fresh.n_pairs; i++) {
        struct pb_pair_record *pair = &fresh.pairs[i];
        pair->n_launches = PB_CONFIRM_LAUNCHES;
        pair->d = pb_arena_array(&bench->arena, pair->n_launches, sizeof *pair->d);
        for (size_t k = 0; k < pair->n_launches; k++) {
            pair->d[k] = log(0.5) + (k < n_above ? 0.03 : 0);
        }
    }
    return fresh;
}

static void flag(struct bench *bench, const char *scenario)
{
    synthetic_set_ratio(synthetic_pair(&bench->run, scenario, "new"), 0.5 * 1.03, 0.1);
}

static int confirm(struct bench *bench, const struct pb_run_record *fresh)
{
    const struct pb_judge_spec spec = spec_of(bench);
    pb_judge_run(&spec, &bench->arena, &bench->check);
    pb_judge_confirm(&spec, fresh, &bench->arena, &bench->check);
    pb_judge_conclude(&bench->check, PB_FAIL_DEFAULT);
    return bench->check.exit_code;
}

static void what_is_flagged_must_be_confirmed_beside_all_that_is_flagged(void **state)
{
    struct bench *bench = *state;
    flag(bench, "s1");
    const struct pb_run_record fresh = second_look(bench, 42); /* p = 0.0084 */
    assert_int_equal(confirm(bench, &fresh), 1);
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_REGRESSED);
    assert_non_null(strstr(finding->reason, "confirmed on 64 fresh launches (first +3.00 %"));
    flag(bench, "s2"); /* with two of them, 0.0084 is not enough */
    assert_int_equal(confirm(bench, &fresh), 0);
    finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_not_equal(finding->verdict, PB_VERDICT_REGRESSED);
    assert_non_null(strstr(finding->reason, "did not confirm (p = 0.017)"));
    const struct pb_run_record clear = second_look(bench, 64);
    assert_int_equal(confirm(bench, &clear), 1);
    assert_int_equal(find(bench, "cql/batch/s2/new", "ratio", NULL)->verdict, PB_VERDICT_REGRESSED);
}

static void a_second_look_that_shows_nothing_gives_its_own_verdict(void **state)
{
    struct bench *bench = *state;
    flag(bench, "s1");
    struct pb_run_record fresh = second_look(bench, 10);
    assert_int_equal(confirm(bench, &fresh), 0);
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_UNCHANGED);
    assert_true(fabs(finding->now - 0.5) < 1e-9); /* the fresh one */
    assert_non_null(strstr(finding->reason, "first +3.00 %"));
    synthetic_set_ratio(synthetic_pair(&fresh, "s1", "new"), 0.5 * 1.03, 0.1);
    struct pb_pair_record *pair = synthetic_pair(&fresh, "s1", "new");
    for (size_t k = 0; k < pair->n_launches; k++) {
        pair->d[k] = log(0.5); /* the interval alone is no confirmation */
    }
    assert_int_equal(confirm(bench, &fresh), 0);
    assert_int_equal(find(bench, S1_NEW, "ratio", NULL)->verdict, PB_VERDICT_INCONCLUSIVE);
}

static void without_a_second_look_it_stays_flagged_and_says_why(void **state)
{
    struct bench *bench = *state;
    flag(bench, "s1");
    struct pb_run_record fresh = second_look(bench, 0);
    fresh.valid = false;
    fresh.invalid_reason = "the control was rejected";
    assert_int_equal(confirm(bench, &fresh), 1);
    assert_string_equal(find(bench, S1_NEW, "ratio", NULL)->reason,
                        "not confirmed, the second look is invalid: the control was rejected");
    fresh.valid = true;
    synthetic_spoil(&fresh, "s1", "new", PB_STATE_FAILED, "died");
    assert_int_equal(confirm(bench, &fresh), 1);
    assert_string_equal(find(bench, S1_NEW, "ratio", NULL)->reason,
                        "not confirmed, it could not be measured again");
    fresh = second_look(bench, 64);
    struct pb_pair_record *pair = synthetic_pair(&fresh, "s1", "new");
    pair->verdict = PB_VERDICT_INCONCLUSIVE;
    pair->reason = "drift";
    assert_int_equal(confirm(bench, &fresh), 0);
    const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
    assert_int_equal(finding->verdict, PB_VERDICT_INCONCLUSIVE);
    assert_non_null(strstr(finding->reason, "did not confirm (p = 1); drift"));
}

static void more_instructions_fail_unless_the_ratio_proves_them_harmless(void **state)
{
    struct bench *bench = *state;
    static const struct {
        int64_t now; /* 10000 before */
        double ratio;
        double half_width_pct;
        enum pb_verdict verdict;
        int exit_code;
    } rows[] = {
        {10000, 0.5, 0.1, PB_VERDICT_UNCHANGED, 0}, {10010, 0.5, 0.1, PB_VERDICT_UNCHANGED, 0},
        {10011, 0.5, 9, PB_VERDICT_REGRESSED, 0},   {10100, 0.5, 9, PB_VERDICT_REGRESSED, 0},
        {10101, 0.5, 9, PB_VERDICT_REGRESSED, 1},   {10101, 0.5, 0.1, PB_VERDICT_REGRESSED, 0},
        {20000, 0.4, 0.1, PB_VERDICT_REGRESSED, 0}, {9989, 0.5, 0.1, PB_VERDICT_IMPROVED, 0},
    };
    pb_facts_add(&bench->arena, &bench->base.machine, "instruction_counter", "callgrind");
    pb_facts_add(&bench->arena, &bench->run.machine, "instruction_counter", "callgrind");
    synthetic_benchmark(&bench->base, "s1", "new")->instructions = 10000;
    synthetic_benchmark(&bench->base, "s1", "old")->instructions = 20000;
    make_set(bench);
    assert_int_equal(bench->set.baseline.n_instructions, 2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        synthetic_benchmark(&bench->run, "s1", "new")->instructions = rows[i].now;
        synthetic_benchmark(&bench->run, "s1", "old")->instructions = 20000;
        synthetic_set_ratio(synthetic_pair(&bench->run, "s1", "new"), rows[i].ratio,
                            rows[i].half_width_pct);
        assert_int_equal(judge(bench), rows[i].exit_code);
        const struct pb_finding *finding = find(bench, S1_NEW, "counts", "instructions");
        assert_int_equal(finding->verdict, rows[i].verdict);
        assert_int_equal(finding->fails, rows[i].exit_code == 1);
        assert_int_equal(pb_finding_is_let_pass(finding),
                         rows[i].verdict == PB_VERDICT_REGRESSED && rows[i].exit_code == 0);
    }
    /* The reference has no ratio that could speak for it. */
    synthetic_benchmark(&bench->run, "s1", "old")->instructions = 30000;
    assert_int_equal(judge(bench), 1);
    assert_true(find(bench, "cql/batch/s1/old", "counts", "instructions")->fails);
}

static void a_second_look_can_take_the_excuse_from_instructions(void **state)
{
    struct bench *bench = *state;
    pb_facts_add(&bench->arena, &bench->base.machine, "instruction_counter", "callgrind");
    pb_facts_add(&bench->arena, &bench->run.machine, "instruction_counter", "callgrind");
    synthetic_benchmark(&bench->base, "s1", "new")->instructions = 10000;
    make_set(bench);
    synthetic_benchmark(&bench->run, "s1", "new")->instructions = 11000;
    flag(bench, "s1");
    judge(bench);
    assert_true(find(bench, S1_NEW, "counts", "instructions")->fails);
    const struct pb_run_record fresh = second_look(bench, 0);
    assert_int_equal(confirm(bench, &fresh), 0); /* the ratio is unchanged after all */
    assert_true(find(bench, S1_NEW, "counts", "instructions")->warns);
}

static void instructions_are_compared_as_they_were_counted_or_not_at_all(void **state)
{
    struct bench *bench = *state;
    pb_facts_add(&bench->arena, &bench->base.machine, "instruction_counter", "callgrind");
    synthetic_benchmark(&bench->base, "s1", "new")->instructions = 10000;
    make_set(bench);
    assert_int_equal(judge(bench), 0); /* not counted: said once, and no pass */
    assert_null(look_for(bench, S1_NEW, "counts", "instructions"));
    const struct pb_finding *not_counted = find(bench, "(the run)", "counts", "instructions");
    assert_int_equal(not_counted->verdict, PB_VERDICT_SKIPPED);
    assert_non_null(strstr(not_counted->reason, "did not count them"));
    pb_facts_add(&bench->arena, &bench->run.machine, "instruction_counter", "perf_event");
    synthetic_benchmark(&bench->run, "s1", "new")->instructions = 20000;
    assert_int_equal(judge(bench), 0);
    const struct pb_finding *finding = find(bench, "(the run)", "counts", "instructions");
    assert_int_equal(finding->verdict, PB_VERDICT_SKIPPED);
    assert_non_null(strstr(finding->reason, "by perf_event now, by callgrind in the baseline"));
    synthetic_set_fact(&bench->run.machine, "instruction_counter", "callgrind");
    synthetic_benchmark(&bench->run, "s1", "new")->instructions = -1;
    assert_int_equal(judge(bench), 0);
    finding = find(bench, S1_NEW, "counts", "instructions");
    assert_int_equal(finding->verdict, PB_VERDICT_SKIPPED);
    assert_string_equal(finding->reason, "could not be counted");
    struct pb_count_record *varies =
        synthetic_count(synthetic_benchmark(&bench->run, "s1", "new"), "bytes");
    *varies = (struct pb_count_record){"instructions", 10000, false};
    judge(bench);
    finding = find(bench, S1_NEW, "counts", "instructions");
    assert_int_equal(finding->verdict, PB_VERDICT_SKIPPED);
    assert_non_null(strstr(finding->reason, "not deterministic"));
}

static void a_waiver_is_for_what_it_says_and_as_long_as_it_says(void **state)
{
    struct bench *bench = *state;
    static const struct {
        struct pb_waiver waiver;
        bool waived;
        const char *reason; /* begins so */
    } rows[] = {
        {{S1_NEW, NULL, NULL, INFINITY, "2026-01-31", "why"}, true, "waived until 2026-01-31: why"},
        {{"cql/*", "ratio", "new/old", 3.5, "2027-01-31", "why"}, true, "waived until 2027"},
        {{S1_NEW, NULL, NULL, INFINITY, "2026-01-30", "why"},
         false,
         "its waiver ended on 2026-01-30: why"},
        {{S1_NEW, NULL, NULL, 2.5, "2027-01-31", "why"},
         false,
         "its waiver is for at most +2.5 %: why"},
        {{S1_NEW, "counts", NULL, INFINITY, "2027-01-31", "why"}, false, NULL},
        {{S1_NEW, NULL, "lib/old", INFINITY, "2027-01-31", "why"}, false, NULL},
        {{"cql/batch/s2/new", NULL, NULL, INFINITY, "2027-01-31", "why"}, false, NULL},
    };
    flag(bench, "s1");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench->set.waivers = (struct pb_waivers){&rows[i].waiver, 1};
        assert_int_equal(judge(bench), rows[i].waived ? 0 : 1);
        const struct pb_finding *finding = find(bench, S1_NEW, "ratio", NULL);
        assert_int_equal(finding->verdict, PB_VERDICT_REGRESSED);
        assert_int_equal(pb_finding_is_let_pass(finding), rows[i].waived);
        assert_int_equal(pb_judge_is_flagged(finding), !rows[i].waived);
        if (rows[i].reason == NULL) {
            assert_null(finding->reason);
        } else {
            assert_int_equal(strncmp(finding->reason, rows[i].reason, strlen(rows[i].reason)), 0);
        }
    }
}

static void only_a_regression_can_be_waived(void **state)
{
    struct bench *bench = *state;
    static const struct pb_waiver all = {"*", NULL, NULL, INFINITY, "2027-01-31", "why"};
    bench->set.waivers = (struct pb_waivers){&all, 1};
    synthetic_spoil(&bench->run, "s1", "new", PB_STATE_FAILED, "died");
    synthetic_drop(&bench->run, "s2");
    assert_int_equal(judge(bench), 3);
    for (size_t i = 0; i < bench->check.n_findings; i++) {
        assert_null(bench->check.findings[i].waived_until);
    }
    bench->run = synthetic_run(&bench->arena, 3);
    synthetic_count(synthetic_benchmark(&bench->run, "s1", "new"), "allocations")->value = 5;
    assert_int_equal(judge(bench), 0); /* from nothing, of any size */
    static const struct pb_waiver small = {"*", NULL, NULL, 50, "2027-01-31", "why"};
    bench->set.waivers = (struct pb_waivers){&small, 1};
    assert_int_equal(judge(bench), 1);
}

/* Simulated nights: 50 pairs, launches with noise of 5 %. */
enum { NIGHTS = 100, PAIRS = 50, LAUNCHES = 96 };
#define NOISE 0.05

static double normal(struct pb_random *random)
{
    const double u = 1 - pb_random_unit(random);
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * pb_random_unit(random));
}

/* Fills d and the interval of a pair from n launches around `truth`. */
static void simulate_pair(struct pb_pair_record *pair, size_t n, unsigned rank, double truth,
                          struct pb_random *random)
{
    double sorted[LAUNCHES];
    pair->n_launches = n;
    for (size_t k = 0; k < n; k++) {
        sorted[k] = pair->d[k] = truth + NOISE * normal(random);
    }
    const struct pb_interval interval = pb_median_interval(sorted, n, rank);
    pair->estimate = interval.estimate;
    pair->lo = interval.lo;
    pair->hi = interval.hi;
    pair->verdict = PB_VERDICT_UNCHANGED;
}

static void make_pairs(struct pb_arena *arena, struct pb_run_record *run)
{
    run->n_benchmarks = 0;
    run->n_pairs = PAIRS;
    run->pairs = pb_arena_array(arena, PAIRS, sizeof *run->pairs);
    for (int i = 0; i < PAIRS; i++) {
        run->pairs[i] = (struct pb_pair_record){
            .case_name = "c",
            .scenario = pb_arena_printf(arena, "s%02d", i),
            .a = "old",
            .b = "new",
            .gated = true,
            .d = pb_arena_array(arena, LAUNCHES, sizeof(double)),
        };
    }
}

struct rates {
    int flagged; /* pairs */
    int red;     /* nights */
};

/* One night: judged, and what is flagged judged again on fresh launches. */
static void live_through(struct bench *bench, const unsigned *ranks, double truth,
                         struct pb_random *random, struct rates *rates)
{
    struct pb_run_record fresh = bench->run;
    make_pairs(&bench->arena, &fresh);
    for (int i = 0; i < PAIRS; i++) {
        simulate_pair(&bench->run.pairs[i], LAUNCHES, ranks[0], truth, random);
    }
    judge(bench);
    int flagged = 0;
    for (size_t i = 0; i < bench->check.n_findings; i++) {
        flagged += pb_judge_is_flagged(&bench->check.findings[i]);
    }
    rates->flagged += flagged;
    if (flagged > 0) {
        for (int i = 0; i < PAIRS; i++) {
            simulate_pair(&fresh.pairs[i], PB_CONFIRM_LAUNCHES, ranks[1], truth, random);
        }
        const struct pb_judge_spec spec = spec_of(bench);
        pb_judge_confirm(&spec, &fresh, &bench->arena, &bench->check);
        pb_judge_conclude(&bench->check, PB_FAIL_DEFAULT);
    }
    rates->red += bench->check.exit_code != 0;
}

/* How a check fares over many nights of one truth, against a baseline of which truth is 0. */
static struct rates simulate(struct bench *bench, double truth, size_t nights, uint64_t seed)
{
    struct pb_error err;
    unsigned ranks[2] = {0};
    const struct pb_looks adaptive = pb_looks_make(0, 0);
    const struct pb_looks fixed = pb_looks_make(PB_CONFIRM_LAUNCHES, 0);
    assert_int_equal(pb_looks_rank(&adaptive, LAUNCHES, &ranks[0], &err), PB_OK);
    assert_int_equal(pb_looks_rank(&fixed, PB_CONFIRM_LAUNCHES, &ranks[1], &err), PB_OK);
    struct pb_random random;
    struct rates rates = {0};
    pb_random_init(&random, seed);
    for (size_t n = 0; n < nights; n++) {
        if (n % NIGHTS == 0) { /* a new baseline, as lucky or unlucky as it is */
            make_pairs(&bench->arena, &bench->base);
            make_pairs(&bench->arena, &bench->run);
            for (int i = 0; i < PAIRS; i++) {
                simulate_pair(&bench->base.pairs[i], LAUNCHES, ranks[0], 0, &random);
            }
            make_set(bench);
            for (size_t i = 0; i < bench->set.baseline.n_ratios; i++) {
                bench->set.baseline.ratios[i].spread = 0; /* the least is allowed for */
            }
        }
        live_through(bench, ranks, truth, &random, &rates);
    }
    return rates;
}

static void nights_of_the_same_code_are_red_less_often_than_promised(void **state)
{
    struct bench *bench = *state;
    const struct rates rates = simulate(bench, 0, 10 * NIGHTS, 24);
    /* Without the second look about 1 night in 100 would be red already. */
    assert_in_range(rates.flagged, 2, 40);
    assert_in_range(rates.red, 0, (int)(PB_CONFIRM_LEVEL * 10 * NIGHTS));
    assert_int_equal(rates.red, 0);
}

static void nights_of_slower_code_are_red(void **state)
{
    struct bench *bench = *state;
    const struct rates rates = simulate(bench, log1p(0.07), 20, 25);
    assert_int_equal(rates.red, 20);
    assert_true(rates.flagged > 20 * PAIRS * 95 / 100);
}

/* +0.5 % a night never shows from one night to the next. */
static void a_creep_is_flagged_against_the_committed_baseline(void **state)
{
    struct bench *bench = *state;
    int first = 0;
    for (int night = 1; night <= 40; night++) {
        const double ratio = 0.5 * pow(1.005, night);
        synthetic_set_ratio(synthetic_pair(&bench->run, "s1", "new"), ratio, 0.3);
        const int code = judge(bench);
        first = first == 0 && code == 1 ? night : first;
        assert_true(first == 0 || code == 1); /* and stays so */
    }
    assert_in_range(first, 2, 3);
    synthetic_set_ratio(synthetic_pair(&bench->base, "s1", "new"), 0.5 * pow(1.005, 39), 0.3);
    make_set(bench);
    assert_int_equal(judge(bench), 0); /* the last night against the one before */
}

static void words_of_fail_on_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned bits;
    } rows[] = {
        {"none", 0},
        {"regressed", PB_FAIL_REGRESSED},
        {"warnings,regressed", PB_FAIL_REGRESSED | PB_FAIL_WARNINGS},
        {"failed,missing,differs,incompatible,inconclusive",
         PB_FAIL_FAILED | PB_FAIL_MISSING | PB_FAIL_DIFFERS | PB_FAIL_INCOMPATIBLE |
             PB_FAIL_INCONCLUSIVE},
    };
    struct pb_error err;
    unsigned bits = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(pb_judge_parse_fail_on(rows[i].text, &bits, &err), PB_OK);
        assert_int_equal(bits, rows[i].bits);
    }
    static const char *const wrong[] = {"", "regress", "regressed,", "Regressed",
                                        "regressed failed"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(pb_judge_parse_fail_on(wrong[i], &bits, &err), PB_ERR_USAGE);
        assert_non_null(strstr(err.message, "warnings, none"));
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(nothing_against_nothing_is_unchanged),
        TEST(from_nothing_every_growth_is_infinite_and_keeps_its_size),
        TEST(a_time_that_fell_to_nothing_since_it_failed_is_failed),
        TEST(launches_that_are_all_alike_are_judged_like_others),
        TEST(one_launch_is_inconclusive_and_says_so),
        TEST(swapping_the_sides_or_the_runs_flips_every_sign),
        TEST(a_verdict_that_a_diagnosis_took_away_stays_away),
        TEST(a_lucky_baseline_makes_later_verdicts_careful),
        TEST(a_wide_baseline_never_proves_that_nothing_changed),
        TEST(what_is_inconclusive_says_what_would_help),
        TEST(an_invalid_run_proves_nothing_about_times),
        TEST(counts_that_the_baseline_has_not_are_named),
        TEST(the_spread_between_runs_is_that_of_history_if_there_is_enough),
        TEST(a_ratio_may_move_by_as_much_as_its_reference),
        TEST(a_second_look_on_a_busier_machine_confirms_nothing),
        TEST(an_absolute_time_that_is_unusual_twice_warns),
        TEST(what_the_machine_accounts_for_is_not_unusual),
        TEST(too_little_history_is_said_once_or_of_what_is_new),
        TEST(what_is_flagged_must_be_confirmed_beside_all_that_is_flagged),
        TEST(a_second_look_that_shows_nothing_gives_its_own_verdict),
        TEST(without_a_second_look_it_stays_flagged_and_says_why),
        TEST(more_instructions_fail_unless_the_ratio_proves_them_harmless),
        TEST(a_second_look_can_take_the_excuse_from_instructions),
        TEST(instructions_are_compared_as_they_were_counted_or_not_at_all),
        TEST(a_waiver_is_for_what_it_says_and_as_long_as_it_says),
        TEST(only_a_regression_can_be_waived),
        TEST(nights_of_the_same_code_are_red_less_often_than_promised),
        TEST(nights_of_slower_code_are_red),
        TEST(a_creep_is_flagged_against_the_committed_baseline),
        TEST(words_of_fail_on_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
