/* SPDX-License-Identifier: Apache-2.0
 *
 * Which baseline files a run is held against.
 *
 * A folder of baselines has one file of counts, which holds everywhere, and a file of ratios for
 * each class of machine and build, named after it; the right one is chosen by itself. Beside them
 * are two files that people keep: aliases of renamed benchmarks, and waivers.
 */
#ifndef PB_COMMANDS_JUDGING_BASELINE_SET_H
#define PB_COMMANDS_JUDGING_BASELINE_SET_H

#include "base/record.h"
#include "commands/command.h"
#include "store/aliases.h"
#include "store/baseline_file.h"
#include "store/waivers.h"

#define PB_BASELINE_FOLDER  "baselines"
#define PB_BASELINE_COUNTS  "counts.jsonl"
#define PB_BASELINE_ALIASES "aliases.jsonl"
#define PB_BASELINE_WAIVERS "waivers.jsonl"

struct pb_baseline_set {
    struct pb_baseline baseline; /* by present names */
    struct pb_aliases aliases;   /* of the same folder */
    struct pb_waivers waivers;   /* the same */
    const char *paths[2];        /* files that were read */
    size_t n_paths;
    const char *class_name; /* of the run */
    bool has_counts;
    bool has_ratios;
    const char *incompatible; /* why the ratios can't be judged; NULL when they can */
};

/*
 * Reads the baselines for a run.
 * path:      a folder, a file, or NULL for the folder `baselines` here
 * any_class: judge ratios of another class all the same
 * errors:    PB_ERR_INCOMPATIBLE there is no baseline at all; PB_ERR_IO, PB_ERR_FORMAT
 */
enum pb_code pb_baseline_set_read(const char *path, bool any_class, const struct pb_run_record *run,
                                  struct pb_arena *arena, struct pb_baseline_set *set,
                                  struct pb_error *err) PB_MUST_USE;

/*
 * Reads the aliases of the folder that a baseline is in, or is.
 * path:     as above
 * *aliases: empty when there are none
 * errors:   PB_ERR_IO, PB_ERR_FORMAT, PB_ERR_LIMIT
 */
enum pb_code pb_baseline_aliases_read(const char *path, struct pb_arena *arena,
                                      struct pb_aliases *aliases, struct pb_error *err) PB_MUST_USE;

/* The same of waivers. */
enum pb_code pb_baseline_waivers_read(const char *path, struct pb_arena *arena,
                                      struct pb_waivers *waivers, struct pb_error *err) PB_MUST_USE;

/* How two classes differ: `compiler: gcc 12.2.0 there, clang 14.0.6 here; …`. returns: NULL when
 * they don't */
const char *pb_baseline_class_differences(const struct pb_facts *here, const struct pb_facts *there,
                                          struct pb_arena *arena);

/* Path of the file of a run's class in a folder. */
const char *pb_baseline_class_path(const char *folder, const struct pb_run_record *run,
                                   struct pb_arena *arena);

#endif
