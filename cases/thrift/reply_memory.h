/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a decoded reply lives: chunks that a decoder keeps and uses again from reply to reply, as a
 * connection keeps its buffers. A fresh megabyte for each reply would cost more in page faults than
 * decoding it.
 *
 * A chunk is in use (the current reply points into it) or idle. Chunks of the last reply become
 * idle when the next one begins, and serve it in the order in which they served the last; what is
 * still idle at its end is given back but for REPLY_IDLE_BYTES. Small values are taken from the
 * same chunks, one behind the other.
 *
 * The rule to know: memory from here is valid until the next reply_memory_begin() or _drop().
 */
#ifndef CASES_THRIFT_REPLY_MEMORY_H
#define CASES_THRIFT_REPLY_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Idle chunks beyond this are freed, bytes in all. */
#define REPLY_IDLE_BYTES ((size_t)4 << 20)

/* What is asked for may be read this far beyond its end, and has room for zeros there. */
#define REPLY_PAD_BYTES ((size_t)16)

struct reply_chunk {
    struct reply_chunk *next;
    size_t size; /* of data, without the pad                                                    */
    char unused[96]; /* keeps the data of a large chunk a cache line ahead of where other large
                        blocks begin in their pages: memcpy is slower at less (see bulk_copy.h) */
    unsigned char data[];
};

struct reply_queue {
    struct reply_chunk *first;
    struct reply_chunk **last; /* where the next one is hung                                    */
    size_t n_bytes;
};

/* Zeroed and then given to reply_memory_init(). */
struct reply_memory {
    struct reply_queue used;
    struct reply_queue idle;
    unsigned char *next; /* for small values                                                    */
    size_t room;         /* bytes at next                                                       */
    size_t block_bytes;  /* size of the next chunk for small values                             */
    uint64_t n_allocations;
    size_t peak_bytes; /* that were ever held, in use and idle                                  */
};

void reply_memory_init(struct reply_memory *memory);

/* Makes all that was given out idle. */
void reply_memory_begin(struct reply_memory *memory);

/* Frees idle chunks beyond REPLY_IDLE_BYTES. */
void reply_memory_trim(struct reply_memory *memory);

/* Frees everything. */
void reply_memory_drop(struct reply_memory *memory);

/*
 * A chunk of at least size bytes, in use.
 * returns: uninitialised; NULL when there is no memory
 */
struct reply_chunk *reply_memory_chunk(struct reply_memory *memory, size_t size);

/*
 * Makes the chunk that was taken last larger, keeping what is in it; it may move.
 * returns: NULL when there is no memory; the chunk is then as it was
 */
struct reply_chunk *reply_memory_grow(struct reply_memory *memory, struct reply_chunk *chunk,
                                      size_t size);

/*
 * Room for values; use reply_alloc().
 */
void *reply_memory_more(struct reply_memory *memory, size_t size);

/*
 * returns: size uninitialised bytes, aligned for anything; NULL when there is no memory
 */
static inline void *reply_alloc(struct reply_memory *memory, size_t size)
{
    const size_t rounded = (size + 7) & ~(size_t)7;
    if (rounded > memory->room) {
        return reply_memory_more(memory, rounded);
    }
    void *at = memory->next;
    memory->next += rounded;
    memory->room -= rounded;
    return at;
}

#endif
