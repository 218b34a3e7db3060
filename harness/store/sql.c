/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections are opened through URIs, since that is how SQLite takes `immutable` and the choice of
 * locking; the path is percent-encoded whole, so that no name is ever taken for an option. A file
 * may come from anywhere, so its schema is not trusted: it can't run functions with side effects,
 * and the sizes in its pages are checked.
 */
#include "store/sql.h"

#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

struct pb_sql {
    sqlite3 *db;
    char *path;
    int busy_ms;
};

struct pb_sql_query {
    struct pb_sql *sql;
    sqlite3_stmt *statement;
    int parameter; /* bound last, from 1            */
    int column;    /* to be read next, from 0       */
    int bind_rc;   /* of the first bind that failed */
};

static bool no_space(int system_errno)
{
    return system_errno == ENOSPC || system_errno == EDQUOT || system_errno == EFBIG;
}

/* Turns the result code of a failed call into an error that says what to do. */
static enum pb_code fail(const struct pb_sql *sql, int rc, struct pb_error *err)
{
    const int system_errno = errno; /* SQLite keeps it for some failures only */
    int primary = rc & 0xFF;
    if (primary == SQLITE_IOERR && no_space(system_errno)) {
        primary = SQLITE_FULL; /* a quota or a limit, which SQLite does not tell from a bad disk */
    }
    const char *path = sql->path;
    const char *detail = sqlite3_errmsg(sql->db);
    switch (primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        pb_error_set(err, PB_ERR_STORE,
                     "%s is locked by another process and was not released within %d ms: wait "
                     "until that is done, then try again",
                     path, sql->busy_ms);
        break;
    case SQLITE_FULL:
        pb_error_set(
            err, PB_ERR_STORE,
            "no space left to write %s: free some and try again; what was stored before is "
            "intact",
            path);
        break;
    case SQLITE_READONLY:
        pb_error_set(err, PB_ERR_STORE,
                     "%s is read-only: make it and its folder writable, or choose another database",
                     path);
        break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return pb_sql_damaged(sql, err, "%s", detail);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        pb_error_set(err, PB_ERR_STORE,
                     "cannot open %s (%s): check that it, its folder and the files beside it that "
                     "end in -wal and -shm may be used by you",
                     path, detail);
        break;
    case SQLITE_TOOBIG:
        pb_error_set(err, PB_ERR_STORE, "%s: a value beyond the limit of %d bytes", path,
                     PB_SQL_VALUE_BYTES_MAX);
        break;
    default:
        pb_error_set(err, PB_ERR_STORE, "%s: %s (SQLite error %d)", path, detail, rc);
        break;
    }
    return PB_ERR_STORE;
}

enum pb_code pb_sql_damaged(const struct pb_sql *sql, struct pb_error *err, const char *what, ...)
{
    char detail[256];
    va_list args;
    va_start(args, what);
    vsnprintf(detail, sizeof detail, what, args);
    va_end(args);
    pb_error_set(err, PB_ERR_STORE,
                 "%s is damaged (%s): it was left as it is; put a copy in its place, or move it "
                 "away to begin a new one",
                 sql->path, detail);
    return PB_ERR_STORE;
}

/* A file URI of path. An empty authority keeps a leading double slash from being taken for one. */
static void add_uri(struct pb_strbuf *uri, const char *path, const char *options)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-";
    pb_strbuf_adds(uri, path[0] == '/' ? "file://" : "file:./");
    for (const char *c = path; *c != '\0'; c++) {
        if (strchr(plain, *c) != NULL) {
            pb_strbuf_addc(uri, *c);
        } else {
            pb_strbuf_addf(uri, "%%%02X", (unsigned)(unsigned char)*c);
        }
    }
    pb_strbuf_adds(uri, options);
}

struct access_kind {
    int flags;
    const char *uri_options;
    const char *pragmas;
};

static struct access_kind access_kind(enum pb_sql_access access)
{
    switch (access) {
    case PB_SQL_WRITE:
        /* One flush a run costs nothing beside measuring it, and a stored run outlives a power cut.
         */
        return (struct access_kind){SQLITE_OPEN_READWRITE, "", "PRAGMA synchronous=FULL"};
    case PB_SQL_QUERY:
        return (struct access_kind){SQLITE_OPEN_READWRITE, "", "PRAGMA query_only=ON"};
    case PB_SQL_READ_ONLY:
        return (struct access_kind){SQLITE_OPEN_READONLY, "", ""};
    case PB_SQL_ALONE:
        /* Without locks and alone, SQLite keeps the index of the -wal in its own memory. */
        return (struct access_kind){SQLITE_OPEN_READONLY, "?vfs=unix-none",
                                    "PRAGMA locking_mode=EXCLUSIVE"};
    case PB_SQL_FROZEN:
        return (struct access_kind){SQLITE_OPEN_READONLY, "?immutable=1", ""};
    case PB_SQL_MEMORY:
        break;
    }
    return (struct access_kind){SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, "", ""};
}

static enum pb_code configure(struct pb_sql *sql, const char *pragmas, struct pb_error *err)
{
    sqlite3_extended_result_codes(sql->db, 1);
    sqlite3_busy_timeout(sql->db, sql->busy_ms);
    sqlite3_limit(sql->db, SQLITE_LIMIT_LENGTH, PB_SQL_VALUE_BYTES_MAX);
    sqlite3_db_config(sql->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(sql->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    const enum pb_code code = pb_sql_exec(sql, "PRAGMA cell_size_check=ON", err);
    return code != PB_OK ? code : pb_sql_exec(sql, pragmas, err);
}

enum pb_code pb_sql_open(const char *path, enum pb_sql_access access, int busy_ms,
                         struct pb_sql **sql, struct pb_error *err)
{
    const struct access_kind kind = access_kind(access);
    struct pb_sql *made = calloc(1, sizeof *made);
    char *path_copy = strdup(path);
    if (made == NULL || path_copy == NULL) {
        pb_out_of_memory();
    }
    made->path = path_copy;
    made->busy_ms = busy_ms;
    struct pb_strbuf uri = {0};
    add_uri(&uri, path, kind.uri_options);
    int rc = sqlite3_open_v2(access == PB_SQL_MEMORY ? ":memory:" : uri.text, &made->db,
                             kind.flags | SQLITE_OPEN_URI, NULL);
    pb_strbuf_release(&uri);
    if (rc == SQLITE_OK && access == PB_SQL_WRITE && sqlite3_db_readonly(made->db, "main") == 1) {
        rc = SQLITE_READONLY; /* SQLite falls back to reading where it may not write */
    }
    const enum pb_code code =
        rc != SQLITE_OK ? fail(made, rc, err) : configure(made, kind.pragmas, err);
    if (code != PB_OK) {
        pb_sql_close(made);
        return code;
    }
    *sql = made;
    return PB_OK;
}

void pb_sql_close(struct pb_sql *sql)
{
    if (sql == NULL) {
        return;
    }
    const int rc = sqlite3_close(sql->db);
    assert(rc == SQLITE_OK); /* else a query was not freed */
    (void)rc;
    free(sql->path);
    free(sql);
}

const char *pb_sql_path(const struct pb_sql *sql)
{
    return sql->path;
}

enum pb_code pb_sql_exec(struct pb_sql *sql, const char *script, struct pb_error *err)
{
    const int rc = sqlite3_exec(sql->db, script, NULL, NULL, NULL);
    return rc == SQLITE_OK ? PB_OK : fail(sql, rc, err);
}

enum pb_code pb_sql_begin_write(struct pb_sql *sql, struct pb_error *err)
{
    return pb_sql_exec(sql, "BEGIN IMMEDIATE", err);
}

enum pb_code pb_sql_begin_read(struct pb_sql *sql, struct pb_error *err)
{
    return pb_sql_exec(sql, "BEGIN", err);
}

enum pb_code pb_sql_commit(struct pb_sql *sql, struct pb_error *err)
{
    const enum pb_code code = pb_sql_exec(sql, "COMMIT", err);
    if (code != PB_OK) {
        pb_sql_rollback(sql);
    }
    return code;
}

void pb_sql_rollback(struct pb_sql *sql)
{
    if (sqlite3_get_autocommit(sql->db) == 0) {
        /* A failure leaves the transaction to be taken back when the connection closes. */
        (void)sqlite3_exec(sql->db, "ROLLBACK", NULL, NULL, NULL);
    }
}

int64_t pb_sql_last_key(const struct pb_sql *sql)
{
    return sqlite3_last_insert_rowid(sql->db);
}

int64_t pb_sql_changes(const struct pb_sql *sql)
{
    return sqlite3_changes64(sql->db);
}

/* Prepares a query and goes to its first row. *query: to be freed, on failure too */
static enum pb_code first_row(struct pb_sql *sql, const char *text, struct pb_sql_query **query,
                              bool *row, struct pb_error *err)
{
    const enum pb_code code = pb_sql_prepare(sql, text, query, err);
    return code != PB_OK ? code : pb_sql_next(*query, row, err);
}

enum pb_code pb_sql_integer(struct pb_sql *sql, const char *text, int64_t *value,
                            struct pb_error *err)
{
    struct pb_sql_query *query = NULL;
    bool row = false;
    const enum pb_code code = first_row(sql, text, &query, &row, err);
    if (code == PB_OK) {
        *value = row ? pb_sql_take_integer(query) : 0;
    }
    pb_sql_query_free(query);
    return code;
}

enum pb_code pb_sql_text(struct pb_sql *sql, const char *text, struct pb_arena *arena, char **value,
                         struct pb_error *err)
{
    struct pb_sql_query *query = NULL;
    bool row = false;
    const enum pb_code code = first_row(sql, text, &query, &row, err);
    if (code == PB_OK) {
        char *taken = row ? pb_sql_take_text(query, arena) : NULL;
        *value = taken != NULL ? taken : pb_arena_strdup(arena, "");
    }
    pb_sql_query_free(query);
    return code;
}

enum pb_code pb_sql_image(struct pb_sql *sql, struct pb_strbuf *image, struct pb_error *err)
{
    sqlite3_int64 n = 0;
    unsigned char *bytes = sqlite3_serialize(sql->db, "main", &n, 0);
    if (bytes == NULL) {
        return fail(sql, SQLITE_NOMEM, err);
    }
    pb_strbuf_add(image, bytes, (size_t)n);
    sqlite3_free(bytes);
    return PB_OK;
}

enum pb_code pb_sql_prepare(struct pb_sql *sql, const char *text, struct pb_sql_query **query,
                            struct pb_error *err)
{
    sqlite3_stmt *statement = NULL;
    const int rc = sqlite3_prepare_v2(sql->db, text, -1, &statement, NULL);
    if (rc != SQLITE_OK) {
        fail(sql, rc, err);
        return PB_ERR_STORE;
    }
    struct pb_sql_query *made = calloc(1, sizeof *made);
    if (made == NULL) {
        pb_out_of_memory();
    }
    made->sql = sql;
    made->statement = statement;
    *query = made;
    return PB_OK;
}

void pb_sql_query_free(struct pb_sql_query *query)
{
    if (query != NULL) {
        sqlite3_finalize(query->statement);
        free(query);
    }
}

/* Keeps the first failure of a bind for the next run. */
static void keep_bind(struct pb_sql_query *query, int rc)
{
    if (query->bind_rc == SQLITE_OK) {
        query->bind_rc = rc;
    }
}

void pb_sql_bind_text(struct pb_sql_query *query, const char *text)
{
    const int at = ++query->parameter;
    keep_bind(query, text == NULL ? sqlite3_bind_null(query->statement, at)
                                  : sqlite3_bind_text64(query->statement, at, text, strlen(text),
                                                        SQLITE_STATIC, SQLITE_UTF8));
}

void pb_sql_bind_blob(struct pb_sql_query *query, const void *data, size_t n)
{
    const int at = ++query->parameter;
    keep_bind(query, data == NULL
                         ? sqlite3_bind_null(query->statement, at)
                         : sqlite3_bind_blob64(query->statement, at, data, n, SQLITE_STATIC));
}

void pb_sql_bind_integer(struct pb_sql_query *query, int64_t value)
{
    const int at = ++query->parameter;
    keep_bind(query, sqlite3_bind_int64(query->statement, at, value));
}

void pb_sql_bind_real(struct pb_sql_query *query, double value)
{
    const int at = ++query->parameter;
    keep_bind(query, sqlite3_bind_double(query->statement, at, value));
}

static void make_ready(struct pb_sql_query *query)
{
    (void)sqlite3_reset(query->statement); /* repeats the error of the step, which was reported */
    query->parameter = 0;
    query->bind_rc = SQLITE_OK;
}

enum pb_code pb_sql_next(struct pb_sql_query *query, bool *row, struct pb_error *err)
{
    const int rc = query->bind_rc != SQLITE_OK ? query->bind_rc : sqlite3_step(query->statement);
    if (rc == SQLITE_ROW) {
        query->column = 0;
        *row = true;
        return PB_OK;
    }
    const enum pb_code code = rc == SQLITE_DONE ? PB_OK : fail(query->sql, rc, err);
    make_ready(query);
    if (code == PB_OK) {
        *row = false;
    }
    return code;
}

enum pb_code pb_sql_run(struct pb_sql_query *query, struct pb_error *err)
{
    bool row = false;
    const enum pb_code code = pb_sql_next(query, &row, err);
    assert(!row); /* else it should have been read with _next */
    return code;
}

int64_t pb_sql_take_integer(struct pb_sql_query *query)
{
    return sqlite3_column_int64(query->statement, query->column++);
}

double pb_sql_take_real(struct pb_sql_query *query)
{
    const int at = query->column++;
    return sqlite3_column_type(query->statement, at) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(query->statement, at);
}

char *pb_sql_take_text(struct pb_sql_query *query, struct pb_arena *arena)
{
    const int at = query->column++;
    const void *text = sqlite3_column_text(query->statement, at);
    const int n = sqlite3_column_bytes(query->statement, at);
    return text == NULL ? NULL : pb_arena_memdup(arena, text, (size_t)n);
}

const void *pb_sql_take_blob(struct pb_sql_query *query, size_t *n)
{
    const int at = query->column++;
    const void *data = sqlite3_column_blob(query->statement, at);
    *n = (size_t)sqlite3_column_bytes(query->statement, at);
    return data;
}
