/* SPDX-License-Identifier: Apache-2.0
 *
 * Waivers: what is read, what is refused, and how long one holds.
 */
#include "store/waivers.h"

#include "store/baseline_lines.h"
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"waivers\"}\n"
#define REST "\"until\":\"2026-02-28\",\"reason\":\"why\"}\n"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void all_members_are_read(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "{\"name\":\"cql/*\\\\xff\",\"gate\":\"ratio\",\"metric\":\"new/"
             "old\",\"at_most_pct\":5.5," REST "{\"name\":\"b\"," REST;
    struct pb_arena arena = {0};
    struct pb_waivers waivers;
    struct pb_error err = {0};
    assert_int_equal(pb_waivers_parse("f", text, strlen(text), &arena, &waivers, &err), PB_OK);
    assert_int_equal(waivers.n, 2);
    assert_string_equal(waivers.items[0].name, "cql/*\xff");
    assert_string_equal(waivers.items[0].gate, "ratio");
    assert_string_equal(waivers.items[0].metric, "new/old");
    assert_true(waivers.items[0].at_most_pct == 5.5);
    assert_string_equal(waivers.items[0].until, "2026-02-28");
    assert_string_equal(waivers.items[0].reason, "why");
    assert_string_equal(waivers.items[1].name, "b");
    assert_null(waivers.items[1].gate);
    assert_null(waivers.items[1].metric);
    assert_true(isinf(waivers.items[1].at_most_pct));
    pb_arena_release(&arena);
}

static void what_is_wrong_is_reported_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "f:1: the file is empty"},
        {HEAD "{" REST, "f:2: \"name\" must be a string"},
        {HEAD "{\"name\":\"n\",\"reason\":\"why\"}\n", "f:2: \"until\" must be a string"},
        {HEAD "{\"name\":\"n\",\"until\":\"soon\",\"reason\":\"why\"}\n",
         "f:2: \"until\" must be a day such as 2026-01-31, not \"soon\""},
        {HEAD "{\"name\":\"n\",\"until\":\"2026-01-31\"}\n", "f:2: \"reason\" must be a string"},
        {HEAD "{\"name\":\"n\",\"until\":\"2026-01-31\",\"reason\":\"\"}\n",
         "f:2: \"reason\" must not be empty"},
        {HEAD "{\"name\":\"n\",\"gate\":\"times\"," REST,
         "f:2: \"gate\" must be ratio, counts or "},
        {HEAD "{\"name\":\"n\",\"gate\":null," REST, "f:2: \"gate\" must be a string"},
        {HEAD "{\"name\":\"n\",\"metric\":1," REST, "f:2: \"metric\" must be a string"},
        {HEAD "{\"name\":\"n\",\"at_most_pct\":0," REST, "f:2: \"at_most_pct\" must be a number"},
        {HEAD "{\"name\":\"n\",\"at_most_pct\":\"5%\"," REST, "f:2: \"at_most_pct\" must be"},
        {HEAD "{\"name\":\"n\",\"at_most_pct\":1e999," REST, "f:2: \"at_most_pct\" must be"},
        {HEAD "{\"name\":\"n\",\"at_most\":5," REST, "f:2: \"at_most\" is no key of a waiver"},
        {HEAD "{\"name\":\"n\"," REST "{\"name\":\"m\",\"untill\":\"2026-01-31\"}\n",
         "f:3: \"untill\" is no key of a waiver"},
    };
    struct pb_arena arena = {0};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct pb_waivers waivers = {.n = 77};
        struct pb_error err = {0};
        const enum pb_code code =
            pb_waivers_parse("f", rows[i].text, strlen(rows[i].text), &arena, &waivers, &err);
        if (code != PB_ERR_FORMAT || strstr(err.message, rows[i].message) != err.message) {
            fail_msg("%zu: %d '%s' does not begin with '%s'", i, (int)code, err.message,
                     rows[i].message);
        }
        assert_int_equal(waivers.n, 77);
    }
    pb_arena_release(&arena);
}

static void a_waiver_holds_until_the_end_of_its_last_day_in_utc(void **state)
{
    (void)state;
    const int64_t noon = 1769860800; /* 2026-01-31T12:00:00Z */
    static const struct {
        const char *until;
        int64_t after_noon;
        bool holds;
    } rows[] = {
        {"2026-01-31", 0, true},      {"2026-01-31", 43199, true},
        {"2026-01-31", 43200, false}, {"2026-01-30", -43201, true},
        {"2026-01-30", 0, false},     {"2025-12-31", 0, false},
        {"2026-02-01", 43200, true},  {"9999-12-31", 0, true},
        {"0000-01-01", 0, false},     {"9999-12-31", INT64_MAX / 2, false},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const struct pb_waiver waiver = {.until = rows[i].until};
        assert_int_equal(pb_waiver_holds(&waiver, noon + rows[i].after_noon), rows[i].holds);
    }
}

static void without_a_file_nothing_is_waived(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_waivers waivers = {.n = 77};
    assert_int_equal(pb_waivers_read(scratch->path, &scratch->arena, &waivers, &scratch->err),
                     PB_OK);
    assert_int_equal(waivers.n, 0);
    static const char text[] = HEAD "{\"name\":\"b\"," REST;
    test_file_write(scratch->path, text, strlen(text));
    assert_int_equal(pb_waivers_read(scratch->path, &scratch->arena, &waivers, &scratch->err),
                     PB_OK);
    assert_int_equal(waivers.n, 1);
    assert_int_equal(pb_waivers_read(scratch->folder, &scratch->arena, &waivers, &scratch->err),
                     PB_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_members_are_read),
        cmocka_unit_test(what_is_wrong_is_reported_with_file_and_line),
        cmocka_unit_test(a_waiver_holds_until_the_end_of_its_last_day_in_utc),
        cmocka_unit_test_setup_teardown(without_a_file_nothing_is_waived, test_scratch_set_up,
                                        test_scratch_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
