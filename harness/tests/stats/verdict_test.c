/* SPDX-License-Identifier: Apache-2.0
 *
 * Verdicts on both sides of every boundary.
 */
#include "stats/verdict.h"

#include "near.h"
#include "stats/random.h"

static const struct pb_margins margins = {.gate = PB_GATE_MARGIN,
                                          .equivalence = PB_EQUIVALENCE_MARGIN};

static struct pb_interval interval(double lo, double hi)
{
    return (struct pb_interval){.estimate = 0.5 * lo + 0.5 * hi, .lo = lo, .hi = hi};
}

static double above(double x)
{
    return nextafter(x, INFINITY);
}

static double below(double x)
{
    return nextafter(x, -INFINITY);
}

static void each_boundary_belongs_to_the_weaker_verdict(void **state)
{
    (void)state;
    const double gate = log1p(PB_GATE_MARGIN);
    const double same = log1p(PB_EQUIVALENCE_MARGIN);
    const struct {
        double lo;
        double hi;
        enum pb_verdict verdict;
    } rows[] = {
        {above(gate), 0.5, PB_VERDICT_REGRESSED},
        {gate, 0.5, PB_VERDICT_INCONCLUSIVE},
        {-0.5, below(-gate), PB_VERDICT_IMPROVED},
        {-0.5, -gate, PB_VERDICT_INCONCLUSIVE},
        {above(-same), below(same), PB_VERDICT_UNCHANGED},
        {-same, below(same), PB_VERDICT_INCONCLUSIVE},
        {above(-same), same, PB_VERDICT_INCONCLUSIVE},
        {-0.5, 0.5, PB_VERDICT_INCONCLUSIVE},
        {0, 0, PB_VERDICT_UNCHANGED},
        /* Small but beyond the gate: a regression, though within the equivalence margin too. */
        {0.004, 0.006, PB_VERDICT_REGRESSED},
        {-0.006, -0.004, PB_VERDICT_IMPROVED},
        /* Within the gate: unchanged even when 0 is excluded. */
        {0.001, 0.002, PB_VERDICT_UNCHANGED},
        {-INFINITY, INFINITY, PB_VERDICT_INCONCLUSIVE},
        {NAN, NAN, PB_VERDICT_INCONCLUSIVE},
        {0.004, INFINITY, PB_VERDICT_REGRESSED},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_int_equal(pb_pair_verdict(interval(rows[i].lo, rows[i].hi), margins),
                         rows[i].verdict);
    }
}

static void one_launch_is_inconclusive(void **state)
{
    (void)state;
    double d[] = {0.3};
    assert_int_equal(pb_pair_verdict(pb_median_interval(d, 1, 0), margins),
                     PB_VERDICT_INCONCLUSIVE);
    assert_int_equal(pb_pair_verdict(pb_median_interval(d, 0, 0), margins),
                     PB_VERDICT_INCONCLUSIVE);
}

static void identical_repeats_get_a_verdict(void **state)
{
    (void)state;
    double same[16] = {0};
    double slower[16];
    for (size_t i = 0; i < 16; i++) {
        slower[i] = log(1.02);
    }
    assert_int_equal(pb_pair_verdict(pb_median_interval(same, 16, 2), margins),
                     PB_VERDICT_UNCHANGED);
    assert_int_equal(pb_pair_verdict(pb_median_interval(slower, 16, 2), margins),
                     PB_VERDICT_REGRESSED);
}

static void a_gate_of_zero_lets_any_proven_change_through(void **state)
{
    (void)state;
    const struct pb_margins strict = {.gate = 0, .equivalence = 0.004};
    assert_int_equal(pb_pair_verdict(interval(1e-9, 0.01), strict), PB_VERDICT_REGRESSED);
    assert_int_equal(pb_pair_verdict(interval(0, 0.003), strict), PB_VERDICT_UNCHANGED);
}

static void margins_that_make_no_sense_prove_nothing(void **state)
{
    (void)state;
    const struct pb_margins none = {.gate = -2, .equivalence = NAN};
    assert_int_equal(pb_pair_verdict(interval(0.1, 0.2), none), PB_VERDICT_INCONCLUSIVE);
}

static void swapping_the_sides_swaps_regressed_and_improved(void **state)
{
    (void)state;
    static const enum pb_verdict swapped[] = {
        [PB_VERDICT_REGRESSED] = PB_VERDICT_IMPROVED,
        [PB_VERDICT_IMPROVED] = PB_VERDICT_REGRESSED,
        [PB_VERDICT_UNCHANGED] = PB_VERDICT_UNCHANGED,
        [PB_VERDICT_INCONCLUSIVE] = PB_VERDICT_INCONCLUSIVE,
    };
    unsigned seen[4] = {0};
    struct pb_random random;
    pb_random_init(&random, 1);
    for (int draw = 0; draw < 1000; draw++) {
        const double lo = 0.04 * (pb_random_unit(&random) - 0.6);
        const double hi = lo + 0.02 * pb_random_unit(&random);
        const enum pb_verdict verdict = pb_pair_verdict(interval(lo, hi), margins);
        assert_int_equal(pb_pair_verdict(interval(-hi, -lo), margins), swapped[verdict]);
        seen[verdict]++;
    }
    for (size_t i = 0; i < 4; i++) {
        assert_true(seen[i] > 0);
    }
}

static void the_provable_equivalence_is_the_smallest_that_proves(void **state)
{
    (void)state;
    static const struct {
        double lo;
        double hi;
    } rows[] = {{-0.001, 0.004}, {-0.02, 0.001}, {0, 0}, {0.003, 0.003}, {-1.5, 2}, {1e-12, 1e-11}};
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_interval wide = interval(rows[i].lo, rows[i].hi);
        /* A gate that nothing reaches, so that only the proof decides. */
        struct pb_margins just = {.gate = 1e9, .equivalence = pb_provable_equivalence(wide)};
        assert_near(just.equivalence, expm1(fmax(fabs(wide.lo), fabs(wide.hi))), 1e-14);
        assert_int_equal(pb_pair_verdict(wide, just), PB_VERDICT_UNCHANGED);
        just.equivalence = just.equivalence * (1 - 1e-9) - 1e-300;
        assert_int_equal(pb_pair_verdict(wide, just), PB_VERDICT_INCONCLUSIVE);
    }
}

static void no_interval_proves_no_equivalence(void **state)
{
    (void)state;
    assert_near(pb_provable_equivalence(interval(-INFINITY, INFINITY)), INFINITY, 0);
    assert_near(pb_provable_equivalence(interval(0, INFINITY)), INFINITY, 0);
    assert_near(pb_provable_equivalence(interval(NAN, 0)), INFINITY, 0);
    assert_near(pb_provable_equivalence(interval(0, NAN)), INFINITY, 0);
    assert_near(pb_provable_equivalence(interval(-1000, 0)), INFINITY, 0);
}

static void a_control_is_rejected_for_a_bias_that_matters(void **state)
{
    (void)state;
    const double half = log1p(PB_GATE_MARGIN) / 2;
    const struct {
        double lo;
        double hi;
        bool rejected;
    } rows[] = {
        /* Seen, but a hundredth of a percent; and one that may be as small. */
        {-0.0002, -0.00001, false},   {-0.0029, -0.0002, false}, {half, 0.01, false},
        {above(half), 0.01, true},    {-0.01, -half, false},     {-0.01, below(-half), true},
        {-INFINITY, INFINITY, false}, {NAN, NAN, false},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_int_equal(pb_control_rejected(interval(rows[i].lo, rows[i].hi), margins),
                         rows[i].rejected);
    }
    const struct pb_margins no_gate = {.gate = 0, .equivalence = PB_EQUIVALENCE_MARGIN};
    assert_true(pb_control_rejected(interval(-0.0002, -0.00001), no_gate));
    assert_false(pb_control_rejected(interval(-0.0002, 0), no_gate));
}

static void a_log_ratio_is_shown_as_percent(void **state)
{
    (void)state;
    assert_near(pb_change_pct(0), 0, 0);
    assert_near(pb_change_pct(log(1.5)), 50, 1e-12);
    assert_near(pb_change_pct(log(0.5)), -50, 1e-12);
    assert_near(pb_change_pct(1e-12), 1e-10, 1e-22);
    assert_near(pb_change_pct(-INFINITY), -100, 0);
    assert_near(pb_change_pct(INFINITY), INFINITY, 0);
    assert_true(isnan(pb_change_pct(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_boundary_belongs_to_the_weaker_verdict),
        cmocka_unit_test(one_launch_is_inconclusive),
        cmocka_unit_test(identical_repeats_get_a_verdict),
        cmocka_unit_test(a_gate_of_zero_lets_any_proven_change_through),
        cmocka_unit_test(margins_that_make_no_sense_prove_nothing),
        cmocka_unit_test(swapping_the_sides_swaps_regressed_and_improved),
        cmocka_unit_test(the_provable_equivalence_is_the_smallest_that_proves),
        cmocka_unit_test(no_interval_proves_no_equivalence),
        cmocka_unit_test(a_control_is_rejected_for_a_bias_that_matters),
        cmocka_unit_test(a_log_ratio_is_shown_as_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
