/* SPDX-License-Identifier: Apache-2.0
 *
 * Branches at random, 32768 of them before they repeat: half are mispredicted.
 */
#include "branches.h"

static int set_up(struct pb_env *env, const struct pb_scenario *scenario, void **shared)
{
    (void)scenario;
    unsigned char *table = branches_alloc(env);
    if (table == NULL) {
        return PAIRBENCH_FAILED;
    }
    uint64_t bits = 1;
    for (size_t i = 0; i < BRANCHES_TABLE_BYTES; i++) {
        table[i] = (unsigned char)(workload_bits(&bits) >> 63);
    }
    *shared = table;
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(random_branches_case, "workload/random_branches", "takes branches at random",
              "32768_branches", set_up, branches_open, branches_run, branches_output, free);
