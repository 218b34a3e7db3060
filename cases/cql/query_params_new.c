/* SPDX-License-Identifier: Apache-2.0
 *
 * QUERY and EXECUTE with the block of values put together in the sink's memory and written once;
 * every other field is a write as before, put there as well.
 */
#define CQL_FIELDS_IN_PLACE 1

#include "cql/query_params.h"

#include "cql/put_value.h"
#include "cql/query_fields.h"

static enum cql_code put_block(struct window *shared, const struct cql_params *params)
{
    struct window out = *shared;
    CQL_TRY(put_short(&out, (int64_t)params->n_values));
    CQL_TRY(put_values(&out, params->values, params->n_values, false));
    *shared = out;
    return CQL_OK;
}

static bool fits(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

/* Whether write_params_tail() will find a field that it has to refuse. */
static enum cql_code check_tail(const struct cql_params *params,
                                const struct cql_protocol *protocol)
{
    const struct cql_timestamp *timestamp = &params->timestamp;
    const struct cql_paging *paging = params->continuous;
    const bool ok =
        fits(params->page_size, INT32_MIN, INT32_MAX) && params->paging.size <= INT32_MAX &&
        fits(params->serial_consistency, 0, UINT16_MAX) &&
        (!timestamp->present || (timestamp->us >= 0 && timestamp->us <= UINT64_MAX)) &&
        params->keyspace.size <= UINT16_MAX &&
        (paging == NULL ||
         (fits(paging->max_pages, INT32_MIN, INT32_MAX) &&
          fits(paging->max_pages_per_second, INT32_MIN, INT32_MAX) &&
          (!protocol->queue_size || fits(paging->max_queue_size, INT32_MIN, INT32_MAX))));
    return ok ? CQL_OK : CQL_RANGE;
}

/* The block is committed only when all that follows will be accepted. */
static enum cql_code write_block(struct sink *sink, const struct cql_params *params,
                                 const struct cql_protocol *protocol)
{
    struct window out = window_open(sink);
    enum cql_code code = put_block(&out, params);
    if (code == CQL_FULL) {
        CQL_TRY(window_widen(sink, measure_values(params->values, params->n_values)));
        out = window_open(sink);
        code = put_block(&out, params);
    }
    if (code == CQL_OK) {
        code = check_tail(params, protocol);
    }
    return code == CQL_OK ? window_commit(&out, sink) : code;
}

static enum cql_code write_params(struct sink *sink, const struct cql_params *params,
                                  const struct cql_protocol *protocol)
{
    CQL_TRY(write_params_head(sink, params, protocol));
    if (params->has_values) {
        CQL_TRY(write_block(sink, params, protocol));
    } else {
        CQL_TRY(check_tail(params, protocol));
    }
    return write_params_tail(sink, params, protocol);
}

enum cql_code cql_query_send_body_new(const struct cql_query_message *message,
                                      const struct cql_protocol *protocol, struct sink *sink)
{
    CQL_TRY(write_longstring(sink, message->text));
    return write_params(sink, &message->params, protocol);
}

enum cql_code cql_execute_send_body_new(const struct cql_execute_message *message,
                                        const struct cql_protocol *protocol, struct sink *sink)
{
    CQL_TRY(write_ids(sink, message, protocol));
    if (protocol->tablet_byte && !fits(message->tablet_version, 0, UINT8_MAX)) {
        return CQL_RANGE;
    }
    CQL_TRY(write_params(sink, &message->params, protocol));
    return protocol->tablet_byte ? write_byte(sink, message->tablet_version) : CQL_OK;
}
