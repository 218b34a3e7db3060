/* SPDX-License-Identifier: Apache-2.0
 *
 * When the procedure stops, and on what. Its error rates are in synthetic_test.
 */
#include "stats/stopping.h"

#include "near.h"

static const struct pb_margins margins = {PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN};

static struct pb_stopping plan(void)
{
    struct pb_stopping stopping;
    assert_int_equal(pb_stopping_plan(0.01, 0.01, &stopping, NULL), PB_OK);
    return stopping;
}

static void it_stops_at_the_first_look_that_decides(void **state)
{
    (void)state;
    const struct pb_stopping stopping = plan();
    static const struct {
        double d;
        double late; /* from launch 16 on */
        enum pb_verdict verdict;
        unsigned launches;
    } rows[] = {
        {0, 0, PB_VERDICT_UNCHANGED, 16},
        {0.02, 0.02, PB_VERDICT_REGRESSED, 16},
        {-0.02, -0.02, PB_VERDICT_IMPROVED, 16},
        {0.02, -9, PB_VERDICT_REGRESSED, 16}, /* what comes later is not seen */
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        double d[PB_STOPPING_LAUNCHES];
        for (size_t k = 0; k < PB_STOPPING_LAUNCHES; k++) {
            d[k] = k < 16 ? rows[i].d : rows[i].late;
        }
        const struct pb_stop stop = pb_stopping_judge(&stopping, d, PB_STOPPING_LAUNCHES, margins);
        assert_int_equal(stop.verdict, rows[i].verdict);
        assert_int_equal(stop.launches, rows[i].launches);
        assert_near(stop.interval.estimate, rows[i].d, 0);
    }
}

static void launches_that_contradict_each_other_decide_nothing(void **state)
{
    (void)state;
    const struct pb_stopping stopping = plan();
    double d[PB_STOPPING_LAUNCHES];
    for (size_t k = 0; k < PB_STOPPING_LAUNCHES; k++) {
        d[k] = k % 2 == 0 ? 0.1 : -0.1;
    }
    const struct pb_stop stop = pb_stopping_judge(&stopping, d, PB_STOPPING_LAUNCHES, margins);
    assert_int_equal(stop.verdict, PB_VERDICT_INCONCLUSIVE);
    assert_int_equal(stop.launches, PB_STOPPING_LAUNCHES);
}

static void with_fewer_launches_there_are_fewer_looks(void **state)
{
    (void)state;
    const struct pb_stopping stopping = plan();
    static const struct {
        size_t n;
        unsigned launches;
    } rows[] = {{0, 0}, {15, 0}, {16, 16}, {39, 24}, {40, 40}, {96, 96}};
    double d[PB_STOPPING_LAUNCHES];
    for (size_t k = 0; k < PB_STOPPING_LAUNCHES; k++) {
        d[k] = k % 2 == 0 ? 0.1 : -0.1;
    }
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_stop stop = pb_stopping_judge(&stopping, d, rows[i].n, margins);
        assert_int_equal(stop.launches, rows[i].launches);
        assert_int_equal(stop.verdict, PB_VERDICT_INCONCLUSIVE);
    }
}

static void a_miss_at_any_look_is_one(void **state)
{
    (void)state;
    const struct pb_stopping stopping = plan();
    double d[PB_STOPPING_LAUNCHES];
    for (size_t k = 0; k < PB_STOPPING_LAUNCHES; k++) {
        d[k] = k % 2 == 0 ? 0.1 : -0.1;
    }
    assert_false(pb_stopping_misses(&stopping, d, 0));
    assert_true(pb_stopping_misses(&stopping, d, 0.2));
    for (size_t k = 0; k < 16; k++) {
        d[k] = 0.1; /* the first look misses, all others do not */
    }
    assert_true(pb_stopping_misses(&stopping, d, 0));
}

/* Fourteen of sixteen launches beyond the gate flag a change, and are not enough to call it. */
static void a_screen_flags_what_a_verdict_would_not_say(void **state)
{
    (void)state;
    static const struct {
        double change_level;
        enum pb_verdict verdict;
    } rows[] = {{0.05, PB_VERDICT_REGRESSED}, {0.01, PB_VERDICT_INCONCLUSIVE}};
    double d[16];
    for (size_t k = 0; k < N_ITEMS(d); k++) {
        d[k] = k < 14 ? 0.02 : -0.02;
    }
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_stopping stopping;
        assert_int_equal(pb_stopping_plan(0.01, rows[i].change_level, &stopping, NULL), PB_OK);
        /* Shown is the interval of 0.01 all the same. */
        const struct pb_stop stop = pb_stopping_judge(&stopping, d, N_ITEMS(d), margins);
        assert_int_equal(stop.verdict, rows[i].verdict);
        assert_near(stop.interval.lo, -0.02, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stops_at_the_first_look_that_decides),
        cmocka_unit_test(launches_that_contradict_each_other_decide_nothing),
        cmocka_unit_test(with_fewer_launches_there_are_fewer_looks),
        cmocka_unit_test(a_screen_flags_what_a_verdict_would_not_say),
        cmocka_unit_test(a_miss_at_any_look_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
