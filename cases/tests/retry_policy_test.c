/* SPDX-License-Identifier: Apache-2.0
 *
 * The heads of responses, and when a client comes again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/http_head.h"
#include "bytes/memory_source.h"
#include "thrift/retry_policy.h"

struct head_row {
    const char *raw;
    int end;
    int status;
    enum http_framing framing;
    uint64_t length;
    const char *retry_after;
};

static const struct head_row head_rows[] = {
    {"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n", 0, 200, HTTP_LENGTH, 12, NULL},
    {"HTTP/1.1 200\r\ncontent-length:12 \r\n\r\n", 0, 200, HTTP_LENGTH, 12, NULL},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n", 0, 200, HTTP_CHUNKED, 0, NULL},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 0, 200,
     HTTP_CHUNKED, 0, NULL},
    {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 0, 200,
     HTTP_CHUNKED, 5, NULL},
    {"HTTP/1.1 200 OK\r\n\r\n", 0, 200, HTTP_UNTIL_CLOSE, 0, NULL},
    {"HTTP/1.1 204 No Content\r\n\r\n", 0, 204, HTTP_LENGTH, 0, NULL},
    {"HTTP/1.1 503 Busy\r\nRetry-After: \t 7 \r\nContent-Length: 0\r\n\r\n", 0, 503, HTTP_LENGTH, 0,
     "7"},
    {"HTTP/1.1 429 Slow\r\nretry-after: Wed, 21 Oct 2026 07:28:00 GMT\r\n\r\n", 0, 429,
     HTTP_UNTIL_CLOSE, 0, "Wed, 21 Oct 2026 07:28:00 GMT"},
    {"HTTP/1.1 100 Continue\r\nRetry-After: 3\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n",
     0, 200, HTTP_LENGTH, 1, NULL},
    {"HTTP/1.1 200 OK\r\nno colon here\r\n: none\r\n\r\n", 0, 200, HTTP_UNTIL_CLOSE, 0, NULL},
    {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 0, 200, HTTP_LENGTH, 1,
     NULL},
    {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0,
     NULL},
    {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0,
     NULL},
    {"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"<html>\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"HTTP/1.1 2x0 OK\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"HTTP/1.1 099 OK\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"HTTP/1.1 2000 OK\r\n\r\n", SOURCE_MALFORMED, 0, 0, 0, NULL},
    {"HTTP/1.1 200 OK\r\nContent-Le", SOURCE_CUT, 0, 0, 0, NULL},
    {"", SOURCE_CUT, 0, 0, 0, NULL},
};

static void test_a_head_tells_status_framing_and_when_to_come_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof head_rows / sizeof head_rows[0]; ++i) {
        const struct head_row *row = &head_rows[i];
        struct memory_source memory;
        struct buffered_reader reader;
        struct http_head head;
        memory_source_init(&memory, (struct pb_bytes){row->raw, strlen(row->raw)});
        buffered_reader_init(&reader, &memory.source);
        const int end = http_head_read(&head, &reader);
        if (end != row->end) {
            fail_msg("row %zu: %d", i, end);
        }
        if (end != 0) {
            continue;
        }
        if (head.status != row->status || head.framing != row->framing ||
            head.length_bytes != row->length || head.retry_after != (row->retry_after != NULL)) {
            fail_msg("row %zu: status %d, framing %d", i, head.status, (int)head.framing);
        }
        if (row->retry_after != NULL) {
            assert_string_equal(head.retry_after_text, row->retry_after);
        }
    }
}

static void test_what_a_server_asks_for_is_believed_within_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } rows[] = {
        {NULL, 1},
        {"", 1},
        {"7", 7},
        {"0", 0},
        {"0007", 7},
        {"120", 120},
        {"999999999", 1e9 - 1},
        {"9999999999", 1},
        {"99999999999999999999999", 1},
        {"-5", 1},
        {"+5", 1},
        {"1.5", 1},
        {"abc", 1},
        {"7s", 1},
        {"Wed, 21 Oct 2026 07:28:00 GMT", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_float_equal(retry_after_s(rows[i].text), rows[i].seconds, 0);
    }
}

static void test_delays_grow_by_half_and_stay_within_the_cap(void **state)
{
    (void)state;
    static const struct {
        unsigned attempt;
        double after_s;
        double delay_s;
    } rows[] = {
        {1, 1, 1},
        {2, 1, 1.5},
        {3, 1, 2.25},
        {1, 7, 7},
        {3, 2, 2.25},
        {3, 3, 3},
        {1, 0, 1},
        {11, 1, 57.6650390625},
        {12, 1, 60},
        {1, 1e9, 60},
        {4000000000u, 1, 60},
    };
    struct retry_policy policy;
    retry_policy_init(&policy);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        assert_float_equal(retry_delay_s(&policy, rows[i].attempt, rows[i].after_s),
                           rows[i].delay_s, 1e-9);
    }
}

static void test_only_a_busy_server_is_asked_again(void **state)
{
    (void)state;
    for (int status = 0; status < 1000; ++status) {
        assert_int_equal(retry_wanted(status), status == 429 || status == 503);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_head_tells_status_framing_and_when_to_come_again),
        cmocka_unit_test(test_what_a_server_asks_for_is_believed_within_reason),
        cmocka_unit_test(test_delays_grow_by_half_and_stay_within_the_cap),
        cmocka_unit_test(test_only_a_busy_server_is_asked_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
