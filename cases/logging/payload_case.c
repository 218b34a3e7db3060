/* SPDX-License-Identifier: Apache-2.0
 *
 * Logging payloads: old against new, with nobody reading and with somebody.
 *
 * An operation logs a request and its response. The responses are a golden reply of getColumns and
 * fetched rows with 1 MiB of Arrow data of several kinds, which differ in how long their text is.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes/memory_source.h"
#include "golden.h"
#include "logging/payload_log.h"
#include "thrift/tcli.h"
#include "thrift/thrift_decode.h"

#define ARROW_BYTES ((size_t)1 << 20)

enum payload {
    PAYLOAD_COLUMNS,
    PAYLOAD_RANDOM,
    PAYLOAD_ZERO,
    PAYLOAD_ASCII,
};

/* What a scenario's `input` points to. */
struct log_input {
    enum payload payload;
    bool attached; /* a handler wants text                                                      */
};

/* What setup() builds. */
struct log_shared {
    struct thrift_decoder decoder; /* holds the decoded reply                                   */
    const struct thrift_struct *request_description;
    const void *request;
    const struct thrift_struct *response_description;
    const void *response;
    unsigned char *arrow;
    struct TFetchResultsReq fetch;
    struct TGetColumnsReq get_columns;
    struct TSparkArrowBatch batch;
    struct TRowSet rows;
    struct TStatus status;
    struct TFetchResultsResp fetched;
};

struct log_bench {
    struct pb_env *env;
    const struct log_shared *shared;
    struct log_handler null;
    struct log_line_handler lines;
    struct logger logger;
    struct memory_sink scratch; /* where old makes text                                         */
    struct memory_sink log;     /* what the handler wrote                                       */
};

static void fill(unsigned char *to, size_t size, enum payload payload)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < size; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const unsigned char random = (unsigned char)(state >> 56);
        to[i] = payload == PAYLOAD_RANDOM  ? random
                : payload == PAYLOAD_ASCII ? (unsigned char)('a' + random % 26)
                                           : 0;
    }
}

static bool make_arrow(struct log_shared *made, enum payload payload)
{
    made->arrow = malloc(ARROW_BYTES);
    if (made->arrow == NULL) {
        return false;
    }
    fill(made->arrow, ARROW_BYTES, payload);
    TCLI_SET(&made->batch, TSparkArrowBatch, batch, (struct pb_bytes){made->arrow, ARROW_BYTES});
    TCLI_SET(&made->batch, TSparkArrowBatch, rowCount, 5000);
    TCLI_SET(&made->rows, TRowSet, startRowOffset, 0);
    TCLI_SET(&made->rows, TRowSet, rows, (struct thrift_list){NULL, 0});
    TCLI_SET(&made->rows, TRowSet, arrowBatches, (struct thrift_list){&made->batch, 1});
    TCLI_SET(&made->status, TStatus, statusCode, 0);
    TCLI_SET(&made->fetched, TFetchResultsResp, status, &made->status);
    TCLI_SET(&made->fetched, TFetchResultsResp, hasMoreRows, false);
    TCLI_SET(&made->fetched, TFetchResultsResp, results, &made->rows);
    thrift_init(&thrift_TFetchResultsReq, &made->fetch);
    TCLI_SET(&made->fetch, TFetchResultsReq, maxRows, 5000);
    made->request_description = &thrift_TFetchResultsReq;
    made->request = &made->fetch;
    made->response_description = &thrift_TFetchResultsResp;
    made->response = &made->fetched;
    return true;
}

static bool decode_columns(struct log_shared *made)
{
    struct memory_source memory;
    struct thrift_reply reply;
    memory_source_init(&memory, (struct pb_bytes)GOLDEN(getcolumns_2415x24));
    if (thrift_decode_message(&made->decoder, TRANSPORT_BUFFERED, &memory.source,
                              &thrift_GetColumns_result, &reply) != THRIFT_OK) {
        return false;
    }
    thrift_init(&thrift_TGetColumnsReq, &made->get_columns);
    TCLI_SET(&made->get_columns, TGetColumnsReq, schemaName, (struct pb_bytes){"samples", 7});
    made->request_description = &thrift_TGetColumnsReq;
    made->request = &made->get_columns;
    made->response_description = &thrift_TGetColumnsResp;
    made->response = ((struct GetColumns_result *)reply.value)->success;
    return true;
}

static void log_teardown(void *shared)
{
    struct log_shared *made = shared;
    if (made != NULL) {
        thrift_decoder_release(&made->decoder);
        free(made->arrow);
        free(made);
    }
}

static int log_setup(struct pb_env *env, const struct pb_scenario *scenario, void **shared)
{
    const struct log_input *input = scenario->input;
    struct log_shared *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return pb_fail(env, "out of memory");
    }
    thrift_decoder_init(&made->decoder);
    if (input->payload == PAYLOAD_COLUMNS ? !decode_columns(made)
                                          : !make_arrow(made, input->payload)) {
        log_teardown(made);
        return pb_fail(env, "the payload can't be made");
    }
    *shared = made;
    return PAIRBENCH_OK;
}

static int log_open(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                    void **state)
{
    const struct log_input *input = scenario->input;
    struct log_bench *bench = pb_alloc(env, sizeof *bench, 64);
    if (bench == NULL) {
        return PAIRBENCH_FAILED;
    }
    bench->env = env;
    bench->shared = shared;
    memory_sink_init(&bench->scratch, NULL, 0);
    memory_sink_init(&bench->log, NULL, 0);
    log_null_handler_init(&bench->null);
    log_line_handler_init(&bench->lines, &bench->log.sink);
    bench->logger.handler = input->attached ? &bench->lines.handler : &bench->null;
    *state = bench;
    return PAIRBENCH_OK;
}

static int fail_with(struct log_bench *bench, enum thrift_code code)
{
    return pb_fail(bench->env, "logging: %s", thrift_code_text(code));
}

static int run_old(void *state, uint64_t n)
{
    struct log_bench *bench = state;
    const struct log_shared *shared = bench->shared;
    for (uint64_t i = 0; i < n; ++i) {
        memory_sink_reset(&bench->log);
        enum thrift_code code =
            log_payload_old(&bench->logger, "Sending request: ", shared->request_description,
                            shared->request, &bench->scratch);
        if (code == THRIFT_OK) {
            code =
                log_payload_old(&bench->logger, "Received response: ", shared->response_description,
                                shared->response, &bench->scratch);
        }
        if (code != THRIFT_OK) {
            return fail_with(bench, code);
        }
    }
    return PAIRBENCH_OK;
}

static int run_new(void *state, uint64_t n)
{
    struct log_bench *bench = state;
    const struct log_shared *shared = bench->shared;
    for (uint64_t i = 0; i < n; ++i) {
        memory_sink_reset(&bench->log);
        enum thrift_code code = log_payload_new(
            &bench->logger, "Sending request: ", shared->request_description, shared->request);
        if (code == THRIFT_OK) {
            code =
                log_payload_new(&bench->logger, "Received response: ", shared->response_description,
                                shared->response);
        }
        if (code != THRIFT_OK) {
            return fail_with(bench, code);
        }
    }
    return PAIRBENCH_OK;
}

static int log_output(void *state, struct pb_bytes *bytes)
{
    const struct log_bench *bench = state;
    *bytes = memory_sink_bytes(&bench->log);
    return PAIRBENCH_OK;
}

static int log_counts(void *state, struct pb_env *env)
{
    const struct log_bench *bench = state;
    pb_count(env, "bytes", (int64_t)memory_sink_bytes(&bench->log).size);
    pb_count(
        env, "text_bytes",
        (int64_t)(memory_sink_bytes(&bench->log).size + memory_sink_bytes(&bench->scratch).size));
    return PAIRBENCH_OK;
}

static void log_close(void *state)
{
    struct log_bench *bench = state;
    memory_sink_release(&bench->scratch);
    memory_sink_release(&bench->log);
}

#define SIDE(name_, summary_)                                                                      \
    {                                                                                              \
        .name = #name_, .summary = (summary_), .setup = log_setup, .open = log_open,               \
        .run = run_##name_, .output = log_output, .counts = log_counts, .close = log_close,        \
        .teardown = log_teardown                                                                   \
    }

static const struct pb_variant variants[] = {
    SIDE(old, "the payload's text is made before the logger is asked"),
    SIDE(new, "the payload is passed on, and its text made where it is wanted"),
};

#define SCENARIO(name_, summary_, payload_, attached_)                                             \
    {                                                                                              \
        .name = (name_), .summary = (summary_), .input = &(const struct log_input)                 \
        {                                                                                          \
            .payload = (payload_), .attached = (attached_)                                         \
        }                                                                                          \
    }

/* With nobody reading, and with a handler that writes lines. */
#define PAYLOAD(name_, summary_, payload_)                                                         \
    SCENARIO(name_ "_null", summary_ ", nobody reads", payload_, false),                           \
        SCENARIO(name_ "_attached", summary_ ", a handler writes lines", payload_, true)

static const struct pb_scenario scenarios[] = {
    PAYLOAD("columns", "getColumns and its reply of 2,415 rows", PAYLOAD_COLUMNS),
    PAYLOAD("arrow_random", "fetched rows with 1 MiB of random bytes", PAYLOAD_RANDOM),
    PAYLOAD("arrow_zero", "fetched rows with 1 MiB of zeros", PAYLOAD_ZERO),
    PAYLOAD("arrow_ascii", "fetched rows with 1 MiB of letters", PAYLOAD_ASCII),
};

const struct pb_case payload_case = {
    .name = "logging/payload",
    .summary = "a request and its response in a debug log",
    .source = "databricks-sql-python #1020",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
