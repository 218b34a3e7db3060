/* SPDX-License-Identifier: Apache-2.0
 *
 * The logger and its handlers.
 */
#include "logging/payload_log.h"

#include <string.h>

static enum thrift_code handle_null(struct log_handler *handler, const struct log_record *record)
{
    (void)handler;
    (void)record;
    return THRIFT_OK;
}

void log_null_handler_init(struct log_handler *handler)
{
    handler->handle = handle_null;
}

static enum thrift_code put(struct sink *sink, const void *data, size_t size)
{
    return sink_write(sink, data, size) == 0 ? THRIFT_OK : THRIFT_SINK_FAILED;
}

static enum thrift_code handle_line(struct log_handler *handler, const struct log_record *record)
{
    struct sink *sink = ((struct log_line_handler *)handler)->sink;
    enum thrift_code code = put(sink, record->words, strlen(record->words));
    if (code == THRIFT_OK) {
        code = record->description != NULL
                   ? thrift_text_write(sink, record->description, record->payload)
                   : put(sink, record->text.data, record->text.size);
    }
    return code == THRIFT_OK ? put(sink, "\n", 1) : code;
}

void log_line_handler_init(struct log_line_handler *lines, struct sink *sink)
{
    *lines = (struct log_line_handler){.handler = {.handle = handle_line}, .sink = sink};
}

/* Every record goes to the handler: that nobody reads is its business. */
static enum thrift_code log_debug(struct logger *logger, const struct log_record *record)
{
    return logger->handler->handle(logger->handler, record);
}

enum thrift_code log_payload_old(struct logger *logger, const char *words,
                                 const struct thrift_struct *description, const void *payload,
                                 struct memory_sink *scratch)
{
    memory_sink_reset(scratch);
    const enum thrift_code code = thrift_text_write(&scratch->sink, description, payload);
    if (code != THRIFT_OK) {
        return code;
    }
    const struct log_record record = {.words = words, .text = memory_sink_bytes(scratch)};
    return log_debug(logger, &record);
}

enum thrift_code log_payload_new(struct logger *logger, const char *words,
                                 const struct thrift_struct *description, const void *payload)
{
    const struct log_record record = {
        .words = words, .description = description, .payload = payload};
    return log_debug(logger, &record);
}
