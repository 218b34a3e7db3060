/* SPDX-License-Identifier: Apache-2.0
 *
 * Two benchmarks with one name.
 */
#include "pairbench.h"

#include "deed_variant.h"

static const struct pb_variant variants[] = {GOOD_VARIANT("old"), GOOD_VARIANT("new")};

static const struct pb_scenario scenarios[] = {
    {.name = "one"}, {.name = "twice"}, {.name = "twice"}};

const struct pb_case duplicate_case = {
    .name = "duplicate",
    .scenarios = scenarios,
    .n_scenarios = N_ITEMS(scenarios),
    .variants = variants,
    .n_variants = N_ITEMS(variants),
};
