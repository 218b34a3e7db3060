/* SPDX-License-Identifier: Apache-2.0
 *
 * A source that is a file descriptor: each read is one system call, as for an unbuffered socket.
 */
#ifndef CASES_BYTES_FD_SOURCE_H
#define CASES_BYTES_FD_SOURCE_H

#include "bytes/source.h"

struct fd_source {
    struct source source;
    int fd; /* the caller's, never closed here                                                  */
};

/*
 * fd: open for reading, blocking; borrowed
 */
void fd_source_init(struct fd_source *in, int fd);

#endif
