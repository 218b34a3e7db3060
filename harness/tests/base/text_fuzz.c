/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a name, and as an escaped one: escaping is undone exactly and leaves nothing for a
 * terminal to do, and every other form of a text is well-formed, too.
 */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static bool has_controls(const char *text, bool allows_lines)
{
    for (const char *s = text; *s != '\0'; s++) {
        const unsigned char byte = (unsigned char)*s;
        const bool allowed = allows_lines && (byte == '\n' || byte == '\t');
        const bool is_c1 = byte == 0xC2 && (unsigned char)s[1] < 0xA0;
        if ((byte < 0x20 && !allowed) || byte == 0x7F || is_c1) {
            return true;
        }
    }
    return false;
}

static void check_round_trip(const char *text)
{
    struct pb_strbuf escaped = {0};
    struct pb_strbuf back = {0};
    pb_text_add_escaped(&escaped, text);
    demand(pb_text_is_utf8(escaped.text, escaped.length), "an escaped text is not UTF-8");
    demand(!has_controls(escaped.text, false), "an escaped text has control characters");
    demand(pb_text_add_unescaped(&back, escaped.text), "an escaped text is refused");
    demand(strcmp(back.text, text) == 0, "escaping was not undone");
    pb_strbuf_release(&escaped);
    pb_strbuf_release(&back);
}

/* What is accepted as escaped is the form of some text, which itself goes there and back. */
static void check_unescape(const char *text)
{
    struct pb_strbuf plain = {0};
    if (pb_text_add_unescaped(&plain, text)) {
        check_round_trip(plain.text);
    }
    pb_strbuf_release(&plain);
}

static void check_form(void (*add)(struct pb_strbuf *, const char *), const char *text,
                       const char *forbidden)
{
    struct pb_strbuf made = {0};
    add(&made, text);
    demand(pb_text_is_utf8(made.text, made.length), "a form is not UTF-8");
    demand(strpbrk(made.text, forbidden) == NULL, "a form holds what it must not");
    demand(forbidden[0] == '\0' || !has_controls(made.text, true), "a form has controls");
    pb_strbuf_release(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* of its own, so that reading beyond it is noticed */
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    check_round_trip(text);
    check_unescape(text);
    check_form(pb_text_add_utf8, text, "");
    check_form(pb_text_add_html, text, "<>\"'");
    check_form(pb_text_add_message, text, "\x1b\x07\x7f\r");
    check_form(pb_text_add_file_name, text, "/ \\:*?\"<>|'`$");
    free(text);
    return 0;
}
