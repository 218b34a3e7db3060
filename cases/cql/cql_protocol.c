/* SPDX-License-Identifier: Apache-2.0
 *
 * The protocol versions, one row each.
 */
#include "cql/cql_protocol.h"

#include <stddef.h>

static const struct cql_protocol protocols[] = {
    {.version = 3},
    {.version = 4, .custom_payload = true},
    {.version = 5,
     .custom_payload = true,
     .int_flags = true,
     .keyspace = true,
     .metadata_id = true},
    {.version = 6,
     .custom_payload = true,
     .int_flags = true,
     .keyspace = true,
     .metadata_id = true},
    {.version = CQL_DSE_V1, .custom_payload = true, .int_flags = true, .continuous_paging = true},
    {.version = CQL_DSE_V2,
     .custom_payload = true,
     .int_flags = true,
     .keyspace = true,
     .metadata_id = true,
     .continuous_paging = true,
     .queue_size = true},
};

const struct cql_protocol *cql_protocol_find(int version)
{
    for (size_t i = 0; i < sizeof protocols / sizeof protocols[0]; ++i) {
        if (protocols[i].version == version) {
            return &protocols[i];
        }
    }
    return NULL;
}
