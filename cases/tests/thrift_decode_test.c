/* SPDX-License-Identifier: Apache-2.0
 *
 * What the decoders promise beyond the vectors: limits, large fields, what is copied and what is
 * kept, which path runs, and how failures of the body show.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/big_endian.h"
#include "bytes/memory_sink.h"
#include "thrift/reply_shapes.h"
#include "thrift/tcli.h"
#include "thrift/thrift_encode.h"
#include "thrift_ways.h"

#define MIB ((size_t)1 << 20)

static void free_bytes(struct pb_bytes bytes)
{
    union {
        const void *borrowed;
        void *owned;
    } data = {.borrowed = bytes.data};
    free(data.owned);
}

/* A TRowSet with a binary of size bytes, as bytes. */
static struct pb_bytes row_set(size_t size, struct scrap *scrap)
{
    unsigned char *bytes = scrap_alloc(scrap, size + 8);
    bytes[0] = THRIFT_STRING;
    bytes[2] = 4;
    store_be32(bytes + 3, (uint32_t)size);
    for (size_t i = 0; i < size; ++i) {
        bytes[7 + i] = (unsigned char)(i * 11 + (i >> 12));
    }
    return (struct pb_bytes){bytes, size + 8};
}

static void assert_row_set(const struct TRowSet *set, struct pb_bytes bytes)
{
    assert_true(TCLI_HAS(set, TRowSet, binaryColumns));
    assert_int_equal(set->binaryColumns.size, bytes.size - 8);
    assert_memory_equal(set->binaryColumns.data, (const char *)bytes.data + 7, bytes.size - 8);
}

static void
test_a_field_of_20_mib_decodes_by_both_paths_and_points_outside_of_the_body(void **state)
{
    (void)state;
    struct scrap scrap = {NULL};
    const struct pb_bytes bytes = row_set(20 * MIB, &scrap);
    for (size_t i = 0; i < n_thrift_ways; ++i) {
        if (thrift_ways[i].piece > 0 || thrift_ways[i].http_chunk < 8192) {
            continue;
        }
        struct thrift_decoder decoder;
        struct thrift_road road;
        void *value;
        thrift_decoder_init(&decoder);
        decoder.generic_only = thrift_ways[i].generic_only;
        thrift_road_build(&road, &thrift_ways[i], bytes, &scrap);
        assert_int_equal(thrift_decode_struct(&decoder, thrift_ways[i].kind, &road.body.source,
                                              &thrift_TRowSet, &value),
                         THRIFT_OK);
        const struct TRowSet *set = value;
        assert_row_set(set, bytes);
        const uintptr_t at = (uintptr_t)set->binaryColumns.data;
        const uintptr_t body = (uintptr_t)road.memory.next + road.memory.left;
        assert_true(at + set->binaryColumns.size <= body - bytes.size || at >= body);
        thrift_decoder_release(&decoder);
    }
    scrap_release(&scrap);
}

/* How much work a field of 16 MiB is when it comes in reads of this size. */
static void decode_in_pieces(size_t piece, struct pb_bytes bytes, struct thrift_decoder *decoder,
                             uint64_t *n_reads)
{
    struct memory_source memory;
    struct shaped_source shaped;
    void *value;
    memory_source_init(&memory, bytes);
    shaped_source_init(&shaped, &memory.source,
                       &(struct source_shape){.sizes = &piece, .n_sizes = 1});
    assert_int_equal(
        thrift_decode_struct(decoder, TRANSPORT_BUFFERED, &shaped.source, &thrift_TRowSet, &value),
        THRIFT_OK);
    assert_row_set(value, bytes);
    *n_reads = shaped.source.n_reads;
}

static void test_a_field_in_short_reads_is_joined_once(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 7};
    struct scrap scrap = {NULL};
    const struct pb_bytes bytes = row_set(16 * MIB, &scrap);
    for (size_t i = 0; i < 2; ++i) {
        struct thrift_decoder decoder;
        uint64_t n_reads;
        thrift_decoder_init(&decoder);
        decode_in_pieces(pieces[i], bytes, &decoder, &n_reads);
        /* One read a piece, and nothing is moved but what was read ahead of the length. */
        assert_in_range(n_reads, bytes.size / pieces[i], bytes.size / pieces[i] + 8);
        assert_true(decoder.transport.n_moved < 64);
        assert_true(decoder.memory.n_allocations <= 3);
        thrift_decoder_release(&decoder);
    }
    scrap_release(&scrap);
}

static void test_a_field_beyond_what_is_trusted_grows_with_the_data(void **state)
{
    (void)state;
    struct scrap scrap = {NULL};
    const struct pb_bytes bytes = row_set(100 * MIB, &scrap);
    struct thrift_decoder decoder;
    struct memory_source memory;
    void *value;
    thrift_decoder_init(&decoder);
    for (enum transport_kind kind = TRANSPORT_PLAIN; kind <= TRANSPORT_BUFFERED; ++kind) {
        memory_source_init(&memory, bytes);
        assert_int_equal(
            thrift_decode_struct(&decoder, kind, &memory.source, &thrift_TRowSet, &value),
            THRIFT_OK);
        assert_row_set(value, bytes);
    }
    scrap_release(&scrap);
    thrift_decoder_release(&decoder);
}

static void test_a_length_without_data_takes_little_memory(void **state)
{
    (void)state;
    static const unsigned char cut[] = {THRIFT_STRING, 0, 4, 0x7f, 0xff, 0xff, 0xff, 'x'};
    static const unsigned char many[] = {THRIFT_LIST, 0, 2, THRIFT_STRUCT, 0x7f, 0xff, 0xff, 0xff};
    const struct pb_bytes rows[] = {{cut, sizeof cut}, {many, sizeof many}};
    for (size_t i = 0; i < 4; ++i) {
        struct thrift_decoder decoder;
        struct memory_source memory;
        void *value;
        thrift_decoder_init(&decoder);
        memory_source_init(&memory, rows[i % 2]);
        assert_int_equal(thrift_decode_struct(&decoder,
                                              i < 2 ? TRANSPORT_PLAIN : TRANSPORT_BUFFERED,
                                              &memory.source, &thrift_TRowSet, &value),
                         THRIFT_TRUNCATED);
        assert_true(decoder.memory.idle.n_bytes <= REPLY_IDLE_BYTES);
        thrift_decoder_release(&decoder);
    }
}

struct limit_row {
    const char *what;
    uint32_t string_bytes;
    uint32_t container_items;
    unsigned char bytes[32];
    size_t size;
    enum thrift_code code;
};

#define NONE THRIFT_NO_LIMIT

/* Of a TStatus: 2 is a list of strings, 3 a string, 99 is unknown. */
static const struct limit_row limit_rows[] = {
    {"a string as long as the limit", 2, NONE, {11, 0, 3, 0, 0, 0, 2, 'a', 'b', 0}, 10, THRIFT_OK},
    {"a longer one", 1, NONE, {11, 0, 3, 0, 0, 0, 2, 'a', 'b', 0}, 10, THRIFT_OVER_LIMIT},
    {"an empty one at limit 0", 0, NONE, {11, 0, 3, 0, 0, 0, 0, 0}, 8, THRIFT_OK},
    {"one byte at limit 0", 0, NONE, {11, 0, 3, 0, 0, 0, 1, 'a', 0}, 9, THRIFT_OVER_LIMIT},
    {"a skipped one", 1, NONE, {11, 0, 99, 0, 0, 0, 2, 'a', 'b', 0}, 10, THRIFT_OVER_LIMIT},
    {"the limit before the end", 1, NONE, {11, 0, 3, 0, 0, 0, 2}, 7, THRIFT_OVER_LIMIT},
    {"a list as long as the limit",
     NONE,
     1,
     {15, 0, 2, 11, 0, 0, 0, 1, 0, 0, 0, 0, 0},
     13,
     THRIFT_OK},
    {"a longer one", NONE, 0, {15, 0, 2, 11, 0, 0, 0, 1, 0, 0, 0, 0, 0}, 13, THRIFT_OVER_LIMIT},
    {"an empty one at limit 0", NONE, 0, {15, 0, 2, 11, 0, 0, 0, 0, 0}, 9, THRIFT_OK},
    {"a skipped list", NONE, 1, {15, 0, 99, 3, 0, 0, 0, 2, 1, 2, 0}, 11, THRIFT_OVER_LIMIT},
    {"a skipped map", NONE, 1, {13, 0, 99, 3, 3, 0, 0, 0, 2, 1, 2, 3, 4, 0}, 14, THRIFT_OVER_LIMIT},
    {"a string inside of a skipped map",
     1,
     NONE,
     {13, 0, 99, 11, 3, 0, 0, 0, 1, 0, 0, 0, 2, 'a', 'b', 1, 0},
     17,
     THRIFT_OVER_LIMIT},
    {"a negative length is that under any limit",
     0,
     0,
     {11, 0, 3, 0xff, 0xff, 0xff, 0xff},
     7,
     THRIFT_NEGATIVE_LENGTH},
    {"the limit before the type", NONE, 0, {15, 0, 2, 5, 0, 0, 0, 1}, 8, THRIFT_OVER_LIMIT},
    {"a type that there is not", NONE, NONE, {15, 0, 2, 5, 0, 0, 0, 1}, 8, THRIFT_BAD_TYPE},
    {"no limits", NONE, NONE, {11, 0, 3, 0, 0, 0, 2, 'a', 'b', 0}, 10, THRIFT_OK},
};

static void test_limits_hold_for_what_is_read_and_for_what_is_skipped(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limit_rows / sizeof limit_rows[0]; ++i) {
        const struct limit_row *row = &limit_rows[i];
        for (size_t k = 0; k < n_thrift_ways; ++k) {
            struct scrap scrap = {NULL};
            struct thrift_decoder decoder;
            struct thrift_road road;
            void *value;
            thrift_decoder_init(&decoder);
            decoder.generic_only = thrift_ways[k].generic_only;
            decoder.limits = (struct thrift_limits){row->string_bytes, row->container_items};
            thrift_road_build(&road, &thrift_ways[k], (struct pb_bytes){row->bytes, row->size},
                              &scrap);
            const enum thrift_code code = thrift_decode_struct(
                &decoder, thrift_ways[k].kind, &road.body.source, &thrift_TStatus, &value);
            if (code != row->code) {
                fail_msg("%s, %s: %s", row->what, thrift_ways[k].name, thrift_code_text(code));
            }
            thrift_decoder_release(&decoder);
            scrap_release(&scrap);
        }
    }
}

static void test_the_limit_holds_for_the_name_of_a_method(void **state)
{
    (void)state;
    static const unsigned char strict[] = {0x80, 1, 0, 2, 0, 0, 0, 2, 'a', 'b', 0, 0, 0, 0};
    static const unsigned char old[] = {0, 0, 0, 2, 'a', 'b', 2, 0, 0, 0, 0};
    const struct pb_bytes headers[] = {{strict, sizeof strict}, {old, sizeof old}};
    for (size_t i = 0; i < 8; ++i) {
        struct thrift_decoder decoder;
        struct memory_source memory;
        struct thrift_message message;
        thrift_decoder_init(&decoder);
        decoder.limits.string_bytes = i & 2 ? 1 : 2;
        memory_source_init(&memory, headers[i & 1]);
        assert_int_equal(thrift_decode_header(&decoder,
                                              i & 4 ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN,
                                              &memory.source, &message),
                         i & 2 ? THRIFT_OVER_LIMIT : THRIFT_OK);
        thrift_decoder_release(&decoder);
    }
}

/* A literal with zeros in it. */
#define RAW(text)                                                                                  \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }

static void test_what_goes_wrong_below_is_told_by_class_and_only_when_it_is_reached(void **state)
{
    (void)state;
    static const struct {
        struct pb_bytes raw;
        enum http_framing framing;
        int stop;
        size_t stop_after;
        enum thrift_code code;
    } rows[] = {
        {RAW("8\r\n\x08\0\x01\0\0\0\0\0\r\n0\r\n\r\n"), HTTP_CHUNKED, 0, 0, THRIFT_OK},
        {RAW("8\r\n\x08\0\x01\0\0\0\0\0\r\nrubbish\r\n"), HTTP_CHUNKED, 0, 0, THRIFT_OK},
        {RAW("8\r\n\x08\0\x01\0\0\0\0\0\r\n0\r\n\r\n"), HTTP_CHUNKED, EIO, 11, THRIFT_OK},
        {RAW("7\r\n\x08\0\x01\0\0\0\0\r\nrubbish\r\n"), HTTP_CHUNKED, 0, 0, THRIFT_BAD_BODY},
        {RAW("7\r\n\x08\0\x01\0\0\0\0\r\n0\r\n\r\n"), HTTP_CHUNKED, 0, 0, THRIFT_TRUNCATED},
        {RAW("7\r\n\x08\0\x01\0\0\0\0\r\n0\r\n\r\n"), HTTP_CHUNKED, SOURCE_STOP_END, 8,
         THRIFT_TRUNCATED},
        {RAW("8\r\n\x08\0\x01\0\0\0\0\0\r\n0\r\n\r\n"), HTTP_CHUNKED, EIO, 8, THRIFT_SOURCE_FAILED},
        {RAW("\x08\0\x01\0\0\0\0\0"), HTTP_LENGTH, 0, 0, THRIFT_OK},
        {RAW("\x08\0\x01\0\0\0\0\0"), HTTP_LENGTH, SOURCE_STOP_END, 5, THRIFT_TRUNCATED},
    };
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof rows[0]); ++i) {
        const size_t k = i / 2;
        struct memory_source memory;
        struct shaped_source shaped;
        struct buffered_reader reader;
        struct http_body body;
        struct thrift_decoder decoder;
        void *value;
        memory_source_init(&memory, rows[k].raw);
        shaped_source_init(
            &shaped, &memory.source,
            &(struct source_shape){.stop = rows[k].stop, .stop_after = rows[k].stop_after});
        buffered_reader_init(&reader, &shaped.source);
        http_body_init(&body, &reader, rows[k].framing, 8);
        thrift_decoder_init(&decoder);
        const enum thrift_code code =
            thrift_decode_struct(&decoder, i % 2 ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN,
                                 &body.source, &thrift_TStatus, &value);
        if (code != rows[k].code) {
            fail_msg("row %zu, %s: %s", k, i % 2 ? "new" : "old", thrift_code_text(code));
        }
        thrift_decoder_release(&decoder);
    }
}

/*
 * The body's peer says nothing more after the message, and does not close: to ask it would be to
 * wait for ever. Here it is an error to ask.
 */
static void test_nothing_is_asked_for_behind_a_complete_message(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 2, 5, 16, 1000000};
    struct pb_bytes message;
    struct scrap scrap = {NULL};
    message.data = reply_shape_make(REPLY_SELECT_1, &message.size);
    assert_non_null(message.data);
    const struct pb_bytes chunked = chunked_body(message, 50, false, &scrap);
    for (size_t i = 0; i < 60; ++i) {
        const struct thrift_way *way = &thrift_ways[i % 2 ? 1 : i % 3 ? 0 : 9];
        const struct pb_bytes raw = i % 4 < 2 ? message : chunked;
        struct memory_source memory;
        struct shaped_source shaped;
        struct buffered_reader reader;
        struct http_body body;
        struct thrift_decoder decoder;
        struct thrift_reply reply;
        memory_source_init(&memory, raw);
        shaped_source_init(
            &shaped, &memory.source,
            &(struct source_shape){
                .sizes = &pieces[i / 12], .n_sizes = 1, .stop = EDEADLK, .stop_after = raw.size});
        buffered_reader_init(&reader, &shaped.source);
        http_body_init(&body, &reader, i % 4 < 2 ? HTTP_UNTIL_CLOSE : HTTP_CHUNKED, 0);
        thrift_decoder_init(&decoder);
        decoder.generic_only = way->generic_only;
        assert_int_equal(thrift_decode_message(&decoder, way->kind, &body.source,
                                               &thrift_ExecuteStatement_result, &reply),
                         THRIFT_OK);
        assert_int_equal(shaped.source.error, 0);
        thrift_decoder_release(&decoder);
    }
    free_bytes(message);
    scrap_release(&scrap);
}

static void decode_shape(struct thrift_decoder *decoder, struct pb_bytes message,
                         const struct thrift_struct *result)
{
    struct memory_source memory;
    struct thrift_reply reply;
    memory_source_init(&memory, message);
    assert_int_equal(
        thrift_decode_message(decoder, TRANSPORT_BUFFERED, &memory.source, result, &reply),
        THRIFT_OK);
}

static void test_chunks_serve_reply_after_reply_and_few_stay_idle(void **state)
{
    (void)state;
    struct pb_bytes arrow;
    struct pb_bytes small;
    struct thrift_decoder decoder;
    thrift_decoder_init(&decoder);
    arrow.data = reply_shape_make(REPLY_ARROW_20MIB, &arrow.size);
    assert_non_null(arrow.data);
    small.data = reply_shape_make(REPLY_SELECT_1, &small.size);
    assert_non_null(small.data);
    decode_shape(&decoder, arrow, &thrift_FetchResults_result);
    decode_shape(&decoder, arrow, &thrift_FetchResults_result);
    const uint64_t n_allocations = decoder.memory.n_allocations;
    for (int i = 0; i < 5; ++i) {
        decode_shape(&decoder, arrow, &thrift_FetchResults_result);
    }
    assert_int_equal(decoder.memory.n_allocations, n_allocations);
    /* The reply, a chunk for what is between its fields, and small values. */
    assert_true(decoder.memory.used.n_bytes + decoder.memory.idle.n_bytes <=
                arrow.size + MIB + MIB / 10);
    decode_shape(&decoder, small, &thrift_ExecuteStatement_result);
    assert_true(decoder.memory.idle.n_bytes <= REPLY_IDLE_BYTES);
    assert_true(decoder.memory.used.n_bytes <= MIB + MIB / 10);
    thrift_decoder_flush(&decoder);
    assert_int_equal(decoder.memory.idle.n_bytes + decoder.memory.used.n_bytes, 0);
    decode_shape(&decoder, small, &thrift_ExecuteStatement_result);
    thrift_decoder_release(&decoder);
    free_bytes(arrow);
    free_bytes(small);
}

static void test_a_reply_of_another_shape_never_holds_both(void **state)
{
    (void)state;
    struct scrap scrap = {NULL};
    struct pb_bytes arrow;
    struct thrift_decoder decoder;
    struct memory_source memory;
    void *value;
    thrift_decoder_init(&decoder);
    arrow.data = reply_shape_make(REPLY_ARROW_20MIB, &arrow.size);
    assert_non_null(arrow.data);
    decode_shape(&decoder, arrow, &thrift_FetchResults_result);
    const struct pb_bytes other = row_set(19 * MIB, &scrap);
    memory_source_init(&memory, other);
    assert_int_equal(
        thrift_decode_struct(&decoder, TRANSPORT_BUFFERED, &memory.source, &thrift_TRowSet, &value),
        THRIFT_OK);
    assert_row_set(value, other);
    assert_true(decoder.memory.used.n_bytes + decoder.memory.idle.n_bytes <=
                other.size + REPLY_IDLE_BYTES + MIB + MIB / 10);
    thrift_decoder_release(&decoder);
    free_bytes(arrow);
    scrap_release(&scrap);
}

static void test_large_fields_are_hardly_moved_once_they_are_known(void **state)
{
    (void)state;
    struct pb_bytes arrow;
    struct thrift_decoder decoder;
    thrift_decoder_init(&decoder);
    arrow.data = reply_shape_make(REPLY_ARROW_20MIB, &arrow.size);
    assert_non_null(arrow.data);
    decode_shape(&decoder, arrow, &thrift_FetchResults_result);
    assert_true(decoder.transport.n_moved <= MIB + 5 * 16384);
    decode_shape(&decoder, arrow, &thrift_FetchResults_result);
    assert_true(decoder.transport.n_moved <= 5 * 16384);
    thrift_decoder_release(&decoder);
    free_bytes(arrow);
}

static void test_an_unknown_field_of_any_size_is_skipped_in_constant_memory(void **state)
{
    (void)state;
    struct scrap scrap = {NULL};
    struct pb_bytes bytes = row_set(20 * MIB, &scrap);
    struct thrift_decoder decoder;
    struct memory_source memory;
    void *value;
    unsigned char *unknown = scrap_alloc(&scrap, bytes.size);
    memcpy(unknown, bytes.data, bytes.size);
    unknown[2] = 99;
    bytes.data = unknown;
    for (enum transport_kind kind = TRANSPORT_PLAIN; kind <= TRANSPORT_BUFFERED; ++kind) {
        thrift_decoder_init(&decoder);
        memory_source_init(&memory, bytes);
        assert_int_equal(
            thrift_decode_struct(&decoder, kind, &memory.source, &thrift_TRowSet, &value),
            THRIFT_OK);
        assert_int_equal(((struct TRowSet *)value)->present, 0);
        assert_true(decoder.memory.used.n_bytes <= MIB + MIB / 10);
        thrift_decoder_release(&decoder);
    }
    scrap_release(&scrap);
}

/* A map<string, TTypeQualifierValue> with n keys of which every third is the first again. */
static struct pb_bytes qualifiers(uint32_t n, struct scrap *scrap)
{
    unsigned char *bytes = scrap_alloc(scrap, 16 + 20 * (size_t)n);
    unsigned char *at = bytes;
    memcpy(at, "\x0d\0\x01\x0b\x0c", 5);
    store_be32(at + 5, n);
    at += 9;
    for (uint32_t i = 0; i < n; ++i) {
        store_be32(at, 4);
        store_be32(at + 4, i % 3 == 0 ? 0 : i);
        at += 8;
        if (i % 2 == 0) {
            memcpy(at, "\x08\0\x01", 3);
            store_be32(at + 3, i);
            at += 7;
        } else {
            memcpy(at, "\x0b\0\x02\0\0\0\x01z", 8);
            at += 8;
        }
        *at++ = 0;
    }
    *at++ = 0;
    return (struct pb_bytes){bytes, (size_t)(at - bytes)};
}

static void test_the_last_value_of_a_key_wins_and_structs_are_merged(void **state)
{
    (void)state;
    static const uint32_t counts[] = {4, 15, 16, 17, 3000};
    for (size_t i = 0; i < 10; ++i) {
        const uint32_t n = counts[i / 2];
        struct scrap scrap = {NULL};
        struct thrift_decoder decoder;
        struct memory_source memory;
        void *value;
        thrift_decoder_init(&decoder);
        memory_source_init(&memory, qualifiers(n, &scrap));
        assert_int_equal(thrift_decode_struct(&decoder,
                                              i % 2 ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN,
                                              &memory.source, &thrift_TTypeQualifiers, &value),
                         THRIFT_OK);
        const struct thrift_map *map = &((struct TTypeQualifiers *)value)->qualifiers;
        const uint32_t n_zero = (n + 2) / 3;
        assert_int_equal(map->count, n - n_zero + 1);
        for (size_t k = 0; k < map->count; ++k) {
            /* First appearance orders them: 0, then all that are no multiples of 3. */
            const uint32_t key = k == 0 ? 0 : (uint32_t)(3 * ((k - 1) / 2) + (k - 1) % 2 + 1);
            assert_int_equal(load_be32(map->entries[k].key.data), key);
        }
        const struct TTypeQualifierValue *zero = map->entries[0].value.object;
        const uint32_t last_even = (n - 1) / 6 * 6; /* multiples of 3 that are even, too */
        assert_true(TCLI_HAS(zero, TTypeQualifierValue, i32Value));
        assert_int_equal(zero->i32Value, last_even);
        assert_int_equal(TCLI_HAS(zero, TTypeQualifierValue, stringValue), n > 3);
        thrift_decoder_release(&decoder);
        scrap_release(&scrap);
    }
}

static void test_a_struct_that_comes_twice_is_merged(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {12, 0, 1,  11, 0, 1, 0, 0, 0, 1,   'a', 0, 12,
                                          0,  1, 11, 0,  2, 0, 0, 0, 1, 'b', 0,   0};
    for (size_t k = 0; k < n_thrift_ways; ++k) {
        struct scrap scrap = {NULL};
        struct thrift_decoder decoder;
        struct thrift_road road;
        void *value;
        thrift_decoder_init(&decoder);
        decoder.generic_only = thrift_ways[k].generic_only;
        thrift_road_build(&road, &thrift_ways[k], (struct pb_bytes){bytes, sizeof bytes}, &scrap);
        assert_int_equal(thrift_decode_struct(&decoder, thrift_ways[k].kind, &road.body.source,
                                              &thrift_TSessionHandle, &value),
                         THRIFT_OK);
        const struct TSessionHandle *handle = value;
        assert_true(TCLI_HAS(handle->sessionId, THandleIdentifier, guid));
        assert_true(TCLI_HAS(handle->sessionId, THandleIdentifier, secret));
        thrift_decoder_release(&decoder);
        scrap_release(&scrap);
    }
}

static void test_a_new_struct_holds_its_presets(void **state)
{
    (void)state;
    struct TOpenSessionReq open;
    struct TExecuteStatementReq execute;
    thrift_init(&thrift_TOpenSessionReq, &open);
    thrift_init(&thrift_TExecuteStatementReq, &execute);
    assert_int_equal(open.client_protocol, -7);
    assert_int_equal(open.present, 1u << TOpenSessionReq_client_protocol);
    assert_int_equal(execute.present,
                     1u << TExecuteStatementReq_runAsync | 1u << TExecuteStatementReq_queryTimeout |
                         1u << TExecuteStatementReq_enforceEmbeddedSchemaCorrectness);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_a_field_of_20_mib_decodes_by_both_paths_and_points_outside_of_the_body),
        cmocka_unit_test(test_a_field_in_short_reads_is_joined_once),
        cmocka_unit_test(test_a_field_beyond_what_is_trusted_grows_with_the_data),
        cmocka_unit_test(test_a_length_without_data_takes_little_memory),
        cmocka_unit_test(test_limits_hold_for_what_is_read_and_for_what_is_skipped),
        cmocka_unit_test(test_the_limit_holds_for_the_name_of_a_method),
        cmocka_unit_test(test_what_goes_wrong_below_is_told_by_class_and_only_when_it_is_reached),
        cmocka_unit_test(test_nothing_is_asked_for_behind_a_complete_message),
        cmocka_unit_test(test_chunks_serve_reply_after_reply_and_few_stay_idle),
        cmocka_unit_test(test_a_reply_of_another_shape_never_holds_both),
        cmocka_unit_test(test_large_fields_are_hardly_moved_once_they_are_known),
        cmocka_unit_test(test_an_unknown_field_of_any_size_is_skipped_in_constant_memory),
        cmocka_unit_test(test_the_last_value_of_a_key_wins_and_structs_are_merged),
        cmocka_unit_test(test_a_struct_that_comes_twice_is_merged),
        cmocka_unit_test(test_a_new_struct_holds_its_presets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
