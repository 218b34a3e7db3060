/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of PREPARE, which has no values and is written the same by old and new.
 */
#ifndef CASES_CQL_PREPARE_BODY_H
#define CASES_CQL_PREPARE_BODY_H

#include "bytes/sink.h"
#include "cql/cql.h"

struct cql_prepare_message {
    struct pb_bytes text;
    struct pb_bytes keyspace; /* empty: absent                                                  */
};

/*
 * Writes every field by itself.
 * errors: CQL_RANGE, CQL_SINK; CQL_UNSUPPORTED: a keyspace where the version has none, the text
 *         has been written by then
 */
CQL_MUST_USE enum cql_code cql_prepare_send_body(const struct cql_prepare_message *message,
                                                 const struct cql_protocol *protocol,
                                                 struct sink *sink);

#endif
