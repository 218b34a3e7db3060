/* SPDX-License-Identifier: Apache-2.0
 *
 * One case in two builds, to be compared: with COMPARED_HEAD it has what a commit may do to
 * benchmarks. Twice the work is so much that no machine hides it.
 */
#include "pairbench.h"

#include <stdlib.h>

enum deed {
    DEED_NOTHING,
    DEED_MORE_WORK,
    DEED_OTHER_OUTPUT,
    DEED_CRASH,
    DEED_MORE_WRITES,
};

#ifdef COMPARED_HEAD
enum { IS_HEAD = 1 };
#else
enum { IS_HEAD = 0 };
#endif

struct state {
    enum deed deed;
    uint64_t value;
};

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **state)
{
    (void)shared;
    struct state *opened = pb_alloc(env, sizeof *opened, 64);
    if (opened == NULL) {
        return PAIRBENCH_FAILED;
    }
    *opened = (struct state){.deed = *(const enum deed *)scenario->input};
    *state = opened;
    return PAIRBENCH_OK;
}

/* A chain that no compiler shortens. */
static uint64_t work(uint64_t value, unsigned steps)
{
    for (unsigned i = 0; i < steps; i++) {
        value = (value ^ (value >> 29)) * UINT64_C(0xbf58476d1ce4e5b9) + 1;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

enum { STEPS = 40 };

/*
 * Not inlined, and without a compiler's knowledge of extra, so that both builds have the same loop.
 * extra: steps that nobody needs
 */
__attribute__((noinline)) static uint64_t repeat(uint64_t n, unsigned extra)
{
    __asm__ volatile("" : "+r"(extra));
    uint64_t value = 0;
    for (uint64_t k = 0; k < n; k++) {
        value = work(1, STEPS);
        work(value, extra);
    }
    return value;
}

static int run(void *opened, uint64_t n)
{
    struct state *state = opened;
    if (IS_HEAD && state->deed == DEED_CRASH) {
        abort();
    }
    state->value = repeat(n, IS_HEAD && state->deed == DEED_MORE_WORK ? STEPS : 0);
    if (IS_HEAD && state->deed == DEED_OTHER_OUTPUT) {
        state->value ^= UINT64_C(0xff) << 16;
    }
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    const struct state *state = opened;
    *bytes = (struct pb_bytes){&state->value, sizeof state->value};
    return PAIRBENCH_OK;
}

static int counts(void *opened, struct pb_env *env)
{
    const struct state *state = opened;
    return pb_count(env, "writes", IS_HEAD && state->deed == DEED_MORE_WRITES ? 3 : 1);
}

static const enum deed deeds[] = {DEED_NOTHING, DEED_MORE_WORK, DEED_OTHER_OUTPUT, DEED_CRASH,
                                  DEED_MORE_WRITES};

static const struct pb_scenario scenarios[] = {
    {.name = "same", .summary = "the same on both sides", .input = &deeds[DEED_NOTHING]},
    {.name = "slower", .summary = "twice the work", .input = &deeds[DEED_MORE_WORK]},
    {.name = "differs", .summary = "another byte", .input = &deeds[DEED_OTHER_OUTPUT]},
    {.name = "crashes", .summary = "abort()", .input = &deeds[DEED_CRASH]},
    {.name = "writes", .summary = "more writes", .input = &deeds[DEED_MORE_WRITES]},
#ifdef COMPARED_HEAD
    {.name = "of_head", .summary = "only in head", .input = &deeds[DEED_NOTHING]},
#else
    {.name = "of_base", .summary = "only in base", .input = &deeds[DEED_NOTHING]},
#endif
    {.name = "on_request",
     .summary = "when asked for",
     .input = &deeds[DEED_NOTHING],
     .flags = PAIRBENCH_SCENARIO_ON_REQUEST},
};

static const struct pb_variant variants[] = {
    {.name = "old",
     .summary = "a chain of multiplications",
     .open = open_state,
     .run = run,
     .output = output,
     .counts = counts},
};

const struct pb_case compared_case = {
    .name = "compared",
    .summary = "A chain of multiplications",
    .source = "made up for tests",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
