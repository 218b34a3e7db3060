/* SPDX-License-Identifier: Apache-2.0
 *
 * Who makes the text of a logged payload, and that it is the same text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/memory_sink.h"
#include "logging/payload_log.h"
#include "thrift/tcli.h"

static struct TStatus status_with(const char *text, size_t size)
{
    struct TStatus status = {.present = 0};
    TCLI_SET(&status, TStatus, statusCode, 3);
    TCLI_SET(&status, TStatus, errorMessage, (struct pb_bytes){text, size});
    return status;
}

#define STATUS_TEXT(message)                                                                       \
    "TStatus(statusCode=3, infoMessages=None, sqlState=None, errorCode=None, "                     \
    "errorMessage=" message ", displayMessage=None, errorDetailsJson=None)"

static void assert_sink(const struct memory_sink *sink, const char *text)
{
    const struct pb_bytes bytes = memory_sink_bytes(sink);
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
}

static void test_with_nobody_reading_old_makes_the_text_and_new_does_not(void **state)
{
    (void)state;
    const struct TStatus status = status_with("boom", 4);
    struct log_handler null;
    struct memory_sink scratch;
    log_null_handler_init(&null);
    struct logger logger = {&null};
    memory_sink_init(&scratch, NULL, 0);
    assert_int_equal(log_payload_old(&logger, "Got: ", &thrift_TStatus, &status, &scratch),
                     THRIFT_OK);
    assert_sink(&scratch, STATUS_TEXT("'boom'"));
    /* The payload is not even looked at. */
    assert_int_equal(log_payload_new(&logger, "Got: ", &thrift_TStatus, NULL), THRIFT_OK);
    memory_sink_release(&scratch);
}

static void test_with_a_handler_both_write_the_same_lines(void **state)
{
    (void)state;
    const struct TStatus status = status_with("boom", 4);
    struct memory_sink scratch;
    struct memory_sink old;
    struct memory_sink new;
    struct log_line_handler lines;
    memory_sink_init(&scratch, NULL, 0);
    memory_sink_init(&old, NULL, 0);
    memory_sink_init(&new, NULL, 0);
    log_line_handler_init(&lines, &old.sink);
    struct logger logger = {&lines.handler};
    assert_int_equal(log_payload_old(&logger, "Got: ", &thrift_TStatus, &status, &scratch),
                     THRIFT_OK);
    assert_int_equal(log_payload_old(&logger, "Got: ", &thrift_TStatus, &status, &scratch),
                     THRIFT_OK);
    log_line_handler_init(&lines, &new.sink);
    assert_int_equal(log_payload_new(&logger, "Got: ", &thrift_TStatus, &status), THRIFT_OK);
    assert_int_equal(log_payload_new(&logger, "Got: ", &thrift_TStatus, &status), THRIFT_OK);
    assert_sink(&old, "Got: " STATUS_TEXT("'boom'") "\nGot: " STATUS_TEXT("'boom'") "\n");
    assert_sink(&new, "Got: " STATUS_TEXT("'boom'") "\nGot: " STATUS_TEXT("'boom'") "\n");
    memory_sink_release(&scratch);
    memory_sink_release(&old);
    memory_sink_release(&new);
}

static void test_bytes_that_are_no_utf_8_are_shown_as_surrogates(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        const char *text;
    } rows[] = {
        {"\xff", STATUS_TEXT("'\\udcff'")},
        {"a\x80z", STATUS_TEXT("'a\\udc80z'")},
        {"\xc0\x80", STATUS_TEXT("'\\udcc0\\udc80'")},                       /* an overlong zero */
        {"\xed\xa0\x80", STATUS_TEXT("'\\udced\\udca0\\udc80'")},            /* a surrogate */
        {"\xf4\x90\x80\x80", STATUS_TEXT("'\\udcf4\\udc90\\udc80\\udc80'")}, /* too large */
        {"\xe4\xb8", STATUS_TEXT("'\\udce4\\udcb8'")},                       /* cut */
        {"\xe4\xb8\x96\xff", STATUS_TEXT("'\xe4\xb8\x96\\udcff'")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const struct TStatus status = status_with(rows[i].bytes, strlen(rows[i].bytes));
        struct memory_sink sink;
        memory_sink_init(&sink, NULL, 0);
        assert_int_equal(thrift_text_write(&sink.sink, &thrift_TStatus, &status), THRIFT_OK);
        assert_sink(&sink, rows[i].text);
        memory_sink_release(&sink);
    }
}

static int refuse(struct sink *sink, const void *data, size_t size)
{
    (void)data;
    (void)size;
    return sink->error = 28;
}

static void test_a_log_that_can_not_be_written_is_told(void **state)
{
    (void)state;
    const struct TStatus status = status_with("boom", 4);
    struct sink full = {.write = refuse};
    struct log_line_handler lines;
    log_line_handler_init(&lines, &full);
    struct logger logger = {&lines.handler};
    assert_int_equal(log_payload_new(&logger, "Got: ", &thrift_TStatus, &status),
                     THRIFT_SINK_FAILED);
    assert_int_equal(full.error, 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_nobody_reading_old_makes_the_text_and_new_does_not),
        cmocka_unit_test(test_with_a_handler_both_write_the_same_lines),
        cmocka_unit_test(test_bytes_that_are_no_utf_8_are_shown_as_surrogates),
        cmocka_unit_test(test_a_log_that_can_not_be_written_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
