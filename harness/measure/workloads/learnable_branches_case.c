/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches with a short period, which every predictor learns.
 */
#include "branches.h"

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **opened)
{
    (void)scenario;
    (void)shared;
    struct branches *state = branches_alloc(env);
    if (state == NULL) {
        return PAIRBENCH_FAILED;
    }
    static const unsigned char period[] = {1, 1, 0, 1, 0, 0, 1, 0};
    for (size_t i = 0; i < BRANCHES_TABLE_BYTES; i++) {
        state->table[i] = period[i % sizeof period];
    }
    *opened = state;
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(learnable_branches_case, "workload/learnable_branches", "takes branches that repeat",
              "period_8", NULL, open_state, branches_run, branches_output, NULL);
