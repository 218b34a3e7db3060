/* SPDX-License-Identifier: Apache-2.0
 *
 * Days are compared as the texts that they are.
 */
#include "store/waivers.h"

#include "base/strbuf.h"
#include "base/whole_file.h"
#include "store/baseline_lines.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include <json-c/json.h>

static const char *const keys[] = {"name", "gate", "metric", "at_most_pct", "until", "reason"};
static const char *const gates[] = {"ratio", "counts", "absolute"};

static bool is_among(const char *word, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static enum pb_code refuse_unknown_keys(const struct pb_baseline_lines *lines,
                                        struct json_object *object)
{
    struct json_object_iterator at = json_object_iter_begin(object);
    const struct json_object_iterator end = json_object_iter_end(object);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *key = json_object_iter_peek_name(&at);
        if (!is_among(key, keys, sizeof keys / sizeof keys[0])) {
            return pb_baseline_lines_fail(lines,
                                          "\"%s\" is no key of a waiver: name, gate, metric, "
                                          "at_most_pct, until, reason are",
                                          pb_baseline_lines_shown(lines, key));
        }
    }
    return PB_OK;
}

static enum pb_code take_scope(const struct pb_baseline_lines *lines, struct json_object *object,
                               struct pb_waiver *waiver)
{
    enum pb_code code = pb_baseline_lines_take_optional(lines, object, "gate", &waiver->gate);
    if (code == PB_OK && waiver->gate != NULL &&
        !is_among(waiver->gate, gates, sizeof gates / sizeof gates[0])) {
        code = pb_baseline_lines_fail(lines, "\"gate\" must be ratio, counts or absolute, not %s",
                                      pb_baseline_lines_shown(lines, waiver->gate));
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_optional(lines, object, "metric", &waiver->metric);
    }
    struct json_object *most = NULL;
    waiver->at_most_pct = INFINITY;
    if (code == PB_OK && json_object_object_get_ex(object, "at_most_pct", &most)) {
        waiver->at_most_pct = pb_baseline_lines_number(most);
        if (!(waiver->at_most_pct > 0 && isfinite(waiver->at_most_pct))) {
            code = pb_baseline_lines_fail(lines, "\"at_most_pct\" must be a number above 0");
        }
    }
    return code;
}

/* Waivers in the making. */
struct gathered {
    struct pb_waiver *items;
    size_t n;
    size_t capacity;
};

static enum pb_code parse_waiver(struct pb_baseline_lines *lines, struct json_object *object,
                                 void *context)
{
    struct gathered *gathered = context;
    struct pb_waiver waiver = {0};
    enum pb_code code = refuse_unknown_keys(lines, object);
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(lines, object, "name", &waiver.name);
    }
    if (code == PB_OK) {
        code = take_scope(lines, object, &waiver);
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_day(lines, object, "until", &waiver.until);
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(lines, object, "reason", &waiver.reason);
    }
    if (code == PB_OK && waiver.reason[0] == '\0') {
        code = pb_baseline_lines_fail(lines, "\"reason\" must not be empty");
    }
    gathered->items = pb_arena_grow(lines->arena, gathered->items, gathered->n, &gathered->capacity,
                                    sizeof *gathered->items);
    gathered->items[gathered->n++] = waiver;
    return code;
}

enum pb_code pb_waivers_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                              struct pb_waivers *waivers, struct pb_error *err)
{
    struct pb_baseline_lines lines;
    struct gathered gathered = {0};
    pb_baseline_lines_begin(&lines, name, text, n, arena, err);
    const enum pb_code code =
        pb_baseline_lines_all(&lines, PB_BASELINE_KIND_WAIVERS, parse_waiver, &gathered);
    if (code == PB_OK) {
        *waivers = (struct pb_waivers){gathered.items, gathered.n};
    }
    return code;
}

enum pb_code pb_waivers_read(const char *path, struct pb_arena *arena, struct pb_waivers *waivers,
                             struct pb_error *err)
{
    struct pb_strbuf text = {0};
    enum pb_code code = pb_whole_file_read(path, PB_BASELINE_BYTES_MAX, &text, err);
    if (code == PB_OK) {
        code = pb_waivers_parse(path, text.text, text.length, arena, waivers, err);
    } else if (code == PB_ERR_NOT_FOUND) {
        *waivers = (struct pb_waivers){0};
        code = PB_OK;
    }
    pb_strbuf_release(&text);
    return code;
}

bool pb_waiver_holds(const struct pb_waiver *waiver, int64_t time)
{
    struct tm utc;
    char day[sizeof "-2147483648-12-31"] = "";
    const time_t seconds = (time_t)time;
    return gmtime_r(&seconds, &utc) != NULL &&
           strftime(day, sizeof day, "%Y-%m-%d", &utc) == strlen("2026-01-31") &&
           strcmp(day, waiver->until) <= 0;
}
