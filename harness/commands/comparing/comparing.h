/* SPDX-License-Identifier: Apache-2.0
 *
 * Two builds measured against each other: a screen over all benchmarks, a confirmation of what it
 * flagged on fresh launches in other layouts, and the production objects beside them.
 */
#ifndef PB_COMMANDS_COMPARING_COMPARING_H
#define PB_COMMANDS_COMPARING_COMPARING_H

#include "commands/command.h"
#include "measure/measure.h"
#include "output/comparison.h"

/* Which benchmarks are measured in the production objects, too. */
enum pb_as_built {
    PB_AS_BUILT_CHANGED, /* those that changed, or may have */
    PB_AS_BUILT_ALL,
    PB_AS_BUILT_NONE,
};

struct pb_comparing {
    const struct pb_catalog *base;
    const struct pb_catalog *head;
    const char *const *patterns; /* globs; without any everything but what is on request, bounds and
                                    third parties */
    size_t n_patterns;
    uint32_t layouts;    /* shuffled ones in a stage; the others are for the confirmation */
    struct pb_plan plan; /* margins, seed, budget, injections; the stages are decided here */
    bool screen_only;    /* what is flagged is not measured again: for steps of a bisection */
    bool times_identical;
    enum pb_as_built as_built;
};

/* Whether nothing will be timed, since both sides are one program and that was not asked for. */
bool pb_compare_is_idle(const struct pb_comparing *comparing);

/*
 * Measures and judges. Fills comparison->run, ->items, ->control, ->margins, ->wall_s and the
 * numbers of layouts; the sides are the caller's.
 * errors: PB_ERR_USAGE a pattern or an injection that matches nothing on either side; as
 *         pb_measure_builds()
 */
enum pb_code pb_compare_builds(const struct pb_context *context,
                               const struct pb_comparing *comparing,
                               struct pb_comparison *comparison, struct pb_error *err) PB_MUST_USE;

#endif
