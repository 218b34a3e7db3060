/* SPDX-License-Identifier: Apache-2.0
 *
 * The generic path: one read through the transport for each primitive, as generated code for a
 * scripting language does it. A type, an id, a length and a payload are four reads.
 */
#include <string.h>

#include "bytes/big_endian.h"
#include "thrift/thrift_paths.h"

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const enum thrift_code code_ = (call);                                                     \
        if (code_ != THRIFT_OK) {                                                                  \
            return code_;                                                                          \
        }                                                                                          \
    } while (0)

static enum thrift_code read_u8(struct thrift_decoder *decoder, uint8_t *value)
{
    return thrift_transport_read(&decoder->transport, value, 1);
}

static enum thrift_code read_u16(struct thrift_decoder *decoder, uint16_t *value)
{
    unsigned char bytes[2];
    TRY(thrift_transport_read(&decoder->transport, bytes, sizeof bytes));
    *value = load_be16(bytes);
    return THRIFT_OK;
}

static enum thrift_code read_u32(struct thrift_decoder *decoder, uint32_t *value)
{
    unsigned char bytes[4];
    TRY(thrift_transport_read(&decoder->transport, bytes, sizeof bytes));
    *value = load_be32(bytes);
    return THRIFT_OK;
}

static enum thrift_code read_u64(struct thrift_decoder *decoder, uint64_t *value)
{
    unsigned char bytes[8];
    TRY(thrift_transport_read(&decoder->transport, bytes, sizeof bytes));
    *value = load_be64(bytes);
    return THRIFT_OK;
}

static enum thrift_code read_length(struct thrift_decoder *decoder, uint32_t *size)
{
    TRY(read_u32(decoder, size));
    if (*size > INT32_MAX) {
        return THRIFT_NEGATIVE_LENGTH;
    }
    return *size > decoder->limits.string_bytes ? THRIFT_OVER_LIMIT : THRIFT_OK;
}

static enum thrift_code read_string(struct thrift_decoder *decoder, struct pb_bytes *string)
{
    uint32_t size;
    TRY(read_length(decoder, &size));
    string->size = size;
    return thrift_transport_field(&decoder->transport, size, &string->data);
}

/* The head of a list or a set. */
static enum thrift_code read_list_head(struct thrift_decoder *decoder, uint8_t *type,
                                       uint32_t *count)
{
    TRY(read_u8(decoder, type));
    TRY(read_u32(decoder, count));
    return thrift_check_container(&decoder->limits, thrift_type_bit(*type), *count);
}

static enum thrift_code read_map_head(struct thrift_decoder *decoder, uint8_t *key_type,
                                      uint8_t *type, uint32_t *count)
{
    TRY(read_u8(decoder, key_type));
    TRY(read_u8(decoder, type));
    TRY(read_u32(decoder, count));
    return thrift_check_container(&decoder->limits,
                                  thrift_type_bit(*key_type) | thrift_type_bit(*type), *count);
}

static enum thrift_code skip(struct thrift_decoder *decoder, uint8_t type, unsigned depth);

static enum thrift_code skip_struct(struct thrift_decoder *decoder, unsigned depth)
{
    for (;;) {
        uint8_t type;
        uint16_t id;
        TRY(read_u8(decoder, &type));
        if (type == THRIFT_STOP) {
            return THRIFT_OK;
        }
        TRY(read_u16(decoder, &id));
        TRY(skip(decoder, type, depth + 1));
    }
}

static enum thrift_code skip_container(struct thrift_decoder *decoder, bool map, unsigned depth)
{
    uint8_t key_type = THRIFT_STOP;
    uint8_t type;
    uint32_t count;
    TRY(map ? read_map_head(decoder, &key_type, &type, &count)
            : read_list_head(decoder, &type, &count));
    for (uint32_t i = 0; i < count; ++i) {
        if (map) {
            TRY(skip(decoder, key_type, depth + 1));
        }
        TRY(skip(decoder, type, depth + 1));
    }
    return THRIFT_OK;
}

/* depth: the level of the value that is skipped */
static enum thrift_code skip(struct thrift_decoder *decoder, uint8_t type, unsigned depth)
{
    uint32_t size;
    if (depth > THRIFT_MAX_DEPTH) {
        return THRIFT_TOO_DEEP;
    }
    switch (type) {
    case THRIFT_STRING:
        TRY(read_length(decoder, &size));
        return thrift_transport_skip(&decoder->transport, size);
    case THRIFT_STRUCT:
        return skip_struct(decoder, depth);
    case THRIFT_MAP:
        return skip_container(decoder, true, depth);
    case THRIFT_SET:
    case THRIFT_LIST:
        return skip_container(decoder, false, depth);
    default:
        size = (uint32_t)thrift_fixed_size(type);
        return size == 0 ? THRIFT_BAD_TYPE : thrift_transport_skip(&decoder->transport, size);
    }
}

static enum thrift_code read_struct(struct thrift_decoder *decoder,
                                    const struct thrift_struct *description, void *value,
                                    unsigned depth);

/* A value of a fixed size, or a string. */
static enum thrift_code read_leaf(struct thrift_decoder *decoder, enum thrift_form form, void *at)
{
    uint8_t byte = 0;
    switch (form) {
    case FORM_BOOL:
        TRY(read_u8(decoder, &byte));
        *(bool *)at = byte != 0;
        return THRIFT_OK;
    case FORM_BYTE:
        return read_u8(decoder, at);
    case FORM_I16:
        return read_u16(decoder, at);
    case FORM_I32:
        return read_u32(decoder, at);
    case FORM_I64:
    case FORM_DOUBLE: {
        uint64_t bits;
        TRY(read_u64(decoder, &bits));
        memcpy(at, &bits, sizeof bits);
        return THRIFT_OK;
    }
    default:
        return read_string(decoder, at);
    }
}

static enum thrift_code read_list(struct thrift_decoder *decoder, const struct thrift_field *field,
                                  struct thrift_list *list, unsigned depth)
{
    const enum thrift_form form = thrift_forms[field->form].element;
    struct thrift_items items = {.size = form == FORM_STRUCT ? field->child->size
                                                             : thrift_forms[form].size};
    uint8_t type;
    uint32_t count;
    TRY(read_list_head(decoder, &type, &count));
    if (count > 0 && !thrift_items_init(&items, &decoder->memory, count, form != FORM_STRUCT)) {
        return THRIFT_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (i == items.capacity && !thrift_items_grow(&items, &decoder->memory, count)) {
            return THRIFT_NO_MEMORY;
        }
        unsigned char *at = items.data + i * items.size;
        if (form == FORM_STRUCT) {
            *thrift_mask(at) = 0;
            TRY(read_struct(decoder, field->child, at, depth + 1));
        } else {
            TRY(read_leaf(decoder, form, at));
        }
    }
    *list = (struct thrift_list){.items = items.data, .count = count};
    return THRIFT_OK;
}

static enum thrift_code new_struct(struct thrift_decoder *decoder,
                                   const struct thrift_struct *description, void **value)
{
    *value = reply_alloc(&decoder->memory, description->size);
    if (*value == NULL) {
        return THRIFT_NO_MEMORY;
    }
    *thrift_mask(*value) = 0;
    return THRIFT_OK;
}

static enum thrift_code read_entry(struct thrift_decoder *decoder, const struct thrift_field *field,
                                   struct thrift_entry *entry, unsigned depth)
{
    TRY(read_string(decoder, &entry->key));
    switch (field->form) {
    case FORM_MAP_STRING:
        return read_string(decoder, &entry->value.text);
    case FORM_MAP_I32:
        return read_leaf(decoder, FORM_I32, &entry->value.number);
    default:
        TRY(new_struct(decoder, field->child, &entry->value.object));
        return read_struct(decoder, field->child, entry->value.object, depth + 1);
    }
}

static enum thrift_code read_map(struct thrift_decoder *decoder, const struct thrift_field *field,
                                 struct thrift_map *map, unsigned depth)
{
    struct thrift_items items = {.size = sizeof(struct thrift_entry)};
    uint8_t key_type;
    uint8_t type;
    uint32_t count;
    TRY(read_map_head(decoder, &key_type, &type, &count));
    if (count > 0 && !thrift_items_init(&items, &decoder->memory, count, false)) {
        return THRIFT_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (i == items.capacity && !thrift_items_grow(&items, &decoder->memory, count)) {
            return THRIFT_NO_MEMORY;
        }
        TRY(read_entry(decoder, field, (struct thrift_entry *)items.data + i, depth));
    }
    *map = (struct thrift_map){.entries = (struct thrift_entry *)items.data, .count = count};
    return thrift_map_unique(&decoder->memory, field, map) ? THRIFT_OK : THRIFT_NO_MEMORY;
}

static enum thrift_code read_field(struct thrift_decoder *decoder, const struct thrift_field *field,
                                   void *value, unsigned depth)
{
    void *at = thrift_at(value, field);
    switch (field->form) {
    case FORM_STRUCT:
        if (!thrift_has(value, field)) {
            TRY(new_struct(decoder, field->child, at));
        }
        return read_struct(decoder, field->child, *(void **)at, depth + 1);
    case FORM_MAP_STRING:
    case FORM_MAP_I32:
    case FORM_MAP_STRUCT:
        return read_map(decoder, field, at, depth);
    default:
        return field->form >= FORM_LIST_BOOL ? read_list(decoder, field, at, depth)
                                             : read_leaf(decoder, field->form, at);
    }
}

static enum thrift_code read_struct(struct thrift_decoder *decoder,
                                    const struct thrift_struct *description, void *value,
                                    unsigned depth)
{
    if (depth > THRIFT_MAX_DEPTH) {
        return THRIFT_TOO_DEEP;
    }
    for (;;) {
        uint8_t type;
        uint16_t id;
        TRY(read_u8(decoder, &type));
        if (type == THRIFT_STOP) {
            return THRIFT_OK;
        }
        TRY(read_u16(decoder, &id));
        const struct thrift_field *field = thrift_find(description, (uint32_t)type << 16 | id);
        if (field == NULL) {
            TRY(skip(decoder, type, depth + 1));
        } else {
            TRY(read_field(decoder, field, value, depth));
            *thrift_mask(value) |= 1u << field->index;
        }
    }
}

enum thrift_code thrift_generic_struct(struct thrift_decoder *decoder,
                                       const struct thrift_struct *description, void *value)
{
    return read_struct(decoder, description, value, 1);
}
