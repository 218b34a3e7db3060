/* SPDX-License-Identifier: Apache-2.0
 *
 * Started through `env`, so that this process's own environment stays as it is. Options are given
 * for all that a user's configuration could change in the answers.
 */
#include "provenance/git.h"

#include <string.h>

#include "base/child.h"
#include "base/strbuf.h"

/* Longer than a large checkout on a cold disk takes to answer; and to be written. */
static const double question_deadline_s = 30;
static const double work_deadline_s = 3600;

/* No answer that is used is longer: the ids of 200,000 commits. */
static const size_t answer_limit_bytes = (size_t)8 << 20;

/*
 * The variables are those that `git rev-parse --local-env-vars` lists, without the ones that hand
 * on configuration, which may be what allows git to read the repository at all.
 */
static const char *const env[] = {
    "env",
    "-uGIT_ALTERNATE_OBJECT_DIRECTORIES",
    "-uGIT_COMMON_DIR",
    "-uGIT_CONFIG",
    "-uGIT_DIR",
    "-uGIT_GRAFT_FILE",
    "-uGIT_IMPLICIT_WORK_TREE",
    "-uGIT_INDEX_FILE",
    "-uGIT_INTERNAL_SUPER_PREFIX",
    "-uGIT_NO_REPLACE_OBJECTS",
    "-uGIT_OBJECT_DIRECTORY",
    "-uGIT_PREFIX",
    "-uGIT_REPLACE_REF_BASE",
    "-uGIT_SHALLOW_FILE",
    "-uGIT_WORK_TREE",
    "LC_ALL=C",
    "GIT_TERMINAL_PROMPT=0",
};
enum { ENV_WORDS = sizeof env / sizeof env[0] };

static const char *const git[] = {
    "git", "--no-optional-locks",      "-c", "core.fsmonitor=false",
    "-c",  "core.hooksPath=/dev/null", "-c", "gc.auto=0",
};
enum { GIT_WORDS = sizeof git / sizeof git[0] };

/* Exit codes of env when a program is not there or can't be run. */
enum { ENV_CANNOT_RUN = 126, ENV_NOT_FOUND = 127 };

const char *const *pb_git_env(size_t *n)
{
    *n = ENV_WORDS;
    return env;
}

const char *pb_git_first_line(struct pb_arena *arena, const char *text)
{
    static const char prefix[] = "fatal: ";
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) {
        text += sizeof prefix - 1;
    }
    return pb_arena_memdup(arena, text, strcspn(text, "\n"));
}

static struct pb_git_answer run(struct pb_arena *arena, const char *const *argv, double deadline_s)
{
    struct pb_strbuf output = {.limit = answer_limit_bytes};
    struct pb_strbuf errors = {.limit = answer_limit_bytes};
    struct pb_child_outcome outcome = {0};
    struct pb_error err = {.code = PB_OK};
    const struct pb_child_spec spec = {
        .argv = argv, .deadline_s = deadline_s, .output = &output, .errors = &errors};
    struct pb_git_answer answer = {.text = "", .message = ""};
    if (pb_child_run(&spec, &outcome, &err) != PB_OK) {
        answer.no_git = err.code == PB_ERR_NOT_FOUND;
        answer.message = pb_git_first_line(arena, err.message);
    } else if (outcome.timed_out) {
        answer.message = "git did not answer in time";
    } else {
        answer.no_git = outcome.exit_code == ENV_CANNOT_RUN || outcome.exit_code == ENV_NOT_FOUND;
        answer.ok = outcome.exit_code == 0;
        answer.text = pb_arena_strdup(arena, output.length > 0 ? output.text : "");
        answer.message =
            answer.ok ? "" : pb_git_first_line(arena, errors.length > 0 ? errors.text : "");
    }
    pb_strbuf_release(&output);
    pb_strbuf_release(&errors);
    return answer;
}

/* setting: one more variable for env, or NULL */
static struct pb_git_answer start(struct pb_arena *arena, const char *directory,
                                  const char *setting, const char *const *words, double deadline_s)
{
    const char *argv[ENV_WORDS + 1 + GIT_WORDS + 2 + PB_GIT_WORDS_MAX + 1] = {NULL};
    size_t n = ENV_WORDS;
    memcpy(argv, env, sizeof env);
    if (setting != NULL) {
        argv[n++] = setting;
    }
    memcpy(argv + n, git, sizeof git);
    n += GIT_WORDS;
    argv[n++] = "-C";
    argv[n++] = directory;
    for (size_t i = 0; i < PB_GIT_WORDS_MAX && words[i] != NULL; i++) {
        argv[n++] = words[i];
    }
    return run(arena, argv, deadline_s);
}

struct pb_git_answer pb_git_ask(struct pb_arena *arena, const char *directory,
                                const char *const *words)
{
    return start(arena, directory, "GIT_NO_LAZY_FETCH=1", words, question_deadline_s);
}

struct pb_git_answer pb_git_do(struct pb_arena *arena, const char *directory, const char *index,
                               const char *const *words)
{
    const char *setting = index != NULL ? pb_arena_printf(arena, "GIT_INDEX_FILE=%s", index) : NULL;
    return start(arena, directory, setting, words, work_deadline_s);
}
