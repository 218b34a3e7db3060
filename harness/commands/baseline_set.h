/* SPDX-License-Identifier: Apache-2.0
 *
 * Which baseline files a run is held against.
 *
 * A folder of baselines has one file of counts, which holds everywhere, and a file of ratios for
 * each class of machine and build, named after it; the right one is chosen by itself.
 */
#ifndef PB_COMMANDS_BASELINE_SET_H
#define PB_COMMANDS_BASELINE_SET_H

#include "base/record.h"
#include "commands/command.h"
#include "store/baseline_file.h"

#define PB_BASELINE_FOLDER "baselines"
#define PB_BASELINE_COUNTS "counts.jsonl"

struct pb_baseline_set {
    struct pb_baseline baseline;
    const char *paths[2]; /* files that were read */
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

/* Path of the file of a run's class in a folder. */
const char *pb_baseline_class_path(const char *folder, const struct pb_run_record *run,
                                   struct pb_arena *arena);

#endif
