/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of several sizes, allocated and freed in another order.
 */
#include "workload.h"

#include <stdlib.h>

struct state {
    uint64_t n_blocks; /* of the last operation */
};

static const size_t sizes_bytes[] = {24, 200, 64, 480};
static const unsigned char free_order[] = {2, 0, 3, 1};
enum { BLOCKS = sizeof sizes_bytes / sizeof sizes_bytes[0] };

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **opened)
{
    (void)scenario;
    (void)shared;
    struct state *state = pb_alloc(env, sizeof *state, 64);
    if (state == NULL) {
        return PAIRBENCH_FAILED;
    }
    state->n_blocks = 0;
    *opened = state;
    return PAIRBENCH_OK;
}

static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    for (uint64_t k = 0; k < n; k++) {
        void *blocks[BLOCKS];
        state->n_blocks = 0;
        for (size_t i = 0; i < BLOCKS; i++) {
            blocks[i] = malloc(sizes_bytes[i]);
            WORKLOAD_OPAQUE(blocks[i]);
            state->n_blocks += blocks[i] != NULL;
        }
        for (size_t i = 0; i < BLOCKS; i++) {
            free(blocks[free_order[i]]);
        }
    }
    return state->n_blocks == BLOCKS ? PAIRBENCH_OK : PAIRBENCH_FAILED;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    const struct state *state = opened;
    *bytes = (struct pb_bytes){&state->n_blocks, sizeof state->n_blocks};
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(malloc_free_case, "workload/malloc_free", "allocates and frees", "4_blocks", NULL,
              open_state, run, output, NULL);
