/* SPDX-License-Identifier: Apache-2.0
 *
 * How two builds are measured and judged: what `compare` and `bisect` let the user say about it.
 */
#ifndef PB_COMMANDS_COMPARING_PLAN_H
#define PB_COMMANDS_COMPARING_PLAN_H

#include "commands/command.h"
#include "measure/measure.h"

/* For the table of options of a command. */
/* clang-format off */
#define PB_COMPARE_PLAN_OPTIONS                                                                    \
    {"margin", "N%", "smaller changes are never called one (default 0.25%)", false},               \
    {"equivalence", "N%", "unchanged is proven within this (default 1%)", false},                  \
    {"allow-different-output", NULL, "time what differs in its output, too", false},               \
    {"seed", "N", "repeat the random order, placement and layouts of a comparison", false},        \
    {"timeout", "TIME", "longest that one launch may take (default 10s)", false}
/* clang-format on */

/*
 * Reads those options; what they don't say is as usual, with a seed of its own.
 * errors: PB_ERR_USAGE
 */
enum pb_code pb_compare_parse_plan(const struct pb_args *args, struct pb_plan *plan,
                                   struct pb_error *err) PB_MUST_USE;

#endif
