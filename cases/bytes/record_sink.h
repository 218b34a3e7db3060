/* SPDX-License-Identifier: Apache-2.0
 *
 * A sink that remembers every write: how many there were, how large each was, and the bytes.
 * For counts and tests, never for timing.
 */
#ifndef CASES_BYTES_RECORD_SINK_H
#define CASES_BYTES_RECORD_SINK_H

#include "bytes/memory_sink.h"

struct record_sink {
    struct sink sink;
    struct memory_sink bytes; /* all that was written                                           */
    size_t *sizes;            /* of each write, bytes                                           */
    size_t n_writes;
    size_t sizes_capacity;
};

void record_sink_init(struct record_sink *record);
void record_sink_reset(struct record_sink *record);
void record_sink_release(struct record_sink *record);

#endif
