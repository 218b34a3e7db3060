/* SPDX-License-Identifier: Apache-2.0
 *
 * What `run` and `check` share: the way from the command line to a measured run.
 */
#ifndef PB_COMMANDS_BENCH_H
#define PB_COMMANDS_BENCH_H

#include "base/record.h"
#include "commands/command.h"
#include "measure/measure.h"

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

/* A seed from the system's random numbers. */
uint64_t pb_bench_random_seed(void);

#endif
