/* SPDX-License-Identifier: Apache-2.0
 *
 * Readers of the fast path for the structs of TCLIService, one each, made from the list of their
 * fields.
 *
 * A reader compares what comes with each field in turn, in the order in which senders write them,
 * so that an expected struct is read in one pass without a table. Whatever is left then (a field
 * out of order, an unknown one) is read by way of the description, which is the same list.
 */
#include <string.h>

#include "thrift/tcli.h"
#include "thrift/thrift_fast.h"

/* READ_X reads a value of form X into value->field. Numbers: see the window's rule. */
#define READ_BOOL(field, child)                                                                    \
    value->field = *at != 0;                                                                       \
    at += 1
#define READ_BYTE(field, child)                                                                    \
    value->field = (int8_t)*at;                                                                    \
    at += 1
#define READ_I16(field, child)                                                                     \
    value->field = (int16_t)load_be16(at);                                                         \
    at += 2
#define READ_I32(field, child)                                                                     \
    value->field = (int32_t)load_be32(at);                                                         \
    at += 4
#define READ_I64(field, child)                                                                     \
    value->field = (int64_t)load_be64(at);                                                         \
    at += 8
#define READ_DOUBLE(field, child)                                                                  \
    const uint64_t bits = load_be64(at);                                                           \
    memcpy(&value->field, &bits, sizeof bits);                                                     \
    at += 8
#define READ_STRING(field, child)      at = fast_string(fast, at, &value->field)
#define READ_BINARY(field, child)      at = fast_string(fast, at, &value->field)
#define READ_LIST_BOOL(field, child)   at = fast_numbers(fast, at, FORM_BOOL, &value->field)
#define READ_LIST_BYTE(field, child)   at = fast_numbers(fast, at, FORM_BYTE, &value->field)
#define READ_LIST_I16(field, child)    at = fast_numbers(fast, at, FORM_I16, &value->field)
#define READ_LIST_I32(field, child)    at = fast_numbers(fast, at, FORM_I32, &value->field)
#define READ_LIST_I64(field, child)    at = fast_numbers(fast, at, FORM_I64, &value->field)
#define READ_LIST_DOUBLE(field, child) at = fast_numbers(fast, at, FORM_DOUBLE, &value->field)
#define READ_LIST_STRING(field, child) at = fast_strings(fast, at, &value->field)
#define READ_LIST_BINARY(field, child) at = fast_strings(fast, at, &value->field)
#define READ_MAP(field)                at = fast_map(fast, at, &description->fields[index], &value->field, depth)
#define READ_MAP_STRING(field, child)  READ_MAP(field)
#define READ_MAP_I32(field, child)     READ_MAP(field)
#define READ_MAP_STRUCT(field, child)  READ_MAP(field)
#define READ_LIST_STRUCT(field, child)                                                             \
    at = fast_structs(fast, at, tcli_read_##child, sizeof(struct child), &value->field, depth + 1)
#define READ_STRUCT(field, child)                                                                  \
    if (LIKELY((present >> index & 1u) == 0)) {                                                    \
        value->field = fast_new(fast, sizeof(struct child));                                       \
        if (UNLIKELY(value->field == NULL)) {                                                      \
            return fast_fail(fast, THRIFT_NO_MEMORY);                                              \
        }                                                                                          \
    }                                                                                              \
    at = tcli_read_##child(fast, at, value->field, depth + 1)

#define READ_FIELD(owner, id, field, form, child, preset)                                          \
    if (key == ((uint32_t)TCLI_WIRE_##form << 16 | (id))) {                                        \
        const unsigned index = owner##_##field;                                                    \
        at += 3;                                                                                   \
        READ_##form(field, child);                                                                 \
        if (UNLIKELY(at == NULL)) {                                                                \
            return NULL;                                                                           \
        }                                                                                          \
        present |= 1u << index;                                                                    \
        at = fast_key(fast, at, &key);                                                             \
        if (UNLIKELY(at == NULL)) {                                                                \
            return NULL;                                                                           \
        }                                                                                          \
    }

#define DEFINE_READER(owner)                                                                       \
    cursor tcli_read_##owner(struct fast *fast, cursor at, void *to, unsigned depth)               \
    {                                                                                              \
        const struct thrift_struct *const description = &thrift_##owner;                           \
        struct owner *const value = to;                                                            \
        uint32_t present = value->present;                                                         \
        uint32_t key;                                                                              \
        if (UNLIKELY(depth > THRIFT_MAX_DEPTH)) {                                                  \
            return fast_fail(fast, THRIFT_TOO_DEEP);                                               \
        }                                                                                          \
        at = fast_key(fast, at, &key);                                                             \
        if (UNLIKELY(at == NULL)) {                                                                \
            return NULL;                                                                           \
        }                                                                                          \
        TCLI_##owner(READ_FIELD) value->present = present;                                         \
        return LIKELY(fast_is_stop(key)) ? at + 1                                                  \
                                         : fast_rest(fast, at, description, value, depth);         \
    }

TCLI_STRUCTS(DEFINE_READER)
