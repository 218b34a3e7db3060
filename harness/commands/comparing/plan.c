/* SPDX-License-Identifier: Apache-2.0
 *
 * Margins are percentages on the command line and ratios from there on.
 */
#include "commands/comparing/plan.h"

#include <stdio.h>

#include "commands/bench.h"

static enum pb_code parse_pct(const struct pb_args *args, const char *name, double most,
                              double *ratio, struct pb_error *err)
{
    double pct = 100 * *ratio;
    enum pb_code code = PB_OK;
    if (pb_args_has(args, name)) {
        char option[32];
        snprintf(option, sizeof option, "--%s", name);
        code = pb_parse_pct(option, pb_args_value(args, name), 0, most, &pct, err);
    }
    *ratio = pct / 100;
    return code;
}

static enum pb_code parse_margins(const struct pb_args *args, struct pb_margins *margins,
                                  struct pb_error *err)
{
    *margins = (struct pb_margins){PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN};
    enum pb_code code = parse_pct(args, "margin", 100, &margins->gate, err);
    if (code == PB_OK) {
        code = parse_pct(args, "equivalence", 100, &margins->equivalence, err);
    }
    if (code == PB_OK && !(margins->equivalence > 0)) {
        return pb_error_set(err, PB_ERR_USAGE, "--equivalence '%s': more than 0%% is wanted",
                            pb_args_value(args, "equivalence"));
    }
    return code;
}

enum pb_code pb_compare_parse_plan(const struct pb_args *args, struct pb_plan *plan,
                                   struct pb_error *err)
{
    *plan = (struct pb_plan){
        .seed = pb_bench_random_seed(),
        .deadline_s = PB_DEADLINE_S,
        .allows_different_output = pb_args_has(args, "allow-different-output"),
    };
    enum pb_code code = parse_margins(args, &plan->margins, err);
    if (code == PB_OK && pb_args_has(args, "seed")) {
        code =
            pb_parse_count("--seed", pb_args_value(args, "seed"), 0, UINT64_MAX, &plan->seed, err);
    }
    if (code == PB_OK && pb_args_has(args, "timeout")) {
        code =
            pb_parse_duration("--timeout", pb_args_value(args, "timeout"), &plan->deadline_s, err);
    }
    return code;
}
