/* SPDX-License-Identifier: Apache-2.0
 *
 * Migrations, on a list of versions made for the purpose.
 */
#include "store/migrate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const scripts[] = {
    "CREATE TABLE run (id TEXT NOT NULL) STRICT",
    "ALTER TABLE run ADD COLUMN label TEXT NOT NULL DEFAULT 'none'; CREATE INDEX l ON run (label)",
    "UPDATE run SET label = upper(label)",
};
static const struct pb_migrations first = {scripts, 1};
static const struct pb_migrations all = {scripts, 3};

static struct pb_sql *open_memory(void)
{
    struct pb_error err = {0};
    struct pb_sql *sql = NULL;
    assert_int_equal(pb_sql_open("old.db", PB_SQL_MEMORY, 0, &sql, &err), PB_OK);
    return sql;
}

static int64_t integer(struct pb_sql *sql, const char *query)
{
    struct pb_error err = {0};
    int64_t value = -1;
    if (pb_sql_integer(sql, query, &value, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    return value;
}

static void an_older_database_is_brought_up_to_date_with_its_rows(void **state)
{
    (void)state;
    struct pb_error err = {0};
    struct pb_sql *sql = open_memory();
    assert_int_equal(pb_migrate(sql, &first, &err), PB_OK);
    assert_int_equal(integer(sql, "PRAGMA user_version"), 1);
    assert_int_equal(pb_sql_exec(sql, "INSERT INTO run VALUES ('r1'), ('r2')", &err), PB_OK);
    assert_int_equal(pb_migrate(sql, &all, &err), PB_OK);
    assert_int_equal(integer(sql, "PRAGMA user_version"), 3);
    assert_int_equal(integer(sql, "SELECT count(*) FROM run WHERE label = 'NONE'"), 2);
    assert_int_equal(pb_migrate(sql, &all, &err), PB_OK); /* nothing is left to do */
    assert_int_equal(integer(sql, "SELECT count(*) FROM run"), 2);
    pb_sql_close(sql);
}

static void a_migration_that_fails_leaves_the_version_before(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "CREATE TABLE run (id TEXT NOT NULL) STRICT",
        "CREATE TABLE alias (name TEXT NOT NULL) STRICT",
        "INSERT INTO nowhere VALUES (1)",
    };
    struct pb_error err = {0};
    struct pb_sql *sql = open_memory();
    assert_int_equal(pb_migrate(sql, &first, &err), PB_OK);
    assert_int_equal(pb_migrate(sql, &(struct pb_migrations){broken, 3}, &err), PB_ERR_STORE);
    assert_non_null(strstr(err.message, "old.db"));
    assert_non_null(strstr(err.message, "nowhere"));
    assert_int_equal(integer(sql, "PRAGMA user_version"), 1);
    assert_int_equal(integer(sql, "SELECT count(*) FROM sqlite_schema WHERE name = 'alias'"), 0);
    assert_int_equal(pb_migrate(sql, &all, &err), PB_OK);
    pb_sql_close(sql);
}

static void a_newer_database_is_refused_and_not_changed(void **state)
{
    (void)state;
    struct pb_error err = {0};
    struct pb_sql *sql = open_memory();
    assert_int_equal(pb_migrate(sql, &all, &err), PB_OK);
    assert_int_equal(pb_migrate(sql, &first, &err), PB_ERR_STORE);
    assert_non_null(strstr(err.message, "newer pairbench (schema 3, this one knows 1)"));
    assert_int_equal(pb_migrate_check(sql, &first, &err), PB_ERR_STORE);
    assert_int_equal(integer(sql, "PRAGMA user_version"), 3);
    pb_sql_close(sql);
}

static void a_reader_refuses_an_older_database_and_says_what_brings_it_up_to_date(void **state)
{
    (void)state;
    struct pb_error err = {0};
    struct pb_sql *sql = open_memory();
    assert_int_equal(pb_migrate(sql, &first, &err), PB_OK);
    assert_int_equal(pb_migrate_check(sql, &first, &err), PB_OK);
    assert_int_equal(pb_migrate_check(sql, &all, &err), PB_ERR_STORE);
    assert_non_null(strstr(err.message, "older pairbench (schema 1, this one reads 3)"));
    assert_non_null(strstr(err.message, "brings it up to date"));
    assert_int_equal(integer(sql, "PRAGMA user_version"), 1);
    pb_sql_close(sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_older_database_is_brought_up_to_date_with_its_rows),
        cmocka_unit_test(a_migration_that_fails_leaves_the_version_before),
        cmocka_unit_test(a_newer_database_is_refused_and_not_changed),
        cmocka_unit_test(a_reader_refuses_an_older_database_and_says_what_brings_it_up_to_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
