/* SPDX-License-Identifier: Apache-2.0
 *
 * The body of an HTTP/1.1 response as a source: what lies behind the headers, without its framing.
 *
 * It knows how the body ends (a Content-Length, the chunked transfer coding, or the end of the
 * connection), accounts for every byte, never delivers one that follows the body, and turns what
 * can go wrong into the ends of source.h: a body that stops early is SOURCE_CUT, a framing that
 * makes no sense is SOURCE_MALFORMED.
 *
 * A read copies out of the reader below and never lends memory, and it never waits for more once it
 * has something: a complete message is there for its reader although the peer says nothing more.
 * What the peer sends is hostile: lines and trailers have limits, and nothing
 * is allocated.
 *
 * source: RFC 9112, sections 6.3 and 7.1
 */
#ifndef CASES_BYTES_HTTP_BODY_H
#define CASES_BYTES_HTTP_BODY_H

#include <stdbool.h>

#include "bytes/buffered_reader.h"

/* A chunk's size line with its extensions, and each trailer line, may have this many bytes. */
#define HTTP_LINE_BYTES ((size_t)4096)
/* A peer that sends more trailer lines than this is refused. */
#define HTTP_TRAILER_LINES 100

enum http_framing {
    HTTP_LENGTH,      /* Content-Length                                                         */
    HTTP_CHUNKED,     /* Transfer-Encoding: chunked                                             */
    HTTP_UNTIL_CLOSE, /* neither: all that comes                                                */
};

struct http_body {
    struct source source;
    struct buffered_reader *reader;
    enum http_framing framing;
    uint64_t left;    /* bytes of the body, or of the current chunk, still to come              */
    uint64_t n_bytes; /* of the body, delivered so far                                          */
    bool in_chunk;    /* a chunk was begun and its closing CR LF not yet read                   */
    bool done;
    int end; /* enum source_end, valid when done                                                */
};

/*
 * reader:       stands at the body's first byte; borrowed until the last read
 * length_bytes: of HTTP_LENGTH; otherwise ignored
 */
void http_body_init(struct http_body *body, struct buffered_reader *reader,
                    enum http_framing framing, uint64_t length_bytes);

/*
 * Reads and forgets what is left, as a client does before it uses the connection again.
 * most_bytes: gives up after this many
 * returns:    whether the whole body came and the reader stands behind it: the connection can be
 *             used again
 */
bool http_body_drain(struct http_body *body, uint64_t most_bytes);

#endif
