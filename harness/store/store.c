/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening and the transactions; what is in a transaction is done by run_save, run_load,
 * store_history and store_times. The list of schema versions lives here.
 */
#include "store/store.h"

#include "base/memory.h"
#include "store/database_file.h"
#include "store/migrate.h"
#include "store/run_load.h"
#include "store/run_save.h"
#include "store/sql.h"
#include "store/store_history.h"
#include "store/store_times.h"

#include <stdlib.h>
#include <string.h>

struct pb_store {
    struct pb_sql *sql;
};

/* schema.sql and those that follow it, zero-terminated */
extern const unsigned char pb_store_schema_sql[];
extern const unsigned char pb_store_schema_2_sql[];
extern const unsigned char pb_store_schema_3_sql[];

/* To change the schema, append a script that takes the version before to the new one. */
static const char *const scripts[] = {
    (const char *)pb_store_schema_sql,
    (const char *)pb_store_schema_2_sql,
    (const char *)pb_store_schema_3_sql,
};
static const struct pb_migrations migrations = {scripts, sizeof scripts / sizeof scripts[0]};

/* Makes sure that readers and a writer don't stop each other. */
static enum pb_code use_wal(struct pb_sql *sql, struct pb_error *err)
{
    struct pb_arena arena = {0};
    char *journal = NULL;
    enum pb_code code = pb_sql_text(sql, "PRAGMA journal_mode = WAL", &arena, &journal, err);
    if (code == PB_OK && strcmp(journal, "wal") != 0) {
        code = pb_error_set(err, PB_ERR_STORE,
                            "%s is on a file system where a database can't be shared (journal mode "
                            "%s): choose one on a local disk",
                            pb_sql_path(sql), journal);
    }
    pb_arena_release(&arena);
    return code;
}

static enum pb_code open_for_writing(const char *path, struct pb_sql **sql, struct pb_error *err)
{
    enum pb_code code = pb_database_file_create(path, &migrations, err);
    if (code == PB_OK) {
        code = pb_database_file_check(path, &migrations, err);
    }
    if (code == PB_OK) {
        code = pb_sql_open(path, PB_SQL_WRITE, PB_SQL_BUSY_MS, sql, err);
    }
    if (code == PB_OK) {
        code = use_wal(*sql, err);
    }
    if (code == PB_OK) {
        code = pb_migrate(*sql, &migrations, err);
    }
    return code;
}

static enum pb_code open_for_reading(const char *path, struct pb_sql **sql, struct pb_error *err)
{
    enum pb_code code = pb_database_file_check(path, &migrations, err);
    if (code == PB_OK) {
        code = pb_sql_open(path, pb_database_file_read_access(path), PB_SQL_BUSY_MS, sql, err);
    }
    if (code == PB_OK) {
        code = pb_migrate_check(*sql, &migrations, err);
    }
    return code;
}

enum pb_code pb_store_open(const char *path, enum pb_store_mode mode, struct pb_store **store,
                           struct pb_error *err)
{
    struct pb_sql *sql = NULL;
    const enum pb_code code = mode == PB_STORE_WRITE ? open_for_writing(path, &sql, err)
                                                     : open_for_reading(path, &sql, err);
    if (code != PB_OK) {
        pb_sql_close(sql);
        return code;
    }
    struct pb_store *made = calloc(1, sizeof *made);
    if (made == NULL) {
        pb_out_of_memory();
    }
    made->sql = sql;
    *store = made;
    return PB_OK;
}

void pb_store_close(struct pb_store *store)
{
    if (store != NULL) {
        pb_sql_close(store->sql);
        free(store);
    }
}

enum pb_code pb_store_save_run(struct pb_store *store, const struct pb_run_record *run,
                               struct pb_error *err)
{
    enum pb_code code = pb_sql_begin_write(store->sql, err);
    if (code != PB_OK) {
        return code;
    }
    code = pb_run_save(store->sql, run, err);
    if (code == PB_OK) {
        return pb_sql_commit(store->sql, err);
    }
    pb_sql_rollback(store->sql);
    return code;
}

enum pb_code pb_store_load_run(struct pb_store *store, const char *id, struct pb_arena *arena,
                               struct pb_run_record *run, struct pb_error *err)
{
    int64_t run_key = 0;
    enum pb_code code = pb_sql_begin_read(store->sql, err);
    if (code == PB_OK) {
        code = pb_run_find(store->sql, id, &run_key, err);
    }
    if (code == PB_OK) {
        code = pb_run_load(store->sql, run_key, arena, run, err);
    }
    pb_sql_rollback(store->sql); /* nothing was written */
    return code;
}

enum pb_code pb_store_load_history(struct pb_store *store, struct pb_arena *arena,
                                   struct pb_history_point **points, size_t *n,
                                   struct pb_error *err)
{
    enum pb_code code = pb_sql_begin_read(store->sql, err);
    if (code == PB_OK) {
        code = pb_history_load(store->sql, arena, points, n, err);
    }
    pb_sql_rollback(store->sql); /* nothing was written */
    return code;
}

enum pb_code pb_store_load_times(struct pb_store *store, const struct pb_run_record *run,
                                 size_t most_runs, struct pb_arena *arena,
                                 struct pb_time_point **points, size_t *n, struct pb_error *err)
{
    struct pb_time_points read = {0};
    enum pb_code code = pb_sql_begin_read(store->sql, err);
    if (code == PB_OK) {
        code = pb_times_load(store->sql, run, most_runs, arena, &read, err);
    }
    pb_sql_rollback(store->sql); /* nothing was written */
    if (code == PB_OK) {
        *points = read.items;
        *n = read.n;
    }
    return code;
}

enum pb_code pb_store_count_runs(struct pb_store *store, size_t *n, struct pb_error *err)
{
    int64_t counted = 0;
    const enum pb_code code = pb_sql_integer(store->sql, "SELECT count(*) FROM run", &counted, err);
    if (code == PB_OK) {
        *n = (size_t)counted;
    }
    return code;
}
