/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a BATCH: old against new.
 */
#include "cql/batch_send_body.h"

#include "cql/cql_bench.h"
#include "cql/cql_runs.h"
#include "cql/floor.h"

static enum cql_code encode_old(const struct cql_request *request, struct sink *sink)
{
    return cql_batch_send_body_old(&request->batch, request->protocol, sink);
}

static enum cql_code encode_new(const struct cql_request *request, struct sink *sink)
{
    return cql_batch_send_body_new(&request->batch, request->protocol, sink);
}

static enum cql_code encode_floor(const struct cql_request *request, struct sink *sink)
{
    unsigned char *next = sink_reserve(sink, request->size_bytes);
    if (next == NULL) {
        return CQL_SINK;
    }
    for (size_t i = 0; i < request->batch.n_queries; ++i) {
        const struct cql_query *query = &request->batch.queries[i];
        next = floor_string(next, query->statement);
        next = floor_values(next, query->values, query->n_values);
    }
    return floor_commit(next, sink);
}

CQL_BENCH_VARIANTS("one write a field", "one write in all",
                   "each string and value copied with its length");

static const struct pb_scenario scenarios[] = {
    ON_BOTH_SINKS("10q_2p_vec128", "10 queries, an int and a vector of 128 floats each",
                  bench_10q_2p_128d_v4, .n_queries = 10, .runs = {RUN_INT, RUN_VEC128}),
    ON_BOTH_SINKS("10q_2p_vec768", "10 queries, an int and a vector of 768 floats each",
                  bench_10q_2p_768d_v4, .n_queries = 10, .runs = {RUN_INT, RUN_VEC768}),
    ON_BOTH_SINKS("50q_2p_vec128", "50 queries, an int and a vector of 128 floats each",
                  bench_50q_2p_128d_v4, .n_queries = 50, .runs = {RUN_INT, RUN_VEC128}),
    ON_BOTH_SINKS("10q_10p_text", "10 queries, 10 texts of 20 characters each", bench_10q_10text_v4,
                  .n_queries = 10, .runs = {RUN_TEXTS(10)}),
    ON_BOTH_SINKS("50q_10p_text", "50 queries, 10 texts of 20 characters each", bench_50q_10text_v4,
                  .n_queries = 50, .runs = {RUN_TEXTS(10)}),
    ON_BOTH_SINKS("10q_2p_unprepared", "10 unprepared queries, 2 texts of 20 characters each",
                  bench_10unprep_2p_v4, .n_queries = 10, .statements = CQL_UNPREPARED,
                  .runs = {RUN_TEXTS(2)}),
    ON_MEMORY("empty", "no query, no timestamp", batch_empty_plain_v4, .no_timestamp = true),
    ON_MEMORY("10q_2p_mixed", "10 queries, prepared and unprepared in turn, 2 texts each",
              batch_10q_2p_mixed_v4, .n_queries = 10, .statements = CQL_ALTERNATING,
              .runs = {RUN_TEXTS(2)}),
    ON_MEMORY("10q_12p_null_unset", "10 queries, 8 ints, 3 nulls and an unset value each",
              batch_10q_12p_null_unset_v4, .n_queries = 10, .runs = {RUNS_NULL_UNSET}),
    ON_MEMORY("1q_1p_text", "one query with one parameter", batch_1q_1p_text_v4, .n_queries = 1,
              .runs = {RUN_TEXTS(1)}),
    ON_MEMORY("1q_50p_text", "one query with 50 parameters", batch_1q_50p_text_v4, .n_queries = 1,
              .runs = {RUN_TEXTS(50)}),
    WITHOUT_GOLDEN("1q_1p_blob_1m", "one query with a blob of 1 MiB", .n_queries = 1,
                   .runs = {RUN_BLOB_1M}),
    WITHOUT_GOLDEN("1000q_2p_text", "1,000 queries, 2 texts of 20 characters each",
                   .n_queries = 1000, .runs = {RUN_TEXTS(2)}),
};

const struct pb_case batch_send_body_case = {
    .name = "cql/batch_send_body",
    .summary = "the body of a BATCH request",
    .source = "scylladb/python-driver #791",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
