/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole measurements on the suites for tests: blame, plans, budgets, progress.
 */
#include "measure/measure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "measure/kernels.h"
#include "measure/waves.h"
#include "stats/interval.h"
#include "tests/provenance/temp_tree.h"

struct bench {
    struct pb_arena arena;
    struct pb_catalog catalog;
    struct pb_selection selection;
    struct pb_plan plan;
    struct pb_run_record run;
    struct pb_error err;
};

static int set_up(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    bench.plan = (struct pb_plan){
        .worker = PB_TEST_WORKER,
        .times = true,
        .launches = 1,
        .seed = 7,
        .deadline_s = 60,
    };
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    pb_arena_release(&bench->arena);
    return 0;
}

static void choose(struct bench *bench, const char *suite, const char *pattern)
{
    const char *path = pb_arena_printf(&bench->arena, "%s/%s.so", PB_TEST_SUITES, suite);
    if (pb_catalog_load(PB_TEST_WORKER, &path, 1, &bench->arena, &bench->catalog, &bench->err) !=
            PB_OK ||
        pb_selection_make(&bench->catalog, &pattern, 1, &bench->arena, &bench->selection,
                          &bench->err) != PB_OK) {
        fail_msg("%s", bench->err.message);
    }
}

static void measure(struct bench *bench, const struct pb_measure_watch *watch)
{
    bench->run = (struct pb_run_record){.valid = true};
    if (pb_measure(&bench->catalog, &bench->selection, &bench->plan, watch, &bench->arena,
                   &bench->run, &bench->err) != PB_OK) {
        fail_msg("%s", bench->err.message);
    }
}

static const struct pb_benchmark_record *find(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->run.n_benchmarks; i++) {
        if (strcmp(bench->run.benchmarks[i].name, name) == 0) {
            return &bench->run.benchmarks[i];
        }
    }
    fail_msg("no benchmark %s", name);
    return NULL;
}

static int64_t count_of(const struct pb_benchmark_record *benchmark, const char *name)
{
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        if (strcmp(benchmark->counts[i].name, name) == 0) {
            assert_true(benchmark->counts[i].deterministic);
            return benchmark->counts[i].value;
        }
    }
    return -1;
}

static void every_wanted_benchmark_is_counted_and_timed(void **state)
{
    struct bench *bench = *state;
    choose(bench, "plain", "*");
    measure(bench, NULL);
    assert_int_equal(bench->run.n_benchmarks, 3 * 3);
    for (size_t i = 0; i < bench->run.n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &bench->run.benchmarks[i];
        assert_int_equal(benchmark->state, PB_STATE_OK);
        assert_int_equal(benchmark->n_launches, 1);
        assert_true(benchmark->best_ns > 0 && benchmark->best_ns <= benchmark->median_ns);
    }
    assert_int_equal(count_of(find(bench, "plain/write/brief/old"), "writes"), 8);
    assert_int_equal(count_of(find(bench, "plain/write/brief/new"), "writes"), 1);
    assert_int_equal(count_of(find(bench, "plain/write/longer/old"), "writes"), 32);
    assert_int_equal(count_of(find(bench, "plain/write/longer/old"), "bytes"), 256);
    assert_true(find(bench, "plain/write/brief/floor")->n_counts <= 1); /* system calls */
    assert_true(bench->run.timed_s > 0 && bench->run.timed_s < bench->run.wall_s);
    assert_true(bench->run.start_ms > 0);
    assert_int_equal(bench->run.launches, 1);
    assert_false(bench->run.injected);
}

static void the_kernels_are_timed_where_they_are_wanted(void **state)
{
    struct bench *bench = *state;
    choose(bench, "plain", "*/brief/*");
    measure(bench, NULL);
    for (int i = 0; i < PB_KERNELS; i++) {
        assert_true(bench->run.kernels_ns[i] == 0);
    }
    bench->plan.kernels = true;
    measure(bench, NULL);
    for (int i = 0; i < PB_KERNELS; i++) {
        assert_true(bench->run.kernels_ns[i] > 0 && isfinite(bench->run.kernels_ns[i]));
    }
}

static void say(void *context, const char *text)
{
    pb_strbuf_adds(context, text);
}

/* Nothing is timed within a microsecond. */
static void kernels_that_can_not_be_timed_are_a_warning(void **state)
{
    struct bench *bench = *state;
    struct pb_strbuf words = {0};
    const struct pb_measure_watch watch = {.context = &words, .warn = say};
    const struct pb_plan plan = {.deadline_s = 1e-6};
    struct pb_session session = {.plan = &plan, .arena = &bench->arena};
    bench->run.kernels_ns[PB_KERNEL_L2] = 4;
    assert_int_equal(pb_launch_new(PB_TEST_WORKER, &session.launch, &bench->err), PB_OK);
    assert_int_equal(pb_kernels_time(&session, &watch, &bench->run, &bench->err), PB_OK);
    pb_launch_free(session.launch);
    assert_non_null(strstr(words.text, "kernels were not timed"));
    assert_non_null(strstr(words.text, "hung"));
    assert_true(bench->run.kernels_ns[PB_KERNEL_ALU] == 0);
    assert_true(bench->run.kernels_ns[PB_KERNEL_L2] == 4);
    pb_strbuf_release(&words);
}

static void without_times_outputs_are_compared_and_operations_counted(void **state)
{
    struct bench *bench = *state;
    bench->plan.times = false;
    choose(bench, "hostile", "hostile/new_does_it/differs");
    measure(bench, NULL);
    assert_int_equal(find(bench, "hostile/new_does_it/differs/new")->state, PB_STATE_FAILED);
    assert_int_equal(count_of(find(bench, "hostile/new_does_it/differs/old"), "bytes"), 64);
    assert_true(isnan(find(bench, "hostile/new_does_it/differs/old")->best_ns));
    assert_int_equal(bench->run.launches, 0);
}

/* Under a sanitizer nothing can be preloaded; the counter is then not given. */
static void allocations_are_counted_when_there_is_a_counter(void **state)
{
    struct bench *bench = *state;
#if defined(__SANITIZE_ADDRESS__)
    skip();
#endif
    bench->plan.heap_counter = PB_TEST_HEAP;
    bench->plan.times = false;
    choose(bench, "plain", "*");
    measure(bench, NULL);
    assert_string_equal(pb_facts_get(&bench->run.machine, "heap_counter"), "preload");
    assert_int_equal(count_of(find(bench, "plain/write/brief/old"), "allocations"), 0);
    assert_int_equal(count_of(find(bench, "plain/write/brief/new"), "allocations"), 1);
    assert_int_equal(count_of(find(bench, "plain/write/brief/new"), "allocated_bytes"), 64);
    assert_true(count_of(find(bench, "plain/write/brief/new"), "peak_live_bytes") >= 64);
    assert_int_equal(count_of(find(bench, "plain/write/longer/new"), "allocations"), 1);
}

/* Where the kernel has no way of counting them there is no such count, and the run says so. */
static void system_calls_are_counted_where_they_can_be(void **state)
{
    struct bench *bench = *state;
    bench->plan.times = false;
    choose(bench, "counted", "*");
    measure(bench, NULL);
    const char *counter = pb_facts_get(&bench->run.machine, "syscall_counter");
    assert_non_null(counter);
    if (strcmp(counter, "none") == 0) {
        assert_int_equal(find(bench, "counted/turn/loop/random")->n_counts, 0);
        skip();
    }
    assert_string_equal(counter, "user_dispatch");
    assert_int_equal(count_of(find(bench, "counted/turn/loop/old"), "syscalls"), 0);
    assert_int_equal(count_of(find(bench, "counted/turn/loop/random"), "syscalls"), 1);
}

static void counts_that_differ_from_pass_to_pass_are_not_deterministic(void **state)
{
    struct bench *bench = *state;
    bench->plan.times = false;
    choose(bench, "hostile", "hostile/new_does_it/counts_at_random");
    measure(bench, NULL);
    const struct pb_benchmark_record *benchmark =
        find(bench, "hostile/new_does_it/counts_at_random/new");
    assert_true(benchmark->n_counts >= 2);
    assert_string_equal(benchmark->counts[0].name, "bytes");
    assert_true(benchmark->counts[0].deterministic);
    assert_string_equal(benchmark->counts[1].name, "luck");
    assert_false(benchmark->counts[1].deterministic);
}

/* What a watch saw, one line a step. */
struct seen {
    struct pb_strbuf steps;
    uint64_t last_done;
    uint64_t stop_at; /* steps after which it asks to stop; 0 = never */
    uint64_t n_steps;
};

static void note(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct seen *seen = context;
    assert_true(done < total);
    assert_true(seen->n_steps == 0 || done > seen->last_done);
    seen->last_done = done;
    seen->n_steps++;
    pb_strbuf_addf(&seen->steps, "%s\n", what);
}

static bool is_enough(void *context)
{
    const struct seen *seen = context;
    return seen->stop_at > 0 && seen->n_steps >= seen->stop_at;
}

static struct pb_measure_watch watch_with(struct seen *seen)
{
    return (struct pb_measure_watch){.context = seen, .progress = note, .stopped = is_enough};
}

static void the_same_seed_repeats_a_plan(void **state)
{
    struct bench *bench = *state;
    struct seen seen[3] = {0};
    static const uint64_t seeds[] = {7, 7, 8};
    bench->plan.launches = 3;
    choose(bench, "plain", "*");
    for (int i = 0; i < 3; i++) {
        const struct pb_measure_watch watch = watch_with(&seen[i]);
        bench->plan.seed = seeds[i];
        measure(bench, &watch);
    }
    assert_string_equal(seen[0].steps.text, seen[1].steps.text);
    assert_string_not_equal(seen[0].steps.text, seen[2].steps.text);
    for (int i = 0; i < 3; i++) {
        pb_strbuf_release(&seen[i].steps);
    }
}

static void a_watch_can_stop_it_anywhere(void **state)
{
    struct bench *bench = *state;
    choose(bench, "plain", "*");
    for (uint64_t steps = 1; steps <= 3 * (3 + 1); steps += 5) {
        struct seen seen = {.stop_at = steps};
        const struct pb_measure_watch watch = watch_with(&seen);
        struct pb_run_record run = {0};
        assert_int_equal(pb_measure(&bench->catalog, &bench->selection, &bench->plan, &watch,
                                    &bench->arena, &run, &bench->err),
                         PB_ERR_INTERRUPTED);
        assert_int_equal(seen.n_steps, steps);
        assert_null(run.benchmarks);
        pb_strbuf_release(&seen.steps);
    }
}

static void a_budget_that_is_used_up_still_gives_every_scenario_one_launch(void **state)
{
    struct bench *bench = *state;
    bench->plan.launches = 1000;
    bench->plan.budget_s = 1e-6;
    choose(bench, "plain", "*");
    measure(bench, NULL);
    for (size_t i = 0; i < bench->run.n_benchmarks; i++) {
        assert_int_equal(bench->run.benchmarks[i].n_launches, 1);
    }
    for (size_t i = 0; i < bench->run.n_pairs; i++) {
        assert_int_equal(bench->run.pairs[i].verdict, PB_VERDICT_INCONCLUSIVE);
    }
}

static void a_plan_may_have_looks_of_its_own(void **state)
{
    struct bench *bench = *state;
    struct pb_looks looks = pb_looks_make(0, 0);
    looks.at[0] = 3;
    looks.n = 1;
    choose(bench, "plain", "plain/write/brief");
    bench->plan.launches = 0;
    bench->plan.looks = &looks;
    measure(bench, NULL);
    for (size_t i = 0; i < bench->run.n_benchmarks; i++) {
        assert_int_equal(bench->run.benchmarks[i].n_launches, 3);
    }
}

/* A single scenario, so that the control has few launches beside it: just enough. */
static void a_harness_that_favours_a_side_is_found_out(void **state)
{
    struct bench *bench = *state;
    choose(bench, "biased", "*");
    bench->plan.launches = PB_CONTROL_LAUNCHES_LEAST + 1;
    measure(bench, NULL);
    assert_false(bench->run.valid);
    assert_non_null(strstr(bench->run.invalid_reason,
                           "the A/A control biased/turn/sides differs from itself by +"));
    bench->plan.launches = PB_CONTROL_LAUNCHES_LEAST - 1;
    measure(bench, NULL);
    assert_true(bench->run.valid); /* too few to be sure */
    choose(bench, "plain", "plain/write/brief");
    bench->plan.launches = 16;
    measure(bench, NULL);
    assert_true(bench->run.valid);
}

static void the_plan_is_kept_in_words(void **state)
{
    struct bench *bench = *state;
    struct pb_looks looks = pb_looks_make(0, 0);
    looks.at[0] = 2;
    looks.at[1] = 3;
    looks.n = 2;
    choose(bench, "plain", "plain/write/brief");
    measure(bench, NULL);
    assert_string_equal(bench->run.plan, "launches 1; at most 4 layouts a launch");
    bench->plan.launches = 0;
    bench->plan.looks = &looks;
    bench->plan.budget_s = 90;
    measure(bench, NULL);
    assert_string_equal(bench->run.plan,
                        "looks 2 3; until ± 0.4 %; margin 0.25 %, equivalence 1 %; budget 90 s; "
                        "at most 4 layouts a launch");
}

/* With wide margins a pair is decided as soon as it has an interval: at 3 + 8 launches. */
static void what_is_left_of_a_budget_goes_to_what_is_not_decided(void **state)
{
    struct bench *bench = *state;
    struct pb_looks looks = pb_looks_make(0, 0);
    looks.at[0] = 3;
    looks.n = 1;
    choose(bench, "plain", "plain/write/brief");
    bench->plan.launches = 0;
    bench->plan.looks = &looks;
    bench->plan.finish = PB_FINISH_VERDICT;
    bench->plan.margins = (struct pb_margins){.gate = 1e6, .equivalence = 1e6};
    bench->plan.budget_s = 1e6;
    measure(bench, NULL);
    assert_int_equal(bench->run.pairs[0].n_launches, 3); /* nobody said that it may be spent */
    bench->plan.spends_budget = true;
    measure(bench, NULL);
    const struct pb_pair_record *pair = &bench->run.pairs[0];
    assert_int_equal(pair->n_launches, 11);
    for (size_t i = 1; i < pair->n_launches; i++) {
        assert_true(pair->launch[i] > pair->launch[i - 1]);
    }
    assert_string_equal(pair->stopped, "more launches, as the budget allowed");
    assert_int_equal(pair->verdict, PB_VERDICT_UNCHANGED);
}

static void a_disturbed_machine_is_noted(void **state)
{
    struct bench *bench = *state;
    bench->plan.noise_root = temp_tree_new(&bench->arena);
    temp_tree_write(bench->plan.noise_root, "proc/pressure/cpu",
                    "some avg10=83.00 avg60=0.00 avg300=0.00 total=5\n");
    choose(bench, "plain", "plain/write/brief");
    measure(bench, NULL);
    assert_non_null(bench->run.noticed);
    assert_non_null(strstr(bench->run.noticed, "pressure 83 %"));
    assert_true(bench->run.valid); /* nothing is discarded */
    temp_tree_remove(bench->plan.noise_root);
}

static void too_many_launches_are_refused(void **state)
{
    struct bench *bench = *state;
    choose(bench, "plain", "*");
    bench->plan.launches = PB_LAUNCHES_MAX + 1;
    struct pb_run_record run = {0};
    assert_int_equal(pb_measure(&bench->catalog, &bench->selection, &bench->plan, NULL,
                                &bench->arena, &run, &bench->err),
                     PB_ERR_LIMIT);
    assert_non_null(strstr(bench->err.message, "4097"));
}

static void an_injection_shows_as_what_it_is(void **state)
{
    struct bench *bench = *state;
    const struct pb_injection injections[] = {{"*/brief/new", 400}, {"*/longer/*", -50}};
    bench->plan.injections = injections;
    bench->plan.n_injections = 2;
    bench->plan.launches = 2;
    choose(bench, "plain", "*");
    measure(bench, NULL);
    assert_true(bench->run.injected);
    assert_true(find(bench, "plain/write/brief/new")->inject_pct == 400);
    assert_true(find(bench, "plain/write/brief/old")->inject_pct == 0);
    assert_true(find(bench, "plain/write/longer/old")->inject_pct == -50);
    /* Five times the work of new, which does no more than old does, is more than twice as slow. */
    assert_true(find(bench, "plain/write/brief/new")->best_ns >
                2 * find(bench, "plain/write/brief/floor")->best_ns);
}

static void a_side_that_misbehaves_costs_nobody_else_anything(void **state)
{
    struct bench *bench = *state;
    bench->plan.launches = 2;
    choose(bench, "hostile", "hostile/new_does_it/exits");
    measure(bench, NULL);
    assert_int_equal(find(bench, "hostile/new_does_it/exits/new")->state, PB_STATE_FAILED);
    assert_int_equal(find(bench, "hostile/new_does_it/exits/old")->n_launches, 2);
    assert_int_equal(find(bench, "hostile/new_does_it/exits/bystander")->n_launches, 2);
}

static void builds_are_compared_variant_by_variant(void **state)
{
    struct bench *bench = *state;
    choose(bench, "plain", "plain/write/brief");
    const struct pb_builds builds = {
        .base = &bench->catalog, .head = &bench->catalog, .selection = &bench->selection};
    struct pb_run_record run = {.valid = true};
    assert_int_equal(
        pb_measure_builds(&builds, &bench->plan, NULL, &bench->arena, &run, &bench->err), PB_OK);
    size_t n_gated = 0;
    for (size_t i = 0; i < run.n_pairs; i++) {
        if (run.pairs[i].gated) {
            n_gated++;
            assert_string_equal(run.pairs[i].a, "base");
            assert_string_equal(run.pairs[i].b, "head");
            assert_int_equal(run.pairs[i].n_launches, 1);
        }
    }
    assert_int_equal(n_gated, 3);
}

static void a_pair_is_judged_by_the_margins_of_its_plan(void **state)
{
    struct bench *bench = *state;
    bench->plan.launches = PB_LAUNCHES_QUICK;
    bench->plan.margins = (struct pb_margins){.gate = 1e3, .equivalence = 1e6};
    choose(bench, "plain", "plain/write/brief/new");
    measure(bench, NULL);
    assert_int_equal(bench->run.pairs[0].verdict, PB_VERDICT_UNCHANGED);
    bench->plan.margins = (struct pb_margins){.gate = 1e3, .equivalence = 1e-12};
    measure(bench, NULL);
    assert_int_equal(bench->run.pairs[0].verdict, PB_VERDICT_INCONCLUSIVE);
}

static void a_pair_knows_what_its_workers_cost(void **state)
{
    struct bench *bench = *state;
    choose(bench, "plain", "plain/write/brief/new");
    measure(bench, NULL);
    assert_true(bench->run.pairs[0].wall_s > bench->run.pairs[0].timed_s);
    assert_true(bench->run.pairs[0].wall_s < bench->run.wall_s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_wanted_benchmark_is_counted_and_timed),
        TEST(the_kernels_are_timed_where_they_are_wanted),
        TEST(kernels_that_can_not_be_timed_are_a_warning),
        TEST(without_times_outputs_are_compared_and_operations_counted),
        TEST(allocations_are_counted_when_there_is_a_counter),
        TEST(system_calls_are_counted_where_they_can_be),
        TEST(counts_that_differ_from_pass_to_pass_are_not_deterministic),
        TEST(the_same_seed_repeats_a_plan),
        TEST(a_watch_can_stop_it_anywhere),
        TEST(a_budget_that_is_used_up_still_gives_every_scenario_one_launch),
        TEST(a_plan_may_have_looks_of_its_own),
        TEST(a_harness_that_favours_a_side_is_found_out),
        TEST(the_plan_is_kept_in_words),
        TEST(what_is_left_of_a_budget_goes_to_what_is_not_decided),
        TEST(a_disturbed_machine_is_noted),
        TEST(too_many_launches_are_refused),
        TEST(an_injection_shows_as_what_it_is),
        TEST(a_side_that_misbehaves_costs_nobody_else_anything),
        TEST(builds_are_compared_variant_by_variant),
        TEST(a_pair_is_judged_by_the_margins_of_its_plan),
        TEST(a_pair_knows_what_its_workers_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
