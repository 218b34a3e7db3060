/* SPDX-License-Identifier: Apache-2.0
 *
 * A source that makes another one difficult: short reads of given sizes, an early end, a failure.
 * For tests, fuzzers and counts.
 */
#ifndef CASES_BYTES_SHAPED_SOURCE_H
#define CASES_BYTES_SHAPED_SOURCE_H

#include "bytes/source.h"

/* How to deliver. All zero changes nothing. */
struct source_shape {
    const size_t *sizes; /* the largest size of each read in turn, each >= 1, then from the start */
    size_t n_sizes;      /* 0: as many as the inner source delivers                             */
    size_t stop_after;   /* bytes; used when `stop` is set                                      */
    int stop;            /* 0: never; 1: end there, like a connection that closes; otherwise an
                            errno to fail with                                                  */
};

#define SOURCE_STOP_END 1

struct shaped_source {
    struct source source;
    struct source *inner;
    struct source_shape shape;
    size_t n_delivered; /* bytes                                                                */
    size_t turn;        /* index of the next size                                               */
};

/*
 * inner: borrowed until the last read
 * shape: copied; its sizes are kept until the last read
 */
void shaped_source_init(struct shaped_source *shaped, struct source *inner,
                        const struct source_shape *shape);

#endif
