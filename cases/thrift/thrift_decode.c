/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry of the decoders, the header of messages, and what both paths share.
 */
#include "thrift/thrift_decode.h"

#include <stdlib.h>
#include <string.h>

#include "bytes/big_endian.h"
#include "thrift/tcli.h"
#include "thrift/thrift_encode.h"
#include "thrift/thrift_paths.h"

/* Fewer keys than this are compared each with each. */
#define FEW_KEYS ((size_t)16)

#define VERSION_MASK 0xFFFF0000u

bool thrift_items_grow(struct thrift_items *items, struct reply_memory *memory, size_t count)
{
    const size_t used = items->capacity * items->size;
    items->capacity = items->capacity < count / 2 ? 2 * items->capacity : count;
    unsigned char *data = reply_alloc(memory, items->capacity * items->size);
    if (data == NULL) {
        return false;
    }
    memcpy(data, items->data, used);
    items->data = data;
    return true;
}

/* Lets `to` have the value of `from`; structs are merged field by field. */
static void merge_struct(const struct thrift_struct *description, void *to, void *from)
{
    for (uint32_t i = 0; i < description->n_fields; ++i) {
        const struct thrift_field *field = &description->fields[i];
        void *into = thrift_at(to, field);
        void *out_of = thrift_at(from, field);
        if (!thrift_has(from, field)) {
            continue;
        }
        if (field->form == FORM_STRUCT && thrift_has(to, field)) {
            merge_struct(field->child, *(void **)into, *(void **)out_of);
        } else {
            memcpy(into, out_of, thrift_forms[field->form].size);
        }
    }
    *thrift_mask(to) |= *thrift_mask(from);
}

static void merge_entry(const struct thrift_field *field, struct thrift_entry *to,
                        const struct thrift_entry *from)
{
    if (field->form == FORM_MAP_STRUCT) {
        merge_struct(field->child, to->value.object, from->value.object);
    } else {
        to->value = from->value;
    }
}

static bool same_key(const struct thrift_entry *a, const struct thrift_entry *b)
{
    return a->key.size == b->key.size &&
           (a->key.size == 0 || memcmp(a->key.data, b->key.data, a->key.size) == 0);
}

/* By key, then by place. The arguments point to pointers into one array. */
static int compare_entries(const void *x, const void *y)
{
    const struct thrift_entry *a = *(const struct thrift_entry *const *)x;
    const struct thrift_entry *b = *(const struct thrift_entry *const *)y;
    const size_t shorter = a->key.size < b->key.size ? a->key.size : b->key.size;
    const int order = shorter == 0 ? 0 : memcmp(a->key.data, b->key.data, shorter);
    if (order != 0) {
        return order;
    }
    if (a->key.size != b->key.size) {
        return a->key.size < b->key.size ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

/* Drops the entries whose key has no data any more, which is how a repeated one is marked. */
static void drop_marked(struct thrift_map *map)
{
    size_t kept = 0;
    for (size_t i = 0; i < map->count; ++i) {
        if (map->entries[i].key.data != NULL) {
            map->entries[kept++] = map->entries[i];
        }
    }
    map->count = kept;
}

static void unique_few(const struct thrift_field *field, struct thrift_map *map)
{
    size_t kept = 0;
    for (size_t i = 0; i < map->count; ++i) {
        size_t k = 0;
        while (k < kept && !same_key(&map->entries[k], &map->entries[i])) {
            ++k;
        }
        if (k < kept) {
            merge_entry(field, &map->entries[k], &map->entries[i]);
        } else {
            map->entries[kept++] = map->entries[i];
        }
    }
    map->count = kept;
}

bool thrift_map_unique(struct reply_memory *memory, const struct thrift_field *field,
                       struct thrift_map *map)
{
    if (map->count < FEW_KEYS) {
        unique_few(field, map);
        return true;
    }
    /* Sorted, not hashed: the peer chooses the keys. */
    struct thrift_entry **sorted = reply_alloc(memory, map->count * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (size_t i = 0; i < map->count; ++i) {
        sorted[i] = &map->entries[i];
    }
    qsort(sorted, map->count, sizeof *sorted, compare_entries);
    struct thrift_entry *first = sorted[0];
    for (size_t i = 1; i < map->count; ++i) {
        if (same_key(first, sorted[i])) {
            merge_entry(field, first, sorted[i]);
            sorted[i]->key.data = NULL;
        } else {
            first = sorted[i];
        }
    }
    drop_marked(map);
    return true;
}

void thrift_decoder_init(struct thrift_decoder *decoder)
{
    *decoder = (struct thrift_decoder){
        .limits = {.string_bytes = THRIFT_NO_LIMIT, .container_items = THRIFT_NO_LIMIT},
    };
    reply_memory_init(&decoder->memory);
}

void thrift_decoder_flush(struct thrift_decoder *decoder)
{
    reply_memory_drop(&decoder->memory);
}

void thrift_decoder_release(struct thrift_decoder *decoder)
{
    thrift_decoder_flush(decoder);
    *decoder = (struct thrift_decoder){.path = THRIFT_PATH_NONE};
}

static enum thrift_code read_u32(struct thrift_decoder *decoder, uint32_t *value)
{
    unsigned char bytes[4];
    const enum thrift_code code = thrift_transport_read(&decoder->transport, bytes, sizeof bytes);
    if (code == THRIFT_OK) {
        *value = load_be32(bytes);
    }
    return code;
}

static enum thrift_code read_name(struct thrift_decoder *decoder, uint32_t size,
                                  struct pb_bytes *name)
{
    if (size > INT32_MAX) {
        return THRIFT_NEGATIVE_LENGTH;
    }
    if (size > decoder->limits.string_bytes) {
        return THRIFT_OVER_LIMIT;
    }
    name->size = size;
    return thrift_transport_field(&decoder->transport, size, &name->data);
}

static enum thrift_code read_header(struct thrift_decoder *decoder, struct thrift_message *message)
{
    uint32_t first;
    uint32_t sequence;
    enum thrift_code code = read_u32(decoder, &first);
    if (code != THRIFT_OK) {
        return code;
    }
    *message = (struct thrift_message){.old_style = first <= INT32_MAX};
    if (message->old_style) {
        uint8_t type;
        code = read_name(decoder, first, &message->name);
        if (code == THRIFT_OK) {
            code = thrift_transport_read(&decoder->transport, &type, 1);
        }
        if (code == THRIFT_OK) {
            message->type = type < 128 ? type : type - 256; /* it is signed here */
        }
    } else {
        uint32_t size;
        if ((first & VERSION_MASK) != THRIFT_VERSION_1) {
            return THRIFT_BAD_VERSION;
        }
        message->type = (int32_t)(first & 0xFF);
        code = read_u32(decoder, &size);
        if (code == THRIFT_OK) {
            code = read_name(decoder, size, &message->name);
        }
    }
    if (code == THRIFT_OK) {
        code = read_u32(decoder, &sequence);
    }
    if (code == THRIFT_OK) {
        message->sequence = (int32_t)sequence;
    }
    return code;
}

static void begin(struct thrift_decoder *decoder, enum transport_kind kind, struct source *body)
{
    reply_memory_begin(&decoder->memory);
    thrift_transport_init(&decoder->transport, kind, body, &decoder->memory);
    if (decoder->large_fields) {
        thrift_transport_expect_large(&decoder->transport);
    }
}

static enum thrift_code read_body(struct thrift_decoder *decoder,
                                  const struct thrift_struct *description, void **value)
{
    void *made = reply_alloc(&decoder->memory, description->size);
    if (made == NULL) {
        return THRIFT_NO_MEMORY;
    }
    *thrift_mask(made) = 0;
    const bool fast = decoder->transport.kind == TRANSPORT_BUFFERED && !decoder->generic_only;
    decoder->path = fast ? THRIFT_PATH_FAST : THRIFT_PATH_GENERIC;
    const enum thrift_code code = fast ? thrift_fast_struct(decoder, description, made)
                                       : thrift_generic_struct(decoder, description, made);
    if (code == THRIFT_OK) {
        *value = made;
    }
    return code;
}

/* A reply that failed has no claim to its memory beyond what may stay idle. */
static enum thrift_code finish(struct thrift_decoder *decoder, enum thrift_code code)
{
    if (code != THRIFT_OK) {
        reply_memory_begin(&decoder->memory);
    }
    decoder->large_fields = decoder->transport.n_own > 0;
    reply_memory_trim(&decoder->memory);
    return code;
}

enum thrift_code thrift_decode_message(struct thrift_decoder *decoder, enum transport_kind kind,
                                       struct source *body, const struct thrift_struct *result,
                                       struct thrift_reply *reply)
{
    struct thrift_reply made;
    begin(decoder, kind, body);
    enum thrift_code code = read_header(decoder, &made.message);
    if (code == THRIFT_OK) {
        made.description =
            made.message.type == THRIFT_EXCEPTION ? &thrift_TApplicationException : result;
        code = read_body(decoder, made.description, &made.value);
    }
    if (code == THRIFT_OK) {
        *reply = made;
    }
    return finish(decoder, code);
}

enum thrift_code thrift_decode_header(struct thrift_decoder *decoder, enum transport_kind kind,
                                      struct source *body, struct thrift_message *message)
{
    struct thrift_message made;
    begin(decoder, kind, body);
    const enum thrift_code code = read_header(decoder, &made);
    if (code == THRIFT_OK) {
        *message = made;
    }
    return finish(decoder, code);
}

enum thrift_code thrift_decode_struct(struct thrift_decoder *decoder, enum transport_kind kind,
                                      struct source *body, const struct thrift_struct *description,
                                      void **value)
{
    begin(decoder, kind, body);
    return finish(decoder, read_body(decoder, description, value));
}
