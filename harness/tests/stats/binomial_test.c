/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact probabilities of counts against sums in rational arithmetic and published bounds.
 */
#include "stats/binomial.h"

#include "near.h"

static void tails_of_fair_coins_are_the_exact_sums(void **state)
{
    (void)state;
    static const struct {
        uint64_t k;
        uint64_t n;
        double p;
    } rows[] = {
        {0, 1, 0.5},
        {1, 1, 1},
        {0, 0, 1},
        {9, 4, 1},
        {2, 16, 137.0 / 65536},
        {3, 10, 176.0 / 1024},
        {5, 10, 638.0 / 1024},
        {2000, 4096, 0.06884991409194557},
        {1947, 4096, 0.0008413089092996912},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_near(pb_binomial_cdf(rows[i].k, rows[i].n, 0.5), rows[i].p, 1e-10 * rows[i].p);
    }
}

static void certain_and_impossible_successes_are_exact(void **state)
{
    (void)state;
    assert_near(pb_binomial_cdf(0, 5, 0), 1, 0);
    assert_near(pb_binomial_cdf(4, 5, 1), 0, 0);
    assert_near(pb_binomial_cdf(5, 5, 1), 1, 0);
    assert_near(pb_binomial_cdf(0, 5, 0.1), pow(0.9, 5), 1e-14);
    assert_true(isnan(pb_binomial_cdf(0, 5, -0.1)));
    assert_true(isnan(pb_binomial_cdf(0, 5, NAN)));
}

static void the_one_sided_sign_test_is_the_upper_tail(void **state)
{
    (void)state;
    static const struct {
        uint64_t above;
        uint64_t n;
        double p;
    } rows[] = {
        {0, 0, 1},
        {0, 5, 1},
        {5, 5, 1.0 / 32},
        {14, 16, 137.0 / 65536},
        {7, 10, 176.0 / 1024},
        {5, 10, 638.0 / 1024},
        {42, 64, 0.008429095}, /* the least of 64 that is surprising at 1 % */
        {41, 64, 0.016382880},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_near(pb_sign_test_above(rows[i].above, rows[i].n), rows[i].p, 1e-7);
    }
}

static void sign_test_doubles_the_smaller_tail(void **state)
{
    (void)state;
    static const struct {
        uint64_t below;
        uint64_t above;
        double p;
    } rows[] = {
        {0, 0, 1},
        {1, 0, 1},
        {0, 5, 1.0 / 16},
        {5, 0, 1.0 / 16},
        {8, 8, 1},
        {2, 14, 274.0 / 65536},
        {14, 2, 274.0 / 65536},
        {0, 11, 1.0 / 1024},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_near(pb_sign_test(rows[i].below, rows[i].above), rows[i].p, 1e-14);
    }
}

static void bounds_are_the_published_ones(void **state)
{
    (void)state;
    /* source: Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I,
     * the Clopper–Pearson row, to four digits */
    static const struct {
        uint64_t k;
        uint64_t n;
        double lo;
        double hi;
    } rows[] = {
        {81, 263, 0.2527, 0.3676},
        {15, 148, 0.0578, 0.1617},
        {0, 20, 0, 0.1684},
        {1, 29, 0.0009, 0.1776},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_bounds bounds = pb_proportion_bounds(rows[i].k, rows[i].n, 0.05);
        assert_near(bounds.lo, rows[i].lo, 0.5e-4);
        assert_near(bounds.hi, rows[i].hi, 0.5e-4);
    }
}

static void none_and_all_have_bounds_in_closed_form(void **state)
{
    (void)state;
    static const uint64_t n[] = {1, 2, 20, 300, 3000};
    for (size_t i = 0; i < N_ITEMS(n); i++) {
        const double root = pow(0.005, 1.0 / (double)n[i]);
        const struct pb_bounds none = pb_proportion_bounds(0, n[i], 0.01);
        const struct pb_bounds all = pb_proportion_bounds(n[i], n[i], 0.01);
        assert_near(none.lo, 0, 0);
        assert_near(none.hi, 1 - root, 1e-11);
        assert_near(all.lo, root, 1e-11);
        assert_near(all.hi, 1, 0);
    }
}

static void bounds_of_impossible_counts_are_nan_and_of_no_trials_all(void **state)
{
    (void)state;
    const struct pb_bounds unknown = pb_proportion_bounds(0, 0, 0.05);
    assert_near(unknown.lo, 0, 0);
    assert_near(unknown.hi, 1, 0);
    assert_true(isnan(pb_proportion_bounds(3, 2, 0.05).lo));
    assert_true(isnan(pb_proportion_bounds(1, 2, 0).hi));
    assert_true(isnan(pb_proportion_bounds(1, 2, 1).hi));
    assert_true(isnan(pb_proportion_bounds(1, 2, NAN).lo));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_of_fair_coins_are_the_exact_sums),
        cmocka_unit_test(certain_and_impossible_successes_are_exact),
        cmocka_unit_test(the_one_sided_sign_test_is_the_upper_tail),
        cmocka_unit_test(sign_test_doubles_the_smaller_tail),
        cmocka_unit_test(bounds_are_the_published_ones),
        cmocka_unit_test(none_and_all_have_bounds_in_closed_form),
        cmocka_unit_test(bounds_of_impossible_counts_are_nan_and_of_no_trials_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
