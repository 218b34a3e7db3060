/* SPDX-License-Identifier: Apache-2.0
 *
 * A scenario for each odd name.
 */
#include "pairbench.h"

#include "deed_variant.h"
#include "odd_names.h"

static const struct pb_variant variants[] = {GOOD_VARIANT("old"), GOOD_VARIANT("new")};

#define ODD_SCENARIO(its_name)                                                                     \
    {.name = (its_name), .summary = "a | <b>summary</b> with \x1b[31m and \"quotes\""},
static const struct pb_scenario scenarios[] = {ODD_NAMES(ODD_SCENARIO)};

const struct pb_case names_case = {
    .name = "names",
    .summary = "Odd names of scenarios",
    .source = "https://example.org/?a=<b>&c=\"d\"",
    .scenarios = scenarios,
    .n_scenarios = N_ITEMS(scenarios),
    .variants = variants,
    .n_variants = N_ITEMS(variants),
};
