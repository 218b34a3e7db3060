/* SPDX-License-Identifier: Apache-2.0
 *
 * An HTTP/1.1 server on the loopback interface that answers requests from a script, whatever they
 * ask: for tests, and for measuring over a real connection.
 *
 * It runs in a thread of its own and serves one connection at a time. It isn't made to face anybody
 * but the process that started it.
 */
#ifndef CASES_BYTES_HTTP_SERVER_H
#define CASES_BYTES_HTTP_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "pairbench.h"

/* One answer. */
struct http_answer {
    int status;
    const char *headers; /* further header lines, each with CR LF; NULL: none                   */
    struct pb_bytes body;
    bool chunked;
    bool no_last_chunk; /* of a chunked body: closes without it                                 */
    bool cut;           /* sends only cut_bytes of the framed body, then closes                 */
    size_t cut_bytes;
};

struct http_server;

/*
 * Starts a server on a free port.
 * answers: to the first, second … request; the last one also to all that follow. Kept until stop
 * returns: NULL with errno when that fails
 */
struct http_server *http_server_start(const struct http_answer *answers, size_t n_answers);

/* Ends the thread and closes everything. */
void http_server_stop(struct http_server *server);

int http_server_port(const struct http_server *server);

/* How many requests were answered so far, and on how many connections. */
unsigned http_server_requests(struct http_server *server);
unsigned http_server_connections(struct http_server *server);

#endif
