/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a machine is fit to measure on, as text.
 */
#include "output/doctor_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define N_ITEMS(array) (sizeof(array) / sizeof(array)[0])

static const struct pb_noise_item items[] = {
    {"clock_source", "the clock is fast to read", PB_NOISE_YES, "tsc", NULL},
    {"load", "a processor is free (load)", PB_NOISE_NO, "7.16", "stop what else is running"},
    {"turbo", "turbo is off", PB_NOISE_UNKNOWN, "unknown", "the host decides"},
    {"clock_step", "the clock is fine enough", PB_NOISE_UNKNOWN, "odd\x1b", "see above"},
};

static const struct pb_doctor_floor good_floor = {
    .name = "a/b/old",
    .n_launches = 612,
    .wall_s = 10.02,
    .estimate = -0.0001,
    .lo = -0.0035,
    .hi = 0.0021,
    .floor = 0.0035,
};

static const char *text_of(struct pb_strbuf *buf, const struct pb_doctor_floor *measured,
                           int verbosity)
{
    const struct pb_doctor_record record = {items, N_ITEMS(items), measured};
    const struct pb_style style = {.color = false, .verbosity = verbosity};
    pb_strbuf_reset(buf);
    pb_doctor_text_add(buf, &record, &style);
    return buf->text;
}

static void every_item_has_its_row_and_advice_stands_below(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    assert_string_equal(text_of(&buf, NULL, 0),
                        "as it should be                      found\n"
                        "the clock is fast to read   yes      tsc\n"
                        "a processor is free (load)  no       7.16\n"
                        "turbo is off                unknown\n"
                        "the clock is fine enough    unknown  odd\\x1b\n"
                        "\n"
                        "what is not as it should be, and what to do\n"
                        "  a processor is free (load): stop what else is running\n"
                        "\n"
                        "what can't be known here\n"
                        "  turbo is off: the host decides\n"
                        "  the clock is fine enough: see above\n");
    pb_strbuf_release(&buf);
}

static void quiet_text_is_what_is_wrong_and_the_floor(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    assert_string_equal(text_of(&buf, &good_floor, -1),
                        "what is not as it should be, and what to do\n"
                        "  a processor is free (load): stop what else is running\n"
                        "\n"
                        "differences below 0.36 % cannot be seen here in 10 s\n");
    pb_strbuf_release(&buf);
}

static void the_floor_is_told_in_words_and_with_what_it_rests_on(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    const char *text = text_of(&buf, &good_floor, 0);
    assert_non_null(strstr(text, "\n\ndifferences below 0.36 % cannot be seen here in 10 s\n"
                                 "  a/b/old against itself in 612 launches: "
                                 "-0.01 % [-0.35 %, +0.21 %]\n"));
    assert_null(strstr(text, "favours"));
    pb_strbuf_release(&buf);
}

static void the_floor_is_rounded_up_to_two_digits(void **state)
{
    (void)state;
    static const struct {
        double pct;
        const char *text;
    } rows[] = {
        {0, "below 0.01 %"},   {0.004, "below 0.01 %"}, {0.0101, "below 0.011 %"},
        {0.4, "below 0.4 %"},  {0.401, "below 0.41 %"}, {0.999, "below 1 %"},
        {1.01, "below 1.1 %"}, {0.14, "below 0.14 %"},  {9.91, "below 10 %"},
        {12.3, "below 13 %"},  {99.5, "below 100 %"},   {123, "below 130 %"},
    };
    struct pb_strbuf buf = {0};
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_doctor_floor measured = good_floor;
        measured.floor = log1p(rows[i].pct / 100);
        if (strstr(text_of(&buf, &measured, 0), rows[i].text) == NULL) {
            fail_msg("%g: no \"%s\" in %s", rows[i].pct, rows[i].text, buf.text);
        }
    }
    pb_strbuf_release(&buf);
}

static void identical_code_that_came_out_different_is_pointed_out(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    struct pb_doctor_floor measured = good_floor;
    measured.lo = 0.0001;
    assert_non_null(strstr(text_of(&buf, &measured, 0), "something favours a side"));
    measured.lo = -0.0035;
    measured.hi = -0.0001;
    assert_non_null(strstr(text_of(&buf, &measured, -1), "something favours a side"));
    pb_strbuf_release(&buf);
}

static const struct pb_doctor_floor no_floor = {
    .name = "a/\x1b"
            "b/old",
    .reason = "died of signal 11\x1b",
    .estimate = NAN,
    .lo = -INFINITY,
    .hi = INFINITY,
    .floor = INFINITY,
};

static void without_a_floor_the_reason_is_told(void **state)
{
    (void)state;
    struct pb_strbuf buf = {0};
    assert_non_null(strstr(text_of(&buf, &no_floor, 0),
                           "\nthe noise floor was not measured: a/\\x1bb/old: "
                           "died of signal 11\\x1b\n"));
    struct pb_doctor_floor nameless = no_floor;
    nameless.name = NULL;
    assert_non_null(strstr(text_of(&buf, &nameless, 0), "not measured: died of"));
    pb_strbuf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_has_its_row_and_advice_stands_below),
        cmocka_unit_test(quiet_text_is_what_is_wrong_and_the_floor),
        cmocka_unit_test(the_floor_is_told_in_words_and_with_what_it_rests_on),
        cmocka_unit_test(the_floor_is_rounded_up_to_two_digits),
        cmocka_unit_test(identical_code_that_came_out_different_is_pointed_out),
        cmocka_unit_test(without_a_floor_the_reason_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
