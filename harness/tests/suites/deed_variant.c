/* SPDX-License-Identifier: Apache-2.0
 *
 * A variant that fills 64 bytes and does a deed besides, at the place that the deed names.
 */
#include "deed_variant.h"

#include "deeds.h"

static int open_with(struct pb_env *env, const struct deed *deed, void **opened)
{
    struct deed_state *state = pb_alloc(env, sizeof *state, 0);
    if (state == NULL) {
        return PAIRBENCH_FAILED;
    }
    *state = (struct deed_state){.env = env, .deed = deed, .n_bytes = DEED_BYTES};
    *opened = state;
    return deed->open != NULL ? deed->open(env, state) : PAIRBENCH_OK;
}

int deed_open_good(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                   void **opened)
{
    (void)scenario;
    (void)shared;
    return open_with(env, &deeds[DEED_behaves], opened);
}

int deed_open_bad(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                  void **opened)
{
    (void)shared;
    return open_with(env, scenario->input, opened);
}

int deed_setup(struct pb_env *env, const struct pb_scenario *scenario, void **shared)
{
    const struct deed *deed = scenario->input;
    *shared = (void *)deed;
    return deed->setup != NULL ? deed->setup(env) : PAIRBENCH_OK;
}

int deed_run(void *opened, uint64_t n)
{
    struct deed_state *state = opened;
    const struct deed *deed = state->deed;
    state->n_runs++;
    if (deed->does_no_work) {
        return PAIRBENCH_OK;
    }
    for (uint64_t k = 0; k < n; k++) {
        for (size_t i = 0; i < DEED_BYTES; i++) {
            state->bytes[i] = (unsigned char)(i * 3);
        }
        __asm__ volatile("" : : "r"(state->bytes) : "memory");
    }
    return deed->run != NULL ? deed->run(state) : PAIRBENCH_OK;
}

int deed_output(void *opened, struct pb_bytes *bytes)
{
    struct deed_state *state = opened;
    if (state->deed->does_no_work) {
        for (size_t i = 0; i < DEED_BYTES; i++) {
            state->bytes[i] = (unsigned char)(i * 3);
        }
    }
    const int code = state->deed->output != NULL ? state->deed->output(state) : PAIRBENCH_OK;
    *bytes = (struct pb_bytes){state->bytes, state->n_bytes};
    return code;
}

int deed_counts(void *opened, struct pb_env *env)
{
    struct deed_state *state = opened;
    const int code = pb_count(env, "bytes", DEED_BYTES);
    return state->deed->counts != NULL ? state->deed->counts(state) : code;
}

void deed_close(void *opened)
{
    struct deed_state *state = opened;
    if (state->deed->close != NULL) {
        state->deed->close(state);
    }
}

void deed_teardown(void *shared)
{
    const struct deed *deed = shared;
    if (deed->teardown != NULL) {
        deed->teardown();
    }
}
