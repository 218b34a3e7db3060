/* SPDX-License-Identifier: Apache-2.0
 *
 * Old and new encoders behind one function, for tests that hold both to the same request.
 */
#ifndef CASES_TESTS_CQL_SIDES_H
#define CASES_TESTS_CQL_SIDES_H

#include "bytes/record_sink.h"
#include "cql_json.h"

enum cql_side {
    CQL_SIDE_OLD,
    CQL_SIDE_NEW,
};

extern const char *const cql_side_names[2];

enum cql_code cql_line_encode(const struct cql_line *line, const struct cql_protocol *protocol,
                              enum cql_side side, struct sink *sink);

/*
 * Encodes into memory sinks with less, just enough and more room than size bytes.
 * returns: whether all gave these bytes
 */
bool cql_line_fits_any_room(const struct cql_line *line, const struct cql_protocol *protocol,
                            enum cql_side side, struct pb_bytes bytes);

/*
 * Bytes of a QUERY or EXECUTE that come before the block of values: all of one that has none.
 * returns: SIZE_MAX when those are refused
 */
size_t cql_line_head_size(const struct cql_line *line, const struct cql_protocol *protocol);

bool bytes_equal(struct pb_bytes a, struct pb_bytes b);

#endif
