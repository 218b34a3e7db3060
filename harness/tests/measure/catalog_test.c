/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of suites that are right, and every way of being wrong.
 */
#include "measure/catalog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pairbench.h"

#define SUITE(name) PB_TEST_SUITES "/" name ".so"

static enum pb_code load(const char *const *paths, size_t n, struct pb_arena *arena,
                         struct pb_catalog *catalog, struct pb_error *err)
{
    return pb_catalog_load(PB_TEST_WORKER, paths, n, arena, catalog, err);
}

static void a_table_is_read_as_it_is(void **state)
{
    (void)state;
    const char *const paths[] = {SUITE("plain")};
    struct pb_arena arena = {0};
    struct pb_catalog catalog;
    struct pb_error err;
    assert_int_equal(load(paths, 1, &arena, &catalog, &err), PB_OK);
    assert_int_equal(catalog.n_suites, 1);
    assert_string_equal(catalog.suites[0].name, "plain");
    assert_string_equal(catalog.suites[0].compiler, PAIRBENCH_COMPILER);
    assert_int_equal(catalog.suites[0].path[0], '/');
    assert_int_equal(catalog.n_cases, 1);
    const struct pb_catalog_case *its_case = &catalog.cases[0];
    assert_string_equal(its_case->name, "plain/write");
    assert_string_equal(its_case->summary, "Writes eight words");
    assert_string_equal(its_case->source, "made up for tests");
    assert_int_equal(its_case->n_scenarios, 3);
    assert_string_equal(its_case->scenarios[0].name, "brief");
    assert_string_equal(its_case->scenarios[0].summary, "one message");
    assert_int_equal(its_case->scenarios[0].golden_bytes, 64);
    assert_int_equal(its_case->scenarios[1].golden_bytes, 0);
    assert_int_equal(its_case->scenarios[2].flags, PAIRBENCH_SCENARIO_ON_REQUEST);
    assert_int_equal(its_case->n_variants, 3);
    assert_string_equal(its_case->variants[2].name, "floor");
    assert_int_equal(its_case->variants[2].flags, PAIRBENCH_VARIANT_BOUND);
    pb_arena_release(&arena);
}

static void cases_of_all_suites_are_sorted_by_name(void **state)
{
    (void)state;
    const char *const paths[] = {SUITE("plain"), SUITE("names"), SUITE("hostile")};
    struct pb_arena arena = {0};
    struct pb_catalog catalog;
    struct pb_error err;
    assert_int_equal(load(paths, 3, &arena, &catalog, &err), PB_OK);
    assert_int_equal(catalog.n_suites, 3);
    assert_int_equal(catalog.n_cases, 1 + 4 + 2);
    for (size_t i = 1; i < catalog.n_cases; i++) {
        assert_true(strcmp(catalog.cases[i - 1].name, catalog.cases[i].name) < 0);
    }
    assert_string_equal(catalog.suites[catalog.cases[catalog.n_cases - 1].suite].name, "plain");
    pb_arena_release(&arena);
}

/* Loads a suite that must be refused with all of some texts in the message. */
static void check_refused(const char *const *paths, size_t n, const char *first, const char *second)
{
    struct pb_arena arena = {0};
    struct pb_catalog catalog = {0};
    struct pb_error err = {0};
    assert_int_equal(load(paths, n, &arena, &catalog, &err), PB_ERR_SUITE);
    if (strstr(err.message, first) == NULL || strstr(err.message, second) == NULL) {
        fail_msg("\"%s\" and \"%s\" are wanted in: %s", first, second, err.message);
    }
    assert_null(catalog.suites);
    pb_arena_release(&arena);
}

static void what_is_no_suite_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *first;
        const char *second;
    } rows[] = {
        {"/no/such/suite.so", "/no/such/suite.so", "No such file"},
        {SUITE("no_suite"), "no_suite.so", "no function pairbench_suite()"},
        {"/dev/null", "/dev/null", "can't load it"},
        {"/", "suite /: ", "can't load it"},
        {"/etc/passwd", "/etc/passwd", "can't load it"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_refused(&rows[i].path, 1, rows[i].first, rows[i].second);
    }
}

static void a_broken_table_is_refused_with_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *how;
        const char *first;
        const char *second;
    } rows[] = {
        {"null_table", "no suite", ""},
        {"abi", "ABI 99", "wants ABI 1"},
        {"no_suite_name", "has no name", "suite"},
        {"no_cases", "is empty", "table of cases"},
        {"null_cases", "is empty", "table of cases"},
        {"null_case", "is NULL", "case"},
        {"many_cases", "absurdly large", "table of cases"},
        {"no_case_name", "has no name", "case"},
        {"no_scenarios", "is empty", "scenario table of c "},
        {"no_variants", "1 to 12", "variant table of c "},
        {"many_variants", "1 to 12", "variant table of c "},
        {"slash_in_scenario", "'/'", "scenario of c "},
        {"long_name", "more than 1000 bytes", "scenario of c "},
        {"first_is_not_old", "is not named `old`", "of c "},
        {"no_variant_name", "has no name", "variant of c "},
        {"slash_in_variant", "'/'", "variant of c "},
        {"no_run", "no open or no run", "variant of c "},
        {"no_open", "no open or no run", "variant of c "},
        {"no_output", "no output and is no bound", "variant of c "},
        {"variant_twice", "two benchmarks are named c/s/old", "broken_table.so"},
        {"escapes_in_name", "c\\x1b[31m", "1 to 12"},
    };
    static const char *const path = SUITE("broken_table");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        setenv("PB_TEST_BROKEN", rows[i].how, 1);
        check_refused(&path, 1, rows[i].first, rows[i].second);
    }
    unsetenv("PB_TEST_BROKEN");
    struct pb_arena arena = {0};
    struct pb_catalog catalog;
    struct pb_error err;
    assert_int_equal(load(&path, 1, &arena, &catalog, &err), PB_OK); /* all else is right */
    pb_arena_release(&arena);
}

static void a_suite_that_misbehaves_while_it_is_loaded_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *variable;
        const char *how;
        const char *first;
        const char *second;
    } rows[] = {
        {"PB_TEST_LOAD", "abort", "died of signal 6", "while the suite was loaded"},
        {"PB_TEST_LOAD", "exit", "exited with code 0", "while the suite was loaded"},
        {"PB_TEST_LOAD", "print", "wrote to stdout", "hello"},
        /* A sanitizer exits where the kernel would have sent a signal. */
        {"PB_TEST_BROKEN", "wild_pointer", "broken_table.so", "while the suite was loaded"},
    };
    static const char *const path = SUITE("broken_table");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        setenv(rows[i].variable, rows[i].how, 1);
        check_refused(&path, 1, rows[i].first, rows[i].second);
        unsetenv(rows[i].variable);
    }
}

static void two_benchmarks_of_one_name_are_named_with_their_places(void **state)
{
    (void)state;
    const char *const one[] = {SUITE("duplicate")};
    check_refused(one, 1, "two benchmarks are named duplicate/twice/", "duplicate.so");
    const char *const twice[] = {SUITE("plain"), SUITE("plain")};
    check_refused(twice, 2, "two benchmarks are named plain/write/", "plain.so");
}

/* Copies a suite to another name. */
static void copy(const char *from, const char *to)
{
    FILE *in = fopen(from, "rbe");
    FILE *out = fopen(to, "wbe");
    assert_non_null(in);
    assert_non_null(out);
    char chunk[16384];
    size_t n = 0;
    while ((n = fread(chunk, 1, sizeof chunk, in)) > 0) {
        assert_int_equal(fwrite(chunk, 1, n, out), n);
    }
    assert_int_equal(fclose(out), 0);
    fclose(in);
}

static void layouts_beside_a_suite_are_found_and_compared(void **state)
{
    (void)state;
    char folder[] = "/tmp/pairbench-catalog-XXXXXX";
    assert_non_null(mkdtemp(folder));
    struct pb_arena arena = {0};
    const char *path = pb_arena_printf(&arena, "%s/suite.so", folder);
    const char *first = pb_arena_printf(&arena, "%s/suite.layout1.so", folder);
    const char *third = pb_arena_printf(&arena, "%s/suite.layout3.so", folder);
    copy(SUITE("plain"), path);
    copy(SUITE("plain"), first);
    copy(SUITE("plain"), third); /* behind a gap: not looked for */
    struct pb_catalog catalog;
    struct pb_error err;
    assert_int_equal(load(&path, 1, &arena, &catalog, &err), PB_OK);
    assert_int_equal(catalog.suites[0].n_layouts, 2);
    assert_string_equal(catalog.suites[0].layouts[0], catalog.suites[0].path);
    assert_non_null(strstr(catalog.suites[0].layouts[1], "/suite.layout1.so"));
    copy(SUITE("hostile"), first);
    check_refused(&path, 1, "suite.layout1.so", "its table is not that of");
    unlink(path);
    unlink(first);
    unlink(third);
    rmdir(folder);
    pb_arena_release(&arena);
}

static void a_worker_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    const char *const paths[] = {SUITE("plain")};
    struct pb_arena arena = {0};
    struct pb_catalog catalog;
    struct pb_error err;
    assert_int_equal(pb_catalog_load("/no/such/worker", paths, 1, &arena, &catalog, &err),
                     PB_ERR_CHILD);
    assert_non_null(strstr(err.message, "/no/such/worker"));
    pb_arena_release(&arena);
}

static void too_many_suites_are_refused(void **state)
{
    (void)state;
    const char *paths[PB_SUITES_MAX + 1];
    for (size_t i = 0; i <= PB_SUITES_MAX; i++) {
        paths[i] = SUITE("plain");
    }
    struct pb_arena arena = {0};
    struct pb_catalog catalog;
    struct pb_error err;
    assert_int_equal(load(paths, PB_SUITES_MAX + 1, &arena, &catalog, &err), PB_ERR_LIMIT);
    assert_non_null(strstr(err.message, "64"));
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_read_as_it_is),
        cmocka_unit_test(cases_of_all_suites_are_sorted_by_name),
        cmocka_unit_test(what_is_no_suite_is_refused),
        cmocka_unit_test(a_broken_table_is_refused_with_what_is_wrong),
        cmocka_unit_test(a_suite_that_misbehaves_while_it_is_loaded_is_an_error),
        cmocka_unit_test(two_benchmarks_of_one_name_are_named_with_their_places),
        cmocka_unit_test(layouts_beside_a_suite_are_found_and_compared),
        cmocka_unit_test(a_worker_that_is_not_there_is_an_error),
        cmocka_unit_test(too_many_suites_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
