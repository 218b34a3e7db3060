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

/* What a chunk has around it, at most: its size in hex, and twice CR LF. */
#define CHUNK_FRAME_BYTES ((size_t)24)

static size_t append(unsigned char *body, size_t size, const void *data, size_t n)
{
    memcpy(body + size, data, n);
    return size + n;
}

static bool make_chunked(struct decode_shared *shared)
{
    const struct pb_bytes message = shared->message;
    const size_t n_chunks = message.size / DECODE_CHUNK_BYTES + 2;
    unsigned char *body = malloc(message.size + n_chunks * CHUNK_FRAME_BYTES);
    if (body == NULL) {
        return false;
    }
    size_t size = 0;
    for (size_t at = 0; at < message.size; at += DECODE_CHUNK_BYTES) {
        const size_t left = message.size - at;
        const size_t n = left < DECODE_CHUNK_BYTES ? left : DECODE_CHUNK_BYTES;
        char line[CHUNK_FRAME_BYTES];
        const int length = snprintf(line, sizeof line, "%zx\r\n", n);
        size = append(body, size, line, (size_t)length);
        size = append(body, size, (const unsigned char *)message.data + at, n);
        size = append(body, size, "\r\n", 2);
    }
    size = append(body, size, "0\r\n\r\n", 5);
    shared->owned_body = body;
    shared->body = (struct pb_bytes){body, size};
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
    } else {
        made->owned_message = reply_shape_make(input->shape, &made->message.size);
        made->message.data = made->owned_message;
    }
    if (made->message.data == NULL) {
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
