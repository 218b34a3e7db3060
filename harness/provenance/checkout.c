/* SPDX-License-Identifier: Apache-2.0
 *
 * Five questions to git.
 */
#include "provenance/checkout.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "provenance/fact_list.h"
#include "provenance/git.h"

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
    const struct pb_git_answer head =
        PB_GIT_ASK(arena, directory, "symbolic-ref", "--quiet", "HEAD");
    const char *name = pb_git_first_line(arena, head.text);
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static const char *dirty(struct pb_arena *arena, const char *directory)
{
    const struct pb_git_answer status =
        PB_GIT_ASK(arena, directory, "status", "--porcelain", "--untracked-files=normal",
                   "--ignore-submodules=none");
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
    const struct pb_git_answer log =
        PB_GIT_ASK(arena, directory, "log", "-1", "--no-show-signature", "--no-color",
                   "--encoding=UTF-8", "--format=%H%n%ct%n%s", "HEAD", "--");
    if (!log.ok) {
        return commit;
    }
    const char *text = log.text;
    commit.id = take_line(arena, &text);
    commit.committed_at = iso_time(arena, take_line(arena, &text));
    commit.subject = take_line(arena, &text);
    const struct pb_git_answer describe =
        PB_GIT_ASK(arena, directory, "describe", "--always", "--tags", "--abbrev=12", "HEAD");
    commit.describe = pb_git_first_line(arena, describe.text);
    return commit;
}

/* Which of the states an answer to the first question that is not ok means. */
static const char *state_without(const struct pb_git_answer *answer)
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
    const struct pb_git_answer first =
        PB_GIT_ASK(arena, directory, "rev-parse", "--is-shallow-repository");
    const char *state = first.ok ? "ok" : state_without(&first);
    struct commit commit = {"", "", "", ""};
    const char *branch = "";
    const char *is_dirty = PB_FACT_UNKNOWN;
    const char *shallow = PB_FACT_UNKNOWN;
    if (first.ok) {
        commit = commit_of(arena, directory);
        branch = branch_of(arena, directory);
        is_dirty = dirty(arena, directory);
        shallow = pb_git_first_line(arena, first.text);
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
