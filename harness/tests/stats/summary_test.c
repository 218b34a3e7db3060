/* SPDX-License-Identifier: Apache-2.0
 *
 * Summaries on numbers that others have worked out.
 */
#include "stats/summary.h"

#include <float.h>
#include <string.h>

#include "near.h"
#include "stats/random.h"

enum { VALUES_MAX = 10 };

struct sample {
    size_t n;
    double x[VALUES_MAX];
};

/* The first ten of Michelson's speeds of light of 1879, km/s above 299,000. */
static const struct sample michelson = {10, {850, 740, 900, 1070, 930, 850, 950, 980, 980, 880}};

static void median_is_the_middle_or_the_mean_of_the_middle_two(void **state)
{
    (void)state;
    static const struct {
        struct sample sample;
        double median;
    } rows[] = {
        {{0, {0}}, NAN},
        {{1, {7}}, 7},
        {{2, {1, 4}}, 2.5},
        {{3, {9, 1, 4}}, 4},
        {{4, {4, 1, 100, 2}}, 3},
        {{4, {5, 5, 5, 5}}, 5},
        {{2, {-3, 3}}, 0},
        {{2, {DBL_MAX, DBL_MAX}}, DBL_MAX},
        {{3, {-INFINITY, 2, INFINITY}}, 2},
        {{10, {850, 740, 900, 1070, 930, 850, 950, 980, 980, 880}}, 915},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct sample copy = rows[i].sample;
        assert_near(pb_median(copy.x, copy.n), rows[i].median, 0);
    }
}

static void median_of_negated_values_is_exactly_negated(void **state)
{
    (void)state;
    struct pb_random random;
    pb_random_init(&random, 1);
    for (size_t n = 1; n <= 12; n++) {
        double plus[12];
        double minus[12];
        for (size_t i = 0; i < n; i++) {
            plus[i] = pb_random_unit(&random) - 0.3;
            minus[n - 1 - i] = -plus[i];
        }
        assert_true(pb_median(plus, n) == -pb_median(minus, n));
    }
}

static void sort_puts_numbers_in_order_and_nan_last(void **state)
{
    (void)state;
    struct pb_random random;
    pb_random_init(&random, 2);
    for (size_t n = 0; n < 200; n++) {
        double x[200];
        double sum = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)pb_random_below(&random, 50); /* with ties */
            sum += x[i];
        }
        pb_sort(x, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(i == 0 || x[i - 1] <= x[i]);
            sum -= x[i];
        }
        assert_near(sum, 0, 0);
    }
    double x[] = {NAN, 3, -INFINITY, NAN, 1};
    pb_sort(x, N_ITEMS(x));
    assert_near(x[0], -INFINITY, 0);
    assert_near(x[1], 1, 0);
    assert_near(x[2], 3, 0);
    assert_true(isnan(x[3]) && isnan(x[4]));
}

static void minimum_is_the_smallest_value(void **state)
{
    (void)state;
    static const struct {
        struct sample sample;
        double smallest;
    } rows[] = {
        {{0, {0}}, NAN},      {{1, {3}}, 3},           {{3, {2, -1, 5}}, -1}, {{2, {4, 4}}, 4},
        {{2, {NAN, 1}}, NAN}, {{3, {1, NAN, 2}}, NAN}, {{2, {1, NAN}}, NAN},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_near(pb_min(rows[i].sample.x, rows[i].sample.n), rows[i].smallest, 0);
    }
}

static void quantiles_agree_with_another_implementation_of_type_7(void **state)
{
    (void)state;
    /* source: Python 3.11, statistics.quantiles(…, n=10 and n=4, method='inclusive') */
    static const struct {
        double p;
        double value;
    } rows[] = {
        {0, 740},   {0.1, 839}, {0.2, 850},    {0.25, 857.5}, {0.3, 871}, {0.4, 892}, {0.5, 915},
        {0.6, 938}, {0.7, 959}, {0.75, 972.5}, {0.8, 980},    {0.9, 989}, {1, 1070},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct sample copy = michelson;
        assert_near(pb_quantile(copy.x, copy.n, rows[i].p), rows[i].value, 1e-9);
    }
}

static void quantile_of_one_to_n_has_a_closed_form(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 10; n++) {
        for (int step = 0; step <= 16; step++) {
            double x[10];
            const double p = step / 16.0;
            for (size_t i = 0; i < n; i++) {
                x[i] = (double)(n - i);
            }
            assert_near(pb_quantile(x, n, p), 1 + (double)(n - 1) * p, 1e-14);
        }
    }
}

static void quantile_of_nothing_or_outside_of_0_to_1_is_nan(void **state)
{
    (void)state;
    double x[] = {1, 2};
    assert_true(isnan(pb_quantile(x, 0, 0.5)));
    assert_true(isnan(pb_quantile(x, 2, -0.01)));
    assert_true(isnan(pb_quantile(x, 2, 1.01)));
    assert_true(isnan(pb_quantile(x, 2, NAN)));
}

static void mad_is_the_median_distance_from_the_median(void **state)
{
    (void)state;
    static const struct {
        struct sample sample;
        double mad;
    } rows[] = {
        {{0, {0}}, NAN},
        {{1, {3}}, 0},
        {{7, {1, 1, 2, 2, 4, 6, 9}}, 1}, /* the usual textbook example */
        {{4, {1, 2, 3, 100}}, 1},
        {{5, {5, 5, 5, 5, 5}}, 0},
        {{10, {850, 740, 900, 1070, 930, 850, 950, 980, 980, 880}}, 65},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct sample copy = rows[i].sample;
        assert_near(pb_mad(copy.x, copy.n), rows[i].mad, 0);
    }
}

static void deviation_agrees_with_certified_values(void **state)
{
    (void)state;
    /* source: NumAcc1 of NIST's Statistical Reference Datasets, and Python 3.11,
     * statistics.stdev() */
    static const struct {
        struct sample sample;
        double deviation;
    } rows[] = {
        {{3, {10000001, 10000003, 10000002}}, 1},
        {{10, {850, 740, 900, 1070, 930, 850, 950, 980, 980, 880}}, 90.92732140439296},
        {{2, {3, 3}}, 0},
        {{1, {3}}, NAN},
        {{0, {0}}, NAN},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_near(pb_deviation(rows[i].sample.x, rows[i].sample.n), rows[i].deviation, 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_is_the_middle_or_the_mean_of_the_middle_two),
        cmocka_unit_test(median_of_negated_values_is_exactly_negated),
        cmocka_unit_test(sort_puts_numbers_in_order_and_nan_last),
        cmocka_unit_test(minimum_is_the_smallest_value),
        cmocka_unit_test(quantiles_agree_with_another_implementation_of_type_7),
        cmocka_unit_test(quantile_of_one_to_n_has_a_closed_form),
        cmocka_unit_test(quantile_of_nothing_or_outside_of_0_to_1_is_nan),
        cmocka_unit_test(mad_is_the_median_distance_from_the_median),
        cmocka_unit_test(deviation_agrees_with_certified_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
