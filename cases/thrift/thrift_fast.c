/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast path: a cursor over the window of the buffered transport. Strings are not copied; they
 * point into the window's chunk.
 *
 * Here is what is rare, large or generic. The readers of the known structs are made from the list
 * of their fields, in their own file, and come here when a struct is not as they expect it.
 */
#include "thrift/thrift_fast.h"

#include <string.h>

cursor fast_fail(struct fast *fast, enum thrift_code code)
{
    fast->code = code;
    return NULL;
}

static cursor fail_at_end(struct fast *fast)
{
    return fast_fail(fast, thrift_transport_end(fast->transport));
}

/* Asks for n bytes at the cursor; there may be fewer afterwards. */
static cursor refill(struct fast *fast, cursor at, ptrdiff_t n)
{
    struct thrift_transport *transport = fast->transport;
    transport->next = at;
    const enum thrift_code code = thrift_transport_window(transport, (size_t)n);
    fast->end = transport->end;
    return code == THRIFT_OK ? transport->next : fast_fail(fast, code);
}

cursor fast_more(struct fast *fast, cursor at, ptrdiff_t n)
{
    if (fast_left(fast, at) < 0) {
        return fail_at_end(fast);
    }
    at = refill(fast, at, n);
    return at != NULL && fast_left(fast, at) < n ? fail_at_end(fast) : at;
}

cursor fast_more_head(struct fast *fast, cursor at)
{
    /* What a field of each type has at least, behind its type and id. */
    static const uint8_t sizes[16] = {
        [THRIFT_BOOL] = 1,   [THRIFT_BYTE] = 1,   [THRIFT_I16] = 2,  [THRIFT_I32] = 4,
        [THRIFT_I64] = 8,    [THRIFT_DOUBLE] = 8, [THRIFT_MAP] = 6,  [THRIFT_STRING] = 4,
        [THRIFT_STRUCT] = 1, [THRIFT_SET] = 5,    [THRIFT_LIST] = 5,
    };
    at = fast_need(fast, at, 1);
    if (at == NULL || *at == THRIFT_STOP) {
        return at;
    }
    at = fast_need(fast, at, 3);
    if (at == NULL) {
        return NULL;
    }
    const ptrdiff_t n = 3 + (*at < sizeof sizes ? sizes[*at] : 0);
    return fast_left(fast, at) < n ? refill(fast, at, n) : at;
}

/* Hands the cursor to the transport, and takes it back from there. */
static cursor take_field(struct fast *fast, cursor at, uint32_t size, const void **data)
{
    fast->transport->next = at;
    const enum thrift_code code = thrift_transport_field(fast->transport, size, data);
    fast->end = fast->transport->end;
    return code == THRIFT_OK ? fast->transport->next : fast_fail(fast, code);
}

/* returns: behind the length */
static cursor read_length(struct fast *fast, cursor at, uint32_t *size)
{
    at = fast_need(fast, at, 4);
    if (at == NULL) {
        return NULL;
    }
    *size = load_be32(at);
    if (*size > INT32_MAX) {
        return fast_fail(fast, THRIFT_NEGATIVE_LENGTH);
    }
    return *size > fast->limits.string_bytes ? fast_fail(fast, THRIFT_OVER_LIMIT) : at + 4;
}

cursor fast_string_slowly(struct fast *fast, cursor at, struct pb_bytes *string)
{
    uint32_t size;
    at = read_length(fast, at, &size);
    if (at == NULL) {
        return NULL;
    }
    string->size = size;
    return take_field(fast, at, size, &string->data);
}

static cursor skip_bytes(struct fast *fast, cursor at, size_t size)
{
    if (fast_left(fast, at) >= (ptrdiff_t)size) {
        return at + size;
    }
    fast->transport->next = at;
    const enum thrift_code code = thrift_transport_skip(fast->transport, size);
    fast->end = fast->transport->end;
    return code == THRIFT_OK ? fast->transport->next : fast_fail(fast, code);
}

/* What a map begins with; a list or a set has no keys. */
struct map_head {
    uint8_t key_type;
    uint8_t type;
    uint32_t count;
};

static cursor read_map_head(struct fast *fast, cursor at, struct map_head *head)
{
    at = fast_need(fast, at, 6);
    if (at == NULL) {
        return NULL;
    }
    *head = (struct map_head){.key_type = at[0], .type = at[1], .count = load_be32(at + 2)};
    const enum thrift_code code = thrift_check_container(
        &fast->limits, thrift_type_bit(head->key_type) | thrift_type_bit(head->type), head->count);
    return code == THRIFT_OK ? at + 6 : fast_fail(fast, code);
}

static cursor skip(struct fast *fast, cursor at, uint8_t type, unsigned depth);

static cursor skip_struct(struct fast *fast, cursor at, unsigned depth)
{
    while (at != NULL) {
        uint32_t key;
        at = fast_key(fast, at, &key);
        if (at == NULL || fast_is_stop(key)) {
            return at == NULL ? NULL : at + 1;
        }
        at = skip(fast, at + 3, (uint8_t)(key >> 16), depth + 1);
    }
    return NULL;
}

static cursor skip_elements(struct fast *fast, cursor at, const struct map_head *head, bool map,
                            unsigned depth)
{
    const size_t key_size = map ? thrift_fixed_size(head->key_type) : 0;
    const size_t size = thrift_fixed_size(head->type);
    if (size > 0 && (key_size > 0 || !map) && head->count > 0 && depth < THRIFT_MAX_DEPTH) {
        return skip_bytes(fast, at, (key_size + size) * head->count);
    }
    for (uint32_t i = 0; i < head->count && at != NULL; ++i) {
        if (map) {
            at = skip(fast, at, head->key_type, depth + 1);
        }
        if (at != NULL) {
            at = skip(fast, at, head->type, depth + 1);
        }
    }
    return at;
}

/* depth: the level of the value that is skipped */
static cursor skip(struct fast *fast, cursor at, uint8_t type, unsigned depth)
{
    struct map_head head = {.key_type = THRIFT_STOP};
    uint32_t size;
    if (depth > THRIFT_MAX_DEPTH) {
        return fast_fail(fast, THRIFT_TOO_DEEP);
    }
    switch (type) {
    case THRIFT_STRING:
        at = read_length(fast, at, &size);
        return at == NULL ? NULL : skip_bytes(fast, at, size);
    case THRIFT_STRUCT:
        return skip_struct(fast, at, depth);
    case THRIFT_MAP:
        at = read_map_head(fast, at, &head);
        return at == NULL ? NULL : skip_elements(fast, at, &head, true, depth);
    case THRIFT_SET:
    case THRIFT_LIST:
        at = fast_list_head(fast, at, THRIFT_VOID, &head.count);
        if (at == NULL) {
            return NULL;
        }
        head.type = at[-5]; /* the first byte of the head */
        return skip_elements(fast, at, &head, false, depth);
    default:
        size = (uint32_t)thrift_fixed_size(type);
        return size == 0 ? fast_fail(fast, THRIFT_BAD_TYPE) : skip_bytes(fast, at, size);
    }
}

/* Room for one item more. */
static inline bool item_fits(struct fast *fast, struct thrift_items *items, size_t i,
                             uint32_t count)
{
    return LIKELY(i < items->capacity) || thrift_items_grow(items, fast->memory, count);
}

/*
 * The head of a list whose items allocate nothing, and room for them.
 * items: gets its data unless the list is empty
 */
static cursor begin_list(struct fast *fast, cursor at, enum thrift_form form,
                         struct thrift_items *items, uint32_t *count)
{
    at = fast_list_head(fast, at, thrift_forms[form].wire, count);
    if (at != NULL && *count > 0 && !thrift_items_init(items, fast->memory, *count, true)) {
        return fast_fail(fast, THRIFT_NO_MEMORY);
    }
    return at;
}

cursor fast_many_structs(struct fast *fast, cursor at, thrift_fast_reader *reader, size_t size,
                         uint32_t count, struct thrift_list *list, unsigned depth)
{
    struct thrift_items items = {.size = size};
    if (!thrift_items_init(&items, fast->memory, count, false)) {
        return fast_fail(fast, THRIFT_NO_MEMORY);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!item_fits(fast, &items, i, count)) {
            return fast_fail(fast, THRIFT_NO_MEMORY);
        }
        unsigned char *value = items.data + i * size;
        *thrift_mask(value) = 0;
        at = reader(fast, at, value, depth);
        if (at == NULL) {
            return NULL;
        }
    }
    *list = (struct thrift_list){.items = items.data, .count = count};
    return at;
}

/* So many strings of one length suggest that more of them follow. */
#define SAME_LENGTHS 8

/*
 * Reads strings as long as they have this length. In a column of equally long values the next one
 * is where it is expected, and the processor need not wait for one length to find the next: that
 * wait is most of what reading short strings costs.
 * to:      room for most strings
 * returns: how many were read; *at is behind them
 */
static size_t read_same_lengths(const struct fast *fast, cursor *at, uint32_t size,
                                struct pb_bytes *to, size_t most)
{
    const size_t step = 4 + (size_t)size;
    const size_t held = (size_t)fast_left(fast, *at) / step;
    const size_t n = held < most ? held : most;
    cursor next = *at;
    size_t i = 0;
    while (i < n && load_be32(next) == size) {
        to[i++] = (struct pb_bytes){next + 4, size};
        next += step;
    }
    *at = next;
    return i;
}

cursor fast_strings(struct fast *fast, cursor at, struct thrift_list *list)
{
    struct thrift_items items = {.size = sizeof(struct pb_bytes)};
    uint32_t count;
    at = begin_list(fast, at, FORM_STRING, &items, &count);
    if (UNLIKELY(at == NULL)) {
        return NULL;
    }
    size_t size = SIZE_MAX;
    unsigned n_same = 0;
    for (size_t i = 0; i < count; ++i) {
        if (!item_fits(fast, &items, i, count)) {
            return fast_fail(fast, THRIFT_NO_MEMORY);
        }
        struct pb_bytes *to = (struct pb_bytes *)items.data + i;
        at = fast_string(fast, at, to);
        if (UNLIKELY(at == NULL)) {
            return NULL;
        }
        n_same = to->size == size ? n_same + 1 : 0;
        size = to->size;
        if (n_same == SAME_LENGTHS) {
            i += read_same_lengths(fast, &at, (uint32_t)size, to + 1, items.capacity - i - 1);
            n_same = 0;
        }
    }
    *list = (struct thrift_list){.items = items.data, .count = count};
    return at;
}

/* Converts n values of one size from wire to memory. */
static void convert(enum thrift_form form, unsigned char *to, cursor from, size_t n)
{
    switch (form) {
    case FORM_BOOL:
        for (size_t i = 0; i < n; ++i) {
            ((bool *)to)[i] = from[i] != 0;
        }
        break;
    case FORM_I16:
        for (size_t i = 0; i < n; ++i) {
            ((uint16_t *)to)[i] = load_be16(from + 2 * i);
        }
        break;
    case FORM_I32:
        for (size_t i = 0; i < n; ++i) {
            ((uint32_t *)to)[i] = load_be32(from + 4 * i);
        }
        break;
    case FORM_I64:
    case FORM_DOUBLE:
        for (size_t i = 0; i < n; ++i) {
            const uint64_t bits = load_be64(from + 8 * i);
            memcpy(to + 8 * i, &bits, sizeof bits);
        }
        break;
    default:
        memcpy(to, from, n);
        break;
    }
}

cursor fast_numbers(struct fast *fast, cursor at, enum thrift_form form, struct thrift_list *list)
{
    struct thrift_items items = {.size = thrift_forms[form].size};
    uint32_t count;
    at = begin_list(fast, at, form, &items, &count);
    if (at == NULL) {
        return NULL;
    }
    size_t done = 0;
    while (done < count) {
        at = fast_need(fast, at, (ptrdiff_t)items.size);
        if (at == NULL) {
            return NULL;
        }
        if (!item_fits(fast, &items, done, count)) {
            return fast_fail(fast, THRIFT_NO_MEMORY);
        }
        size_t n = (size_t)fast_left(fast, at) / items.size;
        n = n < items.capacity - done ? n : items.capacity - done;
        convert(form, items.data + done * items.size, at, n);
        at += n * items.size;
        done += n;
    }
    *list = (struct thrift_list){.items = items.data, .count = count};
    return at;
}

static cursor read_entry(struct fast *fast, cursor at, const struct thrift_field *field,
                         struct thrift_entry *entry, unsigned depth)
{
    at = fast_string(fast, at, &entry->key);
    if (at == NULL || field->form == FORM_MAP_STRING) {
        return at == NULL ? NULL : fast_string(fast, at, &entry->value.text);
    }
    if (field->form == FORM_MAP_I32) {
        at = fast_need(fast, at, 4);
        if (at == NULL) {
            return NULL;
        }
        entry->value.number = (int32_t)load_be32(at);
        return at + 4;
    }
    entry->value.object = fast_new(fast, field->child->size);
    return entry->value.object == NULL
               ? fast_fail(fast, THRIFT_NO_MEMORY)
               : field->child->reader(fast, at, entry->value.object, depth + 1);
}

cursor fast_map(struct fast *fast, cursor at, const struct thrift_field *field,
                struct thrift_map *map, unsigned depth)
{
    struct map_head head;
    struct thrift_items items = {.size = sizeof(struct thrift_entry)};
    at = read_map_head(fast, at, &head);
    if (at == NULL) {
        return NULL;
    }
    if (head.count > 0 && !thrift_items_init(&items, fast->memory, head.count, false)) {
        return fast_fail(fast, THRIFT_NO_MEMORY);
    }
    for (uint32_t i = 0; i < head.count; ++i) {
        if (!item_fits(fast, &items, i, head.count)) {
            return fast_fail(fast, THRIFT_NO_MEMORY);
        }
        at = read_entry(fast, at, field, (struct thrift_entry *)items.data + i, depth);
        if (at == NULL) {
            return NULL;
        }
    }
    *map = (struct thrift_map){.entries = (struct thrift_entry *)items.data, .count = head.count};
    return thrift_map_unique(fast->memory, field, map) ? at : fast_fail(fast, THRIFT_NO_MEMORY);
}

static cursor read_child(struct fast *fast, cursor at, const struct thrift_field *field,
                         void *value, unsigned depth)
{
    void **to = thrift_at(value, field);
    if (!thrift_has(value, field)) {
        *to = fast_new(fast, field->child->size);
        if (*to == NULL) {
            return fast_fail(fast, THRIFT_NO_MEMORY);
        }
    }
    return field->child->reader(fast, at, *to, depth + 1);
}

static cursor read_structs(struct fast *fast, cursor at, const struct thrift_field *field,
                           struct thrift_list *list, unsigned depth)
{
    return fast_structs(fast, at, field->child->reader, field->child->size, list, depth + 1);
}

/* at: behind the field's id; the window holds a value of fixed size, or the body has ended */
static cursor read_field(struct fast *fast, cursor at, const struct thrift_field *field,
                         void *value, unsigned depth)
{
    void *to = thrift_at(value, field);
    switch (field->form) {
    case FORM_BOOL:
    case FORM_BYTE:
    case FORM_I16:
    case FORM_I32:
    case FORM_I64:
    case FORM_DOUBLE:
        convert(field->form, to, at, 1);
        return at + thrift_forms[field->form].size;
    case FORM_STRING:
    case FORM_BINARY:
        return fast_string(fast, at, to);
    case FORM_STRUCT:
        return read_child(fast, at, field, value, depth);
    case FORM_MAP_STRING:
    case FORM_MAP_I32:
    case FORM_MAP_STRUCT:
        return fast_map(fast, at, field, to, depth);
    case FORM_LIST_STRUCT:
        return read_structs(fast, at, field, to, depth);
    case FORM_LIST_STRING:
    case FORM_LIST_BINARY:
        return fast_strings(fast, at, to);
    default:
        return fast_numbers(fast, at, thrift_forms[field->form].element, to);
    }
}

cursor fast_rest(struct fast *fast, cursor at, const struct thrift_struct *description, void *value,
                 unsigned depth)
{
    if (depth > THRIFT_MAX_DEPTH) {
        return fast_fail(fast, THRIFT_TOO_DEEP);
    }
    while (at != NULL) {
        uint32_t key;
        at = fast_key(fast, at, &key);
        if (at == NULL || fast_is_stop(key)) {
            return at == NULL ? NULL : at + 1;
        }
        const struct thrift_field *field = thrift_find(description, key);
        if (field == NULL) {
            at = skip(fast, at + 3, (uint8_t)(key >> 16), depth + 1);
        } else {
            at = read_field(fast, at + 3, field, value, depth);
            *thrift_mask(value) |= 1u << field->index;
        }
    }
    return NULL;
}

enum thrift_code thrift_fast_struct(struct thrift_decoder *decoder,
                                    const struct thrift_struct *description, void *value)
{
    struct fast fast = {
        .end = decoder->transport.end,
        .transport = &decoder->transport,
        .memory = &decoder->memory,
        .limits = decoder->limits,
    };
    const cursor at = description->reader(&fast, decoder->transport.next, value, 1);
    if (at == NULL) {
        return fast.code;
    }
    decoder->transport.next = at;
    return THRIFT_OK;
}
