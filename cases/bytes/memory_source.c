/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory as a source.
 */
#include "bytes/memory_source.h"

#include "bytes/bulk_copy.h"

static ptrdiff_t memory_read(struct source *source, void *to, size_t size)
{
    struct memory_source *memory = (struct memory_source *)source;
    const size_t n = size < memory->left ? size : memory->left;
    if (n > 0) {
        bulk_copy(to, memory->next, n);
        memory->next += n;
        memory->left -= n;
    }
    return (ptrdiff_t)n;
}

void memory_source_init(struct memory_source *memory, struct pb_bytes bytes)
{
    *memory = (struct memory_source){
        .source = {.read = memory_read},
        .next = bytes.data,
        .left = bytes.size,
    };
}
