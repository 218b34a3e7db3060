/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches that never took place: series of log ratios from distributions that break methods.
 */
#ifndef PB_STATS_SIMULATE_H
#define PB_STATS_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/random.h"

/* Standard normal. source: Box & Muller 1958 */
double pb_simulate_normal(struct pb_random *random);

/* A source of launches, symmetric about the true value. */
struct pb_simulation {
    const char *name;
    const char *summary;
    bool independent; /* launches don't depend on each other: what is computed holds exactly */
    /* d: out, n log ratios about 0 */
    void (*fill)(struct pb_random *random, double *d, size_t n);
};

/*
 * All of them: Gaussian; Student's t with three degrees of freedom; one launch in twenty disturbed
 * by up to 100 %; a third of the launches in a mode 5 % away; a first-order autoregression of 0.3;
 * a drift of 4 % from the first launch to the last.
 */
const struct pb_simulation *pb_simulations_all(size_t *n);

#endif
