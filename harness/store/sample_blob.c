/* SPDX-License-Identifier: Apache-2.0
 *
 * Little endian whatever the machine is, so that a database can be carried to another one.
 */
#include "store/sample_blob.h"

#include <string.h>

enum { WORD_BYTES = 4, HEAD_BYTES = 2 * WORD_BYTES };

_Static_assert(sizeof(float) == WORD_BYTES, "a sample is an IEEE 754 binary32");

static void add_word(struct pb_strbuf *blob, uint32_t word)
{
    const unsigned char bytes[WORD_BYTES] = {
        (unsigned char)word,
        (unsigned char)(word >> 8),
        (unsigned char)(word >> 16),
        (unsigned char)(word >> 24),
    };
    pb_strbuf_add(blob, bytes, sizeof bytes);
}

static uint32_t take_word(struct pb_sample_cursor *cursor)
{
    const unsigned char *b = cursor->at;
    cursor->at += WORD_BYTES;
    cursor->left -= WORD_BYTES;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

void pb_sample_blob_add(struct pb_strbuf *blob, struct pb_sample_piece piece)
{
    add_word(blob, piece.position);
    add_word(blob, piece.n);
    for (uint32_t i = 0; i < piece.n; i++) {
        uint32_t word;
        memcpy(&word, &piece.ns[i], sizeof word);
        add_word(blob, word);
    }
}

bool pb_sample_blob_next(struct pb_sample_cursor *cursor, struct pb_arena *arena,
                         struct pb_sample_piece *piece)
{
    if (cursor->left < HEAD_BYTES) {
        return false;
    }
    const uint32_t position = take_word(cursor);
    const uint32_t n = take_word(cursor);
    if (n > cursor->left / WORD_BYTES) {
        cursor->left += HEAD_BYTES; /* so that an empty rest is not taken for the end */
        return false;
    }
    float *ns = pb_arena_array(arena, n, sizeof *ns);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t word = take_word(cursor);
        memcpy(&ns[i], &word, sizeof word);
    }
    *piece = (struct pb_sample_piece){.position = position, .n = n, .ns = ns};
    return true;
}
