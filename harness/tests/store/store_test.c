/* SPDX-License-Identifier: Apache-2.0
 *
 * What is stored comes back as it was, and in one order.
 */
#include "store/store.h"

#include "store/database_file.h"
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A database in a folder of its own. */
struct scratch {
    struct pb_arena arena;
    char *folder;
    char *path;
    struct pb_store *store;
    struct pb_error err;
};

static int set_up(void **state)
{
    static struct scratch scratch;
    memset(&scratch, 0, sizeof scratch);
    scratch.folder = test_folder_make(&scratch.arena);
    scratch.path = pb_arena_printf(&scratch.arena, "%s/runs.db", scratch.folder);
    if (pb_store_open(scratch.path, PB_STORE_WRITE, &scratch.store, &scratch.err) != PB_OK) {
        fail_msg("%s", scratch.err.message);
    }
    *state = &scratch;
    return 0;
}

static int tear_down(void **state)
{
    struct scratch *scratch = *state;
    pb_store_close(scratch->store);
    test_folder_remove(scratch->folder);
    pb_arena_release(&scratch->arena);
    return 0;
}

static void save(struct scratch *scratch, const struct pb_run_record *run)
{
    if (pb_store_save_run(scratch->store, run, &scratch->err) != PB_OK) {
        fail_msg("%s", scratch->err.message);
    }
}

static size_t count(struct scratch *scratch)
{
    size_t n = SIZE_MAX;
    assert_int_equal(pb_store_count_runs(scratch->store, &n, &scratch->err), PB_OK);
    return n;
}

static void every_member_of_a_run_comes_back(void **state)
{
    struct scratch *scratch = *state;
    fixture_check_members();
    for (unsigned i = 0; i < 12; i++) {
        const struct pb_run_record run = fixture_run(&scratch->arena, i);
        save(scratch, &run);
        struct pb_run_record found = {0};
        struct pb_strbuf difference = {0};
        assert_int_equal(
            pb_store_load_run(scratch->store, run.id, &scratch->arena, &found, &scratch->err),
            PB_OK);
        if (!fixture_same_run(&run, &found, &difference)) {
            fail_msg("run %u differs in %s", i, difference.text);
        }
        pb_strbuf_release(&difference);
    }
}

static void comparison_of_runs_sees_a_difference_in_each_list(void **state)
{
    struct scratch *scratch = *state;
    const struct pb_run_record run = fixture_run(&scratch->arena, 3);
    for (int i = 0; i < 9; i++) {
        struct pb_run_record other = fixture_run(&scratch->arena, 3);
        switch (i) {
        case 0:
            other.seed++;
            break;
        case 1:
            other.machine.items[1].value = "x";
            break;
        case 2:
            other.commit.n--;
            break;
        case 3:
            other.benchmarks[4].inject_pct = 4.5;
            break;
        case 4:
            other.benchmarks[4].counts[1].value = 9;
            break;
        case 5:
            other.benchmarks[4].launches[3].mad_ns = 4.5;
            break;
        case 6:
            other.benchmarks[4].launches[0].samples_ns++;
            break;
        case 7:
            other.pairs[3].d[2] = 4.5;
            break;
        default:
            other.pairs[3].verdict = PB_VERDICT_MISSING;
            break;
        }
        struct pb_strbuf difference = {0};
        assert_false(fixture_same_run(&run, &other, &difference));
        pb_strbuf_release(&difference);
    }
}

static void a_run_without_anything_in_it_is_stored(void **state)
{
    struct scratch *scratch = *state;
    const struct pb_run_record run = {.id = "00000000-0000-4000-8000-000000000000",
                                      .label = "",
                                      .patterns = "",
                                      .tool_version = ""};
    save(scratch, &run);
    struct pb_run_record found = {0};
    struct pb_strbuf difference = {0};
    assert_int_equal(
        pb_store_load_run(scratch->store, NULL, &scratch->arena, &found, &scratch->err), PB_OK);
    assert_true(fixture_same_run(&run, &found, &difference));
}

static void the_same_run_saved_twice_is_stored_once_and_kept_as_it_was(void **state)
{
    struct scratch *scratch = *state;
    struct pb_run_record run = fixture_run(&scratch->arena, 5);
    save(scratch, &run);
    run.label = "another";
    run.n_benchmarks = 0;
    save(scratch, &run);
    assert_int_equal(count(scratch), 1);
    struct pb_strbuf why = {0};
    if (!fixture_holds_runs(scratch->path, 5, 1, &why)) {
        fail_msg("%s", why.text);
    }
    pb_strbuf_release(&why);
}

static void the_same_commit_measured_twice_is_two_runs(void **state)
{
    struct scratch *scratch = *state;
    struct pb_run_record run = fixture_run(&scratch->arena, 6);
    save(scratch, &run);
    run.id = "66666666-0000-4000-8000-000000000000";
    save(scratch, &run);
    assert_int_equal(count(scratch), 2);
}

static void a_run_that_breaks_a_rule_of_the_schema_leaves_nothing_behind(void **state)
{
    struct scratch *scratch = *state;
    struct pb_run_record run = fixture_run(&scratch->arena, 7);
    run.pairs[run.n_pairs - 1] = run.pairs[0]; /* the same pair twice, found at the very end */
    assert_int_equal(pb_store_save_run(scratch->store, &run, &scratch->err), PB_ERR_STORE);
    assert_non_null(strstr(scratch->err.message, scratch->path));
    assert_int_equal(count(scratch), 0);
    run.n_pairs--;
    save(scratch, &run);
    assert_int_equal(count(scratch), 1);
}

static void runs_are_found_by_id_or_by_a_unique_beginning_of_one(void **state)
{
    struct scratch *scratch = *state;
    static const char *const ids[] = {
        "aaaa0000-0000-4000-8000-000000000001",
        "aaab0000-0000-4000-8000-000000000002",
        "b%_*0000-0000-4000-8000-000000000003",
        "b",
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        const struct pb_run_record run = {.id = ids[i],
                                          .label = "",
                                          .patterns = "",
                                          .tool_version = "",
                                          .started_at = (int64_t)i};
        save(scratch, &run);
    }
    static const struct {
        const char *wanted;
        const char *found;   /* NULL: an error  */
        const char *message; /* and a part of it */
    } table[] = {
        {"aaaa0000-0000-4000-8000-000000000001", "aaaa0000-0000-4000-8000-000000000001", NULL},
        {"aaab", "aaab0000-0000-4000-8000-000000000002", NULL},
        {"AAAB", "aaab0000-0000-4000-8000-000000000002", NULL},
        {"aaa", NULL, "aaab0000"},
        {"", NULL, "give more"},
        {"b", "b", NULL}, /* whole, though another begins with it */
        {"b%", "b%_*0000-0000-4000-8000-000000000003", NULL},
        {"%", NULL, "'%'"},
        {"a*", NULL, "no run"},
        {"aaaa0000-0000-4000-8000-0000000000011", NULL, "no run"},
        {"\xff", NULL, "no run"},
        {NULL, "b", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct pb_run_record run = {0};
        const enum pb_code code = pb_store_load_run(scratch->store, table[i].wanted,
                                                    &scratch->arena, &run, &scratch->err);
        if (table[i].found != NULL) {
            assert_int_equal(code, PB_OK);
            assert_string_equal(run.id, table[i].found);
        } else {
            assert_int_equal(code, PB_ERR_NOT_FOUND);
            assert_non_null(strstr(scratch->err.message, table[i].message));
        }
    }
}

static void an_empty_database_says_that_there_is_no_run(void **state)
{
    struct scratch *scratch = *state;
    struct pb_run_record run = {0};
    struct pb_history_point *points = NULL;
    size_t n = 9;
    assert_int_equal(count(scratch), 0);
    assert_int_equal(pb_store_load_run(scratch->store, NULL, &scratch->arena, &run, &scratch->err),
                     PB_ERR_NOT_FOUND);
    assert_non_null(strstr(scratch->err.message, "no run yet"));
    assert_int_equal(
        pb_store_load_history(scratch->store, &scratch->arena, &points, &n, &scratch->err), PB_OK);
    assert_int_equal(n, 0);
}

/* A run with the pairs old/new and old/lib of case `c` and one pair of case `b`. */
static struct pb_run_record history_run(struct pb_arena *arena, const char *id, int64_t started_at)
{
    static struct pb_fact commit[] = {{"id", "c0ffee"}};
    static const char *const variants[] = {"old", "new", "lib"};
    struct pb_run_record run = {
        .id = id,
        .started_at = started_at,
        .label = "",
        .patterns = "",
        .tool_version = "",
        .valid = true,
        .commit = {commit, 1},
        .n_benchmarks = 3,
        .n_pairs = 3,
    };
    run.benchmarks = pb_arena_array(arena, 3, sizeof *run.benchmarks);
    run.pairs = pb_arena_array(arena, 3, sizeof *run.pairs);
    for (size_t i = 0; i < 3; i++) {
        run.benchmarks[i] = (struct pb_benchmark_record){
            .name = pb_arena_printf(arena, "c/s/%s", variants[i]),
            .case_name = "c",
            .scenario = "s",
            .variant = variants[i],
            .best_ns = (double)started_at * 10 + (double)i,
        };
        run.pairs[i] = (struct pb_pair_record){
            .case_name = i == 2 ? "b" : "c",
            .scenario = "s",
            .a = "old",
            .b = variants[1 + i % 2],
            .estimate = (double)started_at,
            .lo = -INFINITY,
            .hi = NAN,
            .verdict = PB_VERDICT_UNCHANGED,
        };
    }
    return run;
}

static void history_is_by_pair_then_time_then_id_whatever_the_order_of_saving(void **state)
{
    struct scratch *scratch = *state;
    static const struct {
        const char *id;
        int64_t started_at;
    } saved[] = {{"r3", 7}, {"r9", 5}, {"r2", 5}, {"r1", 6}};
    for (size_t i = 0; i < 4; i++) {
        const struct pb_run_record run =
            history_run(&scratch->arena, saved[i].id, saved[i].started_at);
        save(scratch, &run);
    }
    struct pb_history_point *points = NULL;
    size_t n = 0;
    assert_int_equal(
        pb_store_load_history(scratch->store, &scratch->arena, &points, &n, &scratch->err), PB_OK);
    static const char *const order[] = {"r2", "r9", "r1", "r3"};
    static const struct {
        const char *case_name, *b;
        double b_best; /* above ten times the start; NaN when it was not measured */
    } pairs[] = {{"b", "new", NAN}, {"c", "lib", 2}, {"c", "new", 1}};
    assert_int_equal(n, 12);
    for (size_t i = 0; i < n; i++) {
        const struct pb_history_point *point = &points[i];
        assert_string_equal(point->run_id, order[i % 4]);
        assert_string_equal(point->case_name, pairs[i / 4].case_name);
        assert_string_equal(point->scenario, "s");
        assert_string_equal(point->a, "old");
        assert_string_equal(point->b, pairs[i / 4].b);
        assert_string_equal(point->commit_id, "c0ffee");
        assert_non_null(point->machine);
        assert_true(point->estimate == (double)point->started_at);
        assert_true(point->lo == -INFINITY && isnan(point->hi));
        const double b_best = (double)point->started_at * 10 + pairs[i / 4].b_best;
        assert_true(i < 4 ? isnan(point->a_best_ns) && isnan(point->b_best_ns)
                          : point->b_best_ns == b_best);
    }
    struct pb_run_record latest = {0};
    assert_int_equal(
        pb_store_load_run(scratch->store, NULL, &scratch->arena, &latest, &scratch->err), PB_OK);
    assert_string_equal(latest.id, "r3");
}

static void of_runs_begun_in_one_second_the_last_by_id_is_the_latest(void **state)
{
    struct scratch *scratch = *state;
    static const char *const ids[] = {"r2", "r9", "r1"};
    for (size_t i = 0; i < 3; i++) {
        const struct pb_run_record run = history_run(&scratch->arena, ids[i], 5);
        save(scratch, &run);
    }
    struct pb_run_record latest = {0};
    assert_int_equal(
        pb_store_load_run(scratch->store, NULL, &scratch->arena, &latest, &scratch->err), PB_OK);
    assert_string_equal(latest.id, "r9");
}

static void history_leaves_out_invalid_runs_and_marks_injected_ones(void **state)
{
    struct scratch *scratch = *state;
    struct pb_run_record invalid = history_run(&scratch->arena, "r1", 1);
    struct pb_run_record injected = history_run(&scratch->arena, "r2", 2);
    struct pb_run_record plain = history_run(&scratch->arena, "r3", 3);
    invalid.valid = false;
    injected.injected = true;
    plain.commit.n = 0;
    save(scratch, &invalid);
    save(scratch, &injected);
    save(scratch, &plain);
    struct pb_history_point *points = NULL;
    size_t n = 0;
    assert_int_equal(
        pb_store_load_history(scratch->store, &scratch->arena, &points, &n, &scratch->err), PB_OK);
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(points[i].run_id, i % 2 == 0 ? "r2" : "r3");
        assert_int_equal(points[i].injected, i % 2 == 0);
        assert_string_equal(points[i].commit_id, i % 2 == 0 ? "c0ffee" : "");
    }
}

static void history_leaves_out_pairs_of_builds_and_controls(void **state)
{
    struct scratch *scratch = *state;
    struct pb_run_record run = history_run(&scratch->arena, "r1", 1);
    run.pairs[0].variant = "new";
    run.pairs[1].b = run.pairs[1].a;
    save(scratch, &run);
    struct pb_history_point *points = NULL;
    size_t n = 0;
    assert_int_equal(
        pb_store_load_history(scratch->store, &scratch->arena, &points, &n, &scratch->err), PB_OK);
    assert_int_equal(n, 1);
    assert_string_equal(points[0].case_name, "b");
}

static void a_run_of_two_builds_is_stored(void **state)
{
    struct scratch *scratch = *state;
    struct pb_run_record run = history_run(&scratch->arena, "r1", 1);
    run.benchmarks[1] = run.benchmarks[0]; /* `old` of base, `old` of head */
    for (size_t i = 0; i < run.n_pairs; i++) {
        run.pairs[i] = run.pairs[0];
        run.pairs[i].a = "base";
        run.pairs[i].b = "head";
        run.pairs[i].variant = i == 0 ? "old" : i == 1 ? "new" : NULL;
    }
    save(scratch, &run);
    struct pb_run_record found = {0};
    struct pb_strbuf difference = {0};
    assert_int_equal(
        pb_store_load_run(scratch->store, "r1", &scratch->arena, &found, &scratch->err), PB_OK);
    assert_true(fixture_same_run(&run, &found, &difference));
}

extern const unsigned char pb_store_schema_sql[]; /* of version 1 */

static void a_database_of_version_1_is_brought_up_to_date_with_what_it_holds(void **state)
{
    struct scratch *scratch = *state;
    struct pb_error *err = &scratch->err;
    const char *path = pb_arena_printf(&scratch->arena, "%s/version1.db", scratch->folder);
    const char *const scripts[] = {(const char *)pb_store_schema_sql};
    const struct pb_migrations version_1 = {scripts, 1};
    assert_int_equal(pb_database_file_create(path, &version_1, err), PB_OK);
    struct pb_sql *sql = NULL;
    assert_int_equal(pb_sql_open(path, PB_SQL_WRITE, PB_SQL_BUSY_MS, &sql, err), PB_OK);
    assert_int_equal(
        pb_sql_exec(sql,
                    "INSERT INTO run (id, started_at, label, patterns, tool_version, seed,"
                    " launches, adaptive, quick, injected, valid)"
                    " VALUES ('1', 7, '', '', '0.1.0', 0, 16, 0, 0, 0, 1);"
                    "INSERT INTO pair (run_key, position, case_name, scenario, a, b, gated,"
                    " verdict) VALUES (1, 0, 'case', 'scenario', 'old', 'new', 1, 'improved')",
                    err),
        PB_OK);
    pb_sql_close(sql);
    struct pb_store *store = NULL;
    assert_int_equal(pb_store_open(path, PB_STORE_READ, &store, err), PB_ERR_STORE);
    assert_non_null(strstr(err->message, "older pairbench"));
    assert_int_equal(pb_store_open(path, PB_STORE_WRITE, &store, err), PB_OK);
    struct pb_run_record run;
    assert_int_equal(pb_store_load_run(store, NULL, &scratch->arena, &run, err), PB_OK);
    assert_int_equal(run.started_at, 7);
    for (int i = 0; i < PB_KERNELS; i++) {
        assert_true(isnan(run.kernels_ns[i]));
    }
    assert_int_equal(run.n_pairs, 1);
    assert_true(isnan(run.pairs[0].wall_s));
    pb_store_close(store);
}

static void a_store_opened_for_reading_refuses_to_save(void **state)
{
    struct scratch *scratch = *state;
    struct pb_store *reader = NULL;
    assert_int_equal(pb_store_open(scratch->path, PB_STORE_READ, &reader, &scratch->err), PB_OK);
    const struct pb_run_record run = fixture_run(&scratch->arena, 1);
    assert_int_equal(pb_store_save_run(reader, &run, &scratch->err), PB_ERR_STORE);
    assert_non_null(strstr(scratch->err.message, "read-only"));
    pb_store_close(reader);
    assert_int_equal(count(scratch), 0);
}

static void a_reader_sees_what_was_stored_while_it_was_open(void **state)
{
    struct scratch *scratch = *state;
    struct pb_store *reader = NULL;
    size_t n = 9;
    assert_int_equal(pb_store_open(scratch->path, PB_STORE_READ, &reader, &scratch->err), PB_OK);
    assert_int_equal(pb_store_count_runs(reader, &n, &scratch->err), PB_OK);
    assert_int_equal(n, 0);
    const struct pb_run_record run = fixture_run(&scratch->arena, 1);
    save(scratch, &run);
    assert_int_equal(pb_store_count_runs(reader, &n, &scratch->err), PB_OK);
    assert_int_equal(n, 1);
    pb_store_close(reader);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_member_of_a_run_comes_back),
        TEST(comparison_of_runs_sees_a_difference_in_each_list),
        TEST(a_run_without_anything_in_it_is_stored),
        TEST(the_same_run_saved_twice_is_stored_once_and_kept_as_it_was),
        TEST(the_same_commit_measured_twice_is_two_runs),
        TEST(a_run_that_breaks_a_rule_of_the_schema_leaves_nothing_behind),
        TEST(runs_are_found_by_id_or_by_a_unique_beginning_of_one),
        TEST(an_empty_database_says_that_there_is_no_run),
        TEST(history_is_by_pair_then_time_then_id_whatever_the_order_of_saving),
        TEST(of_runs_begun_in_one_second_the_last_by_id_is_the_latest),
        TEST(history_leaves_out_invalid_runs_and_marks_injected_ones),
        TEST(history_leaves_out_pairs_of_builds_and_controls),
        TEST(a_run_of_two_builds_is_stored),
        TEST(a_database_of_version_1_is_brought_up_to_date_with_what_it_holds),
        TEST(a_store_opened_for_reading_refuses_to_save),
        TEST(a_reader_sees_what_was_stored_while_it_was_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
