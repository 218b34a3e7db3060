/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of thrift/decode_reply.
 */
#include "thrift/decode_reply.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes/big_endian.h"
#include "thrift/tcli.h"

/* A chunk's size in hex, and three times CR LF, the last of them of the chunk itself. */
#define CHUNK_FRAME_BYTES ((size_t)24)

static bool make_chunked(struct decode_shared *shared)
{
    const struct pb_bytes message = shared->message;
    const size_t n_chunks = message.size / DECODE_CHUNK_BYTES + 2;
    char *body = malloc(message.size + n_chunks * CHUNK_FRAME_BYTES);
    if (body == NULL) {
        return false;
    }
    size_t size = 0;
    for (size_t at = 0; at < message.size; at += DECODE_CHUNK_BYTES) {
        const size_t left = message.size - at;
        const size_t n = left < DECODE_CHUNK_BYTES ? left : DECODE_CHUNK_BYTES;
        size += (size_t)snprintf(body + size, CHUNK_FRAME_BYTES, "%zx\r\n", n);
        memcpy(body + size, (const char *)message.data + at, n);
        memcpy(body + size + n, "\r\n", 2);
        size += n + 2;
    }
    memcpy(body + size, "0\r\n\r\n", 5);
    shared->owned_body = body;
    shared->body = (struct pb_bytes){body, size + 5};
    return true;
}

/* The description of the result, by the method's name in the message's header. */
static const struct thrift_struct *find_result(struct pb_bytes message)
{
    const unsigned char *at = message.data;
    const struct pb_bytes name = {at + 8, load_be32(at + 4)};
    const struct tcli_method *method = tcli_find_method(name);
    return method != NULL ? method->result : NULL;
}

int decode_setup(struct pb_env *env, const struct pb_scenario *scenario, void **shared)
{
    const struct decode_input *input = scenario->input;
    struct decode_shared *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return pb_fail(env, "out of memory");
    }
    if (input->shape == REPLY_GOLDEN) {
        made->message = scenario->golden;
    } else if (reply_shape_make(input->shape, &made->message)) {
        made->owned_message = (void *)(uintptr_t)made->message.data;
    } else {
        decode_teardown(made);
        return pb_fail(env, "out of memory for the reply");
    }
    made->body = made->message;
    made->result = find_result(made->message);
    if (input->chunked && !make_chunked(made)) {
        decode_teardown(made);
        return pb_fail(env, "out of memory for the body");
    }
    if (input->live) {
        made->answer = (struct http_answer){.status = 200, .body = made->message};
        made->server = http_server_start(&made->answer, 1);
        if (made->server == NULL) {
            const int error = errno;
            decode_teardown(made);
            return pb_fail(env, "no server on the loopback interface: %s", strerror(error));
        }
    }
    *shared = made;
    return PAIRBENCH_OK;
}

void decode_teardown(void *shared)
{
    struct decode_shared *made = shared;
    if (made != NULL) {
        http_server_stop(made->server);
        free(made->owned_message);
        free(made->owned_body);
        free(made);
    }
}

bool decode_place(struct pb_env *env, struct pb_bytes bytes, struct pb_bytes *placed)
{
    *placed = bytes;
    if (bytes.size <= DECODE_PLACED_BYTES) {
        void *copy = pb_alloc(env, bytes.size, 64);
        if (copy == NULL) {
            return false;
        }
        placed->data = memcpy(copy, bytes.data, bytes.size);
    }
    return true;
}
