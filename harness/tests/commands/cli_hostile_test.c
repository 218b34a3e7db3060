/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad deeds of one variant: it is failed with its reason, nobody else suffers, the run is stored.
 */
#include "cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "suites/deeds.h"

/*
 * What becomes of new. A sanitizer, which a build for tests may have, takes over what glibc and the
 * kernel would do about memory, in its own words: `sanitized` is then accepted as well.
 */
static const struct {
    const char *deed;
    const char *state;
    const char *reason;
    const char *sanitized;
} outcomes[] = {
    {"behaves", "ok", NULL, NULL},
    {"crashes", "failed", "died of signal 11 (Segmentation fault) in run", "SEGV"},
    {"aborts_in_setup", "failed", "died of signal 6 (Aborted) in setup", NULL},
    {"aborts_in_open", "failed", "died of signal 6 (Aborted) in open", NULL},
    {"aborts_in_output", "failed", "died of signal 6 (Aborted) in output", NULL},
    {"aborts_in_counts", "failed", "died of signal 6 (Aborted) in counts", NULL},
    {"aborts_in_close", "failed", "died of signal 6 (Aborted) in close", NULL},
    {"aborts_in_teardown", "failed", "died of signal 6 (Aborted) in teardown", NULL},
    {"hangs", "failed", "hung: killed after 3 s in run", NULL},
    {"exits", "failed", "exited with code 0 in run", "exited with code"},
    {"exits_at_once", "failed", "exited with code 0 in run", NULL},
    {"terminates", "failed", "died of signal 15 (Terminated) in run", NULL},
    {"prints", "failed", "wrote to stdout in run: \"hello \"", NULL},
    {"prints_in_open", "failed", "wrote to stdout in open: \"raw\x1b[31m\"", NULL},
    {"prints_in_teardown_of_round", "failed", "wrote to stdout in close: \"hello \"", NULL},
    {"prints_to_stderr", "ok", NULL, NULL},
    {"frees_twice", "failed", "died of signal 6 (Aborted) in run: free(): double free",
     "double-free"},
    {"spoils_the_heap", "failed", "died of signal 6 (Aborted)", "heap-buffer-overflow"},
    {"fails", "failed", "the sink is on fire \x1b[31m| <b>", NULL},
    {"fails_in_open", "failed", "no input today", NULL},
    {"returns_nonsense", "failed", "returned 42 in run", NULL},
    {"skips", "skipped", "no such instruction here", NULL},
    {"differs", "failed", "output differs from old's at byte 5 of 64: 0x0e instead of 0x0f", NULL},
    {"is_shorter", "failed", "output differs from old's at byte 63: 63 bytes instead of 64", NULL},
    {"is_unsteady", "failed", "output differs from its own first output at byte 7 of 64", NULL},
    {"uses_up_the_arena", "failed", "the arena of 8388608 bytes is used up", NULL},
    {"leaves_a_child", "ok", NULL, NULL},
    {"closes_descriptors", "ok", NULL, NULL},
    {"sets_the_locale", "ok", NULL, "there is no de_DE.UTF-8"},
    {"does_no_work", "ok", "below resolution", NULL},
    {"counts_at_random", "ok", NULL, NULL},
    {"counts_twice", "failed", "writes was reported twice", NULL},
    {"counts_below_zero", "failed", "writes is negative", NULL},
    {"counts_while_running", "failed", "counts() only", NULL},
    {"scribbles", "failed", "wrote over memory that is pairbench's", NULL},
    {"makes_the_region_shorter", "ok", NULL, NULL},
    {"marks", "ok", NULL, NULL},
};
enum { N_OUTCOMES = sizeof outcomes / sizeof outcomes[0] };

static struct json_object *find(struct cli *cli, const char *deed, const char *variant)
{
    const char *name = pb_arena_printf(&cli->arena, "hostile/new_does_it/%s/%s", deed, variant);
    struct json_object *found = cli_find(cli_get(cli->json, "benchmarks"), "name", name);
    if (found == NULL) {
        fail_msg("no %s", name);
    }
    return found;
}

static void check_culprit(struct cli *cli, size_t i)
{
    struct json_object *new = find(cli, outcomes[i].deed, "new");
    const char *reason = cli_is_null(new, "reason") ? "" : cli_text(new, "reason");
    const char *wanted = outcomes[i].reason != NULL ? outcomes[i].reason : "";
    const char *sanitized = outcomes[i].sanitized;
    if (sanitized != NULL && strstr(reason, sanitized) != NULL) {
        return;
    }
    if (strcmp(cli_text(new, "state"), outcomes[i].state) != 0 || strstr(reason, wanted) == NULL ||
        (wanted[0] == '\0' && reason[0] != '\0')) {
        fail_msg("%s is %s: %s\ninstead of %s: %s", outcomes[i].deed, cli_text(new, "state"),
                 reason, outcomes[i].state, wanted);
    }
    const bool timed =
        strcmp(outcomes[i].state, "ok") == 0 && strcmp(outcomes[i].deed, "does_no_work") != 0;
    assert_int_equal(cli_is_null(new, "best_ns"), !timed); /* a failure is no time of 0 */
}

static void check_innocents(struct cli *cli, size_t i)
{
    static const char *const innocents[] = {"old", "bystander"};
    for (int k = 0; k < 2; k++) {
        struct json_object *benchmark = find(cli, outcomes[i].deed, innocents[k]);
        if (strcmp(cli_text(benchmark, "state"), "ok") != 0) {
            fail_msg("%s of %s: %s", innocents[k], outcomes[i].deed, cli_text(benchmark, "reason"));
        }
        assert_int_equal(cli_int(benchmark, "launches"), 1);
        assert_true(cli_number(benchmark, "best_ns") > 0);
        assert_int_equal(cli_int(benchmark, "counts/bytes"), 64);
    }
}

static void check_pair(struct json_object *pair)
{
    if (strcmp(cli_text(pair, "case"), "hostile/new_does_it") != 0 ||
        strcmp(cli_text(pair, "b"), "new") != 0) {
        return;
    }
    size_t i = 0;
    while (strcmp(outcomes[i].deed, cli_text(pair, "scenario")) != 0) {
        i++;
    }
    const char *verdict = cli_text(pair, "verdict");
    if (strcmp(outcomes[i].state, "ok") != 0) {
        assert_string_equal(verdict, outcomes[i].state);
        assert_true(cli_is_null(pair, "speedup"));
    } else if (strcmp(outcomes[i].deed, "does_no_work") == 0) {
        assert_string_equal(verdict, "below resolution");
        assert_true(cli_is_null(pair, "speedup"));
    } else if (strcmp(verdict, "skipped") != 0) { /* the locale */
        assert_string_equal(verdict, "inconclusive");
    }
}

static void a_bad_deed_fails_its_benchmark_with_a_reason_and_nobody_else(void **state)
{
    struct cli *cli = *state;
    assert_int_equal(N_OUTCOMES, N_DEEDS);
    /* -q: the checkout that this was built in may have changes, which is warned about */
    cli_run(cli, "--suite", CLI_SUITE("hostile"), "--format", "json", "-q", "run",
            "hostile/new_does_it", "--launches", "1", "--timeout", "3s");
    cli_expect(cli, 3);
    assert_string_equal(cli->err.text, "");
    struct json_object *document = cli_json(cli, "run");
    for (size_t i = 0; i < N_OUTCOMES; i++) {
        check_culprit(cli, i);
        check_innocents(cli, i);
    }
    struct json_object *pairs = cli_get(document, "pairs");
    for (size_t i = 0; i < json_object_array_length(pairs); i++) {
        check_pair(json_object_array_get_idx(pairs, i));
    }
    assert_int_equal(cli_n_runs(cli), 1);
}

static void nothing_is_compared_with_an_old_that_is_not_well(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_SUITE("hostile"), "--format", "json", "run", "hostile/old_does_it",
            "--launches", "1");
    cli_expect(cli, 3);
    struct json_object *benchmarks = cli_get(cli_json(cli, "run"), "benchmarks");
    static const struct {
        const char *name;
        const char *state;
    } rows[] = {
        {"hostile/old_does_it/crashes/old", "failed"},
        {"hostile/old_does_it/crashes/new", "skipped"},
        {"hostile/old_does_it/crashes/bystander", "skipped"},
        {"hostile/old_does_it/is_unsteady/old", "failed"},
        {"hostile/old_does_it/is_unsteady/new", "skipped"},
        {"hostile/old_does_it/skips/old", "skipped"},
        {"hostile/old_does_it/skips/new", "skipped"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *benchmark = cli_find(benchmarks, "name", rows[i].name);
        assert_non_null(benchmark);
        assert_string_equal(cli_text(benchmark, "state"), rows[i].state);
        assert_true(cli_is_null(benchmark, "best_ns"));
    }
}

static void the_text_shows_reasons_and_runs_nothing_of_them(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_SUITE("hostile"), "run", "*/fails", "*/prints_in_open", "*/differs",
            "*/does_no_work", "--launches", "1");
    cli_expect(cli, 3);
    cli_expect_not(cli, "\x1b");
    cli_expect_out(cli, "the sink is on fire \\x1b[31m| <b>");
    cli_expect_out(cli, "at byte 5 of 64");
    cli_expect_out(cli, "below resolution");
    cli_run(cli, "--suite", CLI_SUITE("hostile"), "list", "-q", "*/differs");
    cli_expect(cli, 0);
}

static void a_check_of_such_a_run_says_what_failed(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_SUITE("hostile"), "run", "*/differs", "--launches", "0");
    cli_expect(cli, 3);
    cli_run_shell(cli, "mkdir baselines && echo '{}' >baselines/counts.jsonl && exec \"$0\" "
                       "check");
    cli_expect(cli, 2); /* a baseline that is none */
    cli_run(cli, "baseline", "save", "--force", "saved");
    cli_expect(cli, 0);
    cli_run(cli, "--format", "json", "check", "--baseline", "saved");
    cli_expect(cli, 3);
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    struct json_object *failed = cli_find(verdicts, "name", "hostile/new_does_it/differs/new");
    assert_string_equal(cli_text(failed, "verdict"), "failed");
    assert_non_null(strstr(cli_text(failed, "reason"), "at byte 5 of 64"));
    cli_run(cli, "check", "--baseline", "saved", "--fail-on", "failed");
    cli_expect(cli, 0); /* it did not fail, it differs */
    cli_run(cli, "check", "--baseline", "saved", "--fail-on", "differs");
    cli_expect(cli, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(a_bad_deed_fails_its_benchmark_with_a_reason_and_nobody_else),
        CLI_TEST(nothing_is_compared_with_an_old_that_is_not_well),
        CLI_TEST(the_text_shows_reasons_and_runs_nothing_of_them),
        CLI_TEST(a_check_of_such_a_run_says_what_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
