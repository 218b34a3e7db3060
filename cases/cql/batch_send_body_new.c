/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a batch put together in the sink's memory and written once.
 */
#include "cql/batch_send_body.h"

#include "cql/cql_flags.h"
#include "cql/put_value.h"

/*
 * Kind, statement and number of values, after one look at all three.
 * length_bytes: of the statement's length; constant, so that each kind gets code of its own
 */
CQL_INLINE enum cql_code put_head(struct window *out, const struct cql_query *query,
                                  size_t length_bytes)
{
    const size_t size = query->statement.size;
    if (size > (length_bytes == 2 ? UINT16_MAX : INT32_MAX) || query->n_values > UINT16_MAX) {
        return CQL_RANGE;
    }
    if (window_room(out) < 1 + length_bytes + size + 2) {
        return CQL_FULL;
    }
    unsigned char *next = out->next;
    *next = length_bytes == 2;
    store_length(next + 1, size, length_bytes);
    short_copy(next + 1 + length_bytes, query->statement.data, size);
    store_be16(next + 1 + length_bytes + size, (uint16_t)query->n_values);
    out->next = next + 1 + length_bytes + size + 2;
    return CQL_OK;
}

CQL_INLINE enum cql_code put_query(struct window *out, const struct cql_query *query)
{
    if (query->prepared) {
        CQL_TRY(put_head(out, query, 2));
    } else {
        CQL_TRY(put_head(out, query, 4));
    }
    return put_values(out, query->values, query->n_values, true);
}

CQL_INLINE enum cql_code put_footer(struct window *out, const struct cql_batch *batch,
                                    const struct cql_protocol *protocol)
{
    CQL_TRY(put_short(out, batch->consistency));
    uint32_t flags;
    CQL_TRY(cql_batch_flags(batch, protocol, &flags));
    CQL_TRY(put_flags(out, protocol, flags));
    if (batch->serial_consistency != 0) {
        CQL_TRY(put_short(out, batch->serial_consistency));
    }
    if (batch->timestamp.present) {
        CQL_TRY(put_long(out, batch->timestamp.us));
    }
    if (protocol->keyspace && cql_is_present(batch->keyspace)) {
        CQL_TRY(put_string(out, batch->keyspace));
    }
    return CQL_OK;
}

static enum cql_code put_batch(struct window *shared, const struct cql_batch *batch,
                               const struct cql_protocol *protocol)
{
    struct window out = *shared;
    CQL_TRY(put_byte(&out, batch->type));
    CQL_TRY(put_short(&out, (int64_t)batch->n_queries));
    for (size_t i = 0; i < batch->n_queries; ++i) {
        CQL_TRY(put_query(&out, &batch->queries[i]));
    }
    CQL_TRY(put_footer(&out, batch, protocol));
    *shared = out;
    return CQL_OK;
}

/* At least what the batch takes; the footer is counted at its longest. */
static size_t measure_batch(const struct cql_batch *batch)
{
    size_t size = 1 + 2 + 2 + 4 + 2 + 8 + 2 + measure_string(batch->keyspace, UINT16_MAX);
    for (size_t i = 0; batch->n_queries <= UINT16_MAX && i < batch->n_queries; ++i) {
        const struct cql_query *query = &batch->queries[i];
        size += 1 + 4 + measure_string(query->statement, query->prepared ? UINT16_MAX : INT32_MAX) +
                measure_values(query->values, query->n_values);
    }
    return size;
}

enum cql_code cql_batch_send_body_new(const struct cql_batch *batch,
                                      const struct cql_protocol *protocol, struct sink *sink)
{
    struct window out = window_open(sink);
    enum cql_code code = put_batch(&out, batch, protocol);
    if (code == CQL_FULL) {
        CQL_TRY(window_widen(sink, measure_batch(batch)));
        out = window_open(sink);
        code = put_batch(&out, batch, protocol);
    }
    return code == CQL_OK ? window_commit(&out, sink) : code;
}
