/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches with a short period, which every predictor learns.
 */
#include "branches.h"

static int set_up(struct pb_env *env, const struct pb_scenario *scenario, void **shared)
{
    (void)scenario;
    unsigned char *table = branches_alloc(env);
    if (table == NULL) {
        return PAIRBENCH_FAILED;
    }
    static const unsigned char period[] = {1, 1, 0, 1, 0, 0, 1, 0};
    for (size_t i = 0; i < BRANCHES_TABLE_BYTES; i++) {
        table[i] = period[i % sizeof period];
    }
    *shared = table;
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(learnable_branches_case, "workload/learnable_branches", "takes branches that repeat",
              "period_8", set_up, branches_open, branches_run, branches_output, free);
