/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a vector<float, N>: N float32 back to back, without a count.
 */
#ifndef CASES_CQL_VECTOR_VALUE_H
#define CASES_CQL_VECTOR_VALUE_H

#include "cql/cql.h"

/*
 * values:    n numbers; infinities and NaNs are kept
 * dimension: what the type says
 * bytes:     4 * dimension bytes; contents undefined after an error
 * errors:    CQL_DIMENSION; CQL_OVERFLOW: a finite number that rounds to an infinity
 */
CQL_MUST_USE enum cql_code cql_vector_encode(const double *values, size_t n, size_t dimension,
                                             unsigned char *bytes);

#endif
