/* SPDX-License-Identifier: Apache-2.0
 *
 * Each table is read in one query, sorted by position, into one array; a benchmark's counts, its
 * launches and a pair's ratios are then stretches of these arrays. Positions and blobs are checked
 * on the way, since a damaged file need not be one that SQLite notices.
 */
#include "store/run_load.h"

#include "store/record_columns.h"
#include "store/sample_blob.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

struct reader {
    struct pb_sql *sql;
    int64_t run_key;
    struct pb_arena *arena;
    struct pb_error *err;
};

/* The rows of one table that belong to a run. */
struct rows {
    void *objects;
    size_t *positions; /* of each object's parent, or its own */
    size_t n;
};

static enum pb_code damaged_column(const struct reader *reader, const struct pb_columns *columns,
                                   const char *column)
{
    return pb_sql_damaged(reader->sql, reader->err, "unknown value in %s.%s", columns->table,
                          column);
}

static enum pb_code open_select(struct reader *reader, const struct pb_columns *columns,
                                struct pb_sql_query **query)
{
    struct pb_strbuf sql = {0};
    pb_columns_add_select(columns, &sql);
    const enum pb_code code = pb_sql_prepare(reader->sql, sql.text, query, reader->err);
    pb_strbuf_release(&sql);
    if (code == PB_OK) {
        pb_sql_bind_integer(*query, reader->run_key);
    }
    return code;
}

/* Reads the row that the query stands on and appends it. */
static enum pb_code append_row(struct reader *reader, const struct pb_columns *columns,
                               struct pb_sql_query *query, struct rows *rows, size_t *capacity)
{
    size_t position_capacity = *capacity;
    rows->positions = pb_arena_grow(reader->arena, rows->positions, rows->n, &position_capacity,
                                    sizeof *rows->positions);
    rows->objects =
        pb_arena_grow(reader->arena, rows->objects, rows->n, capacity, columns->object_bytes);
    const int64_t position = pb_sql_take_integer(query);
    void *object = (char *)rows->objects + rows->n * columns->object_bytes;
    memset(object, 0, columns->object_bytes);
    const char *bad = pb_columns_take(columns, query, reader->arena, object);
    if (bad != NULL || position < 0) {
        return damaged_column(reader, columns, bad != NULL ? bad : "position");
    }
    rows->positions[rows->n++] = (size_t)position;
    return PB_OK;
}

/* Reads all rows of a table, in the order of their positions. */
static enum pb_code read_rows(struct reader *reader, const struct pb_columns *columns,
                              struct rows *rows)
{
    struct pb_sql_query *query = NULL;
    size_t capacity = 64;
    *rows = (struct rows){
        .objects = pb_arena_array(reader->arena, capacity, columns->object_bytes),
        .positions = pb_arena_array(reader->arena, capacity, sizeof *rows->positions),
    };
    enum pb_code code = open_select(reader, columns, &query);
    while (code == PB_OK) {
        bool row = false;
        code = pb_sql_next(query, &row, reader->err);
        if (code != PB_OK || !row) {
            break;
        }
        code = append_row(reader, columns, query, rows, &capacity);
    }
    pb_sql_query_free(query);
    return code;
}

/* Reads rows whose positions must be 0, 1, 2 … */
static enum pb_code read_parents(struct reader *reader, const struct pb_columns *columns,
                                 struct rows *rows)
{
    const enum pb_code code = read_rows(reader, columns, rows);
    for (size_t i = 0; code == PB_OK && i < rows->n; i++) {
        if (rows->positions[i] != i) {
            return damaged_column(reader, columns, "position");
        }
    }
    return code;
}

/* Reads rows that belong to one of n_parents. */
static enum pb_code read_children(struct reader *reader, const struct pb_columns *columns,
                                  size_t n_parents, struct rows *rows)
{
    const enum pb_code code = read_rows(reader, columns, rows);
    for (size_t i = 0; code == PB_OK && i < rows->n; i++) {
        if (rows->positions[i] >= n_parents) {
            return damaged_column(reader, columns, "position");
        }
    }
    return code;
}

static enum pb_code read_run_row(struct reader *reader, struct pb_run_record *run)
{
    struct pb_sql_query *query = NULL;
    bool row = false;
    enum pb_code code = open_select(reader, &pb_run_columns, &query);
    if (code == PB_OK) {
        code = pb_sql_next(query, &row, reader->err);
    }
    if (code == PB_OK && !row) {
        code = pb_sql_damaged(reader->sql, reader->err, "run %" PRId64 " is gone", reader->run_key);
    }
    if (code == PB_OK) {
        const char *bad = pb_columns_take(&pb_run_columns, query, reader->arena, run);
        code = bad != NULL ? damaged_column(reader, &pb_run_columns, bad) : PB_OK;
    }
    pb_sql_query_free(query);
    return code;
}

enum pb_code pb_run_load_facts(struct pb_sql *sql, int64_t run_key, const char *subject,
                               struct pb_arena *arena, struct pb_facts *facts, struct pb_error *err)
{
    struct pb_sql_query *query = NULL;
    enum pb_code code = pb_sql_prepare(
        sql, "SELECT key, value FROM fact WHERE run_key = ? AND subject = ? ORDER BY key", &query,
        err);
    if (code != PB_OK) {
        return code;
    }
    pb_sql_bind_integer(query, run_key);
    pb_sql_bind_text(query, subject);
    struct pb_facts read = {0};
    size_t capacity = 0;
    bool row = false;
    while ((code = pb_sql_next(query, &row, err)) == PB_OK && row) {
        read.items = pb_arena_grow(arena, read.items, read.n, &capacity, sizeof *read.items);
        const char *key = pb_sql_take_text(query, arena);
        const char *value = pb_sql_take_text(query, arena);
        if (key == NULL || value == NULL) {
            code = pb_sql_damaged(sql, err, "a fact without a value");
            break;
        }
        read.items[read.n++] = (struct pb_fact){key, value};
    }
    pb_sql_query_free(query);
    if (code == PB_OK) {
        *facts = read;
    }
    return code;
}

static enum pb_code read_all_facts(struct reader *reader, struct pb_run_record *run)
{
    const struct {
        const char *subject;
        struct pb_facts *facts;
    } subjects[] = {
        {"machine", &run->machine},
        {"build", &run->build},
        {"commit", &run->commit},
    };
    enum pb_code code = PB_OK;
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0] && code == PB_OK; i++) {
        code = pb_run_load_facts(reader->sql, reader->run_key, subjects[i].subject, reader->arena,
                                 subjects[i].facts, reader->err);
    }
    return code;
}

static enum pb_code read_benchmarks(struct reader *reader, struct pb_run_record *run)
{
    struct rows rows;
    enum pb_code code = read_parents(reader, &pb_benchmark_columns, &rows);
    if (code != PB_OK) {
        return code;
    }
    run->benchmarks = rows.objects;
    run->n_benchmarks = rows.n;

    code = read_children(reader, &pb_count_columns, run->n_benchmarks, &rows);
    struct pb_count_record *counts = rows.objects;
    for (size_t i = 0; code == PB_OK && i < rows.n; i++) {
        struct pb_benchmark_record *benchmark = &run->benchmarks[rows.positions[i]];
        benchmark->counts = benchmark->n_counts == 0 ? &counts[i] : benchmark->counts;
        benchmark->n_counts++;
    }
    if (code != PB_OK) {
        return code;
    }

    code = read_children(reader, &pb_launch_columns, run->n_benchmarks, &rows);
    struct pb_launch_record *launches = rows.objects;
    for (size_t i = 0; code == PB_OK && i < rows.n; i++) {
        struct pb_benchmark_record *benchmark = &run->benchmarks[rows.positions[i]];
        benchmark->launches = benchmark->n_launches == 0 ? &launches[i] : benchmark->launches;
        benchmark->n_launches++;
    }
    return code;
}

/* The launch of this number, which a benchmark keeps sorted by it; NULL when there is none. */
static struct pb_launch_record *find_launch(const struct pb_benchmark_record *benchmark,
                                            int64_t number)
{
    size_t first = 0;
    size_t end = benchmark->n_launches;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (benchmark->launches[middle].launch < number) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first < benchmark->n_launches && benchmark->launches[first].launch == number
               ? &benchmark->launches[first]
               : NULL;
}

/* Hands the pieces of one launch's blob to the benchmarks. returns: false when it is malformed */
static bool distribute_samples(struct reader *reader, struct pb_run_record *run, int64_t launch,
                               struct pb_sample_cursor cursor)
{
    struct pb_sample_piece piece;
    while (pb_sample_blob_next(&cursor, reader->arena, &piece)) {
        struct pb_launch_record *record =
            piece.position < run->n_benchmarks
                ? find_launch(&run->benchmarks[piece.position], launch)
                : NULL;
        if (record == NULL || record->n_slices != piece.n) {
            return false;
        }
        record->samples_ns = piece.ns;
    }
    return cursor.left == 0;
}

static enum pb_code read_samples(struct reader *reader, struct pb_run_record *run)
{
    struct pb_sql_query *query = NULL;
    enum pb_code code =
        pb_sql_prepare(reader->sql, "SELECT launch, layout, samples FROM samples WHERE run_key = ?",
                       &query, reader->err);
    if (code != PB_OK) {
        return code;
    }
    pb_sql_bind_integer(query, reader->run_key);
    bool row = false;
    while ((code = pb_sql_next(query, &row, reader->err)) == PB_OK && row) {
        const int64_t launch = pb_sql_take_integer(query);
        const int64_t layout = pb_sql_take_integer(query);
        struct pb_sample_cursor cursor = {0};
        cursor.at = pb_sql_take_blob(query, &cursor.left);
        if (layout != PB_SAMPLE_BLOB_LAYOUT || !distribute_samples(reader, run, launch, cursor)) {
            code = pb_sql_damaged(reader->sql, reader->err, "samples of launch %" PRId64, launch);
            break;
        }
    }
    pb_sql_query_free(query);
    return code;
}

static enum pb_code read_pairs(struct reader *reader, struct pb_run_record *run)
{
    struct rows rows;
    enum pb_code code = read_parents(reader, &pb_pair_columns, &rows);
    if (code != PB_OK) {
        return code;
    }
    run->pairs = rows.objects;
    run->n_pairs = rows.n;

    code = read_children(reader, &pb_pair_launch_columns, run->n_pairs, &rows);
    if (code != PB_OK) {
        return code;
    }
    const struct pb_pair_launch *launches = rows.objects;
    double *d = pb_arena_array(reader->arena, rows.n, sizeof *d);
    uint32_t *launch = pb_arena_array(reader->arena, rows.n, sizeof *launch);
    for (size_t i = 0; i < rows.n; i++) {
        struct pb_pair_record *pair = &run->pairs[rows.positions[i]];
        d[i] = launches[i].d;
        launch[i] = launches[i].launch;
        if (pair->n_launches++ == 0) {
            pair->d = &d[i];
            pair->launch = &launch[i];
        }
    }
    return PB_OK;
}

enum pb_code pb_run_load(struct pb_sql *sql, int64_t run_key, struct pb_arena *arena,
                         struct pb_run_record *run, struct pb_error *err)
{
    struct reader reader = {.sql = sql, .run_key = run_key, .arena = arena, .err = err};
    struct pb_run_record read = {0};
    enum pb_code code = read_run_row(&reader, &read);
    if (code == PB_OK) {
        code = read_all_facts(&reader, &read);
    }
    if (code == PB_OK) {
        code = read_benchmarks(&reader, &read);
    }
    if (code == PB_OK) {
        code = read_samples(&reader, &read);
    }
    if (code == PB_OK) {
        code = read_pairs(&reader, &read);
    }
    if (code == PB_OK) {
        *run = read;
    }
    return code;
}

/* What was found by the beginning of an id. */
struct candidates {
    int64_t run_key; /* of the first             */
    int n;           /* how many, up to the query's LIMIT */
    char *ids[2];
};

static enum pb_code find_candidates(struct pb_sql *sql, const char *id, struct pb_arena *arena,
                                    struct candidates *found, struct pb_error *err)
{
    /* The whole id first: it wins even where it is the beginning of another. */
    static const char by_beginning[] =
        "SELECT run_key, id FROM run"
        " WHERE substr(CAST(id AS BLOB), 1, length(CAST(?1 AS BLOB))) = CAST(?1 AS BLOB)"
        " ORDER BY id <> ?1, id LIMIT 2";
    struct pb_sql_query *query = NULL;
    enum pb_code code = pb_sql_prepare(sql, by_beginning, &query, err);
    if (code != PB_OK) {
        return code;
    }
    pb_sql_bind_text(query, id);
    bool row = false;
    while ((code = pb_sql_next(query, &row, err)) == PB_OK && row) {
        const int64_t key = pb_sql_take_integer(query);
        found->run_key = found->n == 0 ? key : found->run_key;
        found->ids[found->n++] = pb_sql_take_text(query, arena);
    }
    pb_sql_query_free(query);
    return code;
}

static enum pb_code find_by_id(struct pb_sql *sql, const char *id, int64_t *run_key,
                               struct pb_error *err)
{
    struct pb_arena arena = {0};
    char *wanted = pb_arena_strdup(&arena, id);
    for (char *c = wanted; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c); /* as uuid_unparse_lower() wrote it */
    }
    struct candidates found = {0};
    enum pb_code code = find_candidates(sql, wanted, &arena, &found, err);
    if (code == PB_OK && found.n == 0) {
        code = pb_error_set(err, PB_ERR_NOT_FOUND, "%s has no run whose id begins with '%s'",
                            pb_sql_path(sql), id);
    } else if (code == PB_OK && found.n > 1 && strcmp(found.ids[0], wanted) != 0) {
        code = pb_error_set(err, PB_ERR_NOT_FOUND,
                            "several runs in %s have an id that begins with '%s' (%s, %s …): give "
                            "more of it",
                            pb_sql_path(sql), id, found.ids[0], found.ids[1]);
    }
    if (code == PB_OK) {
        *run_key = found.run_key;
    }
    pb_arena_release(&arena);
    return code;
}

enum pb_code pb_run_find(struct pb_sql *sql, const char *id, int64_t *run_key, struct pb_error *err)
{
    if (id != NULL) {
        return find_by_id(sql, id, run_key, err);
    }
    int64_t latest = 0; /* keys begin at 1 */
    const enum pb_code code = pb_sql_integer(
        sql, "SELECT run_key FROM run ORDER BY started_at DESC, id DESC LIMIT 1", &latest, err);
    if (code != PB_OK) {
        return code;
    }
    if (latest == 0) {
        return pb_error_set(err, PB_ERR_NOT_FOUND,
                            "%s holds no run yet: `pairbench run` stores one", pb_sql_path(sql));
    }
    *run_key = latest;
    return PB_OK;
}
