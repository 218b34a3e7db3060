/* SPDX-License-Identifier: Apache-2.0
 *
 * The gates against a baseline, on both sides of every boundary.
 */
#include "stats/gate.h"

#include "near.h"

/* An interval of the given half-width around an estimate. */
static struct pb_interval around(double estimate, double half_width)
{
    return (struct pb_interval){
        .estimate = estimate, .lo = estimate - half_width, .hi = estimate + half_width};
}

static void uncertainties_add_up_in_squares(void **state)
{
    (void)state;
    /* 0.002² + 0.003² + 0.006² = 0.007² */
    const struct pb_ratio_gate gate =
        pb_ratio_gate_judge(around(0.1, 0.002), around(0.25, 0.003), 0.006);
    assert_near(gate.delta, -0.15, 1e-15);
    assert_near(gate.lo, -0.157, 1e-15);
    assert_near(gate.hi, -0.143, 1e-15);
    assert_int_equal(gate.verdict, PB_VERDICT_IMPROVED);
}

/* A proportion with the limits of Wilson 1927 at 95 %, which are as lopsided as can be. */
static struct pb_interval proportion(double k, double n)
{
    const double z = 1.959963984540054;
    const double p = k / n;
    const double middle = 2 * k + z * z;
    const double half = z * sqrt(z * z + 4 * k * (1 - p));
    const double whole = 2 * (n + z * z);
    return (struct pb_interval){
        .estimate = p, .lo = (middle - half) / whole, .hi = (middle + half) / whole};
}

static void lopsided_intervals_add_up_to_published_ones(void **state)
{
    (void)state;
    /* source: Newcombe 1998, "Interval estimation for the difference between independent
     * proportions", table II, method 10, which is the same sum with the limits of Wilson */
    static const struct {
        double k[2];
        double n[2];
        double lo;
        double hi;
    } rows[] = {
        {{56, 48}, {70, 80}, 0.0524, 0.3339},
        {{9, 3}, {10, 10}, 0.1705, 0.8090},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_interval one = proportion(rows[i].k[0], rows[i].n[0]);
        const struct pb_interval other = proportion(rows[i].k[1], rows[i].n[1]);
        const struct pb_ratio_gate gate = pb_ratio_gate_judge(one, other, 0);
        assert_near(gate.lo, rows[i].lo, 5e-5);
        assert_near(gate.hi, rows[i].hi, 5e-5);
    }
}

/* A baseline that may in truth be 2.5 % slower than its estimate, but not faster. */
static const struct pb_interval lucky = {.estimate = 0, .lo = -0.001, .hi = 0.025};

static void a_lucky_baseline_proves_nothing_on_its_open_side(void **state)
{
    (void)state;
    static const struct {
        double now;
        enum pb_verdict verdict;
    } rows[] = {
        {0.000, PB_VERDICT_INCONCLUSIVE}, /* half of its width, 1.3 %, would say unchanged */
        {0.022, PB_VERDICT_INCONCLUSIVE}, /* … and regressed                               */
        {0.031, PB_VERDICT_REGRESSED},
        {-0.010, PB_VERDICT_IMPROVED},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_int_equal(pb_ratio_gate_judge(around(rows[i].now, 0.001), lucky, 0.001).verdict,
                         rows[i].verdict);
    }
    const double within[] = {0.029, 0.029, 0.029, 0.029, 0.029, 0.029, 0.029};
    const double beyond[] = {0.031, 0.031, 0.031, 0.031, 0.031, 0.031, 0.031};
    assert_near(pb_ratio_gate_p(within, 7, lucky, 0.001), 1, 0);
    assert_near(pb_ratio_gate_p(beyond, 7, lucky, 0.001), 1.0 / 128, 1e-15);
}

static void each_boundary_belongs_to_the_weaker_verdict(void **state)
{
    (void)state;
    const double change = log1p(PB_RATIO_GATE_CHANGE);
    const double same = log1p(PB_RATIO_GATE_UNCHANGED);
    const struct {
        double delta;
        double spread; /* all of the half-width */
        enum pb_verdict verdict;
    } rows[] = {
        {nextafter(change, 1), 0, PB_VERDICT_REGRESSED},
        {change, 0, PB_VERDICT_UNCHANGED},
        {-nextafter(change, 1), 0, PB_VERDICT_IMPROVED},
        {-change, 0, PB_VERDICT_UNCHANGED},
        {0, nextafter(same, 0), PB_VERDICT_UNCHANGED},
        {0, same, PB_VERDICT_INCONCLUSIVE},
        {0.0101, 0.005, PB_VERDICT_REGRESSED},
        {-0.0101, 0.005, PB_VERDICT_IMPROVED},
        {0.0099, 0.005, PB_VERDICT_UNCHANGED},
        {0.0099, 0.011, PB_VERDICT_INCONCLUSIVE},
        {-0.0099, 0.011, PB_VERDICT_INCONCLUSIVE},
        {0.1, 0.003, PB_VERDICT_REGRESSED},
        {0, 0, PB_VERDICT_UNCHANGED},
        {0, 0.003, PB_VERDICT_UNCHANGED},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_ratio_gate gate =
            pb_ratio_gate_judge(around(rows[i].delta, 0), around(0, 0), rows[i].spread);
        assert_int_equal(gate.verdict, rows[i].verdict);
    }
}

static void what_is_not_finite_is_inconclusive(void **state)
{
    (void)state;
    const struct pb_interval none = {.estimate = NAN, .lo = -INFINITY, .hi = INFINITY};
    const struct pb_interval open = {.estimate = 0.5, .lo = -INFINITY, .hi = INFINITY};
    const struct pb_interval far = {.estimate = INFINITY, .lo = 0.5, .hi = 0.6};
    const struct {
        struct pb_interval now;
        struct pb_interval baseline;
        double spread;
    } rows[] = {
        {none, around(0, 0.001), 0.003},
        {around(0, 0.001), none, 0.003},
        {open, around(0, 0.001), 0.003},
        {around(0, 0.001), open, 0.003},
        {around(0.5, 0.001), around(0, 0.001), NAN},
        {around(0.5, 0.001), around(0, 0.001), INFINITY},
        {far, around(0, 0), 0},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_ratio_gate gate =
            pb_ratio_gate_judge(rows[i].now, rows[i].baseline, rows[i].spread);
        assert_int_equal(gate.verdict, PB_VERDICT_INCONCLUSIVE);
        assert_near(gate.lo, -INFINITY, 0);
        assert_near(gate.hi, INFINITY, 0);
    }
}

static void swapping_now_and_baseline_swaps_regressed_and_improved(void **state)
{
    (void)state;
    const struct pb_interval one = around(0.10, 0.002);
    const struct pb_interval other = around(0.13, 0.001);
    const struct pb_ratio_gate up = pb_ratio_gate_judge(other, one, PB_RATIO_GATE_SPREAD);
    const struct pb_ratio_gate down = pb_ratio_gate_judge(one, other, PB_RATIO_GATE_SPREAD);
    assert_int_equal(up.verdict, PB_VERDICT_REGRESSED);
    assert_int_equal(down.verdict, PB_VERDICT_IMPROVED);
    assert_true(up.delta == -down.delta && up.lo == -down.hi && up.hi == -down.lo);
}

static void a_slow_creep_is_seen_against_the_committed_baseline(void **state)
{
    (void)state;
    /* +0.1 % a night never shows between two nights, but does against what was committed. */
    const double night = log1p(0.001);
    int flagged_at = 0;
    for (int k = 1; k <= 40 && flagged_at == 0; k++) {
        const struct pb_interval now = around(k * night, 0.002);
        const struct pb_interval before = around((k - 1) * night, 0.002);
        assert_int_equal(pb_ratio_gate_judge(now, before, PB_RATIO_GATE_SPREAD).verdict,
                         PB_VERDICT_UNCHANGED);
        if (pb_ratio_gate_judge(now, around(0, 0.002), PB_RATIO_GATE_SPREAD).verdict ==
            PB_VERDICT_REGRESSED) {
            flagged_at = k;
        }
    }
    assert_int_equal(flagged_at, 10); /* the first night above 0.5 % + √(2·0.2² + 0.3²) % */
}

static void any_growth_of_a_count_is_a_regression(void **state)
{
    (void)state;
    static const struct {
        int64_t now;
        int64_t baseline;
        enum pb_verdict verdict;
    } rows[] = {
        {0, 0, PB_VERDICT_UNCHANGED},
        {5, 5, PB_VERDICT_UNCHANGED},
        {5, 0, PB_VERDICT_REGRESSED},
        {INT64_C(5000000000), 0, PB_VERDICT_REGRESSED},
        {0, 5, PB_VERDICT_IMPROVED},
        {6, 5, PB_VERDICT_REGRESSED},
        {4, 5, PB_VERDICT_IMPROVED},
        {INT64_MAX, INT64_MIN, PB_VERDICT_REGRESSED},
        {INT64_MIN, INT64_MAX, PB_VERDICT_IMPROVED},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_int_equal(pb_count_gate_judge(rows[i].now, rows[i].baseline), rows[i].verdict);
    }
}

static void fresh_launches_must_lie_beyond_all_that_the_gate_lets_pass(void **state)
{
    (void)state;
    /* √(0.003² + 0.004²) = 0.005 above the estimate, and the margin */
    const struct pb_interval baseline = around(-0.7, 0.003);
    const double limit = -0.7 + 0.005 + log1p(PB_RATIO_GATE_CHANGE);
    const struct {
        size_t n;
        size_t n_above;
        double p;
    } rows[] = {
        {0, 0, 1},  {1, 1, 0.5},       {10, 10, 1.0 / 1024}, {10, 9, 11.0 / 1024},
        {10, 0, 1}, {4, 2, 11.0 / 16},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        double d[10];
        for (size_t k = 0; k < rows[i].n; k++) {
            d[k] = k < rows[i].n_above ? limit + 1e-6 : limit - 1e-6;
        }
        assert_near(pb_ratio_gate_p(d, rows[i].n, baseline, 0.004), rows[i].p, 1e-12);
    }
    const double far[] = {1, 1, 1};
    const struct pb_interval none = {.estimate = NAN, .lo = -INFINITY, .hi = INFINITY};
    assert_near(pb_ratio_gate_p(far, 3, none, 0.004), 1, 0);
    assert_near(pb_ratio_gate_p(far, 3, baseline, NAN), 1, 0);
}

static void the_spread_between_runs_is_that_of_neighbours_in_time(void **state)
{
    (void)state;
    /* Absolute differences 1 2 2 1 4 (in 0.1 %): median 2; times 1.4826 / √2. */
    const double uneven[] = {0.000, 0.001, -0.001, 0.001, 0.002, -0.002};
    assert_near(pb_run_spread(uneven, 6), 0.0020967161, 1e-9);
    assert_true(isnan(pb_run_spread(uneven, 4)));
    assert_true(isfinite(pb_run_spread(uneven, 5)));
    const double same[] = {0.5, 0.5, 0.5, 0.5, 0.5};
    assert_near(pb_run_spread(same, 5), 0, 0);
    double steps[100]; /* a spread of 0.1 % and a change of 30 % in the middle */
    double later[PB_HISTORY_MOST];
    for (size_t i = 0; i < 100; i++) {
        steps[i] = (i % 2 == 0 ? 0.001 : 0) + (i < 50 ? 0 : 0.3);
    }
    assert_near(pb_run_spread(steps, 100), 0.001048358, 1e-9);
    for (size_t i = 0; i < 100; i++) {
        steps[i] = i < 100 - PB_HISTORY_MOST ? (double)(i % 2) : (double)(i % 2) / 1000;
    }
    for (size_t i = 0; i < PB_HISTORY_MOST; i++) {
        later[i] = steps[100 - PB_HISTORY_MOST + i];
    }
    assert_near(pb_run_spread(steps, 100), pb_run_spread(later, PB_HISTORY_MOST), 0);
}

static void instructions_move_beyond_a_thousandth_and_fail_beyond_a_hundredth(void **state)
{
    (void)state;
    static const struct {
        int64_t now;
        int64_t baseline;
        enum pb_verdict verdict;
        bool fails;
    } rows[] = {
        {0, 0, PB_VERDICT_UNCHANGED, false},
        {1000, 1000, PB_VERDICT_UNCHANGED, false},
        {1001, 1000, PB_VERDICT_UNCHANGED, false},
        {1002, 1000, PB_VERDICT_REGRESSED, false},
        {1010, 1000, PB_VERDICT_REGRESSED, false},
        {1011, 1000, PB_VERDICT_REGRESSED, true},
        {999, 1000, PB_VERDICT_UNCHANGED, false},
        {998, 1000, PB_VERDICT_IMPROVED, false},
        {0, 1000, PB_VERDICT_IMPROVED, false},
        {5, 0, PB_VERDICT_REGRESSED, true},
        {INT64_C(5000000000), 0, PB_VERDICT_REGRESSED, true},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_instructions_gate gate =
            pb_instructions_gate_judge(rows[i].now, rows[i].baseline);
        assert_int_equal(gate.verdict, rows[i].verdict);
        assert_int_equal(gate.fails, rows[i].fails);
    }
}

/* Times and kernels of the last two runs, in percent of what is usual. */
struct night {
    double time_pct;
    double kernels_pct[PB_KERNELS];
};

static struct pb_absolute_point point(struct night night)
{
    const double usual_ns[PB_KERNELS] = {1.5, 5, 120};
    struct pb_absolute_point made = {.time_ns = 200 * (1 + night.time_pct / 100)};
    for (int k = 0; k < PB_KERNELS; k++) {
        made.kernels_ns[k] = usual_ns[k] * (1 + night.kernels_pct[k] / 100);
    }
    return made;
}

static void an_absolute_time_is_unusual_beyond_what_the_machine_accounts_for(void **state)
{
    (void)state;
    static const struct {
        struct night before;
        struct night now;
        enum pb_verdict verdict;
        double change_pct;
    } rows[] = {
        {{0, {0}}, {0, {0}}, PB_VERDICT_UNCHANGED, 0},
        {{30, {0}}, {24.9, {0}}, PB_VERDICT_UNCHANGED, 24.9},
        {{30, {0}}, {25.1, {0}}, PB_VERDICT_REGRESSED, 25.1},
        {{0, {0}}, {30, {0}}, PB_VERDICT_INCONCLUSIVE, 30},
        {{30, {0}}, {0, {0}}, PB_VERDICT_UNCHANGED, 0},
        {{-30, {0}}, {30, {0}}, PB_VERDICT_INCONCLUSIVE, 30},
        {{-30, {0}}, {-30, {0}}, PB_VERDICT_IMPROVED, -30},
        /* A machine of half the speed accounts for twice the time. */
        {{100, {100, 100, 100}}, {100, {100, 100, 100}}, PB_VERDICT_UNCHANGED, 0},
        {{160, {100, 100, 100}}, {160, {100, 100, 100}}, PB_VERDICT_REGRESSED, 30},
        /* Slow memory may account for slow code, but need not. */
        {{40, {0, 0, 50}}, {40, {0, 0, 50}}, PB_VERDICT_UNCHANGED, 0},
        {{0, {0, 0, 50}}, {0, {0, 0, 50}}, PB_VERDICT_UNCHANGED, 0},
        {{100, {0, 0, 50}}, {95, {0, 0, 50}}, PB_VERDICT_REGRESSED, 30},
        {{-30, {0, 0, 50}}, {-30, {0, 0, 50}}, PB_VERDICT_IMPROVED, -30},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_absolute_point points[PB_HISTORY_LEAST + 2];
        for (size_t k = 0; k < PB_HISTORY_LEAST; k++) {
            points[k] = point((struct night){0});
        }
        points[PB_HISTORY_LEAST] = point(rows[i].before);
        points[PB_HISTORY_LEAST + 1] = point(rows[i].now);
        const struct pb_absolute_gate gate = pb_absolute_gate_judge(points, N_ITEMS(points));
        if (gate.verdict != rows[i].verdict) {
            fail_msg("row %zu: verdict %d", i, (int)gate.verdict);
        }
        assert_near(expm1(gate.change), rows[i].change_pct / 100, 1e-12);
        assert_near(gate.usual_ns, 200, 1e-9);
        assert_near(gate.limit, log(1.25), 1e-12);
    }
}

static void a_history_that_moves_much_makes_less_unusual(void **state)
{
    (void)state;
    struct pb_absolute_point points[12];
    for (size_t i = 0; i < 10; i++) { /* deviations of 10 % to both sides */
        points[i] = point((struct night){.time_pct = i % 2 == 0 ? 10 : 100 / 1.1 - 100});
    }
    points[10] = points[11] = point((struct night){.time_pct = 75});
    struct pb_absolute_gate gate = pb_absolute_gate_judge(points, 12);
    assert_near(gate.limit, 6 * log(1.1), 1e-12); /* 77 % */
    assert_int_equal(gate.verdict, PB_VERDICT_UNCHANGED);
    points[10] = points[11] = point((struct night){.time_pct = 80});
    gate = pb_absolute_gate_judge(points, 12);
    assert_int_equal(gate.verdict, PB_VERDICT_REGRESSED);
}

static void only_the_last_of_a_long_history_is_usual(void **state)
{
    (void)state;
    struct pb_absolute_point points[PB_HISTORY_MOST + 12];
    for (size_t i = 0; i < N_ITEMS(points); i++) {
        points[i] = point((struct night){.time_pct = i < 10 ? 1e6 : 0});
    }
    const struct pb_absolute_gate gate = pb_absolute_gate_judge(points, N_ITEMS(points));
    assert_near(gate.usual_ns, 200, 1e-9);
    assert_int_equal(gate.verdict, PB_VERDICT_UNCHANGED);
}

static void without_history_nothing_is_unusual_and_that_is_said(void **state)
{
    (void)state;
    struct pb_absolute_point points[PB_HISTORY_LEAST + 2];
    for (size_t i = 0; i < N_ITEMS(points); i++) {
        points[i] = point((struct night){0});
    }
    for (size_t n = 0; n < N_ITEMS(points); n++) {
        const struct pb_absolute_gate gate = pb_absolute_gate_judge(points, n);
        assert_int_equal(gate.verdict, PB_VERDICT_INSUFFICIENT_HISTORY);
        assert_true(isnan(gate.usual_ns) && isnan(gate.change) && isnan(gate.limit));
    }
    assert_int_equal(pb_absolute_gate_judge(points, N_ITEMS(points)).verdict, PB_VERDICT_UNCHANGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uncertainties_add_up_in_squares),
        cmocka_unit_test(lopsided_intervals_add_up_to_published_ones),
        cmocka_unit_test(a_lucky_baseline_proves_nothing_on_its_open_side),
        cmocka_unit_test(each_boundary_belongs_to_the_weaker_verdict),
        cmocka_unit_test(what_is_not_finite_is_inconclusive),
        cmocka_unit_test(swapping_now_and_baseline_swaps_regressed_and_improved),
        cmocka_unit_test(a_slow_creep_is_seen_against_the_committed_baseline),
        cmocka_unit_test(any_growth_of_a_count_is_a_regression),
        cmocka_unit_test(fresh_launches_must_lie_beyond_all_that_the_gate_lets_pass),
        cmocka_unit_test(the_spread_between_runs_is_that_of_neighbours_in_time),
        cmocka_unit_test(instructions_move_beyond_a_thousandth_and_fail_beyond_a_hundredth),
        cmocka_unit_test(an_absolute_time_is_unusual_beyond_what_the_machine_accounts_for),
        cmocka_unit_test(a_history_that_moves_much_makes_less_unusual),
        cmocka_unit_test(only_the_last_of_a_long_history_is_usual),
        cmocka_unit_test(without_history_nothing_is_unusual_and_that_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
