/* SPDX-License-Identifier: Apache-2.0
 *
 * A preloaded allocator that counts and passes on to glibc's own. Not for timing.
 *
 * glibc exports its functions under __libc_ names, so nothing has to be looked up at run time, when
 * looking up would allocate. Counters are atomic: a suite may have threads.
 */
#include "measure/heap/heap_counter.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t align, size_t size);
extern void __libc_free(void *memory);

EXPORT struct pb_heap_counter pairbench_heap;

static void count_live(int64_t change)
{
    const int64_t live = __atomic_add_fetch(&pairbench_heap.live_bytes, change, __ATOMIC_RELAXED);
    int64_t peak = __atomic_load_n(&pairbench_heap.peak_live_bytes, __ATOMIC_RELAXED);
    while (live > peak && !__atomic_compare_exchange_n(&pairbench_heap.peak_live_bytes, &peak, live,
                                                       0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

static void *count_new(void *memory, size_t size)
{
    if (memory != NULL && pairbench_heap.on != 0) {
        __atomic_add_fetch(&pairbench_heap.allocations, 1, __ATOMIC_RELAXED);
        __atomic_add_fetch(&pairbench_heap.allocated_bytes, size, __ATOMIC_RELAXED);
        count_live((int64_t)malloc_usable_size(memory));
    }
    return memory;
}

static void count_gone(size_t usable_bytes)
{
    if (pairbench_heap.on != 0) {
        count_live(-(int64_t)usable_bytes);
    }
}

EXPORT void *malloc(size_t size)
{
    return count_new(__libc_malloc(size), size);
}

EXPORT void *calloc(size_t n, size_t size)
{
    return count_new(__libc_calloc(n, size), n * size);
}

EXPORT void *realloc(void *memory, size_t size)
{
    const size_t before = memory != NULL ? malloc_usable_size(memory) : 0;
    void *moved = __libc_realloc(memory, size);
    if (moved != NULL || size == 0) {
        count_gone(before);
    }
    return count_new(moved, size);
}

EXPORT void free(void *memory)
{
    if (memory != NULL) {
        count_gone(malloc_usable_size(memory));
    }
    __libc_free(memory);
}

EXPORT void *memalign(size_t align, size_t size)
{
    return count_new(__libc_memalign(align, size), size);
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
    return count_new(__libc_memalign(align, size), size);
}

EXPORT int posix_memalign(void **memory, size_t align, size_t size)
{
    if (align % sizeof(void *) != 0 || (align & (align - 1)) != 0 || align == 0) {
        return EINVAL;
    }
    void *made = __libc_memalign(align, size);
    if (made == NULL) {
        return ENOMEM;
    }
    *memory = count_new(made, size);
    return 0;
}
