/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of the CQL cases, described: a scenario's request in a few numbers.
 *
 * A shape is built into memory that the harness places: the statements, each value's bytes apart
 * from the others, as a driver's caller has them. The same shape always gives the same request.
 */
#ifndef CASES_CQL_CQL_SHAPE_H
#define CASES_CQL_CQL_SHAPE_H

#include "cql/cql.h"
#include "pairbench.h"

enum cql_statements {
    CQL_PREPARED,
    CQL_UNPREPARED,
    CQL_ALTERNATING, /* prepared first                                                          */
};

/* count equal values; their bytes are the pattern over and over, at first byte 0 of it. */
struct cql_run {
    uint32_t count;
    uint32_t size_bytes;
    unsigned char pattern[4];
    enum cql_kind kind;
};

#define CQL_MAX_RUNS 4

struct cql_shape {
    int version;
    enum cql_statements statements;
    uint32_t n_queries;                /* of a batch                                            */
    struct cql_run runs[CQL_MAX_RUNS]; /* the values of each query; ends at count 0             */
    bool no_timestamp;                 /* else the timestamp is one of 2009                     */
    bool many_options;                 /* serial consistency, page size and state, keyspace     */
};

/* A shape as the encoders want it. */
struct cql_request {
    const struct cql_protocol *protocol;
    const struct cql_value *values; /* the values of one query                                  */
    size_t n_values;
    bool unprepared; /* a QUERY rather than an EXECUTE                                           */
    struct cql_batch batch;
    struct cql_query_message query;
    struct cql_execute_message execute;
    size_t size_bytes; /* no encoding of any of them is larger                                  */
};

/*
 * Builds a request.
 * env:     all memory comes from pb_alloc() and lives as long as that
 * returns: PAIRBENCH_OK or, with the reason recorded, PAIRBENCH_FAILED
 */
int cql_shape_build(const struct cql_shape *shape, struct pb_env *env, struct cql_request *request);

#endif
