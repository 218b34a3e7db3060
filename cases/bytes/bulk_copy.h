/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy for bulk data, without its worst case.
 *
 * On AMD processors the string-move instruction that memcpy uses for large sizes is twenty times
 * slower when the target lies a little ahead of the source within the page (by 1 to 31 bytes,
 * modulo 4096), because each load seems to depend on the store before it. Buffers from malloc()
 * meet that distance often. Copied from the end, loads and stores never come that near.
 * source: measured: 64 KiB in 33 us against 1.6 us; from the end 2.1 us
 */
#ifndef CASES_BYTES_BULK_COPY_H
#define CASES_BYTES_BULK_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * to, from: size bytes that do not overlap
 */
static inline void bulk_copy(void *restrict to, const void *restrict from, size_t size)
{
    const size_t lead = ((uintptr_t)to - (uintptr_t)from) & 4095u;
    if (size < 2048 || lead == 0 || lead >= 32) {
        memcpy(to, from, size);
        return;
    }
    while (size >= 64) {
        size -= 64;
        memcpy((unsigned char *)to + size, (const unsigned char *)from + size, 64);
    }
    memcpy(to, from, size);
}

#endif
