/* SPDX-License-Identifier: Apache-2.0
 *
 * `run`: what it prints and stores, in surroundings of all kinds.
 */
#include "cli.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "test_folder.h"

static void a_run_is_shown_and_stored(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "2");
    cli_expect(cli, 0);
    static const char *const texts[] = {"plain/write", "brief", "longer",   "old",
                                        "new",         "floor", "speed-up", "inconclusive"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cli_expect_out(cli, texts[i]);
    }
    cli_expect_not(cli, "on_request");
    assert_int_equal(cli_n_runs(cli), 1);
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "1", "--no-store");
    cli_expect(cli, 0);
    assert_string_equal(cli->err.text, "");
    assert_int_equal(cli_n_runs(cli), 1);
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "1"); /* the same commit once more */
    cli_expect(cli, 0);
    assert_int_equal(cli_n_runs(cli), 2);
}

static void a_run_is_a_json_document(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "run", "--launches", "2", "--seed", "17",
            "--label", "a=b", "--label", "c=", "plain/write/brief", "*\n*", "*/brief/floor");
    cli_expect(cli, 2); /* the pattern with a newline matches nothing */
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "run", "--launches", "2", "--seed", "17",
            "--label", "a=b", "--label", "c=", "plain/write/brief");
    cli_expect(cli, 0);
    struct json_object *document = cli_json(cli, "run");
    assert_int_equal(strlen(cli_text(document, "run/id")), 36);
    assert_string_equal(cli_text(document, "run/seed"), "17");
    assert_string_equal(cli_text(document, "run/label"), "a=b,c=");
    assert_string_equal(cli_text(document, "run/patterns/0"), "plain/write/brief");
    assert_int_equal(cli_int(document, "run/launches"), 2);
    assert_int_equal(strlen(cli_text(document, "run/started_at")), strlen("2026-01-31T02:00:00Z"));
    assert_string_equal(cli_text(document, "run/build/suite"), "plain");
    assert_true(strlen(cli_text(document, "run/machine/arch")) > 0);
    assert_int_equal(cli_count(cli_get(document, "benchmarks"), "name", NULL), 3);
    struct json_object *new = cli_find(cli_get(document, "benchmarks"), "variant", "new");
    assert_string_equal(cli_text(new, "name"), "plain/write/brief/new");
    assert_string_equal(cli_text(new, "case"), "plain/write");
    assert_string_equal(cli_text(new, "scenario"), "brief");
    assert_string_equal(cli_text(new, "state"), "ok");
    assert_true(cli_is_null(new, "reason"));
    assert_true(cli_number(new, "best_ns") > 0);
    assert_int_equal(cli_int(new, "counts/writes"), 1);
    assert_int_equal(cli_int(new, "repeats"), 2 * 56 * 2);
    struct json_object *pair = cli_find(cli_get(document, "pairs"), "b", "new");
    assert_string_equal(cli_text(pair, "a"), "old");
    assert_int_equal(cli_int(pair, "launches"), 2);
    assert_true(cli_number(pair, "speedup") > 0);
    assert_true(cli_is_null(pair, "lo_pct")); /* two launches have no interval */
    assert_string_equal(cli_text(pair, "verdict"), "inconclusive");
}

static void no_launches_means_no_times(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "run", "--launches", "0");
    cli_expect(cli, 0);
    struct json_object *old =
        cli_find(cli_get(cli_json(cli, "run"), "benchmarks"), "name", "plain/write/longer/old");
    assert_true(cli_is_null(old, "best_ns"));
    assert_int_equal(cli_int(old, "counts/writes"), 32);
}

static void what_is_asked_for_is_measured_whatever_its_flags(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "run", "--launches", "0", "--filter",
            "*/on_request/new");
    cli_expect(cli, 0);
    struct json_object *benchmarks = cli_get(cli_json(cli, "run"), "benchmarks");
    assert_int_equal(cli_count(benchmarks, "scenario", "on_request"), 2);
    assert_int_equal(cli_count(benchmarks, "name", NULL), 2);
}

static void an_injected_run_is_marked(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "run", "--launches", "1", "--inject",
            "*/brief/new=+400%", "--inject", "*/longer/new=-50%");
    cli_expect(cli, 0);
    struct json_object *document = cli_json(cli, "run");
    assert_true(json_object_get_boolean(cli_get(document, "run/injected")));
    struct json_object *benchmarks = cli_get(document, "benchmarks");
    static const struct {
        const char *name;
        double pct;
    } rows[] = {{"plain/write/brief/new", 400},
                {"plain/write/longer/new", -50},
                {"plain/write/brief/old", 0},
                {"plain/write/longer/floor", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *benchmark = cli_find(benchmarks, "name", rows[i].name);
        assert_true(cli_number(benchmark, "inject_pct") == rows[i].pct);
    }
}

static void a_tiny_budget_is_one_wave(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "run", "--budget", "1ms");
    cli_expect(cli, 0);
    struct json_object *pairs = cli_get(cli_json(cli, "run"), "pairs");
    for (size_t i = 0; i < json_object_array_length(pairs); i++) {
        assert_int_equal(cli_int(json_object_array_get_idx(pairs, i), "launches"), 1);
    }
}

/* A database that `run` must leave as it is. */
static void check_left_alone(struct cli *cli, const char *content, size_t n, const char *text)
{
    struct pb_strbuf before = {0};
    struct pb_strbuf after = {0};
    if (content != NULL) {
        test_file_write(cli->db, content, n);
    }
    test_folder_state(cli->folder, &before);
    static const char *const commands[] = {"run", "check", "report"};
    for (size_t i = 0; i < 3; i++) {
        cli_run(cli, "--suite", CLI_PLAIN, commands[i]);
        cli_expect_refusal(cli, 2, text);
    }
    test_folder_state(cli->folder, &after);
    assert_string_equal(before.text, after.text);
    pb_strbuf_release(&before);
    pb_strbuf_release(&after);
}

static void an_unusable_database_is_refused_at_once_and_left_alone(void **state)
{
    struct cli *cli = *state;
    static const char garbage[] = "this is no database, but something that somebody wants to keep";
    check_left_alone(cli, garbage, sizeof garbage, "pairbench.db");
    check_left_alone(cli, "", 0, "pairbench.db is empty");
    unlink(cli->db);
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "0");
    cli_expect(cli, 0);
    struct pb_strbuf whole = {0};
    test_file_read(cli->db, &whole);
    /* SQLite keeps user_version, big-endian, at byte 60 of the file. */
    whole.text[62] = 100;
    check_left_alone(cli, whole.text, whole.length, "newer");
    whole.text[62] = 0;
    memset(whole.text + 100, 0x55, 400); /* the table of tables */
    check_left_alone(cli, whole.text, whole.length, "pairbench.db");
    pb_strbuf_release(&whole);
}

static void a_database_that_can_not_be_is_refused(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--db", "no/such/folder/x.db", "--suite", CLI_PLAIN, "run");
    cli_expect_refusal(cli, 2, "no/such/folder/x.db");
    cli_run(cli, "--db", ".", "--suite", CLI_PLAIN, "run");
    cli_expect(cli, 2);
    cli_run(cli, "check");
    cli_expect_refusal(cli, 2, "there is no database");
    cli_run(cli, "report", "--run", "1234");
    cli_expect_refusal(cli, 2, "there is no database");
    cli_run(cli, "baseline", "save");
    cli_expect_refusal(cli, 2, "there is no database");
}

/* Even for root, when it may not override permissions. */
static void a_read_only_database_is_refused(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "0");
    cli_expect(cli, 0);
    chmod(cli->db, 0444);
    const bool is_root = geteuid() == 0;
    cli_run_shell(cli, is_root
                           ? "exec setpriv --bounding-set=-dac_override,-dac_read_search \"$0\" "
                             "--suite '" CLI_PLAIN "' run --launches 0"
                           : "exec \"$0\" --suite '" CLI_PLAIN "' run --launches 0");
    if (is_root && strstr(cli->err.text, "setpriv") != NULL) {
        skip(); /* not allowed to give up rights here */
    }
    cli_expect_refusal(cli, 2, "pairbench.db");
    assert_int_equal(cli_n_runs(cli), 1);
}

static void the_database_may_be_named_by_the_environment(void **state)
{
    struct cli *cli = *state;
    setenv("PAIRBENCH_DB", "other.db", 1);
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "0");
    cli_expect(cli, 0);
    assert_int_equal(access(cli_path(cli, "other.db"), F_OK), 0);
    assert_int_not_equal(access(cli->db, F_OK), 0);
    cli_run(cli, "--db", "pairbench.db", "--suite", CLI_PLAIN, "run", "--launches", "0");
    unsetenv("PAIRBENCH_DB");
    cli_expect(cli, 0);
    assert_int_equal(cli_n_runs(cli), 1);
}

static void two_runs_write_one_database_at_once(void **state)
{
    struct cli *cli = *state;
    enum { RUNS = 3 };
    static const char *const argv[] = {PB_TEST_PROGRAM, "--suite", CLI_PLAIN, "run",
                                       "--launches",    "1",       NULL};
    pid_t pids[RUNS];
    for (int i = 0; i < RUNS; i++) {
        pids[i] = cli_start(cli, argv);
    }
    for (int i = 0; i < RUNS; i++) {
        cli_finish(cli, pids[i]);
        cli_expect(cli, 0);
    }
    assert_int_equal(cli_n_runs(cli), RUNS);
}

/* Starts a run that hangs in a worker; the file at mark exists when it does. */
static pid_t start_hanging(struct cli *cli, const char *mark)
{
    static const char *const argv[] = {PB_TEST_PROGRAM,
                                       "--suite",
                                       CLI_SUITE("hostile"),
                                       "run",
                                       "*/hangs",
                                       "--timeout",
                                       "1h",
                                       NULL};
    setenv("PB_TEST_MARK", mark, 1);
    const pid_t pid = cli_start(cli, argv);
    unsetenv("PB_TEST_MARK");
    cli_await_file(mark);
    return pid;
}

static void a_killed_run_leaves_finished_ones_and_no_worker(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "0");
    cli_expect(cli, 0);
    int held[2]; /* by the run and its worker; at its end all of them are gone */
    assert_int_equal(pipe(held), 0);
    fcntl(held[0], F_SETFD, FD_CLOEXEC);
    const pid_t pid = start_hanging(cli, cli_path(cli, "mark"));
    close(held[1]);
    kill(pid, SIGKILL);
    cli_finish(cli, pid);
    assert_int_equal(cli->signal, SIGKILL);
    struct pollfd polled = {.fd = held[0], .events = POLLIN};
    assert_int_equal(poll(&polled, 1, 100000), 1);
    char byte;
    assert_int_equal(read(held[0], &byte, 1), 0);
    close(held[0]);
    assert_int_equal(cli_n_runs(cli), 1);
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "0");
    cli_expect(cli, 0);
    assert_int_equal(cli_n_runs(cli), 2);
}

static void an_interrupted_run_stores_nothing_and_dies_of_the_signal(void **state)
{
    struct cli *cli = *state;
    static const int signals[] = {SIGINT, SIGTERM};
    const char *mark = cli_path(cli, "mark");
    static const char *const argv[] = {PB_TEST_PROGRAM, "--suite", CLI_SUITE("hostile"),
                                       "run",           "*/marks", "--launches",
                                       "4096",          NULL};
    for (int i = 0; i < 2; i++) {
        setenv("PB_TEST_MARK", mark, 1);
        const pid_t pid = cli_start(cli, argv);
        unsetenv("PB_TEST_MARK");
        cli_await_file(mark);
        kill(pid, signals[i]);
        cli_finish(cli, pid);
        assert_int_equal(cli->signal, signals[i]);
        assert_string_equal(cli->out.text, "");
        cli_expect_err(cli, "interrupted; nothing was stored");
        assert_int_equal(cli_n_runs(cli), 0);
        unlink(mark);
    }
}

static void a_second_interrupt_ends_it_at_once(void **state)
{
    struct cli *cli = *state;
    const pid_t pid = start_hanging(cli, cli_path(cli, "mark"));
    kill(pid, SIGINT); /* waits for the launch to end, which it never does */
    while (kill(pid, SIGINT) == 0) {
        int status = 0;
        if (waitpid(pid, &status, WNOHANG) == pid) {
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT);
            break;
        }
        usleep(2000);
    }
}

static void without_git_it_runs_all_the_same(void **state)
{
    struct cli *cli = *state;
    mkdir(cli_path(cli, "bin"), 0755);
    cli_run_shell(cli, "PATH=$PWD/bin; export PATH; exec \"$0\" --format json --suite '" CLI_PLAIN
                       "' run --launches 0");
    cli_expect(cli, 0);
    assert_string_equal(cli_text(cli_json(cli, "run"), "run/commit/state"), "no git");
    assert_string_equal(cli_text(cli->json, "run/commit/id"), "");
    cli_expect_err(cli, "warning: the commit is not known (no git)");
}

static void what_a_checkout_lacks_is_warned_about_where_a_run_is_stored(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "cp '" CLI_PLAIN
                       "' . && git init -q . && printf '*.so\\ns\\n*.db*\\n' >.gitignore && "
                       "git add .gitignore && git -c user.name=a -c user.email=a@b commit -qm one "
                       "&& git -c protocol.file.allow=always clone -q --depth 1 \"file://$PWD\" s");
    cli_expect(cli, 0);
    static const struct {
        const char *script;
        const char *text; /* of the warning; NULL: there is none */
    } rows[] = {
        {"exec \"$0\" --db s/.git/a.db --suite ./plain.so run --launches 0", NULL},
        {"echo new >new; exec \"$0\" --suite ./plain.so run --launches 0 --no-store", NULL},
        {"exec \"$0\" --suite ./plain.so run --launches 0", "changes that are not committed"},
        {"cp plain.so s && exec \"$0\" --suite s/plain.so run --launches 0", "shallow"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cli_run_shell(cli, rows[i].script);
        cli_expect(cli, 0);
        if (rows[i].text != NULL) {
            cli_expect_err(cli, rows[i].text);
        } else {
            assert_string_equal(cli->err.text, "");
        }
    }
}

static void a_suite_outside_of_any_repository_is_measured(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli,
                  "cp '" CLI_PLAIN
                  "' suite.so; GIT_CEILING_DIRECTORIES=$(dirname \"$PWD\") exec \"$0\" --format "
                  "json --suite ./suite.so run --launches 0");
    cli_expect(cli, 0);
    assert_string_equal(cli_text(cli_json(cli, "run"), "run/commit/state"), "no repository");
}

/* Compiles the locale, since a small machine has none but C; on one without its source it stays
 * away, and then this shows less. */
static void a_german_locale_changes_no_number(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "mkdir locales && localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 || :");
    cli_run_shell(
        cli,
        "LOCPATH=$PWD/locales LC_ALL=de_DE.UTF-8 exec \"$0\" --format json --suite '" CLI_SUITE(
            "hostile") "' run '*/sets_the_locale' --launches 1");
    cli_expect(cli, 0);
    struct json_object *benchmarks = cli_get(cli_json(cli, "run"), "benchmarks");
    struct json_object *new =
        cli_find(benchmarks, "name", "hostile/new_does_it/sets_the_locale/new");
    const bool installed = strcmp(cli_text(new, "state"), "ok") == 0;
    assert_true(installed || strcmp(cli_text(new, "reason"), "there is no de_DE.UTF-8") == 0);
    assert_true(!installed || cli_number(new, "best_ns") > 0);
    cli_run_shell(cli, "LOCPATH=$PWD/locales LC_ALL=de_DE.UTF-8 exec \"$0\" --suite '" CLI_PLAIN
                       "' run --launches 1 --budget 1.5s --inject '*/new=+12.5%'");
    cli_expect(cli, 0);
    assert_int_equal(cli_n_runs(cli), 2);
}

/* A program with a sanitizer counts no allocations anyway, and says nothing of it. */
static void a_missing_heap_counter_is_warned_about(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "mkdir alone && cp \"$0\" \"$(dirname \"$0\")/pairbench-worker\" alone && "
                       "alone/pairbench --format json --suite '" CLI_PLAIN
                       "' run --launches 1 '*/brief/*'");
    cli_expect(cli, 0);
    struct json_object *benchmarks = cli_get(cli_json(cli, "run"), "benchmarks");
    struct json_object *old = cli_find(benchmarks, "name", "plain/write/brief/old");
    assert_int_equal(cli_int(old, "counts/writes"), 8);
    assert_false(json_object_object_get_ex(cli_get(old, "counts"), "allocations", NULL));
    cli_run(cli, "--suite", CLI_PLAIN, "run", "--launches", "1", "*/brief/*");
    const bool counts = strstr(cli->out.text, "allocations") != NULL;
    cli_expect_not(cli, "allocations are not counted");
    cli_run_shell(cli, "alone/pairbench --suite '" CLI_PLAIN "' run --launches 1 '*/brief/*'");
    if (counts) {
        cli_expect_err(cli, "allocations are not counted: pairbench-heap.so is neither");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(a_run_is_shown_and_stored),
        CLI_TEST(a_run_is_a_json_document),
        CLI_TEST(no_launches_means_no_times),
        CLI_TEST(what_is_asked_for_is_measured_whatever_its_flags),
        CLI_TEST(an_injected_run_is_marked),
        CLI_TEST(a_tiny_budget_is_one_wave),
        CLI_TEST(an_unusable_database_is_refused_at_once_and_left_alone),
        CLI_TEST(a_database_that_can_not_be_is_refused),
        CLI_TEST(a_read_only_database_is_refused),
        CLI_TEST(the_database_may_be_named_by_the_environment),
        CLI_TEST(two_runs_write_one_database_at_once),
        CLI_TEST(a_killed_run_leaves_finished_ones_and_no_worker),
        CLI_TEST(an_interrupted_run_stores_nothing_and_dies_of_the_signal),
        CLI_TEST(a_second_interrupt_ends_it_at_once),
        CLI_TEST(without_git_it_runs_all_the_same),
        CLI_TEST(what_a_checkout_lacks_is_warned_about_where_a_run_is_stored),
        CLI_TEST(a_suite_outside_of_any_repository_is_measured),
        CLI_TEST(a_german_locale_changes_no_number),
        CLI_TEST(a_missing_heap_counter_is_warned_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
