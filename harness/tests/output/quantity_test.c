/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as people read them, in any locale.
 */
#include "output/quantity.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct shown {
    double value;
    const char *text;
};

static void check(void (*add)(struct pb_strbuf *, double), const struct shown *shown, size_t n)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    for (size_t i = 0; i < n; i++) {
        pb_strbuf_reset(&buf);
        add(&buf, shown[i].value);
        assert_string_equal(buf.text, shown[i].text);
    }
    pb_strbuf_release(&buf);
}

#define CHECK(add, shown) check((add), (shown), sizeof(shown) / sizeof(shown)[0])

static void times_have_three_digits_and_a_unit_that_fits(void **state)
{
    (void)state;
    static const struct shown shown[] = {
        {0, "0 ns"},         {0.0812, "0.081 ns"}, {0.812, "0.812 ns"}, {0.99949, "0.999 ns"},
        {0.9996, "1.00 ns"}, {9.994, "9.99 ns"},   {9.996, "10.0 ns"},  {99.96, "100 ns"},
        {213.4, "213 ns"},   {999.4, "999 ns"},    {999.6, "1.00 µs"},  {1420, "1.42 µs"},
        {999600, "1.00 ms"}, {12e6, "12.0 ms"},    {3.1e9, "3.10 s"},   {4e12, "4000 s"},
        {-1, "-"},           {NAN, "-"},           {INFINITY, "-"},
    };
    CHECK(pb_quantity_add_time, shown);
}

static void durations_are_coarse(void **state)
{
    (void)state;
    static const struct shown shown[] = {
        {0, "0.0 s"},         {0.44, "0.4 s"},      {9.94, "9.9 s"},     {9.96, "10 s"},
        {99.4, "99 s"},       {99.6, "1 min 40 s"}, {125, "2 min 05 s"}, {3599.4, "59 min 59 s"},
        {3600, "1 h 00 min"}, {3780, "1 h 03 min"}, {NAN, "-"},          {-1, "-"},
        {INFINITY, "-"},
    };
    CHECK(pb_quantity_add_duration, shown);
}

static void speedups_turn_a_log_ratio_round(void **state)
{
    (void)state;
    static const struct {
        double speedup;
        const char *text;
    } shown[] = {
        {1, "1.000×"},     {2, "2.00×"},     {0.5, "0.500×"}, {1.002, "1.002×"}, {1.06, "1.06×"},
        {0.985, "0.985×"}, {12.34, "12.3×"}, {145.2, "145×"}, {99.96, "100×"},
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        pb_strbuf_reset(&buf);
        pb_quantity_add_speedup(&buf, -log(shown[i].speedup));
        assert_string_equal(buf.text, shown[i].text);
    }
    pb_strbuf_release(&buf);
    static const struct shown none[] = {{NAN, "-"}, {INFINITY, "-"}, {-INFINITY, "-"}, {-1e6, "-"}};
    CHECK(pb_quantity_add_speedup, none);
}

static void intervals_show_the_smaller_speedup_first_and_differing_ends(void **state)
{
    (void)state;
    static const struct {
        double slow, fast;
        const char *text;
    } shown[] = {
        {2.12, 2.16, "[2.12, 2.16]"},           {1.856, 1.863, "[1.856, 1.863]"},
        {0.98, 1.01, "[0.980, 1.010]"},         {13.7, 13.9, "[13.7, 13.9]"},
        {1.50001, 1.50002, "[1.5000, 1.5000]"},
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        pb_strbuf_reset(&buf);
        pb_quantity_add_speedup_interval(&buf, -log(shown[i].fast), -log(shown[i].slow));
        assert_string_equal(buf.text, shown[i].text);
    }
    pb_strbuf_reset(&buf);
    pb_quantity_add_speedup_interval(&buf, -INFINITY, INFINITY);
    pb_quantity_add_speedup_interval(&buf, NAN, NAN);
    assert_string_equal(buf.text, "[-, -][-, -]");
    pb_strbuf_release(&buf);
}

static void changes_have_a_sign_and_no_nan(void **state)
{
    (void)state;
    static const struct shown shown[] = {
        {1.234, "+1.23 %"}, {-46.71, "-46.7 %"}, {0, "0.00 %"},
        {-0.001, "0.00 %"}, {0.006, "+0.01 %"},  {2.345e4, "+23450 %"},
        {INFINITY, "+inf"}, {-INFINITY, "-inf"}, {NAN, "-"},
    };
    CHECK(pb_quantity_add_change, shown);
}

static void numbers_are_exact_when_they_are_integers(void **state)
{
    (void)state;
    static const struct shown shown[] = {
        {0, "0"},   {-0.0, "0"},     {5384, "5384"}, {5e9, "5000000000"}, {0.46731, "0.4673"},
        {-3, "-3"}, {1e20, "1e+20"}, {NAN, "-"},     {INFINITY, "-"},
    };
    CHECK(pb_quantity_add_number, shown);
}

static void timestamps_are_utc(void **state)
{
    (void)state;
    static const struct {
        int64_t time;
        const char *text;
    } shown[] = {
        {0, "1970-01-01T00:00:00Z"},
        {1769824800, "2026-01-31T02:00:00Z"},
        {-1, "1969-12-31T23:59:59Z"},
        {INT64_MAX, "-"},
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        pb_strbuf_reset(&buf);
        pb_quantity_add_timestamp(&buf, shown[i].time);
        assert_string_equal(buf.text, shown[i].text);
    }
    pb_strbuf_release(&buf);
}

static void a_locale_with_commas_changes_nothing(void **state)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    times_have_three_digits_and_a_unit_that_fits(state);
    durations_are_coarse(state);
    speedups_turn_a_log_ratio_round(state);
    intervals_show_the_smaller_speedup_first_and_differing_ends(state);
    changes_have_a_sign_and_no_nan(state);
    numbers_are_exact_when_they_are_integers(state);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_three_digits_and_a_unit_that_fits),
        cmocka_unit_test(durations_are_coarse),
        cmocka_unit_test(speedups_turn_a_log_ratio_round),
        cmocka_unit_test(intervals_show_the_smaller_speedup_first_and_differing_ends),
        cmocka_unit_test(changes_have_a_sign_and_no_nan),
        cmocka_unit_test(numbers_are_exact_when_they_are_integers),
        cmocka_unit_test(timestamps_are_utc),
        cmocka_unit_test(a_locale_with_commas_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
