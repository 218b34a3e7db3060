/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding a reply: old against new.
 */
#include "thrift/decode_reply.h"

#include <string.h>

#include "golden.h"
#include "reference/thrift_cpp.h"
#include "thrift/decode_live.h"
#include "thrift/thrift_encode.h"

struct decode_bench {
    struct pb_env *env;
    const struct decode_shared *shared;
    const struct decode_input *input;
    enum transport_kind kind;
    struct pb_bytes body; /* where this round has it                                            */
    struct memory_source memory;
    struct buffered_reader reader;
    struct http_body http;
    struct decode_live live; /* of a live scenario                                              */
    struct thrift_decoder decoder;
    struct thrift_reply reply;  /* of the last operation                                       */
    struct memory_sink encoded; /* the reply as bytes again, for output()                       */
};

static int open_side(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                     enum transport_kind kind, void **state)
{
    struct decode_bench *bench = pb_alloc(env, sizeof *bench, 64);
    if (bench == NULL) {
        return PAIRBENCH_FAILED;
    }
    bench->env = env;
    bench->shared = shared;
    bench->input = scenario->input;
    bench->kind = kind;
    bench->live.fd = -1;
    if (!decode_place(env, bench->shared->body, &bench->body)) {
        return PAIRBENCH_FAILED;
    }
    const int error =
        bench->input->live
            ? decode_live_connect(&bench->live, http_server_port(bench->shared->server))
            : 0;
    if (error != 0) {
        return pb_fail(env, "no connection to the server: %s", strerror(error));
    }
    thrift_decoder_init(&bench->decoder);
    memory_sink_init(&bench->encoded, NULL, 0);
    *state = bench;
    return PAIRBENCH_OK;
}

static int open_old(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                    void **state)
{
    return open_side(env, scenario, shared, TRANSPORT_PLAIN, state);
}

static int open_new(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                    void **state)
{
    return open_side(env, scenario, shared, TRANSPORT_BUFFERED, state);
}

/* The body of a response on a real connection, its head read. */
static enum thrift_code ask_live(struct decode_bench *bench)
{
    struct http_head head;
    const int end = decode_live_ask(&bench->live, &bench->reader, &head);
    if (end != 0) {
        return end == SOURCE_MALFORMED ? THRIFT_BAD_BODY : THRIFT_SOURCE_FAILED;
    }
    http_body_init(&bench->http, &bench->reader, head.framing, head.length_bytes);
    return THRIFT_OK;
}

static void open_body(struct decode_bench *bench)
{
    memory_source_init(&bench->memory, bench->body);
    buffered_reader_init(&bench->reader, &bench->memory.source);
    http_body_init(&bench->http, &bench->reader, bench->input->chunked ? HTTP_CHUNKED : HTTP_LENGTH,
                   bench->body.size);
}

/* One operation: a response's body from its first byte to the reply. */
static enum thrift_code decode_once(struct decode_bench *bench)
{
    if (bench->input->live) {
        const enum thrift_code code = ask_live(bench);
        if (code != THRIFT_OK) {
            return code;
        }
    } else {
        open_body(bench);
    }
    return thrift_decode_message(&bench->decoder, bench->kind, &bench->http.source,
                                 bench->shared->result, &bench->reply);
}

static int run_side(void *state, uint64_t n)
{
    struct decode_bench *bench = state;
    for (uint64_t i = 0; i < n; ++i) {
        const enum thrift_code code = decode_once(bench);
        if (code != THRIFT_OK) {
            return pb_fail(bench->env, "decoding: %s", thrift_code_text(code));
        }
    }
    return PAIRBENCH_OK;
}

/* What was decoded shows in the bytes that it is encoded to. */
static int output_side(void *state, struct pb_bytes *bytes)
{
    struct decode_bench *bench = state;
    const struct thrift_reply *reply = &bench->reply;
    memory_sink_reset(&bench->encoded);
    const enum thrift_code code =
        thrift_encode_new(&bench->encoded.sink, &reply->message, reply->description, reply->value);
    if (code != THRIFT_OK) {
        return pb_fail(bench->env, "encoding again: %s", thrift_code_text(code));
    }
    *bytes = memory_sink_bytes(&bench->encoded);
    return PAIRBENCH_OK;
}

/*
 * The counts of one operation. What it allocates and holds is that of a decoder's first reply: from
 * then on its chunks serve again, and there is nothing to count.
 */
static int counts_side(void *state, struct pb_env *env)
{
    struct decode_bench *bench = state;
    thrift_decoder_flush(&bench->decoder);
    bench->decoder.memory.n_allocations = 0;
    bench->decoder.memory.peak_bytes = 0;
    const int result = run_side(bench, 1);
    if (result != PAIRBENCH_OK) {
        return result;
    }
    pb_count(env, "bytes", (int64_t)bench->http.n_bytes);
    pb_count(env, "first_allocations", (int64_t)bench->decoder.memory.n_allocations);
    pb_count(env, "first_peak_bytes", (int64_t)bench->decoder.memory.peak_bytes);
    if (bench->input->live) {
        return PAIRBENCH_OK; /* how many reads there are is up to the kernel */
    }
    pb_count(env, "reads", (int64_t)bench->http.source.n_reads);
    pb_count(env, "moved_bytes", (int64_t)bench->decoder.transport.n_moved);
    return PAIRBENCH_OK;
}

static void close_side(void *state)
{
    struct decode_bench *bench = state;
    decode_live_close(&bench->live);
    thrift_decoder_release(&bench->decoder);
    memory_sink_release(&bench->encoded);
}

#ifdef CASES_HAVE_THRIFT_CPP

struct cpp_bench {
    struct pb_env *env;
    struct pb_bytes message;
    const struct thrift_cpp_api *api;
    struct thrift_cpp *thrift;
};

static int open_thrift_cpp(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                           void **state)
{
    const struct decode_input *input = scenario->input;
    if (input->live) {
        return pb_skip(env, "thrift_cpp is not tried over a live connection");
    }
    struct cpp_bench *bench = pb_alloc(env, sizeof *bench, 64);
    if (bench == NULL ||
        !decode_place(env, ((struct decode_shared *)shared)->message, &bench->message)) {
        return PAIRBENCH_FAILED;
    }
    char error[256];
    bench->env = env;
    bench->api = thrift_cpp_load(error, sizeof error);
    if (bench->api == NULL) {
        return pb_skip(env, "thrift_cpp: %s", error);
    }
    bench->thrift = bench->api->make(bench->message, error, sizeof error);
    *state = bench;
    return bench->thrift != NULL ? PAIRBENCH_OK : pb_fail(env, "thrift_cpp: %s", error);
}

static int run_thrift_cpp(void *state, uint64_t n)
{
    struct cpp_bench *bench = state;
    for (uint64_t i = 0; i < n; ++i) {
        if (bench->api->decode(bench->thrift, bench->message) != 0) {
            return pb_fail(bench->env, "thrift_cpp: %s", bench->api->error(bench->thrift));
        }
    }
    return PAIRBENCH_OK;
}

static int output_thrift_cpp(void *state, struct pb_bytes *bytes)
{
    struct cpp_bench *bench = state;
    return bench->api->encode(bench->thrift, bytes) == 0
               ? PAIRBENCH_OK
               : pb_fail(bench->env, "thrift_cpp: %s", bench->api->error(bench->thrift));
}

static void close_thrift_cpp(void *state)
{
    struct cpp_bench *bench = state;
    bench->api->release(bench->thrift);
}

#endif

#define SIDE(name_, summary_)                                                                      \
    {                                                                                              \
        .name = #name_, .summary = (summary_), .setup = decode_setup, .open = open_##name_,        \
        .run = run_side, .output = output_side, .counts = counts_side, .close = close_side,        \
        .teardown = decode_teardown                                                                \
    }

static const struct pb_variant variants[] = {
    SIDE(old, "one read through the body for each primitive"),
    SIDE(new, "a window that is refilled in large pieces"),
    {.name = "floor",
     .summary = "the body copied once, and a hop over heads and lengths",
     .flags = PAIRBENCH_VARIANT_BOUND,
     .setup = decode_setup,
     .open = decode_floor_open,
     .run = decode_floor_run,
     .close = decode_floor_close,
     .teardown = decode_teardown},
#ifdef CASES_HAVE_THRIFT_CPP
    {.name = "thrift_cpp",
     .summary = "Apache Thrift for C++, from memory, without a body",
     .flags = PAIRBENCH_VARIANT_REFERENCE,
     .setup = decode_setup,
     .open = open_thrift_cpp,
     .run = run_thrift_cpp,
     .output = output_thrift_cpp,
     .close = close_thrift_cpp,
     .teardown = decode_teardown},
#endif
};

#define REPLY(name_, summary_, flags_, ...)                                                        \
    {                                                                                              \
        .name = (name_), .summary = (summary_), .flags = (flags_),                                 \
        .input = &(const struct decode_input)                                                      \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define GOLDEN_REPLY(name_, summary_, flags_, bytes_, ...)                                         \
    {                                                                                              \
        .name = (name_), .summary = (summary_), .flags = (flags_), .golden = GOLDEN(bytes_),       \
        .input = &(const struct decode_input)                                                      \
        {                                                                                          \
            .shape = REPLY_GOLDEN, __VA_ARGS__                                                     \
        }                                                                                          \
    }

/* A reply in a body with a Content-Length, and in a chunked one. */
#define REPLIES(name_, summary_, flags_, shape_)                                                   \
    REPLY(name_, summary_, flags_, .shape = (shape_)),                                             \
        REPLY(name_ "_chunked", summary_ ", chunked", flags_, .shape = (shape_), .chunked = true)
#define GOLDEN_REPLIES(name_, summary_, bytes_)                                                    \
    GOLDEN_REPLY(name_, summary_, 0, bytes_, .chunked = false),                                    \
        GOLDEN_REPLY(name_ "_chunked", summary_ ", chunked", 0, bytes_, .chunked = true)

static const struct pb_scenario scenarios[] = {
    REPLIES("select_1", "SELECT 1: one row", 0, REPLY_SELECT_1),
    GOLDEN_REPLIES("columns_2415", "getColumns: 2,415 rows of 24 columns", getcolumns_2415x24),
    GOLDEN_REPLIES("wide_2000", "the schema of a query with 2,000 columns", wide_schema_2000),
    GOLDEN_REPLIES("arrow_4x64k", "4 Arrow batches of 64 KiB", inline_arrow_4x64k),
    REPLIES("tables_60k", "getTables: 60,000 rows of 10 strings", 0, REPLY_TABLES_60K),
    REPLIES("arrow_100k", "100,000 rows in 5 Arrow batches, 20 MiB", 0, REPLY_ARROW_20MIB),
    GOLDEN_REPLY("columns_2415_live", "columns_2415 over HTTP on the loopback interface",
                 PAIRBENCH_SCENARIO_ON_REQUEST, getcolumns_2415x24, .live = true),
    REPLIES("arrow_100m", "25 Arrow batches, 100 MiB: for its memory",
            PAIRBENCH_SCENARIO_ON_REQUEST, REPLY_ARROW_100MIB),
};

const struct pb_case decode_reply_case = {
    .name = "thrift/decode_reply",
    .summary = "a reply of a Thrift service over HTTP, from its body to its value",
    .source = "databricks-sql-python #1020",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
