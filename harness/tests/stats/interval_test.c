/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks against published tables, closed forms and brute force over all sequences of coins.
 */
#include "stats/interval.h"

#include <stdbool.h>
#include <string.h>

#include "near.h"

static const unsigned plan[] = {16, 24, 40, 64, 96};

static void ranks_of_the_five_looks_are_the_known_ones(void **state)
{
    (void)state;
    static const struct {
        double level;
        unsigned ranks[5];
        double exact;
        double rounded_to;
    } rows[] = {
        {0.05, {3, 6, 13, 23, 37}, 0.0433, 0.5e-4},
        {0.01, {2, 5, 11, 21, 34}, 0.0083, 0.5e-4},
        {0.001, {1, 4, 9, 18, 31}, 0.00087, 0.5e-5},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        unsigned ranks[5];
        double exact = 0;
        assert_int_equal(pb_interval_ranks(plan, 5, rows[i].level, ranks, &exact, NULL), PB_OK);
        assert_memory_equal(ranks, rows[i].ranks, sizeof ranks);
        assert_near(exact, rows[i].exact, rows[i].rounded_to);
    }
}

static void one_look_gives_the_ranks_of_the_binomial(void **state)
{
    (void)state;
    /* source: exact sums of binomial coefficients in rational arithmetic; the ranks at 0.05 are
     * those of the usual tables of the median's confidence interval */
    static const struct {
        unsigned n;
        double level;
        unsigned rank;
        double exact;
    } rows[] = {
        {8, 0.05, 1, 0.0078125},
        {16, 0.05, 4, 0.021270751953125},
        {16, 0.01, 3, 0.004180908203125},
        {20, 0.05, 6, 0.04138946533203125},
        {20, 0.01, 4, 0.0025768280029296875},
        {25, 0.05, 8, 0.043285250663757324},
        {25, 0.01, 6, 0.004077315330505371},
        {30, 0.05, 10, 0.04277394525706768},
        {30, 0.01, 8, 0.005222879350185394},
        {50, 0.05, 18, 0.032839137564268484},
        {50, 0.01, 16, 0.006600447966810918},
        {96, 0.05, 38, 0.03154812025373352},
        {96, 0.01, 35, 0.005572997762164588},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        unsigned rank;
        double exact;
        assert_int_equal(pb_interval_ranks(&rows[i].n, 1, rows[i].level, &rank, &exact, NULL),
                         PB_OK);
        assert_int_equal(rank, rows[i].rank);
        assert_near(exact, rows[i].exact, 1e-14);
    }
}

static void a_level_that_is_reached_exactly_is_used(void **state)
{
    (void)state;
    /* The extremes of n launches miss with probability 2^(1-n). */
    for (unsigned n = 2; n <= 40; n++) {
        const double level = ldexp(1, 1 - (int)n);
        unsigned rank;
        double exact;
        assert_int_equal(pb_interval_ranks(&n, 1, level, &rank, &exact, NULL), PB_OK);
        assert_int_equal(rank, 1);
        assert_near(exact, level, 0);
        assert_int_equal(pb_interval_ranks(&n, 1, 0.999 * level, &rank, &exact, NULL), PB_OK);
        assert_int_equal(rank, 0);
        assert_near(exact, 0, 0);
    }
}

static void one_launch_has_no_interval(void **state)
{
    (void)state;
    const unsigned looks[] = {1, 2, 4};
    unsigned ranks[3] = {9, 9, 9};
    double exact = 1;
    assert_int_equal(pb_interval_ranks(looks, 3, 0.01, ranks, &exact, NULL), PB_OK);
    assert_int_equal(ranks[0] + ranks[1] + ranks[2], 0);
    assert_near(exact, 0, 0);
}

enum { BRUTE_LOOKS = 4, BRUTE_COINS = 14 };
static const unsigned brute_looks[BRUTE_LOOKS] = {4, 7, 11, BRUTE_COINS};

/* Whether a sequence of coins, one a bit, misses at any look. */
static bool misses(uint32_t coins, const unsigned *ranks)
{
    for (size_t k = 0; k < BRUTE_LOOKS; k++) {
        const unsigned n = brute_looks[k];
        const unsigned heads = (unsigned)__builtin_popcount(coins & ((1u << n) - 1));
        if (heads < ranks[k] || n - heads < ranks[k]) {
            return true;
        }
    }
    return false;
}

/* Share of all sequences that miss. */
static double brute_force_miss(const unsigned *ranks)
{
    unsigned missed = 0;
    for (uint32_t coins = 0; coins < 1u << BRUTE_COINS; coins++) {
        missed += misses(coins, ranks) ? 1 : 0;
    }
    return ldexp(missed, -BRUTE_COINS);
}

/* Largest rank with which n coins alone miss in at most the given share of sequences. */
static unsigned brute_force_rank(unsigned n, double per_look)
{
    unsigned rank = 0;
    double miss = 0;
    double ways = 1; /* n over rank */
    for (;;) {
        miss += 2 * ldexp(ways, -(int)n);
        if (miss > per_look || rank >= (n + 1) / 2) {
            return rank;
        }
        ways = ways * (n - rank) / (rank + 1);
        rank++;
    }
}

static void several_looks_agree_with_all_sequences_of_coins(void **state)
{
    (void)state;
    static const double levels[] = {0.001, 0.01, 0.05, 0.1, 0.13, 0.2, 0.3, 0.5, 0.9, 0.999};
    for (size_t i = 0; i < N_ITEMS(levels); i++) {
        unsigned ranks[BRUTE_LOOKS];
        double exact = -1;
        assert_int_equal(
            pb_interval_ranks(brute_looks, BRUTE_LOOKS, levels[i], ranks, &exact, NULL), PB_OK);
        assert_near(exact, brute_force_miss(ranks), 1e-15);
        assert_true(exact <= levels[i]);
        /* The best of a fine grid of per-look levels must not find more than this. */
        unsigned best[BRUTE_LOOKS] = {0};
        for (int step = 1; step <= 128; step++) {
            unsigned tried[BRUTE_LOOKS];
            for (size_t k = 0; k < BRUTE_LOOKS; k++) {
                tried[k] = brute_force_rank(brute_looks[k], levels[i] * step / 128);
            }
            if (brute_force_miss(tried) <= levels[i]) {
                memcpy(best, tried, sizeof best);
            }
        }
        assert_memory_equal(ranks, best, sizeof best);
    }
}

static void the_longest_plan_is_within_reach(void **state)
{
    (void)state;
    unsigned looks[PB_LOOKS_MAX];
    unsigned ranks[PB_LOOKS_MAX];
    double exact;
    for (unsigned k = 0; k < PB_LOOKS_MAX; k++) {
        looks[k] = PB_LAUNCHES_MAX / PB_LOOKS_MAX * (k + 1);
    }
    assert_int_equal(pb_interval_ranks(looks, PB_LOOKS_MAX, 0.01, ranks, &exact, NULL), PB_OK);
    assert_between(exact, 0.0098, 0.01);
    for (size_t k = 0; k < PB_LOOKS_MAX; k++) {
        /* Between a single look's 2.58 deviations and those of Bonferroni's 16 looks, 3.42. */
        const double deviations = (0.5 * looks[k] - ranks[k]) / (0.5 * sqrt(looks[k]));
        assert_between(deviations, 2.5, 3.45);
    }
    const unsigned last = PB_LAUNCHES_MAX;
    assert_int_equal(pb_interval_ranks(&last, 1, 1e-300, ranks, &exact, NULL), PB_OK);
    assert_between(ranks[0], 800, 900);
    assert_true(exact <= 1e-300);
}

static void impossible_looks_and_levels_are_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned looks[17];
        size_t n;
        double level;
    } rows[] = {
        {{0}, 0, 0.01},     {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}, 17, 0.01},
        {{0}, 1, 0.01},     {{16, 16}, 2, 0.01},
        {{16, 8}, 2, 0.01}, {{PB_LAUNCHES_MAX + 1}, 1, 0.01},
        {{16}, 1, 0},       {{16}, 1, 1},
        {{16}, 1, -0.1},    {{16}, 1, NAN},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        unsigned ranks[17] = {77};
        double exact = 77;
        struct pb_error err = {.code = PB_OK};
        assert_int_equal(
            pb_interval_ranks(rows[i].looks, rows[i].n, rows[i].level, ranks, &exact, &err),
            PB_ERR_USAGE);
        assert_int_equal(err.code, PB_ERR_USAGE);
        assert_true(strlen(err.message) > 0);
        assert_int_equal(ranks[0], 77);
        assert_near(exact, 77, 0);
    }
}

static void the_reached_level_may_be_left_unasked(void **state)
{
    (void)state;
    unsigned ranks[5];
    assert_int_equal(pb_interval_ranks(plan, 5, 0.01, ranks, NULL, NULL), PB_OK);
    assert_int_equal(ranks[4], 34);
}

static void median_interval_takes_the_order_statistics(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double d[5];
        unsigned rank;
        struct pb_interval expected;
    } rows[] = {
        {0, {0}, 0, {NAN, -INFINITY, INFINITY}}, {0, {0}, 1, {NAN, -INFINITY, INFINITY}},
        {1, {3}, 0, {3, -INFINITY, INFINITY}},   {1, {3}, 1, {3, 3, 3}},
        {1, {3}, 2, {3, -INFINITY, INFINITY}},   {5, {5, 1, 4, 2, 3}, 0, {3, -INFINITY, INFINITY}},
        {5, {5, 1, 4, 2, 3}, 1, {3, 1, 5}},      {5, {5, 1, 4, 2, 3}, 2, {3, 2, 4}},
        {5, {5, 1, 4, 2, 3}, 3, {3, 3, 3}},      {5, {5, 1, 4, 2, 3}, 4, {3, -INFINITY, INFINITY}},
        {4, {8, 1, 2, 4}, 2, {3, 2, 4}},         {4, {8, 1, 2, 4}, 3, {3, -INFINITY, INFINITY}},
        {5, {7, 7, 7, 7, 7}, 2, {7, 7, 7}},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        double d[5];
        memcpy(d, rows[i].d, sizeof d);
        const struct pb_interval interval = pb_median_interval(d, rows[i].n, rows[i].rank);
        assert_near(interval.estimate, rows[i].expected.estimate, 0);
        assert_near(interval.lo, rows[i].expected.lo, 0);
        assert_near(interval.hi, rows[i].expected.hi, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_the_five_looks_are_the_known_ones),
        cmocka_unit_test(one_look_gives_the_ranks_of_the_binomial),
        cmocka_unit_test(a_level_that_is_reached_exactly_is_used),
        cmocka_unit_test(one_launch_has_no_interval),
        cmocka_unit_test(several_looks_agree_with_all_sequences_of_coins),
        cmocka_unit_test(the_longest_plan_is_within_reach),
        cmocka_unit_test(impossible_looks_and_levels_are_refused),
        cmocka_unit_test(the_reached_level_may_be_left_unasked),
        cmocka_unit_test(median_interval_takes_the_order_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
