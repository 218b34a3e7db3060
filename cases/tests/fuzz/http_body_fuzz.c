/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the bodies of HTTP responses and the reader below them: a body has the same content and
 * the same end however it is read (byte by byte, as the old decoder does, or in bulk, as the new
 * one) and however the pieces come from below; and draining agrees with reading.
 *
 * An input begins with two bytes: the framing and its length, and the size of the pieces.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes/http_body.h"
#include "bytes/memory_source.h"
#include "bytes/shaped_source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct stack {
    struct memory_source memory;
    struct shaped_source shaped;
    struct buffered_reader reader;
    struct http_body body;
    size_t piece;
};

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void stack_build(struct stack *stack, struct pb_bytes raw, size_t piece,
                        enum http_framing framing, uint64_t length)
{
    stack->piece = piece;
    memory_source_init(&stack->memory, raw);
    shaped_source_init(
        &stack->shaped, &stack->memory.source,
        &(struct source_shape){.sizes = &stack->piece, .n_sizes = piece > 0 ? 1 : 0});
    buffered_reader_init(&stack->reader, &stack->shaped.source);
    http_body_init(&stack->body, &stack->reader, framing, length);
}

/* Reads all of a body by reads of this size. */
static int read_to_end(struct stack *stack, size_t size, unsigned char *to, size_t capacity,
                       size_t *n_read)
{
    *n_read = 0;
    for (;;) {
        const size_t room = capacity - *n_read;
        require(room > 0);
        const ptrdiff_t n =
            source_read(&stack->body.source, to + *n_read, size < room ? size : room);
        if (n <= 0) {
            require(stack->body.n_bytes == *n_read);
            return (int)n;
        }
        require((size_t)n <= size);
        *n_read += (size_t)n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t sizes[] = {1, 4, 7, 100, 8192, 20000};
    if (size < 2) {
        return 0;
    }
    const struct pb_bytes raw = {data + 2, size - 2};
    const enum http_framing framing = data[0] % 3 == 0   ? HTTP_LENGTH
                                      : data[0] % 3 == 1 ? HTTP_CHUNKED
                                                         : HTTP_UNTIL_CLOSE;
    const uint64_t length = data[0] / 3;
    unsigned char *first = malloc(raw.size + 1);
    unsigned char *again = malloc(raw.size + 1);
    require(first != NULL && again != NULL);
    struct stack stack;
    size_t n_first;
    stack_build(&stack, raw, 0, framing, length);
    const int end = read_to_end(&stack, 1, first, raw.size + 1, &n_first);
    require(n_first <= raw.size && end <= 0);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        size_t n_again;
        stack_build(&stack, raw, i % 2 == 0 ? 0 : 1 + (size_t)data[1], framing, length);
        require(read_to_end(&stack, sizes[i], again, raw.size + 1, &n_again) == end);
        require(n_again == n_first && memcmp(first, again, n_first) == 0);
    }
    stack_build(&stack, raw, 1 + (size_t)data[1], framing, length);
    require(http_body_drain(&stack.body, UINT64_MAX) ==
            (end == SOURCE_END && framing != HTTP_UNTIL_CLOSE));
    free(first);
    free(again);
    return 0;
}
