/* SPDX-License-Identifier: Apache-2.0
 *
 * `check`: verdicts and exit codes on runs that nobody measured.
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

static int set_up(void **state)
{
    if (cli_set_up(state) != 0) {
        return -1;
    }
    struct cli *cli = *state;
    const struct pb_run_record run = synthetic_run(&cli->arena, 1);
    cli_store(cli, &run);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    return 0;
}

#define CHECK_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, cli_tear_down)

/* What can be wrong, or different, in a run. */
static void leave(struct pb_run_record *run)
{
    (void)run;
}

static void slow_down_a_little(struct pb_run_record *run)
{
    synthetic_set_ratio(synthetic_pair(run, "s1", "new"), 0.5 * 1.002, 0.1);
}

static void slow_down(struct pb_run_record *run)
{
    synthetic_set_ratio(synthetic_pair(run, "s1", "new"), 0.5 * 1.03, 0.1);
}

static void speed_up(struct pb_run_record *run)
{
    synthetic_set_ratio(synthetic_pair(run, "s1", "new"), 0.5 / 1.03, 0.1);
}

static void lose_precision(struct pb_run_record *run)
{
    synthetic_set_ratio(synthetic_pair(run, "s1", "new"), 0.5 * 1.03, 5);
}

static void lose_the_interval(struct pb_run_record *run)
{
    struct pb_pair_record *pair = synthetic_pair(run, "s1", "new");
    pair->n_launches = 1;
    pair->lo = -INFINITY;
    pair->hi = INFINITY;
    pair->verdict = PB_VERDICT_INCONCLUSIVE;
    pair->reason = "only 1 launch: no interval can be given";
}

static void slow_down_what_is_not_gated(struct pb_run_record *run)
{
    synthetic_set_ratio(synthetic_pair(run, "s1", "floor"), 5, 0.1);
    synthetic_set_ratio(synthetic_pair(run, "s1", "lib"), 5, 0.1);
    synthetic_count(synthetic_benchmark(run, "s1", "floor"), "writes")->value = 100;
    synthetic_count(synthetic_benchmark(run, "s1", "lib"), "writes")->value = 100;
}

static void write_more(struct pb_run_record *run)
{
    synthetic_count(synthetic_benchmark(run, "s1", "new"), "writes")->value = 2;
}

static void write_less(struct pb_run_record *run)
{
    synthetic_count(synthetic_benchmark(run, "s1", "old"), "writes")->value = 9;
}

static void allocate(struct pb_run_record *run)
{
    synthetic_count(synthetic_benchmark(run, "s2", "new"), "allocations")->value = 5;
}

static void count_by_chance(struct pb_run_record *run)
{
    struct pb_count_record *count =
        synthetic_count(synthetic_benchmark(run, "s1", "new"), "writes");
    count->value = 7;
    count->deterministic = false;
}

static void stop_counting(struct pb_run_record *run)
{
    synthetic_benchmark(run, "s1", "new")->n_counts = 2; /* no writes any more */
}

static void go_missing(struct pb_run_record *run)
{
    synthetic_drop(run, "s2");
}

static void ask_for_one(struct pb_run_record *run)
{
    synthetic_drop(run, "s2");
    run->patterns = "nothing/at/all\ncql/batch/s1";
}

static void ask_for_two_and_lose_one(struct pb_run_record *run)
{
    synthetic_drop(run, "s2");
    run->patterns = "cql/batch/s1\n*/s2/new";
}

/* Patterns are stored escaped, so that one may hold a newline. */
static void ask_with_an_escape(struct pb_run_record *run)
{
    synthetic_drop(run, "s2");
    run->patterns = "cql/batch/s1\n*/\\x732/new";
}

static void fail_one(struct pb_run_record *run)
{
    synthetic_spoil(run, "s2", "new", PB_STATE_FAILED, "died of signal 11");
}

static void differ(struct pb_run_record *run)
{
    synthetic_spoil(run, "s2", "new", PB_STATE_FAILED, "output differs from old's at byte 5 of 64");
}

static void skip_one(struct pb_run_record *run)
{
    synthetic_spoil(run, "s2", "new", PB_STATE_SKIPPED, "no such instruction here");
}

static void be_too_fast(struct pb_run_record *run)
{
    synthetic_benchmark(run, "s2", "new")->below_resolution = true;
    struct pb_pair_record *pair = synthetic_pair(run, "s2", "new");
    pair->verdict = PB_VERDICT_BELOW_RESOLUTION;
    pair->reason = "below resolution";
    pair->n_launches = 0;
    pair->estimate = NAN;
}

static void be_invalid(struct pb_run_record *run)
{
    run->valid = false;
    run->invalid_reason = "the control was rejected";
}

static void slow_down_and_fail(struct pb_run_record *run)
{
    slow_down(run);
    fail_one(run);
}

static void slow_down_elsewhere(struct pb_run_record *run)
{
    slow_down(run);
    synthetic_set_fact(&run->machine, "model", "2");
}

static void write_more_elsewhere(struct pb_run_record *run)
{
    write_more(run);
    synthetic_set_fact(&run->machine, "model", "2");
}

static void fail_elsewhere(struct pb_run_record *run)
{
    write_more(run);
    fail_one(run);
    synthetic_set_fact(&run->build, "compiler", "clang 14.0.6");
}

static void be_elsewhere(struct pb_run_record *run)
{
    synthetic_set_fact(&run->build, "compiler", "clang 14.0.6");
}

/* One finding of each row is looked at; the others of the run must be unchanged. */
static const struct {
    void (*change)(struct pb_run_record *run);
    const char *fail_on; /* NULL = the default */
    int exit_code;
    const char *name; /* NULL = everything is unchanged */
    const char *gate;
    const char *verdict;
} rows[] = {
    {leave, NULL, 0, NULL, NULL, NULL},
    {slow_down_a_little, NULL, 0, NULL, NULL, NULL},
    {slow_down, NULL, 1, "cql/batch/s1/new", "ratio", "regressed"},
    {slow_down, "regressed", 1, "cql/batch/s1/new", "ratio", "regressed"},
    {slow_down, "failed,missing", 0, "cql/batch/s1/new", "ratio", "regressed"},
    {slow_down, "none", 0, "cql/batch/s1/new", "ratio", "regressed"},
    {speed_up, NULL, 0, "cql/batch/s1/new", "ratio", "improved"},
    {lose_precision, NULL, 0, "cql/batch/s1/new", "ratio", "inconclusive"},
    {lose_precision, "inconclusive", 5, "cql/batch/s1/new", "ratio", "inconclusive"},
    {lose_precision, "none,inconclusive", 5, "cql/batch/s1/new", "ratio", "inconclusive"},
    {lose_the_interval, "inconclusive", 5, "cql/batch/s1/new", "ratio", "inconclusive"},
    {slow_down_what_is_not_gated, NULL, 0, NULL, NULL, NULL},
    {write_more, NULL, 1, "cql/batch/s1/new", "counts", "regressed"},
    {write_less, NULL, 0, "cql/batch/s1/old", "counts", "improved"},
    {allocate, NULL, 1, "cql/batch/s2/new", "counts", "regressed"},
    {count_by_chance, NULL, 0, "cql/batch/s1/new", "counts", "skipped"},
    {stop_counting, NULL, 3, "cql/batch/s1/new", "counts", "missing"},
    {go_missing, NULL, 3, "cql/batch/s2/new", "ratio", "missing"},
    {go_missing, "missing", 3, "cql/batch/s2/old", "counts", "missing"},
    {go_missing, "regressed", 0, "cql/batch/s2/new", "ratio", "missing"},
    {ask_for_one, NULL, 0, NULL, NULL, NULL},
    {ask_for_two_and_lose_one, NULL, 3, "cql/batch/s2/new", "ratio", "missing"},
    {ask_with_an_escape, NULL, 3, "cql/batch/s2/new", "ratio", "missing"},
    {fail_one, NULL, 3, "cql/batch/s2/new", "state", "failed"},
    {fail_one, "failed", 3, "cql/batch/s2/new", "ratio", "failed"},
    {fail_one, "differs", 0, "cql/batch/s2/new", "state", "failed"},
    {differ, "differs", 3, "cql/batch/s2/new", "state", "failed"},
    {differ, "failed", 0, "cql/batch/s2/new", "state", "failed"},
    {skip_one, NULL, 0, "cql/batch/s2/new", "state", "skipped"},
    {be_too_fast, NULL, 0, "cql/batch/s2/new", "ratio", "below resolution"},
    {be_invalid, NULL, 3, "(the run)", "state", "invalid run"},
    {slow_down_and_fail, NULL, 3, "cql/batch/s1/new", "ratio", "regressed"},
    {slow_down_and_fail, "regressed", 1, "cql/batch/s2/new", "state", "failed"},
    {be_elsewhere, NULL, 4, "(the run)", "ratio", "incomparable"},
    {be_elsewhere, "regressed,failed,missing,differs", 0, "(the run)", "ratio", "incomparable"},
    {slow_down_elsewhere, NULL, 4, "(the run)", "ratio", "incomparable"},
    {slow_down_elsewhere, "regressed", 0, "(the run)", "ratio", "incomparable"},
    {write_more_elsewhere, NULL, 1, "cql/batch/s1/new", "counts", "regressed"},
    {write_more_elsewhere, "incompatible", 4, "cql/batch/s1/new", "counts", "regressed"},
    {fail_elsewhere, NULL, 3, "cql/batch/s2/new", "state", "failed"},
};

static struct json_object *find_verdict(struct json_object *verdicts, const char *name,
                                        const char *gate, const char *verdict)
{
    for (size_t i = 0; i < json_object_array_length(verdicts); i++) {
        struct json_object *item = json_object_array_get_idx(verdicts, i);
        if (strcmp(cli_text(item, "name"), name) == 0 &&
            strcmp(cli_text(item, "gate"), gate) == 0 &&
            strcmp(cli_text(item, "verdict"), verdict) == 0) {
            return item;
        }
    }
    return NULL;
}

static void check_row(struct cli *cli, size_t i)
{
    struct pb_run_record run = synthetic_run(&cli->arena, (unsigned)(2 + i));
    rows[i].change(&run);
    cli_store(cli, &run);
    if (rows[i].fail_on != NULL) {
        cli_run(cli, "--format", "json", "check", "--no-confirm", "--fail-on", rows[i].fail_on);
    } else {
        cli_run(cli, "--format", "json", "check", "--no-confirm");
    }
    if (cli->exit_code != rows[i].exit_code) {
        fail_msg("row %zu: exit code %d instead of %d: %s", i, cli->exit_code, rows[i].exit_code,
                 cli->out.text);
    }
    struct json_object *document = cli_json(cli, "check");
    assert_int_equal(cli_int(document, "exit_code"), rows[i].exit_code);
    assert_string_equal(cli_text(document, "run/id"), run.id);
    struct json_object *verdicts = cli_get(document, "verdicts");
    assert_true(json_object_array_length(verdicts) > 0);
    if (rows[i].name == NULL) {
        /* but absolute times: the run has no kernels */
        assert_int_equal(cli_count(verdicts, "verdict", "skipped"), 1);
        assert_int_equal(cli_count(verdicts, "verdict", "unchanged") + 1,
                         cli_count(verdicts, "verdict", NULL));
    } else if (find_verdict(verdicts, rows[i].name, rows[i].gate, rows[i].verdict) == NULL) {
        fail_msg("row %zu: no %s %s %s: %s", i, rows[i].name, rows[i].gate, rows[i].verdict,
                 cli->out.text);
    }
}

static void each_change_has_its_verdict_and_exit_code(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_row(*state, i);
    }
}

static void only_what_changed_is_named(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    slow_down(&run);
    write_more(&run);
    cli_store(cli, &run);
    cli_run(cli, "--format", "json", "check", "--no-confirm");
    cli_expect(cli, 1);
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    assert_int_equal(cli_count(verdicts, "verdict", "regressed"), 2);
    struct json_object *ratio = find_verdict(verdicts, "cql/batch/s1/new", "ratio", "regressed");
    assert_true(fabs(cli_number(ratio, "baseline") - 0.5) < 1e-5);
    assert_true(fabs(cli_number(ratio, "now") - 0.515) < 1e-5);
    assert_true(fabs(cli_number(ratio, "change_pct") - 3) < 1e-3);
    assert_true(cli_number(ratio, "lo_pct") > 2.5 && cli_number(ratio, "hi_pct") < 3.5);
    struct json_object *counts = find_verdict(verdicts, "cql/batch/s1/new", "counts", "regressed");
    assert_string_equal(cli_text(counts, "metric"), "writes");
    assert_int_equal(cli_number(counts, "baseline"), 1);
    assert_int_equal(cli_number(counts, "now"), 2);
    assert_int_equal(cli_number(counts, "change_pct"), 100);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 1);
    cli_expect_out(cli, "cql/batch/s1/new");
    cli_expect_not(cli, "cql/batch/s2");
}

static void from_zero_the_change_is_infinite(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    allocate(&run);
    cli_store(cli, &run);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 1);
    cli_expect_out(cli, "+5 (+inf)");
    cli_run(cli, "--format", "json", "check", "--no-confirm");
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    struct json_object *item = find_verdict(verdicts, "cql/batch/s2/new", "counts", "regressed");
    assert_true(cli_is_null(item, "change_pct"));
    struct json_object *zero = find_verdict(verdicts, "cql/batch/s1/new", "counts", "unchanged");
    assert_int_equal(cli_number(zero, "change_pct"), 0); /* 0 against 0 */
}

/* A baseline that has a count is no reproach to a machine or a build that can't take it. */
static void a_count_is_missed_only_where_it_can_be_taken(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record with = synthetic_run(&cli->arena, 2);
    synthetic_count(synthetic_benchmark(&with, "s1", "new"), "writes")->name = "syscalls";
    cli_store(cli, &with);
    cli_run(cli, "baseline", "save", "with");
    cli_expect(cli, 0);
    static const struct {
        const char *syscall_counter;
        const char *heap_counter;
        int exit_code;
        const char *syscalls;
        const char *allocations;
    } counters[] = {
        {"none", "none", 0, "skipped", "skipped"},
        {"user_dispatch", "none", 3, "missing", "skipped"},
        {"none", "preload", 3, "skipped", "missing"},
    };
    for (unsigned i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        struct pb_run_record without = synthetic_run(&cli->arena, 3 + i);
        pb_facts_add(&cli->arena, &without.machine, "syscall_counter", counters[i].syscall_counter);
        pb_facts_add(&cli->arena, &without.machine, "heap_counter", counters[i].heap_counter);
        struct pb_benchmark_record *no_heap = synthetic_benchmark(&without, "s2", "new");
        assert_string_equal(no_heap->counts[0].name, "allocations");
        no_heap->counts++;
        no_heap->n_counts--;
        cli_store(cli, &without);
        cli_run(cli, "--format", "json", "check", "--baseline", "with", "--no-confirm");
        cli_expect(cli, counters[i].exit_code);
        struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
        struct json_object *item =
            find_verdict(verdicts, "cql/batch/s1/new", "counts", counters[i].syscalls);
        assert_string_equal(cli_text(item, "metric"), "syscalls");
        item = find_verdict(verdicts, "cql/batch/s2/new", "counts", counters[i].allocations);
        assert_string_equal(cli_text(item, "metric"), "allocations");
    }
}

static void what_is_not_in_the_baseline_yet_is_added_and_the_rest_judged(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record smaller = synthetic_run(&cli->arena, 2);
    synthetic_drop(&smaller, "s2");
    cli_store(cli, &smaller);
    cli_run(cli, "baseline", "save", "smaller");
    cli_expect(cli, 0);
    struct pb_run_record run = synthetic_run(&cli->arena, 3);
    slow_down(&run);
    cli_store(cli, &run);
    cli_run(cli, "--format", "json", "check", "--baseline", "smaller", "--no-confirm");
    cli_expect(cli, 1);
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    assert_non_null(find_verdict(verdicts, "cql/batch/s2/new", "ratio", "added"));
    assert_non_null(find_verdict(verdicts, "cql/batch/s2/new", "counts", "added"));
    assert_non_null(find_verdict(verdicts, "cql/batch/s1/new", "ratio", "regressed"));
    assert_null(find_verdict(verdicts, "cql/batch/s2/floor", "counts", "added"));
}

static void a_baseline_of_another_class_is_refused_with_what_differs(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    slow_down(&run);
    synthetic_set_fact(&run.build, "compiler", "clang 14.0.6");
    synthetic_set_fact(&run.machine, "model", "17");
    cli_store(cli, &run);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 4);
    cli_expect_out(cli, "no baseline of ratios for this class");
    cli_run_shell(cli, "mv baselines/x86_64-*.jsonl ratios.jsonl");
    cli_expect(cli, 0);
    cli_run(cli, "check", "--baseline", "ratios.jsonl");
    cli_expect(cli, 4);
    cli_expect_out(cli, "compiler: gcc 12.2.0 there, clang 14.0.6 here");
    cli_expect_out(cli, "model: 1 there, 17 here");
    cli_expect_not(cli, "arch:");
    cli_expect_not(cli, "regressed");
    cli_run(cli, "check", "--baseline", "ratios.jsonl", "--any-class", "--no-confirm");
    cli_expect(cli, 1);
    cli_expect_out(cli, "cql/batch/s1/new");
    cli_run(cli, "check", "--baseline", "baselines/counts.jsonl");
    cli_expect(cli, 0); /* counts hold everywhere */
}

static void every_key_of_the_class_is_refused_by_name_and_can_be_overridden(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *key;
        bool of_the_build;
        const char *value;
        const char *differ;
    } keys[] = {
        {"arch", false, "aarch64", "arch: x86_64 there, aarch64 here"},
        {"vendor", false, "Other", "vendor: Imagined there, Other here"},
        {"family", false, "6", "family: 25 there, 6 here"},
        {"model", false, "17", "model: 1 there, 17 here"},
        {"libc", false, "musl 1.2", "libc: glibc 2.36 there, musl 1.2 here"},
        {"compiler", true, "gcc 13.1.0", "compiler: gcc 12.2.0 there, gcc 13.1.0 here"},
        {"flags", true, "-O2", "flags: -O3 there, -O2 here"},
        {"build_type", true, "Debug", "build_type: Release there, Debug here"},
    };
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct pb_run_record run = synthetic_run(&cli->arena, 2 + i);
        synthetic_set_fact(keys[i].of_the_build ? &run.build : &run.machine, keys[i].key,
                           keys[i].value);
        slow_down(&run);
        cli_store(cli, &run);
        cli_run(cli, "check", "--no-confirm");
        cli_expect(cli, 4);
        cli_expect_out(cli, "incomparable  (the run)");
        cli_expect_out(cli, pb_arena_printf(&cli->arena, "differs: %s; --any", keys[i].differ));
        cli_run(cli, "check", "--no-confirm", "--any-class");
        cli_expect(cli, 1);
        cli_expect_out(cli, "regressed  cql/batch/s1/new");
    }
}

static void without_a_baseline_there_is_nothing_to_hold_it_against(void **state)
{
    struct cli *cli = *state;
    static const char *const places[] = {"nowhere", "empty"};
    cli_run_shell(cli, "mkdir empty");
    for (int i = 0; i < 2; i++) {
        cli_run(cli, "check", "--baseline", places[i]);
        cli_expect_refusal(cli, 4, places[i]);
        cli_expect_err(cli, "there is no baseline");
    }
    cli_run_shell(cli, "echo nonsense >broken.jsonl");
    cli_run(cli, "check", "--baseline", "broken.jsonl");
    cli_expect_refusal(cli, 2, "broken.jsonl");
}

static void a_run_is_named_by_the_beginning_of_its_id(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 0xabcd0002);
    run.started_at = 1000; /* stored later, but begun earlier: not the latest */
    slow_down(&run);
    cli_store(cli, &run);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_run(cli, "check", "--no-confirm", "--run", "abcd");
    cli_expect(cli, 1);
    cli_run(cli, "check", "--no-confirm", "--run", "ffff");
    cli_expect_refusal(cli, 2, "ffff");
    run = synthetic_run(&cli->arena, 0xabcd0003);
    cli_store(cli, &run);
    cli_run(cli, "check", "--no-confirm", "--run", "abcd");
    cli_expect_refusal(cli, 2, "abcd");
}

/* The suite here is not that of the run, so nothing can be measured again. */
static void what_can_not_be_measured_again_stays_flagged_with_a_warning(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    slow_down(&run);
    cli_store(cli, &run);
    cli_run(cli, "--suite", CLI_PLAIN, "check");
    cli_expect(cli, 1);
    cli_expect_err(cli, "pairbench: warning: what is flagged could not be measured again");
    cli_expect_out(cli, "regressed");
    cli_run(cli, "-q", "--suite", CLI_PLAIN, "check");
    cli_expect(cli, 1);
    assert_string_equal(cli->err.text, "");
    cli_run(cli, "-q", "--suite", CLI_PLAIN, "--format", "json", "check");
    cli_expect(cli, 1);
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    struct json_object *item = find_verdict(verdicts, "cql/batch/s1/new", "ratio", "regressed");
    assert_non_null(strstr(cli_text(item, "reason"), "not confirmed, it could not be measured"));
}

/* A folder that has lost its counts, or hides them, must not look as if they were all well. */
static void counts_that_are_not_there_are_missed(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    cli_store(cli, &run);
    cli_run_shell(cli, "rm baselines/counts.jsonl");
    cli_expect(cli, 0);
    cli_run(cli, "check", "--no-confirm");
    cli_expect(cli, 0);
    cli_expect_err(cli, "has no counts, so none are judged; `pairbench baseline save` writes them");
    cli_run_shell(cli, "ln -s counts.jsonl baselines/counts.jsonl");
    cli_expect(cli, 0);
    cli_run(cli, "check", "--no-confirm");
    cli_expect_refusal(cli, 2, "can't read baselines/counts.jsonl: ");
}

static void a_markdown_summary_goes_to_a_file_or_is_the_document(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    slow_down(&run);
    cli_store(cli, &run);
    cli_run(cli, "check", "--no-confirm", "--markdown", "summary.md");
    cli_expect(cli, 1);
    cli_expect_out(cli, "regressed");
    const char *file = cli_read(cli, cli_path(cli, "summary.md"));
    assert_non_null(strstr(file, "cql/batch/s1/new"));
    cli_run(cli, "check", "--no-confirm", "--markdown", "-");
    cli_expect(cli, 1);
    assert_string_equal(cli->out.text, file); /* and nothing else */
    cli_run_shell(cli,
                  "mkfifo pipe; cat pipe >got & \"$0\" check --no-confirm --markdown pipe; "
                  "code=$?; wait; { cmp got summary.md && test -p pipe; } || exit 9; exit $code");
    cli_expect(cli, 1);
    cli_run(cli, "check", "--no-confirm", "--markdown", "no/such/folder.md");
    cli_expect(cli, 2);
    cli_expect_err(cli, "no/such/folder.md");
}

static void two_checks_of_one_run_say_the_same(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--format", "json", "check", "--no-confirm");
    cli_expect(cli, 0);
    const char *first = pb_arena_strdup(&cli->arena, cli->out.text);
    cli_run(cli, "--format", "json", "check", "--no-confirm");
    assert_string_equal(cli->out.text, first);
    assert_int_equal(cli_n_runs(cli), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(each_change_has_its_verdict_and_exit_code),
        CHECK_TEST(only_what_changed_is_named),
        CHECK_TEST(from_zero_the_change_is_infinite),
        CHECK_TEST(a_count_is_missed_only_where_it_can_be_taken),
        CHECK_TEST(what_is_not_in_the_baseline_yet_is_added_and_the_rest_judged),
        CHECK_TEST(a_baseline_of_another_class_is_refused_with_what_differs),
        CHECK_TEST(every_key_of_the_class_is_refused_by_name_and_can_be_overridden),
        CHECK_TEST(without_a_baseline_there_is_nothing_to_hold_it_against),
        CHECK_TEST(a_run_is_named_by_the_beginning_of_its_id),
        CHECK_TEST(what_can_not_be_measured_again_stays_flagged_with_a_warning),
        CHECK_TEST(counts_that_are_not_there_are_missed),
        CHECK_TEST(a_markdown_summary_goes_to_a_file_or_is_the_document),
        CHECK_TEST(two_checks_of_one_run_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
