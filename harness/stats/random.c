/* SPDX-License-Identifier: Apache-2.0
 *
 * xoshiro256** for the stream, splitmix64 to spread a seed over its state.
 */
#include "stats/random.h"

#include <assert.h>

/* Increment of splitmix64: 2^64 divided by the golden ratio, made odd. */
#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)

/* The output function of splitmix64, a bijection of 64 bits. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, unsigned bits)
{
    return (x << bits) | (x >> (64 - bits));
}

void pb_random_init(struct pb_random *random, uint64_t seed)
{
    for (size_t i = 0; i < 4; i++) {
        seed += GOLDEN_GAMMA;
        random->s[i] = mix(seed);
    }
}

uint64_t pb_random_u64(struct pb_random *random)
{
    uint64_t *const s = random->s;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t pb_random_below(struct pb_random *random, uint64_t bound)
{
    assert(bound > 0);
    /* 2^64 mod bound values of the low half would come up once too often. */
    const uint64_t unfair = (0 - bound) % bound;
    unsigned __int128 product;
    do {
        product = (unsigned __int128)pb_random_u64(random) * bound;
    } while ((uint64_t)product < unfair);
    return (uint64_t)(product >> 64);
}

double pb_random_unit(struct pb_random *random)
{
    return (double)(pb_random_u64(random) >> 11) * 0x1p-53;
}

void pb_random_shuffle(struct pb_random *random, uint32_t *x, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)pb_random_below(random, i);
        const uint32_t other = x[j];
        x[j] = x[i - 1];
        x[i - 1] = other;
    }
}

uint64_t pb_random_derive(uint64_t seed, uint64_t stream)
{
    /* Two bijections in a row: no two streams of a seed, and no two seeds of a stream, are equal;
     * mixing the seed first keeps neighbouring seeds from sharing shifted lists of streams. */
    return mix(mix(seed + GOLDEN_GAMMA) + (stream + 1) * GOLDEN_GAMMA);
}
