/* SPDX-License-Identifier: Apache-2.0
 *
 * Renamed benchmarks: a name is an identity for ever, so a new one is entered in a committed table,
 * and history and baselines go on under it.
 *
 * A table is a file of a baseline folder (see baseline_lines.h), kept by hand:
 *     {"schema":"pairbench-baseline/1","kind":"aliases"}
 *     {"old":"cql/batch","new":"cql/batch_body","date":"2026-01-31","reason":"there are two now"}
 * An old name is that of a benchmark, or its beginning up to a '/', which renames all below it.
 */
#ifndef PB_STORE_ALIASES_H
#define PB_STORE_ALIASES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"
#include "store/baseline_file.h"
#include "store/store.h"

#define PB_BASELINE_KIND_ALIASES "aliases"

enum { PB_ALIASES_MAX = 1000 };

struct pb_alias {
    const char *old_name;
    const char *new_name;
    const char *date; /* of the renaming: for people */
    const char *reason;
};

/* Zeroed, it renames nothing. */
struct pb_aliases {
    const struct pb_alias *items;
    size_t n;
};

/*
 * Reads a table.
 * name:   of the file, for messages
 * text:   n bytes
 * errors: PB_ERR_FORMAT, PB_ERR_LIMIT with file and line: also for two new names of one old name,
 *         and for renamings that lead in a circle
 */
enum pb_code pb_aliases_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                              struct pb_aliases *aliases, struct pb_error *err) PB_MUST_USE;

/* The same of a file. *aliases: empty when there is no such file. errors: PB_ERR_IO, as above */
enum pb_code pb_aliases_read(const char *path, struct pb_arena *arena, struct pb_aliases *aliases,
                             struct pb_error *err) PB_MUST_USE;

/* What is now called what was called `name`. returns: name itself when it was not renamed */
const char *pb_aliases_present(const struct pb_aliases *aliases, const char *name,
                               struct pb_arena *arena);

/* CASE/SCENARIO/VARIANT taken apart; neither scenario nor variant has a '/'. */
struct pb_name_parts {
    const char *case_name;
    const char *scenario;
    const char *variant;
};

/* returns: false when name has not three parts */
bool pb_name_split(const char *name, struct pb_arena *arena, struct pb_name_parts *parts);

/*
 * Bring all names up to date. A pair moves with both of its sides. Of a baseline's entries for the
 * old and the new name of one benchmark the latter stays; entries and points are sorted as before.
 */
void pb_aliases_update_run(const struct pb_aliases *aliases, struct pb_arena *arena,
                           struct pb_run_record *run);
void pb_aliases_update_baseline(const struct pb_aliases *aliases, struct pb_arena *arena,
                                struct pb_baseline *baseline);
void pb_aliases_update_history(const struct pb_aliases *aliases, struct pb_arena *arena,
                               struct pb_history_point *points, size_t n);
void pb_aliases_update_times(const struct pb_aliases *aliases, struct pb_arena *arena,
                             struct pb_time_point *points, size_t n);

#endif
