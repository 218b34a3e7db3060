/* SPDX-License-Identifier: Apache-2.0
 *
 * Values put into a window, for the new encoders.
 */
#ifndef CASES_CQL_PUT_VALUE_H
#define CASES_CQL_PUT_VALUE_H

#include "cql/window.h"

/* What stands for a value that has no bytes; the same four bytes every time. */
static const unsigned char cql_null_marker[4] = {0xff, 0xff, 0xff, 0xff};
static const unsigned char cql_unset_marker[4] = {0xff, 0xff, 0xff, 0xfe};

CQL_INLINE enum cql_code put_marker(struct window *out, const unsigned char marker[4])
{
    if (window_room(out) < 4) {
        return CQL_FULL;
    }
    memcpy(out->next, marker, 4);
    out->next += 4;
    return CQL_OK;
}

/*
 * text_too: text is taken as its UTF-8
 * errors:   CQL_RANGE, CQL_TYPE, CQL_FULL
 */
CQL_INLINE enum cql_code put_value(struct window *out, const struct cql_value *value, bool text_too)
{
    const enum cql_kind kind = value->kind;
    if (__builtin_expect(kind == CQL_BYTES || (text_too && kind == CQL_TEXT), 1)) {
        return put_longstring(out, (struct pb_bytes){value->data, value->size});
    }
    if (kind == CQL_NULL) {
        return put_marker(out, cql_null_marker);
    }
    return kind == CQL_UNSET ? put_marker(out, cql_unset_marker) : CQL_TYPE;
}

/* A count and that many values. */
CQL_INLINE enum cql_code put_values(struct window *out, const struct cql_value *values, size_t n,
                                    bool text_too)
{
    for (size_t i = 0; i < n; ++i) {
        CQL_TRY(put_value(out, &values[i], text_too));
    }
    return CQL_OK;
}

/* Bytes of a string; none of one that will be refused. */
static inline size_t measure_string(struct pb_bytes string, size_t limit)
{
    return string.size <= limit ? string.size : 0;
}

/* At least the bytes that a count and n values take; what will be refused is not looked at. */
static inline size_t measure_values(const struct cql_value *values, size_t n)
{
    size_t size = 2;
    for (size_t i = 0; n <= UINT16_MAX && i < n; ++i) {
        size += 4 + measure_string((struct pb_bytes){values[i].data, values[i].size}, INT32_MAX);
    }
    return size;
}

#endif
