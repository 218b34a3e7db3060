/* SPDX-License-Identifier: Apache-2.0
 *
 * Beside names_dash_case.c: file names of the two must not collide.
 */
#include "pairbench.h"

#include "deed_variant.h"

static const struct pb_variant variants[] = {GOOD_VARIANT("old"), GOOD_VARIANT("new")};

static const struct pb_scenario scenarios[] = {{.name = "s"}};

const struct pb_case names_slash_case = {
    .name = "names/a/b",
    .scenarios = scenarios,
    .n_scenarios = N_ITEMS(scenarios),
    .variants = variants,
    .n_variants = N_ITEMS(variants),
};
