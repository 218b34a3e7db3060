/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run`, `check` and `compare` share: the way from the command line to a measured run.
 */
#ifndef PB_COMMANDS_BENCH_H
#define PB_COMMANDS_BENCH_H

#include "base/record.h"
#include "commands/command.h"
#include "measure/measure.h"

/* Of a run that nobody gave a budget or a number of launches, s. */
#define PB_RUN_BUDGET_S 120.0

/*
 * Reads the tables of the suites of the context.
 * errors: PB_ERR_USAGE there is no suite; PB_ERR_SUITE
 */
enum pb_code pb_bench_load(const struct pb_context *context, struct pb_catalog *catalog,
                           struct pb_error *err) PB_MUST_USE;

/*
 * Fills in what is known before anything is measured: id, time, seed, facts on machine, build and
 * checkout.
 */
void pb_bench_describe(const struct pb_context *context, const struct pb_catalog *catalog,
                       struct pb_run_record *run);

/*
 * Measures with progress on the terminal.
 * errors: as pb_measure()
 */
enum pb_code pb_bench_measure(const struct pb_context *context, const struct pb_catalog *catalog,
                              const struct pb_selection *selection, const struct pb_plan *plan,
                              struct pb_run_record *run, struct pb_error *err) PB_MUST_USE;

/* The same for two builds. errors: as pb_measure_builds() */
enum pb_code pb_bench_measure_builds(const struct pb_context *context,
                                     const struct pb_builds *builds, const struct pb_plan *plan,
                                     struct pb_run_record *run, struct pb_error *err) PB_MUST_USE;

/*
 * Reads the values of a command's option --inject into the plan.
 * errors: PB_ERR_USAGE with the offending text
 */
enum pb_code pb_bench_parse_injections(const struct pb_args *args, struct pb_arena *arena,
                                       struct pb_plan *plan, struct pb_error *err) PB_MUST_USE;

/* A seed from the system's random numbers. */
uint64_t pb_bench_random_seed(void);

#endif
