/* SPDX-License-Identifier: Apache-2.0
 *
 * The flags of a request: which optional fields follow, and whether this version has them.
 *
 * Which fields count as present differs between requests and from what one would expect; the
 * drivers' rules are kept as they are. Old and new encoders share them.
 */
#ifndef CASES_CQL_CQL_FLAGS_H
#define CASES_CQL_CQL_FLAGS_H

#include "cql/cql.h"

#define CQL_FLAG_VALUES        0x01u
#define CQL_FLAG_SKIP_METADATA 0x02u
#define CQL_FLAG_PAGE_SIZE     0x04u
#define CQL_FLAG_PAGING_STATE  0x08u
#define CQL_FLAG_SERIAL        0x10u
#define CQL_FLAG_TIMESTAMP     0x20u
#define CQL_FLAG_KEYSPACE      0x80u
#define CQL_FLAG_CONTINUOUS    0x80000000u
#define CQL_PREPARE_KEYSPACE   0x01u

/*
 * Flags of a batch. An empty keyspace sets no flag and is refused by no version, though versions
 * with keyspaces go on to write it.
 * flags: written on success only
 * errors: CQL_UNSUPPORTED
 */
CQL_MUST_USE static inline enum cql_code
cql_batch_flags(const struct cql_batch *batch, const struct cql_protocol *protocol, uint32_t *flags)
{
    const bool keyspace = batch->keyspace.size > 0;
    if (keyspace && !protocol->keyspace) {
        return CQL_UNSUPPORTED;
    }
    *flags = (batch->serial_consistency != 0 ? CQL_FLAG_SERIAL : 0) |
             (batch->timestamp.present ? CQL_FLAG_TIMESTAMP : 0) |
             (keyspace ? CQL_FLAG_KEYSPACE : 0);
    return CQL_OK;
}

/*
 * Flags of the parameters of QUERY and EXECUTE. Here an empty keyspace is one.
 * flags: written on success only
 * errors: CQL_UNSUPPORTED
 */
CQL_MUST_USE static inline enum cql_code cql_params_flags(const struct cql_params *params,
                                                          const struct cql_protocol *protocol,
                                                          uint32_t *flags)
{
    const bool keyspace = cql_is_present(params->keyspace);
    if ((keyspace && !protocol->keyspace) ||
        (params->continuous != NULL && !protocol->continuous_paging)) {
        return CQL_UNSUPPORTED;
    }
    *flags = (params->has_values ? CQL_FLAG_VALUES : 0) |
             (params->skip_metadata && protocol->skip_metadata ? CQL_FLAG_SKIP_METADATA : 0) |
             (params->page_size != 0 ? CQL_FLAG_PAGE_SIZE : 0) |
             (params->paging.size > 0 ? CQL_FLAG_PAGING_STATE : 0) |
             (params->serial_consistency != 0 ? CQL_FLAG_SERIAL : 0) |
             (params->timestamp.present ? CQL_FLAG_TIMESTAMP : 0) |
             (keyspace ? CQL_FLAG_KEYSPACE : 0) |
             (params->continuous != NULL ? CQL_FLAG_CONTINUOUS : 0);
    return CQL_OK;
}

#endif
