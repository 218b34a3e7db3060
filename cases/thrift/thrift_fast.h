/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of the fast path, for its own files only: the cursor, and the parts that are worth
 * being inlined.
 *
 * Whatever stands at the head of a field (type, id, and a value of fixed size or a length) fits 16
 * bytes. Where the window holds that many, a field can be read without looking further. Where it
 * holds fewer, the head is asked for, byte by byte if need be: the body is never asked for more
 * than the message needs, since behind it there may be silence. If the body ends there, zeros
 * follow, and what they mean is settled afterwards: a cursor beyond the end is a truncated message,
 * found where the next field begins. Only what would report another error, or follow a length,
 * looks first.
 */
#ifndef CASES_THRIFT_THRIFT_FAST_H
#define CASES_THRIFT_THRIFT_FAST_H

#include "bytes/big_endian.h"
#include "thrift/thrift_paths.h"

#define LIKELY(condition)   __builtin_expect((condition), 1)
#define UNLIKELY(condition) __builtin_expect((condition), 0)

/* Functions return the cursor behind what they read, or NULL with fast->code set. */
typedef const unsigned char *cursor;

struct fast {
    cursor end; /* of the window                                                                */
    struct thrift_transport *transport;
    struct reply_memory *memory;
    struct thrift_limits limits;
    enum thrift_code code; /* why the cursor is NULL                                            */
};

cursor fast_fail(struct fast *fast, enum thrift_code code);

/* Refills the window at the cursor, until it holds n bytes or more. */
cursor fast_more(struct fast *fast, cursor at, ptrdiff_t n);

/* The same where a field begins, until it holds the field's head. */
cursor fast_more_head(struct fast *fast, cursor at);

/* A string that the window doesn't hold, or that is none. */
cursor fast_string_slowly(struct fast *fast, cursor at, struct pb_bytes *string);

/* Lists whose items are no structs, and maps. */
cursor fast_strings(struct fast *fast, cursor at, struct thrift_list *list);
cursor fast_numbers(struct fast *fast, cursor at, enum thrift_form form, struct thrift_list *list);
cursor fast_map(struct fast *fast, cursor at, const struct thrift_field *field,
                struct thrift_map *map, unsigned depth);

/* A list of so many structs that room for them can't be made in advance. at: behind its head. */
cursor fast_many_structs(struct fast *fast, cursor at, thrift_fast_reader *reader, size_t size,
                         uint32_t count, struct thrift_list *list, unsigned depth);

/*
 * The rest of a struct whose fields come in an unexpected order, or that has unknown ones. Any
 * struct can be read this way from its beginning.
 */
cursor fast_rest(struct fast *fast, cursor at, const struct thrift_struct *description, void *value,
                 unsigned depth);

static inline ptrdiff_t fast_left(const struct fast *fast, cursor at)
{
    return fast->end - at;
}

/* At least n bytes at the cursor. */
static inline cursor fast_need(struct fast *fast, cursor at, ptrdiff_t n)
{
    return LIKELY(fast_left(fast, at) >= n) ? at : fast_more(fast, at, n);
}

/* What a field is, once it begins: type << 16 | id. A stop is less than 1 << 16. */
static inline cursor fast_key(struct fast *fast, cursor at, uint32_t *key)
{
    if (UNLIKELY(fast_left(fast, at) < (ptrdiff_t)TRANSPORT_WINDOW_BYTES)) {
        at = fast_more_head(fast, at);
        if (at == NULL) {
            return NULL;
        }
    }
    *key = load_be32(at) >> 8;
    return at;
}

static inline bool fast_is_stop(uint32_t key)
{
    return key < 1u << 16;
}

static inline cursor fast_string(struct fast *fast, cursor at, struct pb_bytes *string)
{
    const uint32_t size = load_be32(at);
    /* One comparison finds a negative length, a length beyond the window, and one that is cut. */
    if (UNLIKELY(fast_left(fast, at) - 4 < (ptrdiff_t)size || size > fast->limits.string_bytes)) {
        return fast_string_slowly(fast, at, string);
    }
    string->data = at + 4;
    string->size = size;
    return at + 4 + size;
}

/* returns: an empty struct; NULL when there is no memory */
static inline void *fast_new(struct fast *fast, size_t size)
{
    void *value = reply_alloc(fast->memory, size);
    if (LIKELY(value != NULL)) {
        *thrift_mask(value) = 0;
    }
    return value;
}

/*
 * The head of a list.
 * type: what its elements should be; another type is as good, if it is one
 */
static inline cursor fast_list_head(struct fast *fast, cursor at, uint8_t type, uint32_t *count)
{
    at = fast_need(fast, at, 5);
    if (UNLIKELY(at == NULL)) {
        return NULL;
    }
    *count = load_be32(at + 1);
    /* No limit is above INT32_MAX: this finds negative counts too. */
    if (UNLIKELY(*at != type || *count > fast->limits.container_items)) {
        const enum thrift_code code =
            thrift_check_container(&fast->limits, thrift_type_bit(*at), *count);
        if (code != THRIFT_OK) {
            return fast_fail(fast, code);
        }
    }
    return at + 5;
}

/* A list of structs of one kind; inlined where reader is constant. */
static inline cursor fast_structs(struct fast *fast, cursor at, thrift_fast_reader *reader,
                                  size_t size, struct thrift_list *list, unsigned depth)
{
    uint32_t count;
    at = fast_list_head(fast, at, THRIFT_STRUCT, &count);
    if (UNLIKELY(at == NULL || count > THRIFT_TRUSTED_ITEMS)) {
        return at == NULL ? NULL : fast_many_structs(fast, at, reader, size, count, list, depth);
    }
    unsigned char *value = count > 0 ? reply_alloc(fast->memory, count * size) : NULL;
    if (UNLIKELY(count > 0 && value == NULL)) {
        return fast_fail(fast, THRIFT_NO_MEMORY);
    }
    *list = (struct thrift_list){.items = value, .count = count};
    for (; count > 0; --count, value += size) {
        *thrift_mask(value) = 0;
        at = reader(fast, at, value, depth);
        if (UNLIKELY(at == NULL)) {
            return NULL;
        }
    }
    return at;
}

#endif
