/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything foreign is put inside code, where code hosts look for no links, mentions or issue
 * numbers, and every character that Markdown or HTML could understand becomes a reference to it,
 * which is never markup.
 */
#include "output/markdown_code.h"

#include "base/text.h"

#include <stdbool.h>
#include <string.h>

enum { CODE_BYTES_MAX = 160 }; /* of a name or a reason; its middle is cut out */

/* Escaped text without its middle if it is long; the cut never splits a character. */
static void add_shortened(struct pb_strbuf *buf, const char *text)
{
    struct pb_strbuf safe;
    pb_strbuf_init(&safe);
    pb_text_add_escaped(&safe, text);
    if (safe.length <= CODE_BYTES_MAX) {
        pb_strbuf_add(buf, safe.text, safe.length);
    } else {
        size_t head = CODE_BYTES_MAX / 2;
        size_t tail = safe.length - CODE_BYTES_MAX / 2;
        while (head > 0 && ((unsigned char)safe.text[head] & 0xC0) == 0x80) {
            head--;
        }
        while (((unsigned char)safe.text[tail] & 0xC0) == 0x80) {
            tail++;
        }
        pb_strbuf_add(buf, safe.text, head);
        pb_strbuf_adds(buf, "…");
        pb_strbuf_adds(buf, safe.text + tail);
    }
    pb_strbuf_release(&safe);
}

/* Letters, digits and punctuation that mean nothing in a code span or a table. */
static bool is_tame(const char *text)
{
    static const char tame[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:+,=";
    return text[0] != '\0' && text[strspn(text, tame)] == '\0';
}

void pb_markdown_add_code(struct pb_strbuf *buf, const char *text)
{
    struct pb_strbuf shown;
    pb_strbuf_init(&shown);
    add_shortened(&shown, text);
    if (is_tame(shown.text)) {
        pb_strbuf_addf(buf, "`%s`", shown.text);
    } else if (shown.length > 0) {
        pb_strbuf_adds(buf, "<code>");
        for (const char *s = shown.text; *s != '\0'; s++) {
            const unsigned char c = (unsigned char)*s;
            const bool plain = c >= 0x80 || c == ' ' || (c >= '0' && c <= '9') ||
                               ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
            if (plain) {
                pb_strbuf_addc(buf, *s);
            } else {
                pb_strbuf_addf(buf, "&#%d;", c);
            }
        }
        pb_strbuf_adds(buf, "</code>");
    }
    pb_strbuf_release(&shown);
}
