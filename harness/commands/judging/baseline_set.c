/* SPDX-License-Identifier: Apache-2.0
 *
 * A missing file of ratios is no error: counts are judged, and the check says what is missing.
 */
#include "commands/judging/baseline_set.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "provenance/machine.h"

const char *pb_baseline_class_path(const char *folder, const struct pb_run_record *run,
                                   struct pb_arena *arena)
{
    const struct pb_facts facts = pb_class_facts(arena, &run->machine, &run->build);
    return pb_arena_printf(arena, "%s/%s.jsonl", folder, pb_class_name(arena, &facts));
}

/* Reads one file if it is there. *found: whether it was. A file that can't be looked at is not one
 * that isn't there: what it holds would go unjudged. */
static enum pb_code read_if_there(const char *path, struct pb_arena *arena,
                                  struct pb_baseline_set *set, bool *found, struct pb_error *err)
{
    struct stat file;
    *found = stat(path, &file) == 0;
    if (!*found) {
        return errno == ENOENT || errno == ENOTDIR
                   ? PB_OK
                   : pb_error_set(err, PB_ERR_IO, "can't read %s: %s", path, strerror(errno));
    }
    set->paths[set->n_paths++] = path;
    return pb_baseline_read(path, arena, &set->baseline, err);
}

const char *pb_baseline_class_differences(const struct pb_facts *here, const struct pb_facts *there,
                                          struct pb_arena *arena)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    for (size_t i = 0; i < here->n; i++) {
        const struct pb_fact *fact = &here->items[i];
        const char *other = pb_facts_get(there, fact->key);
        if (other != NULL && strcmp(other, fact->value) == 0) {
            continue;
        }
        pb_strbuf_addf(&text, "%s%s: ", text.length > 0 ? "; " : "", fact->key);
        pb_text_add_escaped(&text, other != NULL ? other : "nothing");
        pb_strbuf_adds(&text, " there, ");
        pb_text_add_escaped(&text, fact->value);
        pb_strbuf_adds(&text, " here");
    }
    const char *result = text.length > 0 ? pb_arena_strdup(arena, text.text) : NULL;
    pb_strbuf_release(&text);
    return result;
}

/* A file of ratios of another class than the run's. */
struct other_class {
    const char *path;
    struct pb_baseline baseline;
    size_t n_differ; /* keys of the class */
};

static size_t count_differences(const struct pb_facts *here, const struct pb_facts *there)
{
    size_t n = 0;
    for (size_t i = 0; i < here->n; i++) {
        const char *other = pb_facts_get(there, here->items[i].key);
        n += other == NULL || strcmp(other, here->items[i].value) != 0;
    }
    return n;
}

/* Keeps in *nearest the file of ratios at path if it is nearer. */
static void consider(const char *path, const struct pb_facts *here, struct pb_arena *arena,
                     struct other_class *nearest)
{
    struct other_class other = {.path = path};
    struct pb_error ignored;
    if (pb_baseline_read(path, arena, &other.baseline, &ignored) != PB_OK ||
        other.baseline.n_ratios == 0) {
        return;
    }
    other.n_differ = count_differences(here, &other.baseline.class_facts);
    if (nearest->path == NULL || other.n_differ < nearest->n_differ) {
        *nearest = other;
    }
}

static int is_jsonl(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".jsonl") == 0;
}

/* Of the files of ratios in a folder the one whose class differs least; its path is NULL when there
 * is none. */
static struct other_class find_nearest(const char *folder, const struct pb_facts *here,
                                       struct pb_arena *arena)
{
    struct other_class nearest = {0};
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, is_jsonl, alphasort);
    for (int i = 0; i < n; i++) {
        consider(pb_arena_printf(arena, "%s/%s", folder, entries[i]->d_name), here, arena,
                 &nearest);
        free(entries[i]);
    }
    free(entries);
    return nearest;
}

/* Says that there are no ratios of the run's class, or takes those of the nearest. */
static void settle_for_another_class(const char *folder, bool any_class,
                                     const struct pb_run_record *run, struct pb_arena *arena,
                                     struct pb_baseline_set *set)
{
    const struct pb_facts here = pb_class_facts(arena, &run->machine, &run->build);
    const struct other_class nearest = find_nearest(folder, &here, arena);
    if (nearest.path != NULL && any_class) {
        struct pb_baseline *baseline = &set->baseline;
        set->paths[set->n_paths++] = nearest.path;
        set->has_ratios = true;
        baseline->class_facts = nearest.baseline.class_facts;
        baseline->ratios = nearest.baseline.ratios;
        baseline->n_ratios = nearest.baseline.n_ratios;
        baseline->instructions = nearest.baseline.instructions;
        baseline->n_instructions = nearest.baseline.n_instructions;
        baseline->counter = nearest.baseline.counter;
        return;
    }
    set->incompatible = pb_arena_printf(
        arena,
        "no baseline of ratios for this class of machine and build (%s): its ratios are not "
        "judged; `pairbench baseline save %s` makes %s",
        set->class_name, folder, pb_baseline_class_path(folder, run, arena));
    if (nearest.path != NULL) {
        set->incompatible = pb_arena_printf(
            arena, "%s; the nearest there is, %s, differs: %s; --any-class judges by it",
            set->incompatible, nearest.path,
            pb_baseline_class_differences(&here, &nearest.baseline.class_facts, arena));
    }
}

static enum pb_code read_folder(const char *folder, bool any_class, const struct pb_run_record *run,
                                struct pb_arena *arena, struct pb_baseline_set *set,
                                struct pb_error *err)
{
    const char *counts = pb_arena_printf(arena, "%s/" PB_BASELINE_COUNTS, folder);
    const char *ratios = pb_baseline_class_path(folder, run, arena);
    enum pb_code code = read_if_there(counts, arena, set, &set->has_counts, err);
    if (code == PB_OK) {
        code = read_if_there(ratios, arena, set, &set->has_ratios, err);
    }
    if (code == PB_OK && !set->has_ratios) {
        settle_for_another_class(folder, any_class, run, arena, set);
    }
    return code;
}

static enum pb_code read_file(const char *path, bool any_class, const struct pb_run_record *run,
                              struct pb_arena *arena, struct pb_baseline_set *set,
                              struct pb_error *err)
{
    set->paths[set->n_paths++] = path;
    const enum pb_code code = pb_baseline_read(path, arena, &set->baseline, err);
    if (code != PB_OK) {
        return code;
    }
    set->has_counts = set->baseline.n_counts > 0;
    set->has_ratios = set->baseline.n_ratios + set->baseline.n_instructions > 0;
    if (!set->has_ratios || any_class) {
        return PB_OK;
    }
    const struct pb_facts here = pb_class_facts(arena, &run->machine, &run->build);
    const char *differ = pb_baseline_class_differences(&here, &set->baseline.class_facts, arena);
    if (differ != NULL) {
        set->has_ratios = false;
        set->incompatible = pb_arena_printf(
            arena,
            "%s is of another class (%s): ratios of two classes can't be compared; measure "
            "both revisions here instead, or judge all the same with --any-class",
            path, differ);
    }
    return PB_OK;
}

/* A file beside the baseline at path, or in it when that is a folder. */
static const char *beside(const char *path, const char *name, struct pb_arena *arena)
{
    struct stat file;
    if (stat(path, &file) == 0 && S_ISDIR(file.st_mode)) {
        return pb_arena_printf(arena, "%s/%s", path, name);
    }
    const char *slash = strrchr(path, '/');
    return slash == NULL ? name
                         : pb_arena_printf(arena, "%.*s/%s", (int)(slash - path), path, name);
}

enum pb_code pb_baseline_aliases_read(const char *path, struct pb_arena *arena,
                                      struct pb_aliases *aliases, struct pb_error *err)
{
    const char *place = path != NULL ? path : PB_BASELINE_FOLDER;
    return pb_aliases_read(beside(place, PB_BASELINE_ALIASES, arena), arena, aliases, err);
}

enum pb_code pb_baseline_waivers_read(const char *path, struct pb_arena *arena,
                                      struct pb_waivers *waivers, struct pb_error *err)
{
    const char *place = path != NULL ? path : PB_BASELINE_FOLDER;
    return pb_waivers_read(beside(place, PB_BASELINE_WAIVERS, arena), arena, waivers, err);
}

/* Reads aliases and waivers, and brings all names up to date. */
static enum pb_code read_hand_kept(const char *path, struct pb_arena *arena,
                                   struct pb_baseline_set *set, struct pb_error *err)
{
    enum pb_code code = pb_baseline_aliases_read(path, arena, &set->aliases, err);
    if (code == PB_OK) {
        code = pb_baseline_waivers_read(path, arena, &set->waivers, err);
    }
    if (code == PB_OK) {
        pb_aliases_update_baseline(&set->aliases, arena, &set->baseline);
    }
    return code;
}

enum pb_code pb_baseline_set_read(const char *path, bool any_class, const struct pb_run_record *run,
                                  struct pb_arena *arena, struct pb_baseline_set *set,
                                  struct pb_error *err)
{
    *set = (struct pb_baseline_set){0};
    const struct pb_facts facts = pb_class_facts(arena, &run->machine, &run->build);
    set->class_name = pb_class_name(arena, &facts);
    const char *place = path != NULL ? path : PB_BASELINE_FOLDER;
    struct stat file;
    if (stat(place, &file) != 0) {
        return pb_error_set(err, PB_ERR_INCOMPATIBLE,
                            "there is no baseline at %s; make one with `pairbench baseline save`",
                            place);
    }
    const enum pb_code code = S_ISDIR(file.st_mode)
                                  ? read_folder(place, any_class, run, arena, set, err)
                                  : read_file(place, any_class, run, arena, set, err);
    if (code == PB_OK && set->n_paths == 0) {
        return pb_error_set(err, PB_ERR_INCOMPATIBLE,
                            "there is no baseline in %s; make one with `pairbench baseline save`",
                            place);
    }
    return code == PB_OK ? read_hand_kept(place, arena, set, err) : code;
}
