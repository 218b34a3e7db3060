/* SPDX-License-Identifier: Apache-2.0
 *
 * The ratio of a launch on bursts small enough to be worked out by hand.
 */
#include "stats/ratio.h"

#include <string.h>

#include "near.h"
#include "stats/random.h"

static void ratio_is_the_median_over_rounds_of_the_ratio_of_minima(void **state)
{
    (void)state;
    /* Minima of a: 10, 20, 10; of b: 20, 20, 40; ratios 2, 1, 4. */
    static const float a[] = {12, 10, 11, 20, 25, 21, 30, 40, 10};
    static const float b[] = {25, 21, 20, 20, 90, 22, 44, 40, 41};
    assert_near(pb_launch_ratio(a, b, 3, 3), log(2), 1e-15);
}

static void an_even_number_of_rounds_takes_the_mean_of_the_middle_two(void **state)
{
    (void)state;
    /* Ratios 1, 2, 4, 64: the middle two are log 2 and log 4. */
    static const float a[] = {1, 1, 1, 1};
    static const float b[] = {4, 1, 64, 2};
    assert_near(pb_launch_ratio(a, b, 4, 1), 1.5 * log(2), 1e-15);
}

static void swapping_the_sides_flips_the_sign_exactly(void **state)
{
    (void)state;
    struct pb_random random;
    pb_random_init(&random, 1);
    for (size_t rounds = 1; rounds <= PB_ROUNDS_MAX; rounds++) {
        float a[5 * PB_ROUNDS_MAX];
        float b[5 * PB_ROUNDS_MAX];
        for (size_t i = 0; i < 5 * rounds; i++) {
            a[i] = (float)(200 + 10 * pb_random_unit(&random));
            b[i] = (float)(203 + 10 * pb_random_unit(&random));
        }
        const double d = pb_launch_ratio(a, b, rounds, 5);
        assert_true(d != 0);
        assert_true(pb_launch_ratio(b, a, rounds, 5) == -d);
    }
}

static void identical_sides_give_exactly_nothing(void **state)
{
    (void)state;
    float a[60];
    for (size_t i = 0; i < 60; i++) {
        a[i] = (float)(100 + i % 7);
    }
    assert_near(pb_launch_ratio(a, a, 12, 5), 0, 0);
}

static void a_clock_too_coarse_to_tell_slices_apart_is_no_trouble(void **state)
{
    (void)state;
    float a[60];
    float b[60];
    for (size_t i = 0; i < 60; i++) {
        a[i] = 50;
        b[i] = 51;
    }
    assert_near(pb_launch_ratio(a, b, 12, 5), log(51.0 / 50), 1e-15);
}

static void the_same_slowdown_of_a_round_on_both_sides_cancels(void **state)
{
    (void)state;
    /* Round 2 ran on a processor at half its speed. */
    static const float a[] = {10, 20, 10};
    static const float b[] = {11, 22, 11};
    assert_near(pb_launch_ratio(a, b, 3, 1), log(1.1), 1e-15);
}

static void more_rounds_than_the_limit_are_refused(void **state)
{
    (void)state;
    float a[2 * PB_ROUNDS_MAX];
    for (size_t i = 0; i < N_ITEMS(a); i++) {
        a[i] = 5;
    }
    assert_near(pb_launch_ratio(a, a, PB_ROUNDS_MAX, 2), 0, 0);
    assert_true(isnan(pb_launch_ratio(a, a, PB_ROUNDS_MAX + 1, 1)));
}

static void what_has_no_ratio_is_nan(void **state)
{
    (void)state;
    static const struct {
        float a[2];
        float b[2];
        size_t rounds;
        size_t slices;
    } rows[] = {
        {{0, 0}, {0, 0}, 2, 1},   {{0, 0}, {5, 5}, 2, 1},
        {{5, 5}, {0, 5}, 2, 1},   {{-1, 5}, {5, 5}, 2, 1},
        {{NAN, 5}, {5, 5}, 2, 1}, {{5, 5}, {5, NAN}, 1, 2},
        {{5, 5}, {NAN, 5}, 1, 2}, {{INFINITY, INFINITY}, {5, 5}, 1, 2},
        {{5, 5}, {5, 5}, 0, 1},   {{5, 5}, {5, 5}, 1, 0},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_true(isnan(pb_launch_ratio(rows[i].a, rows[i].b, rows[i].rounds, rows[i].slices)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratio_is_the_median_over_rounds_of_the_ratio_of_minima),
        cmocka_unit_test(an_even_number_of_rounds_takes_the_mean_of_the_middle_two),
        cmocka_unit_test(swapping_the_sides_flips_the_sign_exactly),
        cmocka_unit_test(identical_sides_give_exactly_nothing),
        cmocka_unit_test(a_clock_too_coarse_to_tell_slices_apart_is_no_trouble),
        cmocka_unit_test(the_same_slowdown_of_a_round_on_both_sides_cancels),
        cmocka_unit_test(more_rounds_than_the_limit_are_refused),
        cmocka_unit_test(what_has_no_ratio_is_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
