/* SPDX-License-Identifier: Apache-2.0
 *
 * The two transports.
 */
#include "thrift/thrift_transport.h"

#include <assert.h>
#include <string.h>

/* Fields from this size on are large: they don't share a chunk that is too short for them. */
#define LARGE_FIELD_BYTES ((size_t)64 << 10)

/* What a length that nothing has confirmed may allocate at once; beyond it, memory follows data. */
#define TRUSTED_BYTES ((size_t)32 << 20)

/* How far ahead to read where a large field may follow, and by how much that grows else. */
#define SHORT_LOOK_AHEAD_BYTES ((size_t)16 << 10)
#define LOOK_AHEAD_GROWTH      16

enum { NOT_STOPPED = 1 };

void thrift_transport_init(struct thrift_transport *transport, enum transport_kind kind,
                           struct source *body, struct reply_memory *memory)
{
    *transport = (struct thrift_transport){
        .kind = kind,
        .body = body,
        .memory = memory,
        .look_ahead = TRANSPORT_CHUNK_BYTES,
        .stopped = NOT_STOPPED,
    };
}

static enum thrift_code code_of_end(int end)
{
    switch (end) {
    case SOURCE_MALFORMED:
        return THRIFT_BAD_BODY;
    case SOURCE_FAILED:
        return THRIFT_SOURCE_FAILED;
    default:
        return THRIFT_TRUNCATED;
    }
}

enum thrift_code thrift_transport_end(const struct thrift_transport *transport)
{
    return code_of_end(transport->stopped);
}

/* Reads at least `need` and at most `most` bytes to `to`; fewer only when the body stops. */
static size_t read_some(struct thrift_transport *transport, unsigned char *to, size_t need,
                        size_t most)
{
    size_t got = 0;
    while (got < need && transport->stopped == NOT_STOPPED) {
        const ptrdiff_t n = source_read(transport->body, to + got, most - got);
        if (n > 0) {
            got += (size_t)n;
        } else {
            transport->stopped = (int)n;
        }
    }
    return got;
}

/* Adds at least `need` bytes to the window, if the body has them; its chunk has room for them. */
static void extend_window(struct thrift_transport *transport, size_t need, size_t look_ahead)
{
    unsigned char *to = transport->limit - (transport->limit - transport->end);
    const size_t room = (size_t)(transport->limit - to);
    const size_t wish = need > look_ahead ? need : look_ahead;
    to += read_some(transport, to, need, wish < room ? wish : room);
    memset(to, 0, REPLY_PAD_BYTES);
    transport->end = to;
    if (transport->look_ahead < TRANSPORT_CHUNK_BYTES) {
        transport->look_ahead *= LOOK_AHEAD_GROWTH;
    }
}

/* Makes the window the beginning of another chunk; what is in it moves there. */
static enum thrift_code open_chunk(struct thrift_transport *transport)
{
    struct reply_chunk *chunk = reply_memory_chunk(transport->memory, TRANSPORT_CHUNK_BYTES);
    if (chunk == NULL) {
        return THRIFT_NO_MEMORY;
    }
    const size_t held = (size_t)(transport->end - transport->next);
    if (held > 0) {
        memcpy(chunk->data, transport->next, held);
        transport->n_moved += held;
    }
    transport->next = chunk->data;
    transport->end = chunk->data + held;
    transport->limit = chunk->data + chunk->size;
    return THRIFT_OK;
}

enum thrift_code thrift_transport_window(struct thrift_transport *transport, size_t need)
{
    assert(transport->kind == TRANSPORT_BUFFERED && need <= TRANSPORT_WINDOW_BYTES);
    const size_t held = (size_t)(transport->end - transport->next);
    if (held >= need || transport->stopped != NOT_STOPPED) {
        return THRIFT_OK;
    }
    if ((size_t)(transport->limit - transport->next) < TRANSPORT_WINDOW_BYTES) {
        const enum thrift_code code = open_chunk(transport);
        if (code != THRIFT_OK) {
            return code;
        }
    }
    extend_window(transport, need - held, transport->look_ahead);
    return THRIFT_OK;
}

/*
 * Reads a field into a buffer of its own.
 * head: the first n_head bytes of it, which were read already
 */
static enum thrift_code read_alone(struct thrift_transport *transport, const unsigned char *head,
                                   size_t n_head, size_t size, const void **data)
{
    size_t capacity = size < TRUSTED_BYTES ? size : TRUSTED_BYTES;
    struct reply_chunk *chunk = reply_memory_chunk(transport->memory, capacity);
    if (chunk == NULL) {
        return THRIFT_NO_MEMORY;
    }
    if (n_head > 0) {
        memcpy(chunk->data, head, n_head);
        transport->n_moved += n_head;
    }
    size_t held = n_head;
    for (;;) {
        const size_t part = capacity - held;
        held += read_some(transport, chunk->data + held, part, part);
        if (held < capacity) {
            return thrift_transport_end(transport);
        }
        if (held == size) {
            *data = chunk->data;
            return THRIFT_OK;
        }
        capacity = capacity < size / 2 ? 2 * capacity : size;
        chunk = reply_memory_grow(transport->memory, chunk, capacity);
        if (chunk == NULL) {
            return THRIFT_NO_MEMORY;
        }
    }
}

void thrift_transport_expect_large(struct thrift_transport *transport)
{
    transport->look_ahead = SHORT_LOOK_AHEAD_BYTES;
}

/* A field that the window doesn't hold. */
static enum thrift_code buffered_field(struct thrift_transport *transport, size_t size,
                                       const void **data)
{
    const size_t held = (size_t)(transport->end - transport->next);
    enum thrift_code code = THRIFT_OK;
    if ((size_t)(transport->limit - transport->next) < size) {
        if (size >= LARGE_FIELD_BYTES) {
            /* What the window held goes to the field; its place is free for what follows. */
            code = read_alone(transport, transport->next, held, size, data);
            transport->end = transport->next;
            ++transport->n_own;
            thrift_transport_expect_large(transport);
            return code;
        }
        code = open_chunk(transport);
    }
    if (code == THRIFT_OK) {
        extend_window(transport, size - held, transport->look_ahead);
        if ((size_t)(transport->end - transport->next) < size) {
            return thrift_transport_end(transport);
        }
        *data = transport->next;
        transport->next += size;
    }
    return code;
}

enum thrift_code thrift_transport_read(struct thrift_transport *transport, void *to, size_t size)
{
    unsigned char *at = to;
    if (size == 0) {
        return THRIFT_OK;
    }
    ++transport->n_reads;
    if (transport->kind == TRANSPORT_PLAIN) {
        return read_some(transport, at, size, size) == size ? THRIFT_OK
                                                            : thrift_transport_end(transport);
    }
    while (size > 0) {
        const size_t held = (size_t)(transport->end - transport->next);
        if (held == 0) {
            const enum thrift_code code = thrift_transport_window(transport, 1);
            if (code != THRIFT_OK || transport->next == transport->end) {
                return code != THRIFT_OK ? code : thrift_transport_end(transport);
            }
            continue;
        }
        const size_t n = size < held ? size : held;
        memcpy(at, transport->next, n);
        transport->next += n;
        at += n;
        size -= n;
    }
    return THRIFT_OK;
}

enum thrift_code thrift_transport_field(struct thrift_transport *transport, size_t size,
                                        const void **data)
{
    if (transport->kind == TRANSPORT_BUFFERED) {
        if ((size_t)(transport->end - transport->next) >= size) {
            *data = transport->next;
            transport->next += size;
            return THRIFT_OK;
        }
        return buffered_field(transport, size, data);
    }
    if (size == 0) {
        *data = "";
        return THRIFT_OK;
    }
    ++transport->n_reads;
    if (size >= LARGE_FIELD_BYTES) {
        return read_alone(transport, NULL, 0, size, data);
    }
    unsigned char *at = reply_alloc(transport->memory, size);
    if (at == NULL) {
        return THRIFT_NO_MEMORY;
    }
    *data = at;
    return read_some(transport, at, size, size) == size ? THRIFT_OK
                                                        : thrift_transport_end(transport);
}

/* The window gives up what it holds, and its place is filled again. */
static enum thrift_code skip_buffered(struct thrift_transport *transport, size_t size)
{
    for (;;) {
        const size_t held = (size_t)(transport->end - transport->next);
        if (held >= size) {
            transport->next += size;
            return THRIFT_OK;
        }
        size -= held;
        transport->end = transport->next;
        const enum thrift_code code = thrift_transport_window(transport, 1);
        if (code != THRIFT_OK) {
            return code;
        }
        if (transport->next == transport->end) {
            return thrift_transport_end(transport);
        }
    }
}

enum thrift_code thrift_transport_skip(struct thrift_transport *transport, size_t size)
{
    if (transport->kind == TRANSPORT_BUFFERED) {
        return skip_buffered(transport, size);
    }
    unsigned char scratch[4096];
    transport->n_reads += size > 0;
    while (size > 0) {
        const size_t part = size < sizeof scratch ? size : sizeof scratch;
        if (read_some(transport, scratch, part, part) < part) {
            return thrift_transport_end(transport);
        }
        size -= part;
    }
    return THRIFT_OK;
}
