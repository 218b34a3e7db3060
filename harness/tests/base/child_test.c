/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that behave and programs that do not.
 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Long enough to never be met by a child that behaves. */
#define PATIENCE_S 60.0

struct result {
    struct pb_strbuf output;
    struct pb_strbuf errors;
    struct pb_child_outcome outcome;
    struct pb_error err;
    enum pb_code code;
};

static void run(const char *const *argv, const char *input, struct result *result)
{
    *result = (struct result){0};
    pb_strbuf_init(&result->output);
    pb_strbuf_init(&result->errors);
    const struct pb_child_spec spec = {
        .argv = argv,
        .input = input,
        .deadline_s = PATIENCE_S,
        .output = &result->output,
        .errors = &result->errors,
    };
    result->code = pb_child_run(&spec, &result->outcome, &result->err);
}

static void run_shell(const char *script, const char *input, struct result *result)
{
    run((const char *const[]){"sh", "-c", script, NULL}, input, result);
    assert_int_equal(result->code, PB_OK);
    assert_false(result->outcome.timed_out);
}

static void release(struct result *result)
{
    pb_strbuf_release(&result->output);
    pb_strbuf_release(&result->errors);
}

static void output_and_errors_are_kept_apart(void **state)
{
    (void)state;
    struct result result;
    run_shell("echo out; echo err >&2; echo more", NULL, &result);
    assert_string_equal(result.output.text, "out\nmore\n");
    assert_string_equal(result.errors.text, "err\n");
    assert_int_equal(result.outcome.exit_code, 0);
    assert_int_equal(result.outcome.signal, 0);
    release(&result);
}

static void how_it_ended_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        int exit_code;
        int signal;
    } rows[] = {
        {"exit 0", 0, 0},
        {"exit 7", 7, 0},
        {"exit 255", 255, 0},
        {"kill -TERM $$", -1, SIGTERM},
        {"kill -KILL $$", -1, SIGKILL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result result;
        run_shell(rows[i].script, NULL, &result);
        assert_int_equal(result.outcome.exit_code, rows[i].exit_code);
        assert_int_equal(result.outcome.signal, rows[i].signal);
        release(&result);
    }
}

static void what_can_not_be_started_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *program;
        enum pb_code code;
    } rows[] = {
        {"no-such-program-anywhere", PB_ERR_NOT_FOUND},
        {"/no/such/program", PB_ERR_NOT_FOUND},
        {"/dev/null", PB_ERR_CHILD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result result;
        run((const char *const[]){rows[i].program, NULL}, NULL, &result);
        assert_int_equal(result.code, rows[i].code);
        assert_non_null(strstr(result.err.message, rows[i].program));
        release(&result);
    }
}

static void a_missing_folder_is_not_a_missing_program(void **state)
{
    (void)state;
    const char *const argv[] = {"true", NULL};
    struct pb_child_outcome outcome;
    struct pb_error err;
    const struct pb_child_spec spec = {
        .argv = argv, .directory = "/no/such/folder", .deadline_s = PATIENCE_S};
    assert_int_equal(pb_child_run(&spec, &outcome, &err), PB_ERR_CHILD);
    assert_non_null(strstr(err.message, "/no/such/folder"));
}

static void it_runs_where_it_is_told_to(void **state)
{
    (void)state;
    struct pb_strbuf output = {0};
    struct pb_child_outcome outcome;
    struct pb_error err;
    const struct pb_child_spec spec = {.argv = (const char *const[]){"pwd", NULL},
                                       .directory = "/",
                                       .deadline_s = PATIENCE_S,
                                       .output = &output};
    assert_int_equal(pb_child_run(&spec, &outcome, &err), PB_OK);
    assert_string_equal(output.text, "/\n");
    pb_strbuf_release(&output);
}

static void a_call_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const char *const argv[] = {"true", NULL};
    const char *const nothing[] = {NULL};
    const struct pb_child_spec rows[] = {
        {.argv = NULL, .deadline_s = 1},
        {.argv = nothing, .deadline_s = 1},
        {.argv = argv, .deadline_s = 0},
        {.argv = argv, .deadline_s = -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_child_outcome outcome;
        struct pb_error err;
        assert_int_equal(pb_child_run(&rows[i], &outcome, &err), PB_ERR_USAGE);
    }
}

/* A text longer than any pipe. */
static char *long_text(size_t n)
{
    char *text = malloc(n + 1);
    assert_non_null(text);
    memset(text, 'x', n);
    text[n] = '\0';
    return text;
}

static void much_input_and_much_output_do_not_block_each_other(void **state)
{
    (void)state;
    enum { MUCH = 1 << 20 };
    char *text = long_text(MUCH);
    struct result result;
    run_shell("tee /dev/stderr", text, &result);
    assert_int_equal(result.output.length, MUCH);
    assert_int_equal(result.errors.length, MUCH);
    assert_string_equal(result.output.text, text);
    release(&result);
    free(text);
}

static void input_that_nobody_reads_is_no_error(void **state)
{
    (void)state;
    char *text = long_text(1 << 20);
    struct result result;
    run_shell("exec <&-; echo done", text, &result);
    assert_string_equal(result.output.text, "done\n");
    release(&result);
    free(text);
}

static void input_is_fed_though_output_is_thrown_away(void **state)
{
    (void)state;
    char *text = long_text(1 << 20);
    struct pb_child_outcome outcome;
    struct pb_error err;
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){"sh", "-c", "exit $(($(wc -c) / 65536))", NULL},
        .input = text,
        .deadline_s = PATIENCE_S,
    };
    assert_int_equal(pb_child_run(&spec, &outcome, &err), PB_OK);
    assert_false(outcome.timed_out);
    assert_int_equal(outcome.exit_code, (1 << 20) / 65536);
    free(text);
}

static void without_input_there_is_nothing_to_read(void **state)
{
    (void)state;
    struct result result;
    run_shell("wc -c", NULL, &result);
    assert_int_equal(strtol(result.output.text, NULL, 10), 0);
    release(&result);
}

static void no_shell_looks_at_the_arguments(void **state)
{
    (void)state;
    struct result result;
    run((const char *const[]){"printf", "%s\n", "$(echo no) `echo no` * \"'\\", "", NULL}, NULL,
        &result);
    assert_int_equal(result.code, PB_OK);
    assert_string_equal(result.output.text, "$(echo no) `echo no` * \"'\\\n\n");
    release(&result);
}

static void a_child_speaks_the_c_locale(void **state)
{
    (void)state;
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    struct result result;
    run_shell("echo $LC_ALL", NULL, &result);
    assert_string_equal(result.output.text, "C.UTF-8\n");
    unsetenv("LC_ALL");
    release(&result);
}

/* Everything that the child started holds a pipe's other end: the pipe ends when all are gone. */
static void the_deadline_ends_a_child_and_what_it_started(void **state)
{
    (void)state;
    int held[2];
    assert_int_equal(pipe(held), 0);
    fcntl(held[0], F_SETFD, FD_CLOEXEC);
    struct pb_strbuf output = {0};
    struct pb_child_outcome outcome = {0};
    struct pb_error err;
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){"sh", "-c", "echo begun; sleep 1000 & sleep 1000", NULL},
        .deadline_s = 0.2,
        .output = &output,
    };
    assert_int_equal(pb_child_run(&spec, &outcome, &err), PB_OK);
    close(held[1]);
    assert_true(outcome.timed_out);
    struct pollfd polled = {.fd = held[0], .events = POLLIN};
    assert_int_equal(poll(&polled, 1, (int)(1000 * PATIENCE_S)), 1);
    char byte;
    assert_int_equal(read(held[0], &byte, 1), 0);
    close(held[0]);
    pb_strbuf_release(&output);
}

static void a_child_that_closes_its_output_still_meets_its_deadline(void **state)
{
    (void)state;
    struct pb_child_outcome outcome = {0};
    struct pb_error err;
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){"sh", "-c", "exec sleep 1000 <&- >&- 2>&-", NULL},
        .deadline_s = 0.1,
    };
    assert_int_equal(pb_child_run(&spec, &outcome, &err), PB_OK);
    assert_true(outcome.timed_out);
    assert_int_equal(outcome.signal, SIGKILL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_errors_are_kept_apart),
        cmocka_unit_test(how_it_ended_is_told),
        cmocka_unit_test(what_can_not_be_started_is_an_error),
        cmocka_unit_test(a_missing_folder_is_not_a_missing_program),
        cmocka_unit_test(it_runs_where_it_is_told_to),
        cmocka_unit_test(a_call_that_makes_no_sense_is_refused),
        cmocka_unit_test(much_input_and_much_output_do_not_block_each_other),
        cmocka_unit_test(input_that_nobody_reads_is_no_error),
        cmocka_unit_test(input_is_fed_though_output_is_thrown_away),
        cmocka_unit_test(without_input_there_is_nothing_to_read),
        cmocka_unit_test(no_shell_looks_at_the_arguments),
        cmocka_unit_test(a_child_speaks_the_c_locale),
        cmocka_unit_test(the_deadline_ends_a_child_and_what_it_started),
        cmocka_unit_test(a_child_that_closes_its_output_still_meets_its_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
