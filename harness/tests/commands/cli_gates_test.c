/* SPDX-License-Identifier: Apache-2.0
 *
 * What `check` and `baseline` make of history, renamed benchmarks and waivers, in all forms of the
 * result, on runs that nobody measured.
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

#include "synthetic_run.h"
#include "test_folder.h"

#define S1_NEW "cql/batch/s1/new"

static void store_run(struct cli *cli, unsigned number)
{
    const struct pb_run_record run = synthetic_run(&cli->arena, number);
    cli_store(cli, &run);
}

static int set_up(void **state)
{
    if (cli_set_up(state) != 0) {
        return -1;
    }
    struct cli *cli = *state;
    store_run(cli, 1);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    return 0;
}

#define GATES_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, cli_tear_down)

static void write_file(struct cli *cli, const char *name, const char *text)
{
    test_file_write(cli_path(cli, name), text, strlen(text));
}

#define WAIVERS(lines) "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"waivers\"}\n" lines
#define ALIASES(lines) "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"aliases\"}\n" lines

static struct json_object *find_verdict(struct cli *cli, const char *name, const char *gate,
                                        const char *metric)
{
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    for (size_t i = 0; i < json_object_array_length(verdicts); i++) {
        struct json_object *item = json_object_array_get_idx(verdicts, i);
        if (strcmp(cli_text(item, "name"), name) == 0 &&
            strcmp(cli_text(item, "gate"), gate) == 0 &&
            (metric == NULL || strcmp(cli_text(item, "metric"), metric) == 0)) {
            return item;
        }
    }
    fail_msg("no verdict on %s by %s: %s", name, gate, cli->out.text);
    return NULL;
}

static void store_slow_run(struct cli *cli, unsigned number)
{
    struct pb_run_record run = synthetic_run(&cli->arena, number);
    synthetic_set_ratio(synthetic_pair(&run, "s1", "new"), 0.5 * 1.03, 0.1);
    cli_store(cli, &run);
}

static void a_waived_regression_is_shown_and_does_not_fail(void **state)
{
    struct cli *cli = *state;
    store_slow_run(cli, 2);
    write_file(cli, "baselines/waivers.jsonl",
               WAIVERS("{\"name\":\"*/s1/new\",\"gate\":\"ratio\",\"at_most_pct\":5,"
                       "\"until\":\"2026-01-31\",\"reason\":\"checks of \\\"length\\\"\"}\n"));
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_out(cli, "regressed (waived)  " S1_NEW);
    cli_expect_out(cli, "waived until 2026-01-31: checks of \"length\"");
    cli_run(cli, "check"); /* what is waived needs no second look */
    cli_expect(cli, 0);
    assert_string_equal(cli->err.text, "");
    cli_run(cli, "--format", "json", "check");
    cli_expect(cli, 0);
    struct json_object *item = find_verdict(cli, S1_NEW, "ratio", NULL);
    assert_string_equal(cli_text(item, "verdict"), "regressed");
    assert_string_equal(cli_text(item, "waived/until"), "2026-01-31");
    assert_string_equal(cli_text(item, "waived/reason"), "checks of \"length\"");
    assert_int_equal(cli_int(cli->json, "summary/waived"), 1);
    assert_int_equal(cli_int(cli->json, "summary/regressed"), 0);
}

static void a_waiver_ends_and_survives_a_new_baseline(void **state)
{
    struct cli *cli = *state;
    static const char waivers[] =
        WAIVERS("{\"name\":\"" S1_NEW "\",\"until\":\"2026-01-30\",\"reason\":\"for now\"}\n");
    store_slow_run(cli, 2);
    write_file(cli, "baselines/waivers.jsonl", waivers);
    cli_run(cli, "check", "--no-confirm"); /* the run is of the day after */
    cli_expect(cli, 1);
    cli_expect_out(cli, "its waiver ended on 2026-01-30: for now");
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    assert_string_equal(cli_read(cli, cli_path(cli, "baselines/waivers.jsonl")), waivers);
    cli_run(cli, "baseline", "show");
    cli_expect(cli, 0);
    cli_expect_out(cli, "for now");
    write_file(cli, "baselines/waivers.jsonl",
               WAIVERS("{\"name\":\"" S1_NEW "\",\"reason\":\"for ever\"}\n"));
    cli_run(cli, "check", "--no-confirm");
    cli_expect_refusal(cli, 2, "baselines/waivers.jsonl:2: \"until\" must be a string");
}

/* Stores a run of the time when s1 was called `first`. */
static void store_old_run(struct cli *cli, unsigned number)
{
    struct pb_run_record run = synthetic_run(&cli->arena, number);
    synthetic_rename(&cli->arena, &run, "s1", "first");
    cli_store(cli, &run);
}

static void a_renamed_benchmark_keeps_its_baseline_and_its_history(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "rm -r baselines");
    for (unsigned i = 2; i <= 7; i++) {
        store_old_run(cli, i);
    }
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    store_run(cli, 8);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 3);
    cli_expect_out(cli, "missing");
    cli_expect_out(cli, "added");
    write_file(cli, "baselines/aliases.jsonl",
               ALIASES("{\"old\":\"cql/batch/first\",\"new\":\"cql/batch/s1\","
                       "\"date\":\"2026-01-31\",\"reason\":\"there is a second\"}\n"));
    cli_run(cli, "--format", "json", "check", "--no-confirm");
    cli_expect(cli, 0);
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    /* but absolute times: the run has no kernels */
    assert_int_equal(cli_count(verdicts, "verdict", "skipped"), 1);
    assert_int_equal(cli_count(verdicts, "verdict", "unchanged") + 1,
                     cli_count(verdicts, "verdict", NULL));
    struct json_object *item = find_verdict(cli, S1_NEW, "ratio", NULL);
    assert_int_equal(cli_int(item, "spread_runs"), 7); /* the one of set_up had today's name */
    cli_run(cli, "--format", "json", "check", "--no-confirm", "--run", "00000007");
    cli_expect(cli, 0);
    (void)find_verdict(cli, S1_NEW, "ratio", NULL); /* an old run, by its present names */
    cli_run(cli, "baseline", "save", "--run", "00000007");
    cli_expect(cli, 0);
    const char *counts = cli_read(cli, cli_path(cli, "baselines/counts.jsonl"));
    assert_non_null(strstr(counts, S1_NEW));
    assert_null(strstr(counts, "first"));
    cli_run(cli, "baseline", "show");
    cli_expect_out(cli, "there is a second");
    cli_run(cli, "report", "--out", "page");
    cli_expect(cli, 0);
    assert_null(strstr(cli_read(cli, cli_path(cli, "page/index.html")), "first</code>"));
    write_file(cli, "baselines/aliases.jsonl",
               ALIASES("{\"old\":\"a\",\"new\":\"a\",\"date\":\"2026-01-31\",\"reason\":\"\"}\n"));
    cli_run(cli, "check", "--no-confirm");
    cli_expect_refusal(cli, 2, "baselines/aliases.jsonl:2: a is renamed in a circle");
}

static void a_waiver_by_an_old_name_is_one_by_the_present_name(void **state)
{
    struct cli *cli = *state;
    store_slow_run(cli, 2);
    write_file(cli, "baselines/aliases.jsonl",
               ALIASES("{\"old\":\"cql/batch/first\",\"new\":\"cql/batch/s1\","
                       "\"date\":\"2026-01-31\",\"reason\":\"\"}\n"));
    write_file(cli, "baselines/waivers.jsonl",
               WAIVERS("{\"name\":\"cql/batch/first/*\",\"until\":\"2027-01-31\","
                       "\"reason\":\"known\"}\n"));
    cli_run(cli, "check", "--no-confirm", "--baseline", "baselines/counts.jsonl");
    cli_expect(cli, 0);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_out(cli, "regressed (waived)");
}

static void five_runs_say_how_far_runs_lie_apart(void **state)
{
    struct cli *cli = *state;
    for (unsigned i = 2; i <= 6; i++) {
        struct pb_run_record run = synthetic_run(&cli->arena, i);
        synthetic_set_ratio(synthetic_pair(&run, "s1", "new"), i % 2 == 0 ? 0.5 : 0.502, 0.1);
        cli_store(cli, &run);
        cli_run(cli, "--format", "json", "check", "--no-confirm");
        cli_expect(cli, 0);
        struct json_object *item = find_verdict(cli, S1_NEW, "ratio", NULL);
        assert_int_equal(cli_int(item, "spread_runs"), i < 6 ? 0 : 5);
        const double expected = i < 6 ? 0.3 : 100 * expm1(1.4826022 * log(1.004) / sqrt(2));
        assert_true(fabs(cli_number(item, "spread_pct") - expected) < 1e-6);
    }
    cli_run(cli, "check", "--no-confirm", "-v");
    cli_expect_out(cli, "0.42 % in 5 runs");
}

static void instructions_are_saved_with_the_class_and_gated(void **state)
{
    struct cli *cli = *state;
    static const struct {
        int64_t now;
        const char *fail_on;
        int exit_code;
        const char *verdict;
        bool warning;
    } rows[] = {
        {10005, "regressed", 0, "unchanged", false},
        {10050, "regressed", 0, "regressed", true},
        {10050, "warnings", 1, "regressed", true},
        {10500, "regressed", 0, "regressed", true}, /* the ratio is unchanged */
    };
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    pb_facts_add(&cli->arena, &run.machine, "instruction_counter", "callgrind");
    synthetic_benchmark(&run, "s1", "new")->instructions = 10000;
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_expect_err(cli, "1 counts of instructions");
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run = synthetic_run(&cli->arena, 3 + i);
        pb_facts_add(&cli->arena, &run.machine, "instruction_counter", "callgrind");
        synthetic_benchmark(&run, "s1", "new")->instructions = rows[i].now;
        cli_store(cli, &run);
        cli_run(cli, "--format", "json", "check", "--no-confirm", "--fail-on", rows[i].fail_on);
        cli_expect(cli, rows[i].exit_code);
        struct json_object *item = find_verdict(cli, S1_NEW, "counts", "instructions");
        assert_string_equal(cli_text(item, "verdict"), rows[i].verdict);
        assert_int_equal(json_object_get_boolean(cli_get(item, "warning")), rows[i].warning);
    }
    store_run(cli, 20);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    cli_expect_err(cli, "warning: the run did not count instructions");
}

/* Stores a run with kernels and one time. */
static void store_timed_run(struct cli *cli, unsigned number, double median_ns, double memory_ns)
{
    struct pb_run_record run = synthetic_run(&cli->arena, number);
    run.kernels_ns[PB_KERNEL_ALU] = 1.5;
    run.kernels_ns[PB_KERNEL_L2] = 5;
    run.kernels_ns[PB_KERNEL_MEMORY] = memory_ns;
    synthetic_benchmark(&run, "s1", "new")->median_ns = median_ns;
    cli_store(cli, &run);
}

static void absolute_times_are_held_against_earlier_runs_and_only_warn(void **state)
{
    struct cli *cli = *state;
    for (unsigned i = 2; i <= 7; i++) {
        store_timed_run(cli, i, 50, 100);
    }
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_out(cli, "insufficient history  (the run)  median_ns");
    cli_expect_out(cli, "5 earlier runs on this machine");
    store_timed_run(cli, 8, 75, 100);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_out(cli, "inconclusive  " S1_NEW);
    store_timed_run(cli, 9, 75, 100);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_out(cli, "regressed (warning)  " S1_NEW);
    cli_expect_out(cli, "+50.0 %");
    cli_run(cli, "check", "--no-confirm", "--fail-on", "warnings");
    cli_expect(cli, 1);
    store_timed_run(cli, 10, 75, 150); /* the memory was that slow */
    cli_run(cli, "--format", "json", "check", "--no-confirm");
    cli_expect(cli, 0);
    assert_string_equal(cli_text(find_verdict(cli, S1_NEW, "absolute", NULL), "verdict"),
                        "unchanged");
    struct pb_run_record elsewhere = synthetic_run(&cli->arena, 11);
    elsewhere.kernels_ns[0] = elsewhere.kernels_ns[1] = elsewhere.kernels_ns[2] = 1;
    synthetic_set_fact(&elsewhere.machine, "fingerprint", "f2");
    cli_store(cli, &elsewhere);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_out(cli, "0 earlier runs on this machine");
}

static void the_nearest_class_is_named_and_can_be_judged_by(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record far = synthetic_run(&cli->arena, 2);
    synthetic_set_fact(&far.machine, "vendor", "Other");
    synthetic_set_fact(&far.machine, "model", "9");
    cli_store(cli, &far);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    struct pb_run_record run = synthetic_run(&cli->arena, 3);
    synthetic_set_ratio(synthetic_pair(&run, "s1", "new"), 0.5 * 1.03, 0.1);
    synthetic_set_fact(&run.build, "compiler", "gcc 13.1.0");
    cli_store(cli, &run);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 4);
    cli_expect_out(cli, "incomparable  (the run)");
    cli_expect_out(cli, "differs: compiler: gcc 12.2.0 there, gcc 13.1.0 here; --any-class");
    cli_expect_not(cli, "vendor:");
    cli_run(cli, "check", "--no-confirm", "--any-class");
    cli_expect(cli, 1);
    cli_expect_out(cli, "regressed  " S1_NEW);
}

static void results_go_to_ci_servers_in_their_forms(void **state)
{
    struct cli *cli = *state;
    store_slow_run(cli, 2);
    cli_run(cli, "check", "--no-confirm", "--junit", "junit.xml", "--github");
    cli_expect(cli, 1);
    const char *junit = cli_read(cli, cli_path(cli, "junit.xml"));
    assert_non_null(strstr(junit, "failures=\"1\" errors=\"0\" skipped=\"0\""));
    cli_expect_out(cli, "1 regressed, ");
    cli_expect_out(cli, "\n::error title=regressed%3A " S1_NEW "::new/old +3.00 %25 [");
    cli_expect_out(cli, "\n::notice title=pairbench::1 regressed, ");
    cli_run(cli, "check", "--no-confirm", "--junit", "-");
    cli_expect(cli, 1);
    assert_string_equal(cli->out.text, junit); /* and nothing else */
    cli_run(cli, "--format", "json", "check", "--no-confirm", "--github");
    cli_expect(cli, 1);
    (void)cli_json(cli, "check");
    cli_expect_err(cli, "::error title=");
    cli_run(cli, "check", "--no-confirm", "--markdown", "-", "--github");
    cli_expect(cli, 1);
    assert_null(strstr(cli->out.text, "::error"));
    cli_expect_err(cli, "::error title=");
    cli_run(cli, "check", "--no-confirm", "--markdown", "-", "--junit", "-");
    cli_expect_refusal(cli, 2, "can't both be on stdout");
    cli_run(cli, "check", "--no-confirm", "--junit", "no/such/folder.xml");
    cli_expect(cli, 2);
    cli_expect_err(cli, "no/such/folder.xml");
}

static void what_is_not_asked_for_fails_nowhere(void **state)
{
    struct cli *cli = *state;
    store_slow_run(cli, 2);
    cli_run(cli, "check", "--no-confirm", "--fail-on", "none", "--junit", "junit.xml", "--github");
    cli_expect(cli, 0);
    assert_non_null(strstr(cli_read(cli, cli_path(cli, "junit.xml")), "failures=\"0\""));
    cli_expect_not(cli, "::error");
    cli_expect_out(cli, "::warning title=regressed%3A");
}

static void a_baseline_is_compared_with_a_run(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    synthetic_set_ratio(synthetic_pair(&run, "s1", "new"), 0.5 * 1.03, 0.1);
    synthetic_count(synthetic_benchmark(&run, "s1", "old"), "writes")->value = 9;
    synthetic_drop(&run, "s2");
    cli_store(cli, &run);
    write_file(cli, "baselines/waivers.jsonl",
               WAIVERS("{\"name\":\"*\",\"until\":\"2027-01-31\",\"reason\":\"known\"}\n"));
    cli_run(cli, "baseline", "diff");
    cli_expect(cli, 0);
    cli_expect_out(cli, "baselines → run 00000002-0000");
    cli_expect_out(cli, "regressed  " S1_NEW);
    cli_expect_out(cli, "-1 (-10.0 %)");
    cli_expect_out(cli, "missing    cql/batch/s2/new");
    cli_expect_not(cli, "waived");
    cli_run(cli, "--format", "json", "baseline", "diff", "baselines", "--run", "00000001");
    cli_expect(cli, 0);
    struct json_object *same = cli_json(cli, "baseline diff");
    struct json_object *verdicts = cli_get(same, "differences/0/verdicts");
    assert_int_equal(cli_count(verdicts, "verdict", "unchanged"),
                     cli_count(verdicts, "verdict", NULL));
    assert_string_equal(cli_text(same, "differences/0/a"), "baselines");
}

static void two_baselines_are_compared_file_by_file(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    synthetic_set_ratio(synthetic_pair(&run, "s1", "new"), 0.5 / 1.03, 0.1);
    synthetic_rename(&cli->arena, &run, "s2", "second");
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save", "later");
    cli_expect(cli, 0);
    cli_run(cli, "baseline", "diff", "baselines", "later");
    cli_expect(cli, 0);
    cli_expect_out(cli, "baselines/counts.jsonl → later/counts.jsonl\n");
    cli_expect_out(cli, "improved  " S1_NEW);
    cli_expect_out(cli, "missing   cql/batch/s2/new");
    cli_expect_out(cli, "added     cql/batch/second/new");
    cli_expect_not(cli, "in the run");
    write_file(cli, "later/aliases.jsonl",
               ALIASES("{\"old\":\"cql/batch/s2\",\"new\":\"cql/batch/second\","
                       "\"date\":\"2026-01-31\",\"reason\":\"\"}\n"));
    cli_run(cli, "baseline", "diff", "baselines", "later");
    cli_expect(cli, 0);
    cli_expect_not(cli, "missing");
    cli_run_shell(cli, "exec \"$0\" baseline diff baselines/x86_64-*.jsonl later/x86_64-*.jsonl");
    cli_expect(cli, 0);
    cli_expect_out(cli, "improved");
    cli_expect_not(cli, "writes");
    cli_run_shell(cli, "rm later/counts.jsonl");
    cli_run(cli, "baseline", "diff", "baselines", "later");
    cli_expect(cli, 0);
    cli_expect_out(cli, "baselines/counts.jsonl → (nothing)\n");
}

static void what_can_not_be_compared_is_refused(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "baseline", "diff", "baselines", "nowhere");
    cli_expect_refusal(cli, 4, "there is no baseline at nowhere");
    cli_run(cli, "baseline", "diff", "nowhere");
    cli_expect_refusal(cli, 4, "there is no baseline at nowhere");
    cli_run(cli, "baseline", "diff", "baselines", "baselines/counts.jsonl");
    cli_expect_refusal(cli, 2, "two files can be compared, or two folders");
    cli_run(cli, "baseline", "diff", "baselines", "baselines", "--run", "1");
    cli_expect_refusal(cli, 2, "either a second baseline or --run");
    cli_run(cli, "baseline", "show", "baselines", "baselines");
    cli_expect_refusal(cli, 2, "unexpected operand");
    cli_run(cli, "baseline", "compare");
    cli_expect_refusal(cli, 2, "save, show or diff is wanted");
    write_file(cli, "broken.jsonl", "nonsense\n");
    cli_run(cli, "baseline", "diff", "baselines/counts.jsonl", "broken.jsonl");
    cli_expect_refusal(cli, 2, "broken.jsonl:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GATES_TEST(a_waived_regression_is_shown_and_does_not_fail),
        GATES_TEST(a_waiver_ends_and_survives_a_new_baseline),
        GATES_TEST(a_renamed_benchmark_keeps_its_baseline_and_its_history),
        GATES_TEST(a_waiver_by_an_old_name_is_one_by_the_present_name),
        GATES_TEST(five_runs_say_how_far_runs_lie_apart),
        GATES_TEST(instructions_are_saved_with_the_class_and_gated),
        GATES_TEST(absolute_times_are_held_against_earlier_runs_and_only_warn),
        GATES_TEST(the_nearest_class_is_named_and_can_be_judged_by),
        GATES_TEST(results_go_to_ci_servers_in_their_forms),
        GATES_TEST(what_is_not_asked_for_fails_nowhere),
        GATES_TEST(a_baseline_is_compared_with_a_run),
        GATES_TEST(two_baselines_are_compared_file_by_file),
        GATES_TEST(what_can_not_be_compared_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
