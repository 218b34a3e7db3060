/* SPDX-License-Identifier: Apache-2.0
 *
 * Which revision to ask next: bisection of a line of revisions of which some can't be asked.
 *
 * Pure: it knows numbers of revisions and answers, and neither git nor clock.
 */
#ifndef PB_COMMANDS_COMPARING_BISECTION_H
#define PB_COMMANDS_COMPARING_BISECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum pb_bisect_answer {
    PB_BISECT_GOOD,    /* the change is not in it                           */
    PB_BISECT_BAD,     /* the change is in it                               */
    PB_BISECT_SKIPPED, /* it does not build, or can't be told               */
};

struct pb_bisection {
    size_t from; /* the first bad revision is one of from..to, both included */
    size_t to;
    bool *skipped; /* per revision */
};

/*
 * Begins with n revisions, the oldest first, of which the last is known to be bad and the one
 * before the first to be good.
 * n: at least 1
 */
void pb_bisection_init(struct pb_bisection *bisection, size_t n, struct pb_arena *arena);

/*
 * The revision to ask next: of those that halve what is left the nearest that was not skipped.
 * returns: false when there is none: the answer is from..to, a single revision unless all before it
 *          were skipped
 */
bool pb_bisection_next(const struct pb_bisection *bisection, size_t *index);

/* Takes the answer on a revision. */
void pb_bisection_take(struct pb_bisection *bisection, size_t index, enum pb_bisect_answer answer);

/* How many more revisions will be asked at most, if none is skipped. */
size_t pb_bisection_left(const struct pb_bisection *bisection);

#endif
