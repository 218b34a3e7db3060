/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies are written byte by byte: a link would be the same file, whose pages both sides share.
 */
#include "commands/selftest/builds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/whole_file.h"
#include "commands/parts.h"

#define OBJECT_LIMIT ((size_t)256 << 20)

/* Notes a path that is to be removed. returns: the path */
static const char *note(struct pb_selftest_builds *builds, struct pb_arena *arena, const char *path)
{
    builds->paths = pb_arena_grow(arena, builds->paths, builds->n_paths, &builds->capacity,
                                  sizeof *builds->paths);
    builds->paths[builds->n_paths++] = path;
    return path;
}

static enum pb_code make_folder(struct pb_selftest_builds *builds, struct pb_arena *arena,
                                struct pb_error *err)
{
    const char *temporary = getenv("TMPDIR");
    builds->folder =
        pb_arena_printf(arena, "%s/pairbench-selftest-XXXXXX",
                        temporary != NULL && temporary[0] == '/' ? temporary : P_tmpdir);
    if (mkdtemp(builds->folder) == NULL) {
        (void)pb_error_set(err, PB_ERR_IO, "can't make a folder %s: %s", builds->folder,
                           strerror(errno));
        builds->folder = NULL;
        return PB_ERR_IO;
    }
    return PB_OK;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static enum pb_code copy_file(const char *from, const char *to, struct pb_error *err)
{
    struct pb_strbuf content = {.limit = OBJECT_LIMIT};
    bool made = false;
    enum pb_code code = pb_whole_file_read(from, OBJECT_LIMIT, &content, err);
    if (code == PB_OK) {
        code = pb_whole_file_create(to, content.text, content.length, &made, err);
    }
    pb_strbuf_release(&content);
    return code;
}

/* Copies a suite, alone or with its layouts. *copy: path of the copy */
static enum pb_code copy_suite(const struct pb_context *context, struct pb_selftest_builds *builds,
                               const struct pb_catalog_suite *suite, bool with_layouts,
                               const char **copy, struct pb_error *err)
{
    struct pb_arena *arena = context->arena;
    const char *folder =
        note(builds, arena, pb_arena_printf(arena, "%s/%zu", builds->folder, builds->n_paths));
    if (mkdir(folder, 0700) != 0) {
        return pb_error_set(err, PB_ERR_IO, "can't make a folder %s: %s", folder, strerror(errno));
    }
    const size_t n = with_layouts ? suite->n_layouts : 1;
    enum pb_code code = PB_OK;
    for (size_t i = 0; code == PB_OK && i < n; i++) {
        const char *from = suite->layouts[i];
        const char *to =
            note(builds, arena, pb_arena_printf(arena, "%s/%s", folder, base_name(from)));
        *copy = i == 0 ? to : *copy;
        code = copy_file(from, to, err);
    }
    return code;
}

/* Copies all suites of a catalog and reads the copies' tables. */
static enum pb_code copy_all(const struct pb_context *context, struct pb_selftest_builds *builds,
                             const struct pb_catalog *from, bool with_layouts,
                             struct pb_catalog *catalog, struct pb_error *err)
{
    const char **copies = pb_arena_array(context->arena, from->n_suites, sizeof *copies);
    enum pb_code code = PB_OK;
    for (size_t i = 0; code == PB_OK && i < from->n_suites; i++) {
        code = copy_suite(context, builds, &from->suites[i], with_layouts, &copies[i], err);
    }
    return code == PB_OK ? pb_catalog_load(context->worker, copies, from->n_suites, context->arena,
                                           catalog, err)
                         : code;
}

static enum pb_code find_workloads(const struct pb_context *context, const char *name,
                                   const char **path, struct pb_error *err)
{
    *path = pb_part_find(context->arena, name, PAIRBENCH_LIB_FROM_BIN);
    if (*path == NULL) {
        return pb_error_set(err, PB_ERR_IO,
                            "%s is neither beside this program nor in its lib folder; build or "
                            "install pairbench again",
                            name);
    }
    return PB_OK;
}

/* The builds that there are already. */
static enum pb_code load_originals(const struct pb_context *context,
                                   struct pb_selftest_builds *builds, struct pb_error *err)
{
    const char **paths = pb_arena_array(context->arena, context->n_suites + 1, sizeof *paths);
    const char *commented = NULL;
    enum pb_code code = find_workloads(context, "pairbench-workloads.so", &paths[0], err);
    if (code == PB_OK) {
        code = find_workloads(context, "pairbench-workloads-commented.so", &commented, err);
    }
    for (size_t i = 0; i < context->n_suites; i++) {
        paths[i + 1] = context->suites[i];
    }
    if (code == PB_OK) {
        code = pb_catalog_load(context->worker, paths, context->n_suites + 1, context->arena,
                               &builds->base[PB_NULL_SAME], err);
    }
    if (code == PB_OK) {
        code = pb_catalog_load(context->worker, paths, 1, context->arena,
                               &builds->base[PB_NULL_COMMENT], err);
    }
    return code == PB_OK ? pb_catalog_load(context->worker, &commented, 1, context->arena,
                                           &builds->head[PB_NULL_COMMENT], err)
                         : code;
}

enum pb_code pb_selftest_builds_make(const struct pb_context *context,
                                     struct pb_selftest_builds *builds, struct pb_error *err)
{
    *builds = (struct pb_selftest_builds){0};
    enum pb_code code = load_originals(context, builds, err);
    if (code == PB_OK) {
        code = make_folder(builds, context->arena, err);
    }
    const struct pb_catalog *originals = &builds->base[PB_NULL_SAME];
    if (code == PB_OK) {
        code = copy_all(context, builds, originals, true, &builds->head[PB_NULL_SAME], err);
    }
    if (code == PB_OK) {
        code = copy_all(context, builds, originals, false, &builds->base[PB_NULL_COPY], err);
    }
    return code == PB_OK
               ? copy_all(context, builds, originals, false, &builds->head[PB_NULL_COPY], err)
               : code;
}

/* Deals the layouts of a suite out: half of them to each side, whoever has the odd one. */
static void deal_suite(struct pb_catalog_suite *base, struct pb_catalog_suite *head,
                       struct pb_random *random, struct pb_arena *arena)
{
    const size_t n = base->n_layouts;
    uint32_t order[PB_LAYOUTS_MAX];
    const char **dealt = pb_arena_array(arena, n, sizeof *dealt);
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    pb_random_shuffle(random, order, n);
    for (size_t i = 0; i < n; i++) {
        dealt[i] = base->layouts[order[i]];
    }
    base->n_layouts = n / 2;
    base->layouts = dealt;
    head->n_layouts = n - n / 2;
    head->layouts = dealt + n / 2;
}

void pb_selftest_builds_deal(const struct pb_selftest_builds *builds, struct pb_random *random,
                             struct pb_arena *arena, struct pb_catalog *base,
                             struct pb_catalog *head)
{
    *base = builds->base[PB_NULL_SAME];
    *head = builds->head[PB_NULL_SAME];
    const size_t bytes = base->n_suites * sizeof *base->suites;
    base->suites = pb_arena_memdup(arena, base->suites, bytes);
    head->suites = pb_arena_memdup(arena, head->suites, bytes);
    for (size_t i = 0; i < base->n_suites; i++) {
        if (base->suites[i].n_layouts > 1) {
            deal_suite(&base->suites[i], &head->suites[i], random, arena);
        }
    }
}

void pb_selftest_builds_remove(struct pb_selftest_builds *builds)
{
    for (size_t i = builds->n_paths; i > 0; i--) {
        (void)remove(builds->paths[i - 1]);
    }
    if (builds->folder != NULL) {
        (void)rmdir(builds->folder);
    }
    builds->n_paths = 0;
    builds->folder = NULL;
}
