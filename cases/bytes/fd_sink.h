/* SPDX-License-Identifier: Apache-2.0
 *
 * A sink that is a file descriptor: each write is one system call, as for an unbuffered socket.
 *
 * A write that the kernel takes only in part, or that a signal interrupts, is continued; only then
 * is it more than one system call. A write of no bytes is a system call too.
 */
#ifndef CASES_BYTES_FD_SINK_H
#define CASES_BYTES_FD_SINK_H

#include "bytes/memory_sink.h"

struct fd_sink {
    struct sink sink;
    struct memory_sink staging; /* what is reserved and not yet committed                       */
    int fd;                     /* the caller's, never closed here; may be replaced             */
    uint64_t n_syscalls;        /* calls of write(2) so far                                     */
};

/*
 * fd:      open for writing; borrowed
 * storage: as for memory_sink_init(), for what is reserved
 */
void fd_sink_init(struct fd_sink *out, int fd, void *storage, size_t capacity);
void fd_sink_release(struct fd_sink *out);

#endif
