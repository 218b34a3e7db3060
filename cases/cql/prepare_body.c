/* SPDX-License-Identifier: Apache-2.0
 *
 * PREPARE as the Python drivers write it.
 */
#include "cql/prepare_body.h"

#include "cql/cql_flags.h"
#include "cql/fields.h"

enum cql_code cql_prepare_send_body(const struct cql_prepare_message *message,
                                    const struct cql_protocol *protocol, struct sink *sink)
{
    const bool keyspace = message->keyspace.size > 0;
    CQL_TRY(write_longstring(sink, message->text));
    if (!protocol->keyspace) {
        return keyspace ? CQL_UNSUPPORTED : CQL_OK;
    }
    CQL_TRY(write_flags(sink, protocol, keyspace ? CQL_PREPARE_KEYSPACE : 0));
    return keyspace ? write_string(sink, message->keyspace) : CQL_OK;
}
