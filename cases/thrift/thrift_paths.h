/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two decoding paths have in common, for their use only: rules, growing arrays, maps.
 */
#ifndef CASES_THRIFT_THRIFT_PATHS_H
#define CASES_THRIFT_THRIFT_PATHS_H

#include "thrift/thrift_decode.h"

/*
 * The struct at the transport's next byte.
 * value: the struct, its mask valid: fields that it holds already are replaced, but structs in it
 *        are read into
 */
THRIFT_MUST_USE enum thrift_code thrift_generic_struct(struct thrift_decoder *decoder,
                                                       const struct thrift_struct *description,
                                                       void *value);
THRIFT_MUST_USE enum thrift_code thrift_fast_struct(struct thrift_decoder *decoder,
                                                    const struct thrift_struct *description,
                                                    void *value);

/* Numbers beyond 15 share one bit, which no type has. */
static inline uint32_t thrift_type_bit(uint8_t type)
{
    return 1u << (type < 16 ? type : 16);
}

/* The type numbers that a container's elements may have; an empty one may say 0. */
#define THRIFT_CONTAINER_TYPES 0xFD5Fu

/*
 * Checks what stands at the head of a container, in the order in which it is reported.
 * types: bits of the type numbers of its elements
 * count: as on the wire
 */
THRIFT_MUST_USE static inline enum thrift_code
thrift_check_container(const struct thrift_limits *limits, uint32_t types, uint32_t count)
{
    if (count > INT32_MAX) {
        return THRIFT_NEGATIVE_LENGTH;
    }
    if (count > limits->container_items) {
        return THRIFT_OVER_LIMIT;
    }
    return (types & ~THRIFT_CONTAINER_TYPES) != 0 ? THRIFT_BAD_TYPE : THRIFT_OK;
}

/*
 * Size of a value of this type when it is the same for all.
 * returns: bytes; 0 for strings, containers, structs, and what is no type
 */
static inline size_t thrift_fixed_size(uint8_t type)
{
    static const uint8_t sizes[16] = {
        [THRIFT_BOOL] = 1, [THRIFT_BYTE] = 1, [THRIFT_I16] = 2,
        [THRIFT_I32] = 4,  [THRIFT_I64] = 8,  [THRIFT_DOUBLE] = 8,
    };
    return type < 16 ? sizes[type] : 0;
}

/*
 * An array that is filled from the wire. Its first room follows the announced count only as far as
 * a count may be trusted; then it doubles, so that memory follows what really arrives.
 */
struct thrift_items {
    unsigned char *data;
    size_t size;     /* of an item, bytes                                                       */
    size_t capacity; /* items                                                                   */
};

/* A count that is trusted before anything arrived: of items that allocate nothing, and of others.
 */
#define THRIFT_TRUSTED_LEAVES ((size_t)1 << 16)
#define THRIFT_TRUSTED_ITEMS  ((size_t)1 << 12)

/*
 * items:   with size set
 * count:   items that are announced, >= 1
 * leaf:    items allocate nothing themselves
 * returns: false when there is no memory
 */
THRIFT_MUST_USE static inline bool
thrift_items_init(struct thrift_items *items, struct reply_memory *memory, size_t count, bool leaf)
{
    const size_t trusted = leaf ? THRIFT_TRUSTED_LEAVES : THRIFT_TRUSTED_ITEMS;
    items->capacity = count < trusted ? count : trusted;
    items->data = reply_alloc(memory, items->capacity * items->size);
    return items->data != NULL;
}

/* Room for more than the capacity, at most count items. */
THRIFT_MUST_USE bool thrift_items_grow(struct thrift_items *items, struct reply_memory *memory,
                                       size_t count);

/*
 * Leaves the last value of each key, at the place of the first. A struct takes over the fields that
 * the earlier value has and the later one lacks.
 * returns: false when there is no memory
 */
THRIFT_MUST_USE bool thrift_map_unique(struct reply_memory *memory,
                                       const struct thrift_field *field, struct thrift_map *map);

#endif
