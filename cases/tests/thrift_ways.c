/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of ways, and the sources that each needs.
 */
#include "thrift_ways.h"

#include <stdio.h>
#include <string.h>

#define OLD       .kind = TRANSPORT_PLAIN, .path = THRIFT_PATH_GENERIC
#define NEW       .kind = TRANSPORT_BUFFERED, .path = THRIFT_PATH_FAST
#define SLOW      .kind = TRANSPORT_BUFFERED, .generic_only = true, .path = THRIFT_PATH_GENERIC
#define CHUNKS(n) .framing = HTTP_CHUNKED, .http_chunk = (n)

const struct thrift_way thrift_ways[] = {
    {.name = "old", OLD},
    {.name = "new", NEW},
    {.name = "old, chunks of 3", OLD, CHUNKS(3)},
    {.name = "new, chunks of 1", NEW, CHUNKS(1)},
    {.name = "new, chunks of 7 in reads of 5", NEW, CHUNKS(7), .piece = 5},
    {.name = "new, reads of 1", NEW, .piece = 1},
    {.name = "new, chunks of 8192 without a last one", NEW, CHUNKS(8192), .no_last_chunk = true},
    {.name = "old, one chunk without a last one", OLD, CHUNKS(SIZE_MAX), .no_last_chunk = true},
    {.name = "new, until the connection closes", NEW, .framing = HTTP_UNTIL_CLOSE},
    {.name = "buffered, without the fast path", SLOW},
    {.name = "buffered, without the fast path, reads of 2", SLOW, .piece = 2},
};
const size_t n_thrift_ways = sizeof thrift_ways / sizeof thrift_ways[0];

struct pb_bytes chunked_body(struct pb_bytes bytes, size_t chunk, bool last, struct scrap *scrap)
{
    const size_t whole = bytes.size < chunk ? bytes.size + 1 : chunk;
    const size_t n_chunks = bytes.size / whole + 2;
    char *body = scrap_alloc(scrap, bytes.size + n_chunks * 24);
    size_t size = 0;
    for (size_t i = 0; i < bytes.size; i += whole) {
        const size_t n = bytes.size - i < whole ? bytes.size - i : whole;
        size += (size_t)sprintf(body + size, "%zx\r\n", n);
        memcpy(body + size, (const char *)bytes.data + i, n);
        size += n;
        size += (size_t)sprintf(body + size, "\r\n");
    }
    if (last) {
        size += (size_t)sprintf(body + size, "0\r\n\r\n");
    }
    return (struct pb_bytes){body, size};
}

void thrift_road_build(struct thrift_road *road, const struct thrift_way *way,
                       struct pb_bytes message, struct scrap *scrap)
{
    const bool chunked = way->framing == HTTP_CHUNKED;
    const struct pb_bytes body =
        chunked ? chunked_body(message, way->http_chunk, !way->no_last_chunk, scrap) : message;
    memory_source_init(&road->memory, body);
    shaped_source_init(
        &road->shaped, &road->memory.source,
        &(struct source_shape){.sizes = &way->piece, .n_sizes = way->piece > 0 ? 1 : 0});
    buffered_reader_init(&road->reader, &road->shaped.source);
    http_body_init(&road->body, &road->reader, way->framing, message.size);
}

size_t thrift_road_consumed(const struct thrift_road *road, const struct thrift_decoder *decoder)
{
    return (size_t)road->body.n_bytes - (size_t)(decoder->transport.end - decoder->transport.next);
}
