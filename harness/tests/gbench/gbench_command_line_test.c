/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line: flags are taken out and obeyed, nothing ends the process, bursts don't care.
 */
#include "gbench_collect.h"

#include <stdlib.h>

enum {
    ARGS_MAX = 6,
};

/* A writable argv, as main() gets it. */
struct command_line {
    int argc;
    char texts[ARGS_MAX][TEXT_BYTES];
    char *argv[ARGS_MAX + 1];
};

static struct command_line *command_line(const char *const *args, size_t n_args)
{
    static struct command_line line;
    line = (struct command_line){.argc = (int)n_args + 1};
    strcpy(line.texts[0], "program");
    for (size_t i = 0; i < n_args; i++) {
        (void)keep_text(line.texts[i + 1], args[i]);
    }
    for (size_t i = 0; i <= n_args; i++) {
        line.argv[i] = line.texts[i];
    }
    return &line;
}

static enum gb_code initialize(const char *flag)
{
    struct command_line *line = command_line(&flag, 1);
    const enum gb_code code = gb_initialize(&line->argc, line->argv);
    assert_int_equal(line->argc, code == GB_OK ? 1 : line->argc);
    return code;
}

static void do_nothing(struct gb_state *state, void *payload)
{
    (void)payload;
    while (gb_state_next(state)) {
    }
}

static void fail_with(struct gb_state *state, void *payload)
{
    gb_state_skip_with_error(state, payload);
}

/* Only `one` and `two` when that is left out. */
static void register_all(gb_body other)
{
    const struct gb_benchmark_spec one = {.name = "one", .body = do_nothing, .iterations = 5};
    const struct gb_benchmark_spec two = {.name = "two", .body = do_nothing, .iterations = 5};
    const struct gb_benchmark_spec three = {
        .name = "three", .body = other, .payload = "wrong", .iterations = 5};
    assert_int_equal(gb_clear(), GB_OK);
    assert_int_equal(gb_register(&one, NULL), GB_OK);
    assert_int_equal(gb_register(&two, NULL), GB_OK);
    if (other != NULL) {
        assert_int_equal(gb_register(&three, NULL), GB_OK);
    }
}

static struct collection results;

static enum gb_code run_all(size_t *n_run)
{
    results.n = 0;
    const struct gb_run_spec run = {.report = collect, .report_payload = &results};
    return gb_run(&run, n_run);
}

static void known_flags_are_taken_out_and_the_others_left(void **unused)
{
    (void)unused;
    static const char *const args[] = {"--mine", "--benchmark_color=false", "file",
                                       "--benchmark_repetitions=1"};
    struct command_line *line = command_line(args, 4);
    assert_int_equal(gb_initialize(&line->argc, line->argv), GB_OK);
    assert_int_equal(line->argc, 3);
    assert_string_equal(line->argv[0], "program");
    assert_string_equal(line->argv[1], "--mine");
    assert_string_equal(line->argv[2], "file");

    struct capture err = capture(stderr);
    const bool unrecognized = gb_report_unrecognized(line->argc, line->argv);
    const bool nothing_left = gb_report_unrecognized(1, line->argv);
    assert_true(captured(&err) > 0);
    assert_true(unrecognized);
    assert_false(nothing_left);
}

static void flags_are_obeyed(void **unused)
{
    (void)unused;
    register_all(NULL);
    assert_int_equal(initialize("--benchmark_filter=^two"), GB_OK);
    size_t n_run = 0;
    assert_int_equal(run_all(&n_run), GB_OK);
    assert_int_equal(n_run, 1);
    assert_int_equal(results.n, 1);
    assert_string_equal(results.items[0].result.name, "two/iterations:5");

    assert_int_equal(initialize("--benchmark_repetitions=3"), GB_OK);
    assert_int_equal(run_all(NULL), GB_OK);
    assert_int_equal(results.n, 3 + 4);
    assert_int_equal(initialize("--benchmark_repetitions=1"), GB_OK);
    assert_int_equal(initialize("--benchmark_filter="), GB_OK);
}

static void wrong_flags_and_help_are_an_error_and_not_the_end(void **unused)
{
    (void)unused;
    struct capture out = capture(stdout);
    struct capture err = capture(stderr);
    const enum gb_code help = initialize("--help");
    const enum gb_code format = initialize("--benchmark_format=nonsense");
    const enum gb_code good = initialize("--benchmark_format=console");
    const enum gb_code unit = initialize("--benchmark_time_unit=weeks");
    const enum gb_code good_unit = initialize("--benchmark_time_unit=ns");
    const off_t err_bytes = captured(&err);
    const off_t out_bytes = captured(&out);
    assert_int_equal(help, GB_ERR_USAGE);
    assert_int_equal(format, GB_ERR_USAGE);
    assert_int_equal(good, GB_OK);
    assert_int_equal(unit, GB_ERR_USAGE);
    assert_int_equal(good_unit, GB_OK);
    assert_int_equal(out_bytes + err_bytes, 0);
    struct command_line *line = command_line(NULL, 0);
    assert_int_equal(gb_initialize(NULL, line->argv), GB_ERR_INVALID);
    assert_int_equal(gb_initialize(&line->argc, NULL), GB_ERR_INVALID);
}

static void the_usual_main_has_the_usual_exit_codes(void **unused)
{
    (void)unused;
    static const struct {
        gb_body other;
        const char *arg;
        int exit_code;
        bool on_stdout;
        bool on_stderr;
    } rows[] = {
        {NULL, "--benchmark_filter=one", 0, true, true},
        {NULL, "--help", 0, true, false},
        {NULL, "--benchmark_filter=nobody", 1, false, true},
        {NULL, "--benchmark_color=", 2, true, false},
        {NULL, "--benchmark_color=false", 1, false, true}, /* the filter is kept */
        {fail_with, "--benchmark_filter=three", 1, true, true},
        {NULL, "--unknown", 2, false, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        register_all(rows[i].other);
        struct command_line *line = command_line(&rows[i].arg, 1);
        struct capture out = capture(stdout);
        struct capture err = capture(stderr);
        const int exit_code = gb_main(line->argc, line->argv);
        const off_t err_bytes = captured(&err);
        const off_t out_bytes = captured(&out);
        assert_int_equal(exit_code, rows[i].exit_code);
        assert_int_equal(out_bytes > 0, rows[i].on_stdout);
        assert_int_equal(err_bytes > 0, rows[i].on_stderr);
    }
}

static void help_and_context_are_printed(void **unused)
{
    (void)unused;
    assert_int_equal(gb_add_context(NULL, "value"), GB_ERR_INVALID);
    assert_int_equal(gb_add_context("key", NULL), GB_ERR_INVALID);
    assert_int_equal(gb_add_context("key", "value"), GB_OK);
    struct capture out = capture(stdout);
    gb_print_help();
    assert_true(captured(&out) > 0);
}

static void set_misleading_flags(void)
{
    static const char *const flags[] = {
        "--benchmark_dry_run=true",  "--benchmark_report_aggregates_only=true",
        "--benchmark_list_tests",    "--benchmark_out=no/such/folder",
        "--benchmark_filter=nobody", "--benchmark_min_warmup_time=0.1",
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        struct command_line *line = command_line(&flags[i], 1);
        assert_int_equal(gb_initialize(&line->argc, line->argv),
                         GB_OK); /* not all know the first */
    }
}

static void bursts_are_not_misled_by_flags(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        set_misleading_flags();
        results.n = 0;
        const struct gb_burst_spec burst = {
            .name = "b",
            .body = do_nothing,
            .iterations = 9,
            .repetitions = 2,
            .report = collect,
            .report_payload = &results,
        };
        assert_int_equal(gb_burst(&burst), GB_OK);
        assert_int_equal(results.n, 2);
        assert_int_equal(results.items[1].result.iterations, 9);
        assert_int_equal(results.items[1].result.run_type, GB_RUN_ITERATION);
    }
}

/* libbenchmark would end the process with exit code 0, which looks like success from outside. */
static bool finished;

static void notice_an_early_end(void)
{
    if (!finished) {
        _exit(1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_flags_are_taken_out_and_the_others_left),
        cmocka_unit_test(flags_are_obeyed),
        cmocka_unit_test(wrong_flags_and_help_are_an_error_and_not_the_end),
        cmocka_unit_test(the_usual_main_has_the_usual_exit_codes),
        cmocka_unit_test(help_and_context_are_printed),
        cmocka_unit_test(bursts_are_not_misled_by_flags),
    };
    (void)atexit(notice_an_early_end);
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    finished = true;
    return failures;
}
