/* SPDX-License-Identifier: Apache-2.0
 *
 * Eight chases at once from line to line of 2 MiB that are in no cache.
 *
 * Both sides chase through the same memory, since how fast a line comes depends on where it is. It
 * would stay in a shared cache: each line is flushed when it was read, where there is an
 * instruction for it.
 */
#include "workload.h"

enum { LINE_BYTES = 64, PAGE_BYTES = 4096, NODES = 1 << 15, CHASES = 8 };

struct node {
    uint32_t next;
    unsigned char rest_of_line[LINE_BYTES - sizeof(uint32_t)];
};

struct state {
    uint32_t at;
    uint64_t sum;
    struct node *ring;
};

/* One cycle through all nodes. source: Hull & Dobell 1962, when a linear congruential sequence has
 * its full period */
static uint32_t successor(uint32_t i)
{
    return (i * 1664525u + 1013904223u) % NODES;
}

static inline void flush(const struct node *line)
{
#ifdef __SSE2__
    __builtin_ia32_clflush(line);
#else
    (void)line;
#endif
}

/* The arena still holds the ring of the last time, as a rule. */
static void write_ring(struct node *ring)
{
    if (ring[0].next == successor(0) && ring[NODES - 1].next == successor(NODES - 1)) {
        return;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        ring[i].next = successor(i);
        flush(&ring[i]);
    }
}

/* Each time it begins elsewhere. */
static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **opened)
{
    static uint64_t beginnings = 1;
    (void)scenario;
    (void)shared;
    struct node *ring = pb_alloc(env, NODES * sizeof *ring, PAGE_BYTES);
    struct state *state = pb_alloc(env, sizeof *state, LINE_BYTES);
    if (state == NULL || ring == NULL) {
        return PAIRBENCH_FAILED;
    }
    write_ring(ring);
    *state = (struct state){.ring = ring, .at = (uint32_t)(workload_bits(&beginnings) % NODES)};
    *opened = state;
    return PAIRBENCH_OK;
}

static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    const struct node *ring = state->ring;
    uint32_t at[CHASES];
    for (uint32_t i = 0; i < CHASES; i++) {
        at[i] = (state->at + i * (NODES / CHASES)) % NODES;
    }
    for (uint64_t k = 0; k < n; k++) {
        for (int i = 0; i < CHASES; i++) {
            const struct node *line = &ring[at[i]];
            at[i] = line->next;
            flush(line);
        }
        WORKLOAD_OPAQUE(at[0]);
    }
    state->at = at[0];
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

WORKLOAD_CASE(memory_chase_case, "workload/memory_chase", "chases through memory", "2_mib", NULL,
              open_state, run, output, NULL);
