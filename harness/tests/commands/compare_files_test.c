/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench compare` on suites that are built already. Where times decide, head does twice the
 * work; everything else is asked with a budget of a millisecond, which is one launch each.
 */
#include "cli.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "synthetic_run.h"
#include "test_folder.h"

#define BASE CLI_SUITE("compared_base")
#define SAME CLI_SUITE("compared_same")
#define HEAD CLI_SUITE("compared_head")

/* Runs `compare` with JSON and one launch for each benchmark. */
#define COMPARE_BRIEFLY(cli, ...)                                                                  \
    cli_run((cli), "--format", "json", "compare", "--budget", "1ms", "--as-built", "none",         \
            "--cache", "cache", __VA_ARGS__)

static struct json_object *pair_named(struct cli *cli, const char *name)
{
    struct json_object *pair = cli_find(cli_get(cli->json, "pairs"), "name", name);
    if (pair == NULL) {
        fail_msg("no pair %s in:\n%s", name, cli->out.text);
    }
    return pair;
}

static void identical_code_is_said_to_be_so_and_not_timed(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--format", "json", "compare", BASE, SAME);
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    struct json_object *pair = pair_named(cli, "compared/same/old");
    assert_true(json_object_get_boolean(cli_get(pair, "identical")));
    assert_string_equal(cli_text(pair, "verdict"), "unchanged");
    assert_int_equal(cli_int(pair, "launches"), 0);
    assert_true(cli_is_null(pair, "change_pct"));
    assert_string_equal(cli_text(pair, "reason"), "identical machine code and data: not timed");
    cli_run(cli, "compare", BASE, SAME);
    cli_expect(cli, 0);
    cli_expect_out(cli, "identical");
    cli_expect_out(cli, "--time-identical");
    cli_expect_not(cli, "warning");
}

static void identical_code_is_timed_when_asked_for(void **state)
{
    struct cli *cli = *state;
    COMPARE_BRIEFLY(cli, BASE, SAME, "--time-identical", "--filter", "*/same");
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    assert_int_equal(cli_int(pair_named(cli, "compared/same/old"), "launches"), 1);
    COMPARE_BRIEFLY(cli, BASE, BASE, "--time-identical", "--filter", "*/same"); /* one file */
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    assert_int_equal(cli_int(pair_named(cli, "compared/same/old"), "launches"), 1);
    assert_string_not_equal(cli_text(cli->json, "base/suite"), cli_text(cli->json, "head/suite"));
    assert_int_not_equal(access(cli_text(cli->json, "head/suite"), F_OK), 0); /* and gone */
}

static void everything_that_can_be_is_named(void **state)
{
    struct cli *cli = *state;
    COMPARE_BRIEFLY(cli, BASE, HEAD);
    cli_expect(cli, 3);
    cli_json(cli, "compare");
    static const struct {
        const char *name;
        const char *verdict;
        const char *reason;
    } rows[] = {
        {"compared/of_base/old", "missing", "base has it, head has not"},
        {"compared/of_head/old", "added", "head has it, base has not"},
        {"compared/differs/old", "failed", "output differs from base's at byte 2 of 8"},
        {"compared/crashes/old", "failed", "died of signal 6"},
        {"compared/same/old", "inconclusive", "only 1 launch"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *pair = pair_named(cli, rows[i].name);
        assert_string_equal(cli_text(pair, "verdict"), rows[i].verdict);
        assert_non_null(strstr(cli_text(pair, "reason"), rows[i].reason));
    }
    assert_int_equal(cli_int(pair_named(cli, "compared/differs/old"), "launches"), 0);
    struct json_object *counts = cli_get(pair_named(cli, "compared/writes/old"), "count_changes");
    assert_int_equal(json_object_array_length(counts), 1);
    assert_string_equal(cli_text(counts, "0/name"), "writes");
    assert_int_equal(cli_int(counts, "0/base"), 1);
    assert_int_equal(cli_int(counts, "0/head"), 3);
    assert_null(cli_find(cli_get(cli->json, "pairs"), "scenario", "on_request"));
    assert_string_equal(cli_text(cli->json, "base/kind"), "file");
    assert_int_equal(cli_int(cli->json, "base/layouts"), 3);
    assert_int_equal(cli_int(cli->json, "exit_code"), 3);
    assert_int_equal(cli_int(cli->json, "summary/failed"), 2);
}

static void twice_the_work_is_a_regression_and_half_an_improvement(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--format", "json", "compare", BASE, HEAD, "--filter", "*/slower");
    cli_expect(cli, 1);
    cli_json(cli, "compare");
    struct json_object *pair = pair_named(cli, "compared/slower/old");
    assert_string_equal(cli_text(pair, "verdict"), "regressed");
    assert_true(cli_number(pair, "change_pct") > 40);
    assert_true(cli_number(pair, "lo_pct") > 10);
    assert_true(json_object_get_boolean(cli_get(pair, "flagged")));
    assert_true(cli_number(pair, "p") < 0.01);
    assert_true(cli_number(pair, "screen_change_pct") > 40);
    assert_true(cli_number(pair, "as_built/change_pct") > 40);
    assert_true(cli_number(pair, "head_best_ns") > cli_number(pair, "base_best_ns"));
    assert_int_equal(json_object_array_length(cli_get(cli->json, "benchmarks")), 2);
    assert_string_equal(cli_text(cli->json, "benchmarks/0/side"), "base");
    cli_run(cli, "--format", "json", "compare", HEAD, BASE, "--filter", "*/slower", "--as-built",
            "none");
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    pair = pair_named(cli, "compared/slower/old");
    assert_string_equal(cli_text(pair, "verdict"), "improved");
    assert_true(cli_number(pair, "hi_pct") < -10);
    assert_true(cli_is_null(pair, "as_built"));
}

static void injected_work_is_found_in_head_and_marked(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "compare", BASE, SAME, "--filter", "*/same", "--inject", "*=+100%", "--as-built",
            "none", "--cache", "cache");
    cli_expect(cli, 1);
    cli_expect_out(cli, "regressed");
    cli_expect_out(cli, "changes were injected into head");
    cli_run(cli, "compare", BASE, SAME, "--filter", "*/same", "--inject", "*/writes=+100%");
    cli_expect_refusal(cli, 2, "--inject '*/writes=…' matches nothing that is to be measured");
}

static void a_difference_in_output_may_be_allowed(void **state)
{
    struct cli *cli = *state;
    COMPARE_BRIEFLY(cli, BASE, HEAD, "--filter", "*/differs", "--allow-different-output");
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    cli_expect_not(cli, "--allow-different-output");
    struct json_object *pair = pair_named(cli, "compared/differs/old");
    assert_int_equal(cli_int(pair, "launches"), 1);
    struct json_object *head = cli_find(cli_get(cli->json, "benchmarks"), "side", "head");
    assert_non_null(strstr(cli_text(head, "reason"), "output differs"));
    cli_run(cli, "compare", BASE, HEAD, "--budget", "1ms", "--filter", "*/differs",
            "--allow-different-output");
    cli_expect_out(cli, "output differs from base's at byte 2 of 8");
    cli_expect_out(cli, "(allowed)");
    COMPARE_BRIEFLY(cli, BASE, HEAD, "--filter", "*/differs");
    cli_expect(cli, 3);
    cli_expect_err(cli, "1 benchmark was not timed, since head's output is another: "
                        "--allow-different-output does");
}

static void a_filter_chooses_on_both_sides(void **state)
{
    struct cli *cli = *state;
    COMPARE_BRIEFLY(cli, BASE, HEAD, "--filter", "*/of_head", "--filter", "compared/on_request");
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    assert_int_equal(cli_count(cli_get(cli->json, "pairs"), "name", NULL), 2);
    assert_string_equal(cli_text(pair_named(cli, "compared/of_head/old"), "verdict"), "added");
    assert_int_equal(cli_int(pair_named(cli, "compared/on_request/old"), "launches"), 1);
    cli_run(cli, "compare", BASE, HEAD, "--filter", "*/sam");
    cli_expect_refusal(cli, 2, "no benchmark matches '*/sam'");
}

static void thresholds_have_a_grammar(void **state)
{
    struct cli *cli = *state;
    static const char *const bad[] = {"0.05", "1.5x", "abc", "-5%", "", "101%", "1e1%", "5 %", "%"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cli_run(cli, "compare", BASE, HEAD, "--margin", bad[i]);
        cli_expect_refusal(cli, 2, pb_arena_printf(&cli->arena, "--margin '%s'", bad[i]));
        cli_run(cli, "compare", BASE, HEAD, "--equivalence", bad[i]);
        cli_expect_refusal(cli, 2, pb_arena_printf(&cli->arena, "--equivalence '%s'", bad[i]));
    }
    cli_run(cli, "compare", BASE, HEAD, "--equivalence", "0%");
    cli_expect_refusal(cli, 2, "more than 0%");
    COMPARE_BRIEFLY(cli, BASE, HEAD, "--filter", "*/same", "--margin", "0%", "--equivalence",
                    "+0.5%");
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    assert_true(cli_number(cli->json, "margin_pct") == 0);
    assert_true(fabs(cli_number(cli->json, "equivalence_pct") - 0.5) < 1e-12);
}

static void other_values_are_checked_before_anything_is_loaded(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *option;
        const char *value;
        const char *text;
    } rows[] = {
        {"--layouts", "8", "--layouts '8'"},    {"--layouts", "x", "--layouts 'x'"},
        {"--as-built", "some", "--as-built"},   {"--seed", "-1", "--seed '-1'"},
        {"--budget", "0", "--budget '0'"},      {"--inject", "x", "--inject 'x'"},
        {"--fail-on", "nonsense", "--fail-on"}, {"--cache", "", "--cache ''"},
        {"--timeout", "never", "--timeout"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cli_run(cli, "compare", CLI_SUITE("no_suite"), HEAD, rows[i].option, rows[i].value);
        cli_expect_refusal(cli, 2, rows[i].text);
    }
    cli_run(cli, "compare");
    cli_expect_refusal(cli, 2, "BASE is missing");
    cli_run(cli, "compare", BASE, HEAD, "third");
    cli_expect_refusal(cli, 2, "unexpected operand 'third'");
    cli_run(cli, "compare", "--merge-base", BASE, HEAD);
    cli_expect_refusal(cli, 2, "--merge-base needs revisions");
}

static void another_abi_is_refused(void **state)
{
    struct cli *cli = *state;
    setenv("PB_TEST_BROKEN", "abi", 1);
    cli_run(cli, "compare", BASE, CLI_SUITE("broken_table"));
    cli_expect_refusal(cli, 4, "head: suite");
    cli_expect_err(cli, "it was built for ABI 99");
    cli_run(cli, "compare", CLI_SUITE("broken_table"), BASE, "--bisect");
    unsetenv("PB_TEST_BROKEN");
    cli_expect(cli, 125);
    cli_expect_err(cli, "base: suite");
}

static void what_is_no_suite_says_so(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "compare", BASE, CLI_SUITE("no_suite"));
    cli_expect_refusal(cli, 2, "head: suite");
    test_file_write(cli_path(cli, "text"), "no object", 9);
    setenv("GIT_CEILING_DIRECTORIES", "/", 1);
    cli_run_shell(cli, "cd / && exec \"$0\" compare " BASE " \"$OLDPWD/text\"");
    unsetenv("GIT_CEILING_DIRECTORIES");
    cli_expect(cli, 2);
    cli_expect_err(cli, "is no suite file: there is no git repository here");
}

static void bisect_exits_with_0_1_and_125_only(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "compare", "--bisect", BASE, HEAD, "--filter", "*/slower");
    cli_expect(cli, 1);
    cli_run(cli, "compare", "--bisect", BASE, SAME);
    cli_expect(cli, 0);
    static const char *const skipped[] = {"*/crashes", "*/of_base", "*/differs"};
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++) {
        cli_run(cli, "compare", "--bisect", BASE, HEAD, "--filter", skipped[i]);
        cli_expect(cli, 125);
    }
    cli_run(cli, "compare", "--bisect", BASE, HEAD, "--budget", "1ms", "--filter", "*/same");
    cli_expect(cli, 125); /* inconclusive */
    cli_run(cli, "compare", "--bisect", BASE, "no/such/file.so");
    cli_expect(cli, 125);
}

static void what_fails_is_the_users_choice(void **state)
{
    struct cli *cli = *state;
    COMPARE_BRIEFLY(cli, BASE, HEAD, "--filter", "*/of_base", "--fail-on", "regressed");
    cli_expect(cli, 0);
    COMPARE_BRIEFLY(cli, BASE, HEAD, "--filter", "*/same", "--fail-on", "inconclusive");
    cli_expect(cli, 5);
}

static void markdown_goes_to_a_file_or_to_stdout(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "compare", BASE, HEAD, "--budget", "1ms", "--markdown", "summary.md");
    cli_expect(cli, 3);
    const char *markdown = cli_read(cli, cli_path(cli, "summary.md"));
    assert_non_null(strstr(markdown, "### pairbench: 2 failed, 1 missing"));
    assert_non_null(strstr(markdown, "<details>"));
    assert_non_null(strstr(markdown, "</details>"));
    assert_true(strlen(markdown) < 65535);
    cli_run(cli, "compare", BASE, HEAD, "--budget", "1ms", "--markdown", "-");
    assert_int_equal(strncmp(cli->out.text, "### pairbench", 13), 0);
    cli_run(cli, "compare", BASE, SAME, "--markdown", "no/such/folder/x.md");
    cli_expect(cli, 2);
    cli_expect_err(cli, "no/such/folder/x.md");
}

static void text_to_a_file_has_no_escapes(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "-v", "compare", BASE, HEAD, "--budget", "1ms");
    cli_expect_not(cli, "\033");
    cli_expect_out(cli, "count compared/writes/old: writes 1 → 3");
    cli_run(cli, "-q", "compare", BASE, SAME);
    assert_string_equal(cli->out.text, "6 unchanged\n");
    assert_string_equal(cli->err.text, "");
}

static void an_interrupted_comparison_shows_nothing(void **state)
{
    struct cli *cli = *state;
    const char *mark = cli_path(cli, "mark");
    setenv("PB_TEST_MARK", mark, 1);
    const pid_t pid =
        cli_start(cli, (const char *const[]){PB_TEST_PROGRAM, "compare", CLI_SUITE("hostile"),
                                             CLI_SUITE("hostile"), "--time-identical", "--cache",
                                             "cache", "--filter", "*/marks/*", "--margin", "0%",
                                             "--equivalence", "0.0001%", NULL});
    unsetenv("PB_TEST_MARK");
    cli_await_file(mark);
    kill(pid, SIGINT);
    cli_finish(cli, pid);
    assert_int_equal(cli->signal, SIGINT);
    assert_string_equal(cli->out.text, "");
    cli_expect_err(cli, "interrupted");
    struct pb_strbuf left = {0};
    cli_run_shell(cli, "find cache/copies -mindepth 1");
    assert_string_equal(cli->out.text, "");
    pb_strbuf_release(&left);
}

/* Stores a run of the plain suite. returns: its id */
static const char *store_run(struct cli *cli, const char *suite)
{
    cli_run(cli, "--suite", suite, "--format", "json", "run", "--launches", "0");
    cli_expect(cli, 0);
    return pb_arena_strdup(&cli->arena, cli_text(cli_json(cli, "run"), "run/id"));
}

static void two_stored_runs_compare_their_counts(void **state)
{
    struct cli *cli = *state;
    const char *base = store_run(cli, BASE);
    cli_run(cli, "--suite", HEAD, "run", "--launches", "0", "--filter", "*/same", "--filter",
            "*/writes");
    cli_run(cli, "--format", "json", "--suite", HEAD, "run", "--launches", "0", "--filter",
            "*/same", "--filter", "*/writes");
    const char *head = pb_arena_strdup(&cli->arena, cli_text(cli_json(cli, "run"), "run/id"));
    cli_run(cli, "--format", "json", "compare", base, head);
    cli_expect(cli, 1);
    struct json_object *verdicts = cli_get(cli_json(cli, "compare"), "verdicts");
    struct json_object *writes = cli_find(verdicts, "name", "compared/writes/old");
    assert_string_equal(cli_text(writes, "gate"), "counts");
    assert_string_equal(cli_text(writes, "verdict"), "regressed");
    cli_run(cli, "compare", head, base);
    cli_expect_out(cli, "improved");
    cli_run(cli, "compare", base, base);
    cli_expect(cli, 0);
    cli_expect_out(cli, "unchanged");
    cli_run(cli, "compare", pb_arena_printf(&cli->arena, "%.12s", base), head);
    cli_expect(cli, 1); /* the beginning of an id will do */
}

/* What the second of two runs may be. */
static void is_slower(struct pb_run_record *run)
{
    synthetic_set_ratio(synthetic_pair(run, "s1", "new"), 0.5 * 1.03, 0.1);
}

static void is_of_another_machine(struct pb_run_record *run)
{
    is_slower(run);
    synthetic_set_fact(&run->machine, "fingerprint", "another");
}

static void is_of_another_compiler(struct pb_run_record *run)
{
    is_slower(run);
    synthetic_set_fact(&run->build, "compiler", "gcc 99.0.0");
}

static void stored_runs_compare_their_ratios_on_one_machine_only(void **state)
{
    struct cli *cli = *state;
    static const struct {
        void (*change)(struct pb_run_record *run);
        int exit_code;
        const char *verdict; /* of the ratio; NULL = it is not judged */
        const char *note;
    } rows[] = {
        {is_slower, 1, "regressed", NULL},
        {is_of_another_machine, 0, NULL, "two machines: only their counts are compared"},
        {is_of_another_compiler, 0, NULL, "differ in compiler: only their counts are compared"},
    };
    const struct pb_run_record base = synthetic_run(&cli->arena, 1);
    cli_store(cli, &base);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_run_record head = synthetic_run(&cli->arena, 2 + i);
        rows[i].change(&head);
        cli_store(cli, &head);
        cli_run(cli, "--format", "json", "compare", base.id, head.id);
        cli_expect(cli, rows[i].exit_code);
        struct json_object *verdicts = cli_get(cli_json(cli, "compare"), "verdicts");
        assert_null(cli_find(verdicts, "gate", "absolute"));
        assert_non_null(cli_find(verdicts, "gate", "counts"));
        struct json_object *ratio = cli_find(verdicts, "gate", "ratio");
        assert_int_equal(ratio != NULL, rows[i].verdict != NULL);
        if (ratio != NULL) {
            assert_int_equal(cli_count(verdicts, "verdict", rows[i].verdict), 1);
        }
        cli_run(cli, "compare", base.id, head.id);
        if (rows[i].note != NULL) {
            cli_expect_out(cli, rows[i].note);
        } else {
            cli_expect_out(cli, "+3.00 %");
        }
    }
}

static void stored_runs_are_compared_with_nothing_else(void **state)
{
    struct cli *cli = *state;
    const char *run = store_run(cli, BASE);
    cli_run(cli, "compare", run, HEAD);
    cli_expect_refusal(cli, 2, "only be compared with another stored run");
    cli_run(cli, "compare", run);
    cli_expect_refusal(cli, 2, "only be compared with another stored run");
    cli_run(cli, "compare", run, run, "--margin", "1%");
    cli_expect_refusal(cli, 2, "--margin makes no sense for stored runs");
    cli_run(cli, "compare", run, "01234567-89ab-cdef-0123-456789abcdef");
    cli_expect(cli, 2);
    cli_expect_err(cli, "01234567");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(identical_code_is_said_to_be_so_and_not_timed),
        CLI_TEST(identical_code_is_timed_when_asked_for),
        CLI_TEST(everything_that_can_be_is_named),
        CLI_TEST(twice_the_work_is_a_regression_and_half_an_improvement),
        CLI_TEST(injected_work_is_found_in_head_and_marked),
        CLI_TEST(a_difference_in_output_may_be_allowed),
        CLI_TEST(a_filter_chooses_on_both_sides),
        CLI_TEST(thresholds_have_a_grammar),
        CLI_TEST(other_values_are_checked_before_anything_is_loaded),
        CLI_TEST(another_abi_is_refused),
        CLI_TEST(what_is_no_suite_says_so),
        CLI_TEST(bisect_exits_with_0_1_and_125_only),
        CLI_TEST(what_fails_is_the_users_choice),
        CLI_TEST(markdown_goes_to_a_file_or_to_stdout),
        CLI_TEST(text_to_a_file_has_no_escapes),
        CLI_TEST(an_interrupted_comparison_shows_nothing),
        CLI_TEST(two_stored_runs_compare_their_counts),
        CLI_TEST(stored_runs_compare_their_ratios_on_one_machine_only),
        CLI_TEST(stored_runs_are_compared_with_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
