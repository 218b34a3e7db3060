/* SPDX-License-Identifier: Apache-2.0
 *
 * What the preloaded counting allocator and a counting worker have in common.
 *
 * The worker finds `pairbench_heap` with dlsym; when it isn't there, allocations are not counted.
 */
#ifndef PB_MEASURE_HEAP_COUNTER_H
#define PB_MEASURE_HEAP_COUNTER_H

#include <stdint.h>

/* Counted only while `on` is 1; the worker zeroes it before an operation. */
struct pb_heap_counter {
    uint64_t on;
    uint64_t allocations;     /* malloc, calloc, realloc, aligned_alloc … that gave memory */
    uint64_t allocated_bytes; /* as asked for                                              */
    int64_t live_bytes;       /* usable size; negative when older memory was freed         */
    int64_t peak_live_bytes;  /* largest live_bytes so far                                 */
};

#define PB_HEAP_COUNTER_SYMBOL "pairbench_heap"

#endif
