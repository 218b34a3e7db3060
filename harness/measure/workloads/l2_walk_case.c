/* SPDX-License-Identifier: Apache-2.0
 *
 * A walk from line to line of 128 KiB in an order that can't be foreseen: the second-level cache.
 */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 64, NODES = 2048, STEPS = 16 };

struct node {
    uint32_t next;
    unsigned char rest_of_line[LINE_BYTES - sizeof(uint32_t)];
};

struct state {
    uint32_t at;
    uint64_t sum;
    struct node *ring;
};

/* One cycle through all nodes. source: Sattolo 1986 */
static int set_up(struct pb_env *env, const struct pb_scenario *scenario, void **shared)
{
    (void)scenario;
    struct node *ring = calloc(NODES, sizeof *ring);
    if (ring == NULL) {
        return pb_fail(env, "no memory for %d lines", NODES);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        ring[i].next = i;
    }
    uint64_t bits = 1;
    for (uint32_t i = NODES - 1; i > 0; i--) {
        const uint32_t k = (uint32_t)(workload_bits(&bits) % i);
        const uint32_t next = ring[i].next;
        ring[i].next = ring[k].next;
        ring[k].next = next;
    }
    *shared = ring;
    return PAIRBENCH_OK;
}

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **opened)
{
    (void)scenario;
    struct state *state = pb_alloc(env, sizeof *state, LINE_BYTES);
    struct node *ring = pb_alloc(env, NODES * sizeof *ring, LINE_BYTES);
    if (state == NULL || ring == NULL) {
        return PAIRBENCH_FAILED;
    }
    memcpy(ring, shared, NODES * sizeof *ring);
    *state = (struct state){.ring = ring};
    *opened = state;
    return PAIRBENCH_OK;
}

static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    const struct node *ring = state->ring;
    uint32_t at = state->at;
    for (uint64_t k = 0; k < n; k++) {
        for (int i = 0; i < STEPS; i++) {
            at = ring[at].next;
        }
        WORKLOAD_OPAQUE(at);
    }
    state->at = at;
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    struct state *state = opened;
    state->sum = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        state->at = state->ring[state->at].next;
        state->sum += (uint64_t)state->at * state->at;
    }
    *bytes = (struct pb_bytes){&state->sum, sizeof state->sum};
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(l2_walk_case, "workload/l2_walk", "walks through the second-level cache", "128_kib",
              set_up, open_state, run, output, free);
