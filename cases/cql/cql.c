/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of the codes.
 */
#include "cql/cql.h"

const char *cql_code_text(enum cql_code code)
{
    static const char *const texts[] = {
        [CQL_OK] = "encoded",
        [CQL_RANGE] = "a number or a length does not fit its field",
        [CQL_UNSUPPORTED] = "this protocol version has no such field",
        [CQL_TYPE] = "a value is neither bytes, null nor unset, or a needed id is missing",
        [CQL_DIMENSION] = "the vector has another dimension than its type",
        [CQL_OVERFLOW] = "a finite number is too large for a 32-bit float",
        [CQL_SINK] = "the sink failed",
        [CQL_FULL] = "the room at hand is too small",
    };
    const size_t i = (size_t)code;
    return i < sizeof texts / sizeof texts[0] ? texts[i] : "unknown code";
}
