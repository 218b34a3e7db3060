/* SPDX-License-Identifier: Apache-2.0
 *
 * Two stored runs held against each other: exact counts and, on one machine, paired ratios. Nothing
 * is measured, and absolute times, which drift from process to process, are left out.
 */
#ifndef PB_COMMANDS_COMPARING_RUNS_H
#define PB_COMMANDS_COMPARING_RUNS_H

#include "commands/command.h"
#include "commands/judging/judge.h"

/* Whether an operand can only be a run: at least the first nine characters of a UUID. */
bool pb_is_run_id(const char *operand);

/*
 * Loads both runs and judges head against base.
 * run: out, that of head
 * errors: PB_ERR_NOT_FOUND no such run; PB_ERR_STORE
 */
enum pb_code pb_compare_runs(const struct pb_context *context, const char *base_id,
                             const char *head_id, struct pb_run_record *run,
                             struct pb_check_record *check, struct pb_error *err) PB_MUST_USE;

#endif
