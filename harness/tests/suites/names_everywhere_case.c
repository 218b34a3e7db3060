/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd names of everything at once, and nothing else said.
 */
#include "pairbench.h"

#include "deed_variant.h"

static const struct pb_variant variants[] = {GOOD_VARIANT("old"),
                                             GOOD_VARIANT("va|ri\"ant\n<i>\xfe")};

static const struct pb_scenario scenarios[] = {{.name = "`sce|nario`\n\\"}};

const struct pb_case names_everywhere_case = {
    .name = "names/\"every\"|%s\n<b>\x1b[1m\xfe",
    .scenarios = scenarios,
    .n_scenarios = N_ITEMS(scenarios),
    .variants = variants,
    .n_variants = N_ITEMS(variants),
};
