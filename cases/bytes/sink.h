/* SPDX-License-Identifier: Apache-2.0
 *
 * Where encoded bytes go: what every encoder of this suite writes to.
 *
 * A sink takes bytes in two ways. sink_write() hands over a field that lies somewhere else, one
 * opaque call each, as a program does that calls write() on a file object. sink_reserve() and
 * sink_commit() let an encoder build a whole message in the sink's own memory and hand it over
 * with one call: a large value is copied once, from the caller into the sink, never through a
 * scratch buffer. A commit is one write, exactly as one sink_write() of the same bytes.
 *
 * The rule to know: what is reserved is nobody's until it is committed. The next reserve, write or
 * reset forgets it, so an encoder that gives up half-way leaves no trace.
 *
 * Depends on libc only. The kinds of sink are in memory_sink.h, fd_sink.h and record_sink.h.
 */
#ifndef CASES_BYTES_SINK_H
#define CASES_BYTES_SINK_H

#include <stddef.h>
#include <stdint.h>

/*
 * No sink holds or offers more than this at a time: far above the 256 MiB that any protocol here
 * allows for a message, and below 2^31, so that what fits has a length that fits an int32.
 */
#define SINK_LIMIT_BYTES ((size_t)1 << 30)
_Static_assert(SINK_LIMIT_BYTES < INT32_MAX, "what fits a sink has an int32 length");

#define SINK_MUST_USE __attribute__((warn_unused_result))

/* The part that all sinks have; the first member of each. Callers use the functions below. */
struct sink {
    unsigned char *next; /* where reserved bytes go                                             */
    size_t room;         /* how many can go there without asking; at most SINK_LIMIT_BYTES      */
    int (*write)(struct sink *sink, const void *data, size_t size);
    int (*grow)(struct sink *sink, size_t size);
    int (*commit)(struct sink *sink, size_t size);
    int error; /* errno of the last failure; 0 when there was none                              */
};

/*
 * One write of bytes that lie elsewhere.
 * data:    size bytes, borrowed for the call; may be NULL when size is 0
 * returns: 0, or an errno, which sink->error keeps
 * errors:  ENOMEM, EFBIG (beyond SINK_LIMIT_BYTES): nothing was taken; what write(2) reports: a
 *          part may have been taken
 */
SINK_MUST_USE static inline int sink_write(struct sink *sink, const void *data, size_t size)
{
    return sink->write(sink, data, size);
}

/*
 * Room for size bytes in the sink's own memory; all of sink->room may be used. Nothing counts as
 * written before sink_commit().
 * returns: uninitialised memory, valid until the next call; NULL with sink->error ENOMEM or EFBIG
 */
SINK_MUST_USE static inline unsigned char *sink_reserve(struct sink *sink, size_t size)
{
    if (size > sink->room && sink->grow(sink, size) != 0) {
        return NULL;
    }
    return sink->next;
}

/*
 * One write of the first size bytes that were reserved.
 * size:    at most sink->room
 * returns: as sink_write()
 */
SINK_MUST_USE static inline int sink_commit(struct sink *sink, size_t size)
{
    return sink->commit(sink, size);
}

#endif
