/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden vectors of the Thrift decoders and encoders: every line of every *.jsonl file of a
 * folder, and every *.bin message in it, by every way. The folder is the committed one, or what
 * PAIRBENCH_VECTORS names; any folder in the same format will do.
 *
 * What a line is shows in its keys: "kind" for a value and its bytes, "outcomes" for bytes and what
 * other decoders made of them, "text" for a value and how a log shows it. Files of another kind are
 * left alone.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/record_sink.h"
#include "cql_sides.h"
#include "logging/thrift_text.h"
#include "thrift/tcli.h"
#include "thrift/thrift_encode.h"
#include "thrift_json.h"
#include "thrift_ways.h"
#include "vector_folder.h"

struct vector_file {
    const char *path;
    size_t line_number;
    size_t n_run;
    size_t n_failed;
};

/* A line at work. */
struct check {
    struct vector_file *file;
    struct json_object *json;
    struct scrap scrap;
    struct thrift_decoder decoder;
    const char *name;
    bool failed;
};

static void fail_line(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void fail_line(struct check *check, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_error("%s:%zu: %s: %s\n", check->file->path, check->file->line_number, check->name, text);
    check->failed = true;
}

static struct json_object *key_of(const struct check *check, const char *key)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(check->json, key, &value);
    return value;
}

static const char *text_of(const struct check *check, const char *key)
{
    const char *text = json_object_get_string(key_of(check, key));
    return text != NULL ? text : "";
}

static void check_code(struct check *check, const char *what, enum thrift_code code,
                       enum thrift_code expected)
{
    if (code != expected) {
        fail_line(check, "%s: \"%s\" instead of \"%s\"", what, thrift_code_text(code),
                  thrift_code_text(expected));
    }
}

/* The encoders on one value: the bytes, and how many writes. */
static void check_encoders(struct check *check, const struct thrift_message *message,
                           const struct thrift_struct *description, const void *value,
                           struct pb_bytes golden)
{
    struct record_sink record;
    record_sink_init(&record);
    check_code(check, "old encoder", thrift_encode_old(&record.sink, message, description, value),
               THRIFT_OK);
    if (!bytes_equal(memory_sink_bytes(&record.bytes), golden)) {
        fail_line(check, "the old encoder gives other bytes");
    }
    struct json_object *calls = key_of(check, "pure_write_calls");
    if (calls != NULL && (size_t)json_object_get_int64(calls) != record.n_writes) {
        fail_line(check, "the old encoder made %zu writes", record.n_writes);
    }
    record_sink_reset(&record);
    check_code(check, "new encoder", thrift_encode_new(&record.sink, message, description, value),
               THRIFT_OK);
    if (!bytes_equal(memory_sink_bytes(&record.bytes), golden)) {
        fail_line(check, "the new encoder gives other bytes");
    }
    if (record.n_writes != 1) {
        fail_line(check, "the new encoder made %zu writes", record.n_writes);
    }
    record_sink_release(&record);
}

static bool same_message(const struct thrift_message *a, const struct thrift_message *b)
{
    return bytes_equal(a->name, b->name) && a->type == b->type && a->sequence == b->sequence &&
           a->old_style == b->old_style;
}

/* What a vector says that a decoder must give. */
struct expected {
    enum thrift_code code;
    const struct thrift_message *message; /* NULL: a struct without a header                    */
    const struct thrift_struct *description;
    const void *value;
    size_t consumed; /* SIZE_MAX: not said                                                      */
};

static enum thrift_code decode(struct check *check, const struct thrift_way *way,
                               struct thrift_road *road, const struct expected *expected,
                               struct thrift_reply *reply)
{
    check->decoder.generic_only = way->generic_only;
    reply->description = expected->description;
    return expected->message != NULL
               ? thrift_decode_message(&check->decoder, way->kind, &road->body.source,
                                       expected->description, reply)
               : thrift_decode_struct(&check->decoder, way->kind, &road->body.source,
                                      expected->description, &reply->value);
}

static void check_way(struct check *check, const struct thrift_way *way, struct pb_bytes bytes,
                      const struct expected *expected)
{
    struct thrift_road road;
    struct thrift_reply reply;
    thrift_road_build(&road, way, bytes, &check->scrap);
    const enum thrift_code code = decode(check, way, &road, expected, &reply);
    check_code(check, way->name, code, expected->code);
    if (check->decoder.path != way->path) {
        fail_line(check, "%s: the other path ran", way->name);
    }
    if (code != THRIFT_OK || expected->code != THRIFT_OK) {
        return;
    }
    if (expected->message != NULL && !same_message(&reply.message, expected->message)) {
        fail_line(check, "%s: another header", way->name);
    }
    if (reply.description != expected->description ||
        !thrift_equal(expected->description, reply.value, expected->value)) {
        fail_line(check, "%s: another value", way->name);
    }
    const size_t consumed = thrift_road_consumed(&road, &check->decoder);
    if (expected->consumed != SIZE_MAX && consumed != expected->consumed) {
        fail_line(check, "%s: %zu bytes taken", way->name, consumed);
    }
    struct json_object *calls = key_of(check, "pure_read_calls");
    if (calls != NULL && way->kind == TRANSPORT_PLAIN &&
        (uint64_t)json_object_get_int64(calls) != check->decoder.transport.n_reads) {
        fail_line(check, "%s: %llu reads", way->name,
                  (unsigned long long)check->decoder.transport.n_reads);
    }
}

static void check_ways(struct check *check, struct pb_bytes bytes, const struct expected *expected)
{
    for (size_t i = 0; i < n_thrift_ways; ++i) {
        check_way(check, &thrift_ways[i], bytes, expected);
    }
}

static bool read_hex(struct check *check, const char *text, struct pb_bytes *bytes)
{
    *bytes = hex_read(text, &check->scrap);
    if (bytes->data == NULL && bytes->size > 0) {
        fail_line(check, "not made of pairs of hex digits: %.40s", text);
        return false;
    }
    return true;
}

static void check_value(struct check *check)
{
    const struct thrift_struct *description = tcli_find_struct(text_of(check, "struct"));
    struct pb_bytes bytes;
    if (description == NULL) {
        fail_line(check, "no struct \"%s\"", text_of(check, "struct"));
        return;
    }
    const char *wrong;
    const void *value =
        thrift_json_read(description, key_of(check, "value"), &check->scrap, &wrong);
    if (value == NULL || !read_hex(check, text_of(check, "bytes_hex"), &bytes)) {
        fail_line(check, "its value is wrong at \"%s\"", wrong);
        return;
    }
    struct json_object *header = key_of(check, "header");
    struct json_object *member = NULL;
    struct thrift_message message = {.type = 0};
    if (header != NULL) {
        json_object_object_get_ex(header, "method", &member);
        message.name.data = json_object_get_string(member);
        message.name.size = (size_t)json_object_get_string_len(member);
        json_object_object_get_ex(header, "type", &member);
        message.type = json_object_get_int(member);
        json_object_object_get_ex(header, "seqid", &member);
        message.sequence = json_object_get_int(member);
        json_object_object_get_ex(header, "strict", &member);
        message.old_style = !json_object_get_boolean(member);
    }
    const struct expected expected = {.message = header != NULL ? &message : NULL,
                                      .description = description,
                                      .value = value,
                                      .consumed = bytes.size};
    check_encoders(check, expected.message, description, value, bytes);
    check_ways(check, bytes, &expected);
}

/*
 * What a vector expects: C++ 0.17 decides, but Python does where C++ misses a required field.
 */
static const char *decisive_outcome(const struct check *check)
{
    struct json_object *outcome = NULL;
    json_object_object_get_ex(key_of(check, "outcomes"), "cpp017", &outcome);
    const char *text = json_object_get_string(outcome);
    if (text == NULL || strstr(text, "type=1: TProtocolException: Invalid data") != NULL) {
        json_object_object_get_ex(key_of(check, "outcomes"), "py017_pure", &outcome);
        text = json_object_get_string(outcome);
    }
    return text != NULL ? text : "";
}

static enum thrift_code code_of_outcome(const char *outcome)
{
    static const struct {
        const char *text;
        enum thrift_code code;
    } codes[] = {
        {"OK", THRIFT_OK},
        {"ERR EOFError", THRIFT_TRUNCATED},
        {"ERR TTransportException type=3", THRIFT_TRUNCATED},
        {"ERR TTransportException type=5", THRIFT_NEGATIVE_LENGTH},
        {"ERR TTransportException type=6", THRIFT_OVER_LIMIT},
        {"ERR TProtocolException type=0: unrecognized type code", THRIFT_BAD_TYPE},
        {"ERR TProtocolException type=1: invalid TType", THRIFT_BAD_TYPE},
        {"ERR TProtocolException type=2", THRIFT_NEGATIVE_LENGTH},
        {"ERR TProtocolException type=3", THRIFT_OVER_LIMIT},
        {"ERR TProtocolException type=4", THRIFT_BAD_VERSION},
        {"ERR TProtocolException type=6", THRIFT_TOO_DEEP},
    };
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; ++i) {
        if (strncmp(outcome, codes[i].text, strlen(codes[i].text)) == 0) {
            return codes[i].code;
        }
    }
    return THRIFT_SINK_FAILED; /* no decoder gives this */
}

static void check_header_way(struct check *check, const struct thrift_way *way,
                             struct pb_bytes bytes, enum thrift_code expected, const char *outcome)
{
    struct thrift_road road;
    struct thrift_message message;
    thrift_road_build(&road, way, bytes, &check->scrap);
    const enum thrift_code code =
        thrift_decode_header(&check->decoder, way->kind, &road.body.source, &message);
    check_code(check, way->name, code, expected);
    if (code != THRIFT_OK || expected != THRIFT_OK) {
        return;
    }
    char text[512];
    int size = snprintf(text, sizeof text, "OK name=");
    for (size_t i = 0; i < message.name.size && size < 400; ++i) {
        size += snprintf(text + size, sizeof text - (size_t)size, "%02x",
                         ((const unsigned char *)message.name.data)[i]);
    }
    snprintf(text + size, sizeof text - (size_t)size, " type=%d seqid=%d", message.type,
             message.sequence);
    if (strcmp(text, outcome) != 0) {
        fail_line(check, "%s: \"%s\" instead of \"%s\"", way->name, text, outcome);
    }
}

static void check_edge_value(struct check *check, struct pb_bytes bytes, const char *outcome)
{
    const struct thrift_struct *description = tcli_find_struct(text_of(check, "struct"));
    struct expected expected = {
        .code = code_of_outcome(outcome), .description = description, .consumed = SIZE_MAX};
    if (description == NULL) {
        fail_line(check, "no struct \"%s\"", text_of(check, "struct"));
        return;
    }
    struct thrift_decoder golden;
    thrift_decoder_init(&golden);
    if (expected.code == THRIFT_OK) {
        const char *hex = outcome + strlen("OK ");
        const char *behind = strchr(hex, ' ');
        struct memory_source source;
        struct pb_bytes kept;
        const size_t length = behind != NULL ? (size_t)(behind - hex) : strlen(hex);
        char *copy = scrap_alloc(&check->scrap, length + 1);
        snprintf(copy, length + 1, "%s", hex);
        void *value = NULL;
        if (!read_hex(check, copy, &kept)) {
            goto out;
        }
        memory_source_init(&source, kept);
        check_code(
            check, "the golden value",
            thrift_decode_struct(&golden, TRANSPORT_PLAIN, &source.source, description, &value),
            THRIFT_OK);
        expected.value = value;
        const char *consumed = strstr(outcome, "consumed=");
        if (consumed != NULL) {
            expected.consumed = strtoull(consumed + strlen("consumed="), NULL, 10);
        }
        if (value == NULL) {
            goto out;
        }
    }
    check_ways(check, bytes, &expected);
out:
    thrift_decoder_release(&golden);
}

static void check_edge(struct check *check)
{
    const char *outcome = decisive_outcome(check);
    const enum thrift_code code = code_of_outcome(outcome);
    struct pb_bytes bytes;
    if (code == THRIFT_SINK_FAILED) {
        fail_line(check, "its outcome is not known: %s", outcome);
    } else if (!read_hex(check, text_of(check, "bytes_hex"), &bytes)) {
        return;
    } else if (strcmp(text_of(check, "struct"), "MESSAGE") == 0) {
        for (size_t i = 0; i < n_thrift_ways; ++i) {
            check_header_way(check, &thrift_ways[i], bytes, code, outcome);
        }
    } else {
        check_edge_value(check, bytes, outcome);
    }
}

static void check_text(struct check *check)
{
    const struct thrift_struct *description = tcli_find_struct(text_of(check, "struct"));
    const char *wrong = "struct";
    const void *value = description != NULL ? thrift_json_read(description, key_of(check, "value"),
                                                               &check->scrap, &wrong)
                                            : NULL;
    if (value == NULL) {
        fail_line(check, "its value is wrong at \"%s\"", wrong);
        return;
    }
    struct memory_sink sink;
    memory_sink_init(&sink, NULL, 0);
    check_code(check, "the text", thrift_text_write(&sink.sink, description, value), THRIFT_OK);
    const struct pb_bytes text = memory_sink_bytes(&sink);
    const struct pb_bytes golden = {text_of(check, "text"), strlen(text_of(check, "text"))};
    if (!bytes_equal(text, golden)) {
        fail_line(check, "its text is %.*s", text.size < 900 ? (int)text.size : 900,
                  (const char *)text.data);
    }
    memory_sink_release(&sink);
}

static void check_begin(struct check *check, struct vector_file *file)
{
    *check = (struct check){.file = file, .name = "(no name)"};
    thrift_decoder_init(&check->decoder);
}

static void check_end(struct check *check)
{
    check->file->n_failed += check->failed;
    json_object_put(check->json);
    scrap_release(&check->scrap);
    thrift_decoder_release(&check->decoder);
}

static void check_line(struct vector_file *file, const char *text)
{
    struct check check;
    check_begin(&check, file);
    check.json = json_tokener_parse(text);
    if (!json_object_is_type(check.json, json_type_object)) {
        fail_line(&check, "not a JSON object");
    } else {
        check.name = text_of(&check, "name");
        if (key_of(&check, "kind") != NULL) {
            check_value(&check);
            ++file->n_run;
        } else if (key_of(&check, "outcomes") != NULL) {
            check_edge(&check);
            ++file->n_run;
        } else if (key_of(&check, "text") != NULL) {
            check_text(&check);
            ++file->n_run;
        }
    }
    check_end(&check);
}

static void test_every_line_of_the_file_by_every_way(void **state)
{
    struct vector_file *file = *state;
    FILE *in = fopen(file->path, "r");
    assert_non_null(in);
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&text, &capacity, in)) >= 0) {
        ++file->line_number;
        if (strspn(text, " \t\r\n") < (size_t)length) {
            check_line(file, text);
        }
    }
    free(text);
    fclose(in);
    print_message("%s: %zu vectors run, %zu failed\n", file->path, file->n_run, file->n_failed);
    assert_int_equal(file->n_failed, 0);
}

static struct pb_bytes read_file(const char *path, struct scrap *scrap)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    const size_t size = (size_t)ftell(in);
    rewind(in);
    void *data = scrap_alloc(scrap, size);
    assert_int_equal(fread(data, 1, size, in), size);
    fclose(in);
    return (struct pb_bytes){data, size};
}

/* The reads that the file beside it counts; 0 when it says nothing of this reply. */
static uint64_t counted_reads(const char *path)
{
    char beside[4096];
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    struct json_object *reply = NULL;
    struct json_object *reads = NULL;
    snprintf(beside, sizeof beside, "%.*s/thrift_big.json", (int)(name - path), path);
    struct json_object *big = json_object_from_file(beside);
    if (big == NULL) {
        big = json_object_from_file(CASES_VECTORS "/thrift_big.json");
    }
    json_object_object_get_ex(big, name, &reply);
    json_object_object_get_ex(reply, "pure_python_read_calls", &reads);
    const uint64_t n = (uint64_t)json_object_get_int64(reads);
    json_object_put(big);
    return n;
}

static void check_reply_way(struct check *check, const struct thrift_way *way,
                            struct pb_bytes bytes)
{
    struct thrift_road road;
    struct thrift_message message;
    struct thrift_reply reply;
    check->decoder.generic_only = way->generic_only;
    thrift_road_build(&road, way, bytes, &check->scrap);
    check_code(check, way->name,
               thrift_decode_header(&check->decoder, way->kind, &road.body.source, &message),
               THRIFT_OK);
    const struct tcli_method *method = tcli_find_method(message.name);
    if (method == NULL) {
        fail_line(check, "%s: no method of that name", way->name);
        return;
    }
    const struct thrift_struct *description =
        message.type == THRIFT_CALL ? method->args : method->result;
    thrift_road_build(&road, way, bytes, &check->scrap);
    const enum thrift_code code =
        thrift_decode_message(&check->decoder, way->kind, &road.body.source, description, &reply);
    check_code(check, way->name, code, THRIFT_OK);
    if (code != THRIFT_OK) {
        return;
    }
    if (check->decoder.path != way->path) {
        fail_line(check, "%s: the other path ran", way->name);
    }
    const uint64_t reads = counted_reads(check->file->path);
    if (way->kind == TRANSPORT_PLAIN && reads != 0 && reads != check->decoder.transport.n_reads) {
        fail_line(check, "%s: %llu reads", way->name,
                  (unsigned long long)check->decoder.transport.n_reads);
    }
    check_encoders(check, &reply.message, reply.description, reply.value, bytes);
}

static void test_the_message_decodes_and_is_encoded_to_the_same_bytes(void **state)
{
    struct vector_file *file = *state;
    struct check check;
    check_begin(&check, file);
    const struct pb_bytes bytes = read_file(file->path, &check.scrap);
    check.name = "reply";
    for (size_t i = 0; i < n_thrift_ways; ++i) {
        check_reply_way(&check, &thrift_ways[i], bytes);
    }
    ++file->n_run;
    check_end(&check);
    assert_int_equal(file->n_failed, 0);
}

/* Whether a file begins like a message with a version. */
static bool is_message(const char *path)
{
    unsigned char head[2] = {0, 0};
    FILE *in = fopen(path, "rb");
    const bool read = in != NULL && fread(head, 1, 2, in) == 2;
    if (in != NULL) {
        fclose(in);
    }
    return read && head[0] == 0x80 && head[1] == 0x01;
}

/* Whether a file's first line is a vector of this kind. */
static bool is_thrift(const char *path)
{
    char line[65536];
    FILE *in = fopen(path, "r");
    const bool read = in != NULL && fgets(line, sizeof line, in) != NULL;
    if (in != NULL) {
        fclose(in);
    }
    return read && (strstr(line, "\"kind\"") != NULL || strstr(line, "\"outcomes\"") != NULL ||
                    strstr(line, "\"text\"") != NULL);
}

/* Finds the files of a folder that `wanted` says are vectors, and makes each a test. */
static size_t add_tests(const char *folder, const char *pattern, bool (*wanted)(const char *),
                        void (*run)(void **), struct CMUnitTest *tests, size_t n, glob_t *found)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, pattern);
    glob(path, 0, NULL, found);
    for (size_t i = 0; i < found->gl_pathc && n < 100; ++i) {
        if (wanted(found->gl_pathv[i])) {
            struct vector_file *file = calloc(1, sizeof *file);
            assert_non_null(file);
            file->path = found->gl_pathv[i];
            tests[n++] =
                (struct CMUnitTest){.name = file->path, .test_func = run, .initial_state = file};
        }
    }
    return n;
}

int main(void)
{
    char folder[2048];
    vector_folder_choose(folder, sizeof folder);
    struct CMUnitTest tests[100];
    glob_t found[3] = {{.gl_pathc = 0}, {.gl_pathc = 0}, {.gl_pathc = 0}};
    size_t n = add_tests(folder, "*.jsonl", is_thrift, test_every_line_of_the_file_by_every_way,
                         tests, 0, &found[0]);
    n = add_tests(folder, "*.bin", is_message,
                  test_the_message_decodes_and_is_encoded_to_the_same_bytes, tests, n, &found[1]);
    n = add_tests(folder, "golden/*.bin", is_message,
                  test_the_message_decodes_and_is_encoded_to_the_same_bytes, tests, n, &found[2]);
    int status = n > 0 ? _cmocka_run_group_tests("Thrift vectors", tests, n, NULL, NULL) : 77;
    size_t n_run = 0;
    for (size_t i = 0; i < n; ++i) {
        n_run += ((struct vector_file *)tests[i].initial_state)->n_run;
        free(tests[i].initial_state);
    }
    print_message("%zu Thrift vectors run\n", n_run);
    for (size_t i = 0; i < 3; ++i) {
        globfree(&found[i]);
    }
    return status;
}
