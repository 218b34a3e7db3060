/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as a baseline: what others are held against.
 */
#ifndef PB_COMMANDS_JUDGING_RUN_BASELINE_H
#define PB_COMMANDS_JUDGING_RUN_BASELINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/record.h"
#include "store/baseline_file.h"

/* Who counted the instructions of a run: `perf_event`, `callgrind`; NULL = nobody. */
const char *pb_run_counter(const struct pb_run_record *run);

/* The benchmark of a run by its name, or NULL. */
const struct pb_benchmark_record *pb_run_find_benchmark(const struct pb_run_record *run,
                                                        const char *name);

/* Median time of a variant in a run; NaN when it was not timed. */
double pb_run_time_ns(const struct pb_run_record *run, const char *case_name, const char *scenario,
                      const char *variant, struct pb_arena *arena);

/* Whether a count may go into a baseline: all but those that depend on how malloc rounds. */
bool pb_count_is_gated(const char *name);

/*
 * Class, deterministic counts of what is ours, its instructions, and ratios of gated pairs with an
 * interval, each sorted by name. Whether the run is fit for it is not asked; origin is left empty.
 */
struct pb_baseline pb_baseline_of_run(const struct pb_run_record *run, struct pb_arena *arena);

#endif
