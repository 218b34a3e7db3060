/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash of bytes that lie in the first-level cache: a chain of multiplications, one a byte.
 */
#include "workload.h"

enum { INPUT_BYTES = 128 };

struct state {
    uint64_t hash;
    unsigned char input[INPUT_BYTES];
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
    uint64_t bits = 1;
    for (size_t i = 0; i < INPUT_BYTES; i++) {
        state->input[i] = (unsigned char)workload_bits(&bits);
    }
    state->hash = 0;
    *opened = state;
    return PAIRBENCH_OK;
}

/* source: Fowler, Noll & Vo, FNV-1a with 64 bits */
static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t hash = UINT64_C(0xcbf29ce484222325);
        for (size_t i = 0; i < INPUT_BYTES; i++) {
            hash = (hash ^ state->input[i]) * UINT64_C(0x100000001b3);
        }
        state->hash = hash;
        WORKLOAD_USED(state);
    }
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    const struct state *state = opened;
    *bytes = (struct pb_bytes){&state->hash, sizeof state->hash};
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(l1_hash_case, "workload/l1_hash", "hashes bytes in the first-level cache",
              "128_bytes", NULL, open_state, run, output, NULL);
