/* SPDX-License-Identifier: Apache-2.0
 *
 * memcpy for sizes that are usually small and never known in advance.
 *
 * Calling memcpy costs as much as copying a small value does. Here a small size is two copies of a
 * constant size that overlap in the middle; only what is larger than 64 is a call.
 *
 * In both functions to and from are size bytes that do not overlap; from may be NULL for size 0.
 */
#ifndef CASES_BYTES_SHORT_COPY_H
#define CASES_BYTES_SHORT_COPY_H

#include <stddef.h>
#include <string.h>

#define TINY_COPY_BYTES 32

/* Copies the first and the last `half` bytes of size: all of them when half <= size <= 2 * half. */
#define COPY_BOTH_ENDS(half)                                                                       \
    do {                                                                                           \
        memcpy(to, from, (half));                                                                  \
        memcpy(to + size - (half), from + size - (half), (half));                                  \
    } while (0)

/* For a size that is known to be at most TINY_COPY_BYTES. */
static inline void tiny_copy(unsigned char *restrict to, const unsigned char *restrict from,
                             size_t size)
{
    if (size >= 16) {
        COPY_BOTH_ENDS(16);
    } else if (size >= 8) {
        COPY_BOTH_ENDS(8);
    } else if (size >= 4) {
        COPY_BOTH_ENDS(4);
    } else if (size >= 2) {
        COPY_BOTH_ENDS(2);
    } else if (size == 1) {
        *to = *from;
    }
}

static inline void short_copy(unsigned char *restrict to, const unsigned char *restrict from,
                              size_t size)
{
    if (size <= TINY_COPY_BYTES) {
        tiny_copy(to, from, size);
    } else if (size <= 64) {
        COPY_BOTH_ENDS(32);
    } else {
        memcpy(to, from, size);
    }
}

#undef COPY_BOTH_ENDS

#endif
