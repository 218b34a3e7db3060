/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources, the buffered reader, and the bodies of HTTP responses: what is delivered, how it ends,
 * and what is left for whoever reads next.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/fd_source.h"
#include "bytes/http_body.h"
#include "bytes/memory_source.h"
#include "bytes/shaped_source.h"

struct stack {
    struct memory_source memory;
    struct shaped_source shaped;
    struct buffered_reader reader;
    struct http_body body;
};

static void stack_build(struct stack *stack, struct pb_bytes raw, const struct source_shape *shape,
                        enum http_framing framing, uint64_t length)
{
    memory_source_init(&stack->memory, raw);
    shaped_source_init(&stack->shaped, &stack->memory.source, shape);
    buffered_reader_init(&stack->reader, &stack->shaped.source);
    http_body_init(&stack->body, &stack->reader, framing, length);
}

static struct pb_bytes text_bytes(const char *text)
{
    return (struct pb_bytes){text, strlen(text)};
}

/* Reads to the end in pieces of at most this size; returns how it ended. */
static int read_to_end(struct source *source, size_t piece, char *to, size_t capacity, size_t *size)
{
    *size = 0;
    for (;;) {
        assert_true(*size + piece <= capacity);
        const ptrdiff_t n = source_read(source, to + *size, piece);
        if (n <= 0) {
            assert_int_equal(source_read(source, to + *size, piece), n); /* and it stays so */
            return (int)n;
        }
        *size += (size_t)n;
    }
}

struct body_row {
    const char *what;
    const char *raw;
    enum http_framing framing;
    uint64_t length;
    const char *content;
    int end;
};

static const struct body_row body_rows[] = {
    {"length", "hello", HTTP_LENGTH, 5, "hello", SOURCE_END},
    {"length 0", "", HTTP_LENGTH, 0, "", SOURCE_END},
    {"bytes behind the length are not delivered", "hellomore", HTTP_LENGTH, 5, "hello", SOURCE_END},
    {"cut", "hel", HTTP_LENGTH, 5, "hel", SOURCE_CUT},
    {"until the connection closes", "hello", HTTP_UNTIL_CLOSE, 0, "hello", SOURCE_END},
    {"one chunk", "5\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "hello", SOURCE_END},
    {"two chunks", "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "hello", SOURCE_END},
    {"no content", "0\r\n\r\n", HTTP_CHUNKED, 0, "", SOURCE_END},
    {"hex digits of both cases", "a\r\n0123456789\r\nA\r\nabcdefghij\r\n00\r\n\r\n", HTTP_CHUNKED,
     0, "0123456789abcdefghij", SOURCE_END},
    {"leading zeros", "0000000000000000000005\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "hello",
     SOURCE_END},
    {"an extension", "5;a=\"b\"\r\nhello\r\n0;x\r\n\r\n", HTTP_CHUNKED, 0, "hello", SOURCE_END},
    {"blanks before an extension", "5 \t;a\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "hello",
     SOURCE_END},
    {"trailers", "5\r\nhello\r\n0\r\nA: b\r\nC: d\r\n\r\n", HTTP_CHUNKED, 0, "hello", SOURCE_END},
    {"what follows the last chunk stays", "1\r\nx\r\n0\r\n\r\nHTTP/1.1", HTTP_CHUNKED, 0, "x",
     SOURCE_END},
    {"cut inside of a chunk", "5\r\nhel", HTTP_CHUNKED, 0, "hel", SOURCE_CUT},
    {"cut between chunks", "3\r\nhel\r\n", HTTP_CHUNKED, 0, "hel", SOURCE_CUT},
    {"cut inside of a size", "3\r\nhel\r\n2", HTTP_CHUNKED, 0, "hel", SOURCE_CUT},
    {"cut inside of trailers", "1\r\nx\r\n0\r\nA: b\r\n", HTTP_CHUNKED, 0, "x", SOURCE_CUT},
    {"cut before anything", "", HTTP_CHUNKED, 0, "", SOURCE_CUT},
    {"no size", "\r\nhello\r\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"no number", "hello\r\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"a sign", "+5\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"a negative size", "-5\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"a prefix", "0x5\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"a blank in front", " 5\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"junk behind a size", "5 x\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"a size beyond 63 bits", "8000000000000000\r\nx", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"the largest size", "7fffffffffffffff\r\nx", HTTP_CHUNKED, 0, "x", SOURCE_CUT},
    {"a line feed alone", "5\nhello\n0\n\n", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"a carriage return alone", "5\rhello", HTTP_CHUNKED, 0, "", SOURCE_MALFORMED},
    {"a chunk longer than its size", "3\r\nhello\r\n0\r\n\r\n", HTTP_CHUNKED, 0, "hel",
     SOURCE_MALFORMED},
};

static void test_bodies_are_delivered_without_their_framing_whatever_the_pieces(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 2, 3, 7, 100, 9000};
    for (size_t i = 0; i < sizeof body_rows / sizeof body_rows[0]; ++i) {
        const struct body_row *row = &body_rows[i];
        for (size_t k = 0; k < 36; ++k) {
            struct stack stack;
            char got[10000];
            size_t size;
            stack_build(&stack, text_bytes(row->raw),
                        &(struct source_shape){.sizes = &pieces[k % 6], .n_sizes = 1}, row->framing,
                        row->length);
            const int end = read_to_end(&stack.body.source, pieces[k / 6], got, sizeof got, &size);
            if (end != row->end || size != strlen(row->content) ||
                memcmp(got, row->content, size) != 0 || stack.body.n_bytes != size) {
                fail_msg("%s: %zu bytes, then %d", row->what, size, end);
            }
        }
    }
}

static void test_a_read_does_not_wait_once_it_has_something(void **state)
{
    (void)state;
    struct stack stack;
    char got[100];
    const size_t piece = 8;
    stack_build(&stack, text_bytes("3\r\nhel\r\n2\r\nlo\r\n"),
                &(struct source_shape){.sizes = &piece, .n_sizes = 1}, HTTP_CHUNKED, 0);
    assert_int_equal(source_read(&stack.body.source, got, sizeof got), 3);
    assert_int_equal(stack.memory.source.n_reads, 1);
    assert_int_equal(source_read(&stack.body.source, got, sizeof got), 2);
    assert_int_equal(source_read(&stack.body.source, got, sizeof got), SOURCE_CUT);
}

static void test_lines_and_trailers_have_limits(void **state)
{
    (void)state;
    static char raw[200000];
    static char got[200000];
    struct stack stack;
    size_t size;
    for (int over = 0; over < 2; ++over) {
        memset(raw, 'x', sizeof raw);
        raw[0] = '1';
        raw[1] = ';';
        sprintf(raw + HTTP_LINE_BYTES + over, "\r\nz\r\n0\r\n\r\n");
        stack_build(&stack, (struct pb_bytes){raw, sizeof raw},
                    &(struct source_shape){.n_sizes = 0}, HTTP_CHUNKED, 0);
        assert_int_equal(read_to_end(&stack.body.source, 100, got, sizeof got, &size),
                         over ? SOURCE_MALFORMED : SOURCE_END);
    }
    for (int over = 0; over < 2; ++over) {
        size_t n = (size_t)sprintf(raw, "0\r\n");
        for (int i = 0; i < HTTP_TRAILER_LINES - 1 + over; ++i) {
            n += (size_t)sprintf(raw + n, "A: b\r\n");
        }
        n += (size_t)sprintf(raw + n, "\r\n");
        stack_build(&stack, (struct pb_bytes){raw, n}, &(struct source_shape){.n_sizes = 0},
                    HTTP_CHUNKED, 0);
        assert_int_equal(read_to_end(&stack.body.source, 100, got, sizeof got, &size),
                         over ? SOURCE_MALFORMED : SOURCE_END);
    }
}

static void test_what_was_delivered_comes_before_a_failure(void **state)
{
    (void)state;
    const struct source_shape shape = {.stop_after = 6, .stop = ECONNRESET};
    struct stack stack;
    char got[100];
    size_t size;
    stack_build(&stack, text_bytes("5\r\nhello\r\n0\r\n\r\n"), &shape, HTTP_CHUNKED, 0);
    assert_int_equal(read_to_end(&stack.body.source, 50, got, sizeof got, &size), SOURCE_FAILED);
    assert_int_equal(size, 3);
    assert_int_equal(stack.body.source.error, ECONNRESET);
}

static void test_draining_says_whether_the_connection_can_be_used_again(void **state)
{
    (void)state;
    static const struct {
        const char *raw;
        enum http_framing framing;
        uint64_t most;
        bool reusable;
        const char *behind;
    } rows[] = {
        {"helloHTTP", HTTP_LENGTH, 100, true, "HTTP"},
        {"hel", HTTP_LENGTH, 100, false, ""},
        {"5\r\nhello\r\n0\r\n\r\nHTTP", HTTP_CHUNKED, 100, true, "HTTP"},
        {"5\r\nhello\r\n", HTTP_CHUNKED, 100, false, ""},
        {"hello", HTTP_UNTIL_CLOSE, 100, false, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct stack stack;
        char got[100];
        size_t size;
        stack_build(&stack, text_bytes(rows[i].raw), &(struct source_shape){.n_sizes = 0},
                    rows[i].framing, 5);
        assert_int_equal(http_body_drain(&stack.body, rows[i].most), rows[i].reusable);
        if (rows[i].reusable) {
            (void)read_to_end(&stack.reader.source, 50, got, sizeof got, &size);
            assert_int_equal(size, strlen(rows[i].behind));
            assert_memory_equal(got, rows[i].behind, size);
        }
    }
}

static void test_draining_gives_up_on_a_body_without_an_end(void **state)
{
    (void)state;
    static char raw[100000];
    struct stack stack;
    stack_build(&stack, (struct pb_bytes){raw, sizeof raw}, &(struct source_shape){.n_sizes = 0},
                HTTP_LENGTH, UINT64_MAX);
    assert_false(http_body_drain(&stack.body, 10000));
    assert_true(stack.body.n_bytes < 20000);
}

static void test_bulk_reads_go_past_the_buffer(void **state)
{
    (void)state;
    static char raw[100000];
    static char got[100000];
    struct stack stack;
    for (size_t i = 0; i < sizeof raw; ++i) {
        raw[i] = (char)(i * 7);
    }
    stack_build(&stack, (struct pb_bytes){raw, sizeof raw}, &(struct source_shape){.n_sizes = 0},
                HTTP_LENGTH, sizeof raw);
    assert_int_equal(source_read(&stack.body.source, got, sizeof got), sizeof got);
    assert_int_equal(stack.memory.source.n_reads, 1);
    assert_memory_equal(got, raw, sizeof raw);
    stack_build(&stack, (struct pb_bytes){raw, sizeof raw}, &(struct source_shape){.n_sizes = 0},
                HTTP_LENGTH, sizeof raw);
    for (size_t i = 0; i < sizeof raw; i += 4) {
        assert_int_equal(source_read(&stack.body.source, got + i, 4), 4);
    }
    assert_int_equal(stack.memory.source.n_reads, (sizeof raw + 8191) / 8192);
    assert_memory_equal(got, raw, sizeof raw);
}

static void test_a_descriptor_is_read_to_its_end_and_its_error_is_told(void **state)
{
    (void)state;
    int ends[2];
    struct fd_source in;
    char got[10];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "hello", 5), 5);
    close(ends[1]);
    fd_source_init(&in, ends[0]);
    assert_int_equal(source_read(&in.source, got, 3), 3);
    assert_int_equal(source_read(&in.source, got, 3), 2);
    assert_int_equal(source_read(&in.source, got, 3), SOURCE_END);
    assert_int_equal(in.source.n_reads, 3);
    close(ends[0]);
    fd_source_init(&in, ends[0]);
    assert_int_equal(source_read(&in.source, got, 3), SOURCE_FAILED);
    assert_int_equal(in.source.error, EBADF);
}

static void test_read_all_joins_pieces_and_takes_an_early_end_for_a_cut(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 3, 2};
    struct memory_source memory;
    struct shaped_source shaped;
    char got[10];
    size_t n;
    memory_source_init(&memory, text_bytes("abcdefgh"));
    shaped_source_init(&shaped, &memory.source,
                       &(struct source_shape){.sizes = sizes, .n_sizes = 3});
    assert_int_equal(source_read_all(&shaped.source, got, 7, &n), 0);
    assert_int_equal(shaped.source.n_reads, 4);
    assert_memory_equal(got, "abcdefg", 7);
    assert_int_equal(source_read_all(&shaped.source, got, 7, &n), SOURCE_CUT);
    assert_int_equal(n, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_are_delivered_without_their_framing_whatever_the_pieces),
        cmocka_unit_test(test_a_read_does_not_wait_once_it_has_something),
        cmocka_unit_test(test_lines_and_trailers_have_limits),
        cmocka_unit_test(test_what_was_delivered_comes_before_a_failure),
        cmocka_unit_test(test_draining_says_whether_the_connection_can_be_used_again),
        cmocka_unit_test(test_draining_gives_up_on_a_body_without_an_end),
        cmocka_unit_test(test_bulk_reads_go_past_the_buffer),
        cmocka_unit_test(test_a_descriptor_is_read_to_its_end_and_its_error_is_told),
        cmocka_unit_test(test_read_all_joins_pieces_and_takes_an_early_end_for_a_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
