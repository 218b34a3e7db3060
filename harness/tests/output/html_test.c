/* SPDX-License-Identifier: Apache-2.0
 *
 * Escaping, and base64 against the vectors of RFC 4648.
 */
#include "output/html.h"

#include "markup.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void names_are_visible_and_inert(void **state)
{
    (void)state;
    struct pb_strbuf buf;
    struct pb_strbuf why;
    pb_strbuf_init(&buf);
    pb_strbuf_init(&why);
    for (size_t i = 0; i < sample_n_hostile_names; i++) {
        pb_strbuf_reset(&buf);
        pb_strbuf_adds(&buf, "<p title=\"");
        pb_html_add_text(&buf, sample_hostile_names[i]);
        pb_strbuf_adds(&buf, "\">");
        pb_html_add_code(&buf, sample_hostile_names[i]);
        pb_strbuf_adds(&buf, "</p>");
        if (!markup_is_inert(buf.text, &why)) {
            fail_msg("%s", why.text);
        }
    }
    pb_strbuf_reset(&buf);
    pb_html_add_text(&buf, "a\n<b>&\"'\x07\xff");
    assert_string_equal(buf.text, "a\\n&lt;b&gt;&amp;&quot;&#39;\\x07\\xff");
    pb_strbuf_reset(&buf);
    pb_html_add_code(&buf, "a/b");
    assert_string_equal(buf.text, "<code>a/<wbr/>b</code>");
    pb_strbuf_release(&why);
    pb_strbuf_release(&buf);
}

static void data_is_base64(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        const char *uri;
    } vectors[] = {
        {"", "data:x/y;base64,"},
        {"f", "data:x/y;base64,Zg=="},
        {"fo", "data:x/y;base64,Zm8="},
        {"foo", "data:x/y;base64,Zm9v"},
        {"foob", "data:x/y;base64,Zm9vYg=="},
        {"fooba", "data:x/y;base64,Zm9vYmE="},
        {"foobar", "data:x/y;base64,Zm9vYmFy"},
        {"\xff\xfe\xfd", "data:x/y;base64,//79"},
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        pb_strbuf_reset(&buf);
        pb_html_add_data_uri(&buf, "x/y", vectors[i].data, strlen(vectors[i].data));
        assert_string_equal(buf.text, vectors[i].uri);
    }
    pb_strbuf_release(&buf);
}

static void verdicts_have_their_colour(void **state)
{
    (void)state;
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_html_add_verdict_cell(&buf, PB_VERDICT_REGRESSED);
    pb_html_add_verdict_cell(&buf, PB_VERDICT_UNCHANGED);
    assert_string_equal(buf.text, "<td class=\"bad\">regressed</td><td class=\"\">unchanged</td>");
    pb_strbuf_release(&buf);
}

/* The reader that other tests trust must refuse what they are afraid of. */
static void the_reader_of_markup_is_strict(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "<p>",
        "</p>",
        "<p></q>",
        "<p a=b></p>",
        "<p>&nbsp;</p>",
        "<p>&</p>",
        "<p>]]></p>",
        "<p>\x07</p>",
        "<script></script>",
        "<p onclick=\"x\"/>",
        "<p a=\"<\"/>",
        "<a href=\"javascript:x\"/>",
        "<img src=\"https://x/\"/>",
        "<p>a < b</p>",
        "<p a=\"x></p>",
    };
    struct pb_strbuf why;
    pb_strbuf_init(&why);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (markup_is_inert(bad[i], &why)) {
            fail_msg("accepted: %s", bad[i]);
        }
    }
    assert_true(markup_is_inert("<!DOCTYPE html>\n<p a='1' b=\"x&amp;y\"><br/>&#39;<a "
                                "href=\"charts/x.svg\">é</a></p>",
                                &why));
    pb_strbuf_release(&why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_visible_and_inert),
        cmocka_unit_test(data_is_base64),
        cmocka_unit_test(verdicts_have_their_colour),
        cmocka_unit_test(the_reader_of_markup_is_strict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
