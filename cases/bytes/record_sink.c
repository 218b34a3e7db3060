/* SPDX-License-Identifier: Apache-2.0
 *
 * A memory sink with a list of the sizes of its writes.
 */
#include "bytes/record_sink.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define FIRST_SIZES ((size_t)64)

static int note_size(struct record_sink *record, size_t size)
{
    if (record->n_writes == record->sizes_capacity) {
        const size_t capacity = record->n_writes == 0 ? FIRST_SIZES : 2 * record->n_writes;
        size_t *sizes = realloc(record->sizes, capacity * sizeof *sizes);
        if (sizes == NULL) {
            return record->sink.error = ENOMEM;
        }
        record->sizes = sizes;
        record->sizes_capacity = capacity;
    }
    record->sizes[record->n_writes++] = size;
    return 0;
}

/* Takes over the outcome of an operation on the memory below, and its room. */
static int settle(struct record_sink *record, int error)
{
    record->sink.next = record->bytes.sink.next;
    record->sink.room = record->bytes.sink.room;
    if (error != 0) {
        record->sink.error = error;
    }
    return error;
}

static int record_write(struct sink *sink, const void *data, size_t size)
{
    struct record_sink *record = (struct record_sink *)sink;
    const int error = settle(record, sink_write(&record->bytes.sink, data, size));
    return error != 0 ? error : note_size(record, size);
}

static int record_grow(struct sink *sink, size_t size)
{
    struct record_sink *record = (struct record_sink *)sink;
    return settle(record, record->bytes.sink.grow(&record->bytes.sink, size));
}

static int record_commit(struct sink *sink, size_t size)
{
    struct record_sink *record = (struct record_sink *)sink;
    assert(size <= sink->room);
    const int error = settle(record, sink_commit(&record->bytes.sink, size));
    return error != 0 ? error : note_size(record, size);
}

void record_sink_init(struct record_sink *record)
{
    *record = (struct record_sink){
        .sink = {.write = record_write, .grow = record_grow, .commit = record_commit},
    };
    memory_sink_init(&record->bytes, NULL, 0);
}

void record_sink_reset(struct record_sink *record)
{
    memory_sink_reset(&record->bytes);
    record->sink.error = 0;
    record->n_writes = 0;
    (void)settle(record, 0);
}

void record_sink_release(struct record_sink *record)
{
    memory_sink_release(&record->bytes);
    free(record->sizes);
    *record = (struct record_sink){.sizes = NULL};
}
