/* SPDX-License-Identifier: Apache-2.0
 *
 * A well-behaved case whose counts are known: eight words are written by eight calls, or by one.
 *
 * Old and new are the same work but for the calls, so that nothing in a test depends on which of
 * them is faster.
 */
#include "pairbench.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 8, WORD_BYTES = 8, BYTES = WORDS * WORD_BYTES };

struct input {
    unsigned char first;
    unsigned repeats; /* of the whole message, in one operation */
};

static const struct input brief = {.first = 1, .repeats = 1};
static const struct input longer = {.first = 100, .repeats = 4};

/* Bytes 1, 2, 3 …: what an operation on `brief` must produce. */
static const unsigned char golden[BYTES] = {
    1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
    23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,
    45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64,
};

struct state {
    unsigned repeats;
    size_t length;
    unsigned char input[BYTES];
    unsigned char sink[BYTES];
    int64_t writes; /* of the last operation */
};

static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                      void **state)
{
    (void)shared;
    struct state *opened = pb_alloc(env, sizeof *opened, 64);
    if (opened == NULL) {
        return PAIRBENCH_FAILED;
    }
    const struct input *input = scenario->input;
    *opened = (struct state){.repeats = input->repeats};
    for (size_t i = 0; i < BYTES; i++) {
        opened->input[i] = (unsigned char)(input->first + i);
    }
    *state = opened;
    return PAIRBENCH_OK;
}

/* Not inlined: a call is what old makes more of. */
__attribute__((noinline)) static void put(struct state *state, const unsigned char *data, size_t n)
{
    memcpy(state->sink + state->length, data, n);
    state->length += n;
    state->writes++;
}

static int run_old(void *opened, uint64_t n)
{
    struct state *state = opened;
    for (uint64_t k = 0; k < n; k++) {
        state->writes = 0;
        for (unsigned repeat = 0; repeat < state->repeats; repeat++) {
            state->length = 0;
            for (size_t i = 0; i < BYTES; i += WORD_BYTES) {
                put(state, state->input + i, WORD_BYTES);
            }
        }
    }
    return PAIRBENCH_OK;
}

/* Takes memory once an operation, so that there is something to count. */
static int run_new(void *opened, uint64_t n)
{
    struct state *state = opened;
    for (uint64_t k = 0; k < n; k++) {
        unsigned char *volatile scratch = malloc(BYTES);
        if (scratch == NULL) {
            return PAIRBENCH_FAILED;
        }
        state->writes = 0;
        for (unsigned repeat = 0; repeat < state->repeats; repeat++) {
            state->length = 0;
            memcpy(scratch, state->input, BYTES);
            put(state, scratch, BYTES);
        }
        free(scratch);
    }
    return PAIRBENCH_OK;
}

static int run_floor(void *opened, uint64_t n)
{
    struct state *state = opened;
    for (uint64_t k = 0; k < n; k++) {
        memcpy(state->sink, state->input, BYTES);
        __asm__ volatile("" : : "r"(state->sink) : "memory");
    }
    return PAIRBENCH_OK;
}

static int output(void *opened, struct pb_bytes *bytes)
{
    const struct state *state = opened;
    *bytes = (struct pb_bytes){state->sink, state->length};
    return PAIRBENCH_OK;
}

static int counts(void *opened, struct pb_env *env)
{
    const struct state *state = opened;
    pb_count(env, "writes", state->writes);
    return pb_count(env, "bytes", (int64_t)state->length * state->repeats);
}

static const struct pb_scenario scenarios[] = {
    {.name = "brief", .summary = "one message", .input = &brief, .golden = {golden, sizeof golden}},
    {.name = "longer", .summary = "four messages", .input = &longer},
    {.name = "on_request",
     .summary = "measured when asked for",
     .input = &longer,
     .flags = PAIRBENCH_SCENARIO_ON_REQUEST},
};

static const struct pb_variant variants[] = {
    {.name = "old",
     .summary = "a call for each word",
     .open = open_state,
     .run = run_old,
     .output = output,
     .counts = counts},
    {.name = "new",
     .summary = "one call",
     .open = open_state,
     .run = run_new,
     .output = output,
     .counts = counts},
    {.name = "floor",
     .summary = "one copy",
     .flags = PAIRBENCH_VARIANT_BOUND,
     .open = open_state,
     .run = run_floor},
};

const struct pb_case plain_case = {
    .name = "plain/write",
    .summary = "Writes eight words",
    .source = "made up for tests",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
