/* SPDX-License-Identifier: Apache-2.0
 *
 * json-c builds a line as an object and escapes it. Numbers are formatted here, because how they
 * are rounded is part of the format.
 */
#include "store/baseline_format.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

int pb_baseline_compare_counts(const void *left, const void *right)
{
    const struct pb_baseline_count *x = left;
    const struct pb_baseline_count *y = right;
    const int by_name = strcmp(x->name, y->name);
    return by_name != 0 ? by_name : strcmp(x->metric, y->metric);
}

int pb_baseline_compare_ratios(const void *left, const void *right)
{
    const struct pb_baseline_ratio *x = left;
    const struct pb_baseline_ratio *y = right;
    int order = strcmp(x->case_name, y->case_name);
    order = order != 0 ? order : strcmp(x->scenario, y->scenario);
    order = order != 0 ? order : strcmp(x->a, y->a);
    return order != 0 ? order : strcmp(x->b, y->b);
}

/* Takes value over. key: borrowed */
static void add_member(struct json_object *object, const char *key, struct json_object *value)
{
    if (json_object_object_add(object, key, value) != 0) {
        pb_out_of_memory();
    }
}

/* A name as a JSON string: escaped first, so that bytes that are not UTF-8 survive. */
static void add_text(struct json_object *object, const char *key, const char *text)
{
    struct pb_strbuf escaped = {0};
    pb_text_add_escaped(&escaped, text);
    add_member(object, key, json_object_new_string_len(escaped.text, (int)escaped.length));
    pb_strbuf_release(&escaped);
}

/* A number with so many significant digits; null when it has none to write. */
static void add_real(struct json_object *object, const char *key, double value, int digits)
{
    struct pb_strbuf text = {0};
    pb_strbuf_addf(&text, "%.*g", digits, value);
    add_member(object, key, isfinite(value) ? json_object_new_double_s(value, text.text) : NULL);
    pb_strbuf_release(&text);
}

/* Appends the object as a line and drops it. */
static void add_line(struct pb_strbuf *text, struct json_object *object)
{
    const char *line = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
                                                                  JSON_C_TO_STRING_NOSLASHESCAPE);
    if (line == NULL) {
        pb_out_of_memory();
    }
    pb_strbuf_adds(text, line);
    pb_strbuf_addc(text, '\n');
    json_object_put(object);
}

static int compare_facts(const void *left, const void *right)
{
    return strcmp(((const struct pb_fact *)left)->key, ((const struct pb_fact *)right)->key);
}

static void add_facts(struct json_object *object, const char *key, const struct pb_facts *facts)
{
    struct pb_arena arena = {0};
    struct pb_fact *sorted = pb_arena_array(&arena, facts->n, sizeof *sorted);
    for (size_t i = 0; i < facts->n; i++) {
        sorted[i] = facts->items[i];
    }
    qsort(sorted, facts->n, sizeof *sorted, compare_facts);
    struct json_object *members = json_object_new_object();
    for (size_t i = 0; i < facts->n; i++) {
        struct pb_strbuf escaped_key = {0};
        pb_text_add_escaped(&escaped_key, sorted[i].key);
        add_text(members, escaped_key.text, sorted[i].value);
        pb_strbuf_release(&escaped_key);
    }
    add_member(object, key, members);
    pb_arena_release(&arena);
}

static struct json_object *new_header(const char *kind)
{
    struct json_object *header = json_object_new_object();
    add_text(header, "schema", PB_BASELINE_SCHEMA);
    add_text(header, "kind", kind);
    return header;
}

static void add_counts_header(struct pb_strbuf *text, const struct pb_baseline *baseline)
{
    struct json_object *header = new_header(PB_BASELINE_KIND_COUNTS);
    add_facts(header, "origin", &baseline->origin);
    add_line(text, header);
}

static void add_ratios_header(struct pb_strbuf *text, const struct pb_baseline *baseline)
{
    struct json_object *header = new_header(PB_BASELINE_KIND_RATIOS);
    add_facts(header, "class", &baseline->class_facts);
    if (baseline->counter != NULL) {
        add_text(header, "instruction_counter", baseline->counter);
    }
    add_facts(header, "origin", &baseline->origin);
    add_line(text, header);
}

/* Says that something about name, and what it is measured in, can't be written. */
static enum pb_code refuse(struct pb_error *err, const char *name, const char *of, const char *why)
{
    struct pb_strbuf shown = {0};
    pb_text_add_escaped(&shown, name);
    pb_strbuf_addc(&shown, ' ');
    pb_text_add_escaped(&shown, of);
    const enum pb_code code =
        pb_error_set(err, PB_ERR_USAGE, "no baseline can be made of %s: %s", shown.text, why);
    pb_strbuf_release(&shown);
    return code;
}

/* returns: a sorted copy, in the arena */
static struct pb_baseline_count *sort_counts(const struct pb_baseline_count *counts, size_t n,
                                             struct pb_arena *arena)
{
    struct pb_baseline_count *sorted = pb_arena_array(arena, n, sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = counts[i];
    }
    qsort(sorted, n, sizeof *sorted, pb_baseline_compare_counts);
    return sorted;
}

static enum pb_code check_counts(const struct pb_baseline_count *sorted, size_t n,
                                 struct pb_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (sorted[i].value < 0) {
            return refuse(err, sorted[i].name, sorted[i].metric, "the count is below 0");
        }
        if (i > 0 && pb_baseline_compare_counts(&sorted[i - 1], &sorted[i]) == 0) {
            return refuse(err, sorted[i].name, sorted[i].metric, "it is there twice");
        }
    }
    return PB_OK;
}

/* Appends the line of the benchmark that sorted[0] is of. returns: how many counts it took */
static size_t add_counts_line(struct pb_strbuf *text, const struct pb_baseline_count *sorted,
                              size_t n)
{
    struct json_object *line = json_object_new_object();
    struct json_object *counts = json_object_new_object();
    size_t used = 0;
    for (; used < n && strcmp(sorted[used].name, sorted[0].name) == 0; used++) {
        struct pb_strbuf metric = {0};
        pb_text_add_escaped(&metric, sorted[used].metric);
        add_member(counts, metric.text, json_object_new_int64(sorted[used].value));
        pb_strbuf_release(&metric);
    }
    add_text(line, "name", sorted[0].name);
    add_member(line, "counts", counts);
    add_line(text, line);
    return used;
}

enum pb_code pb_baseline_format_counts(const struct pb_baseline *baseline, struct pb_strbuf *text,
                                       struct pb_error *err)
{
    struct pb_arena arena = {0};
    const size_t n = baseline->n_counts;
    const struct pb_baseline_count *sorted = sort_counts(baseline->counts, n, &arena);
    const enum pb_code code = check_counts(sorted, n, err);
    if (code == PB_OK) {
        add_counts_header(text, baseline);
        for (size_t i = 0; i < n;) {
            i += add_counts_line(text, sorted + i, n - i);
        }
    }
    pb_arena_release(&arena);
    return code;
}

/* Whether a log is of a ratio within the limit; a NaN is not. */
static bool is_ratio(double log_ratio)
{
    return fabs(log_ratio) <= log(PB_BASELINE_RATIO_MAX);
}

static enum pb_code check_ratios(const struct pb_baseline_ratio *sorted, size_t n,
                                 struct pb_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct pb_baseline_ratio *ratio = &sorted[i];
        if (!is_ratio(ratio->estimate) || !(ratio->lo <= ratio->estimate) ||
            !(ratio->estimate <= ratio->hi)) {
            return refuse(err, ratio->case_name, ratio->scenario,
                          "it has no ratio with an interval");
        }
        if (i > 0 && pb_baseline_compare_ratios(ratio - 1, ratio) == 0) {
            return refuse(err, ratio->case_name, ratio->scenario, "the pair is there twice");
        }
    }
    return PB_OK;
}

static void add_ratio_line(struct pb_strbuf *text, const struct pb_baseline_ratio *ratio)
{
    /* Six digits are 0.0005 %, a hundredth of the smallest margin of a verdict. */
    enum { RATIO_DIGITS = 6, SPREAD_DIGITS = 3, TIME_DIGITS = 4 };
    struct json_object *line = json_object_new_object();
    add_text(line, "case", ratio->case_name);
    add_text(line, "scenario", ratio->scenario);
    add_text(line, "a", ratio->a);
    add_text(line, "b", ratio->b);
    add_real(line, "ratio", exp(ratio->estimate), RATIO_DIGITS);
    add_real(line, "lo", is_ratio(ratio->lo) ? exp(ratio->lo) : NAN, RATIO_DIGITS);
    add_real(line, "hi", is_ratio(ratio->hi) ? exp(ratio->hi) : NAN, RATIO_DIGITS);
    add_real(line, "spread_pct", 100 * expm1(ratio->spread), SPREAD_DIGITS);
    add_member(line, "launches", json_object_new_int64(ratio->launches));
    if (ratio->a_ns > 0) {
        add_real(line, "a_ns", ratio->a_ns, TIME_DIGITS);
    }
    add_line(text, line);
}

static void add_instructions_line(struct pb_strbuf *text, const struct pb_baseline_count *count)
{
    struct json_object *line = json_object_new_object();
    add_text(line, "name", count->name);
    add_member(line, "instructions", json_object_new_int64(count->value));
    add_line(text, line);
}

enum pb_code pb_baseline_format_ratios(const struct pb_baseline *baseline, struct pb_strbuf *text,
                                       struct pb_error *err)
{
    struct pb_arena arena = {0};
    const size_t n = baseline->n_ratios;
    struct pb_baseline_ratio *sorted = pb_arena_array(&arena, n, sizeof *sorted);
    for (size_t i = 0; i < n; i++) {
        sorted[i] = baseline->ratios[i];
    }
    qsort(sorted, n, sizeof *sorted, pb_baseline_compare_ratios);
    const size_t n_instructions = baseline->n_instructions;
    const struct pb_baseline_count *instructions =
        sort_counts(baseline->instructions, n_instructions, &arena);
    enum pb_code code = check_ratios(sorted, n, err);
    if (code == PB_OK) {
        code = check_counts(instructions, n_instructions, err);
    }
    if (code == PB_OK) {
        add_ratios_header(text, baseline);
        for (size_t i = 0; i < n; i++) {
            add_ratio_line(text, &sorted[i]);
        }
        for (size_t i = 0; i < n_instructions; i++) {
            add_instructions_line(text, &instructions[i]);
        }
    }
    pb_arena_release(&arena);
    return code;
}
