/* SPDX-License-Identifier: Apache-2.0
 *
 * `selftest` as a whole: what it refuses, simulated launches, methods on recorded samples, and a
 * few trials whose outcome, on a machine that is busy with tests, says nothing.
 */
#include "cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test_folder.h"

#define RECORDED PB_TEST_DATA "/recorded"

static void what_makes_no_sense_is_refused(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *args[6];
        const char *text;
    } rows[] = {
        {{"--compare"}, "samples is missing"},
        {{"samples.jsonl"}, "'samples.jsonl': files belong to --compare"},
        {{"--synthetic", "--quick"}, "--synthetic makes no trials"},
        {{"--compare", "--budget", "1m", "x"}, "--compare makes no trials"},
        {{"--samples", "a", "--resume", "b"}, "leave out --samples"},
        {{"--resume", "b", "--seed", "1"}, "leave out --seed"},
        {{"--resume", "none.jsonl"}, "none.jsonl"},
        {{"--seed", "x"}, "'x'"},
        {{"--compare", "none"}, "can't find none"},
        {{"--compare", "."}, "nothing that could be judged"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *argv[10] = {PB_TEST_PROGRAM, "selftest"};
        memcpy(argv + 2, rows[i].args, sizeof rows[i].args);
        cli_run_argv(cli, argv);
        cli_expect_refusal(cli, 2, rows[i].text);
    }
}

static struct json_object *method(struct json_object *json, const char *id)
{
    struct json_object *found = cli_find(cli_get(json, "methods"), "id", id);
    assert_non_null(found);
    return found;
}

static double share(struct json_object *object, const char *key, struct pb_arena *arena)
{
    const double k = cli_number(object, pb_arena_printf(arena, "%s/k", key));
    const double n = cli_number(object, pb_arena_printf(arena, "%s/n", key));
    assert_true(n > 0);
    return k / n;
}

static void on_recorded_launches_only_one_method_is_hardly_ever_wrong(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--format", "json", "selftest", "--compare", RECORDED);
    cli_expect(cli, 0);
    struct json_object *json = cli_json(cli, "selftest");
    static const char *const rivals[] = {"u_test_one_process", "min_one_process",
                                         "mean_bootstrap_one_process"};
    struct json_object *ours = method(json, "ours");
    assert_true(share(ours, "false_verdicts", &cli->arena) == 0);
    assert_true(share(ours, "found_plus2", &cli->arena) >= 0.99);
    struct json_object *ratios = method(json, "ours_ratios");
    assert_true(share(ratios, "false_verdicts", &cli->arena) <= 0.01);
    assert_true(share(ratios, "found_plus1", &cli->arena) >= 0.85);
    for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; i++) {
        struct json_object *rival = method(json, rivals[i]);
        assert_true(share(rival, "false_verdicts", &cli->arena) > 0.1);
        assert_true(share(rival, "found_plus2", &cli->arena) < 0.9);
    }
    assert_true(cli_is_null(json, "synthetic"));
    assert_int_equal(cli_count(cli_get(json, "rows"), "id", NULL), 0);
}

static void the_same_samples_give_the_same_table(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "selftest", "--compare", RECORDED "/w0_aa.f32", RECORDED "/w3_plus2.f32");
    cli_expect(cli, 0);
    const char *first = pb_arena_strdup(&cli->arena, cli->out.text);
    cli_run(cli, "selftest", "--compare", RECORDED "/w0_aa.f32", RECORDED "/w3_plus2.f32");
    assert_string_equal(cli->out.text, first);
    cli_expect_out(cli, "U test");
    cli_expect_out(cli, "of 100");
}

static void samples_that_are_none_are_refused(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *name;
        const char *content;
        size_t n;
        const char *text;
    } rows[] = {
        {"x_aa.f32", "short", 5, "no whole number of launches"},
        {"x_aa.csv", "d_pct\n1.0\nx\n", 12, "no ratios"},
        {"y_aa.csv", "other\n1.0\n", 10, "no ratios"},
        {"x.jsonl", "{}\n", 3, "x.jsonl:1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *path = cli_path(cli, rows[i].name);
        test_file_write(path, rows[i].content, rows[i].n);
        cli_run(cli, "selftest", "--compare", path);
        cli_expect_refusal(cli, 2, rows[i].text);
    }
}

static void simulated_launches_keep_within_what_is_stated(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--format", "json", "selftest", "--synthetic");
    cli_expect(cli, 0);
    struct json_object *json = cli_json(cli, "selftest");
    assert_int_equal(cli_int(json, "synthetic/failed"), 0);
    assert_true(cli_number(json, "synthetic/launches") > 1e7);
    assert_int_equal(cli_int(json, "exit_code"), 0);
}

/* Trials of a moment: whatever they say, they are kept, and can be gone on with. */
static void trials_are_kept_and_gone_on_with(void **state)
{
    struct cli *cli = *state;
    const char *samples = cli_path(cli, "samples.jsonl");
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "selftest", "--quick", "--budget", "4s",
            "--samples", samples);
    assert_true(cli->exit_code == 0 || cli->exit_code == 1);
    struct json_object *json = cli_json(cli, "selftest");
    const int64_t n = cli_int(json, "trials");
    const char *seed = pb_arena_strdup(&cli->arena, cli_text(json, "seed"));
    assert_true(cli_count(cli_get(json, "rows"), "id", "false_verdicts") == 1);
    assert_int_equal(cli_int(json, "failed_trials"), 0);
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "selftest", "--quick", "--budget", "1s",
            "--resume", samples);
    assert_true(cli->exit_code == 0 || cli->exit_code == 1);
    json = cli_json(cli, "selftest");
    assert_true(cli_int(json, "trials") >= n);
    assert_string_equal(cli_text(json, "seed"), seed);
    cli_run(cli, "selftest", "--samples", samples);
    cli_expect_refusal(cli, 2, "go on with it by --resume");
}

static void copies_are_removed_again(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "mkdir t && TMPDIR=$PWD/t \"$0\" --suite " CLI_PLAIN
                       " selftest --quick --budget 1s; ls -A t | wc -l");
    cli_expect_out(cli, "\n0\n");
    cli_run_shell(cli, "TMPDIR=/nonexistent \"$0\" selftest --quick");
    cli_expect_refusal(cli, 2, "can't make a folder /nonexistent/");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(what_makes_no_sense_is_refused),
        CLI_TEST(on_recorded_launches_only_one_method_is_hardly_ever_wrong),
        CLI_TEST(the_same_samples_give_the_same_table),
        CLI_TEST(samples_that_are_none_are_refused),
        CLI_TEST(simulated_launches_keep_within_what_is_stated),
        CLI_TEST(trials_are_kept_and_gone_on_with),
        CLI_TEST(copies_are_removed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
