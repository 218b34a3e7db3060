/* SPDX-License-Identifier: Apache-2.0
 *
 * The server: a thread that waits for a connection, for its requests, and for being told to stop.
 */
#include "bytes/http_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* A request's head, and what of its body came with it. */
#define REQUEST_BYTES ((size_t)65536)

struct http_server {
    const struct http_answer *answers;
    size_t n_answers;
    int listening;
    int port;
    int stop[2]; /* a pipe: what becomes readable ends the thread                               */
    pthread_t thread;
    atomic_uint n_requests;
    atomic_uint n_connections;
    char request[REQUEST_BYTES];
};

/* Waits until fd can be read; false when the server is to stop. */
static bool wait_for(const struct http_server *server, int fd)
{
    struct pollfd fds[2] = {{.fd = server->stop[0], .events = POLLIN},
                            {.fd = fd, .events = POLLIN}};
    int n;
    do {
        n = poll(fds, 2, -1);
    } while (n < 0 && errno == EINTR);
    return n > 0 && fds[0].revents == 0;
}

static bool send_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        const ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n <= 0) {
            return false;
        }
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static ssize_t receive(const struct http_server *server, int fd, void *to, size_t size)
{
    return wait_for(server, fd) ? recv(fd, to, size, 0) : -1;
}

static size_t content_length(const char *head)
{
    for (const char *line = head; line != NULL; line = strstr(line, "\r\n")) {
        line += line == head ? 0 : 2;
        if (strncasecmp(line, "Content-Length:", 15) == 0) {
            return strtoul(line + 15, NULL, 10);
        }
    }
    return 0;
}

/* Reads a request and forgets it. */
static bool read_request(struct http_server *server, int fd)
{
    size_t held = 0;
    const char *end = NULL;
    while (end == NULL) {
        const ssize_t n = receive(server, fd, server->request + held, REQUEST_BYTES - 1 - held);
        if (n <= 0) {
            return false;
        }
        held += (size_t)n;
        server->request[held] = '\0';
        end = strstr(server->request, "\r\n\r\n");
    }
    size_t left = content_length(server->request);
    const size_t came = held - (size_t)(end + 4 - server->request);
    left = left > came ? left - came : 0;
    if (strcasestr(server->request, "\r\nExpect: 100-continue") != NULL &&
        !send_all(fd, "HTTP/1.1 100 Continue\r\n\r\n", 25)) {
        return false;
    }
    while (left > 0) {
        const ssize_t n =
            receive(server, fd, server->request, left < REQUEST_BYTES ? left : REQUEST_BYTES);
        if (n <= 0) {
            return false;
        }
        left -= (size_t)n;
    }
    return true;
}

/* The body in its framing. */
static char *frame_body(const struct http_answer *answer, size_t *size)
{
    char *body = malloc(answer->body.size + 64);
    size_t n = 0;
    if (body == NULL) {
        return NULL;
    }
    if (answer->chunked && answer->body.size > 0) {
        n = (size_t)sprintf(body, "%zx\r\n", answer->body.size);
    }
    if (answer->body.size > 0) {
        memcpy(body + n, answer->body.data, answer->body.size);
        n += answer->body.size;
    }
    if (answer->chunked) {
        n += (size_t)sprintf(body + n, "%s%s", answer->body.size > 0 ? "\r\n" : "",
                             answer->no_last_chunk ? "" : "0\r\n\r\n");
    }
    *size = n;
    return body;
}

/* returns: whether the connection stays */
static bool send_answer(int fd, const struct http_answer *answer)
{
    char head[1024];
    char framing[64] = "Transfer-Encoding: chunked";
    size_t size;
    char *body = frame_body(answer, &size);
    if (body == NULL) {
        return false;
    }
    if (!answer->chunked) {
        snprintf(framing, sizeof framing, "Content-Length: %zu", answer->body.size);
    }
    const int n = snprintf(head, sizeof head, "HTTP/1.1 %d Status\r\n%s\r\n%s\r\n", answer->status,
                           framing, answer->headers != NULL ? answer->headers : "");
    if (answer->cut && answer->cut_bytes < size) {
        size = answer->cut_bytes;
    }
    const bool sent = n > 0 && (size_t)n < sizeof head && send_all(fd, head, (size_t)n) &&
                      send_all(fd, body, size);
    free(body);
    return sent && !answer->cut && !answer->no_last_chunk;
}

static void serve_connection(struct http_server *server, int fd)
{
    bool stays = true;
    while (stays && read_request(server, fd)) {
        const size_t i = atomic_fetch_add(&server->n_requests, 1);
        const size_t last = server->n_answers - 1;
        stays = send_answer(fd, &server->answers[i < last ? i : last]);
    }
}

static void *serve(void *argument)
{
    struct http_server *server = argument;
    while (wait_for(server, server->listening)) {
        const int fd = accept(server->listening, NULL, NULL);
        const int on = 1;
        if (fd >= 0) {
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            atomic_fetch_add(&server->n_connections, 1);
            serve_connection(server, fd);
            close(fd);
        }
    }
    return NULL;
}

static int listen_on_loopback(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 16) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        close(fd);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static void release(struct http_server *server)
{
    if (server->listening >= 0) {
        close(server->listening);
    }
    if (server->stop[0] >= 0) {
        close(server->stop[0]);
        close(server->stop[1]);
    }
    free(server);
}

struct http_server *http_server_start(const struct http_answer *answers, size_t n_answers)
{
    struct http_server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return NULL;
    }
    server->answers = answers;
    server->n_answers = n_answers;
    server->stop[0] = server->stop[1] = -1;
    server->listening = listen_on_loopback(&server->port);
    if (server->listening < 0 || pipe(server->stop) != 0) {
        release(server);
        return NULL;
    }
    const int error = pthread_create(&server->thread, NULL, serve, server);
    if (error != 0) {
        release(server);
        errno = error;
        return NULL;
    }
    return server;
}

void http_server_stop(struct http_server *server)
{
    if (server == NULL) {
        return;
    }
    while (write(server->stop[1], "", 1) < 0 && errno == EINTR) {
    }
    pthread_join(server->thread, NULL);
    release(server);
}

int http_server_port(const struct http_server *server)
{
    return server->port;
}

unsigned http_server_requests(struct http_server *server)
{
    return atomic_load(&server->n_requests);
}

unsigned http_server_connections(struct http_server *server)
{
    return atomic_load(&server->n_connections);
}
