/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a suite before and after it got memory of its own.
 */
#include "measure/worker/own_pages.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pairbench.h"

/* What /proc/self/maps says of an address; fails the test when nothing is there. */
static const char *mapping_of(uintptr_t address)
{
    static char line[4096 + 128];
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        unsigned long long from = 0;
        unsigned long long to = 0;
        if (sscanf(line, "%llx-%llx", &from, &to) == 2 && /* NOLINT(cert-err34-c) */
            address >= from && address < to) {
            fclose(maps);
            return line;
        }
    }
    fclose(maps);
    fail_msg("nothing is mapped there");
    return NULL;
}

typedef const struct pb_suite *suite_function(void);

/* Loads a suite. *suite_of: its function */
static void *load(suite_function **suite_of)
{
    void *object = dlopen(PB_TEST_SUITES "/plain.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(object);
    *(void **)suite_of = dlsym(object, "pairbench_suite");
    assert_non_null(*suite_of);
    return object;
}

static void code_lies_in_no_file_and_works(void **state)
{
    (void)state;
    suite_function *suite_of = NULL;
    void *object = load(&suite_of);
    const struct pb_suite *before = suite_of();
    assert_non_null(strstr(mapping_of((uintptr_t)suite_of), "/plain.so"));

    own_pages(object);
    const char *mapping = mapping_of((uintptr_t)suite_of);
    assert_null(strchr(mapping, '/'));
    assert_non_null(strstr(mapping, " r-xp "));
    assert_ptr_equal(suite_of(), before);
    assert_non_null(strstr(mapping_of((uintptr_t)before->cases), "/plain.so"));
    dlclose(object);
}

static void twice_is_as_good_as_once(void **state)
{
    (void)state;
    suite_function *suite_of = NULL;
    void *object = load(&suite_of);
    own_pages(object);
    own_pages(object);
    assert_int_equal(suite_of()->abi, PAIRBENCH_ABI);
    dlclose(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_lies_in_no_file_and_works),
        cmocka_unit_test(twice_is_as_good_as_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
