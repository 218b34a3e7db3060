/* SPDX-License-Identifier: Apache-2.0
 *
 * What the CQL encoders take: the requests of the Cassandra native protocol as C structs, and the
 * codes that say why one can't be encoded.
 *
 * Numbers are wider here than on the wire, so that a caller's mistake can be expressed and is
 * refused where the field is written, as the Python drivers do it. Old and new encoders take the
 * same structs; nothing in them is modified or kept.
 *
 * Depends on libc, pairbench.h and bytes/.
 * source: Cassandra native protocol v3, v4 and v5; behaviour where the drivers leave the
 *         specification as seen in cassandra-driver 3.25.0 and the Scylla fork of it
 */
#ifndef CASES_CQL_CQL_H
#define CASES_CQL_CQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cql/cql_protocol.h"
#include "pairbench.h"

#define CQL_MUST_USE __attribute__((warn_unused_result))

/* Why a request could not be encoded. */
enum cql_code {
    CQL_OK = 0,
    CQL_RANGE,       /* a number or a length does not fit its field                             */
    CQL_UNSUPPORTED, /* this protocol version has no such field                                 */
    CQL_TYPE,        /* something that is not bytes where bytes are wanted                      */
    CQL_DIMENSION,   /* a vector of another dimension than its type says                        */
    CQL_OVERFLOW,    /* a finite number that no float32 comes near                              */
    CQL_SINK,        /* the sink failed; its `error` says how                                   */
    CQL_FULL,        /* never leaves an encoder: the room at hand is too small                  */
};

/*
 * returns: a phrase without a full stop; never NULL
 */
const char *cql_code_text(enum cql_code code);

/* Passes a failure on to the caller. */
#define CQL_TRY(expression)                                                                        \
    do {                                                                                           \
        const enum cql_code code_ = (expression);                                                  \
        if (__builtin_expect(code_ != CQL_OK, 0)) {                                                \
            return code_;                                                                          \
        }                                                                                          \
    } while (0)

enum cql_kind {
    CQL_BYTES = 0, /* data and size                                                             */
    CQL_TEXT,      /* text where bytes are wanted: data and size are its UTF-8                  */
    CQL_NUMBER,    /* a bare number where bytes are wanted                                      */
    CQL_NULL,
    CQL_UNSET, /* the statement's earlier value is kept                                         */
};

/* A bound value. data and size are 0 where the kind has none. */
struct cql_value {
    const void *data;
    size_t size;
    enum cql_kind kind;
};

/* `absent` for an optional string is data NULL; "" is present and has size 0. */
static inline bool cql_is_present(struct pb_bytes string)
{
    return string.data != NULL;
}

/* Stands for a consistency that was not given where one is needed. */
#define CQL_NO_CONSISTENCY INT64_MIN

struct cql_timestamp {
    __int128 us; /* on the wire 0 … 2^64 − 1                                                    */
    bool present;
};

/* One statement of a batch. */
struct cql_query {
    struct pb_bytes statement; /* the id of a prepared statement, else the query's text         */
    const struct cql_value *values;
    size_t n_values;
    bool prepared;
};

struct cql_batch {
    int64_t type; /* 0 logged, 1 unlogged, 2 counter                                            */
    const struct cql_query *queries;
    size_t n_queries;
    int64_t consistency;
    int64_t serial_consistency; /* 0: absent                                                    */
    struct cql_timestamp timestamp;
    struct pb_bytes keyspace;
};

/* Continuous paging, DSE only. */
struct cql_paging {
    int64_t max_pages;
    int64_t max_pages_per_second;
    int64_t max_queue_size; /* written where the version has it                                 */
};

/* The parameters that QUERY and EXECUTE share. */
struct cql_params {
    int64_t consistency;
    const struct cql_value *values;
    size_t n_values;
    bool has_values;            /* false: no list at all, which is not an empty list             */
    bool skip_metadata;         /* sent by EXECUTE where it was negotiated                       */
    int64_t page_size;          /* 0: absent                                                     */
    struct pb_bytes paging;     /* paging state; empty: absent                                   */
    int64_t serial_consistency; /* 0: absent                                                    */
    struct cql_timestamp timestamp;
    struct pb_bytes keyspace;
    const struct cql_paging *continuous; /* NULL: absent                                        */
};

struct cql_query_message {
    struct pb_bytes text;
    struct cql_params params;
};

struct cql_execute_message {
    struct pb_bytes id;
    struct pb_bytes metadata_id; /* result_metadata_id                                          */
    int64_t tablet_version;      /* the trailing byte, where it was negotiated                  */
    struct cql_params params;
};

#endif
