/* SPDX-License-Identifier: Apache-2.0
 *
 * What QUERY and EXECUTE have before and after the block of values: the same for old and new,
 * since the change that they measure left it alone.
 */
#ifndef CASES_CQL_QUERY_FIELDS_H
#define CASES_CQL_QUERY_FIELDS_H

#include "cql/cql_flags.h"
#include "cql/fields.h"

/* Consistency and flags. */
CQL_MUST_USE static inline enum cql_code write_params_head(struct sink *sink,
                                                           const struct cql_params *params,
                                                           const struct cql_protocol *protocol)
{
    CQL_TRY(write_short(sink, params->consistency));
    uint32_t flags;
    CQL_TRY(cql_params_flags(params, protocol, &flags));
    return write_flags(sink, protocol, flags);
}

CQL_MUST_USE static inline enum cql_code write_continuous(struct sink *sink,
                                                          const struct cql_paging *paging,
                                                          const struct cql_protocol *protocol)
{
    CQL_TRY(write_int(sink, paging->max_pages));
    CQL_TRY(write_int(sink, paging->max_pages_per_second));
    return protocol->queue_size ? write_int(sink, paging->max_queue_size) : CQL_OK;
}

/* All that follows the values. */
CQL_MUST_USE static inline enum cql_code write_params_tail(struct sink *sink,
                                                           const struct cql_params *params,
                                                           const struct cql_protocol *protocol)
{
    if (params->page_size != 0) {
        CQL_TRY(write_int(sink, params->page_size));
    }
    if (params->paging.size > 0) {
        CQL_TRY(write_longstring(sink, params->paging));
    }
    if (params->serial_consistency != 0) {
        CQL_TRY(write_short(sink, params->serial_consistency));
    }
    if (params->timestamp.present) {
        CQL_TRY(write_long(sink, params->timestamp.us));
    }
    if (cql_is_present(params->keyspace)) {
        CQL_TRY(write_string(sink, params->keyspace));
    }
    return params->continuous != NULL ? write_continuous(sink, params->continuous, protocol)
                                      : CQL_OK;
}

/* The ids that EXECUTE begins with. */
CQL_MUST_USE static inline enum cql_code write_ids(struct sink *sink,
                                                   const struct cql_execute_message *message,
                                                   const struct cql_protocol *protocol)
{
    CQL_TRY(write_string(sink, message->id));
    if (!protocol->metadata_id) {
        return CQL_OK;
    }
    if (!cql_is_present(message->metadata_id) && !protocol->empty_metadata_id) {
        return CQL_TYPE;
    }
    return write_string(sink, message->metadata_id);
}

#endif
