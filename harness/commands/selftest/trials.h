/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of a self-test that needs time and a quiet machine: trials, until there are enough of
 * each cell or the budget is used up.
 */
#ifndef PB_COMMANDS_SELFTEST_TRIALS_H
#define PB_COMMANDS_SELFTEST_TRIALS_H

#include "commands/command.h"
#include "commands/selftest/samples.h"

struct pb_trials_plan {
    bool quick;      /* a few trials of each cell: a smoke test */
    double budget_s; /* of this sitting */
};

/*
 * Adds trials to a log. The cell that is furthest from its number of trials comes next, so that a
 * budget that is too small costs all of them alike.
 * stopped: out, why there are no more; of static storage
 * build:   out, facts on the suites that were measured
 * errors:  PB_ERR_INTERRUPTED; PB_ERR_IO; PB_ERR_SUITE; PB_ERR_CHILD when several batches in a row
 *          fail. What was in the log by then stays.
 */
enum pb_code pb_trials_run(const struct pb_context *context, const struct pb_trials_plan *plan,
                           struct pb_trial_log *log, struct pb_facts *build, const char **stopped,
                           struct pb_error *err) PB_MUST_USE;

#endif
