/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers stored most significant byte first, at any address.
 */
#ifndef CASES_BYTES_BIG_ENDIAN_H
#define CASES_BYTES_BIG_ENDIAN_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BIG_ENDIAN_OF(bits, value) __builtin_bswap##bits(value)
#else
#define BIG_ENDIAN_OF(bits, value) (value)
#endif

static inline void store_be16(void *to, uint16_t value)
{
    const uint16_t stored = BIG_ENDIAN_OF(16, value);
    memcpy(to, &stored, sizeof stored);
}

static inline void store_be32(void *to, uint32_t value)
{
    const uint32_t stored = BIG_ENDIAN_OF(32, value);
    memcpy(to, &stored, sizeof stored);
}

static inline void store_be64(void *to, uint64_t value)
{
    const uint64_t stored = BIG_ENDIAN_OF(64, value);
    memcpy(to, &stored, sizeof stored);
}

static inline uint16_t load_be16(const void *from)
{
    uint16_t stored;
    memcpy(&stored, from, sizeof stored);
    return BIG_ENDIAN_OF(16, stored);
}

static inline uint32_t load_be32(const void *from)
{
    uint32_t stored;
    memcpy(&stored, from, sizeof stored);
    return BIG_ENDIAN_OF(32, stored);
}

static inline uint64_t load_be64(const void *from)
{
    uint64_t stored;
    memcpy(&stored, from, sizeof stored);
    return BIG_ENDIAN_OF(64, stored);
}

#endif
