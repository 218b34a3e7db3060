/* SPDX-License-Identifier: Apache-2.0
 *
 * json-c's strict parser, line by line; what it leaves open (a NaN, a number too large for 64 bits,
 * bytes behind the object) is refused here.
 */
#include "store/baseline_lines.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

enum pb_code pb_baseline_lines_fail(const struct pb_baseline_lines *lines, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pb_error_set(lines->err, PB_ERR_FORMAT, "%s:%zu: %s", lines->file, lines->line, what);
}

const char *pb_baseline_lines_shown(const struct pb_baseline_lines *lines, const char *text)
{
    struct pb_strbuf escaped = {.limit = 256};
    pb_text_add_escaped(&escaped, text);
    const char *copy = pb_arena_strdup(lines->arena, escaped.text);
    pb_strbuf_release(&escaped);
    return copy;
}

const char *pb_baseline_lines_unescape(const struct pb_baseline_lines *lines, const char *escaped)
{
    struct pb_strbuf plain = {0};
    const char *text =
        pb_text_add_unescaped(&plain, escaped) ? pb_arena_strdup(lines->arena, plain.text) : NULL;
    pb_strbuf_release(&plain);
    return text;
}

const char *pb_baseline_lines_text(const struct pb_baseline_lines *lines, struct json_object *value)
{
    if (!json_object_is_type(value, json_type_string)) {
        return NULL;
    }
    const char *text = json_object_get_string(value);
    return strlen(text) == (size_t)json_object_get_string_len(value)
               ? pb_baseline_lines_unescape(lines, text)
               : NULL;
}

enum pb_code pb_baseline_lines_take_text(const struct pb_baseline_lines *lines,
                                         struct json_object *object, const char *key,
                                         const char **text)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    const char *taken = pb_baseline_lines_text(lines, value);
    if (taken == NULL) {
        return pb_baseline_lines_fail(
            lines, "\"%s\" must be a string, escaped as pairbench writes it", key);
    }
    *text = taken;
    return PB_OK;
}

enum pb_code pb_baseline_lines_take_optional(const struct pb_baseline_lines *lines,
                                             struct json_object *object, const char *key,
                                             const char **text)
{
    *text = NULL;
    return json_object_object_get_ex(object, key, NULL)
               ? pb_baseline_lines_take_text(lines, object, key, text)
               : PB_OK;
}

static bool is_leap_year(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Whether text is YYYY-MM-DD and names a day of the calendar. */
static bool is_day(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const char form[] = "0000-00-00";
    for (size_t i = 0; i < sizeof form; i++) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !digit : text[i] != form[i]) {
            return false;
        }
    }
    const int year =
        1000 * (text[0] - '0') + 100 * (text[1] - '0') + 10 * (text[2] - '0') + (text[3] - '0');
    const int month = 10 * (text[5] - '0') + (text[6] - '0');
    const int day = 10 * (text[8] - '0') + (text[9] - '0');
    return month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && is_leap_year(year));
}

enum pb_code pb_baseline_lines_take_day(const struct pb_baseline_lines *lines,
                                        struct json_object *object, const char *key,
                                        const char **day)
{
    const char *text = "";
    const enum pb_code code = pb_baseline_lines_take_text(lines, object, key, &text);
    if (code != PB_OK) {
        return code;
    }
    if (!is_day(text)) {
        return pb_baseline_lines_fail(lines, "\"%s\" must be a day such as 2026-01-31, not \"%s\"",
                                      key, pb_baseline_lines_shown(lines, text));
    }
    *day = text;
    return PB_OK;
}

bool pb_baseline_lines_integer(struct json_object *value, int64_t max, int64_t *number)
{
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0 ||
        json_object_get_uint64(value) > (uint64_t)max) {
        return false;
    }
    *number = json_object_get_int64(value);
    return true;
}

double pb_baseline_lines_number(struct json_object *value)
{
    const bool numeric =
        json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int);
    return numeric ? json_object_get_double(value) : NAN;
}

/*
 * Where a line holds what JSON does not allow but json-c does: quotes other than ", the numbers NaN
 * and Infinity, control characters in strings. returns: n when it holds none
 */
static size_t find_not_strict(const char *line, size_t n)
{
    static const char outside[] = "{}[]:,0123456789+-.eE \t\rtruefalsn"; /* a string */
    bool in_string = false;
    for (size_t i = 0; i < n; i++) {
        const char c = line[i];
        if (c == '"') {
            in_string = !in_string;
        } else if (in_string && c == '\\') {
            i++;
        } else if (in_string ? (unsigned char)c < 0x20 : strchr(outside, c) == NULL) {
            return i;
        }
    }
    return n;
}

/* line: n bytes, without the newline */
static enum pb_code parse_line(struct pb_baseline_lines *lines, const char *line, size_t n)
{
    if (n > PB_BASELINE_LINE_BYTES_MAX) {
        return pb_error_set(lines->err, PB_ERR_LIMIT, "%s:%zu: longer than the limit of %d bytes",
                            lines->file, lines->line, PB_BASELINE_LINE_BYTES_MAX);
    }
    if (n == 0) {
        return pb_baseline_lines_fail(lines, "an empty line");
    }
    if (memchr(line, '\0', n) != NULL) {
        return pb_baseline_lines_fail(lines, "a zero byte: this is no text");
    }
    const size_t not_strict = find_not_strict(line, n);
    if (not_strict < n) {
        return pb_baseline_lines_fail(
            lines, "not a JSON object: an unexpected character at byte %zu", not_strict + 1);
    }
    json_tokener_reset(lines->tokener);
    lines->object = json_tokener_parse_ex(lines->tokener, line, (int)n);
    const enum json_tokener_error state = json_tokener_get_error(lines->tokener);
    if (state == json_tokener_continue) {
        return pb_baseline_lines_fail(lines, "not a JSON object: it ends too early");
    }
    if (state != json_tokener_success) {
        return pb_baseline_lines_fail(lines, "not a JSON object: %s at byte %zu",
                                      json_tokener_error_desc(state),
                                      json_tokener_get_parse_end(lines->tokener) + 1);
    }
    if (!json_object_is_type(lines->object, json_type_object)) {
        return pb_baseline_lines_fail(lines, "a line must be a JSON object");
    }
    return PB_OK;
}

void pb_baseline_lines_begin(struct pb_baseline_lines *lines, const char *file, const char *text,
                             size_t n, struct pb_arena *arena, struct pb_error *err)
{
    *lines = (struct pb_baseline_lines){
        .file = file,
        .arena = arena,
        .err = err,
        .at = text,
        .end = text + n,
        .tokener = json_tokener_new_ex(PB_BASELINE_DEPTH_MAX),
    };
    if (lines->tokener == NULL) {
        pb_out_of_memory();
    }
    json_tokener_set_flags(lines->tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
}

void pb_baseline_lines_end(struct pb_baseline_lines *lines)
{
    json_object_put(lines->object);
    json_tokener_free(lines->tokener);
}

enum pb_code pb_baseline_lines_next(struct pb_baseline_lines *lines, struct json_object **object)
{
    json_object_put(lines->object);
    lines->object = NULL;
    *object = NULL;
    if (lines->at == lines->end && lines->line > 0) {
        return PB_OK;
    }
    if (++lines->line > PB_BASELINE_LINES_MAX) {
        return pb_error_set(lines->err, PB_ERR_LIMIT, "%s: more than the limit of %d lines",
                            lines->file, PB_BASELINE_LINES_MAX);
    }
    if (lines->at == lines->end) {
        return pb_baseline_lines_fail(lines, "the file is empty");
    }
    const char *line = lines->at;
    const char *newline = memchr(line, '\n', (size_t)(lines->end - line));
    const char *line_end = newline != NULL ? newline : lines->end;
    lines->at = newline != NULL ? newline + 1 : lines->end;
    const enum pb_code code = parse_line(lines, line, (size_t)(line_end - line));
    *object = lines->object;
    return code;
}

/* Says which kinds would have done. */
static enum pb_code refuse_kind(const struct pb_baseline_lines *lines, const char *kind,
                                const char *const *kinds, size_t n_kinds)
{
    struct pb_strbuf list = {0};
    for (size_t i = 0; i < n_kinds; i++) {
        pb_strbuf_addf(&list, "%s\"%s\"", i > 0 ? " and " : "", kinds[i]);
    }
    const enum pb_code code =
        pb_baseline_lines_fail(lines, "kind \"%s\" is not known here, only %s",
                               pb_baseline_lines_shown(lines, kind), list.text);
    pb_strbuf_release(&list);
    return code;
}

enum pb_code pb_baseline_lines_header(struct pb_baseline_lines *lines, const char *const *kinds,
                                      size_t n_kinds, size_t *kind, struct json_object **header)
{
    const char *schema = "";
    const char *name = "";
    enum pb_code code = pb_baseline_lines_next(lines, header);
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(lines, *header, "schema", &schema);
    }
    if (code == PB_OK && strcmp(schema, PB_BASELINE_SCHEMA) != 0) {
        code = pb_baseline_lines_fail(
            lines,
            "schema \"%s\" is not known here, only \"%s\": use the pairbench that "
            "wrote it, or save the baseline again",
            pb_baseline_lines_shown(lines, schema), PB_BASELINE_SCHEMA);
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(lines, *header, "kind", &name);
    }
    if (code != PB_OK) {
        return code;
    }
    for (size_t i = 0; i < n_kinds; i++) {
        if (strcmp(name, kinds[i]) == 0) {
            *kind = i;
            return PB_OK;
        }
    }
    return refuse_kind(lines, name, kinds, n_kinds);
}

enum pb_code pb_baseline_lines_all(struct pb_baseline_lines *lines, const char *kind,
                                   pb_baseline_take_line *take, void *context)
{
    struct json_object *object = NULL;
    size_t ignored = 0;
    enum pb_code code = pb_baseline_lines_header(lines, &kind, 1, &ignored, &object);
    while (code == PB_OK && (code = pb_baseline_lines_next(lines, &object)) == PB_OK &&
           object != NULL) {
        code = take(lines, object, context);
    }
    pb_baseline_lines_end(lines);
    return code;
}
