/* SPDX-License-Identifier: Apache-2.0
 *
 * thrift/decode_reply: from the body of an HTTP response to the reply as C structs.
 *
 * Old reads each primitive (a type, an id, a length, a payload) through the body layer, as a
 * scripting language's generated code reads from its HTTP library. New refills a window from the
 * body in large pieces and decodes from there. Both have the same body under them: its framing is
 * parsed, its length accounted for, its errors mapped, over an 8 KiB read buffer.
 *
 * Old is thrift_generic.c on the plain transport, new is thrift_fast.c on the buffered one. What
 * the sides of the case share is here.
 */
#ifndef CASES_THRIFT_DECODE_REPLY_H
#define CASES_THRIFT_DECODE_REPLY_H

#include "bytes/http_body.h"
#include "bytes/http_server.h"
#include "bytes/memory_sink.h"
#include "bytes/memory_source.h"
#include "thrift/reply_shapes.h"
#include "thrift/thrift_decode.h"

/* The chunks of a chunked body: what a servlet container flushes at a time. */
#define DECODE_CHUNK_BYTES ((size_t)32 << 10)

/* Inputs up to this size are copied to where the harness places them; larger ones stay put. */
#define DECODE_PLACED_BYTES ((size_t)1 << 20)

/* What a scenario's `input` points to. */
struct decode_input {
    enum reply_shape shape;
    bool chunked;
    bool live; /* over loopback HTTP, not from memory                                           */
};

/* What setup() builds: the message and, around it, the body. */
struct decode_shared {
    struct pb_bytes message;
    struct pb_bytes body;
    const struct thrift_struct *result; /* describes the message's struct                       */
    void *owned_message;                /* to be freed; NULL when it is golden                  */
    void *owned_body;                   /* to be freed; NULL when it is the message             */
    struct http_answer answer;          /* of the server, the message                           */
    struct http_server *server;         /* of a live scenario; NULL otherwise                   */
};

int decode_setup(struct pb_env *env, const struct pb_scenario *scenario, void **shared);
void decode_teardown(void *shared);

/* The variant that is the least work. */
int decode_floor_open(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **state);
int decode_floor_run(void *state, uint64_t n);
void decode_floor_close(void *state);

/*
 * The input where a round wants it: a copy in the arena, or the bytes themselves when they are
 * many. returns: false when the arena is used up
 */
bool decode_place(struct pb_env *env, struct pb_bytes bytes, struct pb_bytes *placed);

#endif
