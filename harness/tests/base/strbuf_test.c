/* SPDX-License-Identifier: Apache-2.0
 *
 * Growth, the limit, and numbers in the C locale.
 */
#include "base/strbuf.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void an_empty_buffer_is_an_empty_text(void **state)
{
    (void)state;
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    assert_string_equal(buf.text, "");
    assert_int_equal(buf.length, 0);
    pb_strbuf_release(&buf);
    assert_null(buf.text);
    pb_strbuf_release(&buf);
    pb_strbuf_release(NULL);
}

static void a_zeroed_buffer_is_ready(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    pb_strbuf_add(&buf, NULL, 0);
    assert_string_equal(buf.text, "");
    pb_strbuf_release(&buf);
    pb_strbuf_reset(&buf);
    assert_string_equal(buf.text, "");
    pb_strbuf_release(&buf);
}

static void appends_follow_one_another(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    pb_strbuf_adds(&buf, "one");
    pb_strbuf_addc(&buf, ' ');
    pb_strbuf_addf(&buf, "%s %d", "two", 3);
    pb_strbuf_add(&buf, "\0x", 2);
    assert_int_equal(buf.length, 11);
    assert_memory_equal(buf.text, "one two 3\0x\0", 12);
    pb_strbuf_reset(&buf);
    assert_string_equal(buf.text, "");
    pb_strbuf_release(&buf);
}

static void it_grows_as_far_as_it_has_to(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    for (int i = 0; i < 100000; i++) {
        pb_strbuf_addc(&buf, (char)('a' + i % 26));
    }
    assert_int_equal(buf.length, 100000);
    assert_int_equal(strlen(buf.text), 100000);
    assert_int_equal(buf.text[99999], 'a' + 99999 % 26);
    pb_strbuf_addf(&buf, "%*d", 300000, 7);
    assert_int_equal(buf.length, 400000);
    assert_false(buf.overflow);
    pb_strbuf_release(&buf);
}

static void the_limit_cuts_and_says_so(void **state)
{
    (void)state;
    struct pb_strbuf buf = {.limit = 10};
    pb_strbuf_adds(&buf, "0123456789");
    assert_false(buf.overflow);
    pb_strbuf_addc(&buf, 'x');
    assert_true(buf.overflow);
    assert_string_equal(buf.text, "0123456789");
    pb_strbuf_reset(&buf);
    assert_false(buf.overflow);
    pb_strbuf_addf(&buf, "%d", 1234567890);
    assert_false(buf.overflow);
    pb_strbuf_reset(&buf);
    pb_strbuf_addf(&buf, "abc%s", "defghijkl");
    assert_true(buf.overflow);
    assert_string_equal(buf.text, "abcdefghij");
    pb_strbuf_release(&buf);
}

/* Where no such locale is installed, this shows only that the C locale is used in the C locale. */
static void numbers_are_written_in_the_c_locale(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C"};
    struct pb_strbuf buf = {0};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        setlocale(LC_ALL, locales[i]);
        pb_strbuf_reset(&buf);
        pb_strbuf_addf(&buf, "%.2f %'d", 1234.5, 1234567);
        assert_string_equal(buf.text, "1234.50 1234567");
    }
    setlocale(LC_ALL, "C");
    pb_strbuf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_buffer_is_an_empty_text),
        cmocka_unit_test(a_zeroed_buffer_is_ready),
        cmocka_unit_test(appends_follow_one_another),
        cmocka_unit_test(it_grows_as_far_as_it_has_to),
        cmocka_unit_test(the_limit_cuts_and_says_so),
        cmocka_unit_test(numbers_are_written_in_the_c_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
