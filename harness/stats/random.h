/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeded random numbers: the order of everything that is randomised can be repeated.
 */
#ifndef PB_STATS_RANDOM_H
#define PB_STATS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* State of xoshiro256**. */
struct pb_random {
    uint64_t s[4];
};

/*
 * Seeds the generator; every seed, 0 included, gives a good state.
 * source: Blackman & Vigna 2021, xoshiro256** seeded by splitmix64
 */
void pb_random_init(struct pb_random *random, uint64_t seed);

/* Next 64 random bits. */
uint64_t pb_random_u64(struct pb_random *random);

/* Uniform in [0, bound), without modulo bias; bound > 0. source: Lemire 2019 */
uint64_t pb_random_below(struct pb_random *random, uint64_t bound);

/* Uniform in [0, 1), 53 bits. */
double pb_random_unit(struct pb_random *random);

/* Permutes x[0..n) uniformly (Fisher–Yates). */
void pb_random_shuffle(struct pb_random *random, uint32_t *x, size_t n);

/* A seed for stream number `stream` of a run: streams of one seed do not overlap in practice. */
uint64_t pb_random_derive(uint64_t seed, uint64_t stream);

#endif
