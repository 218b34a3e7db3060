/* SPDX-License-Identifier: Apache-2.0
 *
 * A sink that is growable memory: the message buffer of a driver.
 *
 * It starts in storage that the caller lends, or in none, and moves to the heap when that is full.
 * A benchmark lends it storage that is large enough, so that nothing is allocated while timed.
 */
#ifndef CASES_BYTES_MEMORY_SINK_H
#define CASES_BYTES_MEMORY_SINK_H

#include <stdbool.h>

#include "bytes/sink.h"
#include "pairbench.h"

struct memory_sink {
    struct sink sink;
    unsigned char *data; /* what was written: data up to sink.next                              */
    size_t capacity;
    bool owned; /* data is on the heap and ours                                                 */
};

/*
 * storage: capacity bytes, kept until release; NULL with 0 to start on the heap
 */
void memory_sink_init(struct memory_sink *memory, void *storage, size_t capacity);
void memory_sink_release(struct memory_sink *memory);

/* Forgets what was written and keeps the memory. */
static inline void memory_sink_reset(struct memory_sink *memory)
{
    memory->sink.next = memory->data;
    memory->sink.room = memory->capacity;
}

/* What was written since the last reset; valid until the next write or reserve. */
static inline struct pb_bytes memory_sink_bytes(const struct memory_sink *memory)
{
    return (struct pb_bytes){memory->data, memory->capacity - memory->sink.room};
}

#endif
