/* SPDX-License-Identifier: Apache-2.0
 *
 * The least work that encoding needs: each string and each value copied once, with its length,
 * into memory that is warm. No check, no kinds, no other fields; one write.
 */
#ifndef CASES_CQL_FLOOR_H
#define CASES_CQL_FLOOR_H

#include "bytes/big_endian.h"
#include "bytes/short_copy.h"
#include "bytes/sink.h"
#include "cql/cql_shape.h"

static inline unsigned char *floor_string(unsigned char *next, struct pb_bytes string)
{
    store_be32(next, (uint32_t)string.size);
    short_copy(next + 4, string.data, string.size);
    return next + 4 + string.size;
}

static inline unsigned char *floor_values(unsigned char *next, const struct cql_value *values,
                                          size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        next = floor_string(next, (struct pb_bytes){values[i].data, values[i].size});
    }
    return next;
}

static inline enum cql_code floor_commit(const unsigned char *next, struct sink *sink)
{
    return sink_commit(sink, (size_t)(next - sink->next)) == 0 ? CQL_OK : CQL_SINK;
}

#endif
