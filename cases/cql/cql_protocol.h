/* SPDX-License-Identifier: Apache-2.0
 *
 * What a protocol version has and has not. Encoders ask this table and never compare versions.
 */
#ifndef CASES_CQL_CQL_PROTOCOL_H
#define CASES_CQL_CQL_PROTOCOL_H

#include <stdbool.h>

#define CQL_DSE_V1 0x41
#define CQL_DSE_V2 0x42

struct cql_protocol {
    int version;
    bool int_flags;         /* flags are four bytes, not one                                    */
    bool keyspace;          /* a request may name its keyspace; PREPARE has flags               */
    bool metadata_id;       /* EXECUTE carries the id of the result's metadata                  */
    bool continuous_paging; /* and its first two numbers                                        */
    bool queue_size;        /* its third number                                                 */
    bool custom_payload;    /* a frame may carry one                                            */

    /* Extensions of Scylla, negotiated at start-up: none in the table, set in a copy of a row.  */
    bool empty_metadata_id; /* a missing metadata id is written as an empty one, not refused    */
    bool skip_metadata;     /* EXECUTE may ask for rows without metadata                        */
    bool tablet_byte;       /* EXECUTE ends with the version of the tablet map                  */
};

/*
 * version: 3, 4, 5, 6, CQL_DSE_V1 or CQL_DSE_V2
 * returns: its row, constant; NULL for any other version
 */
const struct cql_protocol *cql_protocol_find(int version);

#endif
