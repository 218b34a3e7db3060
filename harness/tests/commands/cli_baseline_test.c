/* SPDX-License-Identifier: Apache-2.0
 *
 * What may become a baseline, what is written, and the whole way from a run to a verdict.
 */
#include "cli.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/store.h"
#include "synthetic_run.h"

static void be_debug(struct pb_run_record *run)
{
    synthetic_set_fact(&run->build, "optimized", "false");
}

static void be_sanitized(struct pb_run_record *run)
{
    synthetic_set_fact(&run->build, "flags", "-O1 -fsanitize=address,undefined");
}

static void be_dirty(struct pb_run_record *run)
{
    synthetic_set_fact(&run->commit, "dirty", "true");
}

static void not_know_whether_it_is_dirty(struct pb_run_record *run)
{
    synthetic_set_fact(&run->commit, "dirty", "unknown");
}

static void be_of_no_commit(struct pb_run_record *run)
{
    synthetic_set_fact(&run->commit, "state", "no repository");
}

static void have_few_launches(struct pb_run_record *run)
{
    synthetic_pair(run, "s2", "new")->n_launches = 39;
}

static void disagree(struct pb_run_record *run)
{
    synthetic_set_ratio(synthetic_pair(run, "s2", "new"), 0.5, 3);
}

static void have_no_interval(struct pb_run_record *run)
{
    struct pb_pair_record *pair = synthetic_pair(run, "s2", "new");
    pair->lo = -INFINITY;
    pair->hi = INFINITY;
    pair->verdict = PB_VERDICT_INCONCLUSIVE;
}

static void be_invalid(struct pb_run_record *run)
{
    run->valid = false;
    run->invalid_reason = "the control was rejected";
}

static void be_a_part(struct pb_run_record *run)
{
    run->patterns = "cql/batch/s1";
}

static void fail_somewhere(struct pb_run_record *run)
{
    synthetic_spoil(run, "s2", "new", PB_STATE_FAILED, "died of signal 11");
}

static void what_is_not_fit_is_refused_with_its_reason_and_can_be_forced(void **state)
{
    struct cli *cli = *state;
    static const struct {
        void (*change)(struct pb_run_record *run);
        const char *reason;
    } rows[] = {
        {be_debug, "built without optimisation"},
        {be_sanitized, "built with a sanitizer"},
        {be_dirty, "changes that are not committed"},
        {not_know_whether_it_is_dirty, "changes that are not committed"},
        {be_of_no_commit, "the commit is not known: no repository"},
        {have_few_launches, "fewer than 40 launches per scenario (`run --for-baseline`"},
        {be_invalid, "it is invalid: the control was rejected"},
        {be_a_part, "only what matched its patterns"},
        {fail_somewhere, "a benchmark failed: cql/batch/s2/new"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_run_record run = synthetic_run(&cli->arena, (unsigned)(1 + i));
        rows[i].change(&run);
        cli_store(cli, &run);
        cli_run(cli, "baseline", "save");
        cli_expect_refusal(cli, 2, rows[i].reason);
        cli_expect_err(cli, run.id);
        cli_expect_err(cli, "--force");
        assert_int_not_equal(access(cli_path(cli, "baselines"), F_OK), 0);
        cli_run(cli, "baseline", "save", "--force", "forced");
        cli_expect(cli, 0);
        assert_int_equal(access(cli_path(cli, "forced/counts.jsonl"), F_OK), 0);
    }
}

/* Line of a pair in the file of ratios. */
static const char *ratio_line(struct cli *cli, const char *scenario)
{
    cli_run_shell(cli, "cat baselines/x86_64-*.jsonl");
    cli_expect(cli, 0);
    const char *found =
        strstr(cli->out.text, pb_arena_printf(&cli->arena, "\"scenario\":\"%s\"", scenario));
    return found == NULL ? NULL : pb_arena_memdup(&cli->arena, found, strcspn(found, "\n"));
}

static void launches_that_disagree_are_saved_with_a_warning_and_their_spread(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 1);
    disagree(&run);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_expect_err(cli, "warning: 1 pair (cql/batch/s2) can't prove a change of 1 %");
    cli_expect_err(cli, "disagree by up to ± 3 %");
    assert_non_null(strstr(ratio_line(cli, "s2"), "\"spread_pct\":3.0"));
    assert_non_null(strstr(ratio_line(cli, "s1"), "\"spread_pct\":0.1"));
    run = synthetic_run(&cli->arena, 2); /* the same ratio, well known now */
    cli_store(cli, &run);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_out(cli, "inconclusive  cql/batch/s2/new");
    cli_expect_out(cli, "the baseline itself to ± 3 %");
    cli_run(cli, "check", "--no-confirm", "--fail-on", "inconclusive");
    cli_expect(cli, 5);
}

static void what_is_narrow_enough_is_saved_without_a_word(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 1);
    synthetic_set_ratio(synthetic_pair(&run, "s2", "new"), 0.5, 0.99);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_expect_not(cli, "warning");
}

static void a_pair_without_an_interval_is_left_out_and_that_is_said(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 1);
    have_no_interval(&run);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save", "--force");
    cli_expect(cli, 0);
    cli_expect_err(cli, "warning: 1 pair (cql/batch/s2) left out of the ratios");
    assert_null(ratio_line(cli, "s2"));
    assert_non_null(ratio_line(cli, "s1"));
}

static void all_reasons_are_given_at_once(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 1);
    be_debug(&run);
    be_dirty(&run);
    have_few_launches(&run);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect_refusal(cli, 2, "without optimisation");
    cli_expect_err(cli, "not committed");
    cli_expect_err(cli, "fewer than 40");
}

static void an_injected_run_is_never_a_baseline(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 1);
    run.injected = true;
    synthetic_benchmark(&run, "s1", "new")->inject_pct = 10;
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect_refusal(cli, 2, "--inject: it can never be a baseline");
    cli_run(cli, "baseline", "save", "--force");
    cli_expect_refusal(cli, 2, "never");
    assert_int_not_equal(access(cli_path(cli, "baselines"), F_OK), 0);
}

static void the_files_have_a_line_for_each_and_are_the_same_when_saved_again(void **state)
{
    struct cli *cli = *state;
    const struct pb_run_record run = synthetic_run(&cli->arena, 1);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_expect_err(cli, "wrote baselines/counts.jsonl");
    assert_string_equal(cli->out.text, "");
    const char *counts = cli_read(cli, cli_path(cli, "baselines/counts.jsonl"));
    size_t lines = 0;
    for (const char *at = counts; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    assert_int_equal(lines, 1 + 4); /* old and new of two scenarios; no bound, no third party */
    assert_null(strstr(counts, "floor"));
    assert_null(strstr(counts, "lib"));
    cli_run(cli, "baseline", "save", "again");
    cli_expect(cli, 0);
    assert_string_equal(cli_read(cli, cli_path(cli, "again/counts.jsonl")), counts);
    cli_run_shell(cli, "cmp baselines/x86_64-*.jsonl again/x86_64-*.jsonl");
    cli_expect(cli, 0);
}

/* Whoever saves on a machine that can't take a count takes it from everybody. */
static void counts_that_a_new_baseline_loses_are_named(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 1);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_expect_not(cli, "gone");
    run = synthetic_run(&cli->arena, 2);
    struct pb_benchmark_record *benchmark = synthetic_benchmark(&run, "s1", "new");
    assert_string_equal(benchmark->counts[0].name, "allocations");
    benchmark->counts++;
    benchmark->n_counts--;
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_expect_err(cli, "did not take 1 of the counts in baselines/counts.jsonl (first of all "
                        "allocations of cql/batch/s1/new): they are gone");
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    assert_null(strstr(cli->err.text, "gone")); /* they were gone already */
}

static void a_baseline_is_shown_as_text_and_json(void **state)
{
    struct cli *cli = *state;
    const struct pb_run_record run = synthetic_run(&cli->arena, 1);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_run(cli, "baseline", "show");
    cli_expect(cli, 0);
    cli_expect_out(cli, "cql/batch/s1/new");
    cli_expect_out(cli, "writes");
    cli_run_shell(cli, "exec \"$0\" --format json baseline show baselines/x86_64-*.jsonl");
    cli_expect(cli, 0);
    struct json_object *shown = cli_json(cli, "baseline show");
    assert_true(json_object_is_type(shown, json_type_object));
    cli_run(cli, "baseline", "show", "nowhere");
    cli_expect_refusal(cli, 4, "nowhere");
    cli_run(cli, "baseline", "save", "no/such/folder");
    cli_expect_refusal(cli, 2, "no/such/folder");
    cli_run_shell(cli, "touch file && exec \"$0\" baseline save file");
    cli_expect_refusal(cli, 2, "file");
}

/* Two pairs of the same code, so that nothing but injected work can make a difference. */
#define PAIRS CLI_SUITE("hostile")

static void run_pairs(struct cli *cli, const char *inject)
{
    const char *const argv[] = {PB_TEST_PROGRAM, "--suite",     PAIRS,  "run", "--launches", "8",
                                "*/behaves/new", "*/marks/new", inject, NULL};
    cli_run_argv(cli, argv);
    cli_expect(cli, 0);
}

/* Runs `check` on the run just made, as JSON. returns: its verdicts */
static struct json_object *check(struct cli *cli, int exit_code)
{
    cli_run(cli, "--suite", PAIRS, "--format", "json", "check");
    cli_expect(cli, exit_code);
    return cli_get(cli_json(cli, "check"), "verdicts");
}

/* What the ratio gate says on new of scenario `behaves`. */
static struct json_object *find_behaves(struct json_object *verdicts)
{
    for (size_t i = 0; i < json_object_array_length(verdicts); i++) {
        struct json_object *item = json_object_array_get_idx(verdicts, i);
        if (strcmp(cli_text(item, "name"), "hostile/new_does_it/behaves/new") == 0 &&
            strcmp(cli_text(item, "gate"), "ratio") == 0) {
            return item;
        }
    }
    fail_msg("no ratio of behaves/new");
    return NULL;
}

static struct pb_run_record load_latest(struct cli *cli)
{
    struct pb_store *store = NULL;
    struct pb_run_record run;
    struct pb_error err;
    assert_int_equal(pb_store_open(cli->db, PB_STORE_READ, &store, &err), PB_OK);
    assert_int_equal(pb_store_load_run(store, NULL, &cli->arena, &run, &err), PB_OK);
    pb_store_close(store);
    return run;
}

/* Stores the latest run once more, claiming that new is three times slower than old. */
static void store_a_false_claim(struct cli *cli)
{
    struct pb_run_record run = load_latest(cli);
    run.id = "ffffffff-0000-4000-8000-000000000000";
    run.started_at += 10;
    synthetic_set_ratio(synthetic_pair(&run, "behaves", "new"), 3, 0.1);
    cli_store(cli, &run);
}

/*
 * This test and the next depend on times. An effect of twice the work is far beyond what a busy
 * machine does, and what is flagged wrongly would have to be so twice in a row.
 */
static void only_what_fresh_launches_confirm_is_a_regression(void **state)
{
    struct cli *cli = *state;
    run_pairs(cli, NULL);
    cli_run(cli, "baseline", "save", "--force");
    cli_expect(cli, 0);
    run_pairs(cli, NULL);
    check(cli, 0); /* the same code */

    store_a_false_claim(cli);
    cli_run(cli, "--suite", PAIRS, "check", "--no-confirm");
    cli_expect(cli, 1);
    struct json_object *verdicts = check(cli, 0);
    assert_int_equal(cli_count(verdicts, "verdict", "regressed"), 0);
    assert_non_null(strstr(cli_text(find_behaves(verdicts), "reason"), "did not confirm"));
    cli_run_shell(cli, "rm pairbench.db*");

    run_pairs(cli, "--inject=*/behaves/new=+100%");
    verdicts = check(cli, 1);
    assert_int_equal(cli_count(verdicts, "verdict", "regressed"), 1); /* nothing else */
    assert_string_equal(cli_text(find_behaves(verdicts), "verdict"), "regressed");
    assert_non_null(strstr(cli_text(find_behaves(verdicts), "reason"), "confirmed on "));
    assert_int_equal(cli_n_runs(cli), 1); /* a second look is no run */
}

/* A suite of no repository: nothing but its age says whether it is still what was measured. */
static void a_suite_that_was_built_since_is_no_second_look(void **state)
{
    struct cli *cli = *state;
    const char *suite = cli_path(cli, "copy.so");
    cli_run_shell(cli, "cp " PAIRS " copy.so");
    cli_expect(cli, 0);
    cli_run(cli, "--suite", suite, "run", "--launches", "8", "*/behaves/new");
    cli_expect(cli, 0);
    cli_run(cli, "baseline", "save", "--force");
    cli_expect(cli, 0);
    store_a_false_claim(cli);
    cli_run(cli, "--suite", suite, "-v", "check");
    cli_expect(cli, 0);
    cli_expect_out(cli, "did not confirm");
    cli_run_shell(cli, "touch -d '2100-01-01' copy.so");
    cli_run(cli, "--suite", suite, "check");
    cli_expect(cli, 1);
    cli_expect_err(cli, "could not be measured again: it would not be what the run measured");
    cli_expect_err(cli, "was built since");
}

static void another_machine_is_no_second_look(void **state)
{
    struct cli *cli = *state;
    run_pairs(cli, NULL);
    store_a_false_claim(cli);
    struct pb_run_record run = load_latest(cli);
    cli_run(cli, "baseline", "save", "--force", "--run", "ffffffff");
    cli_expect(cli, 0);
    run.id = "ffffffff-ffff-4000-8000-000000000000";
    run.started_at += 10;
    synthetic_set_ratio(synthetic_pair(&run, "behaves", "new"), 6, 0.1);
    synthetic_set_fact(&run.machine, "model", "imagined");
    cli_store(cli, &run);
    cli_run(cli, "--suite", PAIRS, "check", "--any-class");
    cli_expect(cli, 1);
    cli_expect_err(cli, "it would not be what the run measured (model: imagined there, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(what_is_not_fit_is_refused_with_its_reason_and_can_be_forced),
        CLI_TEST(counts_that_a_new_baseline_loses_are_named),
        CLI_TEST(launches_that_disagree_are_saved_with_a_warning_and_their_spread),
        CLI_TEST(what_is_narrow_enough_is_saved_without_a_word),
        CLI_TEST(a_pair_without_an_interval_is_left_out_and_that_is_said),
        CLI_TEST(all_reasons_are_given_at_once),
        CLI_TEST(an_injected_run_is_never_a_baseline),
        CLI_TEST(the_files_have_a_line_for_each_and_are_the_same_when_saved_again),
        CLI_TEST(a_baseline_is_shown_as_text_and_json),
        CLI_TEST(only_what_fresh_launches_confirm_is_a_regression),
        CLI_TEST(a_suite_that_was_built_since_is_no_second_look),
        CLI_TEST(another_machine_is_no_second_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
