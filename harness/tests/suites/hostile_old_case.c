/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference itself does a bad deed, which concerns all that are compared with it.
 */
#include "pairbench.h"

#include "deed_variant.h"
#include "deeds.h"

static const struct pb_variant variants[] = {
    BAD_VARIANT("old"),
    GOOD_VARIANT("new"),
    GOOD_VARIANT("bystander"),
};

static const struct pb_scenario scenarios[] = {
    {.name = "crashes", .summary = "writes to address 8", .input = &deeds[DEED_crashes]},
    {.name = "is_unsteady", .summary = "other output later", .input = &deeds[DEED_is_unsteady]},
    {.name = "skips", .summary = "pb_skip()", .input = &deeds[DEED_skips]},
};

const struct pb_case hostile_old_case = {
    .name = "hostile/old_does_it",
    .summary = "old does a bad deed",
    .source = "made up for tests",
    .scenarios = scenarios,
    .n_scenarios = N_ITEMS(scenarios),
    .variants = variants,
    .n_variants = N_ITEMS(variants),
};
