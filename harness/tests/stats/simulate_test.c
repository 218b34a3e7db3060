/* SPDX-License-Identifier: Apache-2.0
 *
 * Simulated launches have the properties that they are named after.
 */
#include "stats/simulate.h"

#include <string.h>

#include "near.h"
#include "stats/summary.h"

enum { N = 200000 };
static double d[N];

static void fill(const char *name)
{
    size_t n = 0;
    const struct pb_simulation *simulations = pb_simulations_all(&n);
    struct pb_random random;
    pb_random_init(&random, 1);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(simulations[i].name, name) == 0) {
            simulations[i].fill(&random, d, N);
            return;
        }
    }
    fail_msg("no simulation %s", name);
}

/* Correlation of each value with the one before. */
static double lag_one(void)
{
    double products = 0;
    double squares = 0;
    for (size_t i = 1; i < N; i++) {
        products += d[i] * d[i - 1];
        squares += d[i] * d[i];
    }
    return products / squares;
}

static void all_are_symmetric_about_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"gaussian", "t3", "spikes", "bimodal", "ar03", "drift"};
    size_t n = 0;
    pb_simulations_all(&n);
    assert_int_equal(n, N_ITEMS(names));
    for (size_t i = 0; i < N_ITEMS(names); i++) {
        fill(names[i]);
        assert_near(pb_median(d, N), 0, 0.0002);
        assert_near(d[N / 10] + d[N - 1 - N / 10], 0, 0.001);
    }
}

static void neighbours_depend_on_each_other_only_where_that_is_the_point(void **state)
{
    (void)state;
    fill("gaussian");
    assert_near(lag_one(), 0, 0.01);
    fill("bimodal");
    assert_near(lag_one(), 0, 0.01);
    fill("ar03");
    assert_near(lag_one(), 0.3, 0.01);
}

/* Share of values further from 0 than a limit. */
static double beyond(double limit)
{
    size_t n = 0;
    for (size_t i = 0; i < N; i++) {
        n += fabs(d[i]) > limit;
    }
    return (double)n / N;
}

static void tails_are_as_heavy_as_stated(void **state)
{
    (void)state;
    fill("gaussian"); /* of a normal distribution 4.55 % lie beyond two deviations */
    assert_near(beyond(2 * 0.012), 0.0455, 0.002);
    fill("t3"); /* of t with three degrees of freedom 13.93 % */
    assert_near(beyond(2 * 0.012), 0.1393, 0.003);
    fill("spikes");
    assert_near(beyond(0.1), 0.05 * 0.9, 0.002);
    fill("bimodal");
    assert_near(beyond(0.025), 1.0 / 3, 0.004);
}

static void a_drift_goes_from_one_end_to_the_other(void **state)
{
    (void)state;
    fill("drift");
    double first = 0;
    double last = 0;
    for (size_t i = 0; i < N / 100; i++) {
        first += d[i] * 100 / N;
        last += d[N - 1 - i] * 100 / N;
    }
    assert_near(last - first, 0.04, 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_symmetric_about_nothing),
        cmocka_unit_test(neighbours_depend_on_each_other_only_where_that_is_the_point),
        cmocka_unit_test(tails_are_as_heavy_as_stated),
        cmocka_unit_test(a_drift_goes_from_one_end_to_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
