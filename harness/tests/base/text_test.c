/* SPDX-License-Identifier: Apache-2.0
 *
 * What is well formed, and what becomes of what is not.
 */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define N_ITEMS(array) (sizeof(array) / sizeof(array)[0])

/* Names that people have given to benchmarks. */
static const char *const hostile[] = {
    "",
    "plain",
    "a \"quoted\" 'name'",
    "a|b",
    "100%",
    "two\nlines",
    "a tab\there",
    "back\\slash",
    "\\n is not \n",
    "<script>alert(1)</script>",
    "$(reboot)",
    "`reboot`",
    "\x1b[31mred\x1b[0m",
    "bell\a and delete\x7f",
    "ünïcödé … 😀",
    "\xC2\x85 is C1",
    "\x80 alone",
    "\xC3",
    "\xC0\xAF overlong",
    "\xED\xA0\x80 surrogate",
    "\xF4\x90\x80\x80 beyond",
    "\xE2\x82",
    "a/b",
    "a-b",
    "\xEF\xBF\xBE\xEF\xBF\xBF no character",
    /* NOLINTBEGIN(misc-misleading-bidirectional): what must not be shown as it is */
    "right \u202E to left",
    "right \u2067 to left",
    /* NOLINTEND(misc-misleading-bidirectional) */
    "\uFEFFplain",
};

static void utf8_is_what_unicode_says(void **state)
{
    (void)state;
    /* Unicode 15, table 3-7, on both sides of each boundary. */
    static const struct {
        const char *text;
        bool well_formed;
    } rows[] = {
        {"", true},
        {"\x7F", true},
        {"\x80", false},
        {"\xC1\xBF", false},
        {"\xC2\x80", true},
        {"\xC2\x7F", false},
        {"\xC2\xC0", false},
        {"\xDF\xBF", true},
        {"\xDF", false},
        {"\xE0\x9F\xBF", false},
        {"\xE0\xA0\x80", true},
        {"\xE0\xA0\x7F", false},
        {"\xE1\x80\x80", true},
        {"\xE1\x80", false},
        {"\xEC\xBF\xBF", true},
        {"\xED\x9F\xBF", true},
        {"\xED\xA0\x80", false},
        {"\xEE\x80\x80", true},
        {"\xEF\xBF\xBF", true},
        {"\xF0\x8F\xBF\xBF", false},
        {"\xF0\x90\x80\x80", true},
        {"\xF0\x90\x80", false},
        {"\xF0\x90\x80\xC0", false},
        {"\xF3\xBF\xBF\xBF", true},
        {"\xF4\x8F\xBF\xBF", true},
        {"\xF4\x90\x80\x80", false},
        {"\xF5\x80\x80\x80", false},
        {"\xFF", false},
        {"a\xC3\xA4z", true},
        {"a\xC3z", false},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_int_equal(pb_text_is_utf8(rows[i].text, strlen(rows[i].text)), rows[i].well_formed);
    }
    assert_true(pb_text_is_utf8("a\0b", 3));
    assert_false(pb_text_is_utf8("\xC3\xA4", 1));
}

typedef void transform(struct pb_strbuf *buf, const char *text);

static void check(transform *add, const char *text, const char *expected)
{
    struct pb_strbuf buf = {0};
    add(&buf, text);
    assert_string_equal(buf.text, expected);
    pb_strbuf_release(&buf);
}

static void escaping_leaves_nothing_for_a_terminal_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *escaped;
    } rows[] = {
        {"", ""},
        {"plain ünï", "plain ünï"},
        {"a\nb\tc\\d", "a\\nb\\tc\\\\d"},
        {"\x1b[31m", "\\x1b[31m"},
        {"\r\x7f\x01", "\\x0d\\x7f\\x01"},
        {"\xC2\x9B", "\\xc2\\x9b"}, /* C1: a control sequence introducer */
        {"\xC2\xA0", "\xC2\xA0"},
        {"a\xFFz", "a\\xffz"},
        {"\xE2\x82", "\\xe2\\x82"},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        check(pb_text_add_escaped, rows[i].text, rows[i].escaped);
    }
}

/* Each of them would let a name look like another one, or turn what stands behind it. */
static void what_turns_text_or_hides_is_made_visible(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *shown;
    } rows[] = {
        {"\u061C", "\\xd8\\x9c"},
        {"\u200B", "\\xe2\\x80\\x8b"},
        {"\u200E", "\\xe2\\x80\\x8e"},
        {"\u200F", "\\xe2\\x80\\x8f"},
        {"\u2028", "\\xe2\\x80\\xa8"},
        /* NOLINTBEGIN(misc-misleading-bidirectional): what must not be shown as it is */
        {"\u202A", "\\xe2\\x80\\xaa"},
        {"\u202B", "\\xe2\\x80\\xab"},
        {"\u202C", "\\xe2\\x80\\xac"},
        {"\u202D", "\\xe2\\x80\\xad"},
        {"new\u202E/dlo", "new\\xe2\\x80\\xae/dlo"},
        {"\u2066", "\\xe2\\x81\\xa6"},
        {"\u2067", "\\xe2\\x81\\xa7"},
        {"\u2068", "\\xe2\\x81\\xa8"},
        {"\u2069", "\\xe2\\x81\\xa9"},
        /* NOLINTEND(misc-misleading-bidirectional) */
        {"\uFEFFnew", "\\xef\\xbb\\xbfnew"},
        {"\u200D", "\u200D"},
        {"\u202F", "\u202F"},
        {"\u061B\u061D", "\u061B\u061D"},
        {"עברית", "עברית"},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        check(pb_text_add_escaped, rows[i].text, rows[i].shown);
        check(pb_text_add_message, rows[i].text, rows[i].shown);
    }
}

static void a_message_keeps_its_lines_and_what_was_escaped(void **state)
{
    (void)state;
    check(pb_text_add_message, "one\ntwo \\x1b ü", "one\ntwo \\x1b ü");
    check(pb_text_add_message, "\x1b[31m\r\t\xC2\x9B\xFF", "\\x1b[31m\\x0d\\x09\\xc2\\x9b\\xff");
}

static void what_was_escaped_comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ITEMS(hostile); i++) {
        struct pb_strbuf escaped = {0};
        struct pb_strbuf back = {0};
        pb_text_add_escaped(&escaped, hostile[i]);
        assert_true(pb_text_is_utf8(escaped.text, escaped.length));
        assert_true(pb_text_add_unescaped(&back, escaped.text));
        assert_string_equal(back.text, hostile[i]);
        pb_strbuf_release(&escaped);
        pb_strbuf_release(&back);
    }
}

static void two_texts_never_look_alike(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_ITEMS(hostile); i++) {
        for (size_t k = 0; k < i; k++) {
            struct pb_strbuf a = {0};
            struct pb_strbuf b = {0};
            pb_text_add_escaped(&a, hostile[i]);
            pb_text_add_escaped(&b, hostile[k]);
            assert_string_not_equal(a.text, b.text);
            pb_strbuf_release(&a);
            pb_strbuf_release(&b);
        }
    }
}

static void what_is_no_escaped_form_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {"\\",    "\\q",   "\\x", "\\x1",
                                       "\\xg1", "\\x00", "a\\", "\\X41"};
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_strbuf buf = {0};
        assert_false(pb_text_add_unescaped(&buf, rows[i]));
        pb_strbuf_release(&buf);
    }
}

static void every_wrong_byte_is_replaced(void **state)
{
    (void)state;
    check(pb_text_add_utf8, "ok ü\n", "ok ü\n");
    check(pb_text_add_utf8, "a\xFF\xFEz", "a\uFFFD\uFFFDz");
    check(pb_text_add_utf8, "\xE2\x82", "\uFFFD\uFFFD");
    check(pb_text_add_utf8, "\xF0\x9F\x98\x80\x80", "😀\uFFFD");
}

static void html_holds_no_markup_and_no_control(void **state)
{
    (void)state;
    check(pb_text_add_html, "<a href=\"x\">'&'</a>",
          "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    check(pb_text_add_html, "a\n\tb\x1b\x7f\xC2\x85", "a\n\tb\uFFFD\uFFFD\uFFFD");
    check(pb_text_add_html, "\xFFü", "\uFFFDü");
    check(pb_text_add_html, "\xEF\xBF\xBD\xEF\xBF\xBE\xEF\xBF\xBF", "\uFFFD\uFFFD\uFFFD");
}

static void columns_are_code_points(void **state)
{
    (void)state;
    assert_int_equal(pb_text_columns(""), 0);
    assert_int_equal(pb_text_columns("abc"), 3);
    assert_int_equal(pb_text_columns("ü…😀"), 3);
}

static void add_file_name(struct pb_strbuf *buf, const char *name)
{
    pb_text_add_file_name(buf, name);
    assert_int_equal(strspn(buf->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789._-"),
                     buf->length);
    assert_true(buf->length <= 80 + 1 + 16);
    assert_int_not_equal(buf->text[0], '.');
}

static void file_names_are_safe_and_never_collide(void **state)
{
    (void)state;
    char long_a[301];
    char long_b[301];
    memset(long_a, 'n', 300);
    long_a[300] = '\0';
    memcpy(long_b, long_a, sizeof long_b);
    long_b[299] = 'm'; /* equal in their first 299 characters */
    const char *names[N_ITEMS(hostile) + 5] = {long_a, long_b, "..", ".hidden", "a_b"};
    memcpy(names + 5, hostile, sizeof hostile);
    for (size_t i = 0; i < N_ITEMS(names); i++) {
        struct pb_strbuf a = {0};
        add_file_name(&a, names[i]);
        for (size_t k = 0; k < i; k++) {
            struct pb_strbuf b = {0};
            add_file_name(&b, names[k]);
            assert_string_not_equal(a.text, b.text);
            pb_strbuf_release(&b);
        }
        pb_strbuf_release(&a);
    }
}

static void a_file_name_stays_the_same(void **state)
{
    (void)state;
    /* FNV-1a of the whole name, 64 bits, from its published definition. */
    check(pb_text_add_file_name, "", "-cbf29ce484222325");
    check(pb_text_add_file_name, "a", "a-af63dc4c8601ec8c");
    check(pb_text_add_file_name, "foobar", "foobar-85944171f73967e8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_what_unicode_says),
        cmocka_unit_test(escaping_leaves_nothing_for_a_terminal_to_do),
        cmocka_unit_test(what_turns_text_or_hides_is_made_visible),
        cmocka_unit_test(a_message_keeps_its_lines_and_what_was_escaped),
        cmocka_unit_test(what_was_escaped_comes_back),
        cmocka_unit_test(two_texts_never_look_alike),
        cmocka_unit_test(what_is_no_escaped_form_is_refused),
        cmocka_unit_test(every_wrong_byte_is_replaced),
        cmocka_unit_test(html_holds_no_markup_and_no_control),
        cmocka_unit_test(columns_are_code_points),
        cmocka_unit_test(file_names_are_safe_and_never_collide),
        cmocka_unit_test(a_file_name_stays_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
