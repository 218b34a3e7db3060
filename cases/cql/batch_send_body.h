/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a BATCH request.
 */
#ifndef CASES_CQL_BATCH_SEND_BODY_H
#define CASES_CQL_BATCH_SEND_BODY_H

#include "bytes/sink.h"
#include "cql/cql.h"

/*
 * Writes the body of a batch.
 * errors: CQL_RANGE: more than 65,535 queries or values of one query, an id or keyspace of more
 *         than 65,535 bytes, a text or value of more than 2^31 − 1, a type that is no byte, a
 *         consistency that is missing or no short, a negative timestamp or one of 2^64 and more;
 *         CQL_UNSUPPORTED: a keyspace where the version has none; CQL_TYPE: text (old only) or a
 *         number as a value; CQL_SINK
 * Old makes a write of every field and has written all that comes before what it refuses. New
 * makes exactly one write, or none on an error, and takes text as its UTF-8.
 */
CQL_MUST_USE enum cql_code cql_batch_send_body_old(const struct cql_batch *batch,
                                                   const struct cql_protocol *protocol,
                                                   struct sink *sink);
CQL_MUST_USE enum cql_code cql_batch_send_body_new(const struct cql_batch *batch,
                                                   const struct cql_protocol *protocol,
                                                   struct sink *sink);

#endif
