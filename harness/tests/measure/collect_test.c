/* SPDX-License-Identifier: Apache-2.0
 *
 * From samples that are made by hand to benchmarks and pairs.
 */
#include "measure/collect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "pairbench.h"

enum { ROUNDS = 3, SLICES = 2, SAMPLES = ROUNDS * SLICES, LAUNCHES_MAX = 64, SIDES = 4 };

/* A job with old, new, floor (a bound) and lib (a third party's), and its samples. */
struct bench {
    struct pb_arena arena;
    struct pb_looks looks;
    struct pb_job job;
    struct pb_job_launch launches[LAUNCHES_MAX];
    float samples[LAUNCHES_MAX][SIDES][SAMPLES];
    struct pb_benchmark_record benchmarks[SIDES];
    struct pb_pair_record pairs[SIDES * SIDES];
    struct pb_run_record run;
};

static const char *const names[SIDES] = {"old", "new", "floor", "lib"};
static const uint32_t flags[SIDES] = {0, 0, PAIRBENCH_VARIANT_BOUND, PAIRBENCH_VARIANT_REFERENCE};

/* n_launches launches, in each of which every sample of side i takes times_ns[i]. */
static void fill(struct bench *bench, uint32_t n_sides, size_t n_launches, const float *times_ns)
{
    memset(bench, 0, sizeof *bench);
    bench->looks = pb_looks_make(n_launches > 0 ? (uint32_t)n_launches : 1, 0);
    struct pb_job *job = &bench->job;
    *job = (struct pb_job){
        .kind = PB_JOB_VARIANTS,
        .case_name = "c",
        .scenario = "s",
        .n_sides = n_sides,
        .slices = {.rounds = ROUNDS, .timed_slices = SLICES},
        .launches = bench->launches,
        .n_launches = n_launches,
    };
    for (uint32_t i = 0; i < n_sides; i++) {
        job->sides[i] = (struct pb_job_side){
            .variant_index = i,
            .flags = flags[i],
            .name = pb_arena_printf(&bench->arena, "c/s/%s", names[i]),
            .variant = names[i],
            .label = names[i],
            .iterations = 100,
            .executed = 100,
        };
    }
    for (size_t k = 0; k < n_launches; k++) {
        bench->launches[k].wave = (uint32_t)(10 + k);
        for (uint32_t i = 0; i < n_sides; i++) {
            for (size_t s = 0; s < SAMPLES; s++) {
                bench->samples[k][i][s] = times_ns[i];
            }
            bench->launches[k].real_ns[i] = bench->samples[k][i];
            bench->launches[k].cpu_ns[i] = bench->samples[k][i];
        }
    }
    bench->run.benchmarks = bench->benchmarks;
    bench->run.pairs = bench->pairs;
}

static void collect(struct bench *bench)
{
    struct pb_error err;
    assert_int_equal(pb_collect_job(&bench->job, &bench->looks, &bench->arena, &bench->run, &err),
                     PB_OK);
}

static const struct pb_pair_record *find(const struct bench *bench, const char *a, const char *b)
{
    for (size_t i = 0; i < bench->run.n_pairs; i++) {
        if (strcmp(bench->pairs[i].a, a) == 0 && strcmp(bench->pairs[i].b, b) == 0) {
            return &bench->pairs[i];
        }
    }
    fail_msg("no pair %s %s", a, b);
    return NULL;
}

static int set_up(void **state)
{
    static struct bench bench;
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    pb_arena_release(&bench->arena);
    return 0;
}

static const float alike[SIDES] = {100, 100, 100, 100};

static void old_meets_all_and_bounds_meet_what_does_the_work(void **state)
{
    struct bench *bench = *state;
    fill(bench, SIDES, 16, alike);
    collect(bench);
    assert_int_equal(bench->run.n_benchmarks, 4);
    assert_int_equal(bench->run.n_pairs, 5);
    assert_true(bench->run.n_pairs <= pb_collect_pairs_max(SIDES));
    assert_true(find(bench, "old", "new")->gated);
    assert_false(find(bench, "old", "floor")->gated);
    assert_false(find(bench, "old", "lib")->gated);
    assert_false(find(bench, "floor", "new")->gated);
    assert_false(find(bench, "floor", "lib")->gated);
    assert_int_equal(bench->benchmarks[2].flags, PB_BENCHMARK_BOUND);
    assert_int_equal(bench->benchmarks[3].flags, PB_BENCHMARK_REFERENCE);
    assert_string_equal(bench->benchmarks[1].name, "c/s/new");
}

static void identical_slices_are_proven_unchanged(void **state)
{
    struct bench *bench = *state;
    fill(bench, 2, 16, alike);
    collect(bench);
    const struct pb_pair_record *pair = find(bench, "old", "new");
    assert_int_equal(pair->verdict, PB_VERDICT_UNCHANGED);
    assert_null(pair->reason);
    assert_true(pair->estimate == 0 && pair->lo == 0 && pair->hi == 0);
    const struct pb_benchmark_record *new = &bench->benchmarks[1];
    assert_true(new->best_ns == 100 && new->median_ns == 100 && new->cpu_ns == 100);
    assert_int_equal(new->n_launches, 16);
    assert_int_equal(new->repeats, 16 * SAMPLES);
    assert_int_equal(new->iterations, 100);
    assert_true(new->launches[3].mad_ns == 0 && new->launches[3].p05_ns == 100);
    assert_int_equal(new->launches[3].launch, 13);
    assert_int_equal(new->launches[3].n_slices, SAMPLES);
}

static void a_ratio_has_its_verdict_and_swapping_the_sides_flips_it(void **state)
{
    struct bench *bench = *state;
    static const struct {
        float old_ns;
        float new_ns;
        enum pb_verdict verdict;
    } rows[] = {
        {100, 110, PB_VERDICT_REGRESSED},    {110, 100, PB_VERDICT_IMPROVED},
        {100, 100.1f, PB_VERDICT_UNCHANGED}, {100.1f, 100, PB_VERDICT_UNCHANGED},
        {1, 1e6f, PB_VERDICT_REGRESSED},     {1e6f, 1, PB_VERDICT_IMPROVED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const float times_ns[] = {rows[i].old_ns, rows[i].new_ns};
        fill(bench, 2, 16, times_ns);
        collect(bench);
        const struct pb_pair_record *pair = find(bench, "old", "new");
        assert_int_equal(pair->verdict, rows[i].verdict);
        const double ratio = log((double)rows[i].new_ns / (double)rows[i].old_ns);
        assert_true(fabs(pair->estimate - ratio) < 1e-9);
        const double timed_s =
            16e-9 * SAMPLES * 100 * ((double)rows[i].old_ns + (double)rows[i].new_ns);
        assert_true(fabs(pair->timed_s / timed_s - 1) < 1e-6);
        pb_arena_release(&bench->arena);
    }
}

static void too_few_launches_are_inconclusive_and_say_so(void **state)
{
    struct bench *bench = *state;
    static const struct {
        size_t n;
        const char *reason;
    } rows[] = {
        {1, "only 1 launch: no interval can be given"},
        {2, "only 2 launches: no interval can be given"},
        {7, "only 7 launches: no interval can be given"},
        {8, NULL},
    };
    const float times_ns[] = {100, 200};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fill(bench, 2, rows[i].n, times_ns);
        collect(bench);
        const struct pb_pair_record *pair = find(bench, "old", "new");
        assert_true(fabs(pair->estimate - log(2)) < 1e-9);
        if (rows[i].reason == NULL) {
            assert_int_equal(pair->verdict, PB_VERDICT_REGRESSED);
            assert_null(pair->reason);
        } else {
            assert_int_equal(pair->verdict, PB_VERDICT_INCONCLUSIVE);
            assert_string_equal(pair->reason, rows[i].reason);
            assert_true(isinf(pair->lo) && isinf(pair->hi));
        }
        pb_arena_release(&bench->arena);
    }
}

static void without_launches_nothing_is_timed(void **state)
{
    struct bench *bench = *state;
    fill(bench, 2, 0, alike);
    collect(bench);
    const struct pb_pair_record *pair = find(bench, "old", "new");
    assert_int_equal(pair->verdict, PB_VERDICT_INCONCLUSIVE);
    assert_string_equal(pair->reason, "not timed");
    assert_true(isnan(pair->estimate));
    assert_true(isnan(bench->benchmarks[0].best_ns) && isnan(bench->benchmarks[0].median_ns));
    assert_int_equal(bench->benchmarks[0].state, PB_STATE_OK);
}

static void a_side_that_is_not_well_decides_the_pair(void **state)
{
    struct bench *bench = *state;
    enum { WELL, FAILED, SKIPPED, TOO_FAST };
    static const struct {
        int old;
        int new;
        enum pb_verdict verdict;
        const char *reason;
    } rows[] = {
        {WELL, FAILED, PB_VERDICT_FAILED, "reason of new"},
        {FAILED, WELL, PB_VERDICT_FAILED, "reason of old"},
        {SKIPPED, FAILED, PB_VERDICT_FAILED, "reason of new"},
        {TOO_FAST, FAILED, PB_VERDICT_FAILED, "reason of new"},
        {WELL, SKIPPED, PB_VERDICT_SKIPPED, "reason of new"},
        {SKIPPED, WELL, PB_VERDICT_SKIPPED, "reason of old"},
        {WELL, TOO_FAST, PB_VERDICT_BELOW_RESOLUTION, "reason of new"},
        {TOO_FAST, WELL, PB_VERDICT_BELOW_RESOLUTION, "reason of old"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fill(bench, 2, 16, alike);
        const int conditions[] = {rows[i].old, rows[i].new};
        for (int k = 0; k < 2; k++) {
            struct pb_job_side *side = &bench->job.sides[k];
            side->state = conditions[k] == FAILED    ? PB_STATE_FAILED
                          : conditions[k] == SKIPPED ? PB_STATE_SKIPPED
                                                     : PB_STATE_OK;
            side->below_resolution = conditions[k] == TOO_FAST;
            side->reason = conditions[k] == WELL ? NULL
                           : k == 0              ? "reason of old"
                                                 : "reason of new";
            side->counts[0] = (struct pb_job_count){"writes", 7, true};
            side->n_counts = 1;
        }
        collect(bench);
        const struct pb_pair_record *pair = find(bench, "old", "new");
        assert_int_equal(pair->verdict, rows[i].verdict);
        assert_string_equal(pair->reason, rows[i].reason);
        assert_int_equal(pair->n_launches, 0);
        for (int k = 0; k < 2; k++) {
            const struct pb_benchmark_record *benchmark = &bench->benchmarks[k];
            assert_int_equal(benchmark->below_resolution, conditions[k] == TOO_FAST);
            assert_int_equal(benchmark->counts[0].value, 7);
            if (benchmark->state != PB_STATE_OK) {
                assert_true(isnan(benchmark->best_ns)); /* a failure never looks like 0 ns */
                assert_int_equal(benchmark->n_launches, 0);
            }
        }
        pb_arena_release(&bench->arena);
    }
}

static void launches_without_a_side_do_not_count_for_its_pairs(void **state)
{
    struct bench *bench = *state;
    fill(bench, 3, 20, alike);
    bench->launches[0].real_ns[1] = NULL;
    bench->launches[5].real_ns[1] = NULL;
    bench->samples[7][0][2] = NAN;
    bench->samples[9][2][0] = 0; /* no ratio can be made of it */
    collect(bench);
    const struct pb_pair_record *pair = find(bench, "old", "new");
    assert_int_equal(pair->n_launches, 17);
    static const uint32_t expected[] = {11, 12, 13, 14, 16, 18, 19, 20, 21,
                                        22, 23, 24, 25, 26, 27, 28, 29};
    assert_memory_equal(pair->launch, expected, sizeof expected);
    assert_int_equal(find(bench, "old", "floor")->n_launches, 18);
    assert_int_equal(bench->benchmarks[1].n_launches, 18);
    assert_int_equal(bench->benchmarks[0].n_launches, 20);
}

static void the_best_and_the_typical_time_are_over_all_launches(void **state)
{
    struct bench *bench = *state;
    fill(bench, 2, 9, alike);
    for (size_t k = 0; k < 9; k++) {
        for (size_t s = 0; s < SAMPLES; s++) {
            bench->samples[k][1][s] = 100 + 10 * (float)k + (float)s;
        }
    }
    collect(bench);
    const struct pb_benchmark_record *new = &bench->benchmarks[1];
    assert_true(new->best_ns == 100);
    assert_true(new->median_ns == 142.5); /* of the fifth launch: 140 … 145 */
    assert_true(new->launches[0].min_ns == 100 && new->launches[0].median_ns == 102.5);
    assert_true(new->launches[8].min_ns == 180);
    assert_ptr_equal(new->launches[8].samples_ns, bench->samples[8][1]);
}

static void counts_are_sorted_by_name(void **state)
{
    struct bench *bench = *state;
    fill(bench, 2, 1, alike);
    struct pb_job_side *side = &bench->job.sides[0];
    side->counts[0] = (struct pb_job_count){"writes", 3, true};
    side->counts[1] = (struct pb_job_count){"bytes", 64, false};
    side->counts[2] = (struct pb_job_count){"reads", 0, true};
    side->n_counts = 3;
    collect(bench);
    const struct pb_benchmark_record *old = &bench->benchmarks[0];
    assert_int_equal(old->n_counts, 3);
    assert_string_equal(old->counts[0].name, "bytes");
    assert_int_equal(old->counts[0].value, 64);
    assert_false(old->counts[0].deterministic);
    assert_string_equal(old->counts[1].name, "reads");
    assert_string_equal(old->counts[2].name, "writes");
    assert_int_equal(bench->benchmarks[1].n_counts, 0);
}

static void injection_is_kept(void **state)
{
    struct bench *bench = *state;
    fill(bench, 2, 1, alike);
    bench->job.sides[1].inject_pct = 12.5;
    collect(bench);
    assert_true(bench->benchmarks[0].inject_pct == 0);
    assert_true(bench->benchmarks[1].inject_pct == 12.5);
}

static void two_builds_are_one_gated_pair_of_one_variant(void **state)
{
    struct bench *bench = *state;
    fill(bench, 2, 16, alike);
    bench->job.kind = PB_JOB_BUILDS;
    for (int i = 0; i < 2; i++) {
        bench->job.sides[i].variant = "floor";
        bench->job.sides[i].flags = PAIRBENCH_VARIANT_BOUND;
        bench->job.sides[i].label = i == 0 ? "base" : "head";
    }
    collect(bench);
    assert_int_equal(bench->run.n_pairs, 1);
    assert_true(find(bench, "base", "head")->gated);
    assert_string_equal(find(bench, "base", "head")->variant, "floor");
}

static void progress_is_that_of_the_widest_gated_pair(void **state)
{
    struct bench *bench = *state;
    struct pb_job_progress progress;
    struct pb_error err;
    const float times_ns[] = {100, 110, 50, 70};
    fill(bench, SIDES, 16, times_ns);
    bench->looks = pb_looks_make(0, 0);
    for (size_t s = 0; s < SAMPLES; s++) {
        bench->samples[3][2][s] = 5000; /* of bounds and third parties nobody asks */
        bench->samples[4][3][s] = 5000;
    }
    assert_int_equal(
        pb_collect_progress(&bench->job, &bench->looks, &bench->arena, &progress, &err), PB_OK);
    assert_true(progress.half_width < 1e-12);
    assert_true(progress.decided);
    for (size_t k = 0; k < 16; k++) {
        for (size_t s = 0; s < SAMPLES; s++) {
            bench->samples[k][1][s] = k % 2 == 0 ? 90 : 110;
        }
    }
    assert_int_equal(
        pb_collect_progress(&bench->job, &bench->looks, &bench->arena, &progress, &err), PB_OK);
    assert_true(progress.half_width > 0.09 && progress.half_width < 0.12);
    assert_false(progress.decided);
    bench->job.n_launches = 5;
    assert_int_equal(
        pb_collect_progress(&bench->job, &bench->looks, &bench->arena, &progress, &err), PB_OK);
    assert_true(isinf(progress.half_width)); /* no interval yet */
    bench->job.sides[1].state = PB_STATE_FAILED;
    assert_int_equal(
        pb_collect_progress(&bench->job, &bench->looks, &bench->arena, &progress, &err), PB_OK);
    assert_true(progress.half_width == 0); /* nothing is left to wait for */
}

/* Who runs first in a round takes 2 % longer; launches differ by 10 %, which is no effect of it. */
static void going_first_is_noticed(void **state)
{
    static const uint8_t turns[2][ROUNDS] = {{0, 1, 0}, {1, 0, 1}};
    struct bench *bench = *state;
    struct pb_job_progress progress;
    struct pb_error err;
    const float times_ns[] = {100, 100};
    for (int matters = 0; matters < 2; matters++) {
        fill(bench, 2, 16, times_ns);
        for (size_t k = 0; k < 16; k++) {
            for (uint32_t i = 0; i < 2; i++) {
                bench->launches[k].turn[i] = turns[i ^ (k % 2)];
                for (size_t s = 0; s < SAMPLES; s++) {
                    const bool first = bench->launches[k].turn[i][s / SLICES] == 0;
                    bench->samples[k][i][s] *= matters && first ? 1.02F : 1.0F;
                    bench->samples[k][i][s] *= i == 1 && k < 8 ? 1.1F : 1.0F;
                }
            }
        }
        assert_int_equal(
            pb_collect_progress(&bench->job, &bench->looks, &bench->arena, &progress, &err), PB_OK);
        assert_int_equal(progress.order, matters);
        collect(bench);
        const char *noticed = find(bench, "old", "new")->noticed;
        assert_int_equal(noticed != NULL && strstr(noticed, "order -") != NULL, matters);
        pb_arena_release(&bench->arena);
    }
}

static void launches_that_stand_apart_are_noticed(void **state)
{
    struct bench *bench = *state;
    struct pb_job_progress progress;
    struct pb_error err;
    const float times_ns[] = {100, 100, 100};
    fill(bench, 3, 40, times_ns);
    for (size_t k = 0; k < 10; k++) {
        for (size_t s = 0; s < SAMPLES; s++) {
            bench->samples[k * 4][1][s] = 107;
        }
    }
    assert_int_equal(
        pb_collect_progress(&bench->job, &bench->looks, &bench->arena, &progress, &err), PB_OK);
    assert_true(progress.modal);
    assert_false(progress.order);
    collect(bench);
    assert_string_equal(find(bench, "old", "new")->noticed, "modal 25 %");
    assert_null(find(bench, "old", "floor")->noticed);
}

/* Of 16 launches some show nothing: 3 are too many for the interval at 0.01, which begins with the
 * third smallest, and not for that at 0.05; 2 are too many for that at 0.001. */
static void what_calls_a_change_has_a_level_of_its_own(void **state)
{
    struct bench *bench = *state;
    static const struct {
        size_t n_without;
        double level;
        float new_ns;
        enum pb_verdict verdict;
    } rows[] = {
        {3, 0.01, 110, PB_VERDICT_INCONCLUSIVE},  {3, 0.05, 110, PB_VERDICT_REGRESSED},
        {3, 0.05, 90, PB_VERDICT_IMPROVED},       {2, 0.01, 110, PB_VERDICT_REGRESSED},
        {2, 0.001, 110, PB_VERDICT_INCONCLUSIVE}, {16, 0.001, 110, PB_VERDICT_UNCHANGED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const float times_ns[] = {100, rows[i].new_ns};
        fill(bench, 2, 16, times_ns);
        for (size_t k = 0; k < rows[i].n_without; k++) {
            for (size_t s = 0; s < SAMPLES; s++) {
                bench->samples[k][1][s] = 100;
            }
        }
        bench->looks.change_level = rows[i].level;
        collect(bench);
        const struct pb_pair_record *pair = find(bench, "old", "new");
        assert_int_equal(pair->verdict, rows[i].verdict);
        assert_int_equal(pair->lo <= 0 && pair->hi >= 0, rows[i].n_without > 2); /* at 0.01 */
        pb_arena_release(&bench->arena);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(old_meets_all_and_bounds_meet_what_does_the_work),
        TEST(identical_slices_are_proven_unchanged),
        TEST(a_ratio_has_its_verdict_and_swapping_the_sides_flips_it),
        TEST(too_few_launches_are_inconclusive_and_say_so),
        TEST(without_launches_nothing_is_timed),
        TEST(a_side_that_is_not_well_decides_the_pair),
        TEST(launches_without_a_side_do_not_count_for_its_pairs),
        TEST(the_best_and_the_typical_time_are_over_all_launches),
        TEST(counts_are_sorted_by_name),
        TEST(injection_is_kept),
        TEST(two_builds_are_one_gated_pair_of_one_variant),
        TEST(progress_is_that_of_the_widest_gated_pair),
        TEST(going_first_is_noticed),
        TEST(launches_that_stand_apart_are_noticed),
        TEST(what_calls_a_change_has_a_level_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
