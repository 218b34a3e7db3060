/* SPDX-License-Identifier: Apache-2.0
 *
 * Values one by one, each written by a call of its own: old against new.
 */
#include "cql/write_value.h"

#include "cql/cql_bench.h"
#include "cql/cql_runs.h"
#include "cql/floor.h"

static enum cql_code encode_old(const struct cql_request *request, struct sink *sink)
{
    for (size_t i = 0; i < request->n_values; ++i) {
        CQL_TRY(cql_write_value_old(&request->values[i], sink));
    }
    return CQL_OK;
}

static enum cql_code encode_new(const struct cql_request *request, struct sink *sink)
{
    for (size_t i = 0; i < request->n_values; ++i) {
        CQL_TRY(cql_write_value_new(&request->values[i], sink));
    }
    return CQL_OK;
}

static enum cql_code encode_floor(const struct cql_request *request, struct sink *sink)
{
    unsigned char *next = sink_reserve(sink, request->size_bytes);
    if (next == NULL) {
        return CQL_SINK;
    }
    return floor_commit(floor_values(next, request->values, request->n_values), sink);
}

CQL_BENCH_VARIANTS("length and bytes apart", "one write a value",
                   "each value copied with its length, one write");

static const struct pb_scenario scenarios[] = {
    ON_MEMORY("1p_text", "one text of 20 characters", values_1p_text_v4, .runs = {RUN_TEXTS(1)}),
    ON_MEMORY("50p_text", "50 texts of 20 characters", values_50p_text_v4, .runs = {RUN_TEXTS(50)}),
    ON_MEMORY("12p_null", "12 nulls", values_12p_null_v4, .runs = {RUN_NULLS(12)}),
    ON_MEMORY("12p_unset", "12 unset values", values_12p_unset_v4, .runs = {RUN_UNSETS(12)}),
    ON_MEMORY("12p_null_unset", "8 ints, 3 nulls and an unset value", values_12p_null_unset_v4,
              .runs = {RUNS_NULL_UNSET}),
    ON_MEMORY("2p_vec128", "an int and a vector of 128 floats", values_2p_vec128_v4,
              .runs = {RUN_INT, RUN_VEC128}),
    WITHOUT_GOLDEN("1p_blob_1m", "a blob of 1 MiB", .runs = {RUN_BLOB_1M}),
};

const struct pb_case write_value_case = {
    .name = "cql/write_value",
    .summary = "bound values, one call each",
    .source = "scylladb/python-driver #791",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
