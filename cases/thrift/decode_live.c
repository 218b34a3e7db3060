/* SPDX-License-Identifier: Apache-2.0
 *
 * The client's end.
 */
#include "thrift/decode_live.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int decode_live_connect(struct decode_live *live, int port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                        .sin_port = htons((uint16_t)port)};
    live->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (live->fd < 0 || connect(live->fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        const int error = errno;
        decode_live_close(live);
        return error;
    }
    fd_source_init(&live->source, live->fd);
    return 0;
}

void decode_live_close(struct decode_live *live)
{
    if (live->fd >= 0) {
        close(live->fd);
    }
    live->fd = -1;
}

int decode_live_ask(struct decode_live *live, struct buffered_reader *reader,
                    struct http_head *head)
{
    /* What is asked does not matter to the server; a real request is about as long. */
    static const char request[] = "POST / HTTP/1.1\r\nHost: localhost\r\n"
                                  "Content-Type: application/x-thrift\r\n"
                                  "Content-Length: 0\r\n\r\n";
    if (send(live->fd, request, sizeof request - 1, MSG_NOSIGNAL) != sizeof request - 1) {
        return SOURCE_FAILED;
    }
    buffered_reader_init(reader, &live->source.source);
    return http_head_read(head, reader);
}
