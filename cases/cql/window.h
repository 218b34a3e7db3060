/* SPDX-License-Identifier: Apache-2.0
 *
 * Encoding in place: the fields of the protocol put into a sink's own memory, to be committed with
 * one write.
 *
 * A window opens on all the room that a sink has at hand, so that a message is encoded in one pass
 * without being measured before. When it turns out too small (CQL_FULL) the encoder measures its
 * message, asks the sink for that much and starts over; nothing was written yet.
 *
 * The rule to know: a field either is put whole or leaves the window as it was. Everything here is
 * inlined, so that a window in a local variable lives in registers.
 */
#ifndef CASES_CQL_WINDOW_H
#define CASES_CQL_WINDOW_H

#include "bytes/big_endian.h"
#include "bytes/short_copy.h"
#include "bytes/sink.h"
#include "cql/cql.h"

struct window {
    unsigned char *next;
    unsigned char *end;
    unsigned char *easy_end; /* before it there is room for a length and TINY_COPY_BYTES; or NULL */
};

#define EASY_BYTES ((size_t)(4 + TINY_COPY_BYTES))

#define CQL_INLINE CQL_MUST_USE static inline __attribute__((always_inline))

/* All the room that is at hand; to be opened again after the sink was used otherwise. */
CQL_INLINE struct window window_open(const struct sink *sink)
{
    /* A sink that has no memory yet has no room either: not even 0 may be added to NULL. */
    return (struct window){
        .next = sink->next,
        .end = sink->room > 0 ? sink->next + sink->room : sink->next,
        .easy_end = sink->room < EASY_BYTES ? NULL : sink->next + (sink->room - EASY_BYTES) + 1,
    };
}

CQL_INLINE size_t window_room(const struct window *out)
{
    return (size_t)(out->end - out->next);
}

/* Makes the sink offer at least this much. */
CQL_INLINE enum cql_code window_widen(struct sink *sink, size_t size)
{
    return sink_reserve(sink, size) != NULL ? CQL_OK : CQL_SINK;
}

/* All that was put since window_open(), as one write. */
CQL_INLINE enum cql_code window_commit(const struct window *out, struct sink *sink)
{
    return sink_commit(sink, (size_t)(out->next - sink->next)) == 0 ? CQL_OK : CQL_SINK;
}

CQL_INLINE enum cql_code put_byte(struct window *out, int64_t value)
{
    if (value < 0 || value > UINT8_MAX) {
        return CQL_RANGE;
    }
    if (window_room(out) < 1) {
        return CQL_FULL;
    }
    *out->next++ = (unsigned char)value;
    return CQL_OK;
}

CQL_INLINE enum cql_code put_short(struct window *out, int64_t value)
{
    if (value < 0 || value > UINT16_MAX) {
        return CQL_RANGE;
    }
    if (window_room(out) < 2) {
        return CQL_FULL;
    }
    store_be16(out->next, (uint16_t)value);
    out->next += 2;
    return CQL_OK;
}

CQL_INLINE enum cql_code put_long(struct window *out, __int128 value)
{
    if (value < 0 || value > UINT64_MAX) {
        return CQL_RANGE;
    }
    if (window_room(out) < 8) {
        return CQL_FULL;
    }
    store_be64(out->next, (uint64_t)value);
    out->next += 8;
    return CQL_OK;
}

CQL_INLINE enum cql_code put_flags(struct window *out, const struct cql_protocol *protocol,
                                   uint32_t flags)
{
    if (!protocol->int_flags) {
        return put_byte(out, flags);
    }
    if (window_room(out) < 4) {
        return CQL_FULL;
    }
    store_be32(out->next, flags);
    out->next += 4;
    return CQL_OK;
}

static inline void store_length(unsigned char *to, size_t length, size_t length_bytes)
{
    if (length_bytes == 2) {
        store_be16(to, (uint16_t)length);
    } else {
        store_be32(to, (uint32_t)length);
    }
}

/* Strings that are neither tiny nor far from the end of the room. */
CQL_INLINE enum cql_code put_any_sized(struct window *out, struct pb_bytes string,
                                       size_t length_bytes)
{
    if (string.size > (length_bytes == 2 ? UINT16_MAX : INT32_MAX)) {
        return CQL_RANGE;
    }
    if (window_room(out) < length_bytes + string.size) {
        return CQL_FULL;
    }
    store_length(out->next, string.size, length_bytes);
    short_copy(out->next + length_bytes, string.data, string.size);
    out->next += length_bytes + string.size;
    return CQL_OK;
}

/*
 * A string's bytes behind a length of length_bytes, 2 or 4. Most strings are tiny and far from the
 * end of the room; for them neither their length nor the room needs a closer look.
 */
CQL_INLINE enum cql_code put_sized(struct window *out, struct pb_bytes string, size_t length_bytes)
{
    if (__builtin_expect(string.size > TINY_COPY_BYTES || out->next >= out->easy_end, 0)) {
        return put_any_sized(out, string, length_bytes);
    }
    store_length(out->next, string.size, length_bytes);
    tiny_copy(out->next + length_bytes, string.data, string.size);
    out->next += length_bytes + string.size;
    return CQL_OK;
}

CQL_INLINE enum cql_code put_string(struct window *out, struct pb_bytes string)
{
    return put_sized(out, string, 2);
}

CQL_INLINE enum cql_code put_longstring(struct window *out, struct pb_bytes string)
{
    return put_sized(out, string, 4);
}

#endif
