/* SPDX-License-Identifier: Apache-2.0
 *
 * A branch for every byte of a table, which is what the two branching workloads do; they differ in
 * the table alone. Everything here is static: each of them has its own copy.
 */
#ifndef PB_WORKLOAD_BRANCHES_H
#define PB_WORKLOAD_BRANCHES_H

#include <stdlib.h>
#include <string.h>

#include "workload.h"

enum { BRANCHES_TABLE_BYTES = 32768, BRANCHES_STEPS = 32 };

struct branches {
    uint32_t at;
    uint64_t sum;
    unsigned char table[BRANCHES_TABLE_BYTES];
};

/* Follows the table from `at` on. returns: a number that depends on every way taken */
static inline uint64_t branches_follow(const unsigned char *table, uint32_t at, uint32_t steps)
{
    uint64_t sum = 1;
    for (uint32_t i = 0; i < steps; i++) {
        if (table[(at + i) % BRANCHES_TABLE_BYTES] & 1) {
            sum = sum * 5;
            WORKLOAD_OPAQUE(sum); /* keeps it a branch */
        } else {
            sum = sum + 3;
            WORKLOAD_OPAQUE(sum);
        }
    }
    return sum;
}

static int branches_run(void *opened, uint64_t n)
{
    struct branches *state = opened;
    uint32_t at = state->at;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t sum = branches_follow(state->table, at, BRANCHES_STEPS);
        WORKLOAD_USED(sum);
        at = (at + BRANCHES_STEPS) % BRANCHES_TABLE_BYTES;
    }
    state->at = at;
    return PAIRBENCH_OK;
}

static int branches_output(void *opened, struct pb_bytes *bytes)
{
    struct branches *state = opened;
    state->sum = branches_follow(state->table, 0, BRANCHES_TABLE_BYTES);
    *bytes = (struct pb_bytes){&state->sum, sizeof state->sum};
    return PAIRBENCH_OK;
}

/* Room for a table, which teardown frees; NULL when there is none. */
static inline unsigned char *branches_alloc(struct pb_env *env)
{
    unsigned char *table = malloc(BRANCHES_TABLE_BYTES);
    if (table == NULL) {
        pb_fail(env, "no memory for %d branches", BRANCHES_TABLE_BYTES);
    }
    return table;
}

/* Begins at the start of a copy of the table that setup made. */
static int branches_open(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                         void **opened)
{
    (void)scenario;
    struct branches *state = pb_alloc(env, sizeof *state, 64);
    if (state == NULL) {
        return PAIRBENCH_FAILED;
    }
    state->at = 0;
    state->sum = 0;
    memcpy(state->table, shared, BRANCHES_TABLE_BYTES);
    *opened = state;
    return PAIRBENCH_OK;
}

#endif
