/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank correlation against worked examples and the exact null distribution.
 */
#include "stats/trend.h"

#include <stdlib.h>

#include "near.h"
#include "stats/random.h"

static void correlation_agrees_with_a_worked_example(void **state)
{
    (void)state;
    /* source: the example of IQ and hours of television in the encyclopedia article on Spearman's
     * correlation: rho = -29/165, t = -0.505, p = 0.627 */
    static const double iq[] = {86, 97, 99, 100, 101, 103, 106, 110, 112, 113};
    static const double hours[] = {2, 20, 28, 27, 50, 29, 7, 17, 6, 12};
    const struct pb_correlation found = pb_spearman(iq, hours, N_ITEMS(iq));
    assert_near(found.rho, -29.0 / 165, 1e-15);
    assert_near(found.p, 0.627188, 1e-6);
}

static void small_samples_have_the_exact_null_distribution(void **state)
{
    (void)state;
    /* Number of the 24 orders of four with a sum of squared rank differences of 0, 2, … 20.
     * source: OEIS A175929 */
    static const unsigned orders[] = {1, 3, 1, 4, 2, 2, 2, 4, 1, 3, 1};
    static const struct {
        double y[4];
        unsigned half_sum;
    } rows[] = {{{1, 2, 3, 4}, 0}, {{2, 1, 3, 4}, 1},  {{2, 1, 4, 3}, 2}, {{1, 4, 2, 3}, 3},
                {{3, 1, 4, 2}, 5}, {{4, 3, 2, 1}, 10}, {{4, 2, 3, 1}, 9}};
    static const double x[] = {1, 2, 3, 4};
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        unsigned as_far = 0;
        const int distance = abs(5 - (int)rows[i].half_sum);
        for (int k = 0; k <= 10; k++) {
            as_far += abs(5 - k) >= distance ? orders[k] : 0;
        }
        const struct pb_correlation found = pb_spearman(x, rows[i].y, 4);
        assert_near(found.rho, 1 - rows[i].half_sum / 5.0, 1e-15);
        assert_near(found.p, as_far / 24.0, 1e-15);
    }
}

static void monotone_series_are_as_surprising_as_one_order_of_all(void **state)
{
    (void)state;
    const double d[] = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    double orders = 2;
    for (size_t n = 3; n <= PB_TREND_EXACT_MAX; n++) {
        orders *= (double)n;
        const struct pb_correlation found = pb_trend(d, n);
        assert_near(found.rho, 1, 1e-15);
        assert_near(found.p, 2 / orders, 1e-15);
    }
}

static void ties_share_their_mean_rank(void **state)
{
    (void)state;
    /* Ranks 1, 2.5, 2.5, 4 against 1, 3, 2, 4: rho = 4.5 / √(4.5 · 5). The 24 orders with
     * a tie: |xy| >= 4.5 for the four whose ends stay at the ends or change places. */
    static const double x[] = {1, 2, 2, 3};
    static const double y[] = {1, 3, 2, 4};
    const struct pb_correlation found = pb_spearman(x, y, 4);
    assert_near(found.rho, 4.5 / sqrt(4.5 * 5), 1e-15);
    assert_near(found.p, 4.0 / 24, 1e-15);
}

static void nothing_to_say_is_said_as_no_trend(void **state)
{
    (void)state;
    static const double same[] = {3, 3, 3, 3};
    static const double two[] = {1, 2};
    const struct pb_correlation found[] = {pb_trend(same, 4), pb_trend(two, 2), pb_trend(two, 1),
                                           pb_trend(NULL, 0), pb_spearman(same, same, 4)};
    for (size_t i = 0; i < N_ITEMS(found); i++) {
        assert_near(found[i].rho, 0, 0);
        assert_near(found[i].p, 1, 0);
    }
}

static void a_long_monotone_series_is_certainly_a_trend(void **state)
{
    (void)state;
    double up[96];
    double down[96];
    for (size_t i = 0; i < 96; i++) {
        up[i] = 0.001 * (double)i;
        down[i] = -up[i];
    }
    assert_near(pb_trend(up, 96).rho, 1, 1e-15);
    assert_true(pb_trend(up, 96).p < 1e-30);
    assert_near(pb_trend(down, 96).rho, -1, 1e-15);
    assert_true(pb_trend(down, 96).p < 1e-30);
}

static void noise_is_called_a_trend_as_often_as_the_level_says(void **state)
{
    (void)state;
    static const size_t sizes[] = {8, 16, 40};
    enum { SERIES = 4000 };
    struct pb_random random;
    pb_random_init(&random, 1);
    for (size_t k = 0; k < N_ITEMS(sizes); k++) {
        unsigned found = 0;
        const int series = sizes[k] <= PB_TREND_EXACT_MAX ? SERIES / 4 : SERIES;
        for (int i = 0; i < series; i++) {
            double d[40];
            for (size_t j = 0; j < sizes[k]; j++) {
                d[j] = pb_random_unit(&random);
            }
            found += pb_trend(d, sizes[k]).p <= 0.05;
        }
        const double deviation = sqrt(0.05 * 0.95 / series);
        assert_between((double)found / series, 0.05 - 4 * deviation, 0.05 + 4 * deviation);
    }
}

static void more_values_than_the_limit_are_left_alone(void **state)
{
    (void)state;
    static const double d[PB_TREND_VALUES_MAX + 1] = {1};
    static const bool flags[PB_TREND_VALUES_MAX + 1] = {true};
    assert_near(pb_trend(d, PB_TREND_VALUES_MAX + 1).p, 1, 0);
    assert_true(isnan(pb_order_effect(d, flags, PB_TREND_VALUES_MAX + 1)));
    assert_near(pb_order_effect(d, flags, PB_TREND_VALUES_MAX), 0.5, 0);
}

static void order_effect_is_what_going_first_is_worth(void **state)
{
    (void)state;
    /* True difference 0.02; whoever goes first is faster by 0.005. */
    static const double d[] = {0.025, 0.015, 0.025, 0.015, 0.025};
    static const bool a_first[] = {true, false, true, false, true};
    static const bool b_first[] = {false, true, false, true, false};
    assert_near(pb_order_effect(d, a_first, 5), 0.005, 1e-15);
    assert_near(pb_order_effect(d, b_first, 5), -0.005, 1e-15);
    assert_near(pb_order_middle(d, a_first, 5), 0.02, 1e-15);
}

static void order_effect_of_one_order_alone_is_not_known(void **state)
{
    (void)state;
    static const double d[] = {1, 2, 3};
    static const bool always[] = {true, true, true};
    static const bool never[] = {false, false, false};
    assert_true(isnan(pb_order_effect(d, always, 3)));
    assert_true(isnan(pb_order_middle(d, always, 3)));
    assert_true(isnan(pb_order_effect(d, never, 3)));
    assert_true(isnan(pb_order_effect(NULL, NULL, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correlation_agrees_with_a_worked_example),
        cmocka_unit_test(small_samples_have_the_exact_null_distribution),
        cmocka_unit_test(monotone_series_are_as_surprising_as_one_order_of_all),
        cmocka_unit_test(ties_share_their_mean_rank),
        cmocka_unit_test(nothing_to_say_is_said_as_no_trend),
        cmocka_unit_test(a_long_monotone_series_is_certainly_a_trend),
        cmocka_unit_test(noise_is_called_a_trend_as_often_as_the_level_says),
        cmocka_unit_test(more_values_than_the_limit_are_left_alone),
        cmocka_unit_test(order_effect_is_what_going_first_is_worth),
        cmocka_unit_test(order_effect_of_one_order_alone_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
