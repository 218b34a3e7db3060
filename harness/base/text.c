/* SPDX-License-Identifier: Apache-2.0
 *
 * One decoder of UTF-8 under everything, so that all outputs agree on what is well formed.
 */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* Second-byte range that a lead byte allows (Unicode 15, table 3-7), and the sequence's length. */
struct lead {
    unsigned char first, last, low, high, length;
};
static const struct lead leads[] = {
    {0x00, 0x7F, 0x00, 0x00, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

/* Length of the well-formed sequence at s, within n bytes; 0 when there is none. */
static size_t sequence(const unsigned char *s, size_t n)
{
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        const struct lead *lead = &leads[i];
        if (s[0] < lead->first || s[0] > lead->last) {
            continue;
        }
        if (lead->length == 1) {
            return 1;
        }
        if (n < lead->length || s[1] < lead->low || s[1] > lead->high) {
            return 0;
        }
        for (size_t k = 2; k < lead->length; k++) {
            if ((s[k] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return lead->length;
    }
    return 0;
}

bool pb_text_is_utf8(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < n;) {
        const size_t step = sequence(s + i, n - i);
        if (step == 0) {
            return false;
        }
        i += step;
    }
    return true;
}

/* C0, DEL, and C1 in its two-byte form. */
static bool is_control(const unsigned char *s, size_t length)
{
    return (length == 1 && (s[0] < 0x20 || s[0] == 0x7F)) ||
           (length == 2 && s[0] == 0xC2 && s[1] < 0xA0);
}

/*
 * Characters that show nothing but change what stands around them, or hide: they turn the direction
 * of text, break lines, or have no width. The two joiners are missing here, since words and emoji
 * are made with them.
 * source: Unicode Standard Annex 9, 2.1 to 2.6; Unicode 15, 23.2
 */
static bool is_unseen(const unsigned char *s, size_t length)
{
    static const struct {
        uint32_t first, last;
    } unseen[] = {
        {0x061C, 0x061C}, {0x200B, 0x200B}, {0x200E, 0x200F},
        {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF},
    };
    if (length != 2 && length != 3) {
        return false;
    }
    const uint32_t point = length == 2
                               ? (s[0] & 0x1FU) << 6 | (s[1] & 0x3FU)
                               : (s[0] & 0x0FU) << 12 | (s[1] & 0x3FU) << 6 | (s[2] & 0x3FU);
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++) {
        if (point >= unseen[i].first && point <= unseen[i].last) {
            return true;
        }
    }
    return false;
}

/* Whether a terminal or a reader could be misled by the sequence at s; length 0: not UTF-8. */
static bool is_unsafe(const unsigned char *s, size_t length)
{
    return length == 0 || is_control(s, length) || is_unseen(s, length);
}

static void add_hex(struct pb_strbuf *buf, const unsigned char *s, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        const char escape[4] = {'\\', 'x', digits[s[i] >> 4], digits[s[i] & 15]};
        pb_strbuf_add(buf, escape, sizeof escape);
    }
}

void pb_text_add_escaped(struct pb_strbuf *buf, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t n = strlen(text);
    pb_strbuf_add(buf, "", 0);
    for (size_t i = 0; i < n;) {
        const size_t step = sequence(s + i, n - i);
        if (s[i] == '\\') {
            pb_strbuf_adds(buf, "\\\\");
        } else if (s[i] == '\n') {
            pb_strbuf_adds(buf, "\\n");
        } else if (s[i] == '\t') {
            pb_strbuf_adds(buf, "\\t");
        } else if (is_unsafe(s + i, step)) {
            add_hex(buf, s + i, step == 0 ? 1 : step);
        } else {
            pb_strbuf_add(buf, s + i, step);
        }
        i += step == 0 ? 1 : step;
    }
}

void pb_text_add_message(struct pb_strbuf *buf, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t n = strlen(text);
    pb_strbuf_add(buf, "", 0);
    for (size_t i = 0; i < n;) {
        const size_t step = sequence(s + i, n - i);
        if (is_unsafe(s + i, step) && s[i] != '\n') {
            add_hex(buf, s + i, step == 0 ? 1 : step);
        } else {
            pb_strbuf_add(buf, s + i, step);
        }
        i += step == 0 ? 1 : step;
    }
}

static int hex_value(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* Reads the escape behind a backslash. returns: characters used, 0 when it is none */
static size_t unescape(const char *s, char *c)
{
    switch (s[0]) {
    case '\\':
        *c = '\\';
        return 1;
    case 'n':
        *c = '\n';
        return 1;
    case 't':
        *c = '\t';
        return 1;
    case 'x':
        break;
    default:
        return 0;
    }
    const int high = hex_value(s[1]);
    const int low = high < 0 ? -1 : hex_value(s[2]);
    if (low < 0 || (high == 0 && low == 0)) {
        return 0;
    }
    *c = (char)(high * 16 + low);
    return 3;
}

bool pb_text_add_unescaped(struct pb_strbuf *buf, const char *text)
{
    pb_strbuf_add(buf, "", 0);
    for (const char *s = text; *s != '\0';) {
        if (*s != '\\') {
            pb_strbuf_addc(buf, *s++);
            continue;
        }
        char c = '\0';
        const size_t used = unescape(s + 1, &c);
        if (used == 0) {
            return false;
        }
        pb_strbuf_addc(buf, c);
        s += 1 + used;
    }
    return true;
}

void pb_text_add_utf8(struct pb_strbuf *buf, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t n = strlen(text);
    pb_strbuf_add(buf, "", 0);
    for (size_t i = 0; i < n;) {
        const size_t step = sequence(s + i, n - i);
        if (step == 0) {
            pb_strbuf_adds(buf, replacement);
        } else {
            pb_strbuf_add(buf, s + i, step);
        }
        i += step == 0 ? 1 : step;
    }
}

/* U+FFFE and U+FFFF, which no XML document may hold. */
static bool is_refused_by_xml(const unsigned char *s, size_t length)
{
    return length == 3 && s[0] == 0xEF && s[1] == 0xBF && s[2] >= 0xBE;
}

static const char *html_reference(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void pb_text_add_html(struct pb_strbuf *buf, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    const size_t n = strlen(text);
    pb_strbuf_add(buf, "", 0);
    for (size_t i = 0; i < n;) {
        const size_t step = sequence(s + i, n - i);
        const char *reference = html_reference(s[i]);
        const bool kept = s[i] == '\n' || s[i] == '\t';
        if (reference != NULL) {
            pb_strbuf_adds(buf, reference);
        } else if (step == 0 || (is_control(s + i, step) && !kept) ||
                   is_refused_by_xml(s + i, step)) {
            pb_strbuf_adds(buf, replacement);
        } else {
            pb_strbuf_add(buf, s + i, step);
        }
        i += step == 0 ? 1 : step;
    }
}

size_t pb_text_columns(const char *text)
{
    size_t columns = 0;
    for (const char *s = text; *s != '\0'; s++) {
        columns += ((unsigned char)*s & 0xC0) != 0x80;
    }
    return columns;
}

/* FNV-1a, 64 bits: short, and collisions are not an attack here but one in 2^64. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *s = name; *s != '\0'; s++) {
        hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    }
    return hash;
}

void pb_text_add_file_name(struct pb_strbuf *buf, const char *name)
{
    enum { READABLE_BYTES = 80 };
    static const char kept[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    for (size_t i = 0; i < READABLE_BYTES && name[i] != '\0'; i++) {
        pb_strbuf_addc(buf, strchr(kept, name[i]) != NULL && !(i == 0 && name[i] == '.') ? name[i]
                                                                                         : '_');
    }
    pb_strbuf_addf(buf, "-%016llx", (unsigned long long)hash_name(name));
}
