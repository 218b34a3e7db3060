/* SPDX-License-Identifier: Apache-2.0
 *
 * Chunks in two queues. Replies of one shape ask for the same sizes in the same order, so that the
 * first idle chunk nearly always fits. A reply of another shape finds no fit: then idle memory is
 * given back before more is taken, so that old and new reply together stay small.
 */
#include "thrift/reply_memory.h"

#include <assert.h>
#include <stdlib.h>

/* Chunks for small values double from the first size to the last. */
#define FIRST_BLOCK_BYTES ((size_t)16 << 10)
#define LAST_BLOCK_BYTES  ((size_t)1 << 20)

/* Values at least this large get a chunk of their own, so that they waste none. */
#define OWN_CHUNK_BYTES ((size_t)64 << 10)

static void queue_init(struct reply_queue *queue)
{
    queue->first = NULL;
    queue->last = &queue->first;
    queue->n_bytes = 0;
}

static void queue_push(struct reply_queue *queue, struct reply_chunk *chunk)
{
    chunk->next = NULL;
    *queue->last = chunk;
    queue->last = &chunk->next;
    queue->n_bytes += chunk->size;
}

/* Takes out the chunk that hangs on *link. */
static struct reply_chunk *queue_take(struct reply_queue *queue, struct reply_chunk **link)
{
    struct reply_chunk *chunk = *link;
    *link = chunk->next;
    if (*link == NULL) {
        queue->last = link;
    }
    queue->n_bytes -= chunk->size;
    return chunk;
}

/* Frees from the front until at most this much is left. */
static void queue_trim(struct reply_queue *queue, size_t most_bytes)
{
    while (queue->first != NULL && queue->n_bytes > most_bytes) {
        free(queue_take(queue, &queue->first));
    }
}

static void note_peak(struct reply_memory *memory)
{
    const size_t held = memory->used.n_bytes + memory->idle.n_bytes;
    memory->peak_bytes = held > memory->peak_bytes ? held : memory->peak_bytes;
}

void reply_memory_init(struct reply_memory *memory)
{
    *memory = (struct reply_memory){.block_bytes = FIRST_BLOCK_BYTES};
    queue_init(&memory->used);
    queue_init(&memory->idle);
}

void reply_memory_begin(struct reply_memory *memory)
{
    struct reply_queue *used = &memory->used;
    if (used->first != NULL) {
        /* What served last time goes first: it is warm, and in the order of a reply. */
        *used->last = memory->idle.first;
        if (memory->idle.first == NULL) {
            memory->idle.last = used->last;
        }
        memory->idle.first = used->first;
        memory->idle.n_bytes += used->n_bytes;
        queue_init(used);
    }
    memory->next = NULL;
    memory->room = 0;
    memory->block_bytes = FIRST_BLOCK_BYTES;
}

void reply_memory_trim(struct reply_memory *memory)
{
    queue_trim(&memory->idle, REPLY_IDLE_BYTES);
}

void reply_memory_drop(struct reply_memory *memory)
{
    reply_memory_begin(memory);
    queue_trim(&memory->idle, 0);
}

/* A chunk that is a little too large is good; a much larger one would be held for nothing. */
static struct reply_chunk *take_idle(struct reply_memory *memory, size_t size)
{
    const size_t most = size + size / 8 + 4096;
    for (struct reply_chunk **link = &memory->idle.first; *link != NULL; link = &(*link)->next) {
        if ((*link)->size >= size && (*link)->size <= most) {
            return queue_take(&memory->idle, link);
        }
    }
    return NULL;
}

struct reply_chunk *reply_memory_chunk(struct reply_memory *memory, size_t size)
{
    struct reply_chunk *chunk = take_idle(memory, size);
    if (chunk == NULL) {
        reply_memory_trim(memory);
        chunk = malloc(sizeof *chunk + size + REPLY_PAD_BYTES);
        if (chunk == NULL) {
            return NULL;
        }
        chunk->size = size;
        ++memory->n_allocations;
    }
    queue_push(&memory->used, chunk);
    note_peak(memory);
    return chunk;
}

struct reply_chunk *reply_memory_grow(struct reply_memory *memory, struct reply_chunk *chunk,
                                      size_t size)
{
    struct reply_queue *used = &memory->used;
    struct reply_chunk **link = &used->first;
    while (*link != chunk) {
        link = &(*link)->next;
    }
    assert(used->last == &chunk->next && size >= chunk->size);
    struct reply_chunk *grown = realloc(chunk, sizeof *chunk + size + REPLY_PAD_BYTES);
    if (grown == NULL) {
        return NULL;
    }
    ++memory->n_allocations;
    used->n_bytes += size - grown->size;
    grown->size = size;
    *link = grown;
    used->last = &grown->next;
    note_peak(memory);
    return grown;
}

void *reply_memory_more(struct reply_memory *memory, size_t size)
{
    if (size >= OWN_CHUNK_BYTES) {
        struct reply_chunk *own = reply_memory_chunk(memory, size);
        return own != NULL ? own->data : NULL;
    }
    size_t block = memory->block_bytes;
    while (block < size) {
        block *= 2;
    }
    struct reply_chunk *chunk = reply_memory_chunk(memory, block);
    if (chunk == NULL) {
        return NULL;
    }
    memory->block_bytes = block < LAST_BLOCK_BYTES ? 2 * block : block;
    memory->next = chunk->data + size;
    memory->room = chunk->size - size;
    return chunk->data;
}
