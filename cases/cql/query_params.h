/* SPDX-License-Identifier: Apache-2.0
 *
 * The bodies of QUERY and EXECUTE, which share their parameters.
 */
#ifndef CASES_CQL_QUERY_PARAMS_H
#define CASES_CQL_QUERY_PARAMS_H

#include "bytes/sink.h"
#include "cql/cql.h"

/*
 * Writes the body of a request.
 * errors: CQL_RANGE: a text or value of more than 2^31 − 1 bytes, an id or keyspace of more than
 *         65,535, more than 65,535 values, a number that does not fit its field; CQL_UNSUPPORTED:
 *         a keyspace (even an empty one) or continuous paging where the version has none;
 *         CQL_TYPE: text or a number as a value, or no metadata id where the version needs one;
 *         CQL_SINK
 * Old makes a write of every field and has written all that comes before what it refuses. New
 * writes the block of values, its count included, once, and only when nothing after it will be
 * refused; an error leaves at most what comes before the block.
 */
CQL_MUST_USE enum cql_code cql_query_send_body_old(const struct cql_query_message *message,
                                                   const struct cql_protocol *protocol,
                                                   struct sink *sink);
CQL_MUST_USE enum cql_code cql_query_send_body_new(const struct cql_query_message *message,
                                                   const struct cql_protocol *protocol,
                                                   struct sink *sink);
CQL_MUST_USE enum cql_code cql_execute_send_body_old(const struct cql_execute_message *message,
                                                     const struct cql_protocol *protocol,
                                                     struct sink *sink);
CQL_MUST_USE enum cql_code cql_execute_send_body_new(const struct cql_execute_message *message,
                                                     const struct cql_protocol *protocol,
                                                     struct sink *sink);

#endif
