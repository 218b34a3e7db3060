/* SPDX-License-Identifier: Apache-2.0
 *
 * A body of about five nanoseconds: five multiplications in a chain, each operation waiting for the
 * one before, since otherwise a processor would work on several at once.
 */
#include "workload.h"

struct state {
    uint64_t input;
    uint64_t zero; /* 0, which the compiler does not know */
    uint64_t product;
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
    *state = (struct state){.input = UINT64_C(0x123456789abcdef1)};
    *opened = state;
    return PAIRBENCH_OK;
}

static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    uint64_t zero = state->zero;
    WORKLOAD_OPAQUE(zero);
    uint64_t x = 0;
    for (uint64_t k = 0; k < n; k++) {
        x = state->input | (x & zero);
        for (int i = 0; i < 5; i++) {
            x *= UINT64_C(0x9e3779b97f4a7c15);
            WORKLOAD_OPAQUE(x);
        }
    }
    state->product = x;
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    const struct state *state = opened;
    *bytes = (struct pb_bytes){&state->product, sizeof state->product};
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(five_ns_case, "workload/five_ns", "multiplies five times in a chain", "5_products",
              NULL, open_state, run, output, NULL);
