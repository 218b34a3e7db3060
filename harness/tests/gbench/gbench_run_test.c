/* SPDX-License-Identifier: Apache-2.0
 *
 * Registered benchmarks: arguments, counters, clocks, threads, aggregates and filters.
 */
#include "gbench_collect.h"

static struct collection results;

/* Runs what is registered and leaves the results in `results`. */
static enum gb_code run_all(void)
{
    results.n = 0;
    const struct gb_run_spec run = {.filter = ".", .report = collect, .report_payload = &results};
    return gb_run(&run, NULL);
}

static int clear_all(void **unused)
{
    (void)unused;
    results.n = 0;
    return gb_clear() == GB_OK ? 0 : -1;
}

static void run_out(struct gb_state *state)
{
    while (gb_state_next_batch(state) != 0) {
    }
}

static void do_nothing(struct gb_state *state, void *payload)
{
    (void)payload;
    run_out(state);
}

static struct gb_benchmark_spec spec_of(gb_body body, void *payload)
{
    return (struct gb_benchmark_spec){
        .name = "b", .body = body, .payload = payload, .iterations = 10, .clock = GB_CLOCK_REAL};
}

static struct gb_benchmark *registered(const struct gb_benchmark_spec *spec)
{
    struct gb_benchmark *benchmark = NULL;
    assert_int_equal(gb_register(spec, &benchmark), GB_OK);
    assert_non_null(benchmark);
    return benchmark;
}

/* Arguments */

enum {
    LISTS_MAX = 32,
};

struct seen_args {
    size_t n;
    struct {
        size_t n_args;
        int64_t args[3];
    } lists[LISTS_MAX];
};

static void see_args(struct gb_state *state, void *payload)
{
    struct seen_args *seen = payload;
    assert_true(seen->n < LISTS_MAX);
    const size_t n_args = gb_state_args(state);
    seen->lists[seen->n].n_args = n_args;
    for (size_t i = 0; i < n_args; i++) {
        seen->lists[seen->n].args[i] = gb_state_arg(state, i);
    }
    seen->n++;
    run_out(state);
}

static void without_arguments_there_is_one_instance(void **unused)
{
    (void)unused;
    struct seen_args seen = {0};
    const struct gb_benchmark_spec spec = spec_of(see_args, &seen);
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.lists[0].n_args, 0);
}

static void single_arguments_ranges_and_steps_make_instances(void **unused)
{
    (void)unused;
    static const int64_t expected[] = {7, 1, 8, 64, 100, -4, -2, 0, INT64_MIN, INT64_MAX};
    struct seen_args seen = {0};
    const struct gb_benchmark_spec spec = spec_of(see_args, &seen);
    struct gb_benchmark *benchmark = registered(&spec);
    assert_int_equal(gb_benchmark_add_arg(benchmark, 7), GB_OK);
    assert_int_equal(gb_benchmark_add_range(benchmark, 1, 100, 8), GB_OK);
    assert_int_equal(gb_benchmark_add_dense_range(benchmark, -4, 1, 2), GB_OK);
    assert_int_equal(gb_benchmark_add_dense_range(benchmark, INT64_MIN, INT64_MIN, 1), GB_OK);
    assert_int_equal(gb_benchmark_add_range(benchmark, INT64_MAX, INT64_MAX, 2), GB_OK);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(seen.n, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < seen.n; i++) {
        assert_int_equal(seen.lists[i].n_args, 1);
        assert_int_equal(seen.lists[i].args[0], expected[i]);
    }
}

static void lists_and_products_of_arguments_make_instances(void **unused)
{
    (void)unused;
    static const int64_t expected[][2] = {{5, 6},  {1, 10}, {2, 10}, {1, 20},
                                          {2, 20}, {1, 30}, {2, 30}};
    static const int64_t list[] = {5, 6};
    static const int64_t first[] = {1, 2};
    static const int64_t second[] = {10, 20, 30};
    static const struct gb_arg_values product[] = {{first, 2}, {second, 3}};
    struct seen_args seen = {0};
    const struct gb_benchmark_spec spec = spec_of(see_args, &seen);
    struct gb_benchmark *benchmark = registered(&spec);
    assert_int_equal(gb_benchmark_add_args(benchmark, list, 2), GB_OK);
    assert_int_equal(gb_benchmark_add_product(benchmark, product, 2), GB_OK);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(seen.n, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < seen.n; i++) {
        assert_int_equal(seen.lists[i].n_args, 2);
        assert_int_equal(seen.lists[i].args[0], expected[i][0]);
        assert_int_equal(seen.lists[i].args[1], expected[i][1]);
    }
}

static void argument_names_are_part_of_the_name(void **unused)
{
    (void)unused;
    static const char *const names[] = {"rows", ""};
    static const int64_t list[] = {5, 6};
    struct seen_args seen = {0};
    struct gb_benchmark_spec spec = spec_of(see_args, &seen);
    spec.arg_names = names;
    spec.n_arg_names = 2;
    struct gb_benchmark *benchmark = registered(&spec);
    assert_int_equal(gb_benchmark_add_arg(benchmark, 5), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_args(benchmark, list, 2), GB_OK);
    assert_int_equal(run_all(), GB_OK);
    assert_string_equal(results.items[0].result.name, "b/rows:5/6/iterations:10/real_time");
}

static void argument_names_without_arguments_do_not_hide_a_benchmark(void **unused)
{
    (void)unused;
    static const char *const names[] = {"rows"};
    struct seen_args seen = {0};
    struct gb_benchmark_spec spec = spec_of(see_args, &seen);
    spec.arg_names = names;
    spec.n_arg_names = 1;
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(seen.n, 1);
}

static void impossible_arguments_are_refused_and_change_nothing(void **unused)
{
    (void)unused;
    static const int64_t list[GB_ARGS_MAX + 1] = {1, 2};
    static const struct gb_arg_values empty[] = {{list, 0}};
    static const struct gb_arg_values missing[] = {{NULL, 2}};
    static const struct gb_arg_values huge[] = {{list, SIZE_MAX}};
    static int64_t many[GB_INSTANCES_MAX];
    const struct gb_arg_values square[] = {{many, 200}, {many, 200}};
    struct gb_arg_values overflow[GB_ARGS_MAX]; /* 10000 to the 16th is 0 in 64 bits */
    for (size_t i = 0; i < GB_ARGS_MAX; i++) {
        overflow[i] = (struct gb_arg_values){many, GB_INSTANCES_MAX};
    }
    struct seen_args seen = {0};
    const struct gb_benchmark_spec spec = spec_of(see_args, &seen);
    struct gb_benchmark *benchmark = registered(&spec);
    assert_int_equal(gb_benchmark_add_product(benchmark, square, 2), GB_ERR_LIMIT);
    assert_int_equal(gb_benchmark_add_product(benchmark, overflow, GB_ARGS_MAX), GB_ERR_LIMIT);
    assert_int_equal(gb_benchmark_add_arg(benchmark, 1), GB_OK);
    assert_int_equal(gb_benchmark_add_arg(NULL, 1), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_args(benchmark, NULL, 1), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_args(benchmark, list, 0), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_args(benchmark, list, 2), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_args(benchmark, list, GB_ARGS_MAX + 1), GB_ERR_LIMIT);
    assert_int_equal(gb_benchmark_add_range(benchmark, 2, 1, 8), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_range(benchmark, 1, 2, 1), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_dense_range(benchmark, 2, 1, 1), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_dense_range(benchmark, 1, 2, 0), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_dense_range(benchmark, INT64_MIN, INT64_MAX, 1),
                     GB_ERR_LIMIT);
    assert_int_equal(gb_benchmark_add_dense_range(benchmark, 1, GB_INSTANCES_MAX, 1), GB_ERR_LIMIT);
    assert_int_equal(gb_benchmark_add_product(benchmark, empty, 1), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_product(benchmark, missing, 1), GB_ERR_INVALID);
    assert_int_equal(gb_benchmark_add_product(benchmark, huge, 1), GB_ERR_LIMIT);
    assert_int_equal(gb_benchmark_add_product(benchmark, NULL, 1), GB_ERR_INVALID);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(seen.n, 1);
}

/* Counters and labels */

static void set_counters(struct gb_state *state, void *payload)
{
    (void)payload;
    run_out(state);
    gb_state_set_counter(state, "a plain", 3, GB_COUNTER_PLAIN);
    gb_state_set_counter(state, "b rate", 3, GB_COUNTER_RATE);
    gb_state_set_counter(state, "c average", 3, GB_COUNTER_AVG_ITERATIONS);
    gb_state_set_counter(state, "d invariant", 3, GB_COUNTER_ITERATION_INVARIANT);
    gb_state_set_counter(state, "e inverse", 4, GB_COUNTER_INVERT | GB_COUNTER_KIB);
    gb_state_set_counter(state, "f all", 3,
                         GB_COUNTER_RATE | GB_COUNTER_ITERATION_INVARIANT | GB_COUNTER_INVERT);
    gb_state_set_label(state, "ignored");
    gb_state_set_label(state, "label");
}

static void counters_are_worked_out_by_their_flags(void **unused)
{
    (void)unused;
    const struct gb_benchmark_spec spec = spec_of(set_counters, NULL);
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    const struct gb_result *result = &results.items[0].result;
    const double seconds = result->real_total_s;
    const struct {
        const char *name;
        double value;
        unsigned flags;
    } expected[] = {
        {"a plain", 3, GB_COUNTER_PLAIN},
        {"b rate", 3 / seconds, GB_COUNTER_RATE},
        {"c average", 0.3, GB_COUNTER_AVG_ITERATIONS},
        {"d invariant", 30, GB_COUNTER_ITERATION_INVARIANT},
        {"e inverse", 0.25, GB_COUNTER_INVERT | GB_COUNTER_KIB},
        {"f all", seconds / 30,
         GB_COUNTER_RATE | GB_COUNTER_ITERATION_INVARIANT | GB_COUNTER_INVERT},
    };
    assert_int_equal(result->n_counters, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < result->n_counters; i++) {
        assert_string_equal(result->counters[i].name, expected[i].name);
        assert_close(result->counters[i].value, expected[i].value);
        assert_int_equal(result->counters[i].flags, expected[i].flags);
    }
    assert_string_equal(result->label, "label");
}

static void set_processed(struct gb_state *state, void *payload)
{
    (void)payload;
    run_out(state);
    gb_state_set_bytes_processed(state, 5000);
    gb_state_set_items_processed(state, 70);
}

static void bytes_and_items_become_rates(void **unused)
{
    (void)unused;
    const struct gb_benchmark_spec spec = spec_of(set_processed, NULL);
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    const struct gb_result *result = &results.items[0].result;
    assert_int_equal(result->n_counters, 2);
    assert_string_equal(result->counters[0].name, "bytes_per_second");
    assert_close(result->counters[0].value * result->real_total_s, 5000);
    assert_string_equal(result->counters[1].name, "items_per_second");
    assert_close(result->counters[1].value * result->real_total_s, 70);
}

/* Amounts and clocks */

/* Counts its iterations. */
static void take_a_millisecond_by_hand(struct gb_state *state, void *payload)
{
    uint64_t *iterations = payload;
    while (gb_state_next(state)) {
        ++*iterations;
        gb_state_set_iteration_time(state, 0.001);
    }
}

static void a_manual_clock_decides_the_time(void **unused)
{
    (void)unused;
    uint64_t iterations = 0;
    struct gb_benchmark_spec spec = spec_of(take_a_millisecond_by_hand, &iterations);
    spec.clock = GB_CLOCK_MANUAL;
    spec.unit = GB_UNIT_MS;
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    const struct gb_result *result = &results.items[0].result;
    assert_close(result->real_ns, 1e6);
    assert_close(result->real_total_s, 0.010);
    assert_int_equal(result->unit, GB_UNIT_MS);
}

static void without_iterations_the_least_time_decides_how_many(void **unused)
{
    (void)unused;
    uint64_t iterations = 0;
    struct gb_benchmark_spec spec = spec_of(take_a_millisecond_by_hand, &iterations);
    spec.clock = GB_CLOCK_MANUAL;
    spec.iterations = 0;
    spec.min_time_s = 2;
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(results.n, 1);
    const uint64_t reported = results.items[0].result.iterations;
    assert_true(reported >= 2000);
    assert_true(iterations > reported); /* finding out took some, too */

    const uint64_t cold = iterations;
    iterations = 0;
    spec.min_warmup_s = 1;
    assert_int_equal(gb_clear(), GB_OK);
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(results.items[0].result.iterations, reported);
    assert_true(iterations >= cold + 1000);
}

static void repetitions_are_followed_by_their_aggregates(void **unused)
{
    (void)unused;
    static const char *const aggregates[] = {"mean", "median", "stddev", "cv"};
    struct gb_benchmark_spec spec = spec_of(do_nothing, NULL);
    spec.repetitions = 3;
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(results.n, 3 + 4);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(results.items[i].result.run_type, GB_RUN_ITERATION);
        assert_int_equal(results.items[i].result.repetition, i);
    }
    for (size_t i = 0; i < 4; i++) {
        const struct gb_result *result = &results.items[3 + i].result;
        assert_int_equal(result->run_type, GB_RUN_AGGREGATE);
        assert_int_equal(result->repetition, -1);
        assert_int_equal(result->iterations, 3);
        assert_string_equal(result->aggregate_name, aggregates[i]);
        const bool fraction = i == 3;
        assert_int_equal(isnan(result->real_ns) != 0, fraction);
        assert_int_equal(isnan(result->real_fraction) != 0, !fraction);
    }
    const double mean_ns = (results.items[0].result.real_ns + results.items[1].result.real_ns +
                            results.items[2].result.real_ns) /
                           3;
    assert_close(results.items[3].result.real_ns, mean_ns);
}

static void repetitions_can_be_left_out_of_the_report(void **unused)
{
    (void)unused;
    struct gb_benchmark_spec spec = spec_of(do_nothing, NULL);
    spec.repetitions = 3;
    spec.aggregates_only = true;
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(results.n, 4);
    assert_int_equal(results.items[0].result.run_type, GB_RUN_AGGREGATE);
}

/* Threads */

struct thread_slots {
    uint64_t iterations[2];
    bool fail_second;
};

static void count_per_thread(struct gb_state *state, void *payload)
{
    struct thread_slots *slots = payload;
    const unsigned thread = gb_state_thread(state);
    assert_int_equal(gb_state_threads(state), 2);
    if (slots->fail_second && thread == 1) {
        gb_state_skip_with_error(state, "second");
    }
    while (gb_state_next(state)) {
        slots->iterations[thread]++;
    }
}

static void every_thread_runs_all_iterations(void **unused)
{
    (void)unused;
    struct thread_slots slots = {0};
    struct gb_benchmark_spec spec = spec_of(count_per_thread, &slots);
    spec.threads = 2;
    spec.process_cpu_time = true;
    registered(&spec);
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(slots.iterations[0], 10);
    assert_int_equal(slots.iterations[1], 10);
    assert_int_equal(results.items[0].result.threads, 2);
    assert_int_equal(results.items[0].result.iterations, 20);
    assert_non_null(strstr(results.items[0].result.name, "/process_time/real_time/threads:2"));
}

static void an_error_in_one_thread_fails_the_run_and_blocks_nobody(void **unused)
{
    (void)unused;
    struct thread_slots slots = {.fail_second = true};
    struct gb_benchmark_spec spec = spec_of(count_per_thread, &slots);
    spec.threads = 2;
    spec.repetitions = 3;
    registered(&spec);
    assert_int_equal(run_all(), GB_ERR_BODY);
    assert_int_equal(results.n, 3);
    for (size_t i = 0; i < results.n; i++) {
        assert_string_equal(results.items[i].result.error, "second");
    }
}

/* Choosing and failing */

static void filters_choose_and_their_absence_does_not(void **unused)
{
    (void)unused;
    static const struct {
        const char *filter;
        enum gb_code code;
        size_t n;
    } rows[] = {
        {"^one", GB_OK, 1},
        {"-^one", GB_OK, 1},
        {"", GB_OK, 2},
        {NULL, GB_OK, 2},
        {"three", GB_ERR_NO_MATCH, 99},
        {"(", GB_ERR_NO_MATCH, 99},
    };
    struct gb_benchmark_spec spec = spec_of(do_nothing, NULL);
    spec.name = "one";
    registered(&spec);
    spec.name = "two";
    registered(&spec);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        results.n = 0;
        size_t n_run = 99;
        const struct gb_run_spec run = {
            .filter = rows[i].filter, .report = collect, .report_payload = &results};
        struct capture err = capture(stderr);
        const enum gb_code code = gb_run(&run, &n_run);
        assert_int_equal(captured(&err), 0);
        assert_int_equal(code, rows[i].code);
        assert_int_equal(n_run, rows[i].n);
        assert_int_equal(results.n, rows[i].code == GB_OK ? rows[i].n : 0);
    }
}

static void a_benchmark_named_disabled_is_not_run(void **unused)
{
    (void)unused;
    struct gb_benchmark_spec spec = spec_of(do_nothing, NULL);
    spec.name = "DISABLED_b";
    registered(&spec);
    assert_int_equal(run_all(), GB_ERR_NO_MATCH);
}

static void running_without_benchmarks_says_so(void **unused)
{
    (void)unused;
    assert_int_equal(run_all(), GB_ERR_NO_MATCH);
    const struct gb_benchmark_spec spec = spec_of(do_nothing, NULL);
    registered(&spec);
    assert_int_equal(gb_clear(), GB_OK);
    assert_int_equal(run_all(), GB_ERR_NO_MATCH);
}

struct broken_args {
    bool repaired;
    int runs;
};

static void fail_for_two(struct gb_state *state, void *payload)
{
    struct broken_args *broken = payload;
    broken->runs++;
    if (!broken->repaired && gb_state_arg(state, 0) == 2) {
        gb_state_skip_with_error(state, "two");
    }
    run_out(state);
}

static void an_error_in_one_instance_leaves_the_others(void **unused)
{
    (void)unused;
    struct broken_args broken = {0};
    struct gb_benchmark_spec spec = spec_of(fail_for_two, &broken);
    spec.repetitions = 3;
    struct gb_benchmark *benchmark = registered(&spec);
    assert_int_equal(gb_benchmark_add_dense_range(benchmark, 1, 3, 1), GB_OK);
    assert_int_equal(run_all(), GB_ERR_BODY);
    size_t errors = 0;
    for (size_t i = 0; i < results.n; i++) {
        errors += results.items[i].result.error != NULL;
    }
    assert_int_equal(errors, 3);
    assert_int_equal(results.n, 3 * 3 + 2 * 4);
    assert_int_equal(broken.runs, 3 + 1 + 3);

    broken.repaired = true;
    assert_int_equal(run_all(), GB_OK);
    assert_int_equal(results.n, 3 * (3 + 4));
}

static void impossible_benchmarks_are_refused(void **unused)
{
    (void)unused;
    static const char *const names[] = {"a", NULL};
    const struct gb_benchmark_spec good = {.name = "b", .body = do_nothing};
    const struct {
        struct gb_benchmark_spec spec;
        enum gb_code code;
    } rows[] = {
        {{.name = NULL, .body = do_nothing}, GB_ERR_INVALID},
        {{.name = "", .body = do_nothing}, GB_ERR_INVALID},
        {{.name = "b"}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .min_time_s = -1}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .min_time_s = NAN}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .min_time_s = INFINITY}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .min_time_s = 1, .iterations = 1}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .min_warmup_s = 1}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .unit = (enum gb_time_unit)9}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .clock = (enum gb_clock)9}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .arg_names = names, .n_arg_names = 2}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .n_arg_names = 1}, GB_ERR_INVALID},
        {{.name = "b", .body = do_nothing, .n_arg_names = GB_ARGS_MAX + 1}, GB_ERR_LIMIT},
        {{.name = "b", .body = do_nothing, .iterations = GB_ITERATIONS_MAX + 1}, GB_ERR_LIMIT},
        {{.name = "b", .body = do_nothing, .repetitions = GB_REPETITIONS_MAX + 1}, GB_ERR_LIMIT},
        {{.name = "b", .body = do_nothing, .threads = GB_THREADS_MAX + 1}, GB_ERR_LIMIT},
    };
    assert_int_equal(gb_register(NULL, NULL), GB_ERR_INVALID);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gb_benchmark *untouched = NULL;
        assert_int_equal(gb_register(&rows[i].spec, &untouched), rows[i].code);
        assert_null(untouched);
    }
    assert_int_equal(run_all(), GB_ERR_NO_MATCH);
    assert_int_equal(gb_register(&good, NULL), GB_OK);
}

static void googles_own_reporter_can_be_used_again_and_again(void **unused)
{
    (void)unused;
    const struct gb_benchmark_spec spec = spec_of(do_nothing, NULL);
    registered(&spec);
    struct capture out = capture(stdout);
    struct capture err = capture(stderr);
    size_t n_run = 0;
    const enum gb_code first = gb_run(NULL, &n_run);
    const enum gb_code second = gb_run(NULL, NULL);
    (void)captured(&err);
    const off_t out_bytes = captured(&out);
    assert_int_equal(first, GB_OK);
    assert_int_equal(second, GB_OK);
    assert_int_equal(n_run, 1);
    assert_true(out_bytes > 0);
}

static void every_code_has_a_text(void **unused)
{
    (void)unused;
    for (int code = GB_OK; code <= GB_ERR_EXCEPTION; code++) {
        assert_string_not_equal(gb_code_text((enum gb_code)code), "");
        assert_string_not_equal(gb_code_text((enum gb_code)code), "unknown result code");
    }
    assert_string_equal(gb_code_text((enum gb_code)99), "unknown result code");
}

#define TEST(name) cmocka_unit_test_setup(name, clear_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_arguments_there_is_one_instance),
        TEST(single_arguments_ranges_and_steps_make_instances),
        TEST(lists_and_products_of_arguments_make_instances),
        TEST(argument_names_are_part_of_the_name),
        TEST(argument_names_without_arguments_do_not_hide_a_benchmark),
        TEST(impossible_arguments_are_refused_and_change_nothing),
        TEST(counters_are_worked_out_by_their_flags),
        TEST(bytes_and_items_become_rates),
        TEST(a_manual_clock_decides_the_time),
        TEST(without_iterations_the_least_time_decides_how_many),
        TEST(repetitions_are_followed_by_their_aggregates),
        TEST(repetitions_can_be_left_out_of_the_report),
        TEST(every_thread_runs_all_iterations),
        TEST(an_error_in_one_thread_fails_the_run_and_blocks_nobody),
        TEST(filters_choose_and_their_absence_does_not),
        TEST(a_benchmark_named_disabled_is_not_run),
        TEST(running_without_benchmarks_says_so),
        TEST(an_error_in_one_instance_leaves_the_others),
        TEST(impossible_benchmarks_are_refused),
        TEST(googles_own_reporter_can_be_used_again_and_again),
        TEST(every_code_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
