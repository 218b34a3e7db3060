/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs that nobody measured: two scenarios of one case, 40 launches that agree, a clean checkout.
 *
 * Tests of judging start from one that is fit for a baseline and change what they are about, so
 * that nothing depends on the clock.
 */
#ifndef PB_TESTS_SYNTHETIC_RUN_H
#define PB_TESTS_SYNTHETIC_RUN_H

#include "base/arena.h"
#include "base/record.h"

/*
 * Run `number` of a series, each a minute later than the one before: cql/batch/s1 and s2, each with
 * old, new, floor (a bound) and lib (a third party's); new takes half the time of old and 1 write
 * instead of 10.
 */
struct pb_run_record synthetic_run(struct pb_arena *arena, unsigned number);

/* A benchmark of a run by scenario and variant. */
struct pb_benchmark_record *synthetic_benchmark(struct pb_run_record *run, const char *scenario,
                                                const char *variant);

/* The pair of old and a variant. */
struct pb_pair_record *synthetic_pair(struct pb_run_record *run, const char *scenario,
                                      const char *variant);

/* The count of a benchmark. */
struct pb_count_record *synthetic_count(struct pb_benchmark_record *benchmark, const char *name);

/*
 * Makes variant / old of a pair this ratio, known to ± half_width_pct percent: estimate, interval
 * and launches.
 */
void synthetic_set_ratio(struct pb_pair_record *pair, double ratio, double half_width_pct);

/* Takes the benchmarks and pairs of a scenario out of a run. */
void synthetic_drop(struct pb_run_record *run, const char *scenario);

/* Marks a benchmark, and its pairs, failed or skipped. */
void synthetic_spoil(struct pb_run_record *run, const char *scenario, const char *variant,
                     enum pb_state state, const char *reason);

/* Calls a scenario something else, in benchmarks and pairs. */
void synthetic_rename(struct pb_arena *arena, struct pb_run_record *run, const char *scenario,
                      const char *name);

/* Sets a fact about the machine, build or checkout, which is there already. */
void synthetic_set_fact(struct pb_facts *facts, const char *key, const char *value);

#endif
