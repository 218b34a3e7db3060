/* SPDX-License-Identifier: Apache-2.0
 *
 * Growable memory as a sink. The capacity doubles, so that n bytes written in any number of pieces
 * cost at most about n bytes copied by growing.
 */
#include "bytes/memory_sink.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The first heap block: most requests of a driver fit, and it is one small allocation. */
#define FIRST_BLOCK_BYTES ((size_t)512)

static size_t next_capacity(size_t capacity, size_t needed)
{
    size_t next = capacity < FIRST_BLOCK_BYTES ? FIRST_BLOCK_BYTES : capacity;
    while (next < needed) {
        next *= 2;
    }
    return next < SINK_LIMIT_BYTES ? next : SINK_LIMIT_BYTES;
}

static int memory_grow(struct sink *sink, size_t size)
{
    struct memory_sink *memory = (struct memory_sink *)sink;
    const size_t used = memory->capacity - sink->room;
    if (size > SINK_LIMIT_BYTES - used) {
        return sink->error = EFBIG;
    }
    const size_t capacity = next_capacity(memory->capacity, used + size);
    unsigned char *data = realloc(memory->owned ? memory->data : NULL, capacity);
    if (data == NULL) {
        return sink->error = ENOMEM;
    }
    if (!memory->owned && used > 0) {
        memcpy(data, memory->data, used);
    }
    memory->data = data;
    memory->capacity = capacity;
    memory->owned = true;
    sink->next = data + used;
    sink->room = capacity - used;
    return 0;
}

static int memory_write(struct sink *sink, const void *data, size_t size)
{
    if (size > sink->room) {
        const int error = memory_grow(sink, size);
        if (error != 0) {
            return error;
        }
    }
    if (size > 0) {
        memcpy(sink->next, data, size);
        sink->next += size;
        sink->room -= size;
    }
    return 0;
}

static int memory_commit(struct sink *sink, size_t size)
{
    assert(size <= sink->room);
    sink->next += size;
    sink->room -= size;
    return 0;
}

void memory_sink_init(struct memory_sink *memory, void *storage, size_t capacity)
{
    assert(capacity <= SINK_LIMIT_BYTES);
    *memory = (struct memory_sink){
        .sink = {.next = storage,
                 .room = capacity,
                 .write = memory_write,
                 .grow = memory_grow,
                 .commit = memory_commit},
        .data = storage,
        .capacity = capacity,
    };
}

void memory_sink_release(struct memory_sink *memory)
{
    if (memory->owned) {
        free(memory->data);
    }
    *memory = (struct memory_sink){.data = NULL};
}
