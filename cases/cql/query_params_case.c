/* SPDX-License-Identifier: Apache-2.0
 *
 * The bodies of EXECUTE and QUERY, whose parameters are what differs: old against new.
 */
#include "cql/query_params.h"

#include "cql/cql_bench.h"
#include "cql/cql_runs.h"
#include "cql/floor.h"
#include "golden.h"

static enum cql_code encode_old(const struct cql_request *request, struct sink *sink)
{
    return request->unprepared
               ? cql_query_send_body_old(&request->query, request->protocol, sink)
               : cql_execute_send_body_old(&request->execute, request->protocol, sink);
}

static enum cql_code encode_new(const struct cql_request *request, struct sink *sink)
{
    return request->unprepared
               ? cql_query_send_body_new(&request->query, request->protocol, sink)
               : cql_execute_send_body_new(&request->execute, request->protocol, sink);
}

static enum cql_code encode_floor(const struct cql_request *request, struct sink *sink)
{
    unsigned char *next = sink_reserve(sink, request->size_bytes);
    if (next == NULL) {
        return CQL_SINK;
    }
    next = floor_string(next, request->unprepared ? request->query.text : request->execute.id);
    next = floor_values(next, request->values, request->n_values);
    return floor_commit(next, sink);
}

CQL_BENCH_VARIANTS("one write a field", "one write for all values",
                   "the id or text and each value copied with its length, one write");

static const struct pb_scenario scenarios[] = {
    ON_MEMORY("execute_1p_text", "EXECUTE, one parameter", execute_1p_text_v4,
              .runs = {RUN_TEXTS(1)}),
    ON_MEMORY("execute_10p_text", "EXECUTE, 10 texts of 20 characters", execute_10p_text_v4,
              .runs = {RUN_TEXTS(10)}),
    ON_MEMORY("execute_50p_text", "EXECUTE, 50 texts of 20 characters", execute_50p_text_v4,
              .runs = {RUN_TEXTS(50)}),
    ON_DESCRIPTOR("execute_50p_text_fd", "EXECUTE, 50 texts of 20 characters", execute_50p_text_v4,
                  .runs = {RUN_TEXTS(50)}),
    ON_MEMORY("execute_12p_null_unset", "EXECUTE, 8 ints, 3 nulls and an unset value",
              execute_12p_null_unset_v4, .runs = {RUNS_NULL_UNSET}),
    ON_MEMORY("execute_2p_vec128", "EXECUTE, an int and a vector of 128 floats",
              execute_2p_vec128_v4, .runs = {RUN_INT, RUN_VEC128}),
    ON_MEMORY("execute_2p_vec768", "EXECUTE, an int and a vector of 768 floats",
              execute_2p_vec768_v4, .runs = {RUN_INT, RUN_VEC768}),
    WITHOUT_GOLDEN("execute_1p_blob_1m", "EXECUTE, a blob of 1 MiB", .runs = {RUN_BLOB_1M}),
    ON_MEMORY("query_2p_text", "QUERY, 2 texts of 20 characters", query_2p_text_v4,
              .statements = CQL_UNPREPARED, .runs = {RUN_TEXTS(2)}),
    {.name = "execute_10p_text_v5_options",
     .summary = "EXECUTE in v5, 10 texts and every option",
     .golden = GOLDEN(execute_10p_text_options_v5),
     .input =
         &(const struct cql_input){
             .shape = {.version = 5, .many_options = true, .runs = {RUN_TEXTS(10)}}}},
};

const struct pb_case query_params_case = {
    .name = "cql/query_params",
    .summary = "the body of an EXECUTE or QUERY request",
    .source = "scylladb/python-driver #790 and #791",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
