/* SPDX-License-Identifier: Apache-2.0
 *
 * Names are first made visible, then escaped: HTML has no character for most control characters
 * and runs blanks together, so two names could look alike otherwise.
 */
#include "output/html.h"

#include "base/text.h"
#include "output/finding.h"

void pb_html_add_text(struct pb_strbuf *buf, const char *text)
{
    struct pb_strbuf visible;
    pb_strbuf_init(&visible);
    pb_text_add_escaped(&visible, text);
    pb_text_add_html(buf, visible.text);
    pb_strbuf_release(&visible);
}

void pb_html_add_code(struct pb_strbuf *buf, const char *text)
{
    struct pb_strbuf safe;
    pb_strbuf_init(&safe);
    pb_html_add_text(&safe, text);
    pb_strbuf_adds(buf, "<code>");
    for (const char *s = safe.text; *s != '\0'; s++) {
        pb_strbuf_addc(buf, *s);
        pb_strbuf_adds(buf, *s == '/' ? "<wbr/>" : "");
    }
    pb_strbuf_adds(buf, "</code>");
    pb_strbuf_release(&safe);
}

const char *pb_html_tone(enum pb_tone tone)
{
    static const char *const words[] = {
        [PB_TONE_PLAIN] = "",  [PB_TONE_HEADING] = "",  [PB_TONE_GOOD] = "good",
        [PB_TONE_BAD] = "bad", [PB_TONE_WARN] = "warn", [PB_TONE_FAINT] = "faint",
    };
    return words[tone];
}

static void add_word_cell(struct pb_strbuf *buf, enum pb_tone tone, const char *word)
{
    pb_strbuf_addf(buf, "<td class=\"%s\">%s</td>", pb_html_tone(tone), word);
}

void pb_html_add_verdict_cell(struct pb_strbuf *buf, enum pb_verdict verdict)
{
    add_word_cell(buf, pb_verdict_tone(verdict), pb_verdict_name(verdict));
}

void pb_html_add_finding_cell(struct pb_strbuf *buf, const struct pb_finding *finding)
{
    add_word_cell(buf, pb_finding_tone(finding), pb_finding_word(finding));
}

void pb_html_add_data_uri(struct pb_strbuf *buf, const char *type, const void *data, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *s = data;
    pb_strbuf_adds(buf, "data:");
    pb_strbuf_adds(buf, type);
    pb_strbuf_adds(buf, ";base64,");
    for (size_t i = 0; i < n; i += 3) {
        const unsigned left = n - i < 3 ? (unsigned)(n - i) : 3;
        const unsigned bits = (unsigned)s[i] << 16 | (left > 1 ? (unsigned)s[i + 1] << 8 : 0) |
                              (left > 2 ? (unsigned)s[i + 2] : 0);
        const char group[4] = {
            digits[bits >> 18],
            digits[bits >> 12 & 63],
            left > 1 ? digits[bits >> 6 & 63] : '=',
            left > 2 ? digits[bits & 63] : '=',
        };
        pb_strbuf_add(buf, group, sizeof group);
    }
}
