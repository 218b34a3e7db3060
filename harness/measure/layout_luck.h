/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a change between two builds could be the luck of where their code lies.
 *
 * Some code is 1 or 2 percent faster in one layout than in another, in every launch. A build that
 * is seen in a handful of layouts only keeps some of that luck, however many launches there are. So
 * a change must show among the layouts, too: those of one build must rank above those of the other.
 */
#ifndef PB_MEASURE_LAYOUT_LUCK_H
#define PB_MEASURE_LAYOUT_LUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* One launch, round by round. */
struct pb_layout_launch {
    const double *d;  /* log(b / a); NaN where a round has none */
    const uint8_t *a; /* layout that a ran in, below PB_LAYOUTS_MAX */
    const uint8_t *b;
};

/*
 * A layout's time, beside the middle of the other side, is the median over launches of the medians
 * of its rounds.
 * estimate: log(b / a) of all launches, the change in question
 * returns:  whether so few layouts of the slower side are faster than one of the other that chance
 *           would do that in less than 3 %, by the exact rank-sum test; with less than four layouts
 *           on each side, none. true, too, where a side has one layout only: nothing can be said.
 */
bool pb_layouts_agree(const struct pb_layout_launch *launches, size_t n_launches, size_t n_rounds,
                      double estimate, struct pb_arena *arena);

#endif
