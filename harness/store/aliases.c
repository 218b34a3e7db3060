/* SPDX-License-Identifier: Apache-2.0
 *
 * The longest old name that fits is replaced until none fits any more. That this ends is made sure
 * when a table is read: no new name may lead back to where it came from.
 */
#include "store/aliases.h"

#include "base/whole_file.h"
#include "store/baseline_format.h"
#include "store/baseline_lines.h"

#include <stdlib.h>
#include <string.h>

/* Whether old is name, or its beginning up to a '/'. */
static bool fits(const char *old, const char *name)
{
    const size_t n = strlen(old);
    return strncmp(name, old, n) == 0 && (name[n] == '\0' || name[n] == '/');
}

static const struct pb_alias *find(const struct pb_aliases *aliases, const char *name)
{
    const struct pb_alias *found = NULL;
    for (size_t i = 0; i < aliases->n; i++) {
        const struct pb_alias *alias = &aliases->items[i];
        if (fits(alias->old_name, name) &&
            (found == NULL || strlen(alias->old_name) > strlen(found->old_name))) {
            found = alias;
        }
    }
    return found;
}

static const char *rename_by(const struct pb_alias *alias, const char *name, struct pb_arena *arena)
{
    return pb_arena_printf(arena, "%s%s", alias->new_name, name + strlen(alias->old_name));
}

const char *pb_aliases_present(const struct pb_aliases *aliases, const char *name,
                               struct pb_arena *arena)
{
    const struct pb_alias *alias = NULL;
    /* No name is renamed more often than there are aliases. */
    for (size_t i = 0; i < aliases->n && (alias = find(aliases, name)) != NULL; i++) {
        name = rename_by(alias, name, arena);
    }
    return name;
}

/* Aliases in the making. */
struct gathered {
    struct pb_alias *items;
    size_t n;
    size_t capacity;
};

static enum pb_code parse_alias(struct pb_baseline_lines *lines, struct json_object *object,
                                void *context)
{
    struct gathered *gathered = context;
    struct pb_alias alias = {0};
    enum pb_code code = pb_baseline_lines_take_text(lines, object, "old", &alias.old_name);
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(lines, object, "new", &alias.new_name);
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_day(lines, object, "date", &alias.date);
    }
    if (code == PB_OK) {
        code = pb_baseline_lines_take_text(lines, object, "reason", &alias.reason);
    }
    if (code == PB_OK && (alias.old_name[0] == '\0' || alias.new_name[0] == '\0')) {
        code = pb_baseline_lines_fail(lines, "\"old\" and \"new\" must not be empty");
    }
    if (code == PB_OK && gathered->n == PB_ALIASES_MAX) {
        code = pb_error_set(lines->err, PB_ERR_LIMIT, "%s: more than the limit of %d aliases",
                            lines->file, PB_ALIASES_MAX);
    }
    gathered->items = pb_arena_grow(lines->arena, gathered->items, gathered->n, &gathered->capacity,
                                    sizeof *gathered->items);
    gathered->items[gathered->n++] = alias;
    return code;
}

/* Whether following an alias from name to name ever needs one of them twice. */
static bool leads_in_a_circle(const struct pb_aliases *aliases, const struct pb_alias *first)
{
    struct pb_arena arena = {0};
    bool *used = pb_arena_array(&arena, aliases->n, sizeof *used);
    const char *name = first->old_name;
    const struct pb_alias *alias = find(aliases, name);
    while (alias != NULL && !used[alias - aliases->items]) {
        used[alias - aliases->items] = true;
        name = rename_by(alias, name, &arena);
        alias = find(aliases, name);
    }
    pb_arena_release(&arena);
    return alias != NULL;
}

/* lines: of a file that was read to its end, an alias a line behind the header */
static enum pb_code check_all(struct pb_baseline_lines *lines, const struct pb_aliases *aliases)
{
    for (size_t i = 0; i < aliases->n; i++) {
        const struct pb_alias *alias = &aliases->items[i];
        lines->line = i + 2;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(aliases->items[k].old_name, alias->old_name) == 0) {
                return pb_baseline_lines_fail(lines, "a second new name of %s",
                                              pb_baseline_lines_shown(lines, alias->old_name));
            }
        }
        if (leads_in_a_circle(aliases, alias)) {
            return pb_baseline_lines_fail(lines, "%s is renamed in a circle",
                                          pb_baseline_lines_shown(lines, alias->old_name));
        }
    }
    return PB_OK;
}

enum pb_code pb_aliases_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                              struct pb_aliases *aliases, struct pb_error *err)
{
    struct pb_baseline_lines lines;
    struct gathered gathered = {0};
    pb_baseline_lines_begin(&lines, name, text, n, arena, err);
    enum pb_code code =
        pb_baseline_lines_all(&lines, PB_BASELINE_KIND_ALIASES, parse_alias, &gathered);
    const struct pb_aliases read = {gathered.items, gathered.n};
    if (code == PB_OK) {
        code = check_all(&lines, &read);
    }
    if (code == PB_OK) {
        *aliases = read;
    }
    return code;
}

enum pb_code pb_aliases_read(const char *path, struct pb_arena *arena, struct pb_aliases *aliases,
                             struct pb_error *err)
{
    struct pb_strbuf text = {0};
    enum pb_code code = pb_whole_file_read(path, PB_BASELINE_BYTES_MAX, &text, err);
    if (code == PB_OK) {
        code = pb_aliases_parse(path, text.text, text.length, arena, aliases, err);
    } else if (code == PB_ERR_NOT_FOUND) {
        *aliases = (struct pb_aliases){0};
        code = PB_OK;
    }
    pb_strbuf_release(&text);
    return code;
}

bool pb_name_split(const char *name, struct pb_arena *arena, struct pb_name_parts *parts)
{
    char *copy = pb_arena_strdup(arena, name);
    char *variant = strrchr(copy, '/');
    if (variant == NULL) {
        return false;
    }
    *variant = '\0';
    char *scenario = strrchr(copy, '/');
    if (scenario == NULL) {
        return false;
    }
    *scenario = '\0';
    *parts = (struct pb_name_parts){copy, scenario + 1, variant + 1};
    return true;
}

/* A benchmark that was renamed. */
struct renamed {
    const char *name;
    struct pb_name_parts parts;
};

/* Finds what a benchmark is called now. returns: false when it was not renamed */
static bool find_present(const struct pb_aliases *aliases, const char *name, struct pb_arena *arena,
                         struct renamed *to)
{
    to->name = pb_aliases_present(aliases, name, arena);
    return to->name != name && pb_name_split(to->name, arena, &to->parts);
}

/* The names of a pair, wherever they are kept. variant: NULL where a and b are variants */
struct pair_names {
    const char **case_name;
    const char **scenario;
    const char **variant;
    const char **a;
    const char **b;
};

static const char *join(struct pb_arena *arena, const struct pair_names *names, const char *variant)
{
    return pb_arena_printf(arena, "%s/%s/%s", *names->case_name, *names->scenario, variant);
}

/* returns: whether anything was renamed */
static bool update_pair(const struct pb_aliases *aliases, struct pb_arena *arena,
                        const struct pair_names *names)
{
    struct renamed a;
    struct renamed b;
    const bool of_builds = names->variant != NULL && *names->variant != NULL;
    const char *side = of_builds ? *names->variant : *names->b;
    const bool a_moved =
        !of_builds && find_present(aliases, join(arena, names, *names->a), arena, &a);
    const bool b_moved = find_present(aliases, join(arena, names, side), arena, &b);
    if (a_moved) {
        *names->a = a.parts.variant;
    }
    if (b_moved) {
        *(of_builds ? names->variant : names->b) = b.parts.variant;
    }
    if (a_moved || b_moved) {
        const struct pb_name_parts *to = b_moved ? &b.parts : &a.parts;
        *names->case_name = to->case_name;
        *names->scenario = to->scenario;
    }
    return a_moved || b_moved;
}

void pb_aliases_update_run(const struct pb_aliases *aliases, struct pb_arena *arena,
                           struct pb_run_record *run)
{
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        struct renamed to;
        if (find_present(aliases, benchmark->name, arena, &to)) {
            benchmark->name = to.name;
            benchmark->case_name = to.parts.case_name;
            benchmark->scenario = to.parts.scenario;
            benchmark->variant = to.parts.variant;
        }
    }
    for (size_t i = 0; i < run->n_pairs; i++) {
        struct pb_pair_record *pair = &run->pairs[i];
        const struct pair_names names = {&pair->case_name, &pair->scenario, &pair->variant,
                                         &pair->a, &pair->b};
        (void)update_pair(aliases, arena, &names);
    }
}

/* Entries of a baseline, some of which were just renamed. */
struct entries {
    void *items;
    size_t n;
    size_t bytes; /* of one */
    int (*compare)(const void *, const void *);
    bool *renamed;
};

/* Sorts them, without those that were renamed to what is there already. returns: how many are left
 */
static size_t settle(const struct entries *entries, struct pb_arena *arena)
{
    const char *all = pb_arena_memdup(arena, entries->items, entries->n * entries->bytes);
    size_t kept = 0;
    for (size_t i = 0; i < entries->n; i++) {
        const char *item = all + i * entries->bytes;
        bool dropped = false;
        for (size_t k = 0; entries->renamed[i] && k < entries->n && !dropped; k++) {
            dropped = k != i && (!entries->renamed[k] || k < i) &&
                      entries->compare(all + k * entries->bytes, item) == 0;
        }
        if (!dropped) {
            memcpy((char *)entries->items + kept++ * entries->bytes, item, entries->bytes);
        }
    }
    if (kept > 0) {
        qsort(entries->items, kept, entries->bytes, entries->compare);
    }
    return kept;
}

static void update_counts(const struct pb_aliases *aliases, struct pb_arena *arena,
                          struct pb_baseline_count *counts, size_t *n)
{
    const struct entries entries = {
        .items = counts,
        .n = *n,
        .bytes = sizeof *counts,
        .compare = pb_baseline_compare_counts,
        .renamed = pb_arena_array(arena, *n, sizeof *entries.renamed),
    };
    for (size_t i = 0; i < *n; i++) {
        const char *present = pb_aliases_present(aliases, counts[i].name, arena);
        entries.renamed[i] = present != counts[i].name;
        counts[i].name = present;
    }
    *n = settle(&entries, arena);
}

static void update_ratios(const struct pb_aliases *aliases, struct pb_arena *arena,
                          struct pb_baseline *baseline)
{
    const struct entries entries = {
        .items = baseline->ratios,
        .n = baseline->n_ratios,
        .bytes = sizeof *baseline->ratios,
        .compare = pb_baseline_compare_ratios,
        .renamed = pb_arena_array(arena, baseline->n_ratios, sizeof *entries.renamed),
    };
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        struct pb_baseline_ratio *ratio = &baseline->ratios[i];
        const struct pair_names names = {&ratio->case_name, &ratio->scenario, NULL, &ratio->a,
                                         &ratio->b};
        entries.renamed[i] = update_pair(aliases, arena, &names);
    }
    baseline->n_ratios = settle(&entries, arena);
}

void pb_aliases_update_baseline(const struct pb_aliases *aliases, struct pb_arena *arena,
                                struct pb_baseline *baseline)
{
    if (aliases->n > 0) {
        update_counts(aliases, arena, baseline->counts, &baseline->n_counts);
        update_counts(aliases, arena, baseline->instructions, &baseline->n_instructions);
        update_ratios(aliases, arena, baseline);
    }
}

static int compare_points(const void *left, const void *right)
{
    const struct pb_history_point *x = left;
    const struct pb_history_point *y = right;
    int order = strcmp(x->case_name, y->case_name);
    order = order != 0 ? order : strcmp(x->scenario, y->scenario);
    order = order != 0 ? order : strcmp(x->a, y->a);
    order = order != 0 ? order : strcmp(x->b, y->b);
    if (order == 0 && x->started_at != y->started_at) {
        return x->started_at < y->started_at ? -1 : 1;
    }
    return order != 0 ? order : strcmp(x->run_id, y->run_id);
}

void pb_aliases_update_history(const struct pb_aliases *aliases, struct pb_arena *arena,
                               struct pb_history_point *points, size_t n)
{
    bool renamed = false;
    for (size_t i = 0; i < n && aliases->n > 0; i++) {
        const struct pair_names names = {&points[i].case_name, &points[i].scenario, NULL,
                                         &points[i].a, &points[i].b};
        renamed = update_pair(aliases, arena, &names) || renamed;
    }
    if (renamed) {
        qsort(points, n, sizeof *points, compare_points);
    }
}

void pb_aliases_update_times(const struct pb_aliases *aliases, struct pb_arena *arena,
                             struct pb_time_point *points, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        points[i].name = pb_aliases_present(aliases, points[i].name, arena);
    }
}
