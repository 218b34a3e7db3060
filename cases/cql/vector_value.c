/* SPDX-License-Identifier: Apache-2.0
 *
 * Doubles rounded to float32 and stored in network order.
 */
#include "cql/vector_value.h"

#include <math.h>
#include <string.h>

#include "bytes/big_endian.h"

enum cql_code cql_vector_encode(const double *values, size_t n, size_t dimension,
                                unsigned char *bytes)
{
    if (n != dimension) {
        return CQL_DIMENSION;
    }
    for (size_t i = 0; i < n; ++i) {
        const float rounded = (float)values[i];
        if (isinf(rounded) && isfinite(values[i])) {
            return CQL_OVERFLOW;
        }
        uint32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        store_be32(bytes + 4 * i, bits);
    }
    return CQL_OK;
}
