/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes built into requests. The ids and texts are those of the benchmark that the shapes come
 * from; a driver's statements share them, and so they are one copy.
 */
#include "cql/cql_shape.h"

#include <string.h>

#define CONSISTENCY_ONE    1
#define CONSISTENCY_SERIAL 8
#define TIMESTAMP_US       1234567890123456

static const unsigned char prepared_id[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const char query_text[] = "INSERT INTO ks.tbl (k, v) VALUES (?, ?)";
static const char metadata_id[] = "defghijklmnopqrs";
static const char keyspace[] = "ks";
static const char paging_state[] = "page";

/* Room for all that is neither statement nor value. */
#define REST_BYTES 256

static struct pb_bytes text_of(const char *text)
{
    return (struct pb_bytes){text, strlen(text)};
}

/* The pattern over and over: what is there is copied behind itself until all is filled. */
static void fill_pattern(unsigned char *data, size_t size, const unsigned char pattern[4])
{
    memcpy(data, pattern, size < 4 ? size : 4);
    for (size_t filled = 4; filled < size; filled *= 2) {
        memcpy(data + filled, data, filled < size - filled ? filled : size - filled);
    }
}

static int build_value(const struct cql_run *run, struct pb_env *env, struct cql_value *value)
{
    *value = (struct cql_value){.kind = run->kind};
    if (run->kind == CQL_NULL || run->kind == CQL_UNSET) {
        return PAIRBENCH_OK;
    }
    unsigned char *data = pb_alloc(env, run->size_bytes, 0);
    if (data == NULL) {
        return PAIRBENCH_FAILED;
    }
    fill_pattern(data, run->size_bytes, run->pattern);
    value->data = data;
    value->size = run->size_bytes;
    return PAIRBENCH_OK;
}

static size_t count_values(const struct cql_shape *shape)
{
    size_t n = 0;
    for (size_t i = 0; i < CQL_MAX_RUNS; ++i) {
        n += shape->runs[i].count;
    }
    return n;
}

/* The values of one query; *size_bytes grows by what they take on the wire. */
static const struct cql_value *build_values(const struct cql_shape *shape, struct pb_env *env,
                                            size_t *size_bytes)
{
    struct cql_value *values = pb_alloc(env, (count_values(shape) + 1) * sizeof *values, 0);
    if (values == NULL) {
        return NULL;
    }
    struct cql_value *next = values;
    for (size_t i = 0; i < CQL_MAX_RUNS; ++i) {
        for (uint32_t k = 0; k < shape->runs[i].count; ++k) {
            if (build_value(&shape->runs[i], env, next) != PAIRBENCH_OK) {
                return NULL;
            }
            *size_bytes += 4 + next->size;
            ++next;
        }
    }
    return values;
}

static int build_queries(const struct cql_shape *shape, struct pb_env *env,
                         struct cql_request *request)
{
    struct cql_query *queries = pb_alloc(env, (shape->n_queries + 1) * sizeof *queries, 0);
    if (queries == NULL) {
        return PAIRBENCH_FAILED;
    }
    for (uint32_t i = 0; i < shape->n_queries; ++i) {
        const bool prepared = shape->statements == CQL_PREPARED ||
                              (shape->statements == CQL_ALTERNATING && i % 2 == 0);
        queries[i] = (struct cql_query){
            .prepared = prepared,
            .statement =
                prepared ? (struct pb_bytes){prepared_id, sizeof prepared_id} : text_of(query_text),
            .values = build_values(shape, env, &request->size_bytes),
            .n_values = count_values(shape),
        };
        if (queries[i].values == NULL) {
            return PAIRBENCH_FAILED;
        }
        request->size_bytes += 1 + 4 + queries[i].statement.size + 2;
    }
    request->batch.queries = queries;
    request->batch.n_queries = shape->n_queries;
    return PAIRBENCH_OK;
}

static struct cql_params build_params(const struct cql_shape *shape,
                                      const struct cql_request *request)
{
    struct cql_params params = {
        .consistency = CONSISTENCY_ONE,
        .values = request->values,
        .n_values = request->n_values,
        .has_values = true,
        .timestamp = request->batch.timestamp,
    };
    if (shape->many_options) {
        params.page_size = 5000;
        params.paging = text_of(paging_state);
        params.serial_consistency = CONSISTENCY_SERIAL;
        params.keyspace = text_of(keyspace);
    }
    return params;
}

int cql_shape_build(const struct cql_shape *shape, struct pb_env *env, struct cql_request *request)
{
    *request = (struct cql_request){
        .protocol = cql_protocol_find(shape->version),
        .size_bytes = REST_BYTES,
        .n_values = count_values(shape),
        .unprepared = shape->statements == CQL_UNPREPARED,
        .batch = {.consistency = CONSISTENCY_ONE,
                  .timestamp = {.us = TIMESTAMP_US, .present = !shape->no_timestamp}},
    };
    if (request->protocol == NULL) {
        return pb_fail(env, "there is no CQL protocol version %d", shape->version);
    }
    if (shape->n_queries == 0) {
        request->values = build_values(shape, env, &request->size_bytes);
        if (request->values == NULL) {
            return PAIRBENCH_FAILED;
        }
    } else if (build_queries(shape, env, request) != PAIRBENCH_OK) {
        return PAIRBENCH_FAILED;
    }
    request->query.text = text_of(query_text);
    request->execute.id = (struct pb_bytes){prepared_id, sizeof prepared_id};
    request->execute.metadata_id = text_of(metadata_id);
    request->query.params = request->execute.params = build_params(shape, request);
    return PAIRBENCH_OK;
}
