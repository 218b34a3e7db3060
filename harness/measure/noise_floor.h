/* SPDX-License-Identifier: Apache-2.0
 *
 * The noise floor: the smallest difference that can be told from none on this machine, now.
 *
 * One side is measured against itself, in launches that are in every respect those of a pair. What
 * interval that gives is what identical code looks like here.
 */
#ifndef PB_MEASURE_NOISE_FLOOR_H
#define PB_MEASURE_NOISE_FLOOR_H

#include "measure/measure.h"

struct pb_noise_floor {
    const char *name;   /* CASE/SCENARIO/VARIANT that was measured; NULL = none could be */
    const char *reason; /* why there is no floor; NULL = there is one                  */
    size_t n_launches;
    double wall_s;
    double estimate; /* log ratio of the side to itself; NaN without launches         */
    double lo;       /* its interval at level PB_INTERVAL_LEVEL, log                  */
    double hi;
    double floor; /* the larger of |lo| and |hi|, log; INFINITY without an interval   */
};

/*
 * Measures `old` of the first scenario of the selection that can be timed.
 * plan:   worker, seed, deadline_s; budget_s is how long, > 0
 * watch:  asked whether to stop; may be NULL
 * errors: PB_ERR_INTERRUPTED the watch stopped it; PB_ERR_SUITE, PB_ERR_CHILD, PB_ERR_IO
 */
enum pb_code pb_noise_floor_measure(const struct pb_catalog *catalog,
                                    const struct pb_selection *selection,
                                    const struct pb_plan *plan,
                                    const struct pb_measure_watch *watch, struct pb_arena *arena,
                                    struct pb_noise_floor *floor, struct pb_error *err) PB_MUST_USE;

#endif
