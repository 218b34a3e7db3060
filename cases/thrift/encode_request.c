/* SPDX-License-Identifier: Apache-2.0
 *
 * The requests.
 */
#include "thrift/encode_request.h"

#include <string.h>

#include "thrift/tcli.h"

#define TIMESTAMP_KEY "spark.thriftserver.arrowBasedRowSet.timestampAsString"

/* Takes memory for a request; what failed is remembered, and given out is room to go on. */
struct builder {
    struct pb_env *env;
    bool failed;
};

/* count zeroed items; NULL when the arena is used up, now or before */
static void *take(struct builder *builder, size_t count, size_t size)
{
    void *taken = builder->failed ? NULL : pb_alloc(builder->env, count * size, 0);
    builder->failed = taken == NULL;
    return taken != NULL ? memset(taken, 0, count * size) : NULL;
}

/* A struct with its presets; NULL without memory. */
static void *take_struct(struct builder *builder, const struct thrift_struct *description)
{
    void *taken = take(builder, 1, description->size);
    if (taken != NULL) {
        thrift_init(description, taken);
    }
    return taken;
}

static struct pb_bytes text(const char *literal)
{
    return (struct pb_bytes){literal, strlen(literal)};
}

static struct THandleIdentifier *build_handle(struct builder *builder)
{
    static const unsigned char bytes[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                            11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                            22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    struct THandleIdentifier *handle = take_struct(builder, &thrift_THandleIdentifier);
    if (handle != NULL) {
        TCLI_SET(handle, THandleIdentifier, guid, (struct pb_bytes){bytes, 16});
        TCLI_SET(handle, THandleIdentifier, secret, (struct pb_bytes){bytes + 16, 16});
    }
    return handle;
}

static struct TSessionHandle *build_session(struct builder *builder)
{
    struct TSessionHandle *session = take_struct(builder, &thrift_TSessionHandle);
    if (session != NULL) {
        TCLI_SET(session, TSessionHandle, sessionId, build_handle(builder));
    }
    return session;
}

static struct TSparkGetDirectResults *build_direct_results(struct builder *builder)
{
    struct TSparkGetDirectResults *direct = take_struct(builder, &thrift_TSparkGetDirectResults);
    if (direct != NULL) {
        TCLI_SET(direct, TSparkGetDirectResults, maxRows, 100000);
        TCLI_SET(direct, TSparkGetDirectResults, maxBytes, 104857600);
    }
    return direct;
}

/* The settings that go with every session and statement; tags may be NULL. */
static struct thrift_map build_settings(struct builder *builder, const char *tags)
{
    struct thrift_entry *entries = take(builder, 2, sizeof *entries);
    if (entries == NULL) {
        return (struct thrift_map){NULL, 0};
    }
    entries[0].key = text(TIMESTAMP_KEY);
    entries[0].value.text = text("false");
    if (tags != NULL) {
        entries[1].key = text("query_tags");
        entries[1].value.text = text(tags);
    }
    return (struct thrift_map){entries, tags != NULL ? 2 : 1};
}

static void *build_open_session(struct builder *builder)
{
    struct TOpenSessionReq *open = take_struct(builder, &thrift_TOpenSessionReq);
    struct TNamespace *names = take_struct(builder, &thrift_TNamespace);
    if (builder->failed) {
        return NULL;
    }
    TCLI_SET(names, TNamespace, catalogName, text("main"));
    open->present = 0; /* the protocol goes as a 64-bit number instead of as its preset */
    TCLI_SET(open, TOpenSessionReq, configuration, build_settings(builder, NULL));
    TCLI_SET(open, TOpenSessionReq, client_protocol_i64, 0xA507);
    TCLI_SET(open, TOpenSessionReq, initialNamespace, names);
    TCLI_SET(open, TOpenSessionReq, canUseMultipleCatalogs, true);
    return open;
}

static struct TSparkParameterValue *build_value(struct builder *builder, const char *value)
{
    struct TSparkParameterValue *built = take_struct(builder, &thrift_TSparkParameterValue);
    if (built != NULL) {
        TCLI_SET(built, TSparkParameterValue, stringValue, text(value));
    }
    return built;
}

/* An array of two: a number, and an array of a text. */
static struct thrift_list build_arguments(struct builder *builder)
{
    struct TSparkParameterValueArg *outer = take(builder, 2, sizeof *outer);
    struct TSparkParameterValueArg *inner = take(builder, 1, sizeof *inner);
    if (builder->failed) {
        return (struct thrift_list){NULL, 0};
    }
    TCLI_SET(&outer[0], TSparkParameterValueArg, type, text("INT"));
    TCLI_SET(&outer[0], TSparkParameterValueArg, value, text("1"));
    TCLI_SET(&outer[1], TSparkParameterValueArg, type, text("ARRAY"));
    TCLI_SET(&outer[1], TSparkParameterValueArg, arguments, (struct thrift_list){inner, 1});
    TCLI_SET(inner, TSparkParameterValueArg, type, text("STRING"));
    TCLI_SET(inner, TSparkParameterValueArg, value, text("z"));
    return (struct thrift_list){outer, 2};
}

/* By ordinal, by name, a null, and an array. */
static struct thrift_list build_parameters(struct builder *builder)
{
    struct TSparkParameter *list = take(builder, 4, sizeof *list);
    if (list == NULL) {
        return (struct thrift_list){NULL, 0};
    }
    TCLI_SET(&list[0], TSparkParameter, ordinal, 1);
    TCLI_SET(&list[0], TSparkParameter, type, text("STRING"));
    TCLI_SET(&list[0], TSparkParameter, value, build_value(builder, "x"));
    TCLI_SET(&list[1], TSparkParameter, name, text("p"));
    TCLI_SET(&list[1], TSparkParameter, type, text("INT"));
    TCLI_SET(&list[1], TSparkParameter, value, build_value(builder, "5"));
    TCLI_SET(&list[2], TSparkParameter, name, text("n"));
    TCLI_SET(&list[2], TSparkParameter, type, text("VOID"));
    TCLI_SET(&list[3], TSparkParameter, name, text("arr"));
    TCLI_SET(&list[3], TSparkParameter, type, text("ARRAY"));
    TCLI_SET(&list[3], TSparkParameter, arguments, build_arguments(builder));
    return (struct thrift_list){list, 4};
}

static void *build_statement(struct builder *builder, const char *tags)
{
    struct TExecuteStatementReq *execute = take_struct(builder, &thrift_TExecuteStatementReq);
    struct TSparkArrowTypes *types = take_struct(builder, &thrift_TSparkArrowTypes);
    if (builder->failed) {
        return NULL;
    }
    TCLI_SET(types, TSparkArrowTypes, timestampAsArrow, true);
    TCLI_SET(types, TSparkArrowTypes, decimalAsArrow, true);
    TCLI_SET(types, TSparkArrowTypes, complexTypesAsArrow, true);
    TCLI_SET(types, TSparkArrowTypes, intervalTypesAsArrow, false);
    TCLI_SET(execute, TExecuteStatementReq, sessionHandle, build_session(builder));
    TCLI_SET(execute, TExecuteStatementReq, statement, text("SELECT ? , :p"));
    TCLI_SET(execute, TExecuteStatementReq, confOverlay, build_settings(builder, tags));
    TCLI_SET(execute, TExecuteStatementReq, runAsync, true);
    TCLI_SET(execute, TExecuteStatementReq, getDirectResults, build_direct_results(builder));
    TCLI_SET(execute, TExecuteStatementReq, canReadArrowResult, true);
    TCLI_SET(execute, TExecuteStatementReq, canDownloadResult, false);
    TCLI_SET(execute, TExecuteStatementReq, canDecompressLZ4Result, true);
    TCLI_SET(execute, TExecuteStatementReq, useArrowNativeTypes, types);
    TCLI_SET(execute, TExecuteStatementReq, parameters, build_parameters(builder));
    return execute;
}

static void *build_execute(struct builder *builder)
{
    return build_statement(builder, "team:core,app\\:x:1");
}

static void *build_execute_untagged(struct builder *builder)
{
    return build_statement(builder, NULL);
}

static void *build_get_tables(struct builder *builder)
{
    struct TGetTablesReq *get = take_struct(builder, &thrift_TGetTablesReq);
    struct pb_bytes *types = take(builder, 2, sizeof *types);
    if (builder->failed) {
        return NULL;
    }
    types[0] = text("TABLE");
    types[1] = text("VIEW");
    TCLI_SET(get, TGetTablesReq, sessionHandle, build_session(builder));
    TCLI_SET(get, TGetTablesReq, catalogName, text("main"));
    TCLI_SET(get, TGetTablesReq, schemaName, text("%"));
    TCLI_SET(get, TGetTablesReq, tableName, text("%"));
    TCLI_SET(get, TGetTablesReq, tableTypes, (struct thrift_list){types, 2});
    TCLI_SET(get, TGetTablesReq, getDirectResults, build_direct_results(builder));
    return get;
}

static void *build_get_columns(struct builder *builder)
{
    struct TGetColumnsReq *get = take_struct(builder, &thrift_TGetColumnsReq);
    if (get == NULL) {
        return NULL;
    }
    TCLI_SET(get, TGetColumnsReq, sessionHandle, build_session(builder));
    TCLI_SET(get, TGetColumnsReq, schemaName, text("samples"));
    TCLI_SET(get, TGetColumnsReq, columnName, text("%"));
    TCLI_SET(get, TGetColumnsReq, getDirectResults, build_direct_results(builder));
    return get;
}

int request_build(enum request_kind kind, struct pb_env *env, struct request *request)
{
    static const struct {
        const char *method;
        const struct thrift_struct *args;
        void *(*build)(struct builder *builder);
    } kinds[] = {
        [REQUEST_OPEN_SESSION] = {"OpenSession", &thrift_OpenSession_args, build_open_session},
        [REQUEST_EXECUTE] = {"ExecuteStatement", &thrift_ExecuteStatement_args, build_execute},
        [REQUEST_EXECUTE_UNTAGGED] = {"ExecuteStatement", &thrift_ExecuteStatement_args,
                                      build_execute_untagged},
        [REQUEST_GET_TABLES] = {"GetTables", &thrift_GetTables_args, build_get_tables},
        [REQUEST_GET_COLUMNS] = {"GetColumns", &thrift_GetColumns_args, build_get_columns},
    };
    struct builder builder = {.env = env};
    void *args = take_struct(&builder, kinds[kind].args);
    void *built = builder.failed ? NULL : kinds[kind].build(&builder);
    if (builder.failed) {
        return PAIRBENCH_FAILED;
    }
    const struct thrift_field *field = &kinds[kind].args->fields[0];
    memcpy(thrift_at(args, field), &built, sizeof built);
    *thrift_mask(args) = 1u << field->index;
    *request = (struct request){
        .message = {.name = text(kinds[kind].method), .type = THRIFT_CALL},
        .description = kinds[kind].args,
        .args = args,
    };
    return PAIRBENCH_OK;
}
