/* SPDX-License-Identifier: Apache-2.0
 *
 * Five questions to git, each a child process of a few milliseconds. Options are given for all that
 * a user's configuration could change in the answers.
 */
#include "provenance/checkout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/child.h"
#include "base/strbuf.h"
#include "provenance/fact_list.h"

/* Longer than a large checkout on a cold disk takes. */
static const double deadline_s = 30;

/* No answer that is used is longer than this; what status prints beyond it makes no difference. */
static const size_t answer_limit_bytes = 65536;

/*
 * How git is started. The variables are those that `git rev-parse --local-env-vars` lists, without
 * the ones that hand on configuration, which may be what allows git to read the repository at all.
 * Messages are compared below, hence the C locale; a partial clone must not fetch.
 */
static const char *const git[] = {
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
    "GIT_NO_LAZY_FETCH=1",
    "git",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
};
enum { GIT_WORDS = sizeof git / sizeof git[0], QUESTION_WORDS = 12 };

/* Exit codes of env when a program is not there or can't be run. */
enum { ENV_CANNOT_RUN = 126, ENV_NOT_FOUND = 127 };

struct answer {
    bool no_git;
    bool ok;             /* it exited with 0                   */
    const char *text;    /* what it printed                    */
    const char *message; /* why not ok: one line, "" when ok   */
};

/* First line, without what git puts in front of all of them. */
static const char *first_line(struct pb_arena *arena, const char *text)
{
    static const char prefix[] = "fatal: ";
    if (strncmp(text, prefix, sizeof prefix - 1) == 0) {
        text += sizeof prefix - 1;
    }
    return pb_arena_memdup(arena, text, strcspn(text, "\n"));
}

/* Asks git. question: NULL-terminated, at most QUESTION_WORDS */
static struct answer ask(struct pb_arena *arena, const char *directory, const char *const *question)
{
    const char *argv[GIT_WORDS + 2 + QUESTION_WORDS + 1] = {NULL};
    size_t n = GIT_WORDS;
    memcpy(argv, git, sizeof git);
    argv[n++] = "-C";
    argv[n++] = directory;
    for (size_t i = 0; i < QUESTION_WORDS && question[i] != NULL; i++) {
        argv[n++] = question[i];
    }
    struct pb_strbuf output = {.limit = answer_limit_bytes};
    struct pb_strbuf errors = {.limit = answer_limit_bytes};
    struct pb_child_outcome outcome = {0};
    struct pb_error err = {.code = PB_OK};
    const struct pb_child_spec spec = {
        .argv = argv, .deadline_s = deadline_s, .output = &output, .errors = &errors};
    struct answer answer = {.text = "", .message = ""};
    if (pb_child_run(&spec, &outcome, &err) != PB_OK) {
        answer.no_git = err.code == PB_ERR_NOT_FOUND;
        answer.message = first_line(arena, err.message);
    } else if (outcome.timed_out) {
        answer.message = "git did not answer in time";
    } else {
        answer.no_git = outcome.exit_code == ENV_CANNOT_RUN || outcome.exit_code == ENV_NOT_FOUND;
        answer.ok = outcome.exit_code == 0;
        answer.text = pb_arena_strdup(arena, output.length > 0 ? output.text : "");
        answer.message = answer.ok ? "" : first_line(arena, errors.length > 0 ? errors.text : "");
    }
    pb_strbuf_release(&output);
    pb_strbuf_release(&errors);
    return answer;
}
#define ASK(arena, directory, ...)                                                                 \
    ask((arena), (directory), (const char *const[QUESTION_WORDS + 1]){__VA_ARGS__})

/* Takes one line off the front of *text. */
static const char *take_line(struct pb_arena *arena, const char **text)
{
    const size_t length = strcspn(*text, "\n");
    const char *line = pb_arena_memdup(arena, *text, length);
    *text += length + ((*text)[length] == '\n' ? 1 : 0);
    return line;
}

/* Seconds since 1970, in digits, as ISO 8601. */
static const char *iso_time(struct pb_arena *arena, const char *seconds)
{
    char text[64];
    struct tm broken_down;
    char *end;
    const time_t when = (time_t)strtoll(seconds, &end, 10);
    if (end == seconds || gmtime_r(&when, &broken_down) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &broken_down) == 0) {
        return "";
    }
    return pb_arena_strdup(arena, text);
}

static const char *branch_of(struct pb_arena *arena, const char *directory)
{
    static const char prefix[] = "refs/heads/";
    const struct answer head = ASK(arena, directory, "symbolic-ref", "--quiet", "HEAD");
    const char *name = first_line(arena, head.text);
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static const char *dirty(struct pb_arena *arena, const char *directory)
{
    const struct answer status = ASK(arena, directory, "status", "--porcelain",
                                     "--untracked-files=normal", "--ignore-submodules=none");
    if (!status.ok) {
        return PB_FACT_UNKNOWN;
    }
    return status.text[0] != '\0' ? "true" : "false";
}

/* What is known of the commit that is checked out; everything "" when there is none. */
struct commit {
    const char *id;
    const char *committed_at;
    const char *subject;
    const char *describe;
};

static struct commit commit_of(struct pb_arena *arena, const char *directory)
{
    struct commit commit = {"", "", "", ""};
    const struct answer log =
        ASK(arena, directory, "log", "-1", "--no-show-signature", "--no-color", "--encoding=UTF-8",
            "--format=%H%n%ct%n%s", "HEAD", "--");
    if (!log.ok) {
        return commit;
    }
    const char *text = log.text;
    commit.id = take_line(arena, &text);
    commit.committed_at = iso_time(arena, take_line(arena, &text));
    commit.subject = take_line(arena, &text);
    const struct answer describe =
        ASK(arena, directory, "describe", "--always", "--tags", "--abbrev=12", "HEAD");
    commit.describe = first_line(arena, describe.text);
    return commit;
}

/* Which of the states an answer to the first question that is not ok means. */
static const char *state_without(const struct answer *answer)
{
    static const char none[] = "not a git repository (or any";
    if (answer->no_git) {
        return "no git";
    }
    return strncmp(answer->message, none, sizeof none - 1) == 0 ? "no repository" : "error";
}

struct pb_facts pb_checkout_facts(struct pb_arena *arena, const char *directory)
{
    directory = directory != NULL ? directory : ".";
    const struct answer first = ASK(arena, directory, "rev-parse", "--is-shallow-repository");
    const char *state = first.ok ? "ok" : state_without(&first);
    struct commit commit = {"", "", "", ""};
    const char *branch = "";
    const char *is_dirty = PB_FACT_UNKNOWN;
    const char *shallow = PB_FACT_UNKNOWN;
    if (first.ok) {
        commit = commit_of(arena, directory);
        branch = branch_of(arena, directory);
        is_dirty = dirty(arena, directory);
        shallow = first_line(arena, first.text);
        state = commit.id[0] != '\0' ? "ok" : "no commit";
    }
    struct pb_fact_list list = {.arena = arena};
    pb_fact_list_add(&list, "branch", branch);
    pb_fact_list_add(&list, "committed_at", commit.committed_at);
    pb_fact_list_add(&list, "describe", commit.describe);
    pb_fact_list_add(&list, "dirty", is_dirty);
    pb_fact_list_add(&list, "id", commit.id);
    pb_fact_list_add(&list, "message", first.message);
    pb_fact_list_add(&list, "shallow", shallow);
    pb_fact_list_add(&list, "state", state);
    pb_fact_list_add(&list, "subject", commit.subject);
    return pb_fact_list_sorted(&list);
}
