/* SPDX-License-Identifier: Apache-2.0
 *
 * A side against itself, on the suites for tests.
 */
#include "measure/noise_floor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct bench {
    struct pb_arena arena;
    struct pb_plan plan;
    struct pb_noise_floor floor;
    struct pb_error err;
    unsigned n_asked;  /* whether to stop           */
    unsigned stops_at; /* the how manieth time; 0 = never */
};

static int set_up(void **state)
{
    static struct bench bench;
    bench = (struct bench){
        .plan = {.worker = PB_TEST_WORKER, .seed = 3, .deadline_s = 60, .budget_s = 0.3},
    };
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    pb_arena_release(&bench->arena);
    return 0;
}

static bool is_time(void *context)
{
    struct bench *bench = context;
    return ++bench->n_asked == bench->stops_at;
}

static enum pb_code measure(struct bench *bench, const char *suite, const char *const *patterns,
                            size_t n_patterns)
{
    struct pb_catalog catalog;
    struct pb_selection selection;
    const char *path = pb_arena_printf(&bench->arena, PB_TEST_SUITES "/%s.so", suite);
    const struct pb_measure_watch watch = {.context = bench, .stopped = is_time};
    if (pb_catalog_load(PB_TEST_WORKER, &path, 1, &bench->arena, &catalog, &bench->err) != PB_OK ||
        pb_selection_make(&catalog, patterns, n_patterns, &bench->arena, &selection, &bench->err) !=
            PB_OK) {
        fail_msg("%s", bench->err.message);
    }
    return pb_noise_floor_measure(&catalog, &selection, &bench->plan, &watch, &bench->arena,
                                  &bench->floor, &bench->err);
}

static void old_of_the_first_scenario_is_measured_until_time_is_up(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(measure(bench, "plain", NULL, 0), PB_OK);
    const struct pb_noise_floor *floor = &bench->floor;
    assert_string_equal(floor->name, "plain/write/brief/old");
    assert_true(floor->n_launches > 0);
    assert_int_equal(bench->n_asked, floor->n_launches);
    assert_true(floor->wall_s >= bench->plan.budget_s);
    if (floor->reason == NULL) {
        assert_true(floor->lo <= floor->estimate && floor->estimate <= floor->hi);
        assert_true(floor->floor == fmax(fabs(floor->lo), fabs(floor->hi)));
        assert_true(isfinite(floor->floor));
    }
}

static void too_few_launches_for_an_interval_give_no_floor(void **state)
{
    struct bench *bench = *state;
    bench->plan.budget_s = 1e-9;
    assert_int_equal(measure(bench, "plain", NULL, 0), PB_OK);
    assert_true(bench->floor.n_launches <= 1);
    assert_non_null(bench->floor.reason);
    assert_true(isinf(bench->floor.floor));
}

static void a_scenario_that_can_not_be_timed_is_left_out(void **state)
{
    static const char *const patterns[] = {"hostile/old_does_it/crashes",
                                           "hostile/old_does_it/is_unsteady"};
    struct bench *bench = *state;
    assert_int_equal(measure(bench, "hostile", patterns, 2), PB_OK);
    assert_string_equal(bench->floor.name, "hostile/old_does_it/is_unsteady/old");
    assert_true(bench->floor.n_launches > 0);
}

static void where_none_can_be_timed_the_reason_is_told(void **state)
{
    static const char *const pattern = "hostile/old_does_it/crashes";
    struct bench *bench = *state;
    assert_int_equal(measure(bench, "hostile", &pattern, 1), PB_OK);
    assert_string_equal(bench->floor.name, "hostile/old_does_it/crashes/old");
    assert_non_null(strstr(bench->floor.reason, "in run")); /* of a signal, or by a sanitizer */
    assert_int_equal(bench->floor.n_launches, 0);
    assert_true(isinf(bench->floor.floor) && isnan(bench->floor.estimate));
}

static void it_stops_between_two_launches_when_asked_to(void **state)
{
    struct bench *bench = *state;
    bench->plan.budget_s = 1000;
    bench->stops_at = 3;
    assert_int_equal(measure(bench, "plain", NULL, 0), PB_ERR_INTERRUPTED);
    assert_int_equal(bench->n_asked, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(old_of_the_first_scenario_is_measured_until_time_is_up,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_few_launches_for_an_interval_give_no_floor, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_scenario_that_can_not_be_timed_is_left_out, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(where_none_can_be_timed_the_reason_is_told, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(it_stops_between_two_launches_when_asked_to, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
