/* SPDX-License-Identifier: Apache-2.0
 *
 * One JSON object a line, by json-c's strict parser; what it leaves open (a NaN, a number too large
 * for 64 bits, bytes behind the object) is refused here. Entries are gathered with their lines and
 * sorted at the end, which is where two of one name meet.
 */
#include "store/baseline_parse.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/baseline_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

/* The entry comes first, so that the orders of baseline_format.h apply. */
struct count_entry {
    struct pb_baseline_count count;
    size_t line;
};

struct ratio_entry {
    struct pb_baseline_ratio ratio;
    size_t line;
};

struct parser {
    const char *file;
    size_t line; /* from 1 */
    struct pb_arena *arena;
    struct pb_error *err;
    struct json_tokener *tokener;
    bool holds_ratios; /* the kind of the file */
    struct pb_facts class_facts;
    struct pb_facts origin;
    struct count_entry *counts;
    size_t n_counts, counts_capacity;
    struct ratio_entry *ratios;
    size_t n_ratios, ratios_capacity;
};

static enum pb_code PB_PRINTF(2, 3) fail(const struct parser *parser, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pb_error_set(parser->err, PB_ERR_FORMAT, "%s:%zu: %s", parser->file, parser->line, what);
}

/* A text out of the file in the form that a terminal can show. */
static const char *shown(const struct parser *parser, const char *text)
{
    struct pb_strbuf escaped = {.limit = 256};
    pb_text_add_escaped(&escaped, text);
    const char *copy = pb_arena_strdup(parser->arena, escaped.text);
    pb_strbuf_release(&escaped);
    return copy;
}

/* Undoes the escaping of a name. returns: NULL when it is not escaped as it should be */
static const char *unescape(const struct parser *parser, const char *escaped)
{
    struct pb_strbuf plain = {0};
    const char *text =
        pb_text_add_unescaped(&plain, escaped) ? pb_arena_strdup(parser->arena, plain.text) : NULL;
    pb_strbuf_release(&plain);
    return text;
}

/* The text of a JSON string that holds no zero byte; NULL when value is none. */
static const char *string_of(const struct parser *parser, struct json_object *value)
{
    if (!json_object_is_type(value, json_type_string)) {
        return NULL;
    }
    const char *text = json_object_get_string(value);
    return strlen(text) == (size_t)json_object_get_string_len(value) ? unescape(parser, text)
                                                                     : NULL;
}

static enum pb_code take_string(struct parser *parser, struct json_object *object, const char *key,
                                const char **text)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    const char *taken = string_of(parser, value);
    if (taken == NULL) {
        return fail(parser, "\"%s\" must be a string, escaped as pairbench writes it", key);
    }
    *text = taken;
    return PB_OK;
}

/* An integer from 0 to max. returns: false when value is anything else */
static bool integer_of(struct json_object *value, int64_t max, int64_t *number)
{
    if (!json_object_is_type(value, json_type_int) || json_object_get_int64(value) < 0 ||
        json_object_get_uint64(value) > (uint64_t)max) {
        return false;
    }
    *number = json_object_get_int64(value);
    return true;
}

static double number_of(struct json_object *value)
{
    const bool numeric =
        json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int);
    return numeric ? json_object_get_double(value) : NAN;
}

/* A ratio; absent_value for null or no such key, unless that is a NaN. */
static enum pb_code take_ratio(struct parser *parser, struct json_object *object, const char *key,
                               double absent_value, double *number)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    if (value == NULL && !isnan(absent_value)) {
        *number = absent_value;
        return PB_OK;
    }
    const double taken = number_of(value);
    if (!(taken >= 1 / PB_BASELINE_RATIO_MAX && taken <= PB_BASELINE_RATIO_MAX)) {
        return fail(parser, "\"%s\" must be a number from %g to %g", key, 1 / PB_BASELINE_RATIO_MAX,
                    PB_BASELINE_RATIO_MAX);
    }
    *number = taken;
    return PB_OK;
}

static int compare_facts(const void *left, const void *right)
{
    return strcmp(((const struct pb_fact *)left)->key, ((const struct pb_fact *)right)->key);
}

/* Reads an object of strings; it may be missing. */
static enum pb_code take_facts(struct parser *parser, struct json_object *object, const char *key,
                               struct pb_facts *facts)
{
    struct json_object *members = NULL;
    if (!json_object_object_get_ex(object, key, &members)) {
        return PB_OK;
    }
    if (!json_object_is_type(members, json_type_object)) {
        return fail(parser, "\"%s\" must be an object", key);
    }
    size_t capacity = 0;
    struct json_object_iterator at = json_object_iter_begin(members);
    const struct json_object_iterator end = json_object_iter_end(members);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name = unescape(parser, json_object_iter_peek_name(&at));
        const char *value = string_of(parser, json_object_iter_peek_value(&at));
        if (name == NULL || value == NULL) {
            return fail(parser, "\"%s\" must hold strings, escaped as pairbench writes them", key);
        }
        facts->items =
            pb_arena_grow(parser->arena, facts->items, facts->n, &capacity, sizeof *facts->items);
        facts->items[facts->n++] = (struct pb_fact){name, value};
    }
    if (facts->n > 0) {
        qsort(facts->items, facts->n, sizeof *facts->items, compare_facts);
    }
    return PB_OK;
}

static enum pb_code parse_header(struct parser *parser, struct json_object *header)
{
    const char *schema = NULL;
    const char *kind = NULL;
    enum pb_code code = take_string(parser, header, "schema", &schema);
    if (code == PB_OK && strcmp(schema, PB_BASELINE_SCHEMA) != 0) {
        code = fail(parser,
                    "schema \"%s\" is not known here, only \"%s\": use the pairbench that "
                    "wrote it, or save the baseline again",
                    shown(parser, schema), PB_BASELINE_SCHEMA);
    }
    if (code == PB_OK) {
        code = take_string(parser, header, "kind", &kind);
    }
    if (code == PB_OK) {
        parser->holds_ratios = strcmp(kind, PB_BASELINE_KIND_RATIOS) == 0;
        if (!parser->holds_ratios && strcmp(kind, PB_BASELINE_KIND_COUNTS) != 0) {
            code = fail(parser, "kind \"%s\" is not known here, only \"%s\" and \"%s\"",
                        shown(parser, kind), PB_BASELINE_KIND_COUNTS, PB_BASELINE_KIND_RATIOS);
        }
    }
    if (code == PB_OK && parser->holds_ratios) {
        code = take_facts(parser, header, "class", &parser->class_facts);
    }
    return code == PB_OK ? take_facts(parser, header, "origin", &parser->origin) : code;
}

static enum pb_code parse_counts(struct parser *parser, struct json_object *object)
{
    const char *name = NULL;
    const enum pb_code code = take_string(parser, object, "name", &name);
    if (code != PB_OK) {
        return code;
    }
    struct json_object *counts = NULL;
    json_object_object_get_ex(object, "counts", &counts);
    if (!json_object_is_type(counts, json_type_object)) {
        return fail(parser, "\"counts\" must be an object");
    }
    struct json_object_iterator at = json_object_iter_begin(counts);
    const struct json_object_iterator end = json_object_iter_end(counts);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *key = json_object_iter_peek_name(&at);
        const char *metric = unescape(parser, key);
        int64_t value = 0;
        if (metric == NULL || !integer_of(json_object_iter_peek_value(&at), INT64_MAX, &value)) {
            return fail(parser, "count \"%s\" must be a whole number from 0 to %" PRId64,
                        shown(parser, key), INT64_MAX);
        }
        parser->counts = pb_arena_grow(parser->arena, parser->counts, parser->n_counts,
                                       &parser->counts_capacity, sizeof *parser->counts);
        parser->counts[parser->n_counts++] =
            (struct count_entry){.count = {name, metric, value}, .line = parser->line};
    }
    return PB_OK;
}

/* Reads the numbers of a pair and turns ratios into logs. */
static enum pb_code parse_ratio_numbers(struct parser *parser, struct json_object *object,
                                        struct pb_baseline_ratio *ratio)
{
    double estimate = NAN;
    double lo = NAN;
    double hi = NAN;
    enum pb_code code = take_ratio(parser, object, "ratio", NAN, &estimate);
    if (code == PB_OK) {
        code = take_ratio(parser, object, "lo", 0, &lo);
    }
    if (code == PB_OK) {
        code = take_ratio(parser, object, "hi", INFINITY, &hi);
    }
    if (code == PB_OK && !(lo <= estimate && estimate <= hi)) {
        code = fail(parser, "\"ratio\" must lie between \"lo\" and \"hi\"");
    }
    ratio->estimate = log(estimate);
    ratio->lo = log(lo);
    ratio->hi = log(hi);
    return code;
}

static enum pb_code parse_spread(struct parser *parser, struct json_object *object,
                                 struct pb_baseline_ratio *ratio)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, "spread_pct", &value);
    const double spread_pct = number_of(value);
    if (value != NULL && !(spread_pct >= 0 && spread_pct <= PB_BASELINE_RATIO_MAX)) {
        return fail(parser, "\"spread_pct\" must be a number from 0 to %g", PB_BASELINE_RATIO_MAX);
    }
    ratio->spread = log1p(spread_pct / 100);

    int64_t launches = 0;
    value = NULL;
    json_object_object_get_ex(object, "launches", &value);
    if (!integer_of(value, UINT32_MAX, &launches)) {
        return fail(parser, "\"launches\" must be a whole number from 0 to %" PRIu32, UINT32_MAX);
    }
    ratio->launches = (uint32_t)launches;
    return PB_OK;
}

static enum pb_code parse_ratio(struct parser *parser, struct json_object *object)
{
    struct pb_baseline_ratio ratio = {0};
    enum pb_code code = take_string(parser, object, "case", &ratio.case_name);
    if (code == PB_OK) {
        code = take_string(parser, object, "scenario", &ratio.scenario);
    }
    if (code == PB_OK) {
        code = take_string(parser, object, "a", &ratio.a);
    }
    if (code == PB_OK) {
        code = take_string(parser, object, "b", &ratio.b);
    }
    if (code == PB_OK) {
        code = parse_ratio_numbers(parser, object, &ratio);
    }
    if (code == PB_OK) {
        code = parse_spread(parser, object, &ratio);
    }
    if (code == PB_OK) {
        parser->ratios = pb_arena_grow(parser->arena, parser->ratios, parser->n_ratios,
                                       &parser->ratios_capacity, sizeof *parser->ratios);
        parser->ratios[parser->n_ratios++] =
            (struct ratio_entry){.ratio = ratio, .line = parser->line};
    }
    return code;
}

static enum pb_code parse_object(struct parser *parser, struct json_object *object)
{
    if (!json_object_is_type(object, json_type_object)) {
        return fail(parser, "a line must be a JSON object");
    }
    if (parser->line == 1) {
        return parse_header(parser, object);
    }
    return parser->holds_ratios ? parse_ratio(parser, object) : parse_counts(parser, object);
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
static enum pb_code parse_line(struct parser *parser, const char *line, size_t n)
{
    if (n > PB_BASELINE_LINE_BYTES_MAX) {
        return pb_error_set(parser->err, PB_ERR_LIMIT, "%s:%zu: longer than the limit of %d bytes",
                            parser->file, parser->line, PB_BASELINE_LINE_BYTES_MAX);
    }
    if (n == 0) {
        return fail(parser, "an empty line");
    }
    if (memchr(line, '\0', n) != NULL) {
        return fail(parser, "a zero byte: this is no text");
    }
    const size_t not_strict = find_not_strict(line, n);
    if (not_strict < n) {
        return fail(parser, "not a JSON object: an unexpected character at byte %zu",
                    not_strict + 1);
    }
    json_tokener_reset(parser->tokener);
    struct json_object *object = json_tokener_parse_ex(parser->tokener, line, (int)n);
    const enum json_tokener_error state = json_tokener_get_error(parser->tokener);
    enum pb_code code;
    if (state == json_tokener_continue) {
        code = fail(parser, "not a JSON object: it ends too early");
    } else if (state != json_tokener_success) {
        code = fail(parser, "not a JSON object: %s at byte %zu", json_tokener_error_desc(state),
                    json_tokener_get_parse_end(parser->tokener) + 1);
    } else {
        code = parse_object(parser, object);
    }
    json_object_put(object);
    return code;
}

static enum pb_code parse_lines(struct parser *parser, const char *text, size_t n)
{
    const char *end = text + n;
    enum pb_code code = PB_OK;
    while (text < end && code == PB_OK) {
        if (++parser->line > PB_BASELINE_LINES_MAX) {
            return pb_error_set(parser->err, PB_ERR_LIMIT, "%s: more than the limit of %d lines",
                                parser->file, PB_BASELINE_LINES_MAX);
        }
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *line_end = newline != NULL ? newline : end;
        code = parse_line(parser, text, (size_t)(line_end - text));
        text = newline != NULL ? newline + 1 : end;
    }
    if (code == PB_OK && parser->line == 0) {
        parser->line = 1;
        code = fail(parser, "the file is empty");
    }
    return code;
}

static int compare_lines(size_t left, size_t right)
{
    return (left > right) - (left < right);
}

static int compare_count_entries(const void *left, const void *right)
{
    const struct count_entry *x = left;
    const struct count_entry *y = right;
    const int order = pb_baseline_compare_counts(&x->count, &y->count);
    return order != 0 ? order : compare_lines(x->line, y->line);
}

static int compare_ratio_entries(const void *left, const void *right)
{
    const struct ratio_entry *x = left;
    const struct ratio_entry *y = right;
    const int order = pb_baseline_compare_ratios(&x->ratio, &y->ratio);
    return order != 0 ? order : compare_lines(x->line, y->line);
}

static enum pb_code hand_over_counts(struct parser *parser, struct pb_baseline *baseline)
{
    const size_t n = parser->n_counts;
    struct count_entry *entries = parser->counts;
    struct pb_baseline_count *counts = pb_arena_array(parser->arena, n, sizeof *counts);
    if (n > 0) {
        qsort(entries, n, sizeof *entries, compare_count_entries);
    }
    for (size_t i = 0; i < n; i++) {
        counts[i] = entries[i].count;
        if (i > 0 && pb_baseline_compare_counts(&counts[i - 1], &counts[i]) == 0) {
            parser->line = entries[i].line;
            return fail(parser, "a second count \"%s\" of %s", shown(parser, counts[i].metric),
                        shown(parser, counts[i].name));
        }
    }
    baseline->counts = counts;
    baseline->n_counts = n;
    return PB_OK;
}

static enum pb_code hand_over_ratios(struct parser *parser, struct pb_baseline *baseline)
{
    const size_t n = parser->n_ratios;
    struct ratio_entry *entries = parser->ratios;
    struct pb_baseline_ratio *ratios = pb_arena_array(parser->arena, n, sizeof *ratios);
    if (n > 0) {
        qsort(entries, n, sizeof *entries, compare_ratio_entries);
    }
    for (size_t i = 0; i < n; i++) {
        ratios[i] = entries[i].ratio;
        if (i > 0 && pb_baseline_compare_ratios(&ratios[i - 1], &ratios[i]) == 0) {
            parser->line = entries[i].line;
            return fail(parser, "a second pair %s, %s of %s/%s", shown(parser, ratios[i].a),
                        shown(parser, ratios[i].b), shown(parser, ratios[i].case_name),
                        shown(parser, ratios[i].scenario));
        }
    }
    baseline->ratios = ratios;
    baseline->n_ratios = n;
    baseline->class_facts = parser->class_facts;
    return PB_OK;
}

enum pb_code pb_baseline_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                               struct pb_baseline *baseline, struct pb_error *err)
{
    struct parser parser = {
        .file = name,
        .arena = arena,
        .err = err,
        .tokener = json_tokener_new_ex(PB_BASELINE_DEPTH_MAX),
    };
    if (parser.tokener == NULL) {
        pb_out_of_memory();
    }
    json_tokener_set_flags(parser.tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    enum pb_code code = parse_lines(&parser, text, n);
    if (code == PB_OK && (parser.holds_ratios ? baseline->n_ratios : baseline->n_counts) > 0) {
        parser.line = 1;
        code = fail(&parser, "another file of this kind was read before it");
    }
    if (code == PB_OK) {
        code = parser.holds_ratios ? hand_over_ratios(&parser, baseline)
                                   : hand_over_counts(&parser, baseline);
    }
    if (code == PB_OK) {
        baseline->path = pb_arena_strdup(arena, name);
        baseline->origin = parser.origin;
    }
    json_tokener_free(parser.tokener);
    return code;
}
