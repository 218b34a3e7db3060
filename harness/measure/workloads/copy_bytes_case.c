/* SPDX-License-Identifier: Apache-2.0
 *
 * The C library's copy of 4 KiB.
 */
#include "workload.h"

#include <string.h>

enum { COPY_BYTES = 4096 };

struct state {
    unsigned char from[COPY_BYTES];
    unsigned char to[COPY_BYTES];
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
    for (size_t i = 0; i < COPY_BYTES; i++) {
        state->from[i] = (unsigned char)workload_bits(&bits);
    }
    memset(state->to, 0, COPY_BYTES);
    *opened = state;
    return PAIRBENCH_OK;
}

static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    for (uint64_t k = 0; k < n; k++) {
        size_t size_bytes = COPY_BYTES;
        WORKLOAD_OPAQUE(size_bytes);
        memcpy(state->to, state->from, size_bytes);
        WORKLOAD_USED(state);
    }
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    const struct state *state = opened;
    *bytes = (struct pb_bytes){state->to, COPY_BYTES};
    return PAIRBENCH_OK;
}

WORKLOAD_CASE(copy_bytes_case, "workload/copy_bytes", "copies bytes", "4_kib", NULL, open_state,
              run, output, NULL);
