/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffer in front of a source. The inner source's bad news is not remembered here: a source
 * repeats it.
 */
#include "bytes/buffered_reader.h"

#include <stdbool.h>
#include <string.h>

#include "bytes/bulk_copy.h"

/* Asks the inner source for up to size bytes into the empty buffer. */
static ptrdiff_t refill(struct buffered_reader *reader, size_t size)
{
    const ptrdiff_t n = source_read(reader->inner, reader->buffer, size);
    reader->next = 0;
    reader->end = n > 0 ? (size_t)n : 0;
    if (n == SOURCE_FAILED) {
        reader->source.error = reader->inner->error;
    }
    return n;
}

static ptrdiff_t reader_read(struct source *source, void *to, size_t size)
{
    struct buffered_reader *reader = (struct buffered_reader *)source;
    if (reader->next == reader->end) {
        if (size >= READER_BUFFER_BYTES) {
            const ptrdiff_t n = source_read(reader->inner, to, size);
            source->error = reader->inner->error;
            return n;
        }
        const ptrdiff_t n = refill(reader, READER_BUFFER_BYTES);
        if (n <= 0) {
            return n;
        }
    }
    const size_t held = reader->end - reader->next;
    const size_t n = size < held ? size : held;
    bulk_copy(to, reader->buffer + reader->next, n);
    reader->next += n;
    return (ptrdiff_t)n;
}

int buffered_reader_line(struct buffered_reader *reader, unsigned char *line, size_t capacity,
                         size_t fill, size_t *size)
{
    size_t n = 0;
    bool carriage_return = false;
    for (;;) {
        if (reader->next == reader->end) {
            const ptrdiff_t got = refill(reader, fill);
            if (got <= 0) {
                return got == SOURCE_END ? SOURCE_CUT : (int)got;
            }
        }
        const unsigned char byte = reader->buffer[reader->next++];
        if (carriage_return != (byte == '\n')) {
            return SOURCE_MALFORMED;
        }
        if (carriage_return) {
            *size = n;
            return 0;
        }
        carriage_return = byte == '\r';
        if (!carriage_return) {
            if (n == capacity) {
                return SOURCE_MALFORMED;
            }
            line[n++] = byte;
        }
    }
}

void buffered_reader_init(struct buffered_reader *reader, struct source *inner)
{
    reader->source = (struct source){.read = reader_read};
    reader->inner = inner;
    reader->next = 0;
    reader->end = 0; /* the 8 KiB behind it stay untouched: they are about to be written */
}
