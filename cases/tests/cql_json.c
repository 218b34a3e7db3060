/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector lines read with json-c. A key that is missing has the value that leaves the field out.
 */
#include "cql_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* 2^64 − 1, the largest integer that json-c holds; larger ones become this. */
#define U64_MAX_TEXT "18446744073709551615"

struct reader {
    struct scrap *scrap;
    struct complaint *complaint;
    const char *text;
    enum cql_line_code code; /* the first fault                                                 */
};

static void complain(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct reader *reader, const char *format, ...)
{
    if (reader->code != CQL_LINE_OK) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->complaint->text, sizeof reader->complaint->text, format, arguments);
    va_end(arguments);
    reader->code = CQL_LINE_BAD;
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

struct pb_bytes hex_read(const char *text, struct scrap *scrap)
{
    const struct pb_bytes none = {NULL, 1};
    const size_t n = strlen(text);
    unsigned char *bytes = scrap_alloc(scrap, n / 2);
    for (size_t i = 0; i < n / 2; ++i) {
        const int high = hex_digit(text[2 * i]);
        const int low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return none;
        }
        bytes[i] = (unsigned char)(high * 16 + low);
    }
    return n % 2 == 0 ? (struct pb_bytes){bytes, n / 2} : none;
}

/* A member; NULL when it is missing, null or, with a complaint, of another type. */
static struct json_object *member(struct reader *reader, struct json_object *json, const char *key,
                                  enum json_type type)
{
    struct json_object *value = NULL;
    if (!json_object_object_get_ex(json, key, &value) || value == NULL) {
        return NULL;
    }
    if (!json_object_is_type(value, type)) {
        complain(reader, "\"%s\" is not of type %s", key, json_type_to_name(type));
        return NULL;
    }
    return value;
}

static struct pb_bytes read_text(struct reader *reader, struct json_object *json, const char *key)
{
    struct json_object *value = member(reader, json, key, json_type_string);
    if (value == NULL) {
        return (struct pb_bytes){NULL, 0};
    }
    const size_t size = (size_t)json_object_get_string_len(value);
    void *copy = scrap_alloc(reader->scrap, size);
    memcpy(copy, json_object_get_string(value), size);
    return (struct pb_bytes){copy, size};
}

static struct pb_bytes read_hex(struct reader *reader, struct json_object *json, const char *key)
{
    struct json_object *value = member(reader, json, key, json_type_string);
    if (value == NULL) {
        return (struct pb_bytes){NULL, 0};
    }
    const struct pb_bytes bytes = hex_read(json_object_get_string(value), reader->scrap);
    if (bytes.data == NULL) {
        complain(reader, "\"%s\" is not made of pairs of hex digits", key);
        return (struct pb_bytes){NULL, 0};
    }
    return bytes;
}

static int64_t read_integer(struct reader *reader, struct json_object *json, const char *key,
                            int64_t missing)
{
    struct json_object *value = member(reader, json, key, json_type_int);
    return value != NULL ? json_object_get_int64(value) : missing;
}

/* Up to 2^64 − 1 as it is; anything larger as 2^64. */
static __int128 wide_integer(const struct reader *reader, struct json_object *value)
{
    const int64_t signed_value = json_object_get_int64(value);
    if (signed_value != INT64_MAX) {
        return signed_value;
    }
    const uint64_t unsigned_value = json_object_get_uint64(value);
    const bool beyond = unsigned_value == UINT64_MAX && strstr(reader->text, U64_MAX_TEXT) == NULL;
    return (__int128)unsigned_value + (beyond ? 1 : 0);
}

static struct cql_timestamp read_timestamp(struct reader *reader, struct json_object *json)
{
    struct json_object *value = member(reader, json, "timestamp", json_type_int);
    if (value == NULL) {
        return (struct cql_timestamp){.present = false};
    }
    return (struct cql_timestamp){.us = wide_integer(reader, value), .present = true};
}

static struct cql_value read_value(struct reader *reader, struct json_object *json)
{
    struct cql_value value = {.kind = CQL_NULL};
    struct pb_bytes bytes = {NULL, 0};
    if (!json_object_is_type(json, json_type_object)) {
        complain(reader, "a parameter is not an object");
    } else if (json_object_object_get_ex(json, "null", NULL)) {
        value.kind = CQL_NULL;
    } else if (json_object_object_get_ex(json, "unset", NULL)) {
        value.kind = CQL_UNSET;
    } else if (json_object_object_get_ex(json, "hex", NULL)) {
        value.kind = CQL_BYTES;
        bytes = read_hex(reader, json, "hex");
    } else if (json_object_object_get_ex(json, "str", NULL)) {
        value.kind = CQL_TEXT;
        bytes = read_text(reader, json, "str");
    } else if (json_object_object_get_ex(json, "int", NULL)) {
        value.kind = CQL_NUMBER;
    } else {
        complain(reader, "a parameter has none of hex, null, unset, str and int");
    }
    value.data = bytes.data;
    value.size = bytes.size;
    return value;
}

/* NULL when there is no such list, which is not an empty one. */
static const struct cql_value *read_values(struct reader *reader, struct json_object *json,
                                           size_t *n)
{
    struct json_object *list = member(reader, json, "params", json_type_array);
    *n = 0;
    if (list == NULL) {
        return NULL;
    }
    const size_t length = json_object_array_length(list);
    struct cql_value *values = scrap_alloc(reader->scrap, length * sizeof *values);
    for (size_t i = 0; i < length; ++i) {
        values[i] = read_value(reader, json_object_array_get_idx(list, i));
    }
    *n = length;
    return values;
}

static struct cql_query read_query(struct reader *reader, struct json_object *json)
{
    struct json_object *prepared = member(reader, json, "prepared", json_type_boolean);
    struct cql_query query = {.prepared =
                                  prepared != NULL ? json_object_get_boolean(prepared) : false};
    query.statement =
        query.prepared ? read_hex(reader, json, "id_hex") : read_text(reader, json, "query");
    if (query.statement.data == NULL) {
        complain(reader, "a query has no %s", query.prepared ? "id_hex" : "text");
    }
    query.values = read_values(reader, json, &query.n_values);
    return query;
}

/* What a line repeats, in words; NULL when it repeats nothing. */
static const char *repeated(struct reader *reader, struct json_object *json, size_t *n)
{
    struct json_object *words = member(reader, json, "of", json_type_string);
    const int64_t count = read_integer(reader, json, "repeat", -1);
    if (words == NULL || count < 0) {
        return NULL;
    }
    *n = (size_t)count;
    return json_object_get_string(words);
}

static void give_up(struct reader *reader)
{
    if (reader->code == CQL_LINE_OK) {
        reader->code = CQL_LINE_PROSE;
    }
}

/* "prepared query id 07, no params" */
static void repeat_query(struct reader *reader, const char *words, size_t n,
                         struct cql_batch *batch)
{
    static const char start[] = "prepared query id ";
    char id[64] = "";
    if (strncmp(words, start, sizeof start - 1) != 0 || strstr(words, "no params") == NULL ||
        sscanf(words + sizeof start - 1, "%63[0-9a-f]", id) != 1) {
        give_up(reader);
        return;
    }
    const struct pb_bytes statement = hex_read(id, reader->scrap);
    struct cql_query *queries = scrap_alloc(reader->scrap, n * sizeof *queries);
    for (size_t i = 0; i < n; ++i) {
        queries[i] = (struct cql_query){.prepared = true, .statement = statement};
    }
    batch->queries = queries;
    batch->n_queries = n;
}

/* Anything that says whether the values are null or unset. */
static const struct cql_value *repeat_value(struct reader *reader, const char *words, size_t n)
{
    const bool null = strstr(words, "null") != NULL;
    if (null == (strstr(words, "unset") != NULL)) {
        give_up(reader);
        return NULL;
    }
    struct cql_value *values = scrap_alloc(reader->scrap, n * sizeof *values);
    for (size_t i = 0; i < n; ++i) {
        values[i].kind = null ? CQL_NULL : CQL_UNSET;
    }
    return values;
}

static void read_batch(struct reader *reader, struct json_object *json, struct cql_batch *batch)
{
    *batch = (struct cql_batch){
        .type = read_integer(reader, json, "type", 0),
        .consistency = read_integer(reader, json, "consistency", CQL_NO_CONSISTENCY),
        .serial_consistency = read_integer(reader, json, "serial_consistency", 0),
        .timestamp = read_timestamp(reader, json),
        .keyspace = read_text(reader, json, "keyspace"),
    };
    size_t n = 0;
    const char *words = repeated(reader, json, &n);
    if (words != NULL) {
        repeat_query(reader, words, n, batch);
        return;
    }
    struct json_object *list = member(reader, json, "queries", json_type_array);
    if (list == NULL) {
        complain(reader, "a batch has no list of queries");
        return;
    }
    n = json_object_array_length(list);
    struct cql_query *queries = scrap_alloc(reader->scrap, n * sizeof *queries);
    for (size_t i = 0; i < n; ++i) {
        queries[i] = read_query(reader, json_object_array_get_idx(list, i));
    }
    batch->queries = queries;
    batch->n_queries = n;
}

static const struct cql_paging *read_paging(struct reader *reader, struct json_object *json)
{
    struct json_object *options = member(reader, json, "continuous_paging", json_type_object);
    if (options == NULL) {
        return NULL;
    }
    struct cql_paging *paging = scrap_alloc(reader->scrap, sizeof *paging);
    *paging = (struct cql_paging){
        .max_pages = read_integer(reader, options, "max_pages", 0),
        .max_pages_per_second = read_integer(reader, options, "max_pages_per_second", 0),
        .max_queue_size = read_integer(reader, options, "max_queue_size", 4),
    };
    return paging;
}

static struct cql_params read_params(struct reader *reader, struct json_object *json)
{
    struct cql_params params = {
        .consistency = read_integer(reader, json, "consistency", CQL_NO_CONSISTENCY),
        .page_size = read_integer(reader, json, "fetch_size", 0),
        .paging = read_hex(reader, json, "paging_state_hex"),
        .serial_consistency = read_integer(reader, json, "serial_consistency", 0),
        .timestamp = read_timestamp(reader, json),
        .keyspace = read_text(reader, json, "keyspace"),
        .continuous = read_paging(reader, json),
    };
    const char *words = repeated(reader, json, &params.n_values);
    params.values = words != NULL ? repeat_value(reader, words, params.n_values)
                                  : read_values(reader, json, &params.n_values);
    params.has_values = params.values != NULL;
    return params;
}

static void read_query_message(struct reader *reader, struct json_object *json,
                               struct cql_line *line)
{
    line->query.text = read_text(reader, json, "query");
    if (line->query.text.data == NULL) {
        complain(reader, "there is no \"query\"");
    }
    line->query.params = read_params(reader, json);
}

static void read_execute_message(struct reader *reader, struct json_object *json,
                                 struct cql_line *line)
{
    line->execute.id = read_hex(reader, json, "query_id_hex");
    line->execute.metadata_id = read_hex(reader, json, "result_metadata_id_hex");
    line->execute.params = read_params(reader, json);
    if (line->execute.id.data != NULL) {
        return;
    }
    if (json_object_object_get_ex(json, "repeat", NULL)) {
        line->execute.id = (struct pb_bytes){"q", 1}; /* the id where only words describe it */
    } else {
        complain(reader, "there is no \"query_id_hex\"");
    }
}

static void read_inputs(struct reader *reader, struct json_object *json, struct cql_line *line)
{
    switch (line->message) {
    case CQL_MESSAGE_BATCH:
        read_batch(reader, json, &line->batch);
        break;
    case CQL_MESSAGE_QUERY:
        read_query_message(reader, json, line);
        break;
    case CQL_MESSAGE_EXECUTE:
        read_execute_message(reader, json, line);
        break;
    case CQL_MESSAGE_PREPARE:
        line->prepare.text = read_text(reader, json, "query");
        line->prepare.keyspace = read_text(reader, json, "keyspace");
        if (line->prepare.text.data == NULL) {
            complain(reader, "there is no \"query\"");
        }
        break;
    case CQL_MESSAGE_VALUES:
        line->values = read_values(reader, json, &line->n_values);
        break;
    }
}

static void read_message(struct reader *reader, struct json_object *json, struct cql_line *line)
{
    static const char *const names[] = {
        [CQL_MESSAGE_BATCH] = "BATCH",     [CQL_MESSAGE_QUERY] = "QUERY",
        [CQL_MESSAGE_EXECUTE] = "EXECUTE", [CQL_MESSAGE_PREPARE] = "PREPARE",
        [CQL_MESSAGE_VALUES] = "VALUES",
    };
    struct json_object *message = member(reader, json, "message", json_type_string);
    const char *text = message != NULL ? json_object_get_string(message) : "(none)";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(names[i], text) == 0) {
            line->message = (enum cql_message)i;
            return;
        }
    }
    complain(reader, "the message %s is not known", text);
}

enum cql_line_code cql_line_read(struct json_object *json, const char *text, struct scrap *scrap,
                                 struct cql_line *line, struct complaint *complaint)
{
    struct reader reader = {.scrap = scrap, .complaint = complaint, .text = text};
    *line = (struct cql_line){.name = "(no name)"};
    struct json_object *name = member(&reader, json, "name", json_type_string);
    if (name == NULL) {
        complain(&reader, "there is no \"name\"");
    } else {
        line->name = json_object_get_string(name);
    }
    line->version = (int)read_integer(&reader, json, "proto_version", 0);
    read_message(&reader, json, line);
    struct json_object *inputs = NULL;
    json_object_object_get_ex(json, "inputs", &inputs);
    if (json_object_is_type(inputs, json_type_string)) {
        give_up(&reader);
    } else if (!json_object_is_type(inputs, json_type_object)) {
        complain(&reader, "\"inputs\" is neither an object nor a text");
    } else if (reader.code == CQL_LINE_OK) {
        read_inputs(&reader, inputs, line);
    }
    return reader.code;
}

enum cql_line_code cql_payload_read(struct json_object *json, struct scrap *scrap,
                                    struct cql_frame *frame, struct complaint *complaint)
{
    struct reader reader = {.scrap = scrap, .complaint = complaint, .text = ""};
    struct json_object *list = member(&reader, json, "custom_payload", json_type_array);
    const size_t n = list != NULL ? json_object_array_length(list) : 0;
    struct cql_payload *payload = scrap_alloc(scrap, n * sizeof *payload);
    for (size_t i = 0; i < n; ++i) {
        struct json_object *pair = json_object_array_get_idx(list, i);
        if (!json_object_is_type(pair, json_type_array) || json_object_array_length(pair) != 2) {
            complain(&reader, "an entry of the payload is not a pair");
            break;
        }
        struct json_object *key = json_object_array_get_idx(pair, 0);
        payload[i].key =
            (struct pb_bytes){json_object_get_string(key), (size_t)json_object_get_string_len(key)};
        payload[i].value = read_value(&reader, json_object_array_get_idx(pair, 1));
    }
    frame->payload = payload;
    frame->n_payload = n;
    return reader.code;
}
