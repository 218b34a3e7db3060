/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of blocks, each at least twice what is asked for next; pieces are cut off the newest.
 */
#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct pb_arena_block {
    struct pb_arena_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

void pb_arena_init(struct pb_arena *arena)
{
    arena->blocks = NULL;
}

void pb_arena_release(struct pb_arena *arena)
{
    if (arena == NULL) {
        return;
    }
    struct pb_arena_block *block = arena->blocks;
    while (block != NULL) {
        struct pb_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}

static struct pb_arena_block *add_block(struct pb_arena *arena, size_t size)
{
    const size_t capacity = size > BLOCK_BYTES / 2 ? size : BLOCK_BYTES;
    struct pb_arena_block *block = calloc(1, sizeof *block + capacity);
    if (block == NULL) {
        pb_out_of_memory();
    }
    block->size = capacity;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *pb_arena_alloc(struct pb_arena *arena, size_t size_bytes)
{
    const size_t align = alignof(max_align_t);
    if (size_bytes > SIZE_MAX / 2) {
        pb_out_of_memory();
    }
    const size_t size = (size_bytes + align - 1) & ~(align - 1);
    struct pb_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < size) {
        block = add_block(arena, size);
    }
    void *piece = block->bytes + block->used;
    block->used += size;
    return piece;
}

void *pb_arena_array(struct pb_arena *arena, size_t n, size_t size_bytes)
{
    size_t total;
    if (__builtin_mul_overflow(n, size_bytes, &total)) {
        pb_out_of_memory();
    }
    return pb_arena_alloc(arena, total);
}

void *pb_arena_memdup(struct pb_arena *arena, const void *data, size_t n)
{
    char *copy = pb_arena_alloc(arena, n + 1);
    if (n > 0) {
        memcpy(copy, data, n);
    }
    copy[n] = '\0';
    return copy;
}

char *pb_arena_strdup(struct pb_arena *arena, const char *text)
{
    return text == NULL ? NULL : pb_arena_memdup(arena, text, strlen(text));
}

char *pb_arena_printf(struct pb_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = pb_arena_alloc(arena, n < 0 ? 1 : (size_t)n + 1);
    if (n >= 0) {
        vsnprintf(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    return text;
}

void *pb_arena_grow(struct pb_arena *arena, void *items, size_t n, size_t *capacity,
                    size_t item_bytes)
{
    if (n < *capacity) {
        return items;
    }
    const size_t wider = *capacity == 0 ? 16 : *capacity * 2;
    void *moved = pb_arena_array(arena, wider, item_bytes);
    if (n > 0) {
        memcpy(moved, items, n * item_bytes);
    }
    *capacity = wider;
    return moved;
}
