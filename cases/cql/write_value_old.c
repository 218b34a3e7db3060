/* SPDX-License-Identifier: Apache-2.0
 *
 * A value as the Python drivers write it: each part packed when it is needed and written by itself.
 */
#include "cql/fields.h"
#include "cql/write_value.h"

/* Characters of UTF-8 text: the bytes that do not continue one. */
static int64_t count_characters(const unsigned char *text, size_t size)
{
    int64_t n = 0;
    for (size_t i = 0; i < size; ++i) {
        n += (text[i] & 0xc0u) != 0x80u;
    }
    return n;
}

enum cql_code cql_write_value_old(const struct cql_value *value, struct sink *sink)
{
    switch (value->kind) {
    case CQL_NULL:
        return write_int(sink, -1);
    case CQL_UNSET:
        return write_int(sink, -2);
    case CQL_BYTES:
        return write_longstring(sink, (struct pb_bytes){value->data, value->size});
    case CQL_TEXT:
        CQL_TRY(write_int(sink, count_characters(value->data, value->size)));
        return CQL_TYPE;
    case CQL_NUMBER:
        break;
    }
    return CQL_TYPE;
}
