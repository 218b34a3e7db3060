/* SPDX-License-Identifier: Apache-2.0
 *
 * Where encoded bytes come from: what every decoder of this suite reads from.
 *
 * A source delivers bytes in order, possibly fewer than were asked for, as a socket does. Sources
 * stack: an HTTP body reads from a buffered reader, which reads from memory or from a descriptor.
 *
 * The rule to know: bytes come before bad news. A read that got anything returns it, and what went
 * wrong is returned by the next read, and by every read after that.
 *
 * Depends on libc only. The kinds of source are in memory_source.h, fd_source.h, shaped_source.h,
 * buffered_reader.h and http_body.h.
 */
#ifndef CASES_BYTES_SOURCE_H
#define CASES_BYTES_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#define SOURCE_MUST_USE __attribute__((warn_unused_result))

/* What a read returns when there are no more bytes to come. */
enum source_end {
    SOURCE_END = 0,        /* all bytes were delivered                                          */
    SOURCE_CUT = -1,       /* it ended before the length that it had announced                  */
    SOURCE_MALFORMED = -2, /* what announces the lengths makes no sense                         */
    SOURCE_FAILED = -3,    /* the operating system, or a test, says no: `error` says why        */
};

/* The part that all sources have; the first member of each. Callers use source_read(). */
struct source {
    ptrdiff_t (*read)(struct source *source, void *to, size_t size);
    uint64_t n_reads; /* calls of read so far                                                   */
    int error;        /* errno behind SOURCE_FAILED                                             */
};

/*
 * One read.
 * to:      room for size bytes, size >= 1
 * returns: 1 … size: that many bytes were delivered; otherwise an enum source_end
 */
SOURCE_MUST_USE static inline ptrdiff_t source_read(struct source *source, void *to, size_t size)
{
    ++source->n_reads;
    return source->read(source, to, size);
}

/*
 * Reads until size bytes are there.
 * got:     how many there are, also on failure
 * returns: 0, or the enum source_end that the source stopped with, SOURCE_END taken for SOURCE_CUT
 */
SOURCE_MUST_USE static inline int source_read_all(struct source *source, void *to, size_t size,
                                                  size_t *got)
{
    *got = 0;
    while (*got < size) {
        const ptrdiff_t n = source_read(source, (unsigned char *)to + *got, size - *got);
        if (n <= 0) {
            return n == SOURCE_END ? SOURCE_CUT : (int)n;
        }
        *got += (size_t)n;
    }
    return 0;
}

#endif
