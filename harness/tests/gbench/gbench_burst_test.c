/* SPDX-License-Identifier: Apache-2.0
 *
 * Bursts: that what was asked for is run and timed, and that whatever a body does comes out as a
 * result and not as an abort. Also run with an environment that would mislead libbenchmark.
 */
#include "gbench_collect.h"

static struct gb_burst_spec burst_of(gb_body body, void *payload, struct collection *results)
{
    return (struct gb_burst_spec){
        .name = "b",
        .body = body,
        .payload = payload,
        .iterations = 1000,
        .repetitions = 4,
        .report = collect,
        .report_payload = results,
    };
}

/* How often what was called; the payload of most bodies here. */
struct tally {
    uint64_t bodies;
    uint64_t iterations;
    uint64_t batches;
};

static void count_in_batches(struct gb_state *state, void *payload)
{
    struct tally *tally = payload;
    tally->bodies++;
    for (uint64_t n; (n = gb_state_next_batch(state)) != 0;) {
        tally->batches++;
        tally->iterations += n;
    }
}

static void count_one_by_one(struct gb_state *state, void *payload)
{
    struct tally *tally = payload;
    tally->bodies++;
    while (gb_state_next(state)) {
        tally->iterations++;
    }
}

static void a_burst_runs_exactly_the_iterations_asked_for(void **unused)
{
    (void)unused;
    static const uint64_t counts[] = {1, 2, 1000, 123457};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        static struct collection results;
        results.n = 0;
        struct tally batches = {0};
        struct gb_burst_spec burst = burst_of(count_in_batches, &batches, &results);
        burst.iterations = counts[i];
        assert_int_equal(gb_burst(&burst), GB_OK);
        assert_int_equal(batches.iterations, 4 * counts[i]);
        assert_int_equal(batches.bodies, 4);
        assert_int_equal(batches.batches, 4);

        struct tally single = {0};
        burst.body = count_one_by_one;
        burst.payload = &single;
        assert_int_equal(gb_burst(&burst), GB_OK);
        assert_int_equal(single.iterations, 4 * counts[i]);
        assert_int_equal(single.bodies, 4);
        for (size_t k = 0; k < results.n; k++) {
            assert_int_equal(results.items[k].result.iterations, counts[i]);
        }
    }
}

static void every_repetition_is_reported_once_in_order_and_without_aggregates(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct tally tally = {0};
    struct gb_burst_spec burst = burst_of(count_in_batches, &tally, &results);
    burst.repetitions = 7;
    assert_int_equal(gb_burst(&burst), GB_OK);
    assert_int_equal(results.n, 7);
    for (size_t i = 0; i < results.n; i++) {
        const struct gb_result *result = &results.items[i].result;
        assert_int_equal(result->run_type, GB_RUN_ITERATION);
        assert_int_equal(result->repetition, i);
        assert_int_equal(result->repetitions, 7);
        assert_int_equal(result->threads, 1);
        assert_null(result->error);
        assert_null(result->label);
        assert_null(result->aggregate_name);
        assert_int_equal(result->n_counters, 0);
        assert_true(isnan(result->real_fraction) && isnan(result->cpu_fraction));
    }
}

static void times_are_per_iteration_and_in_total(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct tally tally = {0};
    const struct gb_burst_spec burst = burst_of(count_one_by_one, &tally, &results);
    assert_int_equal(gb_burst(&burst), GB_OK);
    for (size_t i = 0; i < results.n; i++) {
        const struct gb_result *result = &results.items[i].result;
        assert_true(result->real_total_s > 0);
        assert_true(result->cpu_total_s >= 0);
        assert_close(result->real_ns * 1000 / 1e9, result->real_total_s);
        assert_close(result->cpu_ns * 1000 / 1e9, result->cpu_total_s);
    }
}

struct sink {
    volatile uint64_t sum;
};

static void spin(struct sink *sink, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        sink->sum += i;
    }
}

static void spin_in_batches(struct gb_state *state, void *payload)
{
    for (uint64_t n; (n = gb_state_next_batch(state)) != 0;) {
        spin(payload, n);
    }
}

/* The smallest of many repetitions is what an interruption can't touch. */
static double smallest_total_s(gb_body body, uint64_t iterations)
{
    static struct collection results;
    results.n = 0;
    struct sink sink = {0};
    struct gb_burst_spec burst = burst_of(body, &sink, &results);
    burst.iterations = iterations;
    burst.repetitions = 25;
    assert_int_equal(gb_burst(&burst), GB_OK);
    double smallest_s = INFINITY;
    for (size_t i = 0; i < results.n; i++) {
        smallest_s = fmin(smallest_s, results.items[i].result.real_total_s);
    }
    return smallest_s;
}

static void a_hundred_times_the_iterations_take_longer(void **unused)
{
    (void)unused;
    assert_true(smallest_total_s(spin_in_batches, 200000) >
                2 * smallest_total_s(spin_in_batches, 2000));
}

enum {
    PAUSED_SPINS = 200000,
};

static void spin_paused(struct gb_state *state, void *payload)
{
    while (gb_state_next(state)) {
        gb_state_pause(state);
        spin(payload, PAUSED_SPINS);
        gb_state_resume(state);
    }
}

static void spin_unpaused(struct gb_state *state, void *payload)
{
    while (gb_state_next(state)) {
        spin(payload, PAUSED_SPINS);
    }
}

static void time_between_pause_and_resume_does_not_count(void **unused)
{
    (void)unused;
    assert_true(smallest_total_s(spin_unpaused, 1) > 2 * smallest_total_s(spin_paused, 1));
}

/* Bodies that go wrong. Each fails in the repetition that its payload counts down to. */
struct failure {
    int good_runs;
    int runs;
    uint64_t iterations;
};

static bool is_due(struct failure *failure)
{
    return failure->runs++ >= failure->good_runs;
}

static void run_to_the_end(struct gb_state *state, struct failure *failure)
{
    while (gb_state_next(state)) {
        failure->iterations++;
    }
}

static void fail_before_the_loop(struct gb_state *state, void *payload)
{
    if (is_due(payload)) {
        gb_state_skip_with_error(state, "before");
    } else {
        run_to_the_end(state, payload);
    }
}

static void fail_before_the_loop_and_enter_it(struct gb_state *state, void *payload)
{
    if (is_due(payload)) {
        gb_state_skip_with_error(state, "before, entered");
    }
    run_to_the_end(state, payload);
}

static void fail_in_the_loop(struct gb_state *state, void *payload)
{
    struct failure *failure = payload;
    const bool due = is_due(failure);
    while (gb_state_next(state)) {
        failure->iterations++;
        if (due) {
            gb_state_skip_with_error(state, "inside");
        }
    }
}

static void fail_in_the_batch(struct gb_state *state, void *payload)
{
    const bool due = is_due(payload);
    while (gb_state_next_batch(state) != 0) {
        if (due) {
            gb_state_skip_with_error(state, "batch");
        }
    }
}

static void fail_while_paused(struct gb_state *state, void *payload)
{
    const bool due = is_due(payload);
    while (gb_state_next(state)) {
        gb_state_pause(state);
        if (due) {
            gb_state_skip_with_error(state, "paused");
        }
        gb_state_resume(state);
    }
}

static void fail_and_then_pause(struct gb_state *state, void *payload)
{
    const bool due = is_due(payload);
    while (gb_state_next(state)) {
        if (due) {
            gb_state_skip_with_error(state, "then paused");
            gb_state_pause(state);
            gb_state_resume(state);
        }
    }
}

static void fail_after_the_loop(struct gb_state *state, void *payload)
{
    const bool due = is_due(payload);
    run_to_the_end(state, payload);
    if (due) {
        gb_state_skip_with_error(state, "after");
    }
}

static void fail_twice(struct gb_state *state, void *payload)
{
    const bool due = is_due(payload);
    run_to_the_end(state, payload);
    if (due) {
        gb_state_skip_with_error(state, "first");
        gb_state_skip_with_error(state, "second");
    }
}

static void fail_without_a_message(struct gb_state *state, void *payload)
{
    const bool due = is_due(payload);
    run_to_the_end(state, payload);
    if (due) {
        gb_state_skip_with_error(state, NULL);
    }
}

static void leave_the_loop_early(struct gb_state *state, void *payload)
{
    if (!is_due(payload)) {
        run_to_the_end(state, payload);
    } else {
        (void)gb_state_next(state);
    }
}

static void leave_the_loop_paused(struct gb_state *state, void *payload)
{
    if (!is_due(payload)) {
        run_to_the_end(state, payload);
    } else {
        (void)gb_state_next(state);
        gb_state_pause(state);
    }
}

static void never_enter_the_loop(struct gb_state *state, void *payload)
{
    if (!is_due(payload)) {
        run_to_the_end(state, payload);
    }
}

static void ask_for_an_argument(struct gb_state *state, void *payload)
{
    if (is_due(payload)) {
        assert_int_equal(gb_state_arg(state, 3), 0);
    }
    run_to_the_end(state, payload);
}

static void set_a_nameless_counter(struct gb_state *state, void *payload)
{
    run_to_the_end(state, payload);
    if (is_due(payload)) {
        gb_state_set_counter(state, NULL, 1, GB_COUNTER_PLAIN);
    }
}

static void change_counter_flags(struct gb_state *state, void *payload)
{
    run_to_the_end(state, payload);
    gb_state_set_counter(state, "c", 1, GB_COUNTER_PLAIN);
    if (is_due(payload)) {
        gb_state_set_counter(state, "c", 1, GB_COUNTER_RATE);
    }
}

static void set_a_negative_time(struct gb_state *state, void *payload)
{
    run_to_the_end(state, payload);
    if (is_due(payload)) {
        gb_state_set_iteration_time(state, -1);
    }
}

static void set_no_time(struct gb_state *state, void *payload)
{
    run_to_the_end(state, payload);
    if (is_due(payload)) {
        gb_state_set_iteration_time(state, NAN);
    }
}

static const char early[] = "the body returned before its loop was over";
static const char no_time[] = "an iteration time that is negative or not a number";

static const struct {
    gb_body body;
    const char *error;
} failures[] = {
    {fail_before_the_loop, "before"},
    {fail_before_the_loop_and_enter_it, "before, entered"},
    {fail_in_the_loop, "inside"},
    {fail_in_the_batch, "batch"},
    {fail_while_paused, "paused"},
    {fail_and_then_pause, "then paused"},
    {fail_after_the_loop, "after"},
    {fail_twice, "first"},
    {fail_without_a_message, ""},
    {leave_the_loop_early, early},
    {leave_the_loop_paused, early},
    {never_enter_the_loop, early},
    {ask_for_an_argument, "there is no argument number 3"},
    {set_a_nameless_counter, "a counter without a name"},
    {change_counter_flags, "counter c had other flags before"},
    {set_a_negative_time, no_time},
    {set_no_time, no_time},
};

static void check_failure(size_t row, int good_runs)
{
    static struct collection results;
    results.n = 0;
    struct failure failure = {.good_runs = good_runs};
    struct gb_burst_spec burst = burst_of(failures[row].body, &failure, &results);
    burst.repetitions = 6;
    assert_int_equal(gb_burst(&burst), GB_ERR_BODY);
    assert_int_equal(results.n, 6);
    assert_int_equal(failure.runs, good_runs + 1); /* what failed is not run again */
    for (int i = 0; i < 6; i++) {
        const struct gb_result *result = &results.items[i].result;
        assert_int_equal(result->repetition, i);
        if (i < good_runs) {
            assert_null(result->error);
            assert_true(result->real_ns > 0);
        } else {
            assert_string_equal(result->error, failures[row].error);
            assert_true(isnan(result->real_ns) && isnan(result->cpu_ns));
        }
    }
}

static void an_error_inside_a_body_comes_out_as_an_error(void **unused)
{
    (void)unused;
    for (size_t row = 0; row < sizeof failures / sizeof failures[0]; row++) {
        check_failure(row, 0);
        check_failure(row, 3);
        check_failure(row, 5);
    }
}

static void a_loop_ends_at_its_next_question_after_an_error(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct failure failure = {.good_runs = 0};
    const struct gb_burst_spec burst = burst_of(fail_in_the_loop, &failure, &results);
    assert_int_equal(gb_burst(&burst), GB_ERR_BODY);
    assert_int_equal(failure.iterations, 1);
}

static void a_burst_after_a_failed_one_is_like_any_other(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct failure failure = {.good_runs = 0};
    struct gb_burst_spec burst = burst_of(fail_in_the_loop, &failure, &results);
    assert_int_equal(gb_burst(&burst), GB_ERR_BODY);
    results.n = 0;
    failure.good_runs = 1000;
    assert_int_equal(gb_burst(&burst), GB_OK);
    assert_null(results.items[0].result.error);
}

static void misuse_the_clock(struct gb_state *state, void *payload)
{
    struct tally *tally = payload;
    gb_state_pause(state);
    gb_state_resume(state);
    while (gb_state_next(state)) {
        tally->iterations++;
        gb_state_resume(state);
        gb_state_pause(state);
        gb_state_pause(state);
        if (tally->iterations % 2 == 0) {
            gb_state_resume(state);
        }
    }
    gb_state_resume(state);
    gb_state_pause(state);
    assert_false(gb_state_next(state));
    assert_int_equal(gb_state_next_batch(state), 0);
}

static void pausing_and_asking_at_odd_moments_does_no_harm(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct tally tally = {0};
    struct gb_burst_spec burst = burst_of(misuse_the_clock, &tally, &results);
    burst.iterations = 7;
    assert_int_equal(gb_burst(&burst), GB_OK);
    assert_int_equal(tally.iterations, 4 * 7);
}

static void label_and_count(struct gb_state *state, void *payload)
{
    (void)payload;
    assert_int_equal(gb_state_args(state), 0);
    assert_int_equal(gb_state_threads(state), 1);
    assert_int_equal(gb_state_thread(state), 0);
    while (gb_state_next_batch(state) != 0) {
    }
    gb_state_set_label(state, "label");
    gb_state_set_counter(state, "iterations", (double)gb_state_iterations(state), GB_COUNTER_PLAIN);
}

static void labels_and_counters_arrive_in_bursts(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    const struct gb_burst_spec burst = burst_of(label_and_count, NULL, &results);
    assert_int_equal(gb_burst(&burst), GB_OK);
    for (size_t i = 0; i < results.n; i++) {
        const struct gb_result *result = &results.items[i].result;
        assert_string_equal(result->label, "label");
        assert_int_equal(result->n_counters, 1);
        assert_string_equal(result->counters[0].name, "iterations");
        assert_close(result->counters[0].value, 1000);
    }
}

static void any_name_comes_back_as_it_is(void **unused)
{
    (void)unused;
    static const char *const names[] = {"",  "DISABLED_b", "a/b",        "%s%n",
                                        "(", "-x",         "two\nlines", "\xff\xfe"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        static struct collection results;
        results.n = 0;
        struct tally tally = {0};
        struct gb_burst_spec burst = burst_of(count_in_batches, &tally, &results);
        burst.name = names[i];
        assert_int_equal(gb_burst(&burst), GB_OK);
        assert_int_equal(results.n, 4);
        assert_string_equal(results.items[3].result.name, names[i]);
        burst.name = NULL;
        assert_int_equal(gb_burst(&burst), GB_OK);
        assert_string_equal(results.items[4].result.name, "");
    }
}

static void a_burst_prints_nothing(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct capture out = capture(stdout);
    struct capture err = capture(stderr);
    struct tally tally = {0};
    struct gb_burst_spec burst = burst_of(count_in_batches, &tally, &results);
    const enum gb_code good = gb_burst(&burst);
    struct failure failure = {0};
    burst.body = fail_in_the_loop;
    burst.payload = &failure;
    const enum gb_code bad = gb_burst(&burst);
    const off_t err_bytes = captured(&err);
    const off_t out_bytes = captured(&out);
    assert_int_equal(good, GB_OK);
    assert_int_equal(bad, GB_ERR_BODY);
    assert_int_equal(out_bytes, 0);
    assert_int_equal(err_bytes, 0);
}

static void impossible_bursts_are_refused_and_not_run(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct tally tally = {0};
    const struct gb_burst_spec good = burst_of(count_in_batches, &tally, &results);
    struct gb_burst_spec no_body = good, no_report = good, no_iterations = good;
    struct gb_burst_spec no_repetitions = good, many_iterations = good, many_repetitions = good;
    no_body.body = NULL;
    no_report.report = NULL;
    no_iterations.iterations = 0;
    no_repetitions.repetitions = 0;
    many_iterations.iterations = UINT64_MAX;
    many_repetitions.repetitions = UINT32_MAX;
    assert_int_equal(gb_burst(NULL), GB_ERR_INVALID);
    assert_int_equal(gb_burst(&no_body), GB_ERR_INVALID);
    assert_int_equal(gb_burst(&no_report), GB_ERR_INVALID);
    assert_int_equal(gb_burst(&no_iterations), GB_ERR_INVALID);
    assert_int_equal(gb_burst(&no_repetitions), GB_ERR_INVALID);
    assert_int_equal(gb_burst(&many_iterations), GB_ERR_LIMIT);
    assert_int_equal(gb_burst(&many_repetitions), GB_ERR_LIMIT);
    assert_int_equal(results.n, 0);
    assert_int_equal(tally.bodies, 0);
}

static void count_results(const struct gb_result *result, void *payload)
{
    assert_null(result->error);
    ++*(uint64_t *)payload;
}

static void thousands_of_repetitions_are_possible(void **unused)
{
    (void)unused;
    struct tally tally = {0};
    uint64_t n_results = 0;
    struct gb_burst_spec burst = burst_of(count_in_batches, &tally, NULL);
    burst.repetitions = 5000;
    burst.report = count_results;
    burst.report_payload = &n_results;
    assert_int_equal(gb_burst(&burst), GB_OK);
    assert_int_equal(n_results, 5000);
    assert_int_equal(tally.bodies, 5000);
}

static void a_burst_leaves_nothing_registered(void **unused)
{
    (void)unused;
    static struct collection results;
    results.n = 0;
    struct tally tally = {0}, registered = {0};
    const struct gb_benchmark_spec spec = {
        .name = "r", .body = count_in_batches, .payload = &registered};
    assert_int_equal(gb_register(&spec, NULL), GB_OK);
    const struct gb_burst_spec burst = burst_of(count_in_batches, &tally, &results);
    assert_int_equal(gb_burst(&burst), GB_OK);
    const struct gb_run_spec run = {.filter = ".", .report = collect, .report_payload = &results};
    assert_int_equal(gb_run(&run, NULL), GB_ERR_NO_MATCH);
    assert_int_equal(tally.bodies, 4);
    assert_int_equal(registered.bodies, 0);
}

static void preparing_can_be_repeated(void **unused)
{
    (void)unused;
    assert_int_equal(gb_prepare(), GB_OK);
    assert_int_equal(gb_prepare(), GB_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_prints_nothing),
        cmocka_unit_test(a_burst_runs_exactly_the_iterations_asked_for),
        cmocka_unit_test(every_repetition_is_reported_once_in_order_and_without_aggregates),
        cmocka_unit_test(times_are_per_iteration_and_in_total),
        cmocka_unit_test(a_hundred_times_the_iterations_take_longer),
        cmocka_unit_test(time_between_pause_and_resume_does_not_count),
        cmocka_unit_test(an_error_inside_a_body_comes_out_as_an_error),
        cmocka_unit_test(a_loop_ends_at_its_next_question_after_an_error),
        cmocka_unit_test(a_burst_after_a_failed_one_is_like_any_other),
        cmocka_unit_test(pausing_and_asking_at_odd_moments_does_no_harm),
        cmocka_unit_test(labels_and_counters_arrive_in_bursts),
        cmocka_unit_test(any_name_comes_back_as_it_is),
        cmocka_unit_test(impossible_bursts_are_refused_and_not_run),
        cmocka_unit_test(thousands_of_repetitions_are_possible),
        cmocka_unit_test(a_burst_leaves_nothing_registered),
        cmocka_unit_test(preparing_can_be_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
