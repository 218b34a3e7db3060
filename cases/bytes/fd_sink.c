/* SPDX-License-Identifier: Apache-2.0
 *
 * A file descriptor as a sink. What is reserved lies in a memory sink that is never written to, so
 * that growing and limits are the same as there.
 */
#include "bytes/fd_sink.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

static int fd_write(struct sink *sink, const void *data, size_t size)
{
    struct fd_sink *out = (struct fd_sink *)sink;
    const unsigned char *next = data;
    do {
        ++out->n_syscalls;
        const ssize_t n = write(out->fd, next, size);
        if (n > 0) {
            next += n;
            size -= (size_t)n;
        } else if (n < 0 && errno != EINTR) {
            return sink->error = errno;
        } else if (n == 0 && size > 0) {
            return sink->error = EIO; /* neither progress nor a reason: asking again may not end */
        }
    } while (size > 0);
    return 0;
}

static void offer_staging(struct fd_sink *out)
{
    out->sink.next = out->staging.sink.next;
    out->sink.room = out->staging.sink.room;
}

static int fd_grow(struct sink *sink, size_t size)
{
    struct fd_sink *out = (struct fd_sink *)sink;
    const int error = out->staging.sink.grow(&out->staging.sink, size);
    if (error != 0) {
        return sink->error = error;
    }
    offer_staging(out);
    return 0;
}

static int fd_commit(struct sink *sink, size_t size)
{
    assert(size <= sink->room);
    return fd_write(sink, sink->next, size);
}

void fd_sink_init(struct fd_sink *out, int fd, void *storage, size_t capacity)
{
    *out = (struct fd_sink){
        .sink = {.write = fd_write, .grow = fd_grow, .commit = fd_commit},
        .fd = fd,
    };
    memory_sink_init(&out->staging, storage, capacity);
    offer_staging(out);
}

void fd_sink_release(struct fd_sink *out)
{
    memory_sink_release(&out->staging);
    *out = (struct fd_sink){.fd = -1};
}
