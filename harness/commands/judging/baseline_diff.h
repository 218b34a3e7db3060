/* SPDX-License-Identifier: Apache-2.0
 *
 * Baselines held against each other, or against a run that might become one.
 */
#ifndef PB_COMMANDS_JUDGING_BASELINE_DIFF_H
#define PB_COMMANDS_JUDGING_BASELINE_DIFF_H

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"
#include "output/baseline_diff_text.h"

/*
 * Compares two files, or all files of the same names in two folders.
 * a, b:   paths of two files or of two folders
 * errors: PB_ERR_INCOMPATIBLE there is no baseline at a path; PB_ERR_USAGE a file and a folder;
 *         PB_ERR_IO, PB_ERR_FORMAT
 */
enum pb_code pb_baseline_diff_paths(const char *a, const char *b, struct pb_arena *arena,
                                    struct pb_baseline_diff *diff,
                                    struct pb_error *err) PB_MUST_USE;

/*
 * Compares a folder or file with what a run would make of it.
 * run:    its names are brought up to date
 * errors: as pb_baseline_set_read()
 */
enum pb_code pb_baseline_diff_run(const char *a, struct pb_run_record *run, struct pb_arena *arena,
                                  struct pb_baseline_diff *diff, struct pb_error *err) PB_MUST_USE;

#endif
