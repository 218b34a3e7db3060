/* SPDX-License-Identifier: Apache-2.0
 *
 * Several methods on the same recorded samples: how often does each see what is not there, and what
 * is?
 *
 * Others run each build once and take the repetitions of these two processes; so each of their
 * methods is tried on two launches, and once more on all repetitions of as many launches as are
 * there, which is as much machine time as our verdict took.
 */
#ifndef PB_COMMANDS_SELFTEST_METHODS_H
#define PB_COMMANDS_SELFTEST_METHODS_H

#include "base/arena.h"
#include "base/error.h"
#include "output/selftest_report.h"

/*
 * Judges the samples of files and of the files in folders. Files that are read:
 *   *.jsonl   samples of a self-test
 *   *.f32     repetitions of two sides, little-endian float32, launches of 30 rounds of 5 slices,
 *             a's and b's value for every slice
 *   *.csv     ratios of launches in percent, one a line under the line `d_pct`; only our method
 *             can judge these
 * What the samples of the last two are of is in their names: NAME_aa is identical code, NAME_plus1
 * and NAME_plus2 have so many percent more; others are passed over. Groups of launches are drawn
 * from them again and again.
 * seed:   of all that is drawn
 * rows:   out, in the arena
 * errors: PB_ERR_NOT_FOUND; PB_ERR_IO; PB_ERR_FORMAT a file that is not what its name says, or
 *         nothing that could be judged
 */
enum pb_code pb_methods_compare(const char *const *paths, size_t n_paths, uint64_t seed,
                                struct pb_arena *arena, struct pb_method_row **rows, size_t *n_rows,
                                struct pb_error *err) PB_MUST_USE;

#endif
