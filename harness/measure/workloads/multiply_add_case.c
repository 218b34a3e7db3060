/* SPDX-License-Identifier: Apache-2.0
 *
 * A multiplication and an addition for each of many floats: what compilers make vector code of.
 */
#include "workload.h"

enum { VALUES = 1024 };

struct state {
    float factor;
    float x[VALUES];
    float y[VALUES];
    float sums[VALUES];
};

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **opened)
{
    (void)scenario;
    (void)shared;
    struct state *state = pb_alloc(env, sizeof *state, 64);
    if (state == NULL) {
        return PAIRBENCH_FAILED;
    }
    state->factor = 0.75f;
    for (size_t i = 0; i < VALUES; i++) {
        state->x[i] = (float)i;
        state->y[i] = (float)(VALUES - i);
        state->sums[i] = 0;
    }
    *opened = state;
    return PAIRBENCH_OK;
}

static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    for (uint64_t k = 0; k < n; k++) {
        const float factor = state->factor;
        for (size_t i = 0; i < VALUES; i++) {
            state->sums[i] = factor * state->x[i] + state->y[i];
        }
        WORKLOAD_USED(state);
    }
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    const struct state *state = opened;
    *bytes = (struct pb_bytes){state->sums, sizeof state->sums};
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(multiply_add_case, "workload/multiply_add", "multiplies and adds floats",
              "1024_floats", NULL, open_state, run, output, NULL);
