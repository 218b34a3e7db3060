/* SPDX-License-Identifier: Apache-2.0
 *
 * Which member of a record is which column: one table each, that both saving and loading go by, so
 * that the two cannot drift apart. A new member is stored by adding a line here and a column in a
 * migration.
 */
#ifndef PB_STORE_RECORD_COLUMNS_H
#define PB_STORE_RECORD_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "store/sql.h"

enum pb_column_kind {
    PB_COLUMN_TEXT,     /* const char *, not NULL          */
    PB_COLUMN_OPTIONAL, /* const char *, NULL is SQL's     */
    PB_COLUMN_REAL,     /* double, NaN is SQL's NULL       */
    PB_COLUMN_INT64,
    PB_COLUMN_UINT64, /* kept as the signed integer of the same bits */
    PB_COLUMN_UINT32,
    PB_COLUMN_BOOL,
    PB_COLUMN_STATE,   /* enum pb_state, by its name   */
    PB_COLUMN_VERDICT, /* enum pb_verdict, by its name */
};

struct pb_column {
    const char *name;
    enum pb_column_kind kind;
    size_t offset; /* of the member */
};

/* A table of the database and the struct whose members it holds. */
struct pb_columns {
    const char *table;
    bool child; /* its rows belong to a position in a run, and are keyed by both */
    size_t object_bytes;
    const struct pb_column *items;
    size_t n;
};

/* What one launch says of a pair: an element of the two arrays of a pb_pair_record. */
struct pb_pair_launch {
    uint32_t launch;
    double d;
};

extern const struct pb_columns pb_run_columns;
extern const struct pb_columns pb_benchmark_columns;
extern const struct pb_columns pb_count_columns;
extern const struct pb_columns pb_launch_columns;
extern const struct pb_columns pb_pair_columns;
extern const struct pb_columns pb_pair_launch_columns;

/* Appends an INSERT of one row. Parameters: run_key and position where it is a child, then columns.
 */
void pb_columns_add_insert(const struct pb_columns *columns, struct pb_strbuf *sql);

/*
 * Appends a SELECT of all rows of the run with key ?1: position where it is a child, then columns;
 * by position, then by the first column.
 */
void pb_columns_add_select(const struct pb_columns *columns, struct pb_strbuf *sql);

/* Binds the members of object. */
void pb_columns_bind(const struct pb_columns *columns, const void *object,
                     struct pb_sql_query *query);

/*
 * Reads the columns of a row into the members of object.
 * returns: NULL, or the name of a column that holds what pairbench never writes
 */
const char *pb_columns_take(const struct pb_columns *columns, struct pb_sql_query *query,
                            struct pb_arena *arena, void *object);

#endif
