/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations whose number of instructions is known, is not the same twice, or can't be counted.
 */
#include "pairbench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { BYTES = 4, TURNS = 1000 };

static int open_nothing(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                        void **state)
{
    (void)scenario;
    (void)shared;
    *state = pb_alloc(env, BYTES, 0);
    if (*state == NULL) {
        return PAIRBENCH_FAILED;
    }
    memset(*state, 0, BYTES);
    return PAIRBENCH_OK;
}

static int output(void *state, struct pb_bytes *bytes)
{
    *bytes = (struct pb_bytes){state, BYTES};
    return PAIRBENCH_OK;
}

/* Two instructions a turn on x86-64 and ARM, and one before them. */
static void turn(unsigned turns)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("mov %1, %0\n1: dec %0\njnz 1b" : "=&r"(turns) : "r"(turns) : "cc");
#elif defined(__aarch64__)
    __asm__ volatile("mov %w0, %w1\n1: subs %w0, %w0, #1\nb.ne 1b"
                     : "=&r"(turns)
                     : "r"(turns)
                     : "cc");
#else
    while (turns-- > 0) {
        __asm__ volatile("" : : "r"(turns));
    }
#endif
}

static int run_exactly(void *state, uint64_t n)
{
    (void)state;
    for (uint64_t k = 0; k < n; k++) {
        turn(TURNS);
    }
    return PAIRBENCH_OK;
}

static int run_twice_as_long(void *state, uint64_t n)
{
    return run_exactly(state, 2 * n);
}

static int run_at_random(void *state, uint64_t n)
{
    (void)state;
    for (uint64_t k = 0; k < n; k++) {
        unsigned more = 0;
        if (getrandom(&more, sizeof more, 0) != (ssize_t)sizeof more) {
            return PAIRBENCH_FAILED;
        }
        turn(TURNS + more % TURNS);
    }
    return PAIRBENCH_OK;
}

/* Takes the string functions that a counter pins for a sign that one is there. */
static int run_unwatched(void *state, uint64_t n)
{
    const char *tunables = getenv("GLIBC_TUNABLES");
    if (tunables != NULL && strstr(tunables, "glibc.cpu.hwcaps") != NULL) {
        abort();
    }
    return run_exactly(state, n);
}

static const struct pb_scenario scenarios[] = {
    {.name = "loop", .summary = "a thousand turns"},
};

#define VARIANT(its_name, its_run)                                                                 \
    {                                                                                              \
        .name = (its_name), .summary = "a loop", .open = open_nothing, .run = (its_run),           \
        .output = output                                                                           \
    }

static const struct pb_variant variants[] = {
    VARIANT("old", run_exactly),
    VARIANT("twice", run_twice_as_long),
    VARIANT("random", run_at_random),
    VARIANT("shy", run_unwatched),
};

const struct pb_case counted_case = {
    .name = "counted/turn",
    .summary = "Turns in a loop",
    .source = "made up for tests",
    .scenarios = scenarios,
    .n_scenarios = sizeof scenarios / sizeof scenarios[0],
    .variants = variants,
    .n_variants = sizeof variants / sizeof variants[0],
};
