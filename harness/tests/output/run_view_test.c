/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which a run is shown, and what is judged in it.
 */
#include "output/run_view.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void cases_and_scenarios_keep_the_order_of_the_record(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_run_view view;
    pb_run_view_make(&sample.run, &sample.arena, &view);
    assert_int_equal(view.n_cases, 3);
    assert_int_equal(view.n_scenarios, 19);
    assert_string_equal(view.cases[0].name, "cql/batch_send_body");
    assert_int_equal(view.cases[0].n_scenarios, 13);
    assert_string_equal(view.cases[0].scenarios[1].name, "10q_2p_vec768");
    assert_int_equal(view.cases[0].scenarios[1].n_benchmarks, 4);
    assert_int_equal(view.cases[0].scenarios[1].n_pairs, 3);
    assert_int_equal(view.cases[0].n_variants, 4);
    assert_string_equal(view.cases[0].variants[2].name, "floor");
    assert_int_equal(view.cases[0].variants[2].flags, PB_BENCHMARK_BOUND);
    sample_release(&sample);
}

static void a_shuffled_record_groups_the_same(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    for (size_t i = 0; i + 1 < sample.run.n_benchmarks; i += 2) { /* far apart */
        const size_t other = sample.run.n_benchmarks - 1 - i;
        const struct pb_benchmark_record kept = sample.run.benchmarks[i];
        sample.run.benchmarks[i] = sample.run.benchmarks[other];
        sample.run.benchmarks[other] = kept;
    }
    struct pb_run_view view;
    pb_run_view_make(&sample.run, &sample.arena, &view);
    assert_int_equal(view.n_cases, 3);
    assert_int_equal(view.n_scenarios, 19);
    sample_release(&sample);
}

static void only_gated_variants_are_judged(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_run_view view;
    pb_run_view_make(&sample.run, &sample.arena, &view);
    size_t judged[4];
    assert_int_equal(pb_view_judged(&view.cases[0], judged), 1);
    assert_int_equal(judged[0], 1);
    const struct pb_verdict_counts counts = pb_run_verdicts(&sample.run);
    assert_int_equal(counts.total, 19);
    assert_int_equal(counts.n[PB_VERDICT_FAILED], 1);
    size_t states[PB_STATE_SKIPPED + 1];
    pb_run_states(&sample.run, states);
    assert_int_equal(states[PB_STATE_FAILED], 1);
    assert_int_equal(states[PB_STATE_SKIPPED], 1);
    assert_int_equal(states[PB_STATE_OK], 4 * 19 - 2);
    sample_release(&sample);
}

static void controls_and_pairs_of_builds_are_no_pairs_of_variants(void **state)
{
    (void)state;
    const struct pb_pair_record control = {
        .case_name = "c", .scenario = "s", .a = "old", .b = "old"};
    const struct pb_pair_record real = {.case_name = "c", .scenario = "s", .a = "old", .b = "new"};
    const struct pb_pair_record builds = {
        .case_name = "c", .scenario = "s", .variant = "old", .a = "base", .b = "new"};
    const struct pb_pair_record *pairs[] = {&control, &builds, &real};
    const struct pb_view_scenario scenario = {.name = "s", .pairs = pairs, .n_pairs = 3};
    assert_null(pb_view_pair(&scenario, "old"));
    assert_ptr_equal(pb_view_pair(&scenario, "new"), &real);
    assert_null(pb_view_benchmark(&scenario, "new"));
}

static void an_empty_run_is_an_empty_view(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_run_record run = {0};
    struct pb_run_view view;
    pb_run_view_make(&run, &arena, &view);
    assert_int_equal(view.n_cases, 0);
    assert_int_equal(pb_run_verdicts(&run).total, 0);
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_and_scenarios_keep_the_order_of_the_record),
        cmocka_unit_test(a_shuffled_record_groups_the_same),
        cmocka_unit_test(only_gated_variants_are_judged),
        cmocka_unit_test(controls_and_pairs_of_builds_are_no_pairs_of_variants),
        cmocka_unit_test(an_empty_run_is_an_empty_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
