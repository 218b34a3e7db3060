/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/layout_luck.h"

#include <math.h>

#include "measure/catalog.h"
#include "stats/rank_sum.h"
#include "stats/ratio.h"
#include "stats/summary.h"

/* How often equal builds may come to stand so far apart by chance: 2 of 70 with four layouts each.
 */
#define LUCK_LEVEL 0.03

/* Median of the rounds of a launch in one layout of a side; NaN when there is none. */
static double median_in(const struct pb_layout_launch *launch, size_t n_rounds, bool of_b,
                        unsigned layout)
{
    double values[PB_ROUNDS_MAX];
    const uint8_t *layouts = of_b ? launch->b : launch->a;
    size_t n = 0;
    for (size_t i = 0; i < n_rounds && i < PB_ROUNDS_MAX; i++) {
        if (layouts[i] == layout && isfinite(launch->d[i])) {
            values[n++] = launch->d[i];
        }
    }
    return n > 0 ? pb_median(values, n) : NAN;
}

/* Medians over launches of log(b / a), one for each layout of a side that was seen. returns: n */
static size_t layouts_of(const struct pb_layout_launch *launches, size_t n_launches,
                         size_t n_rounds, bool of_b, double *medians, double *scratch)
{
    size_t n_layouts = 0;
    for (unsigned layout = 0; layout < PB_LAYOUTS_MAX; layout++) {
        size_t n = 0;
        for (size_t k = 0; k < n_launches; k++) {
            const double median = median_in(&launches[k], n_rounds, of_b, layout);
            if (isfinite(median)) {
                scratch[n++] = median;
            }
        }
        if (n > 0) {
            medians[n_layouts++] = pb_median(scratch, n);
        }
    }
    return n_layouts;
}

bool pb_layouts_agree(const struct pb_layout_launch *launches, size_t n_launches, size_t n_rounds,
                      double estimate, struct pb_arena *arena)
{
    double a[PB_LAYOUTS_MAX];
    double b[PB_LAYOUTS_MAX];
    double *scratch = pb_arena_array(arena, n_launches, sizeof *scratch);
    const size_t n_a = layouts_of(launches, n_launches, n_rounds, false, a, scratch);
    const size_t n_b = layouts_of(launches, n_launches, n_rounds, true, b, scratch);
    if (n_a < 2 || n_b < 2) {
        return true;
    }
    unsigned against = 0;
    for (size_t i = 0; i < n_a; i++) {
        for (size_t k = 0; k < n_b; k++) {
            const double b_to_a = a[i] + b[k] - estimate;
            against += !((estimate > 0 ? b_to_a : -b_to_a) > 0);
        }
    }
    return against == 0 || pb_rank_sum_tail(against, n_a, n_b) < LUCK_LEVEL;
}
