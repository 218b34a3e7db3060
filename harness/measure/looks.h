/* SPDX-License-Identifier: Apache-2.0
 *
 * When a scenario has been launched often enough.
 *
 * With a fixed number of launches there is one look, at the end. Otherwise the intervals are looked
 * at after 16, 24, 40, 64 and 96 launches, and the ranks of these intervals are those of an exact
 * sequential procedure, so that looking early costs nothing of their confidence.
 */
#ifndef PB_MEASURE_LOOKS_H
#define PB_MEASURE_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "stats/interval.h"
#include "stats/verdict.h"

/* Overall probability that a pair's interval misses the true ratio, at whatever look it stopped. */
#define PB_INTERVAL_LEVEL 0.01

/* A scenario is finished when the intervals of its gated pairs are this narrow, to each side: log.
 */
#define PB_HALF_WIDTH_WANTED 0.004

struct pb_looks {
    unsigned at[PB_LOOKS_MAX]; /* launches, growing */
    size_t n;
    bool fixed;                /* one look, whatever it shows */
    struct pb_margins margins; /* that a pair is judged by; the usual ones unless changed */
    /* Overall level of the interval that calls a change: larger than PB_INTERVAL_LEVEL where what
     * is called is only flagged, to be measured again, smaller where it is one of many. `unchanged`
     * is proven at PB_INTERVAL_LEVEL all the same. */
    double change_level;
};

/*
 * launches: exactly so many; 0 = adaptive
 * least:    of the adaptive looks those from so many launches on
 */
struct pb_looks pb_looks_make(uint32_t launches, uint32_t least);

/* Most launches that a scenario gets. */
uint32_t pb_looks_last(const struct pb_looks *looks);

/* Whether there is a look after n launches. */
bool pb_looks_has(const struct pb_looks *looks, uint32_t n);

/*
 * Rank of the interval after n launches, when these are looked at beside all planned looks. n need
 * not be planned: a budget may have ended a run between two.
 * errors: PB_ERR_USAGE, PB_ERR_NOMEM from pb_interval_ranks()
 */
enum pb_code pb_looks_rank(const struct pb_looks *looks, uint32_t n, unsigned *rank,
                           struct pb_error *err) PB_MUST_USE;

/* The same at another overall level than PB_INTERVAL_LEVEL. */
enum pb_code pb_looks_rank_at(const struct pb_looks *looks, double level, uint32_t n,
                              unsigned *rank, struct pb_error *err) PB_MUST_USE;

#endif
