/* SPDX-License-Identifier: Apache-2.0
 *
 * Replies in the shapes that live servers send, made from a seed: what the scenarios of
 * thrift/decode_reply run on when there are no golden bytes for them.
 */
#ifndef CASES_THRIFT_REPLY_SHAPES_H
#define CASES_THRIFT_REPLY_SHAPES_H

#include <stddef.h>

enum reply_shape {
    REPLY_GOLDEN,       /* the golden bytes of the scenario, not made here                      */
    REPLY_SELECT_1,     /* ExecuteStatement: one row as an Arrow batch                          */
    REPLY_TABLES_60K,   /* GetTables: 60,000 rows of 10 strings, about 14 MB                    */
    REPLY_ARROW_20MIB,  /* FetchResults: 100,000 rows in 5 Arrow batches of 4 MiB               */
    REPLY_ARROW_100MIB, /* the same in 25                                                       */
};

/* The Arrow batches of random bytes have this size; that of one row is smaller. */
#define REPLY_BATCH_BYTES ((size_t)4 << 20)

/*
 * Makes the reply, a whole message.
 * shape:   not REPLY_GOLDEN
 * size:    receives its length, bytes
 * returns: the message, to be freed; NULL when there is no memory
 */
void *reply_shape_make(enum reply_shape shape, size_t *size);

#endif
