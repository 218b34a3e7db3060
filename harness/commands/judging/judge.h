/* SPDX-License-Identifier: Apache-2.0
 *
 * A run held against a baseline, and against the runs before it: the gates, one finding for every
 * benchmark and gate. Pure: records in, findings out.
 */
#ifndef PB_COMMANDS_JUDGING_JUDGE_H
#define PB_COMMANDS_JUDGING_JUDGE_H

#include "commands/judging/baseline_set.h"
#include "output/finding.h"
#include "store/store.h"

/* What the store knows of other runs; zeroed it knows nothing. */
struct pb_past {
    struct pb_history_point *pairs; /* of all runs, as pb_store_load_history() sorts them */
    size_t n_pairs;
    struct pb_time_point *times; /* of earlier runs on this machine, in order of time */
    size_t n_times;
};

/* What a run is judged by. All names must be present ones. */
struct pb_judge_spec {
    const struct pb_run_record *run;
    const struct pb_baseline_set *set;
    const struct pb_past *past; /* NULL = don't judge by other runs */
};

/*
 * Reads what is needed to judge a run.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_past_load(struct pb_store *store, const struct pb_run_record *run,
                          struct pb_arena *arena, struct pb_past *past,
                          struct pb_error *err) PB_MUST_USE;

/* Brings all names in it up to date. */
void pb_past_update(struct pb_past *past, const struct pb_aliases *aliases, struct pb_arena *arena);

/*
 * Judges a run and fills check->findings, ->baselines and ->note. Failed benchmarks are findings
 * whatever the baseline says; what the run was not asked for is not missing.
 */
void pb_judge_run(const struct pb_judge_spec *spec, struct pb_arena *arena,
                  struct pb_check_record *check);

/* Whether a finding is of a ratio that regressed and is not waived: worth a second look. */
bool pb_judge_is_flagged(const struct pb_finding *finding);

/* Says of all that is flagged why it was not measured again; it stays flagged. reason: is copied */
void pb_judge_leave_unconfirmed(struct pb_check_record *check, const char *reason,
                                struct pb_arena *arena);

/*
 * Judges again what is flagged, from launches that the first look has not seen: confirmed is what
 * the sign test says is beyond the baseline, its uncertainty and the gate's margin, by Holm's
 * procedure over all that was flagged. So the probability that any of it is called regressed though
 * none is stays below PB_CONFIRM_LEVEL, however many were looked at first.
 * fresh: a run of at least the flagged pairs; what it has no times of stays flagged, and says so
 */
void pb_judge_confirm(const struct pb_judge_spec *spec, const struct pb_run_record *fresh,
                      struct pb_arena *arena, struct pb_check_record *check);

/* What makes a check fail; a set of bits. */
enum {
    PB_FAIL_REGRESSED = 1,
    PB_FAIL_FAILED = 2,
    PB_FAIL_MISSING = 4,
    PB_FAIL_DIFFERS = 8,
    PB_FAIL_INCOMPATIBLE = 16,
    PB_FAIL_INCONCLUSIVE = 32,
    PB_FAIL_WARNINGS = 64, /* regressions that are warnings otherwise */
};
#define PB_FAIL_DEFAULT                                                                            \
    (PB_FAIL_REGRESSED | PB_FAIL_FAILED | PB_FAIL_MISSING | PB_FAIL_DIFFERS | PB_FAIL_INCOMPATIBLE)

/*
 * Reads a list such as `regressed,failed`; `none` fails on nothing.
 * errors: PB_ERR_USAGE with the offending word and the words there are
 */
enum pb_code pb_judge_parse_fail_on(const char *text, unsigned *fail_on,
                                    struct pb_error *err) PB_MUST_USE;

/*
 * Says which findings fail the check, and fills check->exit_code: the first of 3, 1, 4, 5 that
 * holds and is asked for.
 */
void pb_judge_conclude(struct pb_check_record *check, unsigned fail_on);

#endif
