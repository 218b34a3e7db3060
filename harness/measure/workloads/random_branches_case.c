/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches at random, 32768 of them before they repeat: half are mispredicted.
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
    uint64_t bits = 1;
    for (size_t i = 0; i < BRANCHES_TABLE_BYTES; i++) {
        state->table[i] = (unsigned char)(workload_bits(&bits) >> 63);
    }
    *opened = state;
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(random_branches_case, "workload/random_branches", "takes branches at random",
              "32768_branches", NULL, open_state, branches_run, branches_output, NULL);
