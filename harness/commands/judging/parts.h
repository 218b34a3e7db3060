/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the judge share; nobody else includes this.
 */
#ifndef PB_COMMANDS_JUDGING_PARTS_H
#define PB_COMMANDS_JUDGING_PARTS_H

#include "commands/judging/judge.h"

#define PB_GATE_RATIO    "ratio"
#define PB_GATE_COUNTS   "counts"
#define PB_GATE_ABSOLUTE "absolute"
#define PB_GATE_STATE    "state" /* not a gate: what a benchmark could not be judged for */

/* What a finding is called that is about no benchmark. */
#define PB_JUDGED_RUN "(the run)"

#define PB_JUDGED_NOT_YET "not in the baseline yet"

struct pb_judge {
    const struct pb_run_record *run;
    const struct pb_baseline_set *set;
    const struct pb_past *past;
    struct pb_arena *arena;
    struct pb_check_record *check;
    size_t capacity; /* of the findings */
};

/* Adds a finding without numbers. returns: valid until the next one is added */
struct pb_finding *pb_judge_add(struct pb_judge *judge, const char *name, const char *gate,
                                const char *metric, enum pb_verdict verdict);

/* Bounds and third parties are shown, not judged; nor is what failed or was skipped. */
bool pb_judge_is_judged(const struct pb_benchmark_record *benchmark);

/* Whether the run was asked for a benchmark. name: whole; what has no three parts was */
bool pb_judge_was_asked_for(const struct pb_judge *judge, const char *name);

/* Adds the findings of the gate on counts, and of what is new among them. */
void pb_judge_counts(struct pb_judge *judge);

/* Adds the findings on instructions; whether they fail depends on ratios and is decided later. */
void pb_judge_instructions(struct pb_judge *judge);

/*
 * τ of a pair: from the runs before this one on machines and builds of its class.
 * *n_runs: how many that were; 0 when there were too few, and the assumed spread is returned
 * returns: log
 */
double pb_judge_spread(const struct pb_judge *judge, const struct pb_baseline_ratio *ratio,
                       size_t *n_runs);

/* Adds the findings of the gate on absolute times. */
void pb_judge_absolute(struct pb_judge *judge);

/* Marks a finding that regressed as waived, or says why its waiver does not help it. */
void pb_judge_waive(const struct pb_judge *judge, struct pb_finding *finding);

#endif
