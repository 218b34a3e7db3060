/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines and keys of builds, without running any.
 */
#include "commands/building/recipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "provenance/fact_list.h"

static const struct pb_build_settings usual = {
    .cache = "/cache", .target = "suite", .source = "", .layouts = 9};
static const struct pb_build_place place = {.source = "/a/source", .binary = "/a/binary"};

static bool has(const char *const *argv, const char *word)
{
    for (; *argv != NULL; argv++) {
        if (strcmp(*argv, word) == 0) {
            return true;
        }
    }
    return false;
}

/* The word that begins like this; NULL when there is none. */
static const char *find(const char *const *argv, const char *start)
{
    for (; *argv != NULL; argv++) {
        if (strncmp(*argv, start, strlen(start)) == 0) {
            return *argv;
        }
    }
    return NULL;
}

static void a_release_without_tests_is_configured(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    static const char *const arguments[] = {"-DX=a b", "-GUnix Makefiles"};
    struct pb_build_settings settings = usual;
    settings.cmake_arguments = arguments;
    settings.n_cmake_arguments = 2;
    setenv("CFLAGS", "-march=native", 1);
    const char *const *argv = pb_build_configure_argv(&settings, &place, &arena);
    unsetenv("CFLAGS");
    assert_string_equal(argv[0], "env");
    assert_true(has(argv, "-uGIT_DIR"));
    assert_true(has(argv, "/a/source") && has(argv, "/a/binary"));
    assert_true(has(argv, "-DCMAKE_BUILD_TYPE=Release"));
    assert_true(has(argv, "-DBUILD_SHARED_LIBS=OFF"));
    assert_true(has(argv, "-DPAIRBENCH_TESTS=OFF"));
    assert_true(has(argv, "-DPAIRBENCH_LAYOUTS=9"));
    assert_true(has(argv, "-DX=a b") && has(argv, "-GUnix Makefiles"));
    assert_string_equal(find(argv, "CFLAGS="),
                        "CFLAGS=-march=native -falign-functions=64 -falign-loops=64 "
                        "-fno-semantic-interposition -ffile-prefix-map=/a/binary=. "
                        "-ffile-prefix-map=/a/source=.");
    pb_arena_release(&arena);
}

static void a_path_that_would_break_a_flag_is_not_mapped(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    static const char *const sources[] = {"/with a blank", "/with'quote", "/with$dollar", "/a\\b"};
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        const struct pb_build_place odd = {.source = sources[i], .binary = "/a/binary"};
        const char *const *argv = pb_build_configure_argv(&usual, &odd, &arena);
        assert_null(strstr(find(argv, "CFLAGS="), "prefix-map"));
        assert_true(has(argv, sources[i]));
    }
    pb_arena_release(&arena);
}

static enum pb_code argv_of(const struct pb_build_settings *settings, const char *targets,
                            unsigned n_jobs, struct pb_arena *arena, const char *const **argv,
                            struct pb_error *err)
{
    const struct pb_build_configured configured = {place, targets, n_jobs};
    return pb_build_make_argv(settings, &configured, arena, argv, err);
}

static void the_layouts_that_there_are_and_are_wanted_are_built(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_error err;
    const char *const *argv = NULL;
    static const char ninja[] = "suite: phony\nsuite.layout1: phony\nsuite.layout2.so: phony\n"
                                "other.layout3: phony\nsuite.layout12: phony\nall: phony\n";
    assert_int_equal(argv_of(&usual, ninja, 3, &arena, &argv, &err), PB_OK);
    assert_true(has(argv, "suite") && has(argv, "suite.layout1") && has(argv, "3"));
    assert_false(has(argv, "suite.layout2") || has(argv, "suite.layout3"));
    assert_false(has(argv, "suite.layout12")); /* more than is wanted */
    static const char make[] = "The following are some of the valid targets for this Makefile:\n"
                               "... all (the default if no target is provided)\n... suite\n"
                               "... suite.layout1\n... suite.layout2\n";
    assert_int_equal(argv_of(&usual, make, 1, &arena, &argv, &err), PB_OK);
    assert_true(has(argv, "suite.layout1") && has(argv, "suite.layout2"));
    struct pb_build_settings plain = usual;
    plain.layouts = 1;
    assert_int_equal(argv_of(&plain, make, 1, &arena, &argv, &err), PB_OK);
    assert_false(has(argv, "suite.layout1"));
    pb_arena_release(&arena);
}

static void a_target_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_error err;
    const char *const *argv = NULL;
    static const char *const lists[] = {"", "suites: phony\n", "a.suite: phony\n",
                                        "suite.layout1: phony\n"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        assert_int_equal(argv_of(&usual, lists[i], 1, &arena, &argv, &err), PB_ERR_USAGE);
        assert_non_null(strstr(err.message, "'suite'"));
        assert_non_null(strstr(err.message, "--target"));
    }
    pb_arena_release(&arena);
}

static uint64_t key_of(const struct pb_build_settings *settings, struct pb_arena *arena)
{
    const struct pb_facts facts = pb_build_facts(settings, arena);
    return pb_facts_hash(&facts);
}

static void whatever_changes_a_build_changes_its_key(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    static const char *const one[] = {"-DX=1"};
    static const char *const two[] = {"-DX=2"};
    const uint64_t key = key_of(&usual, &arena);
    assert_true(key_of(&usual, &arena) == key);
    struct pb_build_settings other[6];
    for (size_t i = 0; i < 6; i++) {
        other[i] = usual;
    }
    other[0].target = "another";
    other[1].source = "below";
    other[2].layouts = 5;
    other[3].cmake_arguments = one;
    other[3].n_cmake_arguments = 1;
    other[4].cmake_arguments = two;
    other[4].n_cmake_arguments = 1;
    uint64_t keys[6] = {key};
    for (size_t i = 0; i < 5; i++) {
        keys[i + 1] = key_of(&other[i], &arena);
        for (size_t k = 0; k <= i; k++) {
            assert_true(keys[k] != keys[i + 1]);
        }
    }
    other[5].cache = "/elsewhere"; /* this does not */
    assert_true(key_of(&other[5], &arena) == key);
    static const char *const variables[] = {"CFLAGS", "CXXFLAGS", "LDFLAGS", "CC", "CXX"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *before = getenv(variables[i]);
        setenv(variables[i], "something else", 1);
        assert_true(key_of(&usual, &arena) != key);
        if (before == NULL) {
            unsetenv(variables[i]);
        }
    }
    pb_arena_release(&arena);
}

static void progress_is_read_off_the_log(void **state)
{
    (void)state;
    static const struct {
        const char *log;
        unsigned done;
        unsigned total;
    } rows[] = {
        {"", 7, 8},
        {"[1/40] Building C object a\n[2/40] Building C object b", 2, 40},
        {"[  5%] Building C object a\n[ 25%] Built target x\n", 25, 100},
        {"[3/40] x\nwarning: [9/3] is no progress\n[x/y]\n[99/3] nor is this\n", 3, 40},
        {"-- Configuring done\n", 7, 8},
        {"[200%] never\n", 7, 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned done = 7;
        unsigned total = 8;
        pb_build_progress(rows[i].log, &done, &total);
        assert_int_equal(done, rows[i].done);
        assert_int_equal(total, rows[i].total);
    }
}

static void objects_are_named_after_the_target(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    assert_string_equal(pb_build_object_name("suite", 0, &arena), "suite.so");
    assert_string_equal(pb_build_object_name("suite", 3, &arena), "suite.layout3.so");
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_release_without_tests_is_configured),
        cmocka_unit_test(a_path_that_would_break_a_flag_is_not_mapped),
        cmocka_unit_test(the_layouts_that_there_are_and_are_wanted_are_built),
        cmocka_unit_test(a_target_that_is_not_there_is_named),
        cmocka_unit_test(whatever_changes_a_build_changes_its_key),
        cmocka_unit_test(progress_is_read_off_the_log),
        cmocka_unit_test(objects_are_named_after_the_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
