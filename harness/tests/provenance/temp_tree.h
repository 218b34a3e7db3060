/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders that a test fills with files and throws away, and facts compared with what is expected.
 */
#ifndef PB_TESTS_TEMP_TREE_H
#define PB_TESTS_TEMP_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/record.h"
#include "provenance/file_tree.h"

#define N_ITEMS(array) (sizeof(array) / sizeof(array)[0])

enum { TEMP_PATH_BYTES = 4096 };

/* A file below the root of a tree; content NULL ends a list of them. */
struct temp_file {
    const char *path;
    const char *content;
};

/* A new empty folder, in the arena. */
static inline char *temp_tree_new(struct pb_arena *arena)
{
    mkdir(PB_TEST_BUILD, 0777);
    char *folder = pb_arena_strdup(arena, PB_TEST_BUILD "/provenance.XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

/* Writes a file and makes the root and the folders that it is in. */
static inline void temp_tree_write(const char *root, const char *path, const char *content)
{
    char full[TEMP_PATH_BYTES];
    assert_true(snprintf(full, sizeof full, "%s/%s", root, path) < (int)sizeof full);
    for (char *slash = strchr(full + strlen(root), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0777);
        *slash = '/';
    }
    FILE *file = fopen(full, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, strlen(content), file), strlen(content));
    assert_int_equal(fclose(file), 0);
}

/* Writes files up to the one without content. */
static inline void temp_tree_fill(const char *root, const struct temp_file *files)
{
    for (; files->content != NULL; files++) {
        temp_tree_write(root, files->path, files->content);
    }
}

static inline int temp_tree_remove_one(const char *path, const struct stat *status, int kind,
                                       struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static inline void temp_tree_remove(const char *root)
{
    enum { DESCRIPTORS = 16 };
    assert_int_equal(nftw(root, temp_tree_remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS), 0);
}

/* Fails unless a fact has this value, and says both. */
static inline void assert_fact(const struct pb_facts *facts, const char *key, const char *expected)
{
    const char *value = pb_facts_get(facts, key);
    if (value == NULL || strcmp(value, expected) != 0) {
        print_error("%s is %s, not %s\n", key, value != NULL ? value : "missing", expected);
    }
    assert_non_null(value);
    assert_string_equal(value, expected);
}

/* Fails unless the facts are sorted and their keys are these, joined by blanks. */
static inline void assert_keys(const struct pb_facts *facts, const char *expected)
{
    char keys[TEMP_PATH_BYTES] = "";
    size_t length = 0;
    for (size_t i = 0; i < facts->n; i++) {
        length += (size_t)snprintf(keys + length, sizeof keys - length, "%s%s", i > 0 ? " " : "",
                                   facts->items[i].key);
        assert_true(length < sizeof keys);
        assert_true(i == 0 || strcmp(facts->items[i - 1].key, facts->items[i].key) < 0);
    }
    assert_string_equal(keys, expected);
}

#endif
