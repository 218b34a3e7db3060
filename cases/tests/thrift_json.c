/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON to values, driven by the descriptions.
 */
#include "thrift_json.h"

#include <stdlib.h>
#include <string.h>

#include "cql_json.h"

struct reader {
    struct scrap *scrap;
    const char *wrong; /* the field that is; NULL while all is well                             */
};

static struct json_object *member(struct json_object *json, const char *key)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(json, key, &value);
    return value;
}

static struct pb_bytes read_bytes(struct reader *reader, struct json_object *json)
{
    if (json_object_is_type(json, json_type_string)) {
        return (struct pb_bytes){json_object_get_string(json),
                                 (size_t)json_object_get_string_len(json)};
    }
    const char *hex = json_object_get_string(member(json, "hex"));
    const struct pb_bytes bytes = hex_read(hex != NULL ? hex : "?", reader->scrap);
    if (bytes.data == NULL && bytes.size > 0) {
        reader->wrong = "hex";
        return (struct pb_bytes){NULL, 0};
    }
    return bytes;
}

static void *read_struct(struct reader *reader, const struct thrift_struct *description,
                         struct json_object *json);

static void read_number(enum thrift_form form, int64_t number, void *at)
{
    switch (form) {
    case FORM_BOOL:
        *(bool *)at = number != 0;
        break;
    case FORM_BYTE:
        *(int8_t *)at = (int8_t)number;
        break;
    case FORM_I16:
        *(int16_t *)at = (int16_t)number;
        break;
    case FORM_I32:
        *(int32_t *)at = (int32_t)number;
        break;
    default:
        *(int64_t *)at = number;
        break;
    }
}

static void read_leaf(struct reader *reader, enum thrift_form form, struct json_object *json,
                      void *at)
{
    switch (form) {
    case FORM_STRING:
    case FORM_BINARY:
        *(struct pb_bytes *)at = read_bytes(reader, json);
        break;
    case FORM_DOUBLE: {
        const char *bits = json_object_get_string(member(json, "f64bits"));
        const uint64_t value = bits != NULL ? strtoull(bits, NULL, 16) : 0;
        memcpy(at, &value, sizeof value);
        break;
    }
    default:
        read_number(form, json_object_get_int64(json), at);
        break;
    }
}

static void read_list(struct reader *reader, const struct thrift_field *field,
                      struct json_object *json, struct thrift_list *list)
{
    const enum thrift_form form = thrift_forms[field->form].element;
    const size_t size = form == FORM_STRUCT ? field->child->size : thrift_forms[form].size;
    if (!json_object_is_type(json, json_type_array)) {
        reader->wrong = field->name;
        return;
    }
    list->count = json_object_array_length(json);
    list->items = scrap_alloc(reader->scrap, list->count * size);
    for (size_t i = 0; i < list->count && reader->wrong == NULL; ++i) {
        struct json_object *item = json_object_array_get_idx(json, i);
        char *at = (char *)list->items + i * size;
        if (form == FORM_STRUCT) {
            const void *made = read_struct(reader, field->child, item);
            if (made != NULL) {
                memcpy(at, made, size);
            }
        } else {
            read_leaf(reader, form, item, at);
        }
    }
}

static void read_map(struct reader *reader, const struct thrift_field *field,
                     struct json_object *json, struct thrift_map *map)
{
    struct json_object *pairs = member(json, "map");
    if (!json_object_is_type(pairs, json_type_array)) {
        reader->wrong = field->name;
        return;
    }
    map->count = json_object_array_length(pairs);
    map->entries = scrap_alloc(reader->scrap, map->count * sizeof *map->entries);
    for (size_t i = 0; i < map->count; ++i) {
        struct json_object *pair = json_object_array_get_idx(pairs, i);
        struct json_object *value = json_object_array_get_idx(pair, 1);
        map->entries[i].key = read_bytes(reader, json_object_array_get_idx(pair, 0));
        if (field->form == FORM_MAP_STRUCT) {
            map->entries[i].value.object = read_struct(reader, field->child, value);
        } else {
            read_leaf(reader, thrift_forms[field->form].element, value, &map->entries[i].value);
        }
    }
}

static void read_field(struct reader *reader, const struct thrift_field *field,
                       struct json_object *json, void *at)
{
    switch (field->form) {
    case FORM_STRUCT:
        *(void **)at = read_struct(reader, field->child, json);
        break;
    case FORM_MAP_STRING:
    case FORM_MAP_I32:
    case FORM_MAP_STRUCT:
        read_map(reader, field, json, at);
        break;
    default:
        if (field->form >= FORM_LIST_BOOL) {
            read_list(reader, field, json, at);
        } else {
            read_leaf(reader, field->form, json, at);
        }
        break;
    }
}

static const struct thrift_field *field_named(const struct thrift_struct *description,
                                              const char *name)
{
    for (uint32_t i = 0; i < description->n_fields; ++i) {
        if (strcmp(description->fields[i].name, name) == 0) {
            return &description->fields[i];
        }
    }
    return NULL;
}

static void *read_struct(struct reader *reader, const struct thrift_struct *description,
                         struct json_object *json)
{
    if (!json_object_is_type(json, json_type_object)) {
        reader->wrong = description->name;
        return NULL;
    }
    void *value = scrap_alloc(reader->scrap, description->size);
    struct json_object_iterator at = json_object_iter_begin(json);
    const struct json_object_iterator end = json_object_iter_end(json);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name = json_object_iter_peek_name(&at);
        const struct thrift_field *field = field_named(description, name);
        if (field == NULL) {
            reader->wrong = name;
            return NULL;
        }
        read_field(reader, field, json_object_iter_peek_value(&at), thrift_at(value, field));
        *thrift_mask(value) |= 1u << field->index;
    }
    return reader->wrong == NULL ? value : NULL;
}

void *thrift_json_read(const struct thrift_struct *description, struct json_object *json,
                       struct scrap *scrap, const char **wrong)
{
    struct reader reader = {.scrap = scrap};
    void *value = read_struct(&reader, description, json);
    *wrong = reader.wrong;
    return value;
}
