/* SPDX-License-Identifier: Apache-2.0
 *
 * Renamed benchmarks: what is read, what is refused, and where the present names go.
 */
#include "store/aliases.h"

#include "store/baseline_lines.h"
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HEAD            "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"aliases\"}\n"
#define WHY             "\"date\":\"2026-01-31\",\"reason\":\"why\"}\n"
#define ALIAS(old, new) "{\"old\":\"" old "\",\"new\":\"" new "\"," WHY

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static struct pb_aliases parse(const char *text, struct pb_arena *arena)
{
    struct pb_aliases aliases;
    struct pb_error err = {0};
    if (pb_aliases_parse("f", text, strlen(text), arena, &aliases, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    return aliases;
}

static const char table[] = HEAD ALIAS("cql/batch", "cql/batch_body") ALIAS("cql", "wire/cql")
    ALIAS("cql/batch/wide/new", "cql/batch/wide/fast") ALIAS("odd\\\\xff/\\\\n/new", "even/s/new");

static void a_name_is_brought_up_to_date_step_by_step_longest_beginning_first(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_aliases aliases = parse(table, &arena);
    static const char *const rows[][2] = {
        {"cql/value/one/new", "wire/cql/value/one/new"},
        {"cql/batch/one/new", "wire/cql/batch_body/one/new"},
        {"cql/batch/wide/new", "wire/cql/batch_body/wide/fast"},
        {"cql/batch_body/one/new", "wire/cql/batch_body/one/new"},
        {"cql", "wire/cql"},
        {"odd\xff/\n/new", "even/s/new"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_string_equal(pb_aliases_present(&aliases, rows[i][0], &arena), rows[i][1]);
    }
    static const char *const same[] = {"cqls/value/one/new", "", "wire/cql/batch/wide/new"};
    for (size_t i = 0; i < LENGTH(same); i++) {
        assert_ptr_equal(pb_aliases_present(&aliases, same[i], &arena), same[i]);
    }
    assert_string_equal(aliases.items[0].date, "2026-01-31");
    assert_string_equal(aliases.items[0].reason, "why");
    const struct pb_aliases none = {0};
    assert_string_equal(pb_aliases_present(&none, "cql/batch/one/new", &arena),
                        "cql/batch/one/new");
    pb_arena_release(&arena);
}

static void what_is_wrong_is_reported_with_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"", "f:1: the file is empty"},
        {"{\"schema\":\"pairbench-baseline/1\",\"kind\":\"counts\"}\n",
         "f:1: kind \"counts\" is not known here, only \"aliases\""},
        {HEAD "{\"new\":\"b\"," WHY, "f:2: \"old\" must be a string"},
        {HEAD "{\"old\":\"a\"," WHY, "f:2: \"new\" must be a string"},
        {HEAD "{\"old\":\"a\",\"new\":\"b\",\"reason\":\"\"}\n", "f:2: \"date\" must be a string"},
        {HEAD "{\"old\":\"a\",\"new\":\"b\",\"date\":\"2026-01-31\"}\n",
         "f:2: \"reason\" must be a string"},
        {HEAD ALIAS("", "b"), "f:2: \"old\" and \"new\" must not be empty"},
        {HEAD ALIAS("a", ""), "f:2: \"old\" and \"new\" must not be empty"},
        {HEAD ALIAS("a", "b") ALIAS("c", "d") ALIAS("a", "e"), "f:4: a second new name of a"},
        {HEAD ALIAS("a", "a"), "f:2: a is renamed in a circle"},
        {HEAD ALIAS("c", "d") ALIAS("a", "b") ALIAS("b", "a"), "f:3: a is renamed in a circle"},
        {HEAD ALIAS("a", "a/b"), "f:2: a is renamed in a circle"},
    };
    struct pb_arena arena = {0};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct pb_aliases aliases = {.n = 77};
        struct pb_error err = {0};
        const enum pb_code code =
            pb_aliases_parse("f", rows[i].text, strlen(rows[i].text), &arena, &aliases, &err);
        if (code != PB_ERR_FORMAT || strstr(err.message, rows[i].message) != err.message) {
            fail_msg("%zu: %d '%s' does not begin with '%s'", i, (int)code, err.message,
                     rows[i].message);
        }
        assert_int_equal(aliases.n, 77);
    }
    pb_arena_release(&arena);
}

static void a_date_is_a_day_of_the_calendar(void **state)
{
    (void)state;
    static const struct {
        const char *date;
        bool good;
    } rows[] = {
        {"2026-01-31", true},  {"2024-02-29", true},  {"2000-02-29", true},   {"2026-02-29", false},
        {"1900-02-29", false}, {"2026-04-31", false}, {"2026-13-01", false},  {"2026-00-01", false},
        {"2026-01-00", false}, {"2026-1-1", false},   {"2026-01-31 ", false}, {"31.01.2026", false},
        {"", false},           {"2026-01-3", false},  {"2026-01-3x", false},
    };
    struct pb_arena arena = {0};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *text = pb_arena_printf(
            &arena, HEAD "{\"old\":\"a\",\"new\":\"b\",\"date\":\"%s\",\"reason\":\"\"}\n",
            rows[i].date);
        struct pb_aliases aliases;
        struct pb_error err = {0};
        const enum pb_code code = pb_aliases_parse("f", text, strlen(text), &arena, &aliases, &err);
        assert_int_equal(code, rows[i].good ? PB_OK : PB_ERR_FORMAT);
        assert_true(rows[i].good || strstr(err.message, "must be a day") != NULL);
    }
    pb_arena_release(&arena);
}

static void more_aliases_than_the_limit_are_refused(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_strbuf text = {0};
    pb_strbuf_adds(&text, HEAD);
    for (int i = 0; i <= PB_ALIASES_MAX; i++) {
        pb_strbuf_addf(&text, "{\"old\":\"a%d\",\"new\":\"b\"," WHY, i);
    }
    struct pb_aliases aliases;
    struct pb_error err = {0};
    assert_int_equal(pb_aliases_parse("f", text.text, text.length, &arena, &aliases, &err),
                     PB_ERR_LIMIT);
    assert_non_null(strstr(err.message, "limit of 1000 aliases"));
    pb_strbuf_release(&text);
    pb_arena_release(&arena);
}

static void a_run_goes_by_its_present_names(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_aliases aliases =
        parse(HEAD ALIAS("c/s/new", "d/t/fast") ALIAS("c/s/old", "d/t/slow")
                  ALIAS("c/u/odd", "c/u/even") ALIAS("c/short", "short"),
              &arena);
    struct pb_benchmark_record benchmarks[] = {
        {.name = "c/s/old", .case_name = "c", .scenario = "s", .variant = "old"},
        {.name = "c/s/new", .case_name = "c", .scenario = "s", .variant = "new"},
        {.name = "c/s/floor", .case_name = "c", .scenario = "s", .variant = "floor"},
        {.name = "c/short/new", .case_name = "c", .scenario = "short", .variant = "new"},
    };
    struct pb_pair_record pairs[] = {
        {.case_name = "c", .scenario = "s", .a = "old", .b = "new"},
        {.case_name = "c", .scenario = "s", .a = "old", .b = "floor"}, /* half of it moved away */
        {.case_name = "c", .scenario = "u", .variant = "odd", .a = "base", .b = "head"},
        {.case_name = "c", .scenario = "v", .a = "old", .b = "new"},
    };
    struct pb_run_record run = {
        .benchmarks = benchmarks, .n_benchmarks = 4, .pairs = pairs, .n_pairs = 4};
    pb_aliases_update_run(&aliases, &arena, &run);
    assert_string_equal(benchmarks[0].name, "d/t/slow");
    assert_string_equal(benchmarks[1].name, "d/t/fast");
    assert_string_equal(benchmarks[1].case_name, "d");
    assert_string_equal(benchmarks[1].scenario, "t");
    assert_string_equal(benchmarks[1].variant, "fast");
    assert_string_equal(benchmarks[2].name, "c/s/floor");
    assert_string_equal(benchmarks[3].name, "c/short/new"); /* `short/new` is no name */
    assert_string_equal(pairs[0].case_name, "d");
    assert_string_equal(pairs[0].scenario, "t");
    assert_string_equal(pairs[0].a, "slow");
    assert_string_equal(pairs[0].b, "fast");
    assert_string_equal(pairs[1].case_name, "d");
    assert_string_equal(pairs[1].a, "slow");
    assert_string_equal(pairs[1].b, "floor");
    assert_string_equal(pairs[2].variant, "even");
    assert_string_equal(pairs[2].a, "base");
    assert_string_equal(pairs[2].b, "head");
    assert_string_equal(pairs[3].case_name, "c");
    pb_arena_release(&arena);
}

static void of_the_entries_for_an_old_and_a_present_name_the_latter_stays(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_aliases aliases = parse(HEAD ALIAS("z/s", "b/s") ALIAS("y/s", "b/s"), &arena);
    struct pb_baseline_count counts[] = {{"a/s/new", "bytes", 1},
                                         {"b/s/new", "bytes", 2},
                                         {"y/s/new", "bytes", 3},
                                         {"z/s/new", "bytes", 4},
                                         {"z/s/new", "writes", 5}};
    struct pb_baseline_count instructions[] = {{"c/s/new", PB_BASELINE_INSTRUCTIONS, 6},
                                               {"z/s/new", PB_BASELINE_INSTRUCTIONS, 7}};
    struct pb_baseline_ratio ratios[] = {
        {.case_name = "a", .scenario = "s", .a = "old", .b = "new", .launches = 1},
        {.case_name = "c", .scenario = "s", .a = "old", .b = "new", .launches = 2},
        {.case_name = "y", .scenario = "s", .a = "old", .b = "new", .launches = 3},
        {.case_name = "z", .scenario = "s", .a = "old", .b = "new", .launches = 4},
    };
    struct pb_baseline baseline = {
        .counts = counts,
        .n_counts = LENGTH(counts),
        .ratios = ratios,
        .n_ratios = LENGTH(ratios),
        .instructions = instructions,
        .n_instructions = LENGTH(instructions),
    };
    pb_aliases_update_baseline(&aliases, &arena, &baseline);
    assert_int_equal(baseline.n_counts, 3);
    assert_int_equal(counts[0].value, 1);
    assert_int_equal(counts[1].value, 2);
    assert_string_equal(counts[2].name, "b/s/new");
    assert_int_equal(counts[2].value, 5);
    assert_int_equal(baseline.n_instructions, 2);
    assert_string_equal(instructions[0].name, "b/s/new");
    assert_int_equal(instructions[0].value, 7);
    assert_int_equal(baseline.n_ratios, 3);
    assert_string_equal(ratios[1].case_name, "b"); /* two old names of one: the first */
    assert_int_equal(ratios[1].launches, 3);
    assert_int_equal(ratios[2].launches, 2);
    struct pb_baseline empty = {0};
    pb_aliases_update_baseline(&aliases, &arena, &empty);
    assert_int_equal(empty.n_counts + empty.n_ratios, 0);
    pb_arena_release(&arena);
}

static void history_goes_on_under_the_present_name_in_order_of_time(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_aliases aliases = parse(HEAD ALIAS("z", "b"), &arena);
    struct pb_history_point points[] = {
        {.case_name = "a", .scenario = "s", .a = "old", .b = "new", .started_at = 1, .run_id = "1"},
        {.case_name = "b", .scenario = "s", .a = "old", .b = "new", .started_at = 3, .run_id = "3"},
        {.case_name = "z", .scenario = "s", .a = "old", .b = "new", .started_at = 2, .run_id = "2"},
        {.case_name = "z", .scenario = "s", .a = "old", .b = "new", .started_at = 3, .run_id = "4"},
    };
    pb_aliases_update_history(&aliases, &arena, points, LENGTH(points));
    for (size_t i = 0; i < LENGTH(points); i++) {
        assert_int_equal(points[i].run_id[0], '1' + (int)i);
        assert_string_equal(points[i].case_name, i == 0 ? "a" : "b");
    }
    pb_aliases_update_history(&(struct pb_aliases){0}, &arena, NULL, 0);
    pb_arena_release(&arena);
}

static void without_a_file_nothing_was_renamed(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_aliases aliases = {.n = 77};
    assert_int_equal(pb_aliases_read(scratch->path, &scratch->arena, &aliases, &scratch->err),
                     PB_OK);
    assert_int_equal(aliases.n, 0);
    test_file_write(scratch->path, HEAD ALIAS("a", "b"), strlen(HEAD ALIAS("a", "b")));
    assert_int_equal(pb_aliases_read(scratch->path, &scratch->arena, &aliases, &scratch->err),
                     PB_OK);
    assert_int_equal(aliases.n, 1);
    assert_string_equal(aliases.items[0].new_name, "b");
    assert_int_equal(pb_aliases_read(scratch->folder, &scratch->arena, &aliases, &scratch->err),
                     PB_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_brought_up_to_date_step_by_step_longest_beginning_first),
        cmocka_unit_test(what_is_wrong_is_reported_with_file_and_line),
        cmocka_unit_test(a_date_is_a_day_of_the_calendar),
        cmocka_unit_test(more_aliases_than_the_limit_are_refused),
        cmocka_unit_test(a_run_goes_by_its_present_names),
        cmocka_unit_test(of_the_entries_for_an_old_and_a_present_name_the_latter_stays),
        cmocka_unit_test(history_goes_on_under_the_present_name_in_order_of_time),
        cmocka_unit_test_setup_teardown(without_a_file_nothing_was_renamed, test_scratch_set_up,
                                        test_scratch_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
