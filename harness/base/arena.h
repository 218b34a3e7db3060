/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory with the lifetime of one command: many small pieces, freed together.
 *
 * Never fails: see memory.h for what happens when there is no memory left.
 */
#ifndef PB_BASE_ARENA_H
#define PB_BASE_ARENA_H

#include <stddef.h>

struct pb_arena {
    struct pb_arena_block *blocks; /* newest first */
};

/* Prepares *arena; a zeroed struct is ready too. */
void pb_arena_init(struct pb_arena *arena);

/* Frees every piece. Accepts NULL and a zeroed struct. */
void pb_arena_release(struct pb_arena *arena);

/*
 * Zeroed memory for one object.
 * size_bytes: 0 gives a valid pointer
 * returns:    aligned for any type; never NULL
 */
void *pb_arena_alloc(struct pb_arena *arena, size_t size_bytes);

/* Zeroed memory for n objects of size_bytes each; an overflow is treated as out of memory. */
void *pb_arena_array(struct pb_arena *arena, size_t n, size_t size_bytes);

/* A copy of text; NULL gives NULL. */
char *pb_arena_strdup(struct pb_arena *arena, const char *text);

/* A copy of n bytes, with a zero byte behind them. */
void *pb_arena_memdup(struct pb_arena *arena, const void *data, size_t n);

/* Text made printf-style. */
char *pb_arena_printf(struct pb_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Makes room for one more item in a growing array.
 * items:     the array, NULL at first; an outgrown one stays in the arena
 * n:         how many items it holds
 * *capacity: how many it can hold; updated
 * returns:   the array, maybe moved
 */
void *pb_arena_grow(struct pb_arena *arena, void *items, size_t n, size_t *capacity,
                    size_t item_bytes);

#endif
