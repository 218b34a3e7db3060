/* SPDX-License-Identifier: Apache-2.0
 *
 * A value put together in the sink's memory and written once; null and unset are constants.
 */
#include "cql/put_value.h"
#include "cql/write_value.h"

enum cql_code cql_write_value_new(const struct cql_value *value, struct sink *sink)
{
    struct window out = window_open(sink);
    enum cql_code code = put_value(&out, value, false);
    if (code == CQL_FULL) {
        CQL_TRY(window_widen(sink, 4 + value->size));
        out = window_open(sink);
        code = put_value(&out, value, false);
    }
    return code == CQL_OK ? window_commit(&out, sink) : code;
}
