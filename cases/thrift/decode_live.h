/* SPDX-License-Identifier: Apache-2.0
 *
 * A real connection for thrift/decode_reply: a server on the loopback interface that answers each
 * request with the same reply, and the client's end of it.
 *
 * What a real server and network would add is not in it: it shows what decoding is worth beside
 * system calls and the kernel's copies.
 */
#ifndef CASES_THRIFT_DECODE_LIVE_H
#define CASES_THRIFT_DECODE_LIVE_H

#include "bytes/fd_source.h"
#include "bytes/http_head.h"
#include "bytes/http_server.h"

struct decode_live {
    int fd; /* of the connection; -1: there is none                                             */
    struct fd_source source;
};

/*
 * Connects to a server on the loopback interface.
 * returns: 0, or an errno
 */
int decode_live_connect(struct decode_live *live, int port);
void decode_live_close(struct decode_live *live);

/*
 * Sends a request and reads the head of the response.
 * reader:  receives the response; its head is read
 * returns: 0, or an enum source_end
 */
SOURCE_MUST_USE int decode_live_ask(struct decode_live *live, struct buffered_reader *reader,
                                    struct http_head *head);

#endif
