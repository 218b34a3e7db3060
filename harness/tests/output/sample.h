/* SPDX-License-Identifier: Apache-2.0
 *
 * Invented runs, checks and histories for the tests of output: one that looks like life, one full
 * of names that no output may stumble over.
 */
#ifndef PB_TESTS_OUTPUT_SAMPLE_H
#define PB_TESTS_OUTPUT_SAMPLE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "output/charts.h"
#include "output/finding.h"

struct sample {
    struct pb_arena arena;
    struct pb_run_record run;
    struct pb_check_record check;
    struct pb_trend_point *trend;
    size_t n_trend;
};

/* Quotes, pipes, commands, markup, control bytes, invalid UTF-8, very long ones, and pairs that are
 * easily taken for each other. */
extern const char *const sample_hostile_names[];
extern const size_t sample_n_hostile_names;

/*
 * Three cases of two to thirteen scenarios with old, new, a floor and a third party; one benchmark
 * failed, one skipped, one too fast; n_runs nights of history, the last of them this run.
 */
void sample_make(struct sample *sample, size_t n_runs);

/* Every hostile name as case, scenario, variant, count, reason, label and in all facts. */
void sample_make_hostile(struct sample *sample);

/* Frees what either made. */
void sample_release(struct sample *sample);

/* A folder of its own for a test, emptied and made; in the arena. */
const char *sample_directory(struct pb_arena *arena, const char *name);

#endif
