/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder is readable for everybody, so that a test can look at it as somebody else.
 */
#include "test_folder.h"

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>

#include <dirent.h>
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int test_scratch_set_up(void **state)
{
    struct test_scratch *scratch = calloc(1, sizeof *scratch);
    if (scratch == NULL) {
        return -1;
    }
    scratch->folder = test_folder_make(&scratch->arena);
    scratch->path = pb_arena_printf(&scratch->arena, "%s/file", scratch->folder);
    *state = scratch;
    return 0;
}

int test_scratch_tear_down(void **state)
{
    struct test_scratch *scratch = *state;
    test_folder_remove(scratch->folder);
    pb_arena_release(&scratch->arena);
    free(scratch);
    return 0;
}

const char *test_scratch_path(struct test_scratch *scratch, const char *name)
{
    return pb_arena_printf(&scratch->arena, "%s/%s", scratch->folder, name);
}

char *test_folder_make(struct pb_arena *arena)
{
    const char *base = getenv("TMPDIR");
    char *folder = pb_arena_printf(arena, "%s/pairbench-test-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(folder) == NULL || chmod(folder, 0755) != 0) {
        fail_msg("cannot make %s", folder);
    }
    return folder;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Names in a folder, sorted. */
static char **list_folder(struct pb_arena *arena, const char *folder, size_t *n)
{
    char **names = NULL;
    size_t used = 0;
    size_t capacity = 0;
    DIR *opened = opendir(folder);
    if (opened == NULL) {
        fail_msg("cannot list %s", folder);
    }
    for (struct dirent *entry = readdir(opened); entry != NULL; entry = readdir(opened)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            names = pb_arena_grow(arena, names, used, &capacity, sizeof *names);
            names[used++] = pb_arena_strdup(arena, entry->d_name);
        }
    }
    closedir(opened);
    if (used > 0) {
        qsort(names, used, sizeof *names, by_name);
    }
    *n = used;
    return names;
}

void test_folder_remove(const char *folder)
{
    struct pb_arena arena = {0};
    size_t n = 0;
    chmod(folder, 0755);
    char **names = list_folder(&arena, folder, &n);
    for (size_t i = 0; i < n; i++) {
        const char *path = pb_arena_printf(&arena, "%s/%s", folder, names[i]);
        struct stat state;
        if (lstat(path, &state) == 0 && S_ISDIR(state.st_mode)) {
            test_folder_remove(path);
        } else {
            unlink(path);
        }
    }
    rmdir(folder);
    pb_arena_release(&arena);
}

void test_folder_state(const char *folder, struct pb_strbuf *text)
{
    struct pb_arena arena = {0};
    size_t n = 0;
    char **names = list_folder(&arena, folder, &n);
    for (size_t i = 0; i < n; i++) {
        const char *path = pb_arena_printf(&arena, "%s/%s", folder, names[i]);
        struct stat state;
        struct pb_strbuf content = {0};
        assert_int_equal(lstat(path, &state), 0);
        if (S_ISREG(state.st_mode)) {
            test_file_read(path, &content);
        }
        uint64_t hash = 0;
        for (size_t k = 0; k < content.length; k++) {
            hash = hash * 31 + (unsigned char)content.text[k];
        }
        pb_strbuf_addf(text, "%s %o %zu %llx\n", names[i], state.st_mode, content.length,
                       (unsigned long long)hash);
        pb_strbuf_release(&content);
    }
    pb_arena_release(&arena);
}

void test_file_read(const char *path, struct pb_strbuf *content)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("cannot read %s", path);
    }
    char piece[4096];
    size_t n = 0;
    while ((n = fread(piece, 1, sizeof piece, file)) > 0) {
        pb_strbuf_add(content, piece, n);
    }
    fclose(file);
}

void test_file_write(const char *path, const void *data, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, n, file) != n || fclose(file) != 0) {
        fail_msg("cannot write %s", path);
    }
}

int test_run_unprivileged(int (*body)(void *context), void *context)
{
    enum { NOBODY = 65534 };
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
                               setresuid(NOBODY, NOBODY, NOBODY) != 0)) {
            _exit(99);
        }
        _exit(body(context));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
