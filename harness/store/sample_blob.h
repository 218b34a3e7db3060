/* SPDX-License-Identifier: Apache-2.0
 *
 * The raw samples of one launch as bytes: layout 1 of table `samples`, described in schema.sql.
 */
#ifndef PB_STORE_SAMPLE_BLOB_H
#define PB_STORE_SAMPLE_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/strbuf.h"

enum { PB_SAMPLE_BLOB_LAYOUT = 1 };

/* What one benchmark measured in the launch. */
struct pb_sample_piece {
    uint32_t position; /* of the benchmark in its run         */
    uint32_t n;        /* samples                             */
    const float *ns;   /* wall-clock time per operation       */
};

/* Appends a piece. */
void pb_sample_blob_add(struct pb_strbuf *blob, struct pb_sample_piece piece);

/* A place in a blob that is being read. */
struct pb_sample_cursor {
    const unsigned char *at;
    size_t left; /* bytes */
};

/*
 * Reads the next piece, its samples copied into the arena.
 * returns: false at the end, and where the rest is no piece: cursor->left is then not 0
 */
bool pb_sample_blob_next(struct pb_sample_cursor *cursor, struct pb_arena *arena,
                         struct pb_sample_piece *piece);

#endif
