/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the Thrift decoders: whatever the body is, the generic path on the plain transport and the
 * fast path on the buffered one give the same value or fail with the same code, however the body
 * is cut. What was decoded is then encoded by both encoders, to the same bytes.
 *
 * An input begins with three bytes that choose the struct, the framing and limits, and the size of
 * the reads.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes/http_body.h"
#include "bytes/memory_sink.h"
#include "bytes/memory_source.h"
#include "bytes/shaped_source.h"
#include "thrift/tcli.h"
#include "thrift/thrift_decode.h"
#include "thrift/thrift_encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    struct pb_bytes body;
    enum http_framing framing;
    struct thrift_limits limits;
    const struct thrift_struct *description;
    bool message;
};

/* One decoder and what it made. */
struct side {
    struct thrift_decoder decoder;
    struct thrift_reply reply;
    enum thrift_code code;
    size_t consumed;
};

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void side_run(struct side *side, const struct input *input, enum transport_kind kind,
                     bool generic_only, size_t piece)
{
    struct memory_source memory;
    struct shaped_source shaped;
    struct buffered_reader reader;
    struct http_body body;
    memory_source_init(&memory, input->body);
    shaped_source_init(&shaped, &memory.source,
                       &(struct source_shape){.sizes = &piece, .n_sizes = piece > 0 ? 1 : 0});
    buffered_reader_init(&reader, &shaped.source);
    http_body_init(&body, &reader, input->framing, input->body.size);
    side->decoder.limits = input->limits;
    side->decoder.generic_only = generic_only;
    side->reply = (struct thrift_reply){.description = input->description};
    side->code = input->message ? thrift_decode_message(&side->decoder, kind, &body.source,
                                                        input->description, &side->reply)
                                : thrift_decode_struct(&side->decoder, kind, &body.source,
                                                       input->description, &side->reply.value);
    side->consumed =
        (size_t)body.n_bytes - (size_t)(side->decoder.transport.end - side->decoder.transport.next);
}

static bool same_bytes(struct pb_bytes a, struct pb_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static void compare(const struct side *a, const struct side *b, bool message)
{
    require(a->code == b->code);
    if (a->code != THRIFT_OK) {
        return;
    }
    require(a->consumed == b->consumed);
    require(a->reply.description == b->reply.description);
    require(thrift_equal(a->reply.description, a->reply.value, b->reply.value));
    require(!message || (same_bytes(a->reply.message.name, b->reply.message.name) &&
                         a->reply.message.type == b->reply.message.type &&
                         a->reply.message.sequence == b->reply.message.sequence));
}

static void encode_again(const struct side *side, bool message)
{
    const struct thrift_reply *reply = &side->reply;
    const struct thrift_message *header = message ? &reply->message : NULL;
    struct memory_sink old;
    struct memory_sink new;
    void *again;
    if (side->code != THRIFT_OK) {
        return;
    }
    memory_sink_init(&old, NULL, 0);
    memory_sink_init(&new, NULL, 0);
    require(thrift_encode_old(&old.sink, NULL, reply->description, reply->value) == THRIFT_OK);
    require(thrift_encode_new(&new.sink, NULL, reply->description, reply->value) == THRIFT_OK);
    require(same_bytes(memory_sink_bytes(&old), memory_sink_bytes(&new)));

    struct thrift_decoder decoder;
    struct memory_source memory;
    thrift_decoder_init(&decoder);
    memory_source_init(&memory, memory_sink_bytes(&new));
    require(thrift_decode_struct(&decoder, TRANSPORT_PLAIN, &memory.source, reply->description,
                                 &again) == THRIFT_OK);
    require(thrift_equal(reply->description, reply->value, again));
    thrift_decoder_release(&decoder);

    memory_sink_reset(&old);
    memory_sink_reset(&new);
    require(thrift_encode_old(&old.sink, header, reply->description, reply->value) == THRIFT_OK);
    require(thrift_encode_new(&new.sink, header, reply->description, reply->value) == THRIFT_OK);
    require(same_bytes(memory_sink_bytes(&old), memory_sink_bytes(&new)));
    memory_sink_release(&old);
    memory_sink_release(&new);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct thrift_struct *const descriptions[] = {
        &thrift_GetColumns_result,
        &thrift_FetchResults_result,
        &thrift_ExecuteStatement_args,
        &thrift_TTypeQualifiers,
        &thrift_TRowSet,
        &thrift_TSparkParameter,
        &thrift_OpenSession_args,
        &thrift_TTableSchema,
    };
    static const enum http_framing framings[] = {HTTP_LENGTH, HTTP_CHUNKED, HTTP_UNTIL_CLOSE,
                                                 HTTP_LENGTH};
    if (size < 3) {
        return 0;
    }
    const uint32_t limit = data[1] & 0x10 ? (uint32_t)(data[1] >> 5) : THRIFT_NO_LIMIT;
    const struct input input = {
        .body = {data + 3, size - 3},
        .framing = framings[data[1] & 3],
        .limits = {.string_bytes = limit, .container_items = limit},
        .description = descriptions[data[0] & 7],
        .message = (data[0] & 0x80) != 0,
    };
    struct side old;
    struct side new;
    thrift_decoder_init(&old.decoder);
    thrift_decoder_init(&new.decoder);
    side_run(&old, &input, TRANSPORT_PLAIN, false, 0);
    side_run(&new, &input, TRANSPORT_BUFFERED, false, 0);
    compare(&old, &new, input.message);
    require(new.code != THRIFT_OK || new.decoder.path == THRIFT_PATH_FAST);
    encode_again(&new, input.message);
    side_run(&new, &input, TRANSPORT_BUFFERED, false, 1 + (size_t)data[2]);
    compare(&old, &new, input.message);
    side_run(&new, &input, TRANSPORT_BUFFERED, true, 1 + (size_t)data[2] % 5);
    compare(&old, &new, input.message);
    thrift_decoder_release(&new.decoder);
    thrift_decoder_release(&old.decoder);
    return 0;
}
