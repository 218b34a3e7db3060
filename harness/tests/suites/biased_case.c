/* SPDX-License-Identifier: Apache-2.0
 *
 * Something that favours a side, as a harness must not: of the same code the one whose environment
 * lies lower is twice as fast.
 */
#include "pairbench.h"

struct state {
    const struct pb_env *env;
    uint64_t value;
};

static const struct pb_env *lowest;

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **state)
{
    (void)scenario;
    (void)shared;
    struct state *opened = pb_alloc(env, sizeof *opened, 64);
    if (opened == NULL) {
        return PAIRBENCH_FAILED;
    }
    lowest = lowest == NULL || env < lowest ? env : lowest;
    *opened = (struct state){.env = env};
    *state = opened;
    return PAIRBENCH_OK;
}

static int run(void *opened, uint64_t n)
{
    enum { STEPS = 40 };
    struct state *state = opened;
    const unsigned steps = state->env == lowest ? STEPS : 2 * STEPS;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t value = k;
        for (unsigned i = 0; i < steps; i++) {
            value = (value ^ (value >> 29)) * UINT64_C(0xbf58476d1ce4e5b9) + 1;
            __asm__ volatile("" : "+r"(value));
        }
    }
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    struct state *state = opened;
    *bytes = (struct pb_bytes){&state->value, sizeof state->value};
    return PAIRBENCH_OK;
}

static const struct pb_scenario scenarios[] = {{.name = "sides"}};

static const struct pb_variant variants[] = {
    {.name = "old", .open = open_state, .run = run, .output = output},
    {.name = "new", .open = open_state, .run = run, .output = output},
};

const struct pb_case biased_case = {
    .name = "biased/turn",
    .summary = "favours one side",
    .scenarios = scenarios,
    .n_scenarios = 1,
    .variants = variants,
    .n_variants = 2,
};
