/* SPDX-License-Identifier: Apache-2.0
 *
 * That no C++ exception comes out of gbench, whoever throws it: a body, a report function, or
 * libbenchmark when memory runs out.
 *
 * The bodies that throw, and an operator new that fails on demand, are C++; they come from
 * tests.cmake, which makes them into a file of the build folder, and which compiles the header as
 * C++ with that.
 */
#include "gbench_collect.h"

/* In the generated file. */
void throw_exception(struct gb_state *state, void *payload);
void throw_number(struct gb_state *state, void *payload);
void throw_in_the_loop(struct gb_state *state, void *payload);
void throw_from_report(const struct gb_result *result, void *payload);
void fail_allocation(long nth); /* the nth from now on; 0 is the next, -1 none */
bool allocation_failed(void);   /* since the last fail_allocation() */

static struct collection results;

static void do_nothing(struct gb_state *state, void *payload)
{
    (void)payload;
    while (gb_state_next(state)) {
    }
}

static enum gb_code burst(gb_body body, gb_report report)
{
    results.n = 0;
    const struct gb_burst_spec spec = {
        .name = "b",
        .body = body,
        .iterations = 10,
        .repetitions = 3,
        .report = report,
        .report_payload = &results,
    };
    return gb_burst(&spec);
}

static void what_a_body_throws_is_the_error_of_its_run(void **unused)
{
    (void)unused;
    static const struct {
        gb_body body;
        const char *error;
    } rows[] = {
        {throw_exception, "thrown by a body"},
        {throw_number, "something was thrown that is no std::exception"},
        {throw_in_the_loop, "thrown in the loop"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(burst(rows[i].body, collect), GB_ERR_BODY);
        assert_int_equal(results.n, 3);
        assert_string_equal(results.items[0].result.error, rows[i].error);
    }
}

static void what_a_report_throws_is_a_code(void **unused)
{
    (void)unused;
    assert_int_equal(burst(do_nothing, throw_from_report), GB_ERR_EXCEPTION);
    assert_int_equal(burst(do_nothing, collect), GB_OK);
    assert_int_equal(results.n, 3);
}

static void use_everything(struct gb_state *state, void *payload)
{
    (void)payload;
    (void)gb_state_arg(state, 0);
    (void)gb_state_arg(state, 7);
    while (gb_state_next(state)) {
    }
    gb_state_set_label(state, "a label that is too long for a small string to hold");
    gb_state_set_counter(state, "a counter with a name of some length", 1, GB_COUNTER_RATE);
    gb_state_set_bytes_processed(state, 1);
    gb_state_skip_with_error(state, "an error that is too long for a small string to hold");
}

static void count_results(const struct gb_result *result, void *payload)
{
    assert_non_null(result->error);
    ++*(int *)payload;
}

/* Everything that allocates, in one go. */
static enum gb_code register_and_run(gb_body body, void *n_results)
{
    static const char *const names[] = {"an argument's name", "x"};
    const struct gb_benchmark_spec spec = {
        .name = "a name that is too long for a small string to hold",
        .body = body,
        .iterations = 2,
        .repetitions = 2,
        .threads = 1,
        .arg_names = names,
        .n_arg_names = 2,
    };
    static const int64_t args[] = {1, 2};
    struct gb_benchmark *benchmark = NULL;
    enum gb_code code = gb_register(&spec, &benchmark);
    if (code == GB_OK) {
        code = gb_benchmark_add_args(benchmark, args, 2);
    }
    const struct gb_run_spec run = {
        .filter = ".", .report = count_results, .report_payload = n_results};
    if (code == GB_OK) {
        code = gb_run(&run, NULL);
    }
    return code;
}

/* What was registered by half is not run as if it were whole. */
static void run_what_is_left(void)
{
    int n_results = 0;
    const struct gb_run_spec run = {
        .filter = ".", .report = count_results, .report_payload = &n_results};
    const enum gb_code code = gb_run(&run, NULL);
    assert_true(code == GB_ERR_BODY || code == GB_ERR_NO_MATCH);
}

/*
 * Fails the first allocation, then the second …, until nothing fails any more. What can't be
 * allocated inside a body is that run's error; outside it is GB_ERR_NOMEM.
 */
static void running_out_of_memory_is_a_code_or_an_error(void **unused)
{
    (void)unused;
    enum { ENOUGH = 100000 };
    int n_results = 0;
    assert_int_equal(register_and_run(use_everything, &n_results), GB_ERR_BODY);
    assert_int_equal(n_results, 2);
    long nth = 0;
    int refusals = 0;
    for (; nth < ENOUGH; nth++) {
        assert_int_equal(gb_clear(), GB_OK);
        fail_allocation(nth);
        const enum gb_code code = register_and_run(use_everything, &n_results);
        const bool failed = allocation_failed();
        fail_allocation(-1);
        if (!failed) {
            break;
        }
        refusals += code == GB_ERR_NOMEM;
        assert_true(code == GB_ERR_NOMEM || code == GB_ERR_BODY);
        run_what_is_left();
    }
    assert_true(nth > 20 && nth < ENOUGH);
    assert_true(refusals > 20);
}

static void bursts_survive_running_out_of_memory(void **unused)
{
    (void)unused;
    enum { ENOUGH = 100000 };
    long nth = 0;
    for (; nth < ENOUGH; nth++) {
        fail_allocation(nth);
        const enum gb_code code = burst(do_nothing, collect);
        const bool failed = allocation_failed();
        fail_allocation(-1);
        if (!failed) {
            break;
        }
        assert_true(code == GB_ERR_NOMEM || code == GB_ERR_BODY);
    }
    assert_true(nth > 10 && nth < ENOUGH);
    assert_int_equal(burst(do_nothing, collect), GB_OK);
    assert_int_equal(results.n, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_body_throws_is_the_error_of_its_run),
        cmocka_unit_test(what_a_report_throws_is_a_code),
        cmocka_unit_test(running_out_of_memory_is_a_code_or_an_error),
        cmocka_unit_test(bursts_survive_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
