/* SPDX-License-Identifier: Apache-2.0
 *
 * The new encoder: the whole message in the sink's memory, then one write.
 *
 * It writes into what room the sink has. When a message turns out to be larger, twice the room is
 * asked for and it is written again: that happens while the sink grows, not for each message.
 */
#include <string.h>

#include "bytes/big_endian.h"
#include "bytes/short_copy.h"
#include "thrift/thrift_encode.h"

/* The head of a field with a value of fixed size, or of a container: 3 + 8 bytes, and a stop. */
#define HEAD_BYTES ((size_t)12)

/* What a sink without memory is asked for first. */
#define FIRST_ROOM_BYTES ((size_t)512)

struct writer {
    unsigned char *at;
    size_t room; /* bytes                                                                       */
    enum thrift_code code;
};

/* Leaving an encoder with this code means that the room was too small. */
#define NO_ROOM THRIFT_SINK_FAILED

/* Functions return false with writer->code set. */
static bool fail(struct writer *writer, enum thrift_code code)
{
    writer->code = code;
    return false;
}

static inline bool has_room(struct writer *writer, size_t size)
{
    return __builtin_expect(size <= writer->room, 1) || fail(writer, NO_ROOM);
}

static inline void advance(struct writer *writer, size_t size)
{
    writer->at += size;
    writer->room -= size;
}

/* The put functions below expect room for HEAD_BYTES or for what they say they need. */
static inline void put_u8(struct writer *writer, uint8_t value)
{
    *writer->at = value;
    advance(writer, 1);
}

static inline void put_u32(struct writer *writer, uint32_t value)
{
    store_be32(writer->at, value);
    advance(writer, 4);
}

static inline bool put_string(struct writer *writer, const struct pb_bytes *string)
{
    const size_t size = string->size;
    if (size > INT32_MAX) {
        return fail(writer, THRIFT_TOO_LONG);
    }
    if (!has_room(writer, 4 + size)) {
        return false;
    }
    store_be32(writer->at, (uint32_t)size);
    short_copy(writer->at + 4, string->data, size);
    advance(writer, 4 + size);
    return true;
}

static bool put_struct(struct writer *writer, const struct thrift_struct *description,
                       const void *value, unsigned depth);

static void convert(enum thrift_form form, unsigned char *to, const unsigned char *from, size_t n)
{
    switch (form) {
    case FORM_I16:
        for (size_t i = 0; i < n; ++i) {
            store_be16(to + 2 * i, ((const uint16_t *)from)[i]);
        }
        break;
    case FORM_I32:
        for (size_t i = 0; i < n; ++i) {
            store_be32(to + 4 * i, ((const uint32_t *)from)[i]);
        }
        break;
    case FORM_I64:
    case FORM_DOUBLE:
        for (size_t i = 0; i < n; ++i) {
            uint64_t bits;
            memcpy(&bits, from + 8 * i, sizeof bits);
            store_be64(to + 8 * i, bits);
        }
        break;
    default: /* one byte each: a bool holds 0 or 1 */
        memcpy(to, from, n);
        break;
    }
}

static bool put_numbers(struct writer *writer, enum thrift_form form,
                        const struct thrift_list *list)
{
    const size_t size = list->count * thrift_forms[form].size;
    if (!has_room(writer, size)) {
        return false;
    }
    convert(form, writer->at, list->items, list->count);
    advance(writer, size);
    return true;
}

static bool put_items(struct writer *writer, const struct thrift_field *field,
                      const struct thrift_list *list, unsigned depth)
{
    const enum thrift_form form = thrift_forms[field->form].element;
    const char *at = list->items;
    if (form == FORM_STRING || form == FORM_BINARY) {
        const struct pb_bytes *strings = list->items;
        for (size_t i = 0; i < list->count; ++i) {
            if (!put_string(writer, &strings[i])) {
                return false;
            }
        }
        return true;
    }
    if (form != FORM_STRUCT) {
        return list->count == 0 || put_numbers(writer, form, list);
    }
    for (size_t i = 0; i < list->count; ++i, at += field->child->size) {
        if (!put_struct(writer, field->child, at, depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool put_list(struct writer *writer, const struct thrift_field *field,
                     const struct thrift_list *list, unsigned depth)
{
    if (list->count > INT32_MAX) {
        return fail(writer, THRIFT_TOO_LONG);
    }
    put_u8(writer, thrift_forms[field->form].element_wire);
    put_u32(writer, (uint32_t)list->count);
    return put_items(writer, field, list, depth);
}

static bool put_entry(struct writer *writer, const struct thrift_field *field,
                      const struct thrift_entry *entry, unsigned depth)
{
    if (!put_string(writer, &entry->key)) {
        return false;
    }
    switch (field->form) {
    case FORM_MAP_STRING:
        return put_string(writer, &entry->value.text);
    case FORM_MAP_I32:
        if (!has_room(writer, 4)) {
            return false;
        }
        put_u32(writer, (uint32_t)entry->value.number);
        return true;
    default:
        return put_struct(writer, field->child, entry->value.object, depth + 1);
    }
}

static bool put_map(struct writer *writer, const struct thrift_field *field,
                    const struct thrift_map *map, unsigned depth)
{
    if (map->count > INT32_MAX) {
        return fail(writer, THRIFT_TOO_LONG);
    }
    put_u8(writer, THRIFT_STRING);
    put_u8(writer, thrift_forms[field->form].element_wire);
    put_u32(writer, (uint32_t)map->count);
    for (size_t i = 0; i < map->count; ++i) {
        if (!put_entry(writer, field, &map->entries[i], depth)) {
            return false;
        }
    }
    return true;
}

/* There is room for HEAD_BYTES. */
static inline bool put_field(struct writer *writer, const struct thrift_field *field,
                             const void *at, unsigned depth)
{
    store_be32(writer->at, field->key << 8);
    advance(writer, 3);
    switch (field->form) {
    case FORM_BOOL:
    case FORM_BYTE:
        put_u8(writer, *(const uint8_t *)at);
        return true;
    case FORM_I16:
        store_be16(writer->at, *(const uint16_t *)at);
        advance(writer, 2);
        return true;
    case FORM_I32:
        put_u32(writer, *(const uint32_t *)at);
        return true;
    case FORM_I64:
    case FORM_DOUBLE: {
        uint64_t bits;
        memcpy(&bits, at, sizeof bits);
        store_be64(writer->at, bits);
        advance(writer, 8);
        return true;
    }
    case FORM_STRING:
    case FORM_BINARY:
        return put_string(writer, at);
    case FORM_STRUCT:
        return put_struct(writer, field->child, *(void *const *)at, depth + 1);
    case FORM_MAP_STRING:
    case FORM_MAP_I32:
    case FORM_MAP_STRUCT:
        return put_map(writer, field, at, depth);
    default:
        return put_list(writer, field, at, depth);
    }
}

static bool put_struct(struct writer *writer, const struct thrift_struct *description,
                       const void *value, unsigned depth)
{
    if (depth > THRIFT_MAX_DEPTH) {
        return fail(writer, THRIFT_TOO_DEEP);
    }
    uint32_t present = *(const uint32_t *)value;
    while (present != 0) {
        const struct thrift_field *field = &description->fields[__builtin_ctz(present)];
        if (!has_room(writer, HEAD_BYTES) ||
            !put_field(writer, field, thrift_at_const(value, field), depth)) {
            return false;
        }
        present &= present - 1;
    }
    if (!has_room(writer, 1)) {
        return false;
    }
    put_u8(writer, THRIFT_STOP);
    return true;
}

static bool put_message(struct writer *writer, const struct thrift_message *message,
                        const struct thrift_struct *description, const void *value)
{
    if (message != NULL) {
        if (!has_room(writer, HEAD_BYTES)) {
            return false;
        }
        if (!message->old_style) {
            put_u32(writer, THRIFT_VERSION_1 | (uint8_t)message->type);
        }
        if (!put_string(writer, &message->name) || !has_room(writer, HEAD_BYTES)) {
            return false;
        }
        if (message->old_style) {
            put_u8(writer, (uint8_t)message->type);
        }
        put_u32(writer, (uint32_t)message->sequence);
    }
    return put_struct(writer, description, value, 1);
}

enum thrift_code thrift_encode_new(struct sink *sink, const struct thrift_message *message,
                                   const struct thrift_struct *description, const void *value)
{
    size_t room = sink->room < FIRST_ROOM_BYTES ? FIRST_ROOM_BYTES : sink->room;
    for (;;) {
        struct writer writer = {.at = sink_reserve(sink, room), .room = room};
        if (writer.at == NULL) {
            return THRIFT_SINK_FAILED;
        }
        if (put_message(&writer, message, description, value)) {
            return sink_commit(sink, room - writer.room) == 0 ? THRIFT_OK : THRIFT_SINK_FAILED;
        }
        if (writer.code != NO_ROOM) {
            return writer.code;
        }
        room = room < SINK_LIMIT_BYTES / 2 ? 2 * room : SINK_LIMIT_BYTES + 1;
    }
}
