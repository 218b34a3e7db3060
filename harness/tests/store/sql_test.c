/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of SQLite come out as what happened, to which database, and what to do.
 */
#include "store/sql.h"

#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct pb_sql *open_new(const char *path, int busy_ms)
{
    struct pb_error err = {0};
    struct pb_sql *sql = NULL;
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fclose(file);
    if (pb_sql_open(path, PB_SQL_WRITE, busy_ms, &sql, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    return sql;
}

static void must(enum pb_code code, const struct pb_error *err)
{
    if (code != PB_OK) {
        fail_msg("%s", err->message);
    }
}

static void values_of_every_kind_come_back(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_error err = {0};
    struct pb_sql *sql = NULL;
    struct pb_sql_query *query = NULL;
    must(pb_sql_open("x", PB_SQL_MEMORY, 0, &sql, &err), &err);
    must(pb_sql_exec(sql, "CREATE TABLE t (i INTEGER, r REAL, t TEXT, b BLOB) STRICT", &err), &err);
    must(pb_sql_prepare(sql, "INSERT INTO t VALUES (?, ?, ?, ?)", &query, &err), &err);
    static const int64_t integers[] = {0, INT64_MIN, INT64_MAX, -1};
    static const double reals[] = {0.1, NAN, INFINITY, -INFINITY};
    static const char *const texts[] = {"", NULL, "\xff\x01 '", "\xed\xa0\x80"};
    static const char blob[] = {0, 1, 2, 0};
    for (size_t i = 0; i < 4; i++) {
        pb_sql_bind_integer(query, integers[i]);
        pb_sql_bind_real(query, reals[i]);
        pb_sql_bind_text(query, texts[i]);
        pb_sql_bind_blob(query, i == 1 ? NULL : blob, i);
        must(pb_sql_run(query, &err), &err);
        assert_int_equal(pb_sql_changes(sql), 1);
        assert_int_equal(pb_sql_last_key(sql), (int64_t)i + 1);
    }
    pb_sql_query_free(query);
    must(pb_sql_prepare(sql, "SELECT i, r, t, b FROM t ORDER BY rowid", &query, &err), &err);
    bool row = false;
    for (size_t i = 0; i < 4; i++) {
        must(pb_sql_next(query, &row, &err), &err);
        assert_true(row);
        assert_int_equal(pb_sql_take_integer(query), integers[i]);
        const double real = pb_sql_take_real(query);
        assert_true(real == reals[i] || (isnan(real) && isnan(reals[i])));
        const char *text = pb_sql_take_text(query, &arena);
        assert_true(texts[i] == NULL ? text == NULL : strcmp(text, texts[i]) == 0);
        size_t n = 9;
        const void *data = pb_sql_take_blob(query, &n);
        assert_int_equal(n, i == 1 ? 0 : i);
        assert_true(n == 0 || memcmp(data, blob, n) == 0);
    }
    must(pb_sql_next(query, &row, &err), &err);
    assert_false(row);
    pb_sql_query_free(query);
    pb_sql_close(sql);
    pb_arena_release(&arena);
}

static void no_path_is_taken_for_an_option_or_for_memory(void **state)
{
    (void)state;
    static const char *const names[] = {
        "file:x?mode=memory", ":memory:", "a%20b?c#d&e", "quote'\"\n", "\xff\xfe", "%", "?x=y",
    };
    struct pb_arena arena = {0};
    struct pb_error err = {0};
    const char *folder = test_folder_make(&arena);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = pb_arena_printf(&arena, "%s/%s", folder, names[i]);
        struct pb_sql *sql = open_new(path, 0);
        must(pb_sql_exec(sql, "CREATE TABLE t (x TEXT) STRICT", &err), &err);
        pb_sql_close(sql);
        struct pb_strbuf content = {0};
        test_file_read(path, &content);
        assert_true(content.length > 0);
        pb_strbuf_release(&content);
    }
    test_folder_remove(folder);
    pb_arena_release(&arena);
}

static void a_lock_that_is_not_released_is_reported_as_such(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_error err = {0};
    const char *folder = test_folder_make(&arena);
    const char *path = pb_arena_printf(&arena, "%s/locked.db", folder);
    struct pb_sql *holder = open_new(path, 0);
    struct pb_sql *waiter = open_new(path, 20);
    must(pb_sql_begin_write(holder, &err), &err);
    assert_int_equal(pb_sql_begin_write(waiter, &err), PB_ERR_STORE);
    assert_non_null(strstr(err.message, path));
    assert_non_null(strstr(err.message, "locked by another process"));
    assert_non_null(strstr(err.message, "20 ms"));
    pb_sql_rollback(holder);
    must(pb_sql_begin_write(waiter, &err), &err);
    pb_sql_rollback(waiter);
    pb_sql_close(holder);
    pb_sql_close(waiter);
    test_folder_remove(folder);
    pb_arena_release(&arena);
}

/* The script that brings the error about, and what the message must say. */
static void failures_say_what_happened_and_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        const char *message;
    } table[] = {
        {"PRAGMA max_page_count = 4; CREATE TABLE f (x BLOB) STRICT;"
         "INSERT INTO f VALUES (zeroblob(100000))",
         "no space left"},
        {"CREATE TABLE l (x BLOB) STRICT; INSERT INTO l VALUES (zeroblob(70000000))",
         "limit of 67108864 bytes"},
        {"PRAGMA query_only = ON; CREATE TABLE q (x ANY) STRICT", "read-only"},
        {"CREATE TABLE c (x TEXT NOT NULL) STRICT; INSERT INTO c VALUES (NULL)",
         "NOT NULL constraint failed: c.x"},
        {"CREATE TABLE s (x TEXT) STRICT; INSERT INTO s VALUES (x'00')", "cannot store BLOB"},
        {"SELECT * FROM nowhere", "no such table: nowhere"},
    };
    struct pb_arena arena = {0};
    const char *folder = test_folder_make(&arena);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct pb_error err = {0};
        const char *path = pb_arena_printf(&arena, "%s/%zu.db", folder, i);
        struct pb_sql *sql = open_new(path, 0);
        assert_int_equal(pb_sql_exec(sql, table[i].script, &err), PB_ERR_STORE);
        assert_non_null(strstr(err.message, path));
        if (strstr(err.message, table[i].message) == NULL) {
            fail_msg("'%s' does not say '%s'", err.message, table[i].message);
        }
        pb_sql_close(sql);
    }
    test_folder_remove(folder);
    pb_arena_release(&arena);
}

static void a_value_that_is_too_long_is_reported_by_the_run_that_binds_it(void **state)
{
    (void)state;
    struct pb_error err = {0};
    struct pb_sql *sql = NULL;
    struct pb_sql_query *query = NULL;
    must(pb_sql_open("x", PB_SQL_MEMORY, 0, &sql, &err), &err);
    must(pb_sql_exec(sql, "CREATE TABLE t (b BLOB) STRICT", &err), &err);
    must(pb_sql_prepare(sql, "INSERT INTO t VALUES (?)", &query, &err), &err);
    char *data = calloc(1, PB_SQL_VALUE_BYTES_MAX + 1);
    assert_non_null(data);
    pb_sql_bind_blob(query, data, PB_SQL_VALUE_BYTES_MAX + 1);
    assert_int_equal(pb_sql_run(query, &err), PB_ERR_STORE);
    assert_non_null(strstr(err.message, "limit of 67108864 bytes"));
    pb_sql_bind_blob(query, data, 3);
    must(pb_sql_run(query, &err), &err);
    int64_t n = 0;
    must(pb_sql_integer(sql, "SELECT sum(length(b)) FROM t", &n, &err), &err);
    assert_int_equal(n, 3);
    free(data);
    pb_sql_query_free(query);
    pb_sql_close(sql);
}

static void a_rollback_takes_everything_back_and_may_be_called_anywhere(void **state)
{
    (void)state;
    struct pb_error err = {0};
    struct pb_sql *sql = NULL;
    int64_t n = 9;
    must(pb_sql_open("x", PB_SQL_MEMORY, 0, &sql, &err), &err);
    must(pb_sql_exec(sql, "CREATE TABLE t (i INTEGER) STRICT", &err), &err);
    pb_sql_rollback(sql);
    must(pb_sql_begin_write(sql, &err), &err);
    must(pb_sql_exec(sql, "INSERT INTO t VALUES (1)", &err), &err);
    pb_sql_rollback(sql);
    must(pb_sql_integer(sql, "SELECT count(*) FROM t", &n, &err), &err);
    assert_int_equal(n, 0);
    pb_sql_close(sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_every_kind_come_back),
        cmocka_unit_test(no_path_is_taken_for_an_option_or_for_memory),
        cmocka_unit_test(a_lock_that_is_not_released_is_reported_as_such),
        cmocka_unit_test(failures_say_what_happened_and_what_to_do),
        cmocka_unit_test(a_value_that_is_too_long_is_reported_by_the_run_that_binds_it),
        cmocka_unit_test(a_rollback_takes_everything_back_and_may_be_called_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
