/* SPDX-License-Identifier: Apache-2.0
 *
 * From flagged to confirmed: what a screen over many benchmarks flags is judged again on launches
 * that it has not seen.
 *
 * However many benchmarks are screened, and however, the probability of calling any change that is
 * none stays below PB_CONFIRM_LEVEL. Pure: records in, records out.
 */
#ifndef PB_COMMANDS_COMPARING_CONFIRM_H
#define PB_COMMANDS_COMPARING_CONFIRM_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"
#include "measure/looks.h"
#include "stats/verdict.h"

/* Level at which a screen flags; family-wise level at which what it flagged is confirmed. */
#define PB_SCREEN_LEVEL  0.05
#define PB_CONFIRM_LEVEL 0.01

/* Launches of a confirmation that looks once, as that of a check does. */
enum { PB_CONFIRM_LAUNCHES = 64 };

/*
 * Looks of a confirmation of n flagged pairs: after 24, 48, 96 and 144 launches, and a change is
 * called when it passes its share of the level.
 * why: on recorded launches of a bimodal encoder a change of 0.87 % that was flagged is confirmed
 * in 98 %, of ten at once in 94 %, after 74 and 95 launches in the mean; one of 2.2 % always, after
 * 32 and 40. (64 launches and a single look: 79 %; 96: 94 %.)
 */
struct pb_looks pb_confirm_looks(size_t n, struct pb_margins margins);

/* Whether the screen flagged a pair: it is regressed or improved. */
bool pb_is_flagged(const struct pb_pair_record *pair);

/*
 * How surprising launches are if the pair did not change by more than the gate margin in the
 * direction that was flagged: the smallest overall level at which the interval of any look lies
 * beyond the margin. With a single look that is the two-sided sign test.
 * p:      out, 1 when none does at 0.5
 * errors: PB_ERR_NOMEM, PB_ERR_USAGE from the ranks of an interval
 * cost:   about 10 ms
 */
enum pb_code pb_confirm_p(const struct pb_pair_record *fresh, enum pb_verdict flagged,
                          const struct pb_looks *looks, double *p,
                          struct pb_error *err) PB_MUST_USE;

/* Pairs that were flagged, and what became of them. */
struct pb_confirmation {
    const struct pb_pair_record *const *screen; /* n records                              */
    const struct pb_pair_record *const *fresh;  /* n records of the same pairs; one that has no
                                                   times keeps its verdict                */
    size_t n;
    struct pb_pair_record *judged; /* out: n copies of fresh with their verdicts */
    double *p;                     /* out: n adjusted p-values                   */
};

/*
 * Verdicts on flagged pairs from fresh launches, Holm's adjustment over all of them. What is not
 * confirmed is unchanged where that is proven, else inconclusive, and its reason says what the
 * screen saw.
 * looks:  those of pb_confirm_looks()
 * errors: as above
 */
enum pb_code pb_confirm_judge(const struct pb_confirmation *confirmation,
                              const struct pb_looks *looks, struct pb_arena *arena,
                              struct pb_error *err) PB_MUST_USE;

/*
 * Takes the verdict from a pair whose ratio moved while it was measured, unless it would have been
 * the same at any time: where both halves of the launches lie on the same side of the margins, a
 * drift explains nothing away.
 */
void pb_confirm_check_drift(struct pb_pair_record *pair, struct pb_margins margins,
                            struct pb_arena *arena);

#endif
