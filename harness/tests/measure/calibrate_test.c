/* SPDX-License-Identifier: Apache-2.0
 *
 * Calibration on a scripted clock, and the plans that follow from it.
 */
#include "measure/calibrate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define N_ITEMS(array) (sizeof(array) / sizeof(array)[0])

/* An operation and the clock that it is timed with. */
struct script {
    double operation_ns;
    double call_ns;       /* of a probe, whatever n is */
    double resolution_ns; /* the clock shows multiples of it; 0 = any time */
    double slow_ns;       /* added to probe number slow_probe */
    int slow_probe;
    int failing_probe; /* from 1; 0 = none */
    int n_probes;
    uint64_t n[64];
    double elapsed_ns;
};

static double run_script(void *context, uint64_t n)
{
    struct script *script = context;
    assert_true(script->n_probes < 64);
    assert_true(n >= 1 && n <= PB_ITERATIONS_MAX);
    script->n[script->n_probes++] = n;
    if (script->n_probes == script->failing_probe) {
        return -1;
    }
    double elapsed_ns = script->call_ns + script->operation_ns * (double)n;
    elapsed_ns += script->n_probes == script->slow_probe ? script->slow_ns : 0;
    script->elapsed_ns += elapsed_ns;
    if (script->resolution_ns > 0) {
        elapsed_ns = script->resolution_ns * floor(elapsed_ns / script->resolution_ns);
    }
    return elapsed_ns;
}

static void an_operation_is_timed_whatever_it_takes(void **state)
{
    (void)state;
    static const double operations_ns[] = {0.004, 0.3,  1,    7,   199.5, 5e3,
                                           24e3,  26e3, 50e3, 1e6, 3e9};
    for (size_t i = 0; i < N_ITEMS(operations_ns); i++) {
        struct script script = {.operation_ns = operations_ns[i]};
        const double found_ns = pb_calibrate(run_script, &script, PB_SLICE_NS);
        assert_true(fabs(found_ns / operations_ns[i] - 1) < 1e-9);
        /* A few slices, or the one operation that is longer. */
        assert_true(script.elapsed_ns <= fmax(20 * PB_SLICE_NS, operations_ns[i]) * (1 + 1e-9));
        for (int k = 1; k < script.n_probes; k++) {
            assert_true(script.n[k] <= 10 * script.n[k - 1]);
        }
    }
}

static void the_last_probe_is_half_a_slice_at_least(void **state)
{
    (void)state;
    double operation_ns = 0.01;
    while (operation_ns < 1e5) {
        struct script script = {.operation_ns = operation_ns};
        pb_calibrate(run_script, &script, PB_SLICE_NS);
        assert_true((double)script.n[script.n_probes - 1] * operation_ns >= PB_SLICE_NS / 2);
        operation_ns *= 1.7;
    }
}

static void a_coarse_clock_is_waited_for(void **state)
{
    (void)state;
    static const double resolutions_ns[] = {1, 100, 1000, 10e3};
    for (size_t i = 0; i < N_ITEMS(resolutions_ns); i++) {
        struct script script = {.operation_ns = 3, .resolution_ns = resolutions_ns[i]};
        const double found_ns = pb_calibrate(run_script, &script, PB_SLICE_NS);
        /* One tick in half a slice is what it can be wrong by. */
        assert_true(fabs(found_ns / 3 - 1) <= resolutions_ns[i] / (PB_SLICE_NS / 2));
    }
}

/* An operation that is slower until it has been done for a while. */
struct cold {
    double operation_ns;
    double cold_ns; /* of each operation until so many were done */
    double n_cold;
    double n_done;
};

static double run_cold(void *context, uint64_t n)
{
    struct cold *cold = context;
    const double n_cold = fmin((double)n, fmax(cold->n_cold - cold->n_done, 0));
    cold->n_done += (double)n;
    return cold->operation_ns * (double)n + cold->cold_ns * n_cold;
}

static void an_operation_that_gets_faster_is_waited_for(void **state)
{
    (void)state;
    static const double n_cold[] = {0, 20, 100, 150};
    for (size_t i = 0; i < N_ITEMS(n_cold); i++) {
        struct cold cold = {.operation_ns = 75, .cold_ns = 2000, .n_cold = n_cold[i]};
        const double found_ns = pb_calibrate(run_cold, &cold, PB_SLICE_NS);
        assert_true(fabs(found_ns / 75 - 1) < 1e-9);
    }
}

static void what_takes_no_time_is_below_resolution(void **state)
{
    (void)state;
    static const struct script scripts[] = {
        {.operation_ns = 0},
        {.operation_ns = 0, .call_ns = 40},
        {.operation_ns = 0.0001, .call_ns = 10},
        {.operation_ns = 0.001, .resolution_ns = 1e6},
    };
    for (size_t i = 0; i < N_ITEMS(scripts); i++) {
        struct script script = scripts[i];
        assert_true(pb_calibrate(run_script, &script, PB_SLICE_NS) == 0);
    }
}

static void a_probe_that_fails_ends_it(void **state)
{
    (void)state;
    for (int k = 1; k <= 4; k++) {
        struct script script = {.operation_ns = 100, .failing_probe = k};
        assert_true(pb_calibrate(run_script, &script, PB_SLICE_NS) < 0);
        assert_int_equal(script.n_probes, k);
    }
}

static void a_slow_probe_does_not_end_it(void **state)
{
    (void)state;
    static const double slow_ns[] = {1e3, 30e3, 200e3, 600e3};
    for (size_t i = 0; i < N_ITEMS(slow_ns); i++) {
        for (int k = 1; k <= 4; k++) {
            struct script script = {.operation_ns = 200, .slow_ns = slow_ns[i], .slow_probe = k};
            const double found_ns = pb_calibrate(run_script, &script, PB_SLICE_NS);
            assert_true(fabs(found_ns / 200 - 1) < 1e-9);
        }
    }
}

static const double nothing[PB_PLANNED_SIDES_MAX];

static void sides_that_are_alike_share_their_iterations(void **state)
{
    (void)state;
    static const struct {
        double operation_ns[3];
        uint64_t iterations[3];
    } rows[] = {
        {{200, 200, 200}, {175, 175, 175}},
        {{100, 400, 200}, {175, 175, 175}}, /* 4 times: still shared, the geometric mean */
        {{100, 401, 200}, {350, 87, 175}},  /* more: each its own */
        {{1, 1000, 60}, {35000, 35, 583}},
        {{0.5, 0.5, 0.5}, {70000, 70000, 70000}},
        {{60e3, 60e3, 60e3}, {1, 1, 1}},
        {{1e9, 1, 1e9}, {1, 1000000, 1}}, /* beside long slices they are longer, up to 1 ms */
        {{2e6, 50e3, 1e6}, {1, 10, 1}},   /* a quarter of the longest */
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_slice_plan plan =
            pb_plan_slices(rows[i].operation_ns, nothing, 3, PB_SHARED_BY_VARIANTS);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(plan.iterations[k], rows[i].iterations[k]);
            assert_int_equal(plan.executed[k], rows[i].iterations[k]);
        }
    }
}

static void builds_share_their_iterations_though_one_seems_slow(void **state)
{
    (void)state;
    const double operation_ns[] = {120e3, 12e3};
    struct pb_slice_plan plan = pb_plan_slices(operation_ns, nothing, 2, PB_SHARED_BY_VARIANTS);
    assert_int_equal(plan.iterations[0], 1);
    assert_int_equal(plan.iterations[1], 3);
    plan = pb_plan_slices(operation_ns, nothing, 2, PB_SHARED_BY_BUILDS);
    assert_int_equal(plan.iterations[0], 1);
    assert_int_equal(plan.iterations[1], 1);
}

static void long_slices_make_fewer_rounds(void **state)
{
    (void)state;
    static const struct {
        double operation_ns;
        uint32_t rounds;
        uint32_t warm_slices;
        uint32_t timed_slices;
    } rows[] = {
        {0.1, 56, 0, 2},  {200, 56, 0, 2},  {50e3, 56, 0, 2}, {150e3, 56, 0, 2}, {200e3, 14, 0, 2},
        {500e3, 5, 0, 2}, {999e3, 5, 0, 2}, {1e6, 9, 0, 1},   {4e6, 9, 0, 1},    {4.1e6, 1, 1, 2},
        {20e6, 1, 1, 2},  {21e6, 1, 1, 1},  {1e9, 1, 1, 1},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_slice_plan plan =
            pb_plan_slices(&rows[i].operation_ns, nothing, 1, PB_SHARED_BY_VARIANTS);
        assert_int_equal(plan.rounds, rows[i].rounds);
        assert_int_equal(plan.warm_slices, rows[i].warm_slices);
        assert_int_equal(plan.timed_slices, rows[i].timed_slices);
    }
}

/* The short one's slices, of half a millisecond, still begin cold. */
static void a_short_side_beside_a_long_one_gets_a_second_slice(void **state)
{
    (void)state;
    const double operation_ns[] = {2e6, 80e3};
    const struct pb_slice_plan plan =
        pb_plan_slices(operation_ns, nothing, 2, PB_SHARED_BY_VARIANTS);
    assert_int_equal(plan.iterations[1], 6);
    assert_int_equal(plan.rounds, 5);
    assert_int_equal(plan.warm_slices, 0);
    assert_int_equal(plan.timed_slices, 2);
}

static void an_injected_share_is_whole(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        double pct;
        uint64_t multiple;
        uint64_t executed;
    } rows[] = {
        {250, 0, 250, 250},
        {250, 1, 300, 303},
        {100, 1, 100, 101},
        {1, 1, 100, 101},
        {250, 2, 250, 255},
        {250, 10, 250, 275},
        {251, 10, 260, 286},
        {250, 0.1, 1000, 1001},
        {250, 0.5, 400, 402},
        {250, 0.43, 10000, 10043},
        {250, 0.001, 100000, 100001},
        {250, 12.5, 256, 288},
        {250, -50, 250, 125},
        {251, -50, 252, 126},
        {1, -90, 10, 1},
        {250, 100, 250, 500},
        {7, 1000, 7, 77},
        {7, 300, 7, 28},
        {250, 33.333, 300000 / 3, 133333},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        uint64_t executed = 0;
        assert_int_equal(pb_plan_injection(rows[i].n, rows[i].pct, &executed), rows[i].multiple);
        assert_int_equal(executed, rows[i].executed);
    }
}

static void every_share_is_exact_and_the_smallest(void **state)
{
    (void)state;
    for (int64_t thousandths = -90000; thousandths <= 1000000; thousandths += 997) {
        for (uint64_t n = 1; n < 3000; n = n * 3 + 1) {
            uint64_t executed = 0;
            const uint64_t multiple = pb_plan_injection(n, (double)thousandths / 1000, &executed);
            assert_true(multiple >= n);
            /* executed = multiple · (1 + thousandths / 100000), in whole numbers */
            const int64_t share = (int64_t)multiple * thousandths;
            assert_int_equal(share % 100000, 0);
            assert_int_equal((int64_t)executed, (int64_t)multiple + share / 100000);
            assert_true(executed > 0);
            for (uint64_t less = n; less < multiple && multiple - n < 200; less++) {
                assert_int_not_equal((int64_t)less * thousandths % 100000, 0);
            }
        }
    }
}

static void an_injection_raises_all_sides_that_share(void **state)
{
    (void)state;
    const double alike_ns[] = {200, 210, 190};
    const double one_injected_pct[] = {0, 1, 0};
    struct pb_slice_plan plan =
        pb_plan_slices(alike_ns, one_injected_pct, 3, PB_SHARED_BY_VARIANTS);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(plan.iterations[i], 200);
        assert_int_equal(plan.executed[i], i == 1 ? 202 : 200);
    }
    assert_int_equal(plan.rounds, 56);

    const double two_injected_pct[] = {0, 10, 12.5}; /* multiples of 10 and of 8 */
    plan = pb_plan_slices(alike_ns, two_injected_pct, 3, PB_SHARED_BY_VARIANTS);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(plan.iterations[i], 200);
    }
    assert_int_equal(plan.executed[1], 220);
    assert_int_equal(plan.executed[2], 225);

    const double unlike_ns[] = {100, 1000};
    plan = pb_plan_slices(unlike_ns, one_injected_pct, 2, PB_SHARED_BY_VARIANTS);
    assert_int_equal(plan.iterations[0], 350);
    assert_int_equal(plan.executed[0], 350);
    assert_int_equal(plan.iterations[1], 100);
    assert_int_equal(plan.executed[1], 101);
}

static void an_injection_that_needs_long_slices_makes_fewer_rounds(void **state)
{
    (void)state;
    const double operation_ns[] = {20e3, 20e3};
    const double inject_pct[] = {0, 1};
    const struct pb_slice_plan plan =
        pb_plan_slices(operation_ns, inject_pct, 2, PB_SHARED_BY_VARIANTS);
    assert_int_equal(plan.iterations[0], 100); /* 2 ms */
    assert_int_equal(plan.rounds, 9);
    assert_int_equal(plan.warm_slices, 0);
    assert_int_equal(plan.timed_slices, 1);
}

static void a_long_setup_is_worth_more_rounds(void **state)
{
    (void)state;
    static const struct {
        double setup_ns;
        double operation_ns[2];
        uint32_t rounds;
    } rows[] = {
        {0, {500, 500}, 56},        {139e3, {500, 500}, 56}, /* a round of 2 × 2 slices of 35 µs */
        {141e3, {500, 500}, 57},    {4.1e6, {500, 500}, 85},
        {11.3e6, {500, 500}, 112},  {1e9, {500, 500}, 112}, /* at most twice as many */
        {7.3e6, {600e3, 600e3}, 8}, {50e6, {2e6, 2e6}, 18},
        {1e9, {5e6, 5e6}, 1},       {-1e9, {500, 500}, 56}, /* what a suite wrote over it */
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_slice_plan plan =
            pb_plan_slices(rows[i].operation_ns, nothing, 2, PB_SHARED_BY_VARIANTS);
        pb_plan_more_rounds(&plan, rows[i].operation_ns, 2, rows[i].setup_ns);
        assert_int_equal(plan.rounds, rows[i].rounds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_setup_is_worth_more_rounds),
        cmocka_unit_test(an_operation_is_timed_whatever_it_takes),
        cmocka_unit_test(the_last_probe_is_half_a_slice_at_least),
        cmocka_unit_test(a_coarse_clock_is_waited_for),
        cmocka_unit_test(an_operation_that_gets_faster_is_waited_for),
        cmocka_unit_test(what_takes_no_time_is_below_resolution),
        cmocka_unit_test(a_probe_that_fails_ends_it),
        cmocka_unit_test(a_slow_probe_does_not_end_it),
        cmocka_unit_test(sides_that_are_alike_share_their_iterations),
        cmocka_unit_test(builds_share_their_iterations_though_one_seems_slow),
        cmocka_unit_test(long_slices_make_fewer_rounds),
        cmocka_unit_test(a_short_side_beside_a_long_one_gets_a_second_slice),
        cmocka_unit_test(an_injected_share_is_whole),
        cmocka_unit_test(every_share_is_exact_and_the_smallest),
        cmocka_unit_test(an_injection_raises_all_sides_that_share),
        cmocka_unit_test(an_injection_that_needs_long_slices_makes_fewer_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
