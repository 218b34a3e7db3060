/* SPDX-License-Identifier: Apache-2.0
 *
 * From trials to the rows of a self-test: what is counted, and when something is reached.
 */
#include "commands/selftest/cells.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS_MAX = 4000 };

struct log {
    struct pb_arena arena;
    struct pb_trial trials[TRIALS_MAX];
    size_t n;
};

static int set_up(void **state)
{
    static struct log log;
    memset(&log, 0, sizeof log);
    *state = &log;
    return 0;
}

static int tear_down(void **state)
{
    struct log *log = *state;
    pb_arena_release(&log->arena);
    return 0;
}

static void add(struct log *log, size_t n, enum pb_cell cell, enum pb_verdict verdict,
                double wall_s)
{
    for (size_t i = 0; i < n; i++) {
        assert_true(log->n < TRIALS_MAX);
        log->trials[log->n++] =
            (struct pb_trial){.cell = cell, .verdict = verdict, .valid = true, .wall_s = wall_s};
    }
}

static struct pb_selftest_row row_of(struct log *log, const char *id)
{
    size_t n = 0;
    const struct pb_selftest_row *rows = pb_selftest_rows(log->trials, log->n, &log->arena, &n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rows[i].id, id) == 0) {
            return rows[i];
        }
    }
    fail_msg("no row %s", id);
    return rows[0];
}

static void every_cell_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < PB_CELLS; i++) {
        enum pb_cell found = PB_CELL_COPY;
        assert_true(pb_cell_find(pb_cell_words((enum pb_cell)i)->name, &found));
        assert_int_equal(found, i);
    }
    enum pb_cell found;
    assert_false(pb_cell_find("none", &found));
}

static void what_the_table_demands_is_what_is_judged(void **state)
{
    struct log *log = *state;
    static const struct {
        const char *id;
        double must;
        double aim;
    } rows[] = {
        {"false_verdicts", 0.005, 0},    {"found_plus1", 0.85, 0.95},
        {"found_plus2", 0.99, 1},        {"found_plus0.5", 0.60, 0.85},
        {"proven", 0.97, 0.99},          {"false_proofs", 0.01, 0.001},
        {"all_hogs_false", 0.01, 0.001}, {"all_hogs_inconclusive", 0.15, 0.05},
        {"run_and_check", 150, 90},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pb_selftest_row row = row_of(log, rows[i].id);
        assert_true(row.must.limit == rows[i].must && row.aim.limit == rows[i].aim);
        assert_int_equal(row.must.result, PB_DEMAND_OPEN);
    }
}

static void identical_code_is_counted_over_all_kinds_of_copies(void **state)
{
    struct log *log = *state;
    add(log, 600, PB_CELL_COPY, PB_VERDICT_UNCHANGED, 0.3);
    add(log, 600, PB_CELL_LAYOUT, PB_VERDICT_UNCHANGED, 0.5);
    add(log, 2, PB_CELL_LAYOUT, PB_VERDICT_IMPROVED, 0.3);
    add(log, 1, PB_CELL_COMMENT, PB_VERDICT_REGRESSED, 0.3);
    add(log, 9, PB_CELL_ONE_HOG, PB_VERDICT_REGRESSED, 0.3);
    const struct pb_selftest_row all = row_of(log, "false_verdicts");
    assert_int_equal(all.k, 3);
    assert_int_equal(all.n, 1203);
    assert_int_equal(all.must.result, PB_DEMAND_REACHED);
    assert_int_equal(all.aim.result, PB_DEMAND_MISSED); /* one is enough to miss none */
    assert_true(all.lo < 3.0 / 1203 && 3.0 / 1203 < all.hi);
    assert_int_equal(row_of(log, "false_layout").k, 2);
    assert_int_equal(row_of(log, "false_layout").must.result, PB_DEMAND_NONE);
    assert_int_equal(row_of(log, "one_hog_false").k, 9);
}

static void what_comes_too_late_is_not_found(void **state)
{
    struct log *log = *state;
    add(log, 90, PB_CELL_PLUS_1, PB_VERDICT_REGRESSED, 1.5);
    add(log, 10, PB_CELL_PLUS_1, PB_VERDICT_REGRESSED, 1.6);
    add(log, 100, PB_CELL_PLUS_1, PB_VERDICT_IMPROVED, 0.2);
    const struct pb_selftest_row row = row_of(log, "found_plus1");
    assert_int_equal(row.k, 90);
    assert_int_equal(row.n, 200);
    assert_int_equal(row.must.result, PB_DEMAND_MISSED);
    assert_true(row.median_s > 0.2 && row.median_s < 1.5);
}

/* Long operations are proven late, or not at all, and have a row of their own. */
static void long_operations_are_counted_apart(void **state)
{
    struct log *log = *state;
    add(log, 98, PB_CELL_LAYOUT, PB_VERDICT_UNCHANGED, 0.4);
    add(log, 2, PB_CELL_LAYOUT, PB_VERDICT_INCONCLUSIVE, 0.4);
    add(log, 3, PB_CELL_LONG, PB_VERDICT_UNCHANGED, 4);
    add(log, 1, PB_CELL_LONG, PB_VERDICT_INCONCLUSIVE, 4);
    add(log, 1, PB_CELL_COPY, PB_VERDICT_UNCHANGED, 0.4);
    for (size_t i = 100; i < log->n; i++) {
        log->trials[i].operation_ns = 2e6;
    }
    assert_int_equal(row_of(log, "proven").k, 98);
    assert_int_equal(row_of(log, "proven").n, 100);
    assert_int_equal(row_of(log, "proven_any").k, 99);
    assert_int_equal(row_of(log, "proven_any").n, 105);
    assert_int_equal(row_of(log, "proven_long").k, 4);
    assert_int_equal(row_of(log, "proven_long").n, 5);
    assert_int_equal(row_of(log, "proven_long").must.result, PB_DEMAND_NONE);
    assert_int_equal(row_of(log, "false_verdicts").n, 105);
}

static void few_trials_can_miss_and_not_reach(void **state)
{
    struct log *log = *state;
    add(log, 20, PB_CELL_PLUS_2, PB_VERDICT_REGRESSED, 0.5);
    assert_int_equal(row_of(log, "found_plus2").must.result, PB_DEMAND_OPEN);
    add(log, 1, PB_CELL_PLUS_2, PB_VERDICT_INCONCLUSIVE, 0.5);
    assert_int_equal(row_of(log, "found_plus2").must.result, PB_DEMAND_OPEN);
    add(log, 5, PB_CELL_PLUS_2, PB_VERDICT_INCONCLUSIVE, 0.5);
    assert_int_equal(row_of(log, "found_plus2").must.result, PB_DEMAND_MISSED);
}

static void a_share_that_is_the_limit_reaches_it(void **state)
{
    struct log *log = *state;
    add(log, 300, PB_CELL_ALL_HOGS, PB_VERDICT_UNCHANGED, 1);
    add(log, 3, PB_CELL_ALL_HOGS, PB_VERDICT_REGRESSED, 1);
    log->n -= 3;
    add(log, 3, PB_CELL_ALL_HOGS, PB_VERDICT_REGRESSED, 1);
    log->trials[0].verdict = PB_VERDICT_INCONCLUSIVE;
    assert_int_equal(row_of(log, "all_hogs_false").must.result, PB_DEMAND_REACHED); /* 3 of 303 */
    add(log, 1, PB_CELL_ALL_HOGS, PB_VERDICT_REGRESSED, 1);
    assert_int_equal(row_of(log, "all_hogs_false").must.result, PB_DEMAND_MISSED); /* 4 of 304 */
    assert_int_equal(row_of(log, "all_hogs_inconclusive").k, 1);
}

static void a_run_whose_control_was_rejected_has_no_verdicts(void **state)
{
    struct log *log = *state;
    add(log, 2, PB_CELL_ALL_HOGS, PB_VERDICT_REGRESSED, 1);
    log->trials[0].valid = false;
    assert_int_equal(row_of(log, "all_hogs_false").k, 1);
    assert_int_equal(row_of(log, "all_hogs_false").n, 2);
    assert_int_equal(row_of(log, "all_hogs_inconclusive").k, 1);
}

static void a_benchmark_that_could_not_be_timed_is_no_trial(void **state)
{
    struct log *log = *state;
    add(log, 1, PB_CELL_COPY, PB_VERDICT_FAILED, 1);
    add(log, 1, PB_CELL_COPY, PB_VERDICT_BELOW_RESOLUTION, 1);
    assert_int_equal(row_of(log, "false_copy").n, 0);
    assert_true(isnan(row_of(log, "false_copy").median_s));
}

static void time_is_judged_as_soon_as_it_was_taken(void **state)
{
    struct log *log = *state;
    size_t n = 0;
    add(log, 1, PB_CELL_RUN_AND_CHECK, PB_VERDICT_UNCHANGED, 100);
    assert_int_equal(row_of(log, "run_and_check").must.result, PB_DEMAND_REACHED);
    assert_int_equal(row_of(log, "run_and_check").aim.result, PB_DEMAND_MISSED);
    assert_false(pb_selftest_missed(pb_selftest_rows(log->trials, log->n, &log->arena, &n), n));
    add(log, 1, PB_CELL_RUN_AND_CHECK, PB_VERDICT_UNCHANGED, 151);
    assert_int_equal(row_of(log, "run_and_check").must.result, PB_DEMAND_MISSED);
    assert_true(pb_selftest_missed(pb_selftest_rows(log->trials, log->n, &log->arena, &n), n));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_cell_has_a_name_of_its_own),
        TEST(what_the_table_demands_is_what_is_judged),
        TEST(identical_code_is_counted_over_all_kinds_of_copies),
        TEST(what_comes_too_late_is_not_found),
        TEST(long_operations_are_counted_apart),
        TEST(few_trials_can_miss_and_not_reach),
        TEST(a_share_that_is_the_limit_reaches_it),
        TEST(a_run_whose_control_was_rejected_has_no_verdicts),
        TEST(a_benchmark_that_could_not_be_timed_is_no_trial),
        TEST(time_is_judged_as_soon_as_it_was_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
