/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what a listing worker wrote: texts that end in a zero byte, numbers as decimal text. The
 * worker has checked the table; here only the stream is checked, since a suite may have scribbled
 * on it.
 */
#include "measure/catalog.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "measure/launch.h"
#include "pairbench.h"

/* A suite's constructors and its table may take a while under a sanitizer or an emulator. */
#define LIST_DEADLINE_S 30.0

enum { TABLE_MAX = 100000 };

struct reader {
    const char *at;
    const char *end;
    struct pb_arena *arena;
    bool broken;
};

static const char *read_text(struct reader *reader)
{
    const char *zero = memchr(reader->at, '\0', (size_t)(reader->end - reader->at));
    if (zero == NULL) {
        reader->broken = true;
        return "";
    }
    const char *text = pb_arena_memdup(reader->arena, reader->at, (size_t)(zero - reader->at));
    reader->at = zero + 1;
    return text;
}

static size_t read_number(struct reader *reader, size_t most)
{
    const char *text = read_text(reader);
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number > most) {
        reader->broken = true;
        return 0;
    }
    return (size_t)number;
}

static void read_scenarios(struct reader *reader, struct pb_catalog_case *its_case)
{
    its_case->n_scenarios = read_number(reader, TABLE_MAX);
    its_case->scenarios =
        pb_arena_array(reader->arena, its_case->n_scenarios, sizeof *its_case->scenarios);
    for (size_t i = 0; i < its_case->n_scenarios && !reader->broken; i++) {
        struct pb_catalog_scenario *scenario = &its_case->scenarios[i];
        scenario->name = read_text(reader);
        scenario->summary = read_text(reader);
        scenario->flags = (uint32_t)read_number(reader, UINT32_MAX);
        scenario->golden_bytes = read_number(reader, SIZE_MAX);
    }
}

static void read_variants(struct reader *reader, struct pb_catalog_case *its_case)
{
    its_case->n_variants = read_number(reader, PB_VARIANTS_MAX);
    its_case->variants =
        pb_arena_array(reader->arena, its_case->n_variants, sizeof *its_case->variants);
    for (size_t i = 0; i < its_case->n_variants && !reader->broken; i++) {
        struct pb_catalog_variant *variant = &its_case->variants[i];
        variant->name = read_text(reader);
        variant->summary = read_text(reader);
        variant->flags = (uint32_t)read_number(reader, UINT32_MAX);
    }
}

static void read_case(struct reader *reader, struct pb_catalog_case *its_case)
{
    its_case->name = read_text(reader);
    its_case->summary = read_text(reader);
    its_case->source = read_text(reader);
    read_scenarios(reader, its_case);
    read_variants(reader, its_case);
}

static void read_suite(struct reader *reader, struct pb_catalog *catalog, size_t *capacity)
{
    struct pb_catalog_suite *suite = &catalog->suites[catalog->n_suites];
    suite->name = read_text(reader);
    suite->compiler = read_text(reader);
    suite->flags = read_text(reader);
    suite->build_type = read_text(reader);
    suite->optimized = read_number(reader, UINT32_MAX) != 0;
    const size_t n_cases = read_number(reader, TABLE_MAX);
    for (size_t i = 0; i < n_cases && !reader->broken; i++) {
        catalog->cases = pb_arena_grow(reader->arena, catalog->cases, catalog->n_cases, capacity,
                                       sizeof *catalog->cases);
        struct pb_catalog_case *its_case = &catalog->cases[catalog->n_cases];
        *its_case =
            (struct pb_catalog_case){.suite = (uint32_t)catalog->n_suites, .index = (uint32_t)i};
        read_case(reader, its_case);
        catalog->n_cases++;
    }
    catalog->n_suites++;
}

/* The worker dlopens what it is given, so a name without a slash would be searched elsewhere. */
static enum pb_code resolve(const char *path, struct pb_arena *arena, const char **absolute,
                            struct pb_error *err)
{
    char resolved[PATH_MAX];
    if (realpath(path, resolved) == NULL) {
        return pb_error_set(err, PB_ERR_SUITE, "suite %s: %s", path, strerror(errno));
    }
    *absolute = pb_arena_strdup(arena, resolved);
    return PB_OK;
}

/* Has a worker dump the table of the object at path. text: appended */
static enum pb_code read_table(struct pb_launch *launch, const char *path, struct pb_strbuf *text,
                               struct pb_error *err)
{
    struct pb_launch_request *request = &pb_launch_region(launch)->request;
    request->task = PB_TASK_LIST;
    request->n_sides = 0;
    request->n_suites = 0;
    (void)pb_launch_add_suite(request, path);
    struct pb_launch_outcome outcome;
    const enum pb_code code = pb_launch_run(launch, NULL, LIST_DEADLINE_S, &outcome, err);
    if (code != PB_OK) {
        return code;
    }
    if (outcome.end != PB_END_DONE) {
        return pb_error_set(err, PB_ERR_SUITE, "suite %s: %s", path, outcome.reason);
    }
    return pb_launch_read_list(launch, text, err);
}

/* Path of layout number k of the suite at path; NULL when there is none. */
static const char *layout_path(const char *path, unsigned k, struct pb_arena *arena)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL || strcmp(dot, ".so") != 0) {
        return NULL;
    }
    const char *layout = pb_arena_printf(arena, "%.*s.layout%u.so", (int)(dot - path), path, k);
    return access(layout, F_OK) == 0 ? layout : NULL;
}

/* Finds the layouts beside a suite; one that was left over from another build is refused. */
static enum pb_code load_layouts(struct pb_launch *launch, const struct pb_strbuf *table,
                                 struct pb_arena *arena, struct pb_catalog_suite *suite,
                                 struct pb_error *err)
{
    suite->layouts = pb_arena_array(arena, PB_LAYOUTS_MAX, sizeof *suite->layouts);
    suite->layouts[suite->n_layouts++] = suite->path;
    for (unsigned k = 1; k < PB_LAYOUTS_MAX; k++) {
        const char *path = layout_path(suite->path, k, arena);
        if (path == NULL) {
            break;
        }
        struct pb_strbuf other;
        pb_strbuf_init(&other);
        enum pb_code code = read_table(launch, path, &other, err);
        if (code == PB_OK && (other.length != table->length ||
                              memcmp(other.text, table->text, table->length) != 0)) {
            code =
                pb_error_set(err, PB_ERR_SUITE,
                             "suite %s: its table is not that of %s: build all layouts again, or "
                             "delete those that are left over",
                             path, suite->path);
        }
        pb_strbuf_release(&other);
        if (code != PB_OK) {
            return code;
        }
        suite->layouts[suite->n_layouts++] = path;
    }
    return PB_OK;
}

static enum pb_code load_suite(struct pb_launch *launch, const char *path, struct pb_arena *arena,
                               struct pb_catalog *catalog, size_t *capacity, struct pb_error *err)
{
    struct pb_catalog_suite *suite = &catalog->suites[catalog->n_suites];
    enum pb_code code = resolve(path, arena, &suite->path, err);
    if (code != PB_OK) {
        return code;
    }
    struct pb_strbuf table;
    pb_strbuf_init(&table);
    code = read_table(launch, suite->path, &table, err);
    if (code == PB_OK) {
        struct reader reader = {.at = table.text, .end = table.text + table.length, .arena = arena};
        read_suite(&reader, catalog, capacity);
        if (reader.broken) {
            code = pb_error_set(err, PB_ERR_SUITE, "suite %s: its table can't be read", path);
        }
    }
    if (code == PB_OK) {
        code = load_layouts(launch, &table, arena, suite, err);
    }
    pb_strbuf_release(&table);
    return code;
}

static int compare_cases(const void *a, const void *b)
{
    const struct pb_catalog_case *left = a;
    const struct pb_catalog_case *right = b;
    const int order = strcmp(left->name, right->name);
    if (order != 0) {
        return order;
    }
    return left->suite != right->suite
               ? (left->suite > right->suite) - (left->suite < right->suite)
               : (left->index > right->index) - (left->index < right->index);
}

/* A benchmark's name and where it stands. */
struct place {
    const char *name;
    const char *suite_path;
};

static int compare_places(const void *a, const void *b)
{
    return strcmp(((const struct place *)a)->name, ((const struct place *)b)->name);
}

static enum pb_code refuse_duplicates(const struct pb_catalog *catalog, struct pb_arena *arena,
                                      struct pb_error *err)
{
    struct place *places = NULL;
    size_t n = 0;
    size_t capacity = 0;
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (size_t i = 0; i < its_case->n_scenarios * its_case->n_variants; i++) {
            places = pb_arena_grow(arena, places, n, &capacity, sizeof *places);
            places[n++] = (struct place){
                .name = pb_arena_printf(arena, "%s/%s/%s", its_case->name,
                                        its_case->scenarios[i / its_case->n_variants].name,
                                        its_case->variants[i % its_case->n_variants].name),
                .suite_path = catalog->suites[its_case->suite].path,
            };
        }
    }
    if (n > 0) {
        qsort(places, n, sizeof *places, compare_places);
    }
    for (size_t i = 1; i < n; i++) {
        if (strcmp(places[i - 1].name, places[i].name) == 0) {
            struct pb_strbuf shown = {0};
            pb_text_add_escaped(&shown, places[i].name);
            pb_error_set(err, PB_ERR_SUITE,
                         "two benchmarks are named %s: one in %s, one in %s; rename one",
                         shown.text, places[i - 1].suite_path, places[i].suite_path);
            pb_strbuf_release(&shown);
            return PB_ERR_SUITE;
        }
    }
    return PB_OK;
}

enum pb_code pb_catalog_load(const char *worker, const char *const *paths, size_t n_paths,
                             struct pb_arena *arena, struct pb_catalog *catalog,
                             struct pb_error *err)
{
    if (n_paths > PB_SUITES_MAX) {
        return pb_error_set(err, PB_ERR_LIMIT, "%zu suites, at most %d are possible", n_paths,
                            PB_SUITES_MAX);
    }
    struct pb_catalog made = {0};
    made.suites = pb_arena_array(arena, n_paths, sizeof *made.suites);
    size_t capacity = 0;
    struct pb_launch *launch = NULL;
    enum pb_code code = pb_launch_new(worker, &launch, err);
    for (size_t i = 0; code == PB_OK && i < n_paths; i++) {
        code = load_suite(launch, paths[i], arena, &made, &capacity, err);
    }
    pb_launch_free(launch);
    if (code != PB_OK) {
        return code;
    }
    if (made.n_cases > 0) {
        qsort(made.cases, made.n_cases, sizeof *made.cases, compare_cases);
    }
    code = refuse_duplicates(&made, arena, err);
    if (code == PB_OK) {
        *catalog = made;
    }
    return code;
}
