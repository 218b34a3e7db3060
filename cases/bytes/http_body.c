/* SPDX-License-Identifier: Apache-2.0
 *
 * The framing of HTTP bodies. A chunk's size line is read when its first byte is wanted, so that a
 * message that is complete is delivered although the last chunk never comes.
 */
#include "bytes/http_body.h"

/* A chunk size needs 16 hex digits at most; leading zeros are allowed up to the line's limit. */
static int parse_chunk_size(const unsigned char *line, size_t size, uint64_t *value)
{
    uint64_t sum = 0;
    size_t i = 0;
    for (; i < size; ++i) {
        const unsigned char c = line[i];
        unsigned digit;
        if (c >= '0' && c <= '9') {
            digit = c - '0';
        } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
            digit = (c | 0x20u) - 'a' + 10u;
        } else {
            break;
        }
        if (sum > (uint64_t)INT64_MAX >> 4) {
            return SOURCE_MALFORMED;
        }
        sum = sum << 4 | digit;
    }
    if (i == 0) {
        return SOURCE_MALFORMED;
    }
    while (i < size && (line[i] == ' ' || line[i] == '\t')) {
        ++i;
    }
    if (i < size && line[i] != ';') {
        return SOURCE_MALFORMED;
    }
    *value = sum;
    return 0;
}

static int read_trailers(struct http_body *body, size_t fill)
{
    unsigned char line[HTTP_LINE_BYTES];
    for (int i = 0; i < HTTP_TRAILER_LINES; ++i) {
        size_t size;
        const int end = buffered_reader_line(body->reader, line, sizeof line, fill, &size);
        if (end != 0 || size == 0) {
            return end;
        }
    }
    return SOURCE_MALFORMED;
}

/*
 * One line of the framing: the end of the current chunk, or the beginning of the next one.
 * wanted: bytes that the caller waits for; bulk data goes past the reader's buffer, so that only
 *         little of it should be caught there together with the line
 */
static int read_framing(struct http_body *body, size_t wanted)
{
    const size_t fill = wanted < READER_BUFFER_BYTES ? READER_BUFFER_BYTES : READER_PEEK_BYTES;
    unsigned char line[HTTP_LINE_BYTES];
    const size_t capacity = body->in_chunk ? 0 : sizeof line;
    size_t size;
    int end = buffered_reader_line(body->reader, line, capacity, fill, &size);
    if (end != 0 || body->in_chunk) {
        body->in_chunk = false;
        return end;
    }
    end = parse_chunk_size(line, size, &body->left);
    if (end != 0) {
        return end;
    }
    if (body->left > 0) {
        body->in_chunk = true;
        return 0;
    }
    end = read_trailers(body, fill);
    if (end == 0) {
        body->done = true;
        body->end = SOURCE_END;
    }
    return end;
}

static ptrdiff_t stop(struct http_body *body, int end)
{
    body->done = true;
    body->end = end;
    if (end == SOURCE_FAILED) {
        body->source.error = body->reader->source.error;
    }
    return end;
}

/* One read from below, or one line: bytes that were delivered, 0 for a line, or an end. */
static ptrdiff_t read_step(struct http_body *body, unsigned char *to, size_t size)
{
    if (body->left == 0) {
        if (body->framing == HTTP_CHUNKED) {
            const int end = read_framing(body, size);
            return end == 0 ? 0 : stop(body, end);
        }
        return stop(body, SOURCE_END);
    }
    const size_t most = size < body->left ? size : (size_t)body->left;
    const ptrdiff_t n = source_read(&body->reader->source, to, most);
    if (n <= 0) {
        const bool early = n == SOURCE_END && body->framing != HTTP_UNTIL_CLOSE;
        return stop(body, early ? SOURCE_CUT : (int)n);
    }
    body->left -= (uint64_t)n;
    return n;
}

static ptrdiff_t body_read(struct source *source, void *to, size_t size)
{
    struct http_body *body = (struct http_body *)source;
    size_t got = 0;
    while (got < size && !body->done) {
        const ptrdiff_t n = read_step(body, (unsigned char *)to + got, size - got);
        got += n > 0 ? (size_t)n : 0;
        if (got > 0 && body->reader->next == body->reader->end) {
            break; /* going on could mean to wait */
        }
    }
    body->n_bytes += got;
    return got > 0 ? (ptrdiff_t)got : body->end;
}

void http_body_init(struct http_body *body, struct buffered_reader *reader,
                    enum http_framing framing, uint64_t length_bytes)
{
    *body = (struct http_body){
        .source = {.read = body_read},
        .reader = reader,
        .framing = framing,
        .left = framing == HTTP_LENGTH        ? length_bytes
                : framing == HTTP_UNTIL_CLOSE ? UINT64_MAX
                                              : 0,
    };
}

bool http_body_drain(struct http_body *body, uint64_t most_bytes)
{
    unsigned char scratch[4096];
    uint64_t drained = 0;
    while (!body->done && drained <= most_bytes) {
        const ptrdiff_t n = source_read(&body->source, scratch, sizeof scratch);
        drained += n > 0 ? (uint64_t)n : 0;
    }
    return body->done && body->end == SOURCE_END && body->framing != HTTP_UNTIL_CLOSE;
}
