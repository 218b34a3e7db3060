/* SPDX-License-Identifier: Apache-2.0
 *
 * Repositories that a test makes and throws away. They do not depend on the user's configuration.
 */
#ifndef PB_TESTS_TEMP_REPOSITORY_H
#define PB_TESTS_TEMP_REPOSITORY_H

#include "base/child.h"
#include "temp_tree.h"

enum { WORDS_MAX = 16 };

/* Runs a program to its end; what it prints is thrown away unless it fails. */
static inline void run(const char *const *argv)
{
    struct pb_strbuf errors = {0};
    struct pb_child_outcome outcome = {.exit_code = -1};
    struct pb_error err;
    const struct pb_child_spec spec = {.argv = argv, .deadline_s = 60, .errors = &errors};
    if (pb_child_run(&spec, &outcome, &err) != PB_OK) {
        print_error("%s\n", err.message);
        fail();
    }
    if (outcome.exit_code != 0) {
        print_error("%s: %s", argv[0], errors.length > 0 ? errors.text : "failed\n");
        fail();
    }
    pb_strbuf_release(&errors);
}

static inline void run_git(const char *folder, const char *const *words)
{
    const char *argv[WORDS_MAX + 1] = {"git", "-C", folder};
    size_t n = 3;
    for (size_t i = 0; n < WORDS_MAX && words[i] != NULL; i++) {
        argv[n++] = words[i];
    }
    run(argv);
}
#define GIT(folder, ...) run_git((folder), (const char *const[]){__VA_ARGS__, NULL})

/* Takes away what would lead git elsewhere, those included that a test set. */
static inline void temp_repository_environment(void)
{
    static const char *const variables[] = {
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_CONFIG_COUNT",
        "GIT_COMMITTER_DATE",
        "GIT_AUTHOR_DATE",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER",
    };
    for (size_t i = 0; i < N_ITEMS(variables); i++) {
        unsetenv(variables[i]);
    }
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    setenv("GIT_TEMPLATE_DIR", "", 1); /* no examples of hooks to copy and remove */
}

/* Makes a repository in a folder, with branch main and without a commit. */
static inline void temp_repository_init(const char *path)
{
    GIT(path, "init", "--quiet", "--initial-branch=main");
    GIT(path, "config", "user.name", "Test");
    GIT(path, "config", "user.email", "test@example.org");
    GIT(path, "config", "maintenance.auto", "false");
}

#endif
