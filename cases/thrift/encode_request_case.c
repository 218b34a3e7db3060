/* SPDX-License-Identifier: Apache-2.0
 *
 * Encoding a request: old against new.
 */
#include "thrift/encode_request.h"

#include <string.h>

#include "bytes/record_sink.h"
#include "bytes/short_copy.h"
#include "golden.h"
#include "reference/thrift_cpp.h"
#include "thrift/thrift_encode.h"

/* No request here is longer; the sink's memory is taken before anything is timed. */
#define REQUEST_BYTES ((size_t)4096)

/* What a scenario's `input` points to. */
struct encode_input {
    enum request_kind kind;
};

struct encode_bench {
    struct pb_env *env;
    struct request request;
    struct memory_sink memory;
    enum thrift_code (*encode)(struct encode_bench *bench, struct sink *sink);
    /* Of the floor: what old writes, one piece a write. */
    unsigned char *pieces;
    size_t *sizes;
    size_t n_pieces;
};

static enum thrift_code encode_old(struct encode_bench *bench, struct sink *sink)
{
    const struct request *request = &bench->request;
    return thrift_encode_old(sink, &request->message, request->description, request->args);
}

static enum thrift_code encode_new(struct encode_bench *bench, struct sink *sink)
{
    const struct request *request = &bench->request;
    return thrift_encode_new(sink, &request->message, request->description, request->args);
}

/* Each piece that old writes, copied to its place; one write. */
static enum thrift_code encode_floor(struct encode_bench *bench, struct sink *sink)
{
    unsigned char *const begin = sink_reserve(sink, REQUEST_BYTES);
    if (begin == NULL) {
        return THRIFT_SINK_FAILED;
    }
    unsigned char *to = begin;
    const unsigned char *from = bench->pieces;
    for (size_t i = 0; i < bench->n_pieces; ++i) {
        const size_t size = bench->sizes[i];
        short_copy(to, from, size);
        to += size;
        from += size;
    }
    return sink_commit(sink, (size_t)(to - begin)) == 0 ? THRIFT_OK : THRIFT_SINK_FAILED;
}

static int open_side(struct pb_env *env, const struct pb_scenario *scenario,
                     enum thrift_code (*encode)(struct encode_bench *, struct sink *),
                     struct encode_bench **opened)
{
    const struct encode_input *input = scenario->input;
    struct encode_bench *bench = pb_alloc(env, sizeof *bench, 64);
    void *storage = bench != NULL ? pb_alloc(env, REQUEST_BYTES, 64) : NULL;
    if (storage == NULL) {
        return PAIRBENCH_FAILED;
    }
    *bench = (struct encode_bench){.env = env, .encode = encode};
    memory_sink_init(&bench->memory, storage, REQUEST_BYTES);
    *opened = bench;
    return request_build(input->kind, env, &bench->request);
}

static int open_old(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                    void **state)
{
    struct encode_bench *bench = NULL;
    (void)shared;
    const int result = open_side(env, scenario, encode_old, &bench);
    *state = bench;
    return result;
}

static int open_new(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                    void **state)
{
    struct encode_bench *bench = NULL;
    (void)shared;
    const int result = open_side(env, scenario, encode_new, &bench);
    *state = bench;
    return result;
}

/* Keeps what old writes, piece by piece. */
static int take_pieces(struct encode_bench *bench, const struct record_sink *record)
{
    const struct pb_bytes bytes = memory_sink_bytes(&record->bytes);
    bench->n_pieces = record->n_writes;
    bench->pieces = pb_alloc(bench->env, bytes.size, 64);
    bench->sizes = bench->pieces != NULL
                       ? pb_alloc(bench->env, record->n_writes * sizeof *bench->sizes, 64)
                       : NULL;
    if (bench->sizes == NULL) {
        return PAIRBENCH_FAILED;
    }
    memcpy(bench->pieces, bytes.data, bytes.size);
    memcpy(bench->sizes, record->sizes, record->n_writes * sizeof *bench->sizes);
    return PAIRBENCH_OK;
}

static int open_floor(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **state)
{
    struct encode_bench *bench = NULL;
    struct record_sink record;
    (void)shared;
    int result = open_side(env, scenario, encode_floor, &bench);
    if (result != PAIRBENCH_OK) {
        return result;
    }
    record_sink_init(&record);
    const enum thrift_code code = encode_old(bench, &record.sink);
    result = code == THRIFT_OK ? take_pieces(bench, &record)
                               : pb_fail(env, "encoding: %s", thrift_code_text(code));
    record_sink_release(&record);
    *state = bench;
    return result;
}

static int run_side(void *state, uint64_t n)
{
    struct encode_bench *bench = state;
    for (uint64_t i = 0; i < n; ++i) {
        memory_sink_reset(&bench->memory);
        const enum thrift_code code = bench->encode(bench, &bench->memory.sink);
        if (code != THRIFT_OK) {
            return pb_fail(bench->env, "encoding: %s", thrift_code_text(code));
        }
    }
    return PAIRBENCH_OK;
}

static int output_side(void *state, struct pb_bytes *bytes)
{
    const struct encode_bench *bench = state;
    *bytes = memory_sink_bytes(&bench->memory);
    return PAIRBENCH_OK;
}

static int counts_side(void *state, struct pb_env *env)
{
    struct encode_bench *bench = state;
    struct record_sink record;
    record_sink_init(&record);
    const enum thrift_code code = bench->encode(bench, &record.sink);
    if (code == THRIFT_OK) {
        pb_count(env, "writes", (int64_t)record.n_writes);
        pb_count(env, "bytes", (int64_t)memory_sink_bytes(&record.bytes).size);
    }
    record_sink_release(&record);
    return code == THRIFT_OK ? PAIRBENCH_OK : pb_fail(env, "encoding: %s", thrift_code_text(code));
}

static void close_side(void *state)
{
    struct encode_bench *bench = state;
    memory_sink_release(&bench->memory);
}

#ifdef CASES_HAVE_THRIFT_CPP

struct cpp_bench {
    struct pb_env *env;
    const struct thrift_cpp_api *api;
    struct thrift_cpp *thrift;
    struct pb_bytes bytes;
};

/* The request as a C++ value: decoded from what old encodes. */
static int open_thrift_cpp(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                           void **state)
{
    struct encode_bench *bench = NULL;
    (void)shared;
    struct cpp_bench *cpp = pb_alloc(env, sizeof *cpp, 64);
    if (cpp == NULL || open_side(env, scenario, encode_old, &bench) != PAIRBENCH_OK) {
        return PAIRBENCH_FAILED;
    }
    const enum thrift_code code = encode_old(bench, &bench->memory.sink);
    if (code != THRIFT_OK) {
        return pb_fail(env, "encoding: %s", thrift_code_text(code));
    }
    char error[256];
    const struct pb_bytes message = memory_sink_bytes(&bench->memory);
    *cpp = (struct cpp_bench){.env = env, .api = thrift_cpp_load(error, sizeof error)};
    if (cpp->api == NULL) {
        return pb_skip(env, "thrift_cpp: %s", error);
    }
    cpp->thrift = cpp->api->make(message, error, sizeof error);
    if (cpp->thrift == NULL) {
        return pb_fail(env, "thrift_cpp: %s", error);
    }
    if (cpp->api->decode(cpp->thrift, message) != 0) {
        pb_fail(env, "thrift_cpp: %s", cpp->api->error(cpp->thrift));
        cpp->api->release(cpp->thrift);
        return PAIRBENCH_FAILED;
    }
    if (cpp->api->encode(cpp->thrift, &cpp->bytes) != 0 || cpp->bytes.size != message.size ||
        memcmp(cpp->bytes.data, message.data, message.size) != 0) {
        cpp->api->release(cpp->thrift);
        return pb_skip(env, "C++ sorts the entries of maps, which gives other bytes");
    }
    *state = cpp;
    return PAIRBENCH_OK;
}

static int run_thrift_cpp(void *state, uint64_t n)
{
    struct cpp_bench *cpp = state;
    for (uint64_t i = 0; i < n; ++i) {
        if (cpp->api->encode(cpp->thrift, &cpp->bytes) != 0) {
            return pb_fail(cpp->env, "thrift_cpp: %s", cpp->api->error(cpp->thrift));
        }
    }
    return PAIRBENCH_OK;
}

static int output_thrift_cpp(void *state, struct pb_bytes *bytes)
{
    const struct cpp_bench *cpp = state;
    *bytes = cpp->bytes;
    return PAIRBENCH_OK;
}

static void close_thrift_cpp(void *state)
{
    struct cpp_bench *cpp = state;
    cpp->api->release(cpp->thrift);
}

#endif

#define SIDE(name_, summary_, flags_)                                                              \
    {                                                                                              \
        .name = #name_, .summary = (summary_), .flags = (flags_), .open = open_##name_,            \
        .run = run_side, .output = output_side, .counts = counts_side, .close = close_side         \
    }

static const struct pb_variant variants[] = {
    SIDE(old, "one write for each primitive", 0),
    SIDE(new, "the whole message in one buffer, one write", 0),
    SIDE(floor, "each primitive's bytes copied, one write", PAIRBENCH_VARIANT_BOUND),
#ifdef CASES_HAVE_THRIFT_CPP
    {.name = "thrift_cpp",
     .summary = "Apache Thrift for C++, to memory",
     .flags = PAIRBENCH_VARIANT_REFERENCE,
     .open = open_thrift_cpp,
     .run = run_thrift_cpp,
     .output = output_thrift_cpp,
     .close = close_thrift_cpp},
#endif
};

#define REQUEST(name_, summary_, kind_, golden_)                                                   \
    {                                                                                              \
        .name = (name_), .summary = (summary_), .input = &(const struct encode_input){kind_},      \
        .golden = GOLDEN(golden_)                                                                  \
    }

static const struct pb_scenario scenarios[] = {
    REQUEST("open_session", "OpenSession", REQUEST_OPEN_SESSION, req_opensession),
    REQUEST("execute_statement", "ExecuteStatement with parameters and query tags", REQUEST_EXECUTE,
            req_execute),
    {.name = "execute_untagged",
     .summary = "ExecuteStatement with parameters, without query tags",
     .input = &(const struct encode_input){REQUEST_EXECUTE_UNTAGGED}},
    REQUEST("get_tables", "GetTables", REQUEST_GET_TABLES, req_gettables),
    REQUEST("get_columns", "GetColumns", REQUEST_GET_COLUMNS, req_getcolumns),
};

const struct pb_case encode_request_case = {
    .name = "thrift/encode_request",
    .summary = "a request of a Thrift service as one message",
    .source = "databricks-sql-python #1020",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
