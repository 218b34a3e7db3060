/* SPDX-License-Identifier: Apache-2.0
 *
 * The rank-sum test against a published example, against counting by hand, and against chance.
 */
#include "stats/rank_sum.h"

#include "near.h"
#include "stats/random.h"

/*
 * Permeability of placental membranes (Hollander & Wolfe 1973, page 69): U = 35. p by hand from
 * z = (35 - 25 - 1/2) / √(10·5·16/12) = 1.16351.
 */
static void a_published_example_comes_out_the_same(void **state)
{
    (void)state;
    double x[] = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    double y[] = {1.15, 0.88, 0.90, 0.74, 1.21};
    const struct pb_rank_sum test = pb_rank_sum_test(x, N_ITEMS(x), y, N_ITEMS(y));
    assert_near(test.u, 35, 0);
    assert_near(test.p, 0.24463, 1e-4);
}

/* U by hand: 2 beats 1 and ties with 2; 2 again; 3 beats 1 and 2, ties with 3. n = 7, groups of
 * three, two and one more tie: variance 12/12·(8 - (24 + 6)/42). */
static void ties_count_as_halves_and_lessen_the_variance(void **state)
{
    (void)state;
    double x[] = {2, 2, 3, 9};
    double y[] = {1, 2, 3};
    const struct pb_rank_sum test = pb_rank_sum_test(x, N_ITEMS(x), y, N_ITEMS(y));
    assert_near(test.u, 1.5 + 1.5 + 2.5 + 3, 0);
    const double z = (8.5 - 6 - 0.5) / sqrt(8 - 30.0 / 42);
    assert_near(test.p, erfc(z / sqrt(2)), 1e-15);
}

static void swapping_the_groups_changes_nothing_but_u(void **state)
{
    (void)state;
    double x[] = {5, 1, 7, 3};
    double y[] = {2, 9, 4};
    double x2[] = {5, 1, 7, 3};
    double y2[] = {2, 9, 4};
    const struct pb_rank_sum one = pb_rank_sum_test(x, 4, y, 3);
    const struct pb_rank_sum other = pb_rank_sum_test(y2, 3, x2, 4);
    assert_near(one.u + other.u, 12, 0);
    assert_near(one.p, other.p, 0);
}

static void nothing_to_compare_is_no_evidence(void **state)
{
    (void)state;
    double x[] = {1, 1, 1};
    double y[] = {1, 1};
    assert_near(pb_rank_sum_test(x, 3, y, 2).p, 1, 0);
    assert_near(pb_rank_sum_test(x, 3, y, 0).p, 1, 0);
    assert_near(pb_rank_sum_test(x, 0, y, 0).p, 1, 0);
}

static void equal_groups_are_rejected_as_often_as_the_level_says(void **state)
{
    (void)state;
    enum { TRIALS = 20000, N = 12 };
    struct pb_random random;
    pb_random_init(&random, 1);
    int rejected = 0;
    for (int i = 0; i < TRIALS; i++) {
        double x[N];
        double y[N];
        for (int k = 0; k < N; k++) {
            x[k] = pb_random_unit(&random);
            y[k] = pb_random_unit(&random);
        }
        rejected += pb_rank_sum_test(x, N, y, N).p < 0.05;
    }
    /* Exactly 0.0447 of the ways to mix twelve and twelve; four deviations. */
    assert_between((double)rejected / TRIALS, 0.0447 - 0.006, 0.0447 + 0.006);
}

/* source: the published critical values of U, two-sided 5 % (Mann & Whitney 1947; Siegel 1956) */
static void the_exact_tail_is_that_of_the_tables(void **state)
{
    (void)state;
    assert_near(pb_rank_sum_tail(0, 4, 4), 1.0 / 70, 1e-15);
    assert_near(pb_rank_sum_tail(1, 4, 4), 2.0 / 70, 1e-15);
    assert_near(pb_rank_sum_tail(2, 4, 4), 4.0 / 70, 1e-15);
    assert_near(pb_rank_sum_tail(3, 5, 5), 7.0 / 252, 1e-15);
    assert_near(pb_rank_sum_tail(0, 1, 3), 0.25, 1e-15);
    assert_near(pb_rank_sum_tail(16, 4, 4), 1, 1e-15);
    static const struct {
        size_t n_x;
        size_t n_y;
        unsigned critical;
    } rows[] = {{4, 4, 0}, {5, 5, 2}, {6, 4, 2}, {8, 8, 13}, {10, 7, 14}, {16, 16, 75}};
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_true(pb_rank_sum_tail(rows[i].critical, rows[i].n_x, rows[i].n_y) <= 0.025);
        assert_true(pb_rank_sum_tail(rows[i].critical + 1, rows[i].n_x, rows[i].n_y) > 0.025);
        assert_near(pb_rank_sum_tail(rows[i].critical, rows[i].n_x, rows[i].n_y),
                    pb_rank_sum_tail(rows[i].critical, rows[i].n_y, rows[i].n_x), 1e-14);
    }
    assert_true(isnan(pb_rank_sum_tail(0, 0, 4)));
    assert_true(isnan(pb_rank_sum_tail(0, 4, PB_RANK_SUM_EXACT_MAX + 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exact_tail_is_that_of_the_tables),
        cmocka_unit_test(a_published_example_comes_out_the_same),
        cmocka_unit_test(ties_count_as_halves_and_lessen_the_variance),
        cmocka_unit_test(swapping_the_groups_changes_nothing_but_u),
        cmocka_unit_test(nothing_to_compare_is_no_evidence),
        cmocka_unit_test(equal_groups_are_rejected_as_often_as_the_level_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
