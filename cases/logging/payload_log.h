/* SPDX-License-Identifier: Apache-2.0
 *
 * logging/payload: requests and responses in a debug log that usually nobody reads.
 *
 * The logger is always enabled; whether anyone reads is known to its handler. Old turns the payload
 * into text and logs the text. New logs the payload itself, and a handler that wants text makes it.
 * With a handler that does, both give the same.
 */
#ifndef CASES_LOGGING_PAYLOAD_LOG_H
#define CASES_LOGGING_PAYLOAD_LOG_H

#include "bytes/memory_sink.h"
#include "logging/thrift_text.h"

/* What is logged: some words, then a text or a payload. */
struct log_record {
    const char *words;
    struct pb_bytes text; /* used when there is no payload                                      */
    const struct thrift_struct *description; /* of the payload; NULL: there is none             */
    const void *payload;
};

/*
 * Takes records.
 * handle: record is borrowed for the call
 */
struct log_handler {
    enum thrift_code (*handle)(struct log_handler *handler, const struct log_record *record);
};

/* Makes a handler that takes records and does nothing, as a library's logger has it until an
 * application wants more. */
void log_null_handler_init(struct log_handler *handler);

/* Writes each record as a line. */
struct log_line_handler {
    struct log_handler handler;
    struct sink *sink;
};

void log_line_handler_init(struct log_line_handler *lines, struct sink *sink);

struct logger {
    struct log_handler *handler;
};

/*
 * Logs a payload the old way.
 * scratch: where the text is made; what it holds is forgotten
 */
THRIFT_MUST_USE enum thrift_code log_payload_old(struct logger *logger, const char *words,
                                                 const struct thrift_struct *description,
                                                 const void *payload, struct memory_sink *scratch);

/* The new way. */
THRIFT_MUST_USE enum thrift_code log_payload_new(struct logger *logger, const char *words,
                                                 const struct thrift_struct *description,
                                                 const void *payload);

#endif
