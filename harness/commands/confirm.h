/* SPDX-License-Identifier: Apache-2.0
 *
 * From flagged to confirmed: what a screen over many benchmarks flags is judged again on launches
 * that it has not seen.
 *
 * However many benchmarks are screened, and however, the probability of calling any change that is
 * none stays below PB_CONFIRM_LEVEL. Pure: records in, records out.
 */
#ifndef PB_COMMANDS_CONFIRM_H
#define PB_COMMANDS_CONFIRM_H

#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "stats/verdict.h"

/* Level at which a screen flags; family-wise level at which what it flagged is confirmed. */
#define PB_SCREEN_LEVEL  0.05
#define PB_CONFIRM_LEVEL 0.01

/*
 * Launches of a confirmation. All are done: a p-value looked at only once needs no correction. With
 * one benchmark 43 of 64 must lie beyond the margin, with a hundred 48.
 */
enum { PB_CONFIRM_LAUNCHES = 64 };

/* Whether the screen flagged a pair: it is regressed or improved. */
bool pb_is_flagged(const struct pb_pair_record *pair);

/*
 * How surprising launches are if the pair did not change by more than the gate margin in the
 * direction that was flagged: the sign test on d_k beyond the margin.
 * returns: 1 when fewer than half are beyond it
 */
double pb_confirm_p(const struct pb_pair_record *fresh, enum pb_verdict flagged,
                    struct pb_margins margins);

/*
 * Verdicts on n flagged pairs from fresh launches, Holm's adjustment over all of them. What is not
 * confirmed is unchanged where that is proven, else inconclusive, and its reason says what the
 * screen saw.
 * screen, fresh: n records each, of the same pairs; a fresh one that has no times keeps its verdict
 * judged: out, n copies of fresh with their verdicts
 * p: out, n adjusted p-values
 */
void pb_confirm_judge(const struct pb_pair_record *const *screen,
                      const struct pb_pair_record *const *fresh, size_t n,
                      struct pb_margins margins, struct pb_arena *arena,
                      struct pb_pair_record *judged, double *p);

/* Takes the verdict from a pair whose ratio moved while it was measured. */
void pb_confirm_check_drift(struct pb_pair_record *pair, struct pb_arena *arena);

#endif
