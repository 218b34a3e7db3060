/* SPDX-License-Identifier: Apache-2.0
 *
 * Which benchmarks of a catalog are wanted.
 */
#ifndef PB_MEASURE_SELECTION_H
#define PB_MEASURE_SELECTION_H

#include "measure/catalog.h"

struct pb_selection {
    bool ***wanted;     /* [case][scenario][variant] of the catalog */
    size_t n_scenarios; /* with at least one wanted variant         */
};

/*
 * Chooses by shell globs on CASE/SCENARIO/VARIANT, CASE/SCENARIO and CASE; a union. Without
 * patterns everything but the scenarios that are run on request only. `old` comes along with any
 * other variant of its scenario, since it is the reference.
 * errors: PB_ERR_USAGE for a pattern that matches nothing; the message has the nearest name
 */
enum pb_code pb_selection_make(const struct pb_catalog *catalog, const char *const *patterns,
                               size_t n_patterns, struct pb_arena *arena,
                               struct pb_selection *selection, struct pb_error *err) PB_MUST_USE;

/* An empty choice, to be filled by the caller. */
struct pb_selection pb_selection_none(const struct pb_catalog *catalog, struct pb_arena *arena);

/* Whether a glob matches CASE, CASE/SCENARIO or CASE/SCENARIO/VARIANT; '*' crosses '/'. */
bool pb_name_matches(const char *pattern, const char *case_name, const char *scenario,
                     const char *variant);

/* A glob that matches just this name, whatever is in it. */
const char *pb_name_glob(struct pb_arena *arena, const char *name);

#endif
