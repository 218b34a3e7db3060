/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries are gathered with their lines and sorted at the end, which is where two of one name meet.
 */
#include "store/baseline_parse.h"

#include "store/baseline_format.h"

#include <inttypes.h>
#include <math.h>
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

struct count_entries {
    struct count_entry *items;
    size_t n;
    size_t capacity;
};

struct parser {
    struct pb_baseline_lines lines;
    bool holds_ratios; /* the kind of the file */
    struct pb_facts class_facts;
    struct pb_facts origin;
    const char *counter;
    struct count_entries counts;
    struct count_entries instructions;
    struct ratio_entry *ratios;
    size_t n_ratios, ratios_capacity;
};

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
    const double taken = pb_baseline_lines_number(value);
    if (!(taken >= 1 / PB_BASELINE_RATIO_MAX && taken <= PB_BASELINE_RATIO_MAX)) {
        return pb_baseline_lines_fail(&parser->lines, "\"%s\" must be a number from %g to %g", key,
                                      1 / PB_BASELINE_RATIO_MAX, PB_BASELINE_RATIO_MAX);
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
        return pb_baseline_lines_fail(&parser->lines, "\"%s\" must be an object", key);
    }
    size_t capacity = 0;
    struct json_object_iterator at = json_object_iter_begin(members);
    const struct json_object_iterator end = json_object_iter_end(members);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name =
            pb_baseline_lines_unescape(&parser->lines, json_object_iter_peek_name(&at));
        const char *value =
            pb_baseline_lines_text(&parser->lines, json_object_iter_peek_value(&at));
        if (name == NULL || value == NULL) {
            return pb_baseline_lines_fail(
                &parser->lines, "\"%s\" must hold strings, escaped as pairbench writes them", key);
        }
        facts->items = pb_arena_grow(parser->lines.arena, facts->items, facts->n, &capacity,
                                     sizeof *facts->items);
        facts->items[facts->n++] = (struct pb_fact){name, value};
    }
    if (facts->n > 0) {
        qsort(facts->items, facts->n, sizeof *facts->items, compare_facts);
    }
    return PB_OK;
}

static enum pb_code parse_header(struct parser *parser)
{
    static const char *const kinds[] = {PB_BASELINE_KIND_COUNTS, PB_BASELINE_KIND_RATIOS};
    struct json_object *header = NULL;
    size_t kind = 0;
    enum pb_code code = pb_baseline_lines_header(&parser->lines, kinds, 2, &kind, &header);
    if (code == PB_OK) {
        parser->holds_ratios = kind == 1;
        code = take_facts(parser, header, "origin", &parser->origin);
    }
    if (code == PB_OK && parser->holds_ratios) {
        code = take_facts(parser, header, "class", &parser->class_facts);
    }
    if (code == PB_OK && parser->holds_ratios) {
        code = pb_baseline_lines_take_optional(&parser->lines, header, "instruction_counter",
                                               &parser->counter);
    }
    return code;
}

static void add_count(struct parser *parser, struct count_entries *entries,
                      const struct pb_baseline_count *count)
{
    entries->items = pb_arena_grow(parser->lines.arena, entries->items, entries->n,
                                   &entries->capacity, sizeof *entries->items);
    entries->items[entries->n++] =
        (struct count_entry){.count = *count, .line = parser->lines.line};
}

static enum pb_code parse_counts(struct parser *parser, struct json_object *object)
{
    const char *name = NULL;
    const enum pb_code code = pb_baseline_lines_take_text(&parser->lines, object, "name", &name);
    if (code != PB_OK) {
        return code;
    }
    struct json_object *counts = NULL;
    json_object_object_get_ex(object, "counts", &counts);
    if (!json_object_is_type(counts, json_type_object)) {
        return pb_baseline_lines_fail(&parser->lines, "\"counts\" must be an object");
    }
    struct json_object_iterator at = json_object_iter_begin(counts);
    const struct json_object_iterator end = json_object_iter_end(counts);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *key = json_object_iter_peek_name(&at);
        const char *metric = pb_baseline_lines_unescape(&parser->lines, key);
        int64_t value = 0;
        if (metric == NULL ||
            !pb_baseline_lines_integer(json_object_iter_peek_value(&at), INT64_MAX, &value)) {
            return pb_baseline_lines_fail(&parser->lines,
                                          "count \"%s\" must be a whole number from 0 to %" PRId64,
                                          pb_baseline_lines_shown(&parser->lines, key), INT64_MAX);
        }
        add_count(parser, &parser->counts, &(struct pb_baseline_count){name, metric, value});
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
        code =
            pb_baseline_lines_fail(&parser->lines, "\"ratio\" must lie between \"lo\" and \"hi\"");
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
    const double spread_pct = pb_baseline_lines_number(value);
    if (value != NULL && !(spread_pct >= 0 && spread_pct <= PB_BASELINE_RATIO_MAX)) {
        return pb_baseline_lines_fail(
            &parser->lines, "\"spread_pct\" must be a number from 0 to %g", PB_BASELINE_RATIO_MAX);
    }
    ratio->spread = log1p(spread_pct / 100);

    int64_t launches = 0;
    value = NULL;
    json_object_object_get_ex(object, "launches", &value);
    if (!pb_baseline_lines_integer(value, UINT32_MAX, &launches)) {
        return pb_baseline_lines_fail(
            &parser->lines, "\"launches\" must be a whole number from 0 to %" PRIu32, UINT32_MAX);
    }
    ratio->launches = (uint32_t)launches;
    return PB_OK;
}

static enum pb_code parse_time(struct parser *parser, struct json_object *object,
                               struct pb_baseline_ratio *ratio)
{
    struct json_object *value = NULL;
    ratio->a_ns = NAN;
    if (!json_object_object_get_ex(object, "a_ns", &value)) {
        return PB_OK;
    }
    ratio->a_ns = pb_baseline_lines_number(value);
    return ratio->a_ns > 0 && isfinite(ratio->a_ns)
               ? PB_OK
               : pb_baseline_lines_fail(&parser->lines, "\"a_ns\" must be a positive number");
}

static enum pb_code parse_ratio(struct parser *parser, struct json_object *object)
{
    struct pb_baseline_ratio ratio = {0};
    enum pb_code code =
        pb_baseline_lines_take_text(&parser->lines, object, "case", &ratio.case_name);
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(&parser->lines, object, "scenario", &ratio.scenario);
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(&parser->lines, object, "a", &ratio.a);
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(&parser->lines, object, "b", &ratio.b);
    }
    if (code == PB_OK) {
        code = parse_ratio_numbers(parser, object, &ratio);
    }
    if (code == PB_OK) {
        code = parse_spread(parser, object, &ratio);
    }
    if (code == PB_OK) {
        code = parse_time(parser, object, &ratio);
    }
    if (code == PB_OK) {
        parser->ratios = pb_arena_grow(parser->lines.arena, parser->ratios, parser->n_ratios,
                                       &parser->ratios_capacity, sizeof *parser->ratios);
        parser->ratios[parser->n_ratios++] =
            (struct ratio_entry){.ratio = ratio, .line = parser->lines.line};
    }
    return code;
}

static enum pb_code parse_instructions(struct parser *parser, struct json_object *object,
                                       struct json_object *value)
{
    struct pb_baseline_count count = {.metric = PB_BASELINE_INSTRUCTIONS};
    const enum pb_code code =
        pb_baseline_lines_take_text(&parser->lines, object, "name", &count.name);
    if (code != PB_OK) {
        return code;
    }
    if (!pb_baseline_lines_integer(value, INT64_MAX, &count.value)) {
        return pb_baseline_lines_fail(&parser->lines,
                                      "\"instructions\" must be a whole number from 0 to %" PRId64,
                                      INT64_MAX);
    }
    add_count(parser, &parser->instructions, &count);
    return PB_OK;
}

static enum pb_code parse_entry(struct parser *parser, struct json_object *object)
{
    struct json_object *instructions = NULL;
    if (!parser->holds_ratios) {
        return parse_counts(parser, object);
    }
    return json_object_object_get_ex(object, "instructions", &instructions)
               ? parse_instructions(parser, object, instructions)
               : parse_ratio(parser, object);
}

static enum pb_code parse_lines(struct parser *parser)
{
    enum pb_code code = parse_header(parser);
    struct json_object *object = NULL;
    while (code == PB_OK && (code = pb_baseline_lines_next(&parser->lines, &object)) == PB_OK &&
           object != NULL) {
        code = parse_entry(parser, object);
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

/* Sorts what was gathered. *counts: in the arena */
static enum pb_code sort_counts(struct parser *parser, struct count_entries *entries,
                                struct pb_baseline_count **counts)
{
    struct pb_baseline_count *sorted =
        pb_arena_array(parser->lines.arena, entries->n, sizeof *sorted);
    if (entries->n > 0) {
        qsort(entries->items, entries->n, sizeof *entries->items, compare_count_entries);
    }
    for (size_t i = 0; i < entries->n; i++) {
        sorted[i] = entries->items[i].count;
        if (i > 0 && pb_baseline_compare_counts(&sorted[i - 1], &sorted[i]) == 0) {
            parser->lines.line = entries->items[i].line;
            return pb_baseline_lines_fail(&parser->lines, "a second count \"%s\" of %s",
                                          pb_baseline_lines_shown(&parser->lines, sorted[i].metric),
                                          pb_baseline_lines_shown(&parser->lines, sorted[i].name));
        }
    }
    *counts = sorted;
    return PB_OK;
}

static enum pb_code hand_over_counts(struct parser *parser, struct pb_baseline *baseline)
{
    const enum pb_code code = sort_counts(parser, &parser->counts, &baseline->counts);
    if (code == PB_OK) {
        baseline->n_counts = parser->counts.n;
    }
    return code;
}

static enum pb_code hand_over_ratios(struct parser *parser, struct pb_baseline *baseline)
{
    const size_t n = parser->n_ratios;
    struct ratio_entry *entries = parser->ratios;
    struct pb_baseline_ratio *ratios = pb_arena_array(parser->lines.arena, n, sizeof *ratios);
    if (n > 0) {
        qsort(entries, n, sizeof *entries, compare_ratio_entries);
    }
    for (size_t i = 0; i < n; i++) {
        ratios[i] = entries[i].ratio;
        if (i > 0 && pb_baseline_compare_ratios(&ratios[i - 1], &ratios[i]) == 0) {
            parser->lines.line = entries[i].line;
            return pb_baseline_lines_fail(
                &parser->lines, "a second pair %s, %s of %s/%s",
                pb_baseline_lines_shown(&parser->lines, ratios[i].a),
                pb_baseline_lines_shown(&parser->lines, ratios[i].b),
                pb_baseline_lines_shown(&parser->lines, ratios[i].case_name),
                pb_baseline_lines_shown(&parser->lines, ratios[i].scenario));
        }
    }
    const enum pb_code code = sort_counts(parser, &parser->instructions, &baseline->instructions);
    if (code != PB_OK) {
        return code;
    }
    baseline->n_instructions = parser->instructions.n;
    baseline->counter = parser->counter;
    baseline->ratios = ratios;
    baseline->n_ratios = n;
    baseline->class_facts = parser->class_facts;
    return PB_OK;
}

/* Whether a file of this kind was read before. */
static bool is_second(const struct parser *parser, const struct pb_baseline *baseline)
{
    return parser->holds_ratios ? baseline->n_ratios + baseline->n_instructions > 0
                                : baseline->n_counts > 0;
}

enum pb_code pb_baseline_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                               struct pb_baseline *baseline, struct pb_error *err)
{
    struct parser parser = {0};
    pb_baseline_lines_begin(&parser.lines, name, text, n, arena, err);
    enum pb_code code = parse_lines(&parser);
    if (code == PB_OK && is_second(&parser, baseline)) {
        parser.lines.line = 1;
        code =
            pb_baseline_lines_fail(&parser.lines, "another file of this kind was read before it");
    }
    if (code == PB_OK) {
        code = parser.holds_ratios ? hand_over_ratios(&parser, baseline)
                                   : hand_over_counts(&parser, baseline);
    }
    if (code == PB_OK) {
        baseline->path = pb_arena_strdup(arena, name);
        baseline->origin = parser.origin;
    }
    pb_baseline_lines_end(&parser.lines);
    return code;
}
