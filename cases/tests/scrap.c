/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of allocations.
 */
#include "scrap.h"

#include <stdlib.h>

struct scrap_piece {
    struct scrap_piece *next;
    void *data;
};

void *scrap_alloc(struct scrap *scrap, size_t size)
{
    struct scrap_piece *piece = malloc(sizeof *piece);
    void *data = calloc(1, size > 0 ? size : 1);
    if (piece == NULL || data == NULL) {
        abort();
    }
    *piece = (struct scrap_piece){.next = scrap->pieces, .data = data};
    scrap->pieces = piece;
    return data;
}

void scrap_release(struct scrap *scrap)
{
    while (scrap->pieces != NULL) {
        struct scrap_piece *piece = scrap->pieces;
        scrap->pieces = piece->next;
        free(piece->data);
        free(piece);
    }
}
