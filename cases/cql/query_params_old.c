/* SPDX-License-Identifier: Apache-2.0
 *
 * QUERY and EXECUTE as the Python drivers write them: every field by itself.
 */
#include "cql/query_params.h"

#include "cql/query_fields.h"
#include "cql/write_value.h"

static enum cql_code write_params(struct sink *sink, const struct cql_params *params,
                                  const struct cql_protocol *protocol)
{
    CQL_TRY(write_params_head(sink, params, protocol));
    if (params->has_values) {
        CQL_TRY(write_short(sink, (int64_t)params->n_values));
        for (size_t i = 0; i < params->n_values; ++i) {
            CQL_TRY(cql_write_value_old(&params->values[i], sink));
        }
    }
    return write_params_tail(sink, params, protocol);
}

enum cql_code cql_query_send_body_old(const struct cql_query_message *message,
                                      const struct cql_protocol *protocol, struct sink *sink)
{
    CQL_TRY(write_longstring(sink, message->text));
    return write_params(sink, &message->params, protocol);
}

enum cql_code cql_execute_send_body_old(const struct cql_execute_message *message,
                                        const struct cql_protocol *protocol, struct sink *sink)
{
    CQL_TRY(write_ids(sink, message, protocol));
    CQL_TRY(write_params(sink, &message->params, protocol));
    return protocol->tablet_byte ? write_byte(sink, message->tablet_version) : CQL_OK;
}
