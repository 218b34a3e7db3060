/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of an HTTP/1.1 response: its status, how its body is framed, and when to come again.
 *
 * Only what a client of a remote procedure needs is kept. Lines come from a buffered reader, or one
 * by one from an HTTP library.
 *
 * source: RFC 9112, sections 4, 5 and 6.3; RFC 9110, section 10.2.3
 */
#ifndef CASES_BYTES_HTTP_HEAD_H
#define CASES_BYTES_HTTP_HEAD_H

#include "bytes/http_body.h"

/* A head with more lines than this is refused. */
#define HTTP_HEAD_LINES 200

#define HTTP_RETRY_AFTER_BYTES 64

struct http_head {
    int status; /* 100 … 999; 0 before there was a status line                                  */
    enum http_framing framing;
    uint64_t length_bytes; /* of HTTP_LENGTH                                                    */
    bool retry_after;      /* there was such a header; its text is:                             */
    char retry_after_text[HTTP_RETRY_AFTER_BYTES]; /* without blanks around it, cut if longer   */
};

/*
 * Takes in one line of a head. A status line begins the head anew, so that of several responses
 * (100 Continue, and the real one) the last one counts.
 * line:    without CR LF
 * returns: 0, or SOURCE_MALFORMED: no status line where one should be, a length that is none
 */
SOURCE_MUST_USE int http_head_line(struct http_head *head, const char *line, size_t size);

/*
 * Reads a head up to the empty line behind it, those of interim responses included.
 * returns: 0, or an enum source_end
 */
SOURCE_MUST_USE int http_head_read(struct http_head *head, struct buffered_reader *reader);

#endif
