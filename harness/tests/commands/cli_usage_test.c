/* SPDX-License-Identifier: Apache-2.0
 *
 * Help, the list of what there is, and every way of saying something that makes no sense.
 */
#include "cli.h"

#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "commands/all.h"

static void help_names_every_command_and_option(void **state)
{
    struct cli *cli = *state;
    size_t n = 0;
    const struct pb_command *const *commands = pb_commands_all(&n);
    cli_run(cli, "--help");
    cli_expect(cli, 0);
    assert_string_equal(cli->err.text, "");
    const char *const whole = pb_arena_strdup(&cli->arena, cli->out.text);
    static const char *const ways[] = {"help", "--help", "-h"};
    for (size_t i = 0; i < n; i++) {
        assert_non_null(strstr(whole, commands[i]->name));
        assert_non_null(strstr(whole, commands[i]->summary));
        for (size_t w = 0; w < 3; w++) {
            w == 0 ? cli_run(cli, "help", commands[i]->name)
                   : cli_run(cli, commands[i]->name, ways[w]);
            cli_expect(cli, 0);
            cli_expect_out(cli, commands[i]->summary);
            for (size_t k = 0; k < commands[i]->n_options; k++) {
                cli_expect_out(cli,
                               pb_arena_printf(&cli->arena, "--%s", commands[i]->options[k].name));
                cli_expect_out(cli, commands[i]->options[k].help);
            }
        }
    }
    cli_run(cli, "help");
    cli_expect(cli, 0);
    assert_string_equal(cli->out.text, whole);
    cli_run(cli, "--version");
    cli_expect(cli, 0);
    assert_int_equal(strncmp(cli->out.text, "pairbench ", 10), 0);
}

static void what_makes_no_sense_is_refused_with_the_offending_text(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *args[6];
        const char *text;
    } rows[] = {
        {{"frobnicate"}, "'frobnicate'"},
        {{"help", "frobnicate"}, "'frobnicate'"},
        {{"--frobnicate", "list"}, "'--frobnicate'"},
        {{"-x", "list"}, "'-x'"},
        {{"--db"}, "'--db'"},
        {{"--format", "yaml", "list"}, "--format 'yaml': text or json is wanted"},
        {{"--format=yaml", "list"}, "'yaml'"},
        {{"--color", "sometimes", "list"}, "'sometimes'"},
        {{"list", "--frobnicate"}, "'--frobnicate'"},
        {{"check", "stray"}, "'stray'"},
        {{"report", "stray"}, "'stray'"},
        {{"run", "--launches"}, "'--launches'"},
        {{"run", "--launches", "3", "--launches", "4"}, "'launches'"},
        {{"run", "--quick=3"}, "'--quick=3'"},
        {{"run", "--launches", "-1"}, "'-1'"},
        {{"run", "--launches", "4097"}, "'4097': a whole number from 0 to 4096"},
        {{"run", "--launches", "3x"}, "'3x'"},
        {{"run", "--launches", "0x10"}, "'0x10'"},
        {{"run", "--launches", "1e2"}, "'1e2'"},
        {{"run", "--launches", ""}, "''"},
        {{"run", "--launches", " 3"}, "' 3'"},
        {{"run", "--launches", "99999999999999999999"}, "'99999999999999999999'"},
        {{"run", "--seed", "18446744073709551616"}, "'18446744073709551616'"},
        {{"run", "--budget", "0"}, "'0'"},
        {{"run", "--budget", "-2m"}, "'-2m'"},
        {{"run", "--budget", "soon"}, "'soon': a duration"},
        {{"run", "--budget", "2d"}, "'2d'"},
        {{"run", "--budget", "inf"}, "'inf'"},
        {{"run", "--budget", "1e3s"}, "'1e3s'"},
        {{"run", "--budget", "1000h"}, "'1000h'"},
        {{"run", "--timeout", "nan"}, "'nan'"},
        {{"run", "--inject", "x"}, "--inject 'x': GLOB=+N%"},
        {{"run", "--inject", "=+1%"}, "'=+1%'"},
        {{"run", "--inject", "*=1"}, "'1': a percentage"},
        {{"run", "--inject", "*=0.05"}, "'0.05'"},
        {{"run", "--inject", "*=1.5x"}, "'1.5x'"},
        {{"run", "--inject", "*=-95%"}, "'-95%'"},
        {{"run", "--inject", "*=1001%"}, "'1001%'"},
        {{"run", "--inject", "*=abc"}, "'abc'"},
        {{"run", "--inject", "*="}, "''"},
        {{"run", "--inject", "*=nan%"}, "'nan%'"},
        {{"run", "--inject", "*=+0.0001%"}, "the least is 0.001%"},
        {{"run", "--label", "nothing"}, "'nothing'"},
        {{"run", "--label", "=x"}, "'=x'"},
        {{"run", "--label", "a=b,c"}, "'a=b,c'"},
        {{"check", "--fail-on", "regressed,never"}, "'never' is none of regressed, "},
        {{"check", "--fail-on", ""}, "''"},
        {{"check", "--fail-on", "failed,"}, "''"},
        {{"check", "--fail-on", "Failed"}, "'Failed'"},
        {{"baseline"}, "''"},
        {{"baseline", "shave"}, "'shave'"},
        {{"baseline", "save", "here", "there"}, "'there'"},
        {{"list", "\x1b[31m"}, "\\x1b[31m"},
        {{"\x1b[31m"}, "\\x1b[31m"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *argv[9] = {PB_TEST_PROGRAM, "--suite", CLI_PLAIN};
        const bool global = rows[i].args[0][0] == '-';
        memcpy(argv + (global ? 1 : 3), rows[i].args, sizeof rows[i].args);
        cli_run_argv(cli, argv);
        cli_expect_refusal(cli, 2, rows[i].text);
        assert_int_not_equal(access(cli->db, F_OK), 0); /* and no database is left behind */
    }
}

static void without_a_command_the_help_is_pointed_at(void **state)
{
    struct cli *cli = *state;
    cli_run_argv(cli, (const char *const[]){PB_TEST_PROGRAM, NULL});
    cli_expect_refusal(cli, 2, "pairbench --help");
}

static void what_matches_nothing_is_refused_before_anything_runs(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "run", "plain/wrote/*");
    cli_expect_refusal(cli, 2, "'plain/wrote/*'; the nearest name is plain/write");
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--filter", "x", "plain/*");
    cli_expect_refusal(cli, 2, "'x'");
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--inject", "plain/wrote/*=+1%");
    cli_expect_refusal(cli, 2, "'plain/wrote/*=");
    cli_run(cli, "--suite", CLI_PLAIN, "run", "*/brief/new", "--inject", "*/floor=+1%");
    cli_expect_refusal(cli, 2, "matches nothing that is to be measured");
    assert_int_not_equal(access(cli->db, F_OK), 0);
}

static void suites_that_can_not_be_used_are_named(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *suite;
        const char *text;
    } rows[] = {
        {"/no/such.so", "/no/such.so: No such file"},
        {CLI_SUITE("no_suite"), "no_suite.so: it is no suite"},
        {CLI_SUITE("duplicate"), "two benchmarks are named duplicate/twice/"},
    };
    static const char *const commands[] = {"list", "run"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            cli_run(cli, "--suite", rows[i].suite, commands[k]);
            cli_expect_refusal(cli, 2, rows[i].text);
        }
    }
    setenv("PB_TEST_BROKEN", "abi", 1);
    cli_run(cli, "--suite", CLI_SUITE("broken_table"), "list");
    unsetenv("PB_TEST_BROKEN");
    cli_expect_refusal(cli, 2, "wants ABI 1");
    setenv("PB_TEST_LOAD", "abort", 1);
    cli_run(cli, "--suite", CLI_SUITE("broken_table"), "list");
    unsetenv("PB_TEST_LOAD");
    cli_expect_refusal(cli, 2, "died of signal 6 (Aborted) while the suite was loaded");
}

static void the_list_has_names_summaries_and_sources(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "list");
    cli_expect(cli, 0);
    static const char *const texts[] = {
        "plain/write",
        "Writes eight words",
        "made up for tests",
        "a call for each word",
        "brief",
        "longer",
        "on_request",
        "floor",
        "bound",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cli_expect_out(cli, texts[i]);
    }
    cli_run(cli, "--suite", CLI_PLAIN, "-q", "list");
    cli_expect(cli, 0);
    assert_string_equal(cli->out.text,
                        "plain/write/brief/old\nplain/write/brief/new\nplain/write/brief/floor\n"
                        "plain/write/longer/old\nplain/write/longer/new\nplain/write/longer/floor\n"
                        "plain/write/on_request/old\nplain/write/on_request/new\n"
                        "plain/write/on_request/floor\n");
    cli_run(cli, "--suite", CLI_PLAIN, "list", "-q", "*/brief/new");
    cli_expect(cli, 0);
    assert_string_equal(cli->out.text, "plain/write/brief/old\nplain/write/brief/new\n");
}

static void the_list_is_a_json_document(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "--suite", CLI_SUITE("hostile"), "--format", "json", "list");
    cli_expect(cli, 0);
    assert_string_equal(cli->err.text, "");
    struct json_object *list = cli_json(cli, "list");
    assert_int_equal(cli_count(cli_get(list, "suites"), "name", NULL), 2);
    struct json_object *its_case = cli_find(cli_get(list, "cases"), "name", "plain/write");
    assert_non_null(its_case);
    assert_string_equal(cli_text(its_case, "summary"), "Writes eight words");
    assert_string_equal(cli_text(its_case, "source"), "made up for tests");
    assert_string_equal(cli_text(its_case, "variants/0/name"), "old");
    assert_int_equal(cli_count(cli_get(its_case, "scenarios"), "name", NULL), 3);
}

static void options_may_stand_behind_operands(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite=" CLI_PLAIN, "run", "*/brief/new", "--no-store", "--launches=0", "-q",
            "--filter", "*/longer/new", "--", "*/brief/floor");
    cli_expect(cli, 0);
    assert_int_not_equal(access(cli->db, F_OK), 0);
}

static void global_options_may_stand_behind_the_command(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "list", "--suite", CLI_PLAIN, "*/brief/new", "--format=json", "--db", "other.db");
    cli_expect(cli, 0);
    assert_int_equal(cli_count(cli_get(cli_json(cli, "list"), "suites"), "name", NULL), 1);
    cli_run(cli, "run", "--no-store", "--launches", "0", "--suite", CLI_PLAIN, "--quiet", "--label",
            "note=--format");
    cli_expect(cli, 0);
    static const struct {
        const char *args[3];
        const char *text;
    } rows[] = {
        {{"list", "--format", "xml"}, "--format 'xml'"},
        {{"list", "--format"}, "a value is missing behind '--format'"},
        {{"list", "--", "--format"}, "'--format'"}, /* a pattern */
        {{"list", "--quiet=yes"}, "'--quiet=yes'"},
        {{"run", "--label", "--format"}, "'--format': K=V"}, /* an option's value */
        {{"report", "--db", "no-such.db"}, "no-such.db"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *argv[7] = {PB_TEST_PROGRAM, "--suite", CLI_PLAIN};
        memcpy(argv + 3, rows[i].args, sizeof rows[i].args);
        cli_run_argv(cli, argv);
        cli_expect_refusal(cli, 2, rows[i].text);
    }
}

static void output_that_can_not_be_written_is_an_error(void **state)
{
    struct cli *cli = *state;
    static const char *const scripts[] = {
        "exec \"$0\" --help >/dev/full",
        "exec \"$0\" --suite '" CLI_PLAIN "' list >/dev/full",
        "exec \"$0\" --suite '" CLI_PLAIN "' --format json list >/dev/full",
        "exec \"$0\" --suite '" CLI_PLAIN "' run --launches 0 >/dev/full",
        "exec \"$0\" --suite '" CLI_PLAIN "' list >&-",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        cli_run_shell(cli, scripts[i]);
        cli_expect(cli, 2);
        cli_expect_err(cli, "can't write to stdout");
    }
    assert_int_equal(cli_n_runs(cli), 1); /* what was measured is stored first */
}

static void closed_descriptors_and_an_ignored_child_signal_do_no_harm(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "\"$0\" --suite '" CLI_PLAIN "' run --launches 1 <&- 2>&-");
    cli_expect(cli, 0);
    cli_run_shell(cli, "\"$0\" --suite '" CLI_PLAIN "' run --launches 1 <&- >&- 2>&-");
    cli_expect(cli, 2);
    cli_run_shell(cli,
                  "exec env --ignore-signal=CHLD \"$0\" --suite '" CLI_PLAIN "' run --launches 1");
    cli_expect(cli, 0);
    assert_int_equal(cli_n_runs(cli), 3);
}

/* Runs pairbench on a terminal of its own; what it printed goes to cli->out. */
static void run_on_terminal(struct cli *cli, const char *const *argv)
{
    int terminal = -1;
    pb_strbuf_reset(&cli->out);
    const pid_t pid = forkpty(&terminal, NULL, NULL, NULL);
    if (pid == 0) {
        setenv("TERM", "xterm", 1);
        if (chdir(cli->folder) == 0) {
            execv(argv[0], (char *const *)argv);
        }
        _exit(126);
    }
    assert_true(pid > 0);
    char chunk[4096];
    ssize_t n;
    while ((n = read(terminal, chunk, sizeof chunk)) > 0) { /* EIO when all have closed it */
        pb_strbuf_add(&cli->out, chunk, (size_t)n);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(terminal);
    cli->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void colours_are_for_terminals_that_want_them(void **state)
{
    struct cli *cli = *state;
    static const char *const argv[] = {PB_TEST_PROGRAM, "--suite", CLI_PLAIN, "run",
                                       "--launches",    "1",       NULL};
    static const char colour[] = "\x1b[3";
    unsetenv("NO_COLOR");
    run_on_terminal(cli, argv);
    cli_expect(cli, 0);
    cli_expect_out(cli, colour);
    setenv("NO_COLOR", "1", 1);
    run_on_terminal(cli, argv);
    unsetenv("NO_COLOR");
    cli_expect(cli, 0);
    assert_null(strstr(cli->out.text, colour));
    cli_run_argv(cli, argv);
    cli_expect(cli, 0);
    cli_expect_not(cli, "\x1b");
    cli_run(cli, "--color", "always", "--suite", CLI_PLAIN, "run", "--launches", "0");
    cli_expect_out(cli, colour);
}

/* The launch that hangs makes the run long enough for progress to be shown. */
static void progress_is_for_terminals_only(void **state)
{
    struct cli *cli = *state;
    static const char *const argv[] = {
        PB_TEST_PROGRAM, "--suite", CLI_SUITE("hostile"), "run", "*/hangs", "--timeout", "1100ms",
        "--launches",    "0",       "--no-store",         NULL};
    static const char erase[] = "\x1b[K";
    unsetenv("NO_COLOR");
    run_on_terminal(cli, argv);
    cli_expect(cli, 3);
    cli_expect_out(cli, erase);
    cli_expect_out(cli, "hostile/new_does_it/hangs"); /* what comes next */
    cli_run_argv(cli, argv);
    cli_expect(cli, 3);
    cli_expect_not(cli, "\r");
    assert_string_equal(cli->err.text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(help_names_every_command_and_option),
        CLI_TEST(what_makes_no_sense_is_refused_with_the_offending_text),
        CLI_TEST(without_a_command_the_help_is_pointed_at),
        CLI_TEST(what_matches_nothing_is_refused_before_anything_runs),
        CLI_TEST(suites_that_can_not_be_used_are_named),
        CLI_TEST(the_list_has_names_summaries_and_sources),
        CLI_TEST(the_list_is_a_json_document),
        CLI_TEST(options_may_stand_behind_operands),
        CLI_TEST(global_options_may_stand_behind_the_command),
        CLI_TEST(output_that_can_not_be_written_is_an_error),
        CLI_TEST(closed_descriptors_and_an_ignored_child_signal_do_no_harm),
        CLI_TEST(colours_are_for_terminals_that_want_them),
        CLI_TEST(progress_is_for_terminals_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
