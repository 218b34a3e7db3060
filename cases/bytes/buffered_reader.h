/* SPDX-License-Identifier: Apache-2.0
 *
 * An 8 KiB read buffer in front of a source, as an HTTP library has in front of its socket.
 *
 * Small reads are served from the buffer. A read of at least the buffer's size that finds it empty
 * goes past it, so that bulk data is copied once.
 */
#ifndef CASES_BYTES_BUFFERED_READER_H
#define CASES_BYTES_BUFFERED_READER_H

#include "bytes/source.h"

#define READER_BUFFER_BYTES ((size_t)8192)

/* What a line costs to look for when bulk data is read: a chunk's size line is far shorter. */
#define READER_PEEK_BYTES ((size_t)128)

struct buffered_reader {
    struct source source; /* an ordinary source to whom does not read lines                     */
    struct source *inner;
    size_t next; /* index of the next byte in the buffer                                        */
    size_t end;  /* index after the last byte                                                   */
    unsigned char buffer[READER_BUFFER_BYTES];
};

/*
 * inner: borrowed until the last read
 */
void buffered_reader_init(struct buffered_reader *reader, struct source *inner);

/*
 * One line that ends in CR LF.
 * line:    receives the bytes before CR LF; room for capacity bytes
 * fill:    how many bytes to ask the inner source for when the buffer is empty, 1 …
 *          READER_BUFFER_BYTES
 * size:    receives the length of the line
 * returns: 0; SOURCE_CUT when the source ends first; SOURCE_MALFORMED for a longer line, and for a
 *          CR or an LF alone; SOURCE_FAILED as the source says
 */
SOURCE_MUST_USE int buffered_reader_line(struct buffered_reader *reader, unsigned char *line,
                                         size_t capacity, size_t fill, size_t *size);

#endif
