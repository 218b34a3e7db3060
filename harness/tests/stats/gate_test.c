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
    assert_near(gate.half_width, 0.007, 1e-15);
    assert_int_equal(gate.verdict, PB_VERDICT_IMPROVED);
}

static void the_half_width_is_half_of_a_lopsided_interval(void **state)
{
    (void)state;
    const struct pb_interval lopsided = {.estimate = 0, .lo = -0.001, .hi = 0.005};
    assert_near(pb_ratio_gate_judge(lopsided, around(0, 0), 0).half_width, 0.003, 1e-15);
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
        double half_width;
    } rows[] = {
        {none, around(0, 0.001), 0.003, INFINITY},
        {around(0, 0.001), none, 0.003, INFINITY},
        {open, around(0, 0.001), 0.003, INFINITY},
        {around(0.5, 0.001), around(0, 0.001), NAN, INFINITY},
        {around(0.5, 0.001), around(0, 0.001), INFINITY, INFINITY},
        {far, around(0, 0), 0, 0.05},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_ratio_gate gate =
            pb_ratio_gate_judge(rows[i].now, rows[i].baseline, rows[i].spread);
        assert_int_equal(gate.verdict, PB_VERDICT_INCONCLUSIVE);
        assert_near(gate.half_width, rows[i].half_width, 1e-15);
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
    assert_true(up.delta == -down.delta && up.half_width == down.half_width);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uncertainties_add_up_in_squares),
        cmocka_unit_test(the_half_width_is_half_of_a_lopsided_interval),
        cmocka_unit_test(each_boundary_belongs_to_the_weaker_verdict),
        cmocka_unit_test(what_is_not_finite_is_inconclusive),
        cmocka_unit_test(swapping_now_and_baseline_swaps_regressed_and_improved),
        cmocka_unit_test(a_slow_creep_is_seen_against_the_committed_baseline),
        cmocka_unit_test(any_growth_of_a_count_is_a_regression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
