/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of a CQL vector file as a request that the encoders take.
 */
#ifndef CASES_TESTS_CQL_JSON_H
#define CASES_TESTS_CQL_JSON_H

#include <json-c/json.h>

#include "cql/cql_frame.h"
#include "cql/prepare_body.h"
#include "scrap.h"

enum cql_message {
    CQL_MESSAGE_BATCH,
    CQL_MESSAGE_QUERY,
    CQL_MESSAGE_EXECUTE,
    CQL_MESSAGE_PREPARE,
    CQL_MESSAGE_VALUES, /* a bare sequence of values                                            */
};

struct cql_line {
    const char *name;
    enum cql_message message;
    int version;
    struct cql_batch batch;
    struct cql_query_message query;
    struct cql_execute_message execute;
    struct cql_prepare_message prepare;
    const struct cql_value *values;
    size_t n_values;
};

enum cql_line_code {
    CQL_LINE_OK,
    CQL_LINE_BAD,   /* not of the format; the complaint says why                                */
    CQL_LINE_PROSE, /* its inputs are described in words that are not understood                */
};

struct complaint {
    char text[512];
};

/*
 * What came before the first fault is in the line.
 * json: an object; the line points into it and into scrap
 * text: the line as it stands in the file, for numbers that json-c can't hold
 */
enum cql_line_code cql_line_read(struct json_object *json, const char *text, struct scrap *scrap,
                                 struct cql_line *line, struct complaint *complaint);

/* The payload of a frame: a list of pairs, or null. */
enum cql_line_code cql_payload_read(struct json_object *json, struct scrap *scrap,
                                    struct cql_frame *frame, struct complaint *complaint);

/*
 * returns: the bytes of a text of hex digits; data NULL and size 1 when it is none
 */
struct pb_bytes hex_read(const char *text, struct scrap *scrap);

#endif
