/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables behind the charts, and the ends of their axes.
 */
#include "output/chart_data.h"

#include "sample.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { SPEEDUP_COLUMNS = 12, TIME_COLUMNS = 10, HISTORY_COLUMNS = 16 };

struct fixture {
    struct sample sample;
    struct pb_run_view view;
    struct pb_chart_spec spec;
};

static void begin(struct fixture *fixture, size_t n_runs)
{
    if (n_runs > 0) {
        sample_make(&fixture->sample, n_runs);
    } else {
        sample_make_hostile(&fixture->sample);
    }
    pb_run_view_make(&fixture->sample.run, &fixture->sample.arena, &fixture->view);
    fixture->spec = (struct pb_chart_spec){
        .run = &fixture->sample.run,
        .trend = fixture->sample.trend,
        .n_trend = fixture->sample.n_trend,
    };
}

/* Rows of a table that are not empty; each must have n columns and no forbidden bytes. */
static size_t check_rows(const char *table, size_t columns)
{
    size_t rows = 0;
    size_t tabs = 0;
    for (const char *s = table; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        assert_true(c == '\n' || c == '\t' || c >= 0x20);
        assert_true(c != '"' && c != '\\');
        tabs += c == '\t';
        if (c == '\n' && s > table && s[-1] != '\n') {
            assert_int_equal(tabs, columns - 1);
            tabs = 0;
            rows++;
        }
    }
    return rows;
}

static void speedups_are_a_row_for_every_scenario_and_series(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 1);
    struct pb_chart_data data;
    assert_true(pb_chart_data_speedup(&f.view.cases[0], &f.sample.arena, &data));
    assert_int_equal(check_rows(data.table.text, SPEEDUP_COLUMNS), 1 + 13 * 3);
    assert_non_null(
        strstr(data.table.text, "cql/batch_send_body\t10q_2p_vec128\tnew\t0\t0\t1.976"));
    assert_non_null(
        strstr(data.table.text, "\tempty\tnew\t6\t0\tNaN\tNaN\tNaN\tfailed\tfailed\t\t2\n"));
    assert_non_null(strstr(data.table.text, "\tregressed\t0.988×\t[0.985, 0.991]\t2\n"));
    assert_false(data.empty);
    assert_string_equal(data.arguments[0], "13");
    assert_string_equal(data.arguments[1], "3");
    assert_string_equal(data.arguments[2], "123"); /* new, the bound, a third party */
    assert_true(strtod(data.arguments[3], NULL) < 0.96);
    assert_true(strtod(data.arguments[4], NULL) > 2.6);
    assert_string_equal(data.arguments[5], "0");
    pb_chart_data_release(&data);
    assert_true(pb_chart_data_speedup(&f.view.cases[1], &f.sample.arena, &data));
    assert_string_equal(data.arguments[5], "1"); /* 1 to 55: logarithmic */
    pb_chart_data_release(&data);
    sample_release(&f.sample);
}

static void times_skip_what_a_logarithmic_axis_can_not_show(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 1);
    f.sample.run.benchmarks[0].best_ns = 0;
    f.sample.run.benchmarks[1].best_ns = -5;
    f.sample.run.benchmarks[2].best_ns = INFINITY;
    struct pb_chart_data data;
    pb_chart_data_time(&f.view.cases[0], &f.sample.arena, &data);
    assert_int_equal(check_rows(data.table.text, TIME_COLUMNS), 1 + 13 * 4);
    assert_non_null(strstr(data.table.text, "\told\t0\t0\tNaN\t"));
    assert_non_null(strstr(data.table.text, "\tnew\t0\t1\tNaN\t"));
    assert_non_null(strstr(data.table.text, "\tfloor\t0\t2\tNaN\t"));
    assert_string_equal(data.arguments[2], "0123");
    assert_true(strtod(data.arguments[3], NULL) > 400);
    assert_true(isfinite(strtod(data.arguments[4], NULL)));
    pb_chart_data_release(&data);
    sample_release(&f.sample);
}

static void without_a_point_a_chart_is_empty(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 2);
    for (size_t i = 0; i < f.sample.run.n_benchmarks; i++) {
        f.sample.run.benchmarks[i].best_ns = NAN;
    }
    for (size_t i = 0; i < f.sample.run.n_pairs; i++) {
        f.sample.run.pairs[i].estimate = NAN;
    }
    for (size_t i = 0; i < f.sample.n_trend; i++) {
        f.sample.trend[i].estimate = NAN;
    }
    struct pb_chart_data data;
    pb_chart_data_time(&f.view.cases[0], &f.sample.arena, &data);
    assert_true(data.empty);
    pb_chart_data_release(&data);
    assert_true(pb_chart_data_speedup(&f.view.cases[0], &f.sample.arena, &data));
    assert_true(data.empty);
    pb_chart_data_release(&data);
    assert_true(
        pb_chart_data_history(&f.view.cases[0], "old", "new", &f.spec, &f.sample.arena, &data));
    assert_true(data.empty);
    pb_chart_data_release(&data);
    sample_release(&f.sample);
}

static void equal_values_still_span_an_axis(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 1);
    for (size_t i = 0; i < f.sample.run.n_benchmarks; i++) {
        f.sample.run.benchmarks[i].best_ns = f.sample.run.benchmarks[i].median_ns = 100;
    }
    for (size_t i = 0; i < f.sample.run.n_pairs; i++) {
        struct pb_pair_record *pair = &f.sample.run.pairs[i];
        pair->estimate = pair->lo = pair->hi = 0;
    }
    struct pb_chart_data data;
    pb_chart_data_time(&f.view.cases[0], &f.sample.arena, &data);
    assert_true(strtod(data.arguments[3], NULL) < 99.1 && strtod(data.arguments[4], NULL) > 100.9);
    pb_chart_data_release(&data);
    assert_true(pb_chart_data_speedup(&f.view.cases[0], &f.sample.arena, &data));
    assert_true(strtod(data.arguments[3], NULL) < 0.991 && strtod(data.arguments[4], NULL) > 1.009);
    pb_chart_data_release(&data);
    sample_release(&f.sample);
}

static size_t panels_of(const char *table)
{
    size_t n = 1;
    for (const char *s = strstr(table, "\n\n\n"); s != NULL; s = strstr(s + 1, "\n\n\n")) {
        n++;
    }
    return n;
}

static void history_is_a_panel_a_scenario_with_gaps_between_machines(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 9);
    struct pb_chart_data data;
    assert_true(
        pb_chart_data_history(&f.view.cases[1], "old", "new", &f.spec, &f.sample.arena, &data));
    assert_int_equal(check_rows(data.table.text, HISTORY_COLUMNS), 1 + 4 * 9);
    assert_int_equal(panels_of(data.table.text), 4);
    assert_string_equal(data.arguments[0], "4");
    assert_string_equal(data.arguments[1], "9");
    const char *first = strstr(data.table.text, "x86_64-two");
    assert_non_null(first);
    while (first[-1] != '\n') {
        first--;
    }
    assert_int_equal(first[-2], '\n'); /* a gap, and only one */
    assert_int_not_equal(first[-3], '\n');
    pb_chart_data_release(&data);
    assert_false(
        pb_chart_data_history(&f.view.cases[1], "old", "none", &f.spec, &f.sample.arena, &data));
    sample_release(&f.sample);
}

static void injected_runs_stand_behind_the_others(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 3);
    for (size_t i = 0; i < f.sample.n_trend; i++) {
        f.sample.trend[i].machine = "one";
        f.sample.trend[i].injected = i % 3 == 1;
    }
    struct pb_chart_data data;
    assert_true(
        pb_chart_data_history(&f.view.cases[2], "old", "new", &f.spec, &f.sample.arena, &data));
    /* Runs 1 and 3 of the code, a gap, run 2. */
    const char *row = strstr(data.table.text, "null_unset_12p\told\tnew\t1\t");
    assert_non_null(row);
    row = strstr(row, "null_unset_12p\told\tnew\t3\t");
    assert_non_null(row);
    row = strstr(row, "\n\n");
    assert_non_null(row);
    assert_non_null(strstr(row, "null_unset_12p\told\tnew\t2\t"));
    pb_chart_data_release(&data);
    sample_release(&f.sample);
}

static void long_histories_show_their_latest_runs(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, PB_CHART_RUNS_MAX + 30);
    struct pb_chart_data data;
    assert_true(
        pb_chart_data_history(&f.view.cases[2], "old", "new", &f.spec, &f.sample.arena, &data));
    assert_string_equal(data.arguments[1], "400");
    assert_null(strstr(data.table.text, "run-0029\t"));
    assert_non_null(strstr(data.table.text, "\t1\trun-0030\t"));
    assert_non_null(strstr(data.table.text, "\t400\t0b9c3a52"));
    pb_chart_data_release(&data);
    sample_release(&f.sample);
}

static void hostile_names_stay_in_their_cells(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f, 0);
    for (size_t i = 0; i < f.view.n_cases; i++) {
        const struct pb_view_case *shown = &f.view.cases[i];
        struct pb_chart_data data;
        assert_true(pb_chart_data_speedup(shown, &f.sample.arena, &data));
        check_rows(data.table.text, SPEEDUP_COLUMNS);
        pb_chart_data_release(&data);
        pb_chart_data_time(shown, &f.sample.arena, &data);
        check_rows(data.table.text, TIME_COLUMNS);
        pb_chart_data_release(&data);
        if (pb_chart_data_history(shown, "old", shown->name, &f.spec, &f.sample.arena, &data)) {
            check_rows(data.table.text, HISTORY_COLUMNS);
            pb_chart_data_release(&data);
        }
    }
    sample_release(&f.sample);
}

static void a_locale_with_commas_changes_nothing(void **state)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    struct fixture f;
    begin(&f, 1);
    struct pb_chart_data data;
    assert_true(pb_chart_data_speedup(&f.view.cases[0], &f.sample.arena, &data));
    setlocale(LC_ALL, "C");
    (void)state;
    assert_non_null(strstr(data.table.text, "\tnew\t0\t0\t1.976"));
    assert_null(strchr(data.arguments[3], ','));
    pb_chart_data_release(&data);
    sample_release(&f.sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speedups_are_a_row_for_every_scenario_and_series),
        cmocka_unit_test(times_skip_what_a_logarithmic_axis_can_not_show),
        cmocka_unit_test(without_a_point_a_chart_is_empty),
        cmocka_unit_test(equal_values_still_span_an_axis),
        cmocka_unit_test(history_is_a_panel_a_scenario_with_gaps_between_machines),
        cmocka_unit_test(injected_runs_stand_behind_the_others),
        cmocka_unit_test(long_histories_show_their_latest_runs),
        cmocka_unit_test(hostile_names_stay_in_their_cells),
        cmocka_unit_test(a_locale_with_commas_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
