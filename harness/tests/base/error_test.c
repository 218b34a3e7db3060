/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages that fit, and messages that do not.
 */
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void the_code_is_returned_and_kept(void **state)
{
    (void)state;
    struct pb_error err = {0};
    assert_int_equal(pb_error_set(&err, PB_ERR_IO, "can't read %s: %d", "a file", 5), PB_ERR_IO);
    assert_int_equal(err.code, PB_ERR_IO);
    assert_string_equal(err.message, "can't read a file: 5");
}

static void nobody_has_to_listen(void **state)
{
    (void)state;
    assert_int_equal(pb_error_set(NULL, PB_ERR_LIMIT, "too %s", "long"), PB_ERR_LIMIT);
}

/* A message of `n` characters of `bytes_each` bytes. */
static void check_cut(size_t n, const char *character)
{
    char text[4 * PB_ERROR_MESSAGE_BYTES];
    const size_t bytes_each = strlen(character);
    for (size_t i = 0; i < n; i++) {
        memcpy(text + i * bytes_each, character, bytes_each);
    }
    text[n * bytes_each] = '\0';
    struct pb_error err = {0};
    pb_error_set(&err, PB_ERR_IO, "%s", text);
    const size_t length = strlen(err.message);
    assert_true(length < sizeof err.message);
    assert_true(pb_text_is_utf8(err.message, length));
    if (n * bytes_each < sizeof err.message) {
        assert_string_equal(err.message, text);
        return;
    }
    assert_string_equal(err.message + length - strlen("…"), "…");
    assert_memory_equal(err.message, text, length - strlen("…"));
    assert_true(length + bytes_each >= sizeof err.message - 1);
}

static void what_does_not_fit_is_cut_between_characters(void **state)
{
    (void)state;
    static const char *const characters[] = {"x", "ä", "…", "😀"};
    for (size_t c = 0; c < sizeof characters / sizeof characters[0]; c++) {
        const size_t fits = (PB_ERROR_MESSAGE_BYTES - 1) / strlen(characters[c]);
        for (size_t n = fits - 2; n < fits + 6; n++) {
            check_cut(n, characters[c]);
        }
    }
}

static void a_prefix_says_where(void **state)
{
    (void)state;
    struct pb_error err = {0};
    pb_error_set(&err, PB_ERR_FORMAT, "line %d is no JSON", 3);
    assert_int_equal(pb_error_prefix(&err, "baseline %s", "counts.jsonl"), PB_ERR_FORMAT);
    assert_int_equal(err.code, PB_ERR_FORMAT);
    assert_string_equal(err.message, "baseline counts.jsonl: line 3 is no JSON");
}

static void a_prefix_before_a_long_message_cuts_its_end(void **state)
{
    (void)state;
    char text[PB_ERROR_MESSAGE_BYTES];
    memset(text, 'm', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct pb_error err = {0};
    pb_error_set(&err, PB_ERR_IO, "%s", text);
    pb_error_prefix(&err, "here");
    assert_memory_equal(err.message, "here: mmm", 9);
    assert_string_equal(err.message + strlen(err.message) - strlen("…"), "…");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_code_is_returned_and_kept),
        cmocka_unit_test(nobody_has_to_listen),
        cmocka_unit_test(what_does_not_fit_is_cut_between_characters),
        cmocka_unit_test(a_prefix_says_where),
        cmocka_unit_test(a_prefix_before_a_long_message_cuts_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
