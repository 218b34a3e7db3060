/* SPDX-License-Identifier: Apache-2.0
 *
 * The one door to SQLite: connections, queries, and SQLite's errors turned into ours.
 *
 * Only the implementation of this module includes sqlite3.h. A query is bound and read in order:
 * each _bind_ call fills the next parameter, each _take_ call reads the next column, so that the
 * SQL text and the C calls are read side by side. A bind that fails is reported by the next
 * _run or _next.
 *
 * Every error names the database, says what happened and what to do about it.
 */
#ifndef PB_STORE_SQL_H
#define PB_STORE_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

struct pb_sql;       /* a connection     */
struct pb_sql_query; /* a prepared query */

/* How to open a database; see database_file.h for when a reader uses which. */
enum pb_sql_access {
    PB_SQL_WRITE,     /* the file must exist                                                      */
    PB_SQL_QUERY,     /* reads; needs a writable folder, where it locks and then tidies up        */
    PB_SQL_READ_ONLY, /* reads a file whose lock file (-shm) is there already                     */
    PB_SQL_ALONE,     /* reads, without any lock, a file and the -wal that was left beside it     */
    PB_SQL_FROZEN,    /* reads, without any lock, a file that nobody can change                   */
    PB_SQL_MEMORY,    /* a new one in memory; path is used in messages only                       */
};

/* How long to wait for another process's lock. */
enum { PB_SQL_BUSY_MS = 30000 };

/* Longest text or blob that is stored or read: a launch's samples are some kilobytes. */
enum { PB_SQL_VALUE_BYTES_MAX = 64 << 20 };

/*
 * Opens a connection.
 * busy_ms: how long any later call waits for a lock
 * errors:  PB_ERR_STORE
 */
enum pb_code pb_sql_open(const char *path, enum pb_sql_access access, int busy_ms,
                         struct pb_sql **sql, struct pb_error *err) PB_MUST_USE;

/* Closes it, without committing; NULL is accepted. Its queries must be freed before. */
void pb_sql_close(struct pb_sql *sql);

/* The path that it was opened with, for messages. */
const char *pb_sql_path(const struct pb_sql *sql);

/* Runs a script of statements that return nothing of interest. errors: PB_ERR_STORE */
enum pb_code pb_sql_exec(struct pb_sql *sql, const char *script, struct pb_error *err) PB_MUST_USE;

/*
 * Begins a transaction that writes, waiting until no other process writes, or one that reads one
 * state of the database to its end.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_sql_begin_write(struct pb_sql *sql, struct pb_error *err) PB_MUST_USE;
enum pb_code pb_sql_begin_read(struct pb_sql *sql, struct pb_error *err) PB_MUST_USE;

/* Ends a transaction; a commit that fails has rolled back. errors: PB_ERR_STORE */
enum pb_code pb_sql_commit(struct pb_sql *sql, struct pb_error *err) PB_MUST_USE;

/* Takes back an open transaction, if there is one. */
void pb_sql_rollback(struct pb_sql *sql);

/* Key of the row that was inserted last. */
int64_t pb_sql_last_key(const struct pb_sql *sql);

/* How many rows the last INSERT, UPDATE or DELETE touched. */
int64_t pb_sql_changes(const struct pb_sql *sql);

/* First column of the first row of a query as an integer; 0 without a row. errors: PB_ERR_STORE */
enum pb_code pb_sql_integer(struct pb_sql *sql, const char *text, int64_t *value,
                            struct pb_error *err) PB_MUST_USE;

/* The same as text; "" without a row. errors: PB_ERR_STORE */
enum pb_code pb_sql_text(struct pb_sql *sql, const char *text, struct pb_arena *arena, char **value,
                         struct pb_error *err) PB_MUST_USE;

/* Appends the database as the bytes of a file. errors: PB_ERR_STORE */
enum pb_code pb_sql_image(struct pb_sql *sql, struct pb_strbuf *image,
                          struct pb_error *err) PB_MUST_USE;

/* Compiles one statement. errors: PB_ERR_STORE */
enum pb_code pb_sql_prepare(struct pb_sql *sql, const char *text, struct pb_sql_query **query,
                            struct pb_error *err) PB_MUST_USE;

/* NULL is accepted. */
void pb_sql_query_free(struct pb_sql_query *query);

/*
 * Bind the next parameter. NULL text or data and a NaN become SQL's NULL.
 * text, data: borrowed until the query has run, or has no more rows
 */
void pb_sql_bind_text(struct pb_sql_query *query, const char *text);
void pb_sql_bind_blob(struct pb_sql_query *query, const void *data, size_t n);
void pb_sql_bind_integer(struct pb_sql_query *query, int64_t value);
void pb_sql_bind_real(struct pb_sql_query *query, double value);

/* Runs a query that returns no rows, and makes it ready to be bound again. errors: PB_ERR_STORE */
enum pb_code pb_sql_run(struct pb_sql_query *query, struct pb_error *err) PB_MUST_USE;

/*
 * Goes to the next row.
 * *row:   false when there is none, and the query can be bound again
 * errors: PB_ERR_STORE
 */
enum pb_code pb_sql_next(struct pb_sql_query *query, bool *row, struct pb_error *err) PB_MUST_USE;

/*
 * Read the next column of the row. A NULL is 0, NaN, a NULL pointer.
 * returns: text is copied into the arena; a blob (n: its bytes) is valid until the next _next
 */
int64_t pb_sql_take_integer(struct pb_sql_query *query);
double pb_sql_take_real(struct pb_sql_query *query);
char *pb_sql_take_text(struct pb_sql_query *query, struct pb_arena *arena);
const void *pb_sql_take_blob(struct pb_sql_query *query, size_t *n);

/*
 * Says that the database holds something that pairbench never wrote.
 * what:    printf-style
 * returns: PB_ERR_STORE
 */
enum pb_code pb_sql_damaged(const struct pb_sql *sql, struct pb_error *err, const char *what, ...)
    PB_PRINTF(3, 4);

#endif
