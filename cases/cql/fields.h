/* SPDX-License-Identifier: Apache-2.0
 *
 * The fields of the protocol, each checked, packed and handed to the sink with one write; a string
 * is two. This is how the old encoders write everything, and how the new ones write what lies
 * outside the block that they build in place.
 *
 * A source that defines CQL_FIELDS_IN_PLACE before it includes this gets the same writes of the
 * same bytes, but each field is put straight into the sink's memory and committed: that is new's
 * way, and saves the sink a copy of a size that it can't know.
 *
 * A field that does not fit is CQL_RANGE and writes nothing; a sink that fails is CQL_SINK.
 */
#ifndef CASES_CQL_FIELDS_H
#define CASES_CQL_FIELDS_H

#include "bytes/big_endian.h"
#include "bytes/short_copy.h"
#include "bytes/sink.h"
#include "cql/cql.h"

#ifdef CQL_FIELDS_IN_PLACE
CQL_MUST_USE static inline enum cql_code write_raw(struct sink *sink, const void *data, size_t size)
{
    if (size > sink->room && sink_reserve(sink, size) == NULL) {
        return CQL_SINK;
    }
    short_copy(sink->next, data, size);
    return sink_commit(sink, size) == 0 ? CQL_OK : CQL_SINK;
}
#else
CQL_MUST_USE static inline enum cql_code write_raw(struct sink *sink, const void *data, size_t size)
{
    return sink_write(sink, data, size) == 0 ? CQL_OK : CQL_SINK;
}
#endif

CQL_MUST_USE static inline enum cql_code write_byte(struct sink *sink, int64_t value)
{
    if (value < 0 || value > UINT8_MAX) {
        return CQL_RANGE;
    }
    const uint8_t packed = (uint8_t)value;
    return write_raw(sink, &packed, sizeof packed);
}

/* Counts, string lengths and consistencies. */
CQL_MUST_USE static inline enum cql_code write_short(struct sink *sink, int64_t value)
{
    if (value < 0 || value > UINT16_MAX) {
        return CQL_RANGE;
    }
    uint8_t packed[2];
    store_be16(packed, (uint16_t)value);
    return write_raw(sink, packed, sizeof packed);
}

CQL_MUST_USE static inline enum cql_code write_int(struct sink *sink, int64_t value)
{
    if (value < INT32_MIN || value > INT32_MAX) {
        return CQL_RANGE;
    }
    uint8_t packed[4];
    store_be32(packed, (uint32_t)value);
    return write_raw(sink, packed, sizeof packed);
}

/* Signed in the specification; the drivers pack it unsigned, and so refuse what is negative. */
CQL_MUST_USE static inline enum cql_code write_long(struct sink *sink, __int128 value)
{
    if (value < 0 || value > UINT64_MAX) {
        return CQL_RANGE;
    }
    uint8_t packed[8];
    store_be64(packed, (uint64_t)value);
    return write_raw(sink, packed, sizeof packed);
}

CQL_MUST_USE static inline enum cql_code
write_flags(struct sink *sink, const struct cql_protocol *protocol, uint32_t flags)
{
    if (!protocol->int_flags) {
        return write_byte(sink, flags);
    }
    uint8_t packed[4];
    store_be32(packed, flags);
    return write_raw(sink, packed, sizeof packed);
}

CQL_MUST_USE static inline enum cql_code write_string(struct sink *sink, struct pb_bytes string)
{
    CQL_TRY(write_short(sink, (int64_t)string.size));
    return write_raw(sink, string.data, string.size);
}

CQL_MUST_USE static inline enum cql_code write_longstring(struct sink *sink, struct pb_bytes string)
{
    if (string.size > INT32_MAX) {
        return CQL_RANGE;
    }
    CQL_TRY(write_int(sink, (int64_t)string.size));
    return write_raw(sink, string.data, string.size);
}

#endif
