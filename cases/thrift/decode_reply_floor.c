/* SPDX-License-Identifier: Apache-2.0
 *
 * The least work of thrift/decode_reply: the body copied once into a warm buffer, without its
 * framing, and a hop there from field to field, over what heads and lengths say.
 *
 * Nothing is checked and nothing is kept: what stands where is known from setup. Whatever a decoder
 * needs beyond this is its own.
 */
#include "thrift/decode_reply.h"

#include "bytes/big_endian.h"
#include "bytes/bulk_copy.h"

struct decode_floor {
    struct pb_bytes message;
    struct pb_bytes body;
    bool chunked;
    struct reply_memory memory;
    unsigned char *warm;
    const unsigned char *end; /* where the last hop ended                                       */
};

/* Copies the pieces of a chunked body, all but the last of which have DECODE_CHUNK_BYTES. */
static void copy_chunks(unsigned char *to, size_t size, const unsigned char *body)
{
    while (size > 0) {
        const size_t n = size < DECODE_CHUNK_BYTES ? size : DECODE_CHUNK_BYTES;
        while (*body++ != '\n') {
        }
        bulk_copy(to, body, n);
        to += n;
        body += n + 2;
        size -= n;
    }
}

static const unsigned char *hop(const unsigned char *at, unsigned type);

static const unsigned char *hop_string(const unsigned char *at)
{
    return at + 4 + load_be32(at);
}

static const unsigned char *hop_struct(const unsigned char *at)
{
    while (*at != THRIFT_STOP) {
        at = hop(at + 3, *at);
    }
    return at + 1;
}

static const unsigned char *hop_items(const unsigned char *at, unsigned type, uint32_t count)
{
    switch (type) {
    case THRIFT_BOOL:
    case THRIFT_BYTE:
        return at + count;
    case THRIFT_I16:
        return at + 2 * (size_t)count;
    case THRIFT_I32:
        return at + 4 * (size_t)count;
    case THRIFT_I64:
    case THRIFT_DOUBLE:
        return at + 8 * (size_t)count;
    case THRIFT_STRING:
        for (; count > 0; --count) {
            at = hop_string(at);
        }
        return at;
    case THRIFT_STRUCT:
        for (; count > 0; --count) {
            at = hop_struct(at);
        }
        return at;
    default:
        for (; count > 0; --count) {
            at = hop(at, type);
        }
        return at;
    }
}

static const unsigned char *hop_map(const unsigned char *at)
{
    const unsigned key_type = at[0];
    const unsigned type = at[1];
    uint32_t count = load_be32(at + 2);
    at += 6;
    for (; count > 0; --count) {
        at = hop(hop(at, key_type), type);
    }
    return at;
}

static const unsigned char *hop(const unsigned char *at, unsigned type)
{
    switch (type) {
    case THRIFT_BOOL:
    case THRIFT_BYTE:
        return at + 1;
    case THRIFT_I16:
        return at + 2;
    case THRIFT_I32:
        return at + 4;
    case THRIFT_I64:
    case THRIFT_DOUBLE:
        return at + 8;
    case THRIFT_STRING:
        return hop_string(at);
    case THRIFT_STRUCT:
        return hop_struct(at);
    case THRIFT_MAP:
        return hop_map(at);
    default: /* a list or a set */
        return hop_items(at + 5, at[0], load_be32(at + 1));
    }
}

int decode_floor_open(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **state)
{
    const struct decode_input *input = scenario->input;
    if (input->live) {
        return pb_skip(env, "there is no floor for a live connection");
    }
    struct decode_floor *floor = pb_alloc(env, sizeof *floor, _Alignof(struct decode_floor));
    if (floor == NULL) {
        return PAIRBENCH_FAILED;
    }
    *floor = (struct decode_floor){.message = ((const struct decode_shared *)shared)->message,
                                   .chunked = input->chunked};
    reply_memory_init(&floor->memory);
    if (!decode_place(env, ((const struct decode_shared *)shared)->body, &floor->body)) {
        return PAIRBENCH_FAILED;
    }
    /* From where the decoders take theirs, so that it lies like theirs. */
    struct reply_chunk *chunk = reply_memory_chunk(&floor->memory, floor->message.size);
    if (chunk == NULL) {
        return pb_fail(env, "out of memory");
    }
    floor->warm = chunk->data;
    *state = floor;
    return PAIRBENCH_OK;
}

int decode_floor_run(void *state, uint64_t n)
{
    struct decode_floor *floor = state;
    for (uint64_t i = 0; i < n; ++i) {
        if (floor->chunked) {
            copy_chunks(floor->warm, floor->message.size, floor->body.data);
        } else {
            bulk_copy(floor->warm, floor->body.data, floor->message.size);
        }
        const size_t header = 12 + load_be32(floor->warm + 4);
        floor->end = hop_struct(floor->warm + header);
    }
    return floor->end == floor->warm + floor->message.size ? PAIRBENCH_OK : PAIRBENCH_FAILED;
}

void decode_floor_close(void *state)
{
    struct decode_floor *floor = state;
    reply_memory_drop(&floor->memory);
}
