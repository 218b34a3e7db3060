/* SPDX-License-Identifier: Apache-2.0
 *
 * Patterns on a small catalog.
 */
#include "measure/selection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pairbench.h"

/*
 * cql/batch: s1, s2 and huge (on request), each old, new, floor; cql/query: s1, each old, new;
 * odd [case]*: one scenario with a newline, old and new.
 */
static struct pb_catalog_variant three[] = {{.name = "old"}, {.name = "new"}, {.name = "floor"}};
static struct pb_catalog_scenario of_batch[] = {
    {.name = "s1"}, {.name = "s2"}, {.name = "huge", .flags = PAIRBENCH_SCENARIO_ON_REQUEST}};
static struct pb_catalog_scenario of_query[] = {{.name = "s1"}};
static struct pb_catalog_scenario of_odd[] = {{.name = "two\nlines"}};
static struct pb_catalog_case cases[] = {
    {.name = "cql/batch",
     .scenarios = of_batch,
     .n_scenarios = 3,
     .variants = three,
     .n_variants = 3},
    {.name = "cql/query",
     .scenarios = of_query,
     .n_scenarios = 1,
     .variants = three,
     .n_variants = 2},
    {.name = "odd [case]*",
     .scenarios = of_odd,
     .n_scenarios = 1,
     .variants = three,
     .n_variants = 2},
};
static const struct pb_catalog catalog = {.cases = cases, .n_cases = 3};

/* What is selected, as initials: `b/s1:onf b/s2:on` for old, new and floor of scenarios. */
static const char *shown(const struct pb_selection *selection, struct pb_arena *arena)
{
    const char *text = "";
    for (size_t c = 0; c < catalog.n_cases; c++) {
        for (size_t s = 0; s < cases[c].n_scenarios; s++) {
            const char *marks = "";
            for (size_t v = 0; v < cases[c].n_variants; v++) {
                if (selection->wanted[c][s][v]) {
                    marks = pb_arena_printf(arena, "%s%c", marks, "onf"[v]);
                }
            }
            if (marks[0] != '\0') {
                text = pb_arena_printf(arena, "%s%s%c%zu:%s", text, text[0] != '\0' ? " " : "",
                                       "bqo"[c], s + 1, marks);
            }
        }
    }
    return text;
}

static void patterns_select_a_union(void **state)
{
    (void)state;
    static const struct {
        const char *patterns[3];
        const char *selected;
        size_t n_scenarios;
    } rows[] = {
        {{NULL}, "b1:onf b2:onf q1:on o1:on", 4}, /* all but what is run on request only */
        {{"*"}, "b1:onf b2:onf b3:onf q1:on o1:on", 5},
        {{"cql/*"}, "b1:onf b2:onf b3:onf q1:on", 4},
        {{"cql/batch"}, "b1:onf b2:onf b3:onf", 3},
        {{"cql/batch/s1"}, "b1:onf", 1},
        {{"cql/batch/huge"}, "b3:onf", 1},
        {{"*/s1/*"}, "b1:onf q1:on", 2}, /* a star crosses slashes */
        {{"*/s1"}, "b1:onf q1:on", 2},
        {{"cql/batch/s1/new"}, "b1:on", 1}, /* old comes along */
        {{"cql/batch/s1/floor"}, "b1:of", 1},
        {{"cql/batch/s1/old"}, "b1:o", 1},
        {{"*/floor"}, "b1:of b2:of b3:of", 3},
        {{"cql/batch/s1/floor", "cql/query"}, "b1:of q1:on", 2},
        {{"cql/batch/s1/floor", "cql/batch/s1/new"}, "b1:onf", 1},
        {{"cql/batch/s?/new"}, "b1:on b2:on", 2},
        {{"cql/batch/s[2-9]"}, "b2:onf", 1},
        {{"cql/batch/s[!2]"}, "b1:onf", 1},
        {{"odd \\[case\\]\\*"}, "o1:on", 1},
        {{"odd \\[case\\]\\*/two\nlines/new"}, "o1:on", 1},
        {{"*lines"}, "o1:on", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_arena arena = {0};
        struct pb_selection selection;
        struct pb_error err;
        size_t n = 0;
        while (n < 3 && rows[i].patterns[n] != NULL) {
            n++;
        }
        assert_int_equal(pb_selection_make(&catalog, rows[i].patterns, n, &arena, &selection, &err),
                         PB_OK);
        assert_string_equal(shown(&selection, &arena), rows[i].selected);
        assert_int_equal(selection.n_scenarios, rows[i].n_scenarios);
        pb_arena_release(&arena);
    }
}

static void a_pattern_that_matches_nothing_is_an_error_with_the_nearest_name(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *shown;
        const char *nearest;
    } rows[] = {
        {"cql/bach", "'cql/bach'", "is cql/batch "},
        {"cql/batch/s3", "'cql/batch/s3'", "is cql/batch/s1 "},
        {"cql/qery/s1", "'cql/qery/s1'", "is cql/query/s1 "},
        {"CQL/*", "'CQL/*'", "nearest name is cql/"},
        {"", "''", "nearest name is cql/"},
        {"odd [case]*", "'odd [case]*'", "is odd [case]* "}, /* a set, not a bracket */
        {"odd [case]x/two\nlines", "two\\nlines'", "is odd [case]*/two\\nlines "},
        {"\x1b[31m", "'\\x1b[31m'", "nearest name is "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_arena arena = {0};
        struct pb_selection selection = {0};
        struct pb_error err;
        const char *patterns[] = {"cql/batch", rows[i].pattern};
        assert_int_equal(pb_selection_make(&catalog, patterns, 2, &arena, &selection, &err),
                         PB_ERR_USAGE);
        assert_non_null(strstr(err.message, rows[i].shown));
        assert_non_null(strstr(err.message, rows[i].nearest));
        assert_null(selection.wanted); /* untouched */
        pb_arena_release(&arena);
    }
}

static void very_long_names_have_a_nearest_one_too(void **state)
{
    (void)state;
    char pattern[5000];
    memset(pattern, 'x', sizeof pattern - 1);
    pattern[sizeof pattern - 1] = '\0';
    const char *patterns[] = {pattern};
    struct pb_arena arena = {0};
    struct pb_selection selection;
    struct pb_error err;
    assert_int_equal(pb_selection_make(&catalog, patterns, 1, &arena, &selection, &err),
                     PB_ERR_USAGE);
    pb_arena_release(&arena);
}

static void an_empty_catalog_has_nothing(void **state)
{
    (void)state;
    const struct pb_catalog empty = {0};
    struct pb_arena arena = {0};
    struct pb_selection selection;
    struct pb_error err;
    assert_int_equal(pb_selection_make(&empty, NULL, 0, &arena, &selection, &err), PB_OK);
    assert_int_equal(selection.n_scenarios, 0);
    const char *patterns[] = {"x"};
    assert_int_equal(pb_selection_make(&empty, patterns, 1, &arena, &selection, &err),
                     PB_ERR_USAGE);
    assert_non_null(strstr(err.message, "none"));
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_select_a_union),
        cmocka_unit_test(a_pattern_that_matches_nothing_is_an_error_with_the_nearest_name),
        cmocka_unit_test(very_long_names_have_a_nearest_one_too),
        cmocka_unit_test(an_empty_catalog_has_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
