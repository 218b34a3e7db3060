/* SPDX-License-Identifier: Apache-2.0
 *
 * The golden vectors of the CQL encoders: every line of every *.jsonl file of a folder, on both
 * sides. The folder is the committed one, or what PAIRBENCH_VECTORS names; any folder in the same
 * format will do. Each file is a test that says how many of its vectors it ran.
 *
 * What a line is shows in its keys. Lines for protocol versions that are not encoded here, and
 * lines whose inputs are words, are counted as not run. Files of another kind are named and left
 * alone; Thrift's have a test of their own.
 */
#include <errno.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sha2.h>

#include "cql/vector_value.h"
#include "cql_sides.h"
#include "vector_folder.h"

#define SKIPPED 77

enum line_kind {
    LINE_UNKNOWN,
    LINE_BODY,
    LINE_ERROR,
    LINE_FRAME,
    LINE_VECTOR,
};

struct vector_file {
    const char *path;
    struct json_object *new_counts; /* name → writes of new; NULL when there is no such file    */
    size_t line_number;
    size_t n_run;
    size_t n_failed;
    size_t n_not_run;
    bool foreign; /* of a kind that is not known here                                           */
};

/* A line at work. */
struct check {
    struct vector_file *file;
    struct json_object *json;
    const char *text;
    struct scrap scrap;
    struct cql_line line;
    const struct cql_protocol *protocol;
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
    print_error("%s:%zu: %s: %s\n", check->file->path, check->file->line_number,
                check->line.name != NULL ? check->line.name : "(no name)", text);
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
    return json_object_get_string(key_of(check, key));
}

/* Reads a member of hex digits; fails the line when it is none. */
static bool golden_of(struct check *check, const char *key, struct pb_bytes *golden)
{
    const char *text = text_of(check, key);
    *golden = hex_read(text != NULL ? text : "?", &check->scrap);
    if (golden->data == NULL) {
        fail_line(check, "\"%s\" is not made of pairs of hex digits", key);
        return false;
    }
    return true;
}

static void check_bytes(struct check *check, const char *what, struct pb_bytes bytes,
                        struct pb_bytes golden)
{
    const unsigned char *a = bytes.data;
    const unsigned char *b = golden.data;
    size_t at = 0;
    while (at < bytes.size && at < golden.size && a[at] == b[at]) {
        ++at;
    }
    if (at < bytes.size || at < golden.size) {
        fail_line(check, "%s: %zu bytes instead of %zu, different from byte %zu on", what,
                  bytes.size, golden.size, at);
    }
}

static void check_digest(struct check *check, const char *what, struct pb_bytes bytes)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes.data, bytes.size);
    SHA256Final(digest, &context);
    struct pb_bytes golden;
    if (!golden_of(check, "body_sha256", &golden)) {
        return;
    }
    const size_t size = (size_t)json_object_get_int64(key_of(check, "body_len"));
    if (bytes.size != size) {
        fail_line(check, "%s: %zu bytes instead of %zu", what, bytes.size, size);
    } else if (!bytes_equal((struct pb_bytes){digest, sizeof digest}, golden)) {
        fail_line(check, "%s: another SHA-256", what);
    }
}

static void check_old_writes(struct check *check, const struct record_sink *record)
{
    struct json_object *calls = key_of(check, "write_calls");
    if (calls != NULL && (size_t)json_object_get_int64(calls) != record->n_writes) {
        fail_line(check, "old made %zu writes instead of %s", record->n_writes,
                  text_of(check, "write_calls"));
    }
    struct json_object *sizes = key_of(check, "write_sizes");
    if (!json_object_is_type(sizes, json_type_array)) {
        return;
    }
    const size_t n = json_object_array_length(sizes);
    for (size_t i = 0; i < n && i < record->n_writes; ++i) {
        const int64_t size = json_object_get_int64(json_object_array_get_idx(sizes, i));
        if ((size_t)size != record->sizes[i]) {
            fail_line(check, "old's write %zu has %zu bytes instead of %lld", i, record->sizes[i],
                      (long long)size);
            return;
        }
    }
    if (n != record->n_writes) {
        fail_line(check, "old made %zu writes, their sizes are %zu", record->n_writes, n);
    }
}

static void check_new_writes(struct check *check, const struct record_sink *record)
{
    struct json_object *calls = NULL;
    if (check->file->new_counts != NULL) {
        json_object_object_get_ex(check->file->new_counts, check->line.name, &calls);
    }
    if (calls != NULL && (size_t)json_object_get_int64(calls) != record->n_writes) {
        fail_line(check, "new made %zu writes instead of %s", record->n_writes,
                  json_object_get_string(calls));
    }
    if (check->line.message == CQL_MESSAGE_BATCH && record->n_writes != 1) {
        fail_line(check, "new made %zu writes of a batch", record->n_writes);
    }
}

static void check_side(struct check *check, enum cql_side side)
{
    const char *what = cql_side_names[side];
    struct record_sink record;
    record_sink_init(&record);
    const enum cql_code code = cql_line_encode(&check->line, check->protocol, side, &record.sink);
    const struct pb_bytes bytes = memory_sink_bytes(&record.bytes);
    struct pb_bytes golden;
    if (code != CQL_OK) {
        fail_line(check, "%s refused it: %s", what, cql_code_text(code));
        goto out;
    }
    if (key_of(check, "body_hex") == NULL) {
        check_digest(check, what, bytes);
    } else if (golden_of(check, "body_hex", &golden)) {
        check_bytes(check, what, bytes, golden);
    }
    if (side == CQL_SIDE_OLD) {
        check_old_writes(check, &record);
    } else {
        check_new_writes(check, &record);
    }
    if (!cql_line_fits_any_room(&check->line, check->protocol, side, bytes)) {
        fail_line(check, "%s gives other bytes when the sink has to grow", what);
    }
out:
    record_sink_release(&record);
}

static void check_body(struct check *check)
{
    check_side(check, CQL_SIDE_OLD);
    check_side(check, CQL_SIDE_NEW);
}

/* What the drivers raise, as a code; CQL_OK for what is not known. */
static enum cql_code code_of(const char *exception)
{
    static const struct {
        const char *exception;
        enum cql_code code;
    } codes[] = {
        {"struct.error", CQL_RANGE},
        {"cassandra.UnsupportedOperation", CQL_UNSUPPORTED},
        {"builtins.TypeError", CQL_TYPE},
        {"builtins.ValueError", CQL_DIMENSION},
        {"builtins.OverflowError", CQL_OVERFLOW},
    };
    for (size_t i = 0; exception != NULL && i < sizeof codes / sizeof codes[0]; ++i) {
        if (strcmp(codes[i].exception, exception) == 0) {
            return codes[i].code;
        }
    }
    return CQL_OK;
}

static void check_code(struct check *check, const char *what, enum cql_code code,
                       enum cql_code expected)
{
    if (code != expected) {
        fail_line(check, "%s: \"%s\" instead of \"%s\"", what, cql_code_text(code),
                  cql_code_text(expected));
    }
}

static void check_old_error(struct check *check, enum cql_code expected, struct record_sink *old)
{
    check_code(check, "old",
               cql_line_encode(&check->line, check->protocol, CQL_SIDE_OLD, &old->sink), expected);
    const struct pb_bytes bytes = memory_sink_bytes(&old->bytes);
    struct json_object *calls = key_of(check, "old_write_calls_before_error");
    if (calls != NULL && (size_t)json_object_get_int64(calls) != old->n_writes) {
        fail_line(check, "old had made %zu writes", old->n_writes);
    }
    struct json_object *size = key_of(check, "old_bytes_before_error");
    if (size != NULL && (size_t)json_object_get_int64(size) != bytes.size) {
        fail_line(check, "old had written %zu bytes", bytes.size);
    }
    struct pb_bytes golden;
    if (key_of(check, "old_partial_hex") != NULL && golden_of(check, "old_partial_hex", &golden)) {
        check_bytes(check, "old's partial output", bytes, golden);
    }
}

/* Turns texts of a batch into bytes; returns whether that makes it one that new accepts. */
static bool replace_texts(struct check *check)
{
    bool any = false;
    struct cql_batch *batch = &check->line.batch;
    struct cql_query *queries = scrap_alloc(&check->scrap, batch->n_queries * sizeof *queries);
    for (size_t i = 0; i < batch->n_queries; ++i) {
        queries[i] = batch->queries[i];
        struct cql_value *values = scrap_alloc(&check->scrap, queries[i].n_values * sizeof *values);
        for (size_t k = 0; k < queries[i].n_values; ++k) {
            values[k] = queries[i].values[k];
            any = any || values[k].kind == CQL_TEXT;
            if (values[k].kind == CQL_NUMBER) {
                return false;
            }
            values[k].kind = values[k].kind == CQL_TEXT ? CQL_BYTES : values[k].kind;
        }
        queries[i].values = values;
    }
    batch->queries = queries;
    return any;
}

static void check_new_batch_error(struct check *check, enum cql_code expected,
                                  struct record_sink *new)
{
    const enum cql_code code =
        cql_line_encode(&check->line, check->protocol, CQL_SIDE_NEW, &new->sink);
    if (expected != CQL_TYPE || !replace_texts(check)) {
        check_code(check, "new", code, expected);
        if (new->n_writes != 0) {
            fail_line(check, "new wrote something of a batch that it refused");
        }
        return;
    }
    struct record_sink as_bytes;
    record_sink_init(&as_bytes);
    check_code(check, "new, which takes text", code, CQL_OK);
    check_code(check, "old, of bytes for text",
               cql_line_encode(&check->line, check->protocol, CQL_SIDE_OLD, &as_bytes.sink),
               CQL_OK);
    check_bytes(check, "new's text", memory_sink_bytes(&new->bytes),
                memory_sink_bytes(&as_bytes.bytes));
    record_sink_release(&as_bytes);
}

static void check_new_error(struct check *check, enum cql_code expected,
                            const struct record_sink *old, struct record_sink *new)
{
    check_code(check, "new",
               cql_line_encode(&check->line, check->protocol, CQL_SIDE_NEW, &new->sink), expected);
    const struct pb_bytes left = memory_sink_bytes(&new->bytes);
    struct pb_bytes partial = memory_sink_bytes(&old->bytes);
    if (left.size > partial.size || left.size > cql_line_head_size(&check->line, check->protocol)) {
        fail_line(check, "new left %zu bytes, a part of the block among them", left.size);
        return;
    }
    partial.size = left.size;
    check_bytes(check, "new's partial output", left, partial);
}

static void check_error(struct check *check)
{
    const enum cql_code expected = code_of(text_of(check, "error"));
    if (expected == CQL_OK) {
        fail_line(check, "the error %s is not known", text_of(check, "error"));
        return;
    }
    struct record_sink old;
    struct record_sink new;
    record_sink_init(&old);
    record_sink_init(&new);
    check_old_error(check, expected, &old);
    if (check->line.message == CQL_MESSAGE_BATCH) {
        check_new_batch_error(check, expected, &new);
    } else {
        check_new_error(check, expected, &old, &new);
    }
    record_sink_release(&old);
    record_sink_release(&new);
}

static void check_frame_of(struct check *check, const struct cql_frame *frame, enum cql_side side,
                           struct pb_bytes golden)
{
    struct record_sink body;
    struct record_sink whole;
    record_sink_init(&body);
    record_sink_init(&whole);
    check_code(check, cql_side_names[side],
               cql_line_encode(&check->line, check->protocol, side, &body.sink), CQL_OK);
    check_code(check, "the frame",
               cql_frame_write(frame, check->protocol, memory_sink_bytes(&body.bytes), &whole.sink),
               CQL_OK);
    check_bytes(check, cql_side_names[side], memory_sink_bytes(&whole.bytes), golden);
    record_sink_release(&body);
    record_sink_release(&whole);
}

static void check_frame(struct check *check)
{
    static const enum cql_opcode opcodes[] = {
        [CQL_MESSAGE_BATCH] = CQL_OPCODE_BATCH,     [CQL_MESSAGE_QUERY] = CQL_OPCODE_QUERY,
        [CQL_MESSAGE_EXECUTE] = CQL_OPCODE_EXECUTE, [CQL_MESSAGE_PREPARE] = CQL_OPCODE_PREPARE,
        [CQL_MESSAGE_VALUES] = CQL_OPCODE_QUERY,
    };
    struct complaint complaint = {""};
    struct cql_frame frame = {
        .opcode = opcodes[check->line.message],
        .stream = json_object_get_int64(key_of(check, "stream")),
        .tracing = json_object_get_boolean(key_of(check, "tracing")),
        .beta = json_object_get_boolean(key_of(check, "beta")),
    };
    struct pb_bytes golden;
    if (cql_payload_read(check->json, &check->scrap, &frame, &complaint) != CQL_LINE_OK) {
        fail_line(check, "%s", complaint.text);
    } else if (golden_of(check, "frame_hex", &golden)) {
        check_frame_of(check, &frame, CQL_SIDE_OLD, golden);
        check_frame_of(check, &frame, CQL_SIDE_NEW, golden);
    }
}

/* A number, or a text that strtod() reads. */
static double number_of(struct json_object *json)
{
    return json_object_is_type(json, json_type_string) ? strtod(json_object_get_string(json), NULL)
                                                       : json_object_get_double(json);
}

static void check_vector(struct check *check)
{
    struct json_object *list = key_of(check, "values");
    if (!json_object_is_type(list, json_type_array)) {
        fail_line(check, "there is no list of \"values\"");
        return;
    }
    const size_t n = json_object_array_length(list);
    const size_t dimension = (size_t)json_object_get_int64(key_of(check, "dim"));
    double *values = scrap_alloc(&check->scrap, n * sizeof *values);
    for (size_t i = 0; i < n; ++i) {
        values[i] = number_of(json_object_array_get_idx(list, i));
    }
    unsigned char *bytes = scrap_alloc(&check->scrap, 4 * dimension);
    check_code(check, "the vector", cql_vector_encode(values, n, dimension, bytes),
               code_of(text_of(check, "error")));
    struct pb_bytes golden;
    if (key_of(check, "error") == NULL && golden_of(check, "hex", &golden)) {
        check_bytes(check, "the vector", (struct pb_bytes){bytes, 4 * dimension}, golden);
    }
}

static enum line_kind kind_of(const struct check *check)
{
    static const struct {
        const char *key;
        enum line_kind kind;
    } kinds[] = {
        {"dim", LINE_VECTOR},    {"frame_hex", LINE_FRAME},  {"error", LINE_ERROR},
        {"body_hex", LINE_BODY}, {"body_sha256", LINE_BODY},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (json_object_object_get_ex(check->json, kinds[i].key, NULL)) {
            return kinds[i].kind;
        }
    }
    return LINE_UNKNOWN;
}

static void check_request(struct check *check, enum line_kind kind)
{
    struct complaint complaint = {""};
    const enum cql_line_code code =
        cql_line_read(check->json, check->text, &check->scrap, &check->line, &complaint);
    check->protocol = cql_protocol_find(check->line.version);
    if (code == CQL_LINE_BAD) {
        fail_line(check, "%s", complaint.text);
    } else if (code == CQL_LINE_PROSE || check->protocol == NULL) {
        ++check->file->n_not_run;
        return;
    } else if (kind == LINE_BODY) {
        check_body(check);
    } else if (kind == LINE_ERROR) {
        check_error(check);
    } else {
        check_frame(check);
    }
    ++check->file->n_run;
}

static void check_line(struct vector_file *file, const char *text)
{
    struct check check = {.file = file, .text = text};
    enum json_tokener_error error;
    check.json = json_tokener_parse_verbose(text, &error);
    if (!json_object_is_type(check.json, json_type_object)) {
        fail_line(&check, "not a JSON object: %s", json_tokener_error_desc(error));
    } else {
        struct json_object *name = key_of(&check, "name");
        check.line.name = name != NULL ? json_object_get_string(name) : "(no name)";
        const enum line_kind kind = kind_of(&check);
        if (kind == LINE_UNKNOWN && file->line_number == 1) {
            file->foreign = true;
        } else if (kind == LINE_UNKNOWN) {
            fail_line(&check, "it has no golden bytes");
        } else if (kind == LINE_VECTOR) {
            check_vector(&check);
            ++file->n_run;
        } else {
            check_request(&check, kind);
        }
    }
    file->n_failed += check.failed;
    json_object_put(check.json);
    scrap_release(&check.scrap);
}

static void test_every_line_of_the_file_on_both_sides(void **state)
{
    struct vector_file *file = *state;
    FILE *in = fopen(file->path, "r");
    if (in == NULL) {
        fail_msg("%s: %s", file->path, strerror(errno));
    }
    char *text = NULL;
    size_t capacity = 0;
    ssize_t length;
    while (!file->foreign && (length = getline(&text, &capacity, in)) >= 0) {
        ++file->line_number;
        if (strspn(text, " \t\r\n") < (size_t)length) {
            check_line(file, text);
        }
    }
    free(text);
    fclose(in);
    if (file->foreign) {
        print_message("%s: of a kind that is not known here, not run\n", file->path);
        return;
    }
    print_message("%s: %zu vectors run, %zu failed, %zu not run\n", file->path, file->n_run,
                  file->n_failed, file->n_not_run);
    assert_int_equal(file->n_failed, 0);
}

/* The counts beside the vectors, else the committed ones, which name vectors of other folders too.
 */
static struct json_object *read_new_counts(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/cql_new_write_calls.json", folder);
    struct json_object *counts = json_object_from_file(path);
    return counts != NULL ? counts
                          : json_object_from_file(CASES_VECTORS "/cql_new_write_calls.json");
}

static bool is_thrift(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash != NULL ? slash + 1 : path, "thrift", 6) == 0;
}

/* Runs the files; returns an exit status. */
static int run_files(char *const *paths, size_t n_paths, struct json_object *new_counts)
{
    struct vector_file *files = calloc(n_paths + 1, sizeof *files);
    struct CMUnitTest *tests = calloc(n_paths + 1, sizeof *tests);
    if (files == NULL || tests == NULL) {
        abort();
    }
    size_t n = 0;
    for (size_t i = 0; i < n_paths; ++i) {
        if (is_thrift(paths[i])) {
            print_message("%s: left to the Thrift vectors' test\n", paths[i]);
            continue;
        }
        files[n] = (struct vector_file){.path = paths[i], .new_counts = new_counts};
        tests[n] = (struct CMUnitTest){.name = paths[i],
                                       .test_func = test_every_line_of_the_file_on_both_sides,
                                       .initial_state = &files[n]};
        ++n;
    }
    const bool only_thrift = n == 0 && n_paths > 0;
    int status = n > 0 ? _cmocka_run_group_tests("CQL vectors", tests, n, NULL, NULL) : 0;
    size_t n_run = 0;
    for (size_t i = 0; i < n; ++i) {
        n_run += files[i].n_run;
    }
    print_message("%zu CQL vectors run\n", n_run);
    if (only_thrift) {
        status = SKIPPED;
    } else if (n_run == 0) {
        status = 1;
    }
    free(files);
    free(tests);
    return status;
}

int main(void)
{
    char folder[2048];
    vector_folder_choose(folder, sizeof folder);
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/*.jsonl", folder);
    glob_t found = {.gl_pathc = 0};
    glob(pattern, 0, NULL, &found);
    if (found.gl_pathc == 0) {
        print_error("%s: no *.jsonl\n", folder);
    }
    struct json_object *new_counts = read_new_counts(folder);
    const int status = run_files(found.gl_pathv, found.gl_pathc, new_counts);
    json_object_put(new_counts);
    globfree(&found);
    return status;
}
