/* SPDX-License-Identifier: Apache-2.0
 *
 * One bound value: a length and that many bytes, or a negative length for null and unset.
 *
 * Values of every version may be unset here, as in the drivers: what a version allows is checked
 * where a statement is bound.
 */
#ifndef CASES_CQL_WRITE_VALUE_H
#define CASES_CQL_WRITE_VALUE_H

#include "bytes/sink.h"
#include "cql/cql.h"

/*
 * Writes a value.
 * errors: CQL_RANGE: longer than 2^31 − 1 bytes; CQL_TYPE: text or a number; CQL_SINK
 * Old writes length and bytes apart (an empty value is two writes, one of no bytes), a null or
 * unset value once; of text it has written the length, in characters, when it finds out. New
 * writes every value once, and nothing on an error.
 */
CQL_MUST_USE enum cql_code cql_write_value_old(const struct cql_value *value, struct sink *sink);
CQL_MUST_USE enum cql_code cql_write_value_new(const struct cql_value *value, struct sink *sink);

#endif
