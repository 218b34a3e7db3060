/* SPDX-License-Identifier: Apache-2.0
 *
 * new does a bad deed, another in each scenario; old and bystander are innocent.
 */
#include "pairbench.h"

#include "deed_variant.h"
#include "deeds.h"

static const struct pb_variant variants[] = {
    GOOD_VARIANT("old"),
    BAD_VARIANT("new"),
    GOOD_VARIANT("bystander"),
};

#define SCENARIO(deed, its_summary)                                                                \
    {.name = #deed, .summary = (its_summary), .input = &deeds[DEED_##deed]},
static const struct pb_scenario scenarios[] = {DEEDS(SCENARIO)};

const struct pb_case hostile_new_case = {
    .name = "hostile/new_does_it",
    .summary = "new does a bad deed",
    .source = "made up for tests",
    .scenarios = scenarios,
    .n_scenarios = N_ITEMS(scenarios),
    .variants = variants,
    .n_variants = N_ITEMS(variants),
};
