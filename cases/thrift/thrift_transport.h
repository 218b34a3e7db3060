/* SPDX-License-Identifier: Apache-2.0
 *
 * What lies between a decoder and the body of a reply: the plain transport, which hands each read
 * on, and the buffered one, which refills a window from the body and lets a decoder look into it.
 *
 * The buffered transport reads into chunks of 1 MiB and leaves what it read where it is: decoded
 * strings point there. A field that doesn't fit the rest of a chunk gets a buffer of its own, as
 * large as the field, which short reads fill in place. Of a field, only what was read ahead of
 * knowing its length is moved, once: so where large fields are likely, which is behind a large
 * field, the transport reads ahead less, and from there on more again.
 *
 * The rule to know: bytes of the body come before its bad news, so what is wrong behind a complete
 * message is never noticed.
 */
#ifndef CASES_THRIFT_THRIFT_TRANSPORT_H
#define CASES_THRIFT_THRIFT_TRANSPORT_H

#include "bytes/source.h"
#include "thrift/reply_memory.h"
#include "thrift/thrift.h"

#define TRANSPORT_CHUNK_BYTES ((size_t)1 << 20)

/* A window of at least this much can always be asked for; more is a field. */
#define TRANSPORT_WINDOW_BYTES ((size_t)16)

enum transport_kind {
    TRANSPORT_PLAIN,
    TRANSPORT_BUFFERED,
};

struct thrift_transport {
    enum transport_kind kind;
    struct source *body;
    struct reply_memory *memory;
    /* The window of the buffered transport. At end lie REPLY_PAD_BYTES zeros.                  */
    const unsigned char *next;
    const unsigned char *end;
    unsigned char *limit; /* end of the chunk                                                   */
    size_t look_ahead;    /* bytes to ask for beyond what is needed                             */
    int stopped;          /* enum source_end that the body returned; 1 before that              */
    uint64_t n_reads;     /* primitives read through thrift_transport_read()                    */
    uint64_t n_moved;     /* bytes copied a second time, to join what was read ahead            */
    uint64_t n_own;       /* fields that got a buffer of their own                              */
};

/*
 * body, memory: borrowed until the reply is decoded
 */
void thrift_transport_init(struct thrift_transport *transport, enum transport_kind kind,
                           struct source *body, struct reply_memory *memory);

/* Says that a large field may come soon, as the last reply had them. */
void thrift_transport_expect_large(struct thrift_transport *transport);

/*
 * Reads exactly size bytes. size 0 reads nothing.
 * errors: THRIFT_TRUNCATED, THRIFT_BAD_BODY, THRIFT_SOURCE_FAILED
 */
THRIFT_MUST_USE enum thrift_code thrift_transport_read(struct thrift_transport *transport, void *to,
                                                       size_t size);

/*
 * Reads a field of exactly size bytes and keeps it.
 * data:   receives where it lies, valid as long as the reply
 * errors: as thrift_transport_read(), and THRIFT_NO_MEMORY
 */
THRIFT_MUST_USE enum thrift_code thrift_transport_field(struct thrift_transport *transport,
                                                        size_t size, const void **data);

/*
 * Reads size bytes and forgets them, in constant memory.
 * errors: as thrift_transport_read(), and THRIFT_NO_MEMORY
 */
THRIFT_MUST_USE enum thrift_code thrift_transport_skip(struct thrift_transport *transport,
                                                       size_t size);

/*
 * Buffered only: makes the window hold at least `need` bytes if the body has them. The body is
 * asked only if there are fewer: behind a complete message it may have nothing to say, and not end
 * either. need:    1 … TRANSPORT_WINDOW_BYTES returns: THRIFT_OK also when the window stays shorter
 * because the body ended: the bytes that are there are good; THRIFT_NO_MEMORY
 */
THRIFT_MUST_USE enum thrift_code thrift_transport_window(struct thrift_transport *transport,
                                                         size_t need);

/*
 * returns: what the end of the body means to a decoder that wants more
 */
enum thrift_code thrift_transport_end(const struct thrift_transport *transport);

#endif
