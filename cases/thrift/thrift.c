/* SPDX-License-Identifier: Apache-2.0
 *
 * What every path shares: facts about forms, lookup, comparison.
 */
#include "thrift/thrift.h"

#include <string.h>

const struct thrift_form_facts thrift_forms[N_FORMS] = {
    [FORM_BOOL] = {THRIFT_BOOL, 0, 0, sizeof(bool)},
    [FORM_BYTE] = {THRIFT_BYTE, 0, 0, sizeof(int8_t)},
    [FORM_I16] = {THRIFT_I16, 0, 0, sizeof(int16_t)},
    [FORM_I32] = {THRIFT_I32, 0, 0, sizeof(int32_t)},
    [FORM_I64] = {THRIFT_I64, 0, 0, sizeof(int64_t)},
    [FORM_DOUBLE] = {THRIFT_DOUBLE, 0, 0, sizeof(double)},
    [FORM_STRING] = {THRIFT_STRING, 0, 0, sizeof(struct pb_bytes)},
    [FORM_BINARY] = {THRIFT_STRING, 0, 0, sizeof(struct pb_bytes)},
    [FORM_STRUCT] = {THRIFT_STRUCT, 0, 0, sizeof(void *)},
    [FORM_LIST_BOOL] = {THRIFT_LIST, THRIFT_BOOL, FORM_BOOL, sizeof(struct thrift_list)},
    [FORM_LIST_BYTE] = {THRIFT_LIST, THRIFT_BYTE, FORM_BYTE, sizeof(struct thrift_list)},
    [FORM_LIST_I16] = {THRIFT_LIST, THRIFT_I16, FORM_I16, sizeof(struct thrift_list)},
    [FORM_LIST_I32] = {THRIFT_LIST, THRIFT_I32, FORM_I32, sizeof(struct thrift_list)},
    [FORM_LIST_I64] = {THRIFT_LIST, THRIFT_I64, FORM_I64, sizeof(struct thrift_list)},
    [FORM_LIST_DOUBLE] = {THRIFT_LIST, THRIFT_DOUBLE, FORM_DOUBLE, sizeof(struct thrift_list)},
    [FORM_LIST_STRING] = {THRIFT_LIST, THRIFT_STRING, FORM_STRING, sizeof(struct thrift_list)},
    [FORM_LIST_BINARY] = {THRIFT_LIST, THRIFT_STRING, FORM_BINARY, sizeof(struct thrift_list)},
    [FORM_LIST_STRUCT] = {THRIFT_LIST, THRIFT_STRUCT, FORM_STRUCT, sizeof(struct thrift_list)},
    [FORM_MAP_STRING] = {THRIFT_MAP, THRIFT_STRING, FORM_STRING, sizeof(struct thrift_map)},
    [FORM_MAP_I32] = {THRIFT_MAP, THRIFT_I32, FORM_I32, sizeof(struct thrift_map)},
    [FORM_MAP_STRUCT] = {THRIFT_MAP, THRIFT_STRUCT, FORM_STRUCT, sizeof(struct thrift_map)},
};

const char *thrift_code_text(enum thrift_code code)
{
    static const char *const texts[] = {
        [THRIFT_OK] = "no error",
        [THRIFT_TRUNCATED] = "the data ends inside of the message",
        [THRIFT_NEGATIVE_LENGTH] = "a length is negative",
        [THRIFT_OVER_LIMIT] = "a length is over the limit",
        [THRIFT_TOO_DEEP] = "values are nested too deeply",
        [THRIFT_BAD_TYPE] = "a type number is unknown",
        [THRIFT_BAD_VERSION] = "not a message of the binary protocol",
        [THRIFT_BAD_BODY] = "the transfer coding of the body is malformed",
        [THRIFT_SOURCE_FAILED] = "reading failed",
        [THRIFT_SINK_FAILED] = "writing failed",
        [THRIFT_TOO_LONG] = "a value is too long for the protocol",
        [THRIFT_NO_MEMORY] = "out of memory",
    };
    return (size_t)code < sizeof texts / sizeof texts[0] ? texts[code] : "unknown error";
}

/* Stores a number in a field of a fixed-size form. */
static void set_number(void *at, enum thrift_form form, int64_t number)
{
    switch (form) {
    case FORM_BOOL:
        *(bool *)at = number != 0;
        break;
    case FORM_I16:
        *(int16_t *)at = (int16_t)number;
        break;
    case FORM_I32:
        *(int32_t *)at = (int32_t)number;
        break;
    case FORM_I64:
        *(int64_t *)at = number;
        break;
    default: /* no field of another form has a preset */
        break;
    }
}

void thrift_init(const struct thrift_struct *description, void *value)
{
    memset(value, 0, description->size);
    for (uint32_t i = 0; i < description->n_fields; ++i) {
        const struct thrift_field *field = &description->fields[i];
        if (field->preset != NULL) {
            set_number(thrift_at(value, field), field->form, *field->preset);
            *thrift_mask(value) |= 1u << field->index;
        }
    }
}

const struct thrift_field *thrift_find(const struct thrift_struct *description, uint32_t key)
{
    for (uint32_t i = 0; i < description->n_fields; ++i) {
        if (description->fields[i].key == key) {
            return &description->fields[i];
        }
    }
    return NULL;
}

static bool equal_bytes(const struct pb_bytes *a, const struct pb_bytes *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static bool equal_strings(const struct thrift_list *a, const struct thrift_list *b)
{
    const struct pb_bytes *x = a->items;
    const struct pb_bytes *y = b->items;
    for (size_t i = 0; i < a->count; ++i) {
        if (!equal_bytes(&x[i], &y[i])) {
            return false;
        }
    }
    return true;
}

static bool equal_list(const struct thrift_field *field, const struct thrift_list *a,
                       const struct thrift_list *b)
{
    if (a->count != b->count) {
        return false;
    }
    if (field->form == FORM_LIST_STRING || field->form == FORM_LIST_BINARY) {
        return equal_strings(a, b);
    }
    if (field->form == FORM_LIST_STRUCT) {
        for (size_t i = 0; i < a->count; ++i) {
            const size_t at = i * field->child->size;
            if (!thrift_equal(field->child, (const char *)a->items + at,
                              (const char *)b->items + at)) {
                return false;
            }
        }
        return true;
    }
    const size_t size = thrift_forms[thrift_forms[field->form].element].size;
    return a->count == 0 || memcmp(a->items, b->items, a->count * size) == 0;
}

static bool equal_entry(const struct thrift_field *field, const struct thrift_entry *a,
                        const struct thrift_entry *b)
{
    if (!equal_bytes(&a->key, &b->key)) {
        return false;
    }
    switch (field->form) {
    case FORM_MAP_STRING:
        return equal_bytes(&a->value.text, &b->value.text);
    case FORM_MAP_I32:
        return a->value.number == b->value.number;
    default:
        return thrift_equal(field->child, a->value.object, b->value.object);
    }
}

/* Keys are unique in both, so each entry of a has at most one like it in b. */
static bool equal_map(const struct thrift_field *field, const struct thrift_map *a,
                      const struct thrift_map *b)
{
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; ++i) {
        bool found = equal_entry(field, &a->entries[i], &b->entries[i]);
        for (size_t k = 0; k < b->count && !found; ++k) {
            found = equal_entry(field, &a->entries[i], &b->entries[k]);
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool equal_field(const struct thrift_field *field, const void *a, const void *b)
{
    switch (field->form) {
    case FORM_STRING:
    case FORM_BINARY:
        return equal_bytes(a, b);
    case FORM_STRUCT:
        return thrift_equal(field->child, *(void *const *)a, *(void *const *)b);
    case FORM_MAP_STRING:
    case FORM_MAP_I32:
    case FORM_MAP_STRUCT:
        return equal_map(field, a, b);
    default:
        return field->form >= FORM_LIST_BOOL ? equal_list(field, a, b)
                                             : memcmp(a, b, thrift_forms[field->form].size) == 0;
    }
}

bool thrift_equal(const struct thrift_struct *description, const void *a, const void *b)
{
    if (*(const uint32_t *)a != *(const uint32_t *)b) {
        return false;
    }
    for (uint32_t i = 0; i < description->n_fields; ++i) {
        const struct thrift_field *field = &description->fields[i];
        if (thrift_has(a, field) &&
            !equal_field(field, thrift_at_const(a, field), thrift_at_const(b, field))) {
            return false;
        }
    }
    return true;
}
