/* SPDX-License-Identifier: Apache-2.0
 *
 * The old encoder: one write for each primitive, an empty payload included.
 */
#include <string.h>

#include "bytes/big_endian.h"
#include "thrift/thrift_encode.h"

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const enum thrift_code code_ = (call);                                                     \
        if (code_ != THRIFT_OK) {                                                                  \
            return code_;                                                                          \
        }                                                                                          \
    } while (0)

static enum thrift_code put(struct sink *sink, const void *data, size_t size)
{
    return sink_write(sink, data, size) == 0 ? THRIFT_OK : THRIFT_SINK_FAILED;
}

static enum thrift_code put_u8(struct sink *sink, uint8_t value)
{
    return put(sink, &value, 1);
}

static enum thrift_code put_u16(struct sink *sink, uint16_t value)
{
    unsigned char bytes[2];
    store_be16(bytes, value);
    return put(sink, bytes, sizeof bytes);
}

static enum thrift_code put_u32(struct sink *sink, uint32_t value)
{
    unsigned char bytes[4];
    store_be32(bytes, value);
    return put(sink, bytes, sizeof bytes);
}

static enum thrift_code put_length(struct sink *sink, size_t length)
{
    return length > INT32_MAX ? THRIFT_TOO_LONG : put_u32(sink, (uint32_t)length);
}

static enum thrift_code put_string(struct sink *sink, const struct pb_bytes *string)
{
    TRY(put_length(sink, string->size));
    return put(sink, string->data, string->size);
}

static enum thrift_code put_struct(struct sink *sink, const struct thrift_struct *description,
                                   const void *value, unsigned depth);

/* A value of a fixed size, or a string. */
static enum thrift_code put_leaf(struct sink *sink, enum thrift_form form, const void *at)
{
    switch (form) {
    case FORM_BOOL:
        return put_u8(sink, *(const bool *)at);
    case FORM_BYTE:
        return put_u8(sink, *(const uint8_t *)at);
    case FORM_I16:
        return put_u16(sink, *(const uint16_t *)at);
    case FORM_I32:
        return put_u32(sink, *(const uint32_t *)at);
    case FORM_I64:
    case FORM_DOUBLE: {
        uint64_t bits;
        unsigned char bytes[8];
        memcpy(&bits, at, sizeof bits);
        store_be64(bytes, bits);
        return put(sink, bytes, sizeof bytes);
    }
    default:
        return put_string(sink, at);
    }
}

static enum thrift_code put_list(struct sink *sink, const struct thrift_field *field,
                                 const struct thrift_list *list, unsigned depth)
{
    const enum thrift_form form = thrift_forms[field->form].element;
    const bool structs = form == FORM_STRUCT;
    const size_t size = structs ? field->child->size : thrift_forms[form].size;
    const char *at = list->items;
    TRY(put_u8(sink, thrift_forms[field->form].element_wire));
    TRY(put_length(sink, list->count));
    for (size_t i = 0; i < list->count; ++i, at += size) {
        TRY(structs ? put_struct(sink, field->child, at, depth + 1) : put_leaf(sink, form, at));
    }
    return THRIFT_OK;
}

static enum thrift_code put_map(struct sink *sink, const struct thrift_field *field,
                                const struct thrift_map *map, unsigned depth)
{
    TRY(put_u8(sink, THRIFT_STRING));
    TRY(put_u8(sink, thrift_forms[field->form].element_wire));
    TRY(put_length(sink, map->count));
    for (size_t i = 0; i < map->count; ++i) {
        const struct thrift_entry *entry = &map->entries[i];
        TRY(put_string(sink, &entry->key));
        switch (field->form) {
        case FORM_MAP_STRING:
            TRY(put_string(sink, &entry->value.text));
            break;
        case FORM_MAP_I32:
            TRY(put_u32(sink, (uint32_t)entry->value.number));
            break;
        default:
            TRY(put_struct(sink, field->child, entry->value.object, depth + 1));
            break;
        }
    }
    return THRIFT_OK;
}

static enum thrift_code put_field(struct sink *sink, const struct thrift_field *field,
                                  const void *at, unsigned depth)
{
    TRY(put_u8(sink, (uint8_t)(field->key >> 16)));
    TRY(put_u16(sink, (uint16_t)field->key));
    switch (field->form) {
    case FORM_STRUCT:
        return put_struct(sink, field->child, *(void *const *)at, depth + 1);
    case FORM_MAP_STRING:
    case FORM_MAP_I32:
    case FORM_MAP_STRUCT:
        return put_map(sink, field, at, depth);
    default:
        return field->form >= FORM_LIST_BOOL ? put_list(sink, field, at, depth)
                                             : put_leaf(sink, field->form, at);
    }
}

static enum thrift_code put_struct(struct sink *sink, const struct thrift_struct *description,
                                   const void *value, unsigned depth)
{
    if (depth > THRIFT_MAX_DEPTH) {
        return THRIFT_TOO_DEEP;
    }
    for (uint32_t i = 0; i < description->n_fields; ++i) {
        const struct thrift_field *field = &description->fields[i];
        if (thrift_has(value, field)) {
            TRY(put_field(sink, field, thrift_at_const(value, field), depth));
        }
    }
    return put_u8(sink, THRIFT_STOP);
}

static enum thrift_code put_header(struct sink *sink, const struct thrift_message *message)
{
    if (message->old_style) {
        TRY(put_string(sink, &message->name));
        TRY(put_u8(sink, (uint8_t)message->type));
    } else {
        TRY(put_u32(sink, THRIFT_VERSION_1 | (uint8_t)message->type));
        TRY(put_string(sink, &message->name));
    }
    return put_u32(sink, (uint32_t)message->sequence);
}

enum thrift_code thrift_encode_old(struct sink *sink, const struct thrift_message *message,
                                   const struct thrift_struct *description, const void *value)
{
    if (message != NULL) {
        TRY(put_header(sink, message));
    }
    return put_struct(sink, description, value, 1);
}
