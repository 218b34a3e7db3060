/* SPDX-License-Identifier: Apache-2.0
 *
 * A missing file of ratios is no error: counts are judged, and the check says what is missing.
 */
#include "commands/baseline_set.h"

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

/* Reads one file if it is there. *found: whether it was */
static enum pb_code read_if_there(const char *path, struct pb_arena *arena,
                                  struct pb_baseline_set *set, bool *found, struct pb_error *err)
{
    struct stat file;
    *found = stat(path, &file) == 0;
    if (!*found) {
        return PB_OK;
    }
    set->paths[set->n_paths++] = path;
    return pb_baseline_read(path, arena, &set->baseline, err);
}

static enum pb_code read_folder(const char *folder, const struct pb_run_record *run,
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
        set->incompatible = pb_arena_printf(
            arena,
            "no baseline of ratios for this class of machine and build (%s): its ratios are not "
            "judged; `pairbench baseline save %s` makes %s",
            set->class_name, folder, ratios);
    }
    return code;
}

/* Says which keys of two classes differ. returns: NULL when none does */
static const char *differences(const struct pb_facts *here, const struct pb_facts *there,
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
    set->has_ratios = set->baseline.n_ratios > 0;
    if (!set->has_ratios || any_class) {
        return PB_OK;
    }
    const struct pb_facts here = pb_class_facts(arena, &run->machine, &run->build);
    const char *differ = differences(&here, &set->baseline.class_facts, arena);
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
                                  ? read_folder(place, run, arena, set, err)
                                  : read_file(place, any_class, run, arena, set, err);
    if (code == PB_OK && set->n_paths == 0) {
        return pb_error_set(err, PB_ERR_INCOMPATIBLE,
                            "there is no baseline in %s; make one with `pairbench baseline save`",
                            place);
    }
    return code;
}
