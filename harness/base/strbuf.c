/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffer doubles until its limit. printf's numbers follow the locale of the thread, so the
 * formatted append runs under the C locale: a suite may have called setlocale().
 */
#include "base/strbuf.h"

#include "base/memory.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 256 };

/* Makes room for n more bytes, or as many as the limit allows. returns: how many there is room for
 */
static size_t reserve(struct pb_strbuf *buf, size_t n)
{
    const size_t limit = buf->limit != 0 ? buf->limit : PB_STRBUF_LIMIT_BYTES;
    const size_t room = limit > buf->length ? limit - buf->length : 0;
    if (n > room) {
        n = room;
        buf->overflow = true;
    }
    if (buf->length + n + 1 > buf->capacity) {
        size_t capacity = buf->capacity != 0 ? buf->capacity : FIRST_BYTES;
        while (capacity < buf->length + n + 1) {
            capacity *= 2;
        }
        char *text = realloc(buf->text, capacity);
        if (text == NULL) {
            pb_out_of_memory();
        }
        buf->text = text;
        buf->capacity = capacity;
    }
    return n;
}

void pb_strbuf_init(struct pb_strbuf *buf)
{
    *buf = (struct pb_strbuf){0};
    reserve(buf, 0);
    buf->text[0] = '\0';
}

void pb_strbuf_release(struct pb_strbuf *buf)
{
    if (buf != NULL) {
        free(buf->text);
        *buf = (struct pb_strbuf){0};
    }
}

void pb_strbuf_reset(struct pb_strbuf *buf)
{
    buf->length = 0;
    buf->overflow = false;
    reserve(buf, 0);
    buf->text[0] = '\0';
}

void pb_strbuf_add(struct pb_strbuf *buf, const void *data, size_t n)
{
    n = reserve(buf, n);
    if (n > 0) {
        memcpy(buf->text + buf->length, data, n);
    }
    buf->length += n;
    buf->text[buf->length] = '\0';
}

void pb_strbuf_adds(struct pb_strbuf *buf, const char *text)
{
    pb_strbuf_add(buf, text, strlen(text));
}

void pb_strbuf_addc(struct pb_strbuf *buf, char c)
{
    pb_strbuf_add(buf, &c, 1);
}

/* Formats into new memory, under whatever locale is in force. returns: length, or -1 */
static int __attribute__((format(printf, 2, 0)))
format_alloc(char **text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (n >= 0 && *text == NULL) {
        pb_out_of_memory();
    }
    if (n >= 0) {
        vsnprintf(*text, (size_t)n + 1, format, again);
    }
    va_end(again);
    return n;
}

void pb_strbuf_addf(struct pb_strbuf *buf, const char *format, ...)
{
    const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t before = c_locale != (locale_t)0 ? uselocale(c_locale) : (locale_t)0;
    va_list args;
    va_start(args, format);
    char *text = NULL;
    const int n = format_alloc(&text, format, args);
    va_end(args);
    if (before != (locale_t)0) {
        uselocale(before);
    }
    if (c_locale != (locale_t)0) {
        freelocale(c_locale);
    }
    if (n > 0) {
        pb_strbuf_add(buf, text, (size_t)n);
    }
    free(text);
}
