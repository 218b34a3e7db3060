/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders made level by level.
 */
#include "output/folder.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

static bool is_folder(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

static void all_levels_are_made_and_twice_is_fine(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const char *root = sample_directory(&arena, "folder");
    const char *path = pb_arena_printf(&arena, "%s/a//b/c d/", root);
    struct pb_error err;
    assert_int_equal(pb_folder_make(path, &err), PB_OK);
    assert_true(is_folder(path));
    assert_int_equal(pb_folder_make(path, &err), PB_OK);
    assert_int_equal(pb_folder_make("/", &err), PB_OK);
    assert_int_equal(pb_folder_make(".", &err), PB_OK);
    pb_arena_release(&arena);
}

static void a_file_in_the_way_is_named(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const char *root = sample_directory(&arena, "folder");
    const char *file = pb_arena_printf(&arena, "%s/file", root);
    fclose(fopen(file, "w"));
    struct pb_error err;
    assert_int_equal(pb_folder_make(file, &err), PB_ERR_IO);
    assert_non_null(strstr(err.message, file));
    const char *below = pb_arena_printf(&arena, "%s/x", file);
    assert_int_equal(pb_folder_make(below, &err), PB_ERR_IO);
    assert_int_equal(pb_folder_make("", &err), PB_ERR_USAGE);
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_levels_are_made_and_twice_is_fine),
        cmocka_unit_test(a_file_in_the_way_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
