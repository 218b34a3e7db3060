/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of a batch as the Python drivers write it: every field by itself.
 */
#include "cql/batch_send_body.h"

#include "cql/cql_flags.h"
#include "cql/fields.h"
#include "cql/write_value.h"

static enum cql_code write_query(struct sink *sink, const struct cql_query *query)
{
    CQL_TRY(write_byte(sink, query->prepared));
    if (query->prepared) {
        CQL_TRY(write_string(sink, query->statement));
    } else {
        CQL_TRY(write_longstring(sink, query->statement));
    }
    CQL_TRY(write_short(sink, (int64_t)query->n_values));
    for (size_t i = 0; i < query->n_values; ++i) {
        CQL_TRY(cql_write_value_old(&query->values[i], sink));
    }
    return CQL_OK;
}

static enum cql_code write_footer(struct sink *sink, const struct cql_batch *batch,
                                  const struct cql_protocol *protocol)
{
    CQL_TRY(write_short(sink, batch->consistency));
    uint32_t flags;
    CQL_TRY(cql_batch_flags(batch, protocol, &flags));
    CQL_TRY(write_flags(sink, protocol, flags));
    if (batch->serial_consistency != 0) {
        CQL_TRY(write_short(sink, batch->serial_consistency));
    }
    if (batch->timestamp.present) {
        CQL_TRY(write_long(sink, batch->timestamp.us));
    }
    if (protocol->keyspace && cql_is_present(batch->keyspace)) {
        CQL_TRY(write_string(sink, batch->keyspace));
    }
    return CQL_OK;
}

enum cql_code cql_batch_send_body_old(const struct cql_batch *batch,
                                      const struct cql_protocol *protocol, struct sink *sink)
{
    CQL_TRY(write_byte(sink, batch->type));
    CQL_TRY(write_short(sink, (int64_t)batch->n_queries));
    for (size_t i = 0; i < batch->n_queries; ++i) {
        CQL_TRY(write_query(sink, &batch->queries[i]));
    }
    return write_footer(sink, batch, protocol);
}
