/* SPDX-License-Identifier: Apache-2.0
 *
 * A small but whole case: counting the set bits of a word, one by one against all at once. It is
 * built outside the tree against the installed header, as in any other project; copy it to begin a
 * suite.
 */
#include <pairbench.h>

/*
 * Input and result are volatile, so that every operation is really done: without that the compiler
 * may compute once for all, or only the last result.
 */
struct count_bits {
    volatile uint64_t word;
    volatile uint64_t result;
    uint64_t shown;
};

static int count_bits_open(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                           void **state)
{
    (void)shared;
    struct count_bits *its = pb_alloc(env, sizeof *its, 0);
    if (its == NULL) {
        return PAIRBENCH_FAILED;
    }
    its->word = *(const uint64_t *)scenario->input;
    its->result = 0;
    *state = its;
    return PAIRBENCH_OK;
}

static int count_bits_old(void *state, uint64_t n)
{
    struct count_bits *its = state;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t count = 0;
        for (uint64_t rest = its->word; rest != 0; rest >>= 1) {
            count += rest & 1;
        }
        its->result = count;
    }
    return PAIRBENCH_OK;
}

static int count_bits_new(void *state, uint64_t n)
{
    struct count_bits *its = state;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = its->word;
        word -= (word >> 1) & UINT64_C(0x5555555555555555);
        word = (word & UINT64_C(0x3333333333333333)) + ((word >> 2) & UINT64_C(0x3333333333333333));
        word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
        its->result = (word * UINT64_C(0x0101010101010101)) >> 56;
    }
    return PAIRBENCH_OK;
}

static int count_bits_output(void *state, struct pb_bytes *bytes)
{
    struct count_bits *its = state;
    its->shown = its->result;
    *bytes = (struct pb_bytes){&its->shown, sizeof its->shown};
    return PAIRBENCH_OK;
}

static int count_bits_counts(void *state, struct pb_env *env)
{
    (void)state;
    return pb_count(env, "bytes", (int64_t)sizeof(uint64_t));
}

static const uint64_t few = 0x11;
static const uint64_t many = UINT64_C(0xfedcba9876543210);

static const struct pb_scenario scenarios[] = {
    {.name = "few", .summary = "two bits, both low", .input = &few},
    {.name = "many", .summary = "32 bits all over the word", .input = &many},
};

static const struct pb_variant variants[] = {
    {.name = "old",
     .summary = "bit by bit",
     .open = count_bits_open,
     .run = count_bits_old,
     .output = count_bits_output,
     .counts = count_bits_counts},
    {.name = "new",
     .summary = "sums of neighbours, in parallel",
     .open = count_bits_open,
     .run = count_bits_new,
     .output = count_bits_output,
     .counts = count_bits_counts},
};

const struct pb_case count_bits_case = {
    .name = "tiny/count_bits",
    .summary = "set bits of a 64-bit word",
    .source = "the classical exercise",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
