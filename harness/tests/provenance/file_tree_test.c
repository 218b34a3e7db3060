/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are there, are not there, or are not what they should be.
 */
#include "provenance/file_tree.h"

#include "temp_tree.h"

static struct pb_arena arena;
static struct pb_file_tree tree;

static int make_tree(void **state)
{
    (void)state;
    static const struct temp_file files[] = {
        {"sys/one", "1\n"},
        {"sys/blanks", " \t two words \r\n"},
        {"sys/lines", "first\nsecond\n"},
        {"sys/no_newline", "end"},
        {"sys/empty", ""},
        {"sys/newline", "\nnot here\n"},
        {"sys/cpu7/value", "seven\n"},
        {NULL, NULL},
    };
    tree = (struct pb_file_tree){.arena = &arena, .root = temp_tree_new(&arena)};
    temp_tree_fill(tree.root, files);
    return 0;
}

static int remove_tree(void **state)
{
    (void)state;
    temp_tree_remove(tree.root);
    pb_arena_release(&arena);
    return 0;
}

static void the_first_line_comes_without_blanks_around_it(void **state)
{
    (void)state;
    assert_string_equal(pb_file_tree_line(&tree, "sys/one"), "1");
    assert_string_equal(pb_file_tree_line(&tree, "sys/blanks"), "two words");
    assert_string_equal(pb_file_tree_line(&tree, "sys/lines"), "first");
    assert_string_equal(pb_file_tree_line(&tree, "sys/no_newline"), "end");
    assert_string_equal(pb_file_tree_line(&tree, "sys/cpu%d/%s", 7, "value"), "seven");
}

static void the_text_is_the_whole_file(void **state)
{
    (void)state;
    assert_string_equal(pb_file_tree_text(&tree, "sys/lines"), "first\nsecond\n");
    assert_string_equal(pb_file_tree_text(&tree, "sys/newline"), "\nnot here\n");
    assert_string_equal(pb_file_tree_text(&tree, "sys/cpu%d/value", 7), "seven\n");
}

static void what_cannot_be_read_is_null(void **state)
{
    (void)state;
    assert_null(pb_file_tree_text(&tree, "sys/none"));
    assert_null(pb_file_tree_line(&tree, "sys/none"));
    assert_null(pb_file_tree_text(&tree, "sys/empty"));
    assert_null(pb_file_tree_line(&tree, "sys/empty"));
    assert_null(pb_file_tree_line(&tree, "sys/newline"));
    assert_null(pb_file_tree_text(&tree, "sys"));
    assert_null(pb_file_tree_text(&tree, "sys/one/below_a_file"));
    assert_null(pb_file_tree_text(&tree, "%05000d", 1)); /* a path longer than any */
}

static void the_empty_root_is_the_real_one(void **state)
{
    (void)state;
    const struct pb_file_tree real = {.arena = &arena, .root = ""};
    assert_non_null(pb_file_tree_text(&real, "proc/self/status"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_comes_without_blanks_around_it),
        cmocka_unit_test(the_text_is_the_whole_file),
        cmocka_unit_test(what_cannot_be_read_is_null),
        cmocka_unit_test(the_empty_root_is_the_real_one),
    };
    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
