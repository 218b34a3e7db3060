/* SPDX-License-Identifier: Apache-2.0
 *
 * A file descriptor as a source. A read that a signal interrupts is made again.
 */
#include "bytes/fd_source.h"

#include <errno.h>
#include <unistd.h>

static ptrdiff_t fd_read(struct source *source, void *to, size_t size)
{
    struct fd_source *in = (struct fd_source *)source;
    if (source->error != 0) {
        return SOURCE_FAILED;
    }
    ssize_t n;
    do {
        n = read(in->fd, to, size);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        source->error = errno;
        return SOURCE_FAILED;
    }
    return n;
}

void fd_source_init(struct fd_source *in, int fd)
{
    *in = (struct fd_source){.source = {.read = fd_read}, .fd = fd};
}
