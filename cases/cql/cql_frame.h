/* SPDX-License-Identifier: Apache-2.0
 *
 * A frame: header, custom payload and body. Frames of v5 are not cut into segments here; that is
 * the connection's work.
 */
#ifndef CASES_CQL_CQL_FRAME_H
#define CASES_CQL_CQL_FRAME_H

#include "bytes/sink.h"
#include "cql/cql.h"

enum cql_opcode {
    CQL_OPCODE_QUERY = 0x07,
    CQL_OPCODE_PREPARE = 0x09,
    CQL_OPCODE_EXECUTE = 0x0a,
    CQL_OPCODE_BATCH = 0x0d,
};

/* One entry of a custom payload. */
struct cql_payload {
    struct pb_bytes key;
    struct cql_value value;
};

struct cql_frame {
    enum cql_opcode opcode;
    int64_t stream; /* -32,768 … 32,767; a request of one's own has none below 0                */
    bool tracing;
    bool beta;                         /* the sender knows that the version is not final        */
    const struct cql_payload *payload; /* NULL with 0: none                                     */
    size_t n_payload;
};

/*
 * Writes a frame around a body that is already encoded.
 * body:   borrowed
 * errors: CQL_RANGE: a stream that is no int16, a frame of more than 2^31 − 1 bytes, a key or a
 *         count beyond 65,535; CQL_UNSUPPORTED: a custom payload where the version has none;
 *         CQL_TYPE: a payload value that is no bytes; CQL_SINK. What was written is then no frame.
 */
CQL_MUST_USE enum cql_code cql_frame_write(const struct cql_frame *frame,
                                           const struct cql_protocol *protocol,
                                           struct pb_bytes body, struct sink *sink);

#endif
