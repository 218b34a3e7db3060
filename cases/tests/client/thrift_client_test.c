/* SPDX-License-Identifier: Apache-2.0
 *
 * The client against a server on the loopback interface: when it asks again, and what it tells,
 * the same with the plain transport and with the buffered one. No test waits: time is the test's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bytes/http_server.h"
#include "client/thrift_client.h"
#include "golden.h"

/* A clock that only waiting moves on. */
struct fake_clock {
    double now_s;
    double first_wait_s;
    unsigned n_waits;
};

static double fake_now_s(void *context)
{
    return ((struct fake_clock *)context)->now_s;
}

static void fake_wait_s(void *context, double seconds)
{
    struct fake_clock *clock = context;
    clock->now_s += seconds;
    clock->first_wait_s = clock->n_waits++ == 0 ? seconds : clock->first_wait_s;
}

/* A server with a script, and a client of it. */
struct scene {
    struct http_server *server;
    struct thrift_client *client;
    struct fake_clock clock;
    char url[64];
};

static void scene_begin(struct scene *scene, const struct http_answer *answers, size_t n,
                        enum transport_kind transport)
{
    *scene = (struct scene){.server = http_server_start(answers, n)};
    assert_non_null(scene->server);
    snprintf(scene->url, sizeof scene->url, "http://127.0.0.1:%d/",
             http_server_port(scene->server));
    struct client_options options = {
        .url = scene->url,
        .transport = transport,
        .clock = {fake_now_s, fake_wait_s, &scene->clock},
    };
    retry_policy_init(&options.policy);
    scene->client = thrift_client_new(&options);
    assert_non_null(scene->client);
}

static void scene_end(struct scene *scene)
{
    thrift_client_free(scene->client);
    http_server_stop(scene->server);
}

static const struct tcli_method *get_columns(void)
{
    return tcli_find_method((struct pb_bytes){"GetColumns", 10});
}

static enum thrift_code call(struct scene *scene, struct client_outcome *outcome)
{
    const struct GetColumns_args args = {.present = 0};
    return thrift_client_call(scene->client, get_columns(), &args, outcome);
}

#define HTML                                                                                       \
    {                                                                                              \
        "<html>Service Unavailable</html>", 32                                                     \
    }
#define GOOD                                                                                       \
    {                                                                                              \
        .status = 200, .body = GOLDEN(getcolumns_2415x24)                                          \
    }

struct retry_row {
    const char *what;
    struct http_answer first;
    double wait_s; /* before the second attempt                                                 */
};

static const struct retry_row retry_rows[] = {
    {"503", {.status = 503, .body = HTML}, 1},
    {"503 chunked", {.status = 503, .body = HTML, .chunked = true}, 1},
    {"503 without a body", {.status = 503}, 1},
    {"503 cut", {.status = 503, .body = HTML, .cut = true, .cut_bytes = 10}, 1},
    {"503 cut to nothing", {.status = 503, .body = HTML, .cut = true}, 1},
    {"503 with a reply that is cut",
     {.status = 503, .body = GOLDEN(getcolumns_2415x24), .cut = true, .cut_bytes = 100000},
     1},
    {"503 chunked and cut",
     {.status = 503, .body = HTML, .chunked = true, .cut = true, .cut_bytes = 12},
     1},
    {"503 chunked and cut in a size",
     {.status = 503, .body = HTML, .chunked = true, .cut = true, .cut_bytes = 1},
     1},
    {"429", {.status = 429, .body = HTML}, 1},
    {"429 cut", {.status = 429, .body = HTML, .cut = true, .cut_bytes = 10}, 1},
    {"Retry-After: 7", {.status = 503, .headers = "Retry-After: 7\r\n", .body = HTML}, 7},
    {"Retry-After: 7, cut",
     {.status = 503, .headers = "Retry-After: 7\r\n", .body = HTML, .cut = true, .cut_bytes = 3},
     7},
    {"Retry-After: 0", {.status = 503, .headers = "Retry-After: 0\r\n", .body = HTML}, 1},
    {"Retry-After: 86400", {.status = 429, .headers = "Retry-After: 86400\r\n", .body = HTML}, 60},
    {"an absurd Retry-After",
     {.status = 503, .headers = "Retry-After: 99999999999999999999\r\n", .body = HTML},
     1},
    {"a negative Retry-After", {.status = 503, .headers = "Retry-After: -9\r\n", .body = HTML}, 1},
    {"a date",
     {.status = 503, .headers = "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n", .body = HTML},
     1},
};

static void test_a_busy_server_is_asked_again_whatever_became_of_its_body(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof retry_rows / sizeof retry_rows[0]); ++i) {
        const struct retry_row *row = &retry_rows[i / 2];
        const enum transport_kind transport = i % 2 ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN;
        const struct http_answer answers[] = {row->first, GOOD};
        struct scene scene;
        struct client_outcome outcome;
        scene_begin(&scene, answers, 2, transport);
        const enum thrift_code code = call(&scene, &outcome);
        if (code != THRIFT_OK || outcome.attempts != 2 || outcome.status != 200 ||
            scene.clock.first_wait_s != row->wait_s || outcome.waited_s != row->wait_s) {
            fail_msg("%s, %s: %s after %u attempts and %g s", row->what, i % 2 ? "new" : "old",
                     thrift_code_text(code), outcome.attempts, outcome.waited_s);
        }
        assert_int_equal(outcome.path, i % 2 ? THRIFT_PATH_FAST : THRIFT_PATH_GENERIC);
        assert_int_equal(http_server_requests(scene.server), 2);
        scene_end(&scene);
    }
}

struct failure_row {
    const char *what;
    struct http_answer answer;
    enum thrift_code code;
};

static const struct failure_row failure_rows[] = {
    {"200 cut",
     {.status = 200, .body = GOLDEN(getcolumns_2415x24), .cut = true, .cut_bytes = 300000},
     THRIFT_TRUNCATED},
    {"200 cut in the header",
     {.status = 200, .body = GOLDEN(getcolumns_2415x24), .cut = true, .cut_bytes = 3},
     THRIFT_TRUNCATED},
    {"200 cut to nothing",
     {.status = 200, .body = GOLDEN(getcolumns_2415x24), .cut = true},
     THRIFT_TRUNCATED},
    {"200 chunked and cut",
     {.status = 200,
      .body = GOLDEN(getcolumns_2415x24),
      .chunked = true,
      .cut = true,
      .cut_bytes = 300000},
     THRIFT_TRUNCATED},
    {"200 with a framing that is none",
     {.status = 200, .headers = "Transfer-Encoding: chunked\r\n", .body = {"no size\r\n", 9}},
     THRIFT_BAD_BODY},
    {"500", {.status = 500, .body = HTML}, THRIFT_TRUNCATED},
    {"401", {.status = 401, .body = {"\x82!x", 3}}, THRIFT_TRUNCATED},
    {"404 with another protocol", {.status = 404, .body = {"\x82!xx", 4}}, THRIFT_BAD_VERSION},
};

static void test_any_other_failure_is_told_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof failure_rows / sizeof failure_rows[0]); ++i) {
        const struct failure_row *row = &failure_rows[i / 2];
        struct scene scene;
        struct client_outcome outcome;
        scene_begin(&scene, &row->answer, 1, i % 2 ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN);
        const enum thrift_code code = call(&scene, &outcome);
        if (code != row->code || outcome.attempts != 1 || outcome.status != row->answer.status ||
            outcome.waited_s != 0) {
            fail_msg("%s, %s: %s after %u attempts", row->what, i % 2 ? "new" : "old",
                     thrift_code_text(code), outcome.attempts);
        }
        scene_end(&scene);
    }
}

static void test_a_reply_that_decodes_is_a_reply_whatever_the_status_says(void **state)
{
    (void)state;
    const struct http_answer good = {.status = 503, .body = GOLDEN(getcolumns_2415x24)};
    for (int i = 0; i < 2; ++i) {
        struct scene scene;
        struct client_outcome outcome;
        scene_begin(&scene, &good, 1, i ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN);
        assert_int_equal(call(&scene, &outcome), THRIFT_OK);
        assert_int_equal(outcome.attempts, 1);
        assert_int_equal(outcome.status, 503);
        scene_end(&scene);
    }
}

static void test_a_server_that_stays_busy_is_given_up(void **state)
{
    (void)state;
    static const struct {
        const char *headers;
        unsigned attempts;
        double waited_s;
    } rows[] = {
        /* Eleven delays that grow, then 60 s each, as many as begin and end within 900 s. */
        {"", 24, 0},
        {"Retry-After: 60\r\n", 16, 900},
    };
    for (size_t i = 0; i < 4; ++i) {
        const struct http_answer busy = {
            .status = 503, .headers = rows[i / 2].headers, .body = HTML};
        struct scene scene;
        struct client_outcome outcome;
        scene_begin(&scene, &busy, 1, i % 2 ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN);
        assert_int_equal(call(&scene, &outcome), THRIFT_TRUNCATED);
        assert_int_equal(outcome.attempts, rows[i / 2].attempts);
        assert_int_equal(http_server_requests(scene.server), rows[i / 2].attempts);
        assert_true(outcome.waited_s <= 900);
        if (rows[i / 2].waited_s > 0) {
            assert_float_equal(outcome.waited_s, rows[i / 2].waited_s, 0);
        }
        scene_end(&scene);
    }
}

static void test_a_connection_is_used_again_when_its_body_came_whole(void **state)
{
    (void)state;
    static const struct {
        struct http_answer answer;
        bool reusable;
    } rows[] = {
        {GOOD, true},
        {{.status = 200, .body = GOLDEN(getcolumns_2415x24), .chunked = true}, true},
        {{.status = 200,
          .body = GOLDEN(getcolumns_2415x24),
          .chunked = true,
          .no_last_chunk = true},
         false},
    };
    for (size_t i = 0; i < 6; ++i) {
        struct scene scene;
        struct client_outcome outcome;
        scene_begin(&scene, &rows[i / 2].answer, 1, i % 2 ? TRANSPORT_BUFFERED : TRANSPORT_PLAIN);
        for (int k = 0; k < 3; ++k) {
            assert_int_equal(call(&scene, &outcome), THRIFT_OK);
            assert_int_equal(outcome.reusable, rows[i / 2].reusable);
            assert_int_equal(outcome.attempts, 1);
        }
        assert_int_equal(http_server_connections(scene.server), rows[i / 2].reusable ? 1 : 3);
        scene_end(&scene);
    }
}

static void test_no_server_is_a_failure_without_a_status(void **state)
{
    (void)state;
    struct scene scene;
    struct client_outcome outcome;
    const struct http_answer good = GOOD;
    scene_begin(&scene, &good, 1, TRANSPORT_BUFFERED);
    http_server_stop(scene.server);
    scene.server = NULL;
    assert_int_equal(call(&scene, &outcome), THRIFT_SOURCE_FAILED);
    assert_int_equal(outcome.status, 0);
    assert_int_equal(outcome.attempts, 1);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_busy_server_is_asked_again_whatever_became_of_its_body),
        cmocka_unit_test(test_any_other_failure_is_told_at_once),
        cmocka_unit_test(test_a_reply_that_decodes_is_a_reply_whatever_the_status_says),
        cmocka_unit_test(test_a_server_that_stays_busy_is_given_up),
        cmocka_unit_test(test_a_connection_is_used_again_when_its_body_came_whole),
        cmocka_unit_test(test_no_server_is_a_failure_without_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
