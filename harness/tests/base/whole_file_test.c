/* SPDX-License-Identifier: Apache-2.0
 *
 * Files replaced in one step: what is there afterwards, and what is there when it went wrong.
 */
#include "base/whole_file.h"

#include "test_folder.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void check_content(const char *path, const char *expected)
{
    struct pb_strbuf content = {0};
    pb_strbuf_init(&content);
    test_file_read(path, &content);
    assert_string_equal(content.text, expected);
    pb_strbuf_release(&content);
}

/* Nothing is left beside the files that the test knows. */
static void check_number_of_files(struct test_scratch *scratch, size_t expected)
{
    struct pb_strbuf listing = {0};
    pb_strbuf_init(&listing);
    test_folder_state(scratch->folder, &listing);
    size_t lines = 0;
    for (const char *c = listing.text; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    assert_int_equal(lines, expected);
    pb_strbuf_release(&listing);
}

static mode_t mode_of(const char *path)
{
    struct stat state;
    assert_int_equal(stat(path, &state), 0);
    return state.st_mode & 07777;
}

static void a_new_file_gets_the_permissions_that_the_umask_leaves(void **state)
{
    struct test_scratch *scratch = *state;
    const mode_t before = umask(027);
    const char *path = test_scratch_path(scratch, "new");
    assert_int_equal(pb_whole_file_replace(path, "one", 3, &scratch->err), PB_OK);
    umask(before);
    check_content(path, "one");
    assert_int_equal(mode_of(path), 0640);
    check_number_of_files(scratch, 1);
}

static void a_replaced_file_keeps_its_permissions_and_its_links(void **state)
{
    struct test_scratch *scratch = *state;
    const char *path = test_scratch_path(scratch, "file");
    const char *link = test_scratch_path(scratch, "link");
    test_file_write(path, "before", 6);
    assert_int_equal(chmod(path, 0604), 0);
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(pb_whole_file_replace(link, "after", 5, &scratch->err), PB_OK);
    check_content(path, "after");
    assert_int_equal(mode_of(path), 0604);
    struct stat state_of_link;
    assert_int_equal(lstat(link, &state_of_link), 0);
    assert_true(S_ISLNK(state_of_link.st_mode));
    check_number_of_files(scratch, 2);
}

static void an_open_reader_keeps_the_old_content(void **state)
{
    struct test_scratch *scratch = *state;
    const char *path = test_scratch_path(scratch, "file");
    test_file_write(path, "before", 6);
    FILE *reader = fopen(path, "rb");
    assert_non_null(reader);
    assert_int_equal(pb_whole_file_replace(path, "after!", 6, &scratch->err), PB_OK);
    char content[16] = {0};
    assert_int_equal(fread(content, 1, sizeof content, reader), 6);
    assert_string_equal(content, "before");
    fclose(reader);
}

static void what_cannot_be_replaced_is_named_and_left_as_it_is(void **state)
{
    struct test_scratch *scratch = *state;
    assert_int_equal(mkdir(test_scratch_path(scratch, "folder"), 0755), 0);
    assert_int_equal(mkfifo(test_scratch_path(scratch, "fifo"), 0644), 0);
    assert_int_equal(symlink("nowhere", test_scratch_path(scratch, "dangling")), 0);
    test_file_write(test_scratch_path(scratch, "file"), "x", 1);
    static const struct {
        const char *name;
        const char *message;
    } table[] = {
        {"none/file", "its folder does not exist"},
        {"folder", "not a regular file"},
        {"fifo", "not a regular file"},
        {"dangling", "symbolic link to a file that does not exist"},
        {"file/below", "Not a directory"},
    };
    struct pb_strbuf before = {0};
    struct pb_strbuf after = {0};
    test_folder_state(scratch->folder, &before);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *path = test_scratch_path(scratch, table[i].name);
        assert_int_equal(pb_whole_file_replace(path, "y", 1, &scratch->err), PB_ERR_IO);
        assert_non_null(strstr(scratch->err.message, path));
        if (strstr(scratch->err.message, table[i].message) == NULL) {
            fail_msg("'%s' does not say '%s'", scratch->err.message, table[i].message);
        }
    }
    test_folder_state(scratch->folder, &after);
    assert_string_equal(before.text, after.text);
    pb_strbuf_release(&before);
    pb_strbuf_release(&after);
}

static int replace_write_protected(void *context)
{
    struct test_scratch *scratch = context;
    const char *path = test_scratch_path(scratch, "file");
    const enum pb_code code = pb_whole_file_replace(path, "y", 1, &scratch->err);
    return code == PB_ERR_IO && strstr(scratch->err.message, "Permission denied") != NULL ? 0 : 1;
}

static void a_write_protected_file_or_folder_stops_it(void **state)
{
    struct test_scratch *scratch = *state;
    const char *path = test_scratch_path(scratch, "file");
    test_file_write(path, "x", 1);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(scratch->folder, 0777), 0);
    assert_int_equal(test_run_unprivileged(replace_write_protected, scratch), 0);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(scratch->folder, 0555), 0);
    assert_int_equal(test_run_unprivileged(replace_write_protected, scratch), 0);
    check_content(path, "x");
}

/* A limit on the size of files stands in for a full disk. */
static int replace_on_full_disk(void *context)
{
    struct test_scratch *scratch = context;
    static const char data[64 << 10] = {'y'};
    const struct rlimit limit = {16 << 10, 16 << 10};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        return 2;
    }
    const enum pb_code code =
        pb_whole_file_replace(test_scratch_path(scratch, "file"), data, sizeof data, &scratch->err);
    return code == PB_ERR_IO ? 0 : 1;
}

static void a_full_disk_leaves_the_old_content_and_no_temporary_file(void **state)
{
    struct test_scratch *scratch = *state;
    test_file_write(test_scratch_path(scratch, "file"), "before", 6);
    assert_int_equal(chmod(test_scratch_path(scratch, "file"), 0666), 0);
    assert_int_equal(chmod(scratch->folder, 0777), 0);
    assert_int_equal(test_run_unprivileged(replace_on_full_disk, scratch), 0);
    check_content(test_scratch_path(scratch, "file"), "before");
    check_number_of_files(scratch, 1);
}

static void create_makes_a_file_once(void **state)
{
    struct test_scratch *scratch = *state;
    const char *path = test_scratch_path(scratch, "file");
    bool made = false;
    assert_int_equal(pb_whole_file_create(path, "one", 3, &made, &scratch->err), PB_OK);
    assert_true(made);
    assert_int_equal(pb_whole_file_create(path, "two", 3, &made, &scratch->err), PB_OK);
    assert_false(made);
    check_content(path, "one");
    check_number_of_files(scratch, 1);
    assert_int_equal(pb_whole_file_create(test_scratch_path(scratch, "none/file"), "one", 3, &made,
                                          &scratch->err),
                     PB_ERR_IO);
    assert_non_null(strstr(scratch->err.message, "its folder does not exist"));
}

static void a_file_is_read_up_to_its_limit(void **state)
{
    struct test_scratch *scratch = *state;
    static const char data[40000] = {[0] = 'a', [39999] = 'z'};
    const char *path = test_scratch_path(scratch, "file");
    struct pb_strbuf content = {0};
    test_file_write(path, data, sizeof data);
    assert_int_equal(pb_whole_file_read(path, sizeof data, &content, &scratch->err), PB_OK);
    assert_int_equal(content.length, sizeof data);
    assert_memory_equal(content.text, data, sizeof data);
    assert_int_equal(pb_whole_file_read(path, sizeof data - 1, &content, &scratch->err),
                     PB_ERR_LIMIT);
    assert_non_null(strstr(scratch->err.message, "limit of 39999 bytes"));
    assert_int_equal(
        pb_whole_file_read(test_scratch_path(scratch, "none"), 9, &content, &scratch->err),
        PB_ERR_NOT_FOUND);
    assert_int_equal(pb_whole_file_read(scratch->folder, 9, &content, &scratch->err), PB_ERR_IO);
    pb_strbuf_release(&content);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, test_scratch_set_up, test_scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_new_file_gets_the_permissions_that_the_umask_leaves),
        TEST(a_replaced_file_keeps_its_permissions_and_its_links),
        TEST(an_open_reader_keeps_the_old_content),
        TEST(what_cannot_be_replaced_is_named_and_left_as_it_is),
        TEST(a_write_protected_file_or_folder_stops_it),
        TEST(a_full_disk_leaves_the_old_content_and_no_temporary_file),
        TEST(create_makes_a_file_once),
        TEST(a_file_is_read_up_to_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
