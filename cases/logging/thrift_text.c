/* SPDX-License-Identifier: Apache-2.0
 *
 * Values to text, driven by the descriptions.
 */
#include "logging/thrift_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "logging/unprintable.h"

/* The longest text of one byte or character: \UXXXXXXXX. */
#define LONGEST_ESCAPE ((size_t)10)

/* Bytes of a string whose text is made at a time, so that little room is asked for at once. */
#define PIECE_BYTES ((size_t)16384)

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const enum thrift_code code_ = (call);                                                     \
        if (code_ != THRIFT_OK) {                                                                  \
            return code_;                                                                          \
        }                                                                                          \
    } while (0)

static enum thrift_code put(struct sink *sink, const char *text, size_t size)
{
    return sink_write(sink, text, size) == 0 ? THRIFT_OK : THRIFT_SINK_FAILED;
}

static enum thrift_code put_text(struct sink *sink, const char *text)
{
    return put(sink, text, strlen(text));
}

static const char hex_digits[] = "0123456789abcdef";

static char *put_hex(char *to, char letter, uint32_t value, int n_digits)
{
    *to++ = '\\';
    *to++ = letter;
    for (int shift = 4 * (n_digits - 1); shift >= 0; shift -= 4) {
        *to++ = hex_digits[value >> shift & 15];
    }
    return to;
}

/* A byte of ASCII, or one that is shown like it. */
static char *put_byte(char *to, unsigned char byte, char quote)
{
    if (byte >= 0x20 && byte < 0x7f && byte != '\\' && byte != (unsigned char)quote) {
        *to++ = (char)byte;
        return to;
    }
    const char *const named = "\\\\\tt\nn\rr";
    for (const char *pair = named; *pair != '\0'; pair += 2) {
        if ((unsigned char)*pair == byte) {
            *to++ = '\\';
            *to++ = pair[1];
            return to;
        }
    }
    if (byte == (unsigned char)quote) {
        *to++ = '\\';
        *to++ = quote;
        return to;
    }
    return put_hex(to, 'x', byte, 2);
}

/*
 * The character at the beginning of n bytes.
 * size:    receives how many bytes it has
 * returns: the character; a lone surrogate U+DC80 … U+DCFF for a byte that begins none
 */
static uint32_t read_character(const unsigned char *at, size_t n, size_t *size)
{
    const unsigned char first = at[0];
    const size_t length = first < 0x80                    ? 1
                          : first >= 0xc2 && first < 0xe0 ? 2
                          : first >= 0xe0 && first < 0xf0 ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    uint32_t character = length < 2 ? first : first & (0x7fu >> length);
    bool good = length > 0 && length <= n;
    for (size_t i = 1; good && i < length; ++i) {
        good = (at[i] & 0xc0) == 0x80;
        character = character << 6 | (at[i] & 0x3fu);
    }
    good = good && !(length == 3 && character < 0x800) && !(length == 4 && character < 0x10000) &&
           !(character >= 0xd800 && character < 0xe000) && character <= 0x10ffff;
    *size = good ? length : 1;
    return good ? character : 0xdc00u + first;
}

static char *put_character(char *to, const unsigned char *at, uint32_t character, size_t size,
                           char quote)
{
    if (character < 0x80) {
        return put_byte(to, at[0], quote);
    }
    if (!unprintable(character)) {
        memcpy(to, at, size);
        return to + size;
    }
    if (character < 0x100) {
        return put_hex(to, 'x', character, 2);
    }
    return character < 0x10000 ? put_hex(to, 'u', character, 4) : put_hex(to, 'U', character, 8);
}

/* The text of every byte, for binaries that are long enough to be worth making it. */
struct byte_texts {
    char text[256][4];
    unsigned char size[256];
};

#define MANY_BYTES ((size_t)1024)

static void make_byte_texts(struct byte_texts *texts, char quote)
{
    for (unsigned byte = 0; byte < 256; ++byte) {
        const char *end = put_byte(texts->text[byte], (unsigned char)byte, quote);
        texts->size[byte] = (unsigned char)(end - texts->text[byte]);
    }
}

static char *put_many_bytes(char *to, const unsigned char *at, size_t n,
                            const struct byte_texts *texts)
{
    for (size_t i = 0; i < n; ++i) {
        memcpy(to, texts->text[at[i]], sizeof texts->text[0]);
        to += texts->size[at[i]];
    }
    return to;
}

static char *put_bytes(char *to, const unsigned char *at, size_t n, char quote)
{
    for (size_t i = 0; i < n; ++i) {
        to = put_byte(to, at[i], quote);
    }
    return to;
}

/*
 * The characters that begin in the first n bytes.
 * left: bytes of the string from here on, n or more
 * used: receives how many bytes these characters have
 */
static char *put_characters(char *to, const unsigned char *at, size_t n, size_t left, char quote,
                            size_t *used)
{
    size_t i = 0;
    while (i < n) {
        size_t size = 1;
        const uint32_t character = at[i] < 0x80 ? at[i] : read_character(at + i, left - i, &size);
        to = put_character(to, at + i, character, size, quote);
        i += size;
    }
    *used = i;
    return to;
}

static enum thrift_code put_quoted(struct sink *sink, const struct pb_bytes *string, bool binary,
                                   char quote)
{
    const unsigned char *at = string->data;
    size_t left = string->size;
    const bool many = binary && left >= MANY_BYTES;
    struct byte_texts texts = {.size = {0}};
    if (many) {
        make_byte_texts(&texts, quote);
    }
    while (left > 0) {
        const size_t n = left < PIECE_BYTES ? left : PIECE_BYTES;
        size_t used = n;
        char *room = (char *)sink_reserve(sink, n * LONGEST_ESCAPE);
        if (room == NULL) {
            return THRIFT_SINK_FAILED;
        }
        const char *end = many     ? put_many_bytes(room, at, n, &texts)
                          : binary ? put_bytes(room, at, n, quote)
                                   : put_characters(room, at, n, left, quote, &used);
        if (sink_commit(sink, (size_t)(end - room)) != 0) {
            return THRIFT_SINK_FAILED;
        }
        at += used;
        left -= used;
    }
    return THRIFT_OK;
}

static enum thrift_code put_string(struct sink *sink, const struct pb_bytes *string, bool binary)
{
    const bool single = string->size > 0 && memchr(string->data, '\'', string->size) != NULL;
    const char quote = single && memchr(string->data, '"', string->size) == NULL ? '"' : '\'';
    const char begin[] = {'b', quote};
    TRY(put(sink, binary ? begin : begin + 1, binary ? 2 : 1));
    TRY(put_quoted(sink, string, binary, quote));
    return put(sink, &quote, 1);
}

static enum thrift_code put_integer(struct sink *sink, int64_t value)
{
    char text[32];
    const int size = snprintf(text, sizeof text, "%" PRId64, value);
    return put(sink, text, (size_t)size);
}

/* The shortest digits that give the value back: d.ddd without the point, and its exponent. */
static int shortest_digits(double value, char *digits, int *exponent)
{
    char text[40];
    int precision = 0;
    do {
        snprintf(text, sizeof text, "%.*e", precision, value);
    } while (strtod(text, NULL) != value && ++precision < 17);
    int n = 0;
    const char *at = text;
    for (; *at != 'e'; ++at) {
        if (*at >= '0' && *at <= '9') {
            digits[n++] = *at;
        }
    }
    *exponent = (int)strtol(at + 1, NULL, 10);
    return n;
}

/* A positive finite number; fixed for 1e-4 <= value < 1e16, else with an exponent. */
static enum thrift_code put_positive(struct sink *sink, double value)
{
    char digits[24];
    char text[64];
    int exponent;
    const int n = shortest_digits(value, digits, &exponent);
    int size = 0;
    if (exponent < -4 || exponent >= 16) {
        size = snprintf(text, sizeof text, "%c%s%.*se%c%02d", digits[0], n > 1 ? "." : "", n - 1,
                        digits + 1, exponent < 0 ? '-' : '+', abs(exponent));
    } else if (exponent < 0) {
        size = snprintf(text, sizeof text, "0.%.*s%.*s", -exponent - 1, "000", n, digits);
    } else if (exponent + 1 >= n) {
        size = snprintf(text, sizeof text, "%.*s%.*s.0", n, digits, exponent + 1 - n,
                        "0000000000000000");
    } else {
        size = snprintf(text, sizeof text, "%.*s.%.*s", exponent + 1, digits, n - exponent - 1,
                        digits + exponent + 1);
    }
    return put(sink, text, (size_t)size);
}

static enum thrift_code put_double(struct sink *sink, double value)
{
    if (isnan(value)) {
        return put_text(sink, "nan");
    }
    if (signbit(value)) {
        TRY(put(sink, "-", 1));
    }
    return isinf(value) ? put_text(sink, "inf")
           : value == 0 ? put_text(sink, "0.0")
                        : put_positive(sink, fabs(value));
}

static enum thrift_code put_struct(struct sink *sink, const struct thrift_struct *description,
                                   const void *value);

static enum thrift_code put_leaf(struct sink *sink, enum thrift_form form, const void *at)
{
    switch (form) {
    case FORM_BOOL:
        return put_text(sink, *(const bool *)at ? "True" : "False");
    case FORM_BYTE:
        return put_integer(sink, *(const int8_t *)at);
    case FORM_I16:
        return put_integer(sink, *(const int16_t *)at);
    case FORM_I32:
        return put_integer(sink, *(const int32_t *)at);
    case FORM_I64:
        return put_integer(sink, *(const int64_t *)at);
    case FORM_DOUBLE:
        return put_double(sink, *(const double *)at);
    default:
        return put_string(sink, at, form == FORM_BINARY);
    }
}

static enum thrift_code put_list(struct sink *sink, const struct thrift_field *field,
                                 const struct thrift_list *list)
{
    const enum thrift_form form = thrift_forms[field->form].element;
    const size_t size = form == FORM_STRUCT ? field->child->size : thrift_forms[form].size;
    const char *at = list->items;
    TRY(put(sink, "[", 1));
    for (size_t i = 0; i < list->count; ++i, at += size) {
        TRY(put(sink, ", ", i > 0 ? 2 : 0));
        TRY(form == FORM_STRUCT ? put_struct(sink, field->child, at) : put_leaf(sink, form, at));
    }
    return put(sink, "]", 1);
}

static enum thrift_code put_map(struct sink *sink, const struct thrift_field *field,
                                const struct thrift_map *map)
{
    TRY(put(sink, "{", 1));
    for (size_t i = 0; i < map->count; ++i) {
        const struct thrift_entry *entry = &map->entries[i];
        TRY(put(sink, ", ", i > 0 ? 2 : 0));
        TRY(put_string(sink, &entry->key, false));
        TRY(put(sink, ": ", 2));
        TRY(field->form == FORM_MAP_STRUCT
                ? put_struct(sink, field->child, entry->value.object)
                : put_leaf(sink, thrift_forms[field->form].element, &entry->value));
    }
    return put(sink, "}", 1);
}

static enum thrift_code put_field(struct sink *sink, const struct thrift_field *field,
                                  const void *at)
{
    switch (field->form) {
    case FORM_STRUCT:
        return put_struct(sink, field->child, *(void *const *)at);
    case FORM_MAP_STRING:
    case FORM_MAP_I32:
    case FORM_MAP_STRUCT:
        return put_map(sink, field, at);
    default:
        return field->form >= FORM_LIST_BOOL ? put_list(sink, field, at)
                                             : put_leaf(sink, field->form, at);
    }
}

static enum thrift_code put_struct(struct sink *sink, const struct thrift_struct *description,
                                   const void *value)
{
    TRY(put_text(sink, description->name));
    TRY(put(sink, "(", 1));
    for (uint32_t i = 0; i < description->n_fields; ++i) {
        const struct thrift_field *field = &description->fields[i];
        TRY(put(sink, ", ", i > 0 ? 2 : 0));
        TRY(put_text(sink, field->name));
        TRY(put(sink, "=", 1));
        TRY(thrift_has(value, field) ? put_field(sink, field, thrift_at_const(value, field))
                                     : put_text(sink, "None"));
    }
    return put(sink, ")", 1);
}

enum thrift_code thrift_text_write(struct sink *sink, const struct thrift_struct *description,
                                   const void *value)
{
    return put_struct(sink, description, value);
}
