/* SPDX-License-Identifier: Apache-2.0
 *
 * An operand is a file when it is one that could be a suite, so that a branch may be called like a
 * text file or a folder.
 */
#include "commands/comparing/sides.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "measure/launch.h"
#include "pairbench.h"
#include "provenance/checkout.h"
#include "provenance/object_code.h"

enum {
    LAYOUTS_DEFAULT = 4,
    LAYOUTS_STAGE_MAX = (PB_LAYOUTS_MAX - 2) / 2, /* two stages and the production build */
    CMAKE_ARGUMENTS_MAX = 100,
};

static const char *value_or(const struct pb_args *args, const char *option, const char *otherwise)
{
    const char *value = pb_args_value(args, option);
    return value != NULL ? value : otherwise;
}

/* Paths of the cache are used by programs that run in other folders. */
static enum pb_code make_absolute(const char *path, struct pb_arena *arena, const char **absolute,
                                  struct pb_error *err)
{
    char here[PATH_MAX];
    if (path[0] == '\0') {
        return pb_error_set(err, PB_ERR_USAGE, "--cache '': the name of a folder is empty");
    }
    if (path[0] == '/' || realpath(".", here) == NULL) {
        *absolute = path;
        return PB_OK;
    }
    *absolute = pb_arena_printf(arena, "%s/%s", here, path);
    return PB_OK;
}

enum pb_code pb_sides_parse(const struct pb_args *args, struct pb_arena *arena,
                            struct pb_sides *sides, uint32_t *layouts, struct pb_error *err)
{
    uint64_t n_layouts = LAYOUTS_DEFAULT;
    enum pb_code code = PB_OK;
    *sides = (struct pb_sides){.sides = {{.label = "base"}, {.label = "head"}}};
    struct pb_build_settings *settings = &sides->settings;
    settings->target = value_or(args, "target", "pairbench-cases");
    settings->source = value_or(args, "source", "");
    settings->n_cmake_arguments = pb_args_values(args, "cmake", &settings->cmake_arguments);
    if (settings->n_cmake_arguments > CMAKE_ARGUMENTS_MAX) {
        return pb_error_set(err, PB_ERR_LIMIT, "--cmake is given more than %d times",
                            CMAKE_ARGUMENTS_MAX);
    }
    if (pb_args_has(args, "layouts")) {
        code = pb_parse_count("--layouts", pb_args_value(args, "layouts"), 0, LAYOUTS_STAGE_MAX,
                              &n_layouts, err);
    }
    if (code == PB_OK && pb_args_has(args, "cache")) {
        code = make_absolute(pb_args_value(args, "cache"), arena, &settings->cache, err);
    }
    settings->layouts = 1 + 2 * (uint32_t)n_layouts;
    *layouts = (uint32_t)n_layouts;
    return code;
}

enum pb_code pb_sides_need_repository(const struct pb_context *context, struct pb_sides *sides,
                                      struct pb_error *err)
{
    if (sides->repository.directory != NULL) {
        return PB_OK;
    }
    return pb_repository_find(NULL, context->arena, &sides->repository, err);
}

void pb_side_set_commit(struct pb_sides *sides, unsigned which, const char *name,
                        const struct pb_revision *revision)
{
    struct pb_side *side = &sides->sides[which];
    side->revision = *revision;
    side->shown = (struct pb_compared_side){
        .kind = PB_COMPARED_COMMIT,
        .name = name,
        .commit = revision->id,
        .subject = revision->subject,
    };
}

static const char *fact(const struct pb_facts *facts, const char *key)
{
    const char *value = pb_facts_get(facts, key);
    return value != NULL ? value : "";
}

static void set_tree(const struct pb_context *context, struct pb_sides *sides, unsigned which)
{
    const struct pb_facts facts = pb_checkout_facts(context->arena, sides->repository.directory);
    sides->sides[which].shown = (struct pb_compared_side){
        .kind = PB_COMPARED_TREE,
        .name = "",
        .commit = fact(&facts, "id"),
        .subject = "",
        .dirty = strcmp(fact(&facts, "dirty"), "false") != 0,
    };
}

enum pb_code pb_side_name(const struct pb_context *context, struct pb_sides *sides, unsigned which,
                          const char *operand, struct pb_error *err)
{
    if (operand != NULL && pb_object_code_is(operand)) {
        sides->sides[which].shown = (struct pb_compared_side){
            .kind = PB_COMPARED_FILE,
            .name = operand,
            .commit = "",
            .subject = "",
            .suite = operand,
        };
        return PB_OK;
    }
    enum pb_code code = pb_sides_need_repository(context, sides, err);
    if (code != PB_OK && operand != NULL) {
        return pb_error_prefix(err, "'%s' is no suite file", operand);
    }
    if (code == PB_OK && operand == NULL) {
        set_tree(context, sides, which);
        return PB_OK;
    }
    struct pb_revision revision;
    if (code == PB_OK) {
        code = pb_revision_resolve(&sides->repository, operand, context->arena, &revision, err);
        if (code == PB_ERR_NOT_FOUND && strchr(operand, '/') != NULL) {
            return pb_error_prefix(err, "'%s' is no suite file", operand);
        }
    }
    if (code == PB_OK) {
        pb_side_set_commit(sides, which, operand, &revision);
    }
    return code;
}

static void print_last_lines(const struct pb_build *build)
{
    struct pb_strbuf lines;
    pb_strbuf_init(&lines);
    pb_text_add_message(&lines, build->last_lines);
    fputs(lines.text, stderr);
    pb_strbuf_release(&lines);
}

static enum pb_code need_cache(const struct pb_context *context, struct pb_sides *sides,
                               struct pb_error *err)
{
    return sides->settings.cache != NULL
               ? PB_OK
               : pb_build_cache_folder(context->arena, &sides->settings.cache, err);
}

/* Builds the sides that are no files. */
static enum pb_code build(const struct pb_context *context, struct pb_sides *sides, bool quiet,
                          struct pb_error *err)
{
    struct pb_build_wish wishes[2];
    struct pb_build builds[2] = {0};
    struct pb_side *built[2];
    size_t n = 0;
    for (size_t i = 0; i < 2; i++) {
        struct pb_side *side = &sides->sides[i];
        if (side->shown.kind == PB_COMPARED_FILE) {
            continue;
        }
        built[n] = side;
        wishes[n++] = (struct pb_build_wish){
            .repository = &sides->repository,
            .revision = side->shown.kind == PB_COMPARED_COMMIT ? &side->revision : NULL,
            .side = side->label,
        };
    }
    if (n == 0) {
        return PB_OK;
    }
    enum pb_code code = need_cache(context, sides, err);
    if (code == PB_OK) {
        code = pb_build_all(context, &sides->settings, wishes, n, builds, err);
    }
    for (size_t i = 0; i < n; i++) {
        built[i]->build = builds[i];
        built[i]->shown.suite = builds[i].suite;
    }
    for (size_t i = 0; code == PB_OK && i < n; i++) {
        if (builds[i].problem == NULL) {
            continue;
        }
        if (builds[i].last_lines != NULL && !quiet) {
            print_last_lines(&builds[i]);
        }
        code = pb_error_set(err, PB_ERR_CHILD, "%s", builds[i].problem);
    }
    return code;
}

/* Number of the ABI that a line of a header defines; 0 = none. */
static unsigned abi_of(const char *line)
{
    static const char name[] = "PAIRBENCH_ABI";
    const char *at = line != NULL ? strstr(line, name) : NULL;
    return at != NULL ? (unsigned)strtoul(at + sizeof name - 1, NULL, 10) : 0;
}

/*
 * Appends which commits have the ABI of this program: from the one that brought it to the one
 * before it was changed again.
 */
static void add_range(const struct pb_context *context, const struct pb_sides *sides,
                      struct pb_strbuf *text)
{
    static const struct pb_revision_lines lines = {"define +PAIRBENCH_ABI +[0-9]", "*pairbench.h"};
    const struct pb_revision_line changes =
        pb_revision_changes(&sides->repository, "HEAD", &lines, context->arena);
    for (size_t i = 0; i < changes.n; i++) {
        const struct pb_revision *from = &changes.items[i];
        const char *line =
            pb_revision_find_line(&sides->repository, from->id, &lines, context->arena);
        if (abi_of(line) != PAIRBENCH_ABI) {
            continue;
        }
        pb_strbuf_addf(text, "; revisions from %.*s (%s) on", PB_REVISION_SHOWN, from->id,
                       from->subject);
        if (i > 0) {
            pb_strbuf_addf(text, ", up to the one before %.*s (%s),", PB_REVISION_SHOWN,
                           changes.items[i - 1].id, changes.items[i - 1].subject);
        }
        pb_strbuf_addf(text, " have ABI %u and can be compared", PAIRBENCH_ABI);
        return;
    }
    pb_strbuf_addf(text, "; no revision here has a pairbench.h of ABI %u", PAIRBENCH_ABI);
}

/* Another ABI is no fault of the suite: what can be compared is said, as far as it is known. */
static enum pb_code explain(const struct pb_context *context, const struct pb_sides *sides,
                            const struct pb_side *side, struct pb_error *err)
{
    if (strstr(err->message, PB_OTHER_ABI) == NULL) {
        (void)pb_error_prefix(err, "%s", side->label);
        return err->code = PB_ERR_CHILD;
    }
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    pb_strbuf_addf(&text, "%s: %s", side->label, err->message);
    if (side->shown.kind != PB_COMPARED_FILE) {
        add_range(context, sides, &text);
    }
    (void)pb_error_set(err, PB_ERR_INCOMPATIBLE, "%s", text.text);
    pb_strbuf_release(&text);
    return PB_ERR_INCOMPATIBLE;
}

enum pb_code pb_sides_open(const struct pb_context *context, struct pb_sides *sides, bool quiet,
                           struct pb_error *err)
{
    enum pb_code code = build(context, sides, quiet, err);
    for (size_t i = 0; code == PB_OK && i < 2; i++) {
        struct pb_side *side = &sides->sides[i];
        code = pb_catalog_load(context->worker, &side->shown.suite, 1, context->arena,
                               &side->catalog, err);
        if (code == PB_ERR_SUITE) {
            code = explain(context, sides, side, err);
        }
    }
    return code;
}

static bool are_one_file(const char *path, const char *other_path)
{
    struct stat file;
    struct stat other;
    return stat(path, &file) == 0 && stat(other_path, &other) == 0 && file.st_dev == other.st_dev &&
           file.st_ino == other.st_ino;
}

enum pb_code pb_sides_separate(const struct pb_context *context, struct pb_sides *sides,
                               struct pb_error *err)
{
    struct pb_side *head = &sides->sides[1];
    struct pb_build copy;
    if (!are_one_file(sides->sides[0].shown.suite, head->shown.suite)) {
        return PB_OK;
    }
    enum pb_code code = need_cache(context, sides, err);
    if (code == PB_OK) {
        code = pb_build_copy_suite(context, &sides->settings, head->shown.suite, &copy, err);
        pb_build_release(&head->build, 1);
        head->build = copy;
    }
    if (code == PB_OK) {
        head->shown.suite = copy.suite;
        code =
            pb_catalog_load(context->worker, &copy.suite, 1, context->arena, &head->catalog, err);
    }
    return code;
}

void pb_sides_release(struct pb_sides *sides)
{
    for (size_t i = 0; i < 2; i++) {
        pb_build_release(&sides->sides[i].build, 1);
    }
}
