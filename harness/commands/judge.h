/* SPDX-License-Identifier: Apache-2.0
 *
 * A run held against a baseline: the gates, one finding for every benchmark and gate.
 */
#ifndef PB_COMMANDS_JUDGE_H
#define PB_COMMANDS_JUDGE_H

#include "commands/baseline_set.h"
#include "output/finding.h"

/*
 * Judges a run and fills check->findings, ->baselines and ->note. Failed benchmarks are findings
 * whatever the baseline says; what the run was not asked for is not missing.
 */
void pb_judge_run(const struct pb_run_record *run, const struct pb_baseline_set *set,
                  struct pb_arena *arena, struct pb_check_record *check);

/*
 * Judges one finding of the ratio gate again, on a pair that was measured afresh.
 * finding: of gate `ratio`; its numbers, verdict and reason are replaced
 */
void pb_judge_again(struct pb_finding *finding, const struct pb_pair_record *fresh,
                    const struct pb_baseline_set *set, struct pb_arena *arena);

/* The gated pair of a run that a finding is about; NULL when there is none. */
const struct pb_pair_record *pb_judge_find_pair(const struct pb_run_record *run,
                                                const struct pb_finding *finding);

/* What makes a check fail; a set of bits. */
enum {
    PB_FAIL_REGRESSED = 1,
    PB_FAIL_FAILED = 2,
    PB_FAIL_MISSING = 4,
    PB_FAIL_DIFFERS = 8,
    PB_FAIL_INCOMPATIBLE = 16,
    PB_FAIL_INCONCLUSIVE = 32,
};
#define PB_FAIL_DEFAULT                                                                            \
    (PB_FAIL_REGRESSED | PB_FAIL_FAILED | PB_FAIL_MISSING | PB_FAIL_DIFFERS | PB_FAIL_INCOMPATIBLE)

/*
 * Reads a list such as `regressed,failed`; `none` fails on nothing.
 * errors: PB_ERR_USAGE with the offending word and the words there are
 */
enum pb_code pb_judge_parse_fail_on(const char *text, unsigned *fail_on,
                                    struct pb_error *err) PB_MUST_USE;

/* Exit code of a check: the first of 3, 1, 4, 5 that holds and is asked for. */
int pb_judge_exit_code(const struct pb_check_record *check, bool incompatible, unsigned fail_on);

#endif
