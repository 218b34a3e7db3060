/* SPDX-License-Identifier: Apache-2.0
 *
 * What the workloads have in common: two variants that are the same code.
 *
 * Each stresses one part of a processor. Whatever differs between `old` and `new`, or between two
 * copies of this suite, is an error of measuring, which is what the workloads are for. An operation
 * takes well below a microsecond, so that half a percent more of them is a whole number in a slice
 * of the usual length.
 *
 * Many operations go on where the one before left off. Their output is then a value that does not
 * depend on where that is: a sum over the whole of a ring, say.
 */
#ifndef PB_WORKLOAD_H
#define PB_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "pairbench.h"

/* The callbacks of a workload; setup and teardown may be NULL. */
#define WORKLOAD_CALLBACKS(setup_, open_, run_, output_, teardown_)                                \
    .setup = (setup_), .open = (open_), .run = (run_), .output = (output_), .teardown = (teardown_)

/* Defines the case `symbol` with one scenario and the two variants; the rest are callbacks. */
#define WORKLOAD_CASE(symbol, name_, summary_, scenario_, ...)                                     \
    static const struct pb_scenario scenarios[] = {{.name = (scenario_), .summary = (summary_)}};  \
    static const struct pb_variant variants[] = {                                                  \
        {.name = "old", .summary = "the code", WORKLOAD_CALLBACKS(__VA_ARGS__)},                   \
        {.name = "new", .summary = "the same code", WORKLOAD_CALLBACKS(__VA_ARGS__)},              \
    };                                                                                             \
    const struct pb_case symbol = {                                                                \
        .name = (name_),                                                                           \
        .summary = (summary_),                                                                     \
        .source = "made for the self-test",                                                        \
        .scenarios = scenarios,                                                                    \
        .n_scenarios = 1,                                                                          \
        .variants = variants,                                                                      \
        .n_variants = sizeof variants / sizeof variants[0],                                        \
    }

/* Hides from the compiler what a value is, and that a value is not used. */
#define WORKLOAD_OPAQUE(value) __asm__ volatile("" : "+r"(value))
#define WORKLOAD_USED(value)   __asm__ volatile("" : : "r"(value) : "memory")

/* Next of a fixed sequence of bits that look random. source: Steele & others 2014, splitmix64 */
static inline uint64_t workload_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
