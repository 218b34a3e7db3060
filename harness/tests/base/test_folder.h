/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders that a test makes and throws away, what is in them, and a process that is not root.
 */
#ifndef PB_TESTS_TEST_FOLDER_H
#define PB_TESTS_TEST_FOLDER_H

#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

/* What most tests of files need: a folder of their own, and memory until the test ends. */
struct test_scratch {
    struct pb_arena arena;
    char *folder; /* without a '/' at its end     */
    char *path;   /* a file in it, not made yet   */
    struct pb_error err;
};

/* Set-up and tear-down of a cmocka test; *state is a struct test_scratch then. */
int test_scratch_set_up(void **state);
int test_scratch_tear_down(void **state);

/* A path in the folder of a scratch. */
const char *test_scratch_path(struct test_scratch *scratch, const char *name);

/* A new folder that others may enter; in the arena, without a '/' at its end. */
char *test_folder_make(struct pb_arena *arena);

/* Removes a folder and the files in it, of whatever permissions. */
void test_folder_remove(const char *folder);

/* Appends name, permissions, size and a hash of the content of each file, sorted by name. */
void test_folder_state(const char *folder, struct pb_strbuf *text);

/* Appends the content of a file; fails the test. */
void test_file_read(const char *path, struct pb_strbuf *content);

/* Writes a file; fails the test. */
void test_file_write(const char *path, const void *data, size_t n);

/*
 * Runs body in a child process that is not root, and waits for it.
 * body:    returns 0 when all was right, else the number of what was not; it can't fail the test
 * returns: what body returned; -1 when a signal ended it
 */
int test_run_unprivileged(int (*body)(void *context), void *context);

#endif
