/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are not what they should be, and places where nothing can be written: what is there is
 * never changed, and the message says what to do.
 */
#include "store/database_file.h"

#include "store/store.h"
#include "store_fixture.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { RUNS = 3 };

/* A closed database with runs 0 … RUNS - 1. */
static int set_up(void **state)
{
    const int made = test_scratch_set_up(state);
    const struct test_scratch *scratch = *state;
    fixture_store_runs(scratch->path, 0, RUNS);
    return made;
}

/* Opening path must fail in either way and change nothing in the folder. */
static void check_refused(struct test_scratch *scratch, const char *path, const char *message)
{
    static const enum pb_store_mode modes[] = {PB_STORE_READ, PB_STORE_WRITE};
    struct pb_strbuf before = {0};
    struct pb_strbuf after = {0};
    test_folder_state(scratch->folder, &before);
    for (size_t i = 0; i < 2; i++) {
        struct pb_store *store = NULL;
        assert_int_equal(pb_store_open(path, modes[i], &store, &scratch->err), PB_ERR_STORE);
        assert_null(store);
        assert_non_null(strstr(scratch->err.message, path));
        if (strstr(scratch->err.message, message) == NULL) {
            fail_msg("'%s' does not say '%s'", scratch->err.message, message);
        }
        pb_strbuf_reset(&after);
        test_folder_state(scratch->folder, &after);
        assert_string_equal(before.text, after.text);
    }
    pb_strbuf_release(&before);
    pb_strbuf_release(&after);
}

static void check_holds_all(const char *path)
{
    struct pb_strbuf why = {0};
    if (!fixture_holds_runs(path, 0, RUNS, &why)) {
        fail_msg("%s", why.text);
    }
    pb_strbuf_release(&why);
}

static void a_closed_database_is_one_file(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_strbuf listing = {0};
    test_folder_state(scratch->folder, &listing);
    assert_ptr_equal(strchr(listing.text, '\n'), strrchr(listing.text, '\n'));
    pb_strbuf_release(&listing);
}

static void a_file_that_is_not_a_database_of_ours_is_refused_and_kept(void **state)
{
    struct test_scratch *scratch = *state;
    static const char text[200] = "SQLite format 3"; /* and then nothing that fits */
    static const struct {
        const char *content;
        size_t n;
        const char *message;
    } table[] = {
        {"", 0, "is empty"},
        {"x", 1, "is not a database"},
        {"SQLite format 3", 16, "is not a database"},
        {"a text file that is a good deal longer than the header of a database, so that it can't "
         "be "
         "refused for that",
         107, "is not a database"},
        {text, sizeof text, "of another program"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        test_file_write(scratch->path, table[i].content, table[i].n);
        check_refused(scratch, scratch->path, table[i].message);
    }
}

static void a_database_of_another_program_is_refused_and_kept(void **state)
{
    struct test_scratch *scratch = *state;
    const char *path = test_scratch_path(scratch, "other.db");
    struct pb_sql *sql = NULL;
    test_file_write(path, "", 0);
    assert_int_equal(pb_sql_open(path, PB_SQL_WRITE, 0, &sql, &scratch->err), PB_OK);
    assert_int_equal(pb_sql_exec(sql, "CREATE TABLE run (x TEXT) STRICT", &scratch->err), PB_OK);
    pb_sql_close(sql);
    check_refused(scratch, path, "of another program");
}

static void a_database_of_a_newer_version_is_refused_and_kept(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_sql *sql = NULL;
    assert_int_equal(pb_sql_open(scratch->path, PB_SQL_WRITE, 0, &sql, &scratch->err), PB_OK);
    assert_int_equal(pb_sql_exec(sql, "PRAGMA user_version = 99", &scratch->err), PB_OK);
    pb_sql_close(sql);
    check_refused(scratch, scratch->path, "newer pairbench (schema 99");
}

static void a_newer_version_is_seen_before_the_database_is_opened(void **state)
{
    struct test_scratch *scratch = *state;
    const struct pb_migrations none = {NULL, 0};
    assert_int_equal(pb_database_file_check(scratch->path, &none, &scratch->err), PB_ERR_STORE);
    assert_non_null(strstr(scratch->err.message, "newer pairbench (schema "));
    assert_non_null(strstr(scratch->err.message, ", this one knows 0)"));
}

static void a_reader_without_a_writer_refuses_to_save(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_store *reader = NULL;
    const struct pb_run_record run = fixture_run(&scratch->arena, RUNS);
    assert_int_equal(pb_store_open(scratch->path, PB_STORE_READ, &reader, &scratch->err), PB_OK);
    assert_int_equal(pb_store_save_run(reader, &run, &scratch->err), PB_ERR_STORE);
    assert_non_null(strstr(scratch->err.message, "read-only"));
    pb_store_close(reader);
}

static void what_is_no_regular_file_is_refused(void **state)
{
    struct test_scratch *scratch = *state;
    static const struct {
        const char *name;
        const char *message;
    } table[] = {{"folder", "not a regular file"},
                 {"fifo", "not a regular file"},
                 {"dangling", "symbolic link to a file that does not exist"}};
    assert_int_equal(mkdir(test_scratch_path(scratch, "folder"), 0755), 0);
    assert_int_equal(mkfifo(test_scratch_path(scratch, "fifo"), 0644), 0);
    assert_int_equal(symlink("nowhere", test_scratch_path(scratch, "dangling")), 0);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        check_refused(scratch,
                      pb_arena_printf(&scratch->arena, "%s/%s", scratch->folder, table[i].name),
                      table[i].message);
    }
}

static void a_missing_file_is_not_found_by_a_reader_and_made_by_a_writer(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_store *store = NULL;
    const char *path = test_scratch_path(scratch, "new.db");
    assert_int_equal(pb_store_open(path, PB_STORE_READ, &store, &scratch->err), PB_ERR_NOT_FOUND);
    assert_non_null(strstr(scratch->err.message, path));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(pb_store_open(path, PB_STORE_WRITE, &store, &scratch->err), PB_OK);
    pb_store_close(store);
    assert_int_equal(access(path, F_OK), 0);
    const char *lost = test_scratch_path(scratch, "none/new.db");
    assert_int_equal(pb_store_open(lost, PB_STORE_WRITE, &store, &scratch->err), PB_ERR_STORE);
    assert_non_null(strstr(scratch->err.message, "its folder does not exist"));
}

static void a_truncated_file_is_refused_and_kept(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_strbuf whole = {0};
    test_file_read(scratch->path, &whole);
    /* Whole pages; a last page that is cut short shows when it is read. */
    const size_t pages = whole.length / 4096;
    const size_t kept[] = {1, pages / 2, pages - 1};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        test_file_write(scratch->path, whole.text, kept[i] * 4096);
        check_refused(scratch, scratch->path, "is damaged");
    }
    pb_strbuf_release(&whole);
}

/* Reads everything that a database holds. returns: the first code that is not PB_OK */
static enum pb_code read_everything(const char *path, struct pb_error *err)
{
    struct pb_arena arena = {0};
    struct pb_store *store = NULL;
    struct pb_history_point *points = NULL;
    size_t n = 0;
    enum pb_code code = pb_store_open(path, PB_STORE_READ, &store, err);
    for (unsigned i = 0; i < RUNS && code == PB_OK; i++) {
        const struct pb_run_record expected = fixture_run(&arena, i);
        struct pb_run_record run = {0};
        code = pb_store_load_run(store, expected.id, &arena, &run, err);
    }
    if (code == PB_OK) {
        code = pb_store_load_history(store, &arena, &points, &n, err);
    }
    pb_store_close(store);
    pb_arena_release(&arena);
    return code;
}

static void
a_page_overwritten_anywhere_is_an_error_or_goes_unnoticed_but_never_a_crash(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_strbuf whole = {0};
    test_file_read(scratch->path, &whole);
    char *damaged = pb_arena_alloc(&scratch->arena, whole.length);
    size_t n_refused = 0;
    size_t n_pages = 0;
    for (size_t page = 0; page < whole.length; page += 4096) {
        for (int fill = 0; fill < 3; fill++) {
            /* The beginning of a page says what is in it, its end holds the rows. */
            static const size_t starts[] = {100, 0, 3000};
            static const unsigned char bytes[] = {0x00, 0xff, 0x5a};
            memcpy(damaged, whole.text, whole.length);
            memset(damaged + page + starts[fill] + (page == 0 ? 100 : 0), bytes[fill], 512);
            test_file_write(scratch->path, damaged, whole.length);
            const enum pb_code code = read_everything(scratch->path, &scratch->err);
            if (code != PB_OK) {
                assert_true(code == PB_ERR_STORE || code == PB_ERR_NOT_FOUND);
                assert_non_null(strstr(scratch->err.message, scratch->path));
                n_refused++;
            }
            n_pages++;
        }
    }
    assert_true(n_refused > n_pages / 2);
    pb_strbuf_release(&whole);
}

static void rows_that_pairbench_never_writes_are_called_damage(void **state)
{
    struct test_scratch *scratch = *state;
    static const struct {
        const char *script;
        const char *message;
    } table[] = {
        {"UPDATE benchmark SET state = 'gone' WHERE position = 1", "benchmark.state"},
        {"UPDATE pair SET verdict = '' WHERE position = 1", "pair.verdict"},
        {"UPDATE launch SET n_slices = -1", "launch.n_slices"},
        {"UPDATE launch SET launch = 5000000000 WHERE launch = 7", "launch.launch"},
        {"UPDATE launch SET n_slices = n_slices + 1", "samples of launch"},
        {"UPDATE samples SET layout = 2", "samples of launch"},
        {"UPDATE samples SET samples = substr(samples, 1, length(samples) - 1)",
         "samples of launch"},
        {"UPDATE samples SET samples = CAST(samples || x'0000000001000000' AS BLOB)",
         "samples of launch"},
        {"UPDATE samples SET samples = x'ffffffff00000000'", "samples of launch"},
        {"UPDATE samples SET launch = launch + 1000", "samples of launch"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM benchmark WHERE position = 2",
         "benchmark.position"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM benchmark WHERE position > 2", "position"},
        {"PRAGMA foreign_keys = OFF; UPDATE count SET position = -1 WHERE position = 4",
         "count.position"},
        {"PRAGMA foreign_keys = OFF; UPDATE pair_launch SET position = 999 WHERE position = 3",
         "pair_launch.position"},
    };
    struct pb_strbuf whole = {0};
    test_file_read(scratch->path, &whole);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct pb_sql *sql = NULL;
        test_file_write(scratch->path, whole.text, whole.length);
        assert_int_equal(pb_sql_open(scratch->path, PB_SQL_WRITE, 0, &sql, &scratch->err), PB_OK);
        if (pb_sql_exec(sql, table[i].script, &scratch->err) != PB_OK) {
            fail_msg("%s: %s", table[i].script, scratch->err.message);
        }
        pb_sql_close(sql);
        assert_int_equal(read_everything(scratch->path, &scratch->err), PB_ERR_STORE);
        assert_non_null(strstr(scratch->err.message, "is damaged"));
        if (strstr(scratch->err.message, table[i].message) == NULL) {
            fail_msg("%zu: '%s' does not say '%s'", i, scratch->err.message, table[i].message);
        }
    }
    pb_strbuf_release(&whole);
}

static void pruned_samples_leave_a_run_that_can_be_read(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_sql *sql = NULL;
    assert_int_equal(pb_sql_open(scratch->path, PB_SQL_WRITE, 0, &sql, &scratch->err), PB_OK);
    assert_int_equal(pb_sql_exec(sql, "DELETE FROM samples", &scratch->err), PB_OK);
    pb_sql_close(sql);
    assert_int_equal(read_everything(scratch->path, &scratch->err), PB_OK);
}

static void deleting_a_run_takes_everything_of_it_along(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_sql *sql = NULL;
    int64_t n = 9;
    assert_int_equal(pb_sql_open(scratch->path, PB_SQL_WRITE, 0, &sql, &scratch->err), PB_OK);
    assert_int_equal(pb_sql_exec(sql, "DELETE FROM run", &scratch->err), PB_OK);
    assert_int_equal(
        pb_sql_integer(sql,
                       "SELECT (SELECT count(*) FROM fact) + (SELECT count(*) FROM benchmark)"
                       " + (SELECT count(*) FROM count) + (SELECT count(*) FROM launch)"
                       " + (SELECT count(*) FROM samples) + (SELECT count(*) FROM pair)"
                       " + (SELECT count(*) FROM pair_launch)",
                       &n, &scratch->err),
        PB_OK);
    assert_int_equal(n, 0);
    pb_sql_close(sql);
}

/* What a reader on a medium that can't be written finds, or the number of what went wrong. */
static int read_where_nothing_can_be_written(void *context)
{
    struct test_scratch *scratch = context;
    struct pb_strbuf why = {0};
    struct pb_store *store = NULL;
    if (!fixture_holds_runs(scratch->path, 0, RUNS, &why)) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    if (pb_store_open(scratch->path, PB_STORE_WRITE, &store, &scratch->err) != PB_ERR_STORE) {
        return 2;
    }
    const bool clear = strstr(scratch->err.message, scratch->path) != NULL &&
                       (strstr(scratch->err.message, "is read-only") != NULL ||
                        strstr(scratch->err.message, "may be used by you") != NULL);
    if (!clear) {
        fprintf(stderr, "%s\n", scratch->err.message);
    }
    return clear ? 0 : 3;
}

static const char *beside(struct test_scratch *scratch, const char *suffix)
{
    return pb_arena_printf(&scratch->arena, "%s%s", scratch->path, suffix);
}

/* Stores the runs again in a process that ends without closing the database. */
static void leave_files_of_a_killed_writer(struct test_scratch *scratch)
{
    unlink(scratch->path);
    unlink(beside(scratch, "-wal"));
    unlink(beside(scratch, "-shm"));
    const pid_t child = fork();
    if (child == 0) {
        struct pb_store *store = NULL;
        bool fine = pb_store_open(scratch->path, PB_STORE_WRITE, &store, &scratch->err) == PB_OK;
        for (unsigned i = 0; i < RUNS && fine; i++) {
            const struct pb_run_record run = fixture_run(&scratch->arena, i);
            fine = pb_store_save_run(store, &run, &scratch->err) == PB_OK;
        }
        _exit(fine ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_database_is_read_where_nothing_can_be_written(void **state)
{
    struct test_scratch *scratch = *state;
    enum { CLOSED, LEFT_WITH_LOCK_FILE, LEFT_WITHOUT, HOWS };
    for (int how = 0; how < HOWS; how++) {
        if (how != CLOSED) {
            assert_int_equal(chmod(scratch->folder, 0755), 0);
            leave_files_of_a_killed_writer(scratch);
            assert_int_equal(chmod(beside(scratch, "-wal"), 0444), 0);
            assert_int_equal(chmod(beside(scratch, "-shm"), 0444), 0);
        }
        if (how == LEFT_WITHOUT) {
            assert_int_equal(unlink(beside(scratch, "-shm")), 0);
        }
        assert_int_equal(chmod(scratch->path, 0444), 0);
        assert_int_equal(chmod(scratch->folder, 0555), 0);
        struct pb_strbuf before = {0};
        struct pb_strbuf after = {0};
        test_folder_state(scratch->folder, &before);
        assert_int_equal(test_run_unprivileged(read_where_nothing_can_be_written, scratch), 0);
        test_folder_state(scratch->folder, &after);
        assert_string_equal(before.text, after.text);
        pb_strbuf_release(&before);
        pb_strbuf_release(&after);
    }
}

/* Names in a folder; the lock file's content is a reader's to change. */
static void check_reading_leaves_no_trace(struct test_scratch *scratch)
{
    struct pb_strbuf before = {0};
    struct pb_strbuf after = {0};
    struct pb_strbuf lock_file = {0};
    const bool locked = access(beside(scratch, "-shm"), F_OK) == 0;
    if (locked) {
        test_file_read(beside(scratch, "-shm"), &lock_file);
    }
    test_folder_state(scratch->folder, &before);
    check_holds_all(scratch->path);
    if (locked) {
        test_file_write(beside(scratch, "-shm"), lock_file.text, lock_file.length);
    }
    test_folder_state(scratch->folder, &after);
    assert_string_equal(before.text, after.text);
    pb_strbuf_release(&before);
    pb_strbuf_release(&after);
    pb_strbuf_release(&lock_file);
}

static void reading_leaves_no_trace(void **state)
{
    struct test_scratch *scratch = *state;
    check_reading_leaves_no_trace(scratch);
    leave_files_of_a_killed_writer(scratch);
    check_reading_leaves_no_trace(scratch);
    assert_int_equal(unlink(beside(scratch, "-shm")), 0);
    check_reading_leaves_no_trace(scratch);
    const char *link = test_scratch_path(scratch, "link.db");
    assert_int_equal(symlink("file", link), 0);
    scratch->path = pb_arena_strdup(&scratch->arena, link);
    check_reading_leaves_no_trace(scratch);
}

static void each_state_of_the_files_has_its_way_of_reading(void **state)
{
    struct test_scratch *scratch = *state;
    assert_int_equal(pb_database_file_read_access(scratch->path), PB_SQL_QUERY);
    test_file_write(beside(scratch, "-wal"), "", 0);
    assert_int_equal(pb_database_file_read_access(scratch->path), PB_SQL_QUERY);
    test_file_write(beside(scratch, "-wal"), "x", 1);
    assert_int_equal(pb_database_file_read_access(scratch->path), PB_SQL_ALONE);
    test_file_write(beside(scratch, "-shm"), "", 0);
    assert_int_equal(pb_database_file_read_access(scratch->path), PB_SQL_READ_ONLY);
}

/* A limit on the size of files stands in for a full disk. */
static int save_on_full_disk(void *context)
{
    struct test_scratch *scratch = context;
    struct pb_store *store = NULL;
    const struct rlimit limit = {48 << 10, 48 << 10};
    signal(SIGXFSZ, SIG_IGN);
    if (pb_store_open(scratch->path, PB_STORE_WRITE, &store, &scratch->err) != PB_OK ||
        setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return 1;
    }
    struct pb_run_record run = fixture_run(&scratch->arena, RUNS);
    struct pb_run_record many = run;
    many.n_benchmarks = 400;
    many.n_pairs = 0;
    many.benchmarks = pb_arena_array(&scratch->arena, many.n_benchmarks, sizeof *many.benchmarks);
    for (size_t i = 0; i < many.n_benchmarks; i++) {
        many.benchmarks[i] = run.benchmarks[4];
        many.benchmarks[i].scenario = pb_arena_printf(&scratch->arena, "%zu", i);
    }
    if (pb_store_save_run(store, &many, &scratch->err) != PB_ERR_STORE) {
        return 2;
    }
    if (strstr(scratch->err.message, "no space left to write") == NULL ||
        strstr(scratch->err.message, scratch->path) == NULL) {
        fprintf(stderr, "%s\n", scratch->err.message);
        return 3;
    }
    size_t n = 0;
    return pb_store_count_runs(store, &n, &scratch->err) == PB_OK && n == RUNS ? 0 : 4;
}

static void a_full_disk_fails_the_run_and_leaves_the_others_intact(void **state)
{
    struct test_scratch *scratch = *state;
    assert_int_equal(chmod(scratch->folder, 0777), 0);
    assert_int_equal(chmod(scratch->path, 0666), 0);
    assert_int_equal(test_run_unprivileged(save_on_full_disk, scratch), 0);
    check_holds_all(scratch->path);
    fixture_store_runs(scratch->path, RUNS, 1);
    check_holds_all(scratch->path);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, test_scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_closed_database_is_one_file),
        TEST(a_file_that_is_not_a_database_of_ours_is_refused_and_kept),
        TEST(a_database_of_another_program_is_refused_and_kept),
        TEST(a_database_of_a_newer_version_is_refused_and_kept),
        TEST(a_newer_version_is_seen_before_the_database_is_opened),
        TEST(a_reader_without_a_writer_refuses_to_save),
        TEST(what_is_no_regular_file_is_refused),
        TEST(a_missing_file_is_not_found_by_a_reader_and_made_by_a_writer),
        TEST(a_truncated_file_is_refused_and_kept),
        TEST(a_page_overwritten_anywhere_is_an_error_or_goes_unnoticed_but_never_a_crash),
        TEST(rows_that_pairbench_never_writes_are_called_damage),
        TEST(pruned_samples_leave_a_run_that_can_be_read),
        TEST(deleting_a_run_takes_everything_of_it_along),
        TEST(a_database_is_read_where_nothing_can_be_written),
        TEST(reading_leaves_no_trace),
        TEST(each_state_of_the_files_has_its_way_of_reading),
        TEST(a_full_disk_fails_the_run_and_leaves_the_others_intact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
