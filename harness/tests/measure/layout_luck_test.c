/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches made by hand: every layout has its time, every launch its luck, every round its noise.
 */
#include "measure/layout_luck.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "stats/random.h"
#include "stats/summary.h"

enum { LAUNCHES = 24, ROUNDS = 56, LAYOUTS_MAX = 8 };

struct bench {
    struct pb_arena arena;
    double d[LAUNCHES][ROUNDS];
    uint8_t a[LAUNCHES][ROUNDS];
    uint8_t b[LAUNCHES][ROUNDS];
    struct pb_layout_launch launches[LAUNCHES];
};

/*
 * Rounds in layouts at random.
 * a, b:  n_a and n_b logarithms of times
 * noise: of a launch and of a round, uniform in ± that
 */
static void fill(struct bench *bench, const double *a, uint32_t n_a, const double *b, uint32_t n_b,
                 double noise)
{
    struct pb_random random;
    pb_random_init(&random, 7);
    for (int k = 0; k < LAUNCHES; k++) {
        const double luck = noise * (2 * pb_random_unit(&random) - 1);
        for (int i = 0; i < ROUNDS; i++) {
            bench->a[k][i] = (uint8_t)pb_random_below(&random, n_a);
            bench->b[k][i] = (uint8_t)pb_random_below(&random, n_b);
            bench->d[k][i] = b[bench->b[k][i]] - a[bench->a[k][i]] + luck +
                             noise * (2 * pb_random_unit(&random) - 1);
        }
        bench->launches[k] = (struct pb_layout_launch){bench->d[k], bench->a[k], bench->b[k]};
    }
}

/* As of a pair: the estimate is the median over launches of the medians of their rounds. */
static bool agree(struct bench *bench)
{
    double d[LAUNCHES];
    for (int k = 0; k < LAUNCHES; k++) {
        double rounds[ROUNDS];
        size_t n = 0;
        for (int i = 0; i < ROUNDS; i++) {
            if (isfinite(bench->d[k][i])) {
                rounds[n++] = bench->d[k][i];
            }
        }
        d[k] = pb_median(rounds, n);
    }
    return pb_layouts_agree(bench->launches, LAUNCHES, ROUNDS, pb_median(d, LAUNCHES),
                            &bench->arena);
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    pb_arena_release(&bench->arena);
    return 0;
}

static void a_change_of_all_layouts_is_one(void **state)
{
    struct bench *bench = *state;
    const double before[] = {0.000, 0.002, 0.001, -0.001};
    const double after[] = {0.011, 0.009, 0.010, 0.012};
    fill(bench, before, 4, after, 4, 0.01);
    assert_true(agree(bench));
    fill(bench, after, 4, before, 4, 0.01);
    assert_true(agree(bench));
    /* None of them goes the other way. */
    assert_false(pb_layouts_agree(bench->launches, LAUNCHES, ROUNDS, 0.010, &bench->arena));
}

/* One fast layout of four moves the median, and says nothing of the code. */
static void a_change_of_some_layouts_is_luck(void **state)
{
    struct bench *bench = *state;
    const double before[] = {-0.03, 0.01, 0.02, -0.02};
    const double after[] = {0.03, 0.02, -0.01, 0.00};
    fill(bench, before, 4, after, 4, 0.005);
    assert_false(agree(bench));
}

/* With four layouts each one of the 16 comparisons may go the other way: 2 of 70 arrangements. */
static void one_inversion_of_sixteen_is_allowed(void **state)
{
    struct bench *bench = *state;
    const double after[] = {0.005, 0.0118, 0.012, 0.0122};
    const double one[] = {0.000, 0.0018, 0.002, 0.0075};
    fill(bench, one, 4, after, 4, 0.0005);
    assert_true(agree(bench));
    const double four[] = {0.000, 0.0018, 0.002, 0.0150};
    fill(bench, four, 4, after, 4, 0.0005);
    assert_false(agree(bench));
}

/* Fewer can't be told from chance, but must at least not contradict each other. */
static void of_few_layouts_none_may_contradict(void **state)
{
    struct bench *bench = *state;
    const double before[] = {0.000, 0.004};
    const double after[] = {0.010, 0.012};
    fill(bench, before, 2, after, 2, 0.008);
    assert_true(agree(bench));
    const double mixed[] = {0.001, 0.014};
    fill(bench, before, 2, mixed, 2, 0.008);
    assert_false(agree(bench));
}

static void with_one_layout_nothing_can_be_said(void **state)
{
    struct bench *bench = *state;
    const double one[] = {0};
    const double many[] = {-0.01, 0.03, 0.02, 0.01};
    fill(bench, one, 1, many, 4, 0);
    assert_true(agree(bench));
    fill(bench, many, 4, one, 1, 0);
    assert_true(agree(bench));
    assert_true(pb_layouts_agree(NULL, 0, ROUNDS, 0.01, &bench->arena));
}

static void rounds_without_a_ratio_are_left_out(void **state)
{
    struct bench *bench = *state;
    const double before[] = {0.000, 0.002, 0.001, -0.001};
    const double after[] = {0.011, 0.009, 0.010, 0.012};
    fill(bench, before, 4, after, 4, 0.001);
    for (int k = 0; k < LAUNCHES; k++) {
        for (int i = k % 3; i < ROUNDS; i += 3) {
            bench->d[k][i] = NAN;
        }
    }
    assert_true(agree(bench));
}

#define LUCK_TEST(test) cmocka_unit_test_prestate_setup_teardown(test, NULL, tear_down, &bench)

int main(void)
{
    static struct bench bench;
    const struct CMUnitTest tests[] = {
        LUCK_TEST(a_change_of_all_layouts_is_one),
        LUCK_TEST(a_change_of_some_layouts_is_luck),
        LUCK_TEST(one_inversion_of_sixteen_is_allowed),
        LUCK_TEST(of_few_layouts_none_may_contradict),
        LUCK_TEST(with_one_layout_nothing_can_be_said),
        LUCK_TEST(rounds_without_a_ratio_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
