/* SPDX-License-Identifier: Apache-2.0
 *
 * Every table is filled through one prepared INSERT that is made from its list of columns. Samples
 * lie by benchmark in the record and by launch in the database, so they are sorted on the way.
 */
#include "store/run_save.h"

#include "store/record_columns.h"
#include "store/sample_blob.h"

#include <stdlib.h>

struct writer {
    struct pb_sql *sql;
    int64_t run_key;
    struct pb_error *err;
};

/* A prepared INSERT into one table. */
struct inserter {
    const struct pb_columns *columns;
    struct pb_sql_query *query;
};

static enum pb_code open_inserter(struct writer *writer, const struct pb_columns *columns,
                                  const char *tail, struct inserter *inserter)
{
    struct pb_strbuf sql = {0};
    pb_columns_add_insert(columns, &sql);
    pb_strbuf_adds(&sql, tail);
    inserter->columns = columns;
    const enum pb_code code = pb_sql_prepare(writer->sql, sql.text, &inserter->query, writer->err);
    pb_strbuf_release(&sql);
    return code;
}

static enum pb_code insert_child(struct writer *writer, const struct inserter *inserter,
                                 size_t position, const void *object)
{
    pb_sql_bind_integer(inserter->query, writer->run_key);
    pb_sql_bind_integer(inserter->query, (int64_t)position);
    pb_columns_bind(inserter->columns, object, inserter->query);
    return pb_sql_run(inserter->query, writer->err);
}

/* *inserted: false when a run of this id is there already */
static enum pb_code save_run_row(struct writer *writer, const struct pb_run_record *run,
                                 bool *inserted)
{
    struct inserter inserter = {0};
    enum pb_code code =
        open_inserter(writer, &pb_run_columns, " ON CONFLICT (id) DO NOTHING", &inserter);
    if (code == PB_OK) {
        pb_columns_bind(inserter.columns, run, inserter.query);
        code = pb_sql_run(inserter.query, writer->err);
    }
    if (code == PB_OK) {
        *inserted = pb_sql_changes(writer->sql) > 0;
        writer->run_key = pb_sql_last_key(writer->sql);
    }
    pb_sql_query_free(inserter.query);
    return code;
}

static enum pb_code save_facts(struct writer *writer, struct pb_sql_query *query,
                               const char *subject, const struct pb_facts *facts)
{
    enum pb_code code = PB_OK;
    for (size_t i = 0; i < facts->n && code == PB_OK; i++) {
        pb_sql_bind_integer(query, writer->run_key);
        pb_sql_bind_text(query, subject);
        pb_sql_bind_text(query, facts->items[i].key);
        pb_sql_bind_text(query, facts->items[i].value);
        code = pb_sql_run(query, writer->err);
    }
    return code;
}

static enum pb_code save_all_facts(struct writer *writer, const struct pb_run_record *run)
{
    struct pb_sql_query *query = NULL;
    enum pb_code code = pb_sql_prepare(
        writer->sql, "INSERT INTO fact (run_key, subject, key, value) VALUES (?, ?, ?, ?)", &query,
        writer->err);
    if (code == PB_OK) {
        code = save_facts(writer, query, "machine", &run->machine);
    }
    if (code == PB_OK) {
        code = save_facts(writer, query, "build", &run->build);
    }
    if (code == PB_OK) {
        code = save_facts(writer, query, "commit", &run->commit);
    }
    pb_sql_query_free(query);
    return code;
}

struct benchmark_inserters {
    struct inserter benchmark;
    struct inserter count;
    struct inserter launch;
};

static enum pb_code save_benchmark(struct writer *writer, const struct benchmark_inserters *into,
                                   size_t position, const struct pb_benchmark_record *benchmark)
{
    enum pb_code code = insert_child(writer, &into->benchmark, position, benchmark);
    for (size_t i = 0; i < benchmark->n_counts && code == PB_OK; i++) {
        code = insert_child(writer, &into->count, position, &benchmark->counts[i]);
    }
    for (size_t i = 0; i < benchmark->n_launches && code == PB_OK; i++) {
        code = insert_child(writer, &into->launch, position, &benchmark->launches[i]);
    }
    return code;
}

static enum pb_code save_benchmarks(struct writer *writer, const struct pb_run_record *run)
{
    struct benchmark_inserters into = {0};
    enum pb_code code = open_inserter(writer, &pb_benchmark_columns, "", &into.benchmark);
    if (code == PB_OK) {
        code = open_inserter(writer, &pb_count_columns, "", &into.count);
    }
    if (code == PB_OK) {
        code = open_inserter(writer, &pb_launch_columns, "", &into.launch);
    }
    for (size_t i = 0; i < run->n_benchmarks && code == PB_OK; i++) {
        code = save_benchmark(writer, &into, i, &run->benchmarks[i]);
    }
    pb_sql_query_free(into.benchmark.query);
    pb_sql_query_free(into.count.query);
    pb_sql_query_free(into.launch.query);
    return code;
}

/* The samples of one benchmark in one launch. */
struct sampled {
    uint32_t launch;
    struct pb_sample_piece piece;
};

static int compare_sampled(const void *left, const void *right)
{
    const struct sampled *x = left;
    const struct sampled *y = right;
    if (x->launch != y->launch) {
        return x->launch < y->launch ? -1 : 1;
    }
    return (x->piece.position > y->piece.position) - (x->piece.position < y->piece.position);
}

/* All samples that were kept, by launch, then by benchmark. *n: how many */
static struct sampled *collect_samples(const struct pb_run_record *run, struct pb_arena *arena,
                                       size_t *n)
{
    size_t most = 0;
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        most += run->benchmarks[i].n_launches;
    }
    struct sampled *sampled = pb_arena_array(arena, most, sizeof *sampled);
    size_t used = 0;
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        for (size_t k = 0; k < benchmark->n_launches; k++) {
            const struct pb_launch_record *launch = &benchmark->launches[k];
            if (launch->samples_ns != NULL) {
                sampled[used++] = (struct sampled){
                    .launch = launch->launch,
                    .piece = {(uint32_t)i, launch->n_slices, launch->samples_ns},
                };
            }
        }
    }
    qsort(sampled, used, sizeof *sampled, compare_sampled);
    *n = used;
    return sampled;
}

static enum pb_code insert_samples(struct writer *writer, struct pb_sql_query *query,
                                   uint32_t launch, const struct pb_strbuf *blob)
{
    pb_sql_bind_integer(query, writer->run_key);
    pb_sql_bind_integer(query, launch);
    pb_sql_bind_integer(query, PB_SAMPLE_BLOB_LAYOUT);
    pb_sql_bind_blob(query, blob->text, blob->length);
    return pb_sql_run(query, writer->err);
}

static enum pb_code save_samples(struct writer *writer, const struct pb_run_record *run)
{
    struct pb_arena arena = {0};
    struct pb_strbuf blob = {0};
    size_t n = 0;
    const struct sampled *sampled = collect_samples(run, &arena, &n);
    struct pb_sql_query *query = NULL;
    enum pb_code code = pb_sql_prepare(
        writer->sql, "INSERT INTO samples (run_key, launch, layout, samples) VALUES (?, ?, ?, ?)",
        &query, writer->err);
    for (size_t i = 0; i < n && code == PB_OK; i++) {
        pb_sample_blob_add(&blob, sampled[i].piece);
        if (i + 1 == n || sampled[i + 1].launch != sampled[i].launch) {
            code = insert_samples(writer, query, sampled[i].launch, &blob);
            pb_strbuf_reset(&blob);
        }
    }
    pb_sql_query_free(query);
    pb_strbuf_release(&blob);
    pb_arena_release(&arena);
    return code;
}

static enum pb_code save_pairs(struct writer *writer, const struct pb_run_record *run)
{
    struct inserter into_pair = {0};
    struct inserter into_launch = {0};
    enum pb_code code = open_inserter(writer, &pb_pair_columns, "", &into_pair);
    if (code == PB_OK) {
        code = open_inserter(writer, &pb_pair_launch_columns, "", &into_launch);
    }
    for (size_t i = 0; i < run->n_pairs && code == PB_OK; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        code = insert_child(writer, &into_pair, i, pair);
        for (size_t k = 0; k < pair->n_launches && code == PB_OK; k++) {
            const struct pb_pair_launch row = {.launch = pair->launch[k], .d = pair->d[k]};
            code = insert_child(writer, &into_launch, i, &row);
        }
    }
    pb_sql_query_free(into_pair.query);
    pb_sql_query_free(into_launch.query);
    return code;
}

enum pb_code pb_run_save(struct pb_sql *sql, const struct pb_run_record *run, struct pb_error *err)
{
    struct writer writer = {.sql = sql, .err = err};
    bool inserted = false;
    enum pb_code code = save_run_row(&writer, run, &inserted);
    if (code != PB_OK || !inserted) {
        return code;
    }
    code = save_all_facts(&writer, run);
    if (code == PB_OK) {
        code = save_benchmarks(&writer, run);
    }
    if (code == PB_OK) {
        code = save_samples(&writer, run);
    }
    if (code == PB_OK) {
        code = save_pairs(&writer, run);
    }
    return code;
}
