/* SPDX-License-Identifier: Apache-2.0
 *
 * A chase from line to line of 16 MiB, more than most processors have of cache for one core.
 */
#include "workload.h"

#include <stdlib.h>

enum { LINE_BYTES = 64, NODES = 1 << 18, STEPS = 4 };

struct node {
    uint32_t next;
    unsigned char rest_of_line[LINE_BYTES - sizeof(uint32_t)];
};

struct state {
    uint32_t at;
    uint64_t sum;
    const struct node *ring;
};

/*
 * One cycle through all nodes, written from front to back so that setting up takes little time.
 * source: Hull & Dobell 1962, when a linear congruential sequence has its full period
 */
static int set_up(struct pb_env *env, const struct pb_scenario *scenario, void **shared)
{
    (void)scenario;
    struct node *ring = aligned_alloc(LINE_BYTES, NODES * sizeof *ring);
    if (ring == NULL) {
        return pb_fail(env, "no memory for %d lines", NODES);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        ring[i].next = (i * 1664525u + 1013904223u) % NODES;
    }
    *shared = ring;
    return PAIRBENCH_OK;
}

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **opened)
{
    (void)scenario;
    struct state *state = pb_alloc(env, sizeof *state, LINE_BYTES);
    if (state == NULL) {
        return PAIRBENCH_FAILED;
    }
    *state = (struct state){.ring = shared};
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
        state->sum += (uint64_t)state->ring[i].next * (i + 1);
    }
    *bytes = (struct pb_bytes){&state->sum, sizeof state->sum};
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(memory_chase_case, "workload/memory_chase", "chases through memory", "16_mib", set_up,
              open_state, run, output, free);
