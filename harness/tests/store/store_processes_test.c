/* SPDX-License-Identifier: Apache-2.0
 *
 * Several processes on one database: writers at once, and writers that are killed.
 *
 * A writer reports each run that it stored through a pipe. What it reported must be there
 * afterwards whatever happened to it; one more may be, when it was killed between the commit and
 * the report.
 */
#include "store/store.h"

#include "stats/random.h"
#include "store/database_file.h"
#include "store_fixture.h"

#include <sys/types.h>
#include <sys/wait.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Stores runs from `first` on, at most n, and writes a byte for each to the pipe. Does not return.
 */
static void write_runs(const char *path, unsigned first, unsigned n, int report)
{
    struct pb_error err = {0};
    struct pb_store *store = NULL;
    enum pb_code code = pb_store_open(path, PB_STORE_WRITE, &store, &err);
    for (unsigned i = first; i < first + n && code == PB_OK; i++) {
        struct pb_arena arena = {0};
        const struct pb_run_record run = fixture_run(&arena, i);
        code = pb_store_save_run(store, &run, &err);
        pb_arena_release(&arena);
        if (code == PB_OK && write(report, "", 1) != 1) {
            _exit(2);
        }
    }
    if (code != PB_OK) {
        fprintf(stderr, "%s\n", err.message);
    }
    pb_store_close(store);
    _exit(code == PB_OK ? 0 : 1);
}

struct writer {
    pid_t pid;
    int reports; /* to read from */
};

static struct writer start_writer(const char *path, unsigned first, unsigned n)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        write_runs(path, first, n, ends[1]);
    }
    assert_true(pid > 0);
    close(ends[1]);
    return (struct writer){pid, ends[0]};
}

/* Waits for up to n reports. returns: how many came */
static unsigned await_reports(const struct writer *writer, unsigned n)
{
    unsigned got = 0;
    char byte;
    while (got < n && read(writer->reports, &byte, 1) == 1) {
        got++;
    }
    return got;
}

static int finish(const struct writer *writer)
{
    int status = 0;
    assert_int_equal(waitpid(writer->pid, &status, 0), writer->pid);
    close(writer->reports);
    return status;
}

static void check_holds(const char *path, unsigned first, unsigned n)
{
    struct pb_strbuf why = {0};
    if (!fixture_holds_runs(path, first, n, &why)) {
        fail_msg("%s", why.text);
    }
    pb_strbuf_release(&why);
}

static size_t count_runs(struct test_scratch *scratch)
{
    struct pb_store *store = NULL;
    size_t n = 0;
    if (pb_store_open(scratch->path, PB_STORE_READ, &store, &scratch->err) != PB_OK ||
        pb_store_count_runs(store, &n, &scratch->err) != PB_OK) {
        fail_msg("%s", scratch->err.message);
    }
    pb_store_close(store);
    return n;
}

/* SQLite's own look at every page, index and reference. */
static void check_integrity(struct test_scratch *scratch)
{
    struct pb_sql *sql = NULL;
    char *answer = NULL;
    int64_t lost = -1;
    assert_int_equal(pb_sql_open(scratch->path, pb_database_file_read_access(scratch->path),
                                 PB_SQL_BUSY_MS, &sql, &scratch->err),
                     PB_OK);
    assert_int_equal(
        pb_sql_text(sql, "PRAGMA integrity_check", &scratch->arena, &answer, &scratch->err), PB_OK);
    assert_string_equal(answer, "ok");
    assert_int_equal(
        pb_sql_integer(sql, "SELECT count(*) FROM pragma_foreign_key_check", &lost, &scratch->err),
        PB_OK);
    assert_int_equal(lost, 0);
    pb_sql_close(sql);
}

/* Kills a writer some microseconds after its n_reports-th run. returns: how many it reported */
static unsigned kill_writer(struct test_scratch *scratch, unsigned first, unsigned n_reports,
                            unsigned delay_us)
{
    const struct writer writer = start_writer(scratch->path, first, 1000);
    unsigned reported = await_reports(&writer, n_reports);
    usleep(delay_us);
    assert_int_equal(kill(writer.pid, SIGKILL), 0);
    reported += await_reports(&writer, 1000); /* what it had still said: the pipe ends with it */
    const int status = finish(&writer);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    return reported;
}

static void a_killed_writer_leaves_all_finished_runs_and_a_valid_database(void **state)
{
    struct test_scratch *scratch = *state;
    enum { ROUNDS = 12 };
    struct pb_random random;
    pb_random_init(&random, 18);
    unsigned stored = 0;
    fixture_store_runs(scratch->path, stored++, 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned delay_us = (unsigned)pb_random_below(&random, 8000);
        const unsigned reported = kill_writer(scratch, stored, round % 3, delay_us);
        check_holds(scratch->path, 0, stored + reported);
        const size_t n = count_runs(scratch);
        assert_true(n == stored + reported || n == stored + reported + 1);
        check_integrity(scratch);
        stored = (unsigned)n;
        check_holds(scratch->path, 0, stored);
    }
    assert_true(stored > ROUNDS / 2); /* else nobody was killed at work */
    fixture_store_runs(scratch->path, stored, 1);
    check_holds(scratch->path, 0, stored + 1);
}

static void a_writer_killed_while_it_makes_the_database_leaves_nothing_in_the_way(void **state)
{
    struct test_scratch *scratch = *state;
    enum { ROUNDS = 12 };
    struct pb_random random;
    pb_random_init(&random, 19);
    for (unsigned round = 0; round < ROUNDS; round++) {
        scratch->path = pb_arena_printf(&scratch->arena, "%s/%u.db", scratch->folder, round);
        (void)kill_writer(scratch, 0, 0, (unsigned)pb_random_below(&random, 3000));
        fixture_store_runs(scratch->path, 0, 1);
        check_holds(scratch->path, 0, 1);
        check_integrity(scratch);
    }
}

static void two_writers_at_once_both_succeed(void **state)
{
    struct test_scratch *scratch = *state;
    enum { EACH = 8 };
    const struct writer writers[] = {
        start_writer(scratch->path, 0, EACH), /* both find no database */
        start_writer(scratch->path, EACH, EACH),
    };
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(await_reports(&writers[i], EACH), EACH);
        assert_int_equal(finish(&writers[i]), 0);
    }
    assert_int_equal(count_runs(scratch), 2 * EACH);
    check_holds(scratch->path, 0, 2 * EACH);
    check_integrity(scratch);
}

static void two_writers_of_the_same_runs_store_each_once(void **state)
{
    struct test_scratch *scratch = *state;
    const struct writer writers[] = {
        start_writer(scratch->path, 0, 4),
        start_writer(scratch->path, 0, 4),
    };
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(await_reports(&writers[i], 4), 4);
        assert_int_equal(finish(&writers[i]), 0);
    }
    assert_int_equal(count_runs(scratch), 4);
    check_holds(scratch->path, 0, 4);
}

static void a_reader_beside_a_writer_sees_whole_runs_only(void **state)
{
    struct test_scratch *scratch = *state;
    enum { RUNS = 12 };
    const struct writer writer = start_writer(scratch->path, 0, RUNS);
    unsigned reported = 0;
    while (await_reports(&writer, 1) == 1) {
        check_holds(scratch->path, 0, ++reported);
    }
    assert_int_equal(finish(&writer), 0);
    assert_int_equal(reported, RUNS);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, test_scratch_set_up, test_scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_killed_writer_leaves_all_finished_runs_and_a_valid_database),
        TEST(a_writer_killed_while_it_makes_the_database_leaves_nothing_in_the_way),
        TEST(two_writers_at_once_both_succeed),
        TEST(two_writers_of_the_same_runs_store_each_once),
        TEST(a_reader_beside_a_writer_sees_whole_runs_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
