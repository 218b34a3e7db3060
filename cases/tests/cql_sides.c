/* SPDX-License-Identifier: Apache-2.0
 *
 * One door to the encoders of both sides.
 */
#include "cql_sides.h"

#include <stdlib.h>
#include <string.h>

#include "cql/batch_send_body.h"
#include "cql/query_params.h"
#include "cql/write_value.h"

const char *const cql_side_names[2] = {[CQL_SIDE_OLD] = "old", [CQL_SIDE_NEW] = "new"};

static enum cql_code encode_values(const struct cql_line *line, enum cql_side side,
                                   struct sink *sink)
{
    for (size_t i = 0; i < line->n_values; ++i) {
        CQL_TRY(side == CQL_SIDE_OLD ? cql_write_value_old(&line->values[i], sink)
                                     : cql_write_value_new(&line->values[i], sink));
    }
    return CQL_OK;
}

enum cql_code cql_line_encode(const struct cql_line *line, const struct cql_protocol *protocol,
                              enum cql_side side, struct sink *sink)
{
    const bool old = side == CQL_SIDE_OLD;
    switch (line->message) {
    case CQL_MESSAGE_BATCH:
        return old ? cql_batch_send_body_old(&line->batch, protocol, sink)
                   : cql_batch_send_body_new(&line->batch, protocol, sink);
    case CQL_MESSAGE_QUERY:
        return old ? cql_query_send_body_old(&line->query, protocol, sink)
                   : cql_query_send_body_new(&line->query, protocol, sink);
    case CQL_MESSAGE_EXECUTE:
        return old ? cql_execute_send_body_old(&line->execute, protocol, sink)
                   : cql_execute_send_body_new(&line->execute, protocol, sink);
    case CQL_MESSAGE_PREPARE:
        return cql_prepare_send_body(&line->prepare, protocol, sink);
    case CQL_MESSAGE_VALUES:
        return encode_values(line, side, sink);
    }
    return CQL_TYPE;
}

bool bytes_equal(struct pb_bytes a, struct pb_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool fits_room(const struct cql_line *line, const struct cql_protocol *protocol,
                      enum cql_side side, struct pb_bytes bytes, size_t room)
{
    void *storage = malloc(room > 0 ? room : 1);
    if (storage == NULL) {
        return false;
    }
    struct memory_sink memory;
    memory_sink_init(&memory, storage, room);
    const bool ok = cql_line_encode(line, protocol, side, &memory.sink) == CQL_OK &&
                    bytes_equal(memory_sink_bytes(&memory), bytes);
    memory_sink_release(&memory);
    free(storage);
    return ok;
}

bool cql_line_fits_any_room(const struct cql_line *line, const struct cql_protocol *protocol,
                            enum cql_side side, struct pb_bytes bytes)
{
    const size_t n = bytes.size;
    const size_t rooms[] = {n, n > 0 ? n - 1 : 0, n / 2, n + 1, n + 100};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; ++i) {
        if (!fits_room(line, protocol, side, bytes, rooms[i])) {
            return false;
        }
    }
    return true;
}

size_t cql_line_head_size(const struct cql_line *line, const struct cql_protocol *protocol)
{
    struct cql_line head = *line;
    const struct cql_params params = {.consistency = 1};
    head.query.params = head.execute.params = params;
    struct record_sink record;
    record_sink_init(&record);
    const enum cql_code code = cql_line_encode(&head, protocol, CQL_SIDE_OLD, &record.sink);
    const size_t size = code == CQL_OK ? memory_sink_bytes(&record.bytes).size : SIZE_MAX;
    record_sink_release(&record);
    return size;
}
