/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames, written field by field: they are not what is compared here.
 */
#include "cql/cql_frame.h"

#include "cql/fields.h"
#include "cql/write_value.h"

#define FRAME_TRACING 0x02u
#define FRAME_PAYLOAD 0x04u
#define FRAME_BETA    0x10u

/* Bytes of the payload, which the header counts with the body. */
static size_t measure_payload(const struct cql_frame *frame)
{
    size_t size = frame->n_payload > 0 ? 2 : 0;
    for (size_t i = 0; i < frame->n_payload; ++i) {
        size += 2 + frame->payload[i].key.size + 4 + frame->payload[i].value.size;
    }
    return size;
}

static enum cql_code write_header(const struct cql_frame *frame,
                                  const struct cql_protocol *protocol, size_t size,
                                  struct sink *sink)
{
    if (frame->stream < INT16_MIN || frame->stream > INT16_MAX || size > INT32_MAX) {
        return CQL_RANGE;
    }
    CQL_TRY(write_byte(sink, protocol->version));
    CQL_TRY(write_byte(sink, (frame->tracing ? FRAME_TRACING : 0) |
                                 (frame->n_payload > 0 ? FRAME_PAYLOAD : 0) |
                                 (frame->beta ? FRAME_BETA : 0)));
    CQL_TRY(write_short(sink, (uint16_t)frame->stream));
    CQL_TRY(write_byte(sink, frame->opcode));
    return write_int(sink, (int64_t)size);
}

enum cql_code cql_frame_write(const struct cql_frame *frame, const struct cql_protocol *protocol,
                              struct pb_bytes body, struct sink *sink)
{
    if (frame->n_payload > 0 && !protocol->custom_payload) {
        return CQL_UNSUPPORTED;
    }
    CQL_TRY(write_header(frame, protocol, measure_payload(frame) + body.size, sink));
    if (frame->n_payload > 0) {
        CQL_TRY(write_short(sink, (int64_t)frame->n_payload));
    }
    for (size_t i = 0; i < frame->n_payload; ++i) {
        CQL_TRY(write_string(sink, frame->payload[i].key));
        CQL_TRY(cql_write_value_old(&frame->payload[i].value, sink));
    }
    return write_raw(sink, body.data, body.size);
}
