/* SPDX-License-Identifier: Apache-2.0
 *
 * Revisions of a repository: which commit a name means, how two of them are related, and their
 * files in a folder of their own.
 *
 * The user's working tree, index, stash, branches and hooks are never touched. While a worktree of
 * ours exists, git lists it; it is gone when it is removed again.
 */
#ifndef PB_PROVENANCE_REVISION_H
#define PB_PROVENANCE_REVISION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

struct pb_repository {
    const char *directory; /* where git is asked: the top of the working tree, or the folder of a
                              bare repository                                                    */
    bool bare;             /* there is no working tree     */
    bool shallow;          /* history was cut off          */
};

/*
 * Finds the repository that a folder lies in.
 * directory: NULL = the current one
 * errors:    PB_ERR_NOT_FOUND git is not installed, or there is no repository; PB_ERR_IO git
 * refuses to read it
 */
enum pb_code pb_repository_find(const char *directory, struct pb_arena *arena,
                                struct pb_repository *repository, struct pb_error *err) PB_MUST_USE;

struct pb_revision {
    const char *id;      /* 40 or 64 hex digits             */
    const char *subject; /* first line of the message       */
};

/* Digits of an id that are shown. */
enum { PB_REVISION_SHOWN = 12 };

/*
 * Finds the commit that a name means: a branch, a tag, HEAD~3, the beginning of an id.
 * errors: PB_ERR_NOT_FOUND no such commit here; the message says when a shallow clone is to blame
 */
enum pb_code pb_revision_resolve(const struct pb_repository *repository, const char *name,
                                 struct pb_arena *arena, struct pb_revision *revision,
                                 struct pb_error *err) PB_MUST_USE;

/*
 * The best common ancestor of two commits.
 * errors: PB_ERR_NOT_FOUND they have none, or a shallow clone does not reach it
 */
enum pb_code pb_revision_merge_base(const struct pb_repository *repository, const char *id,
                                    const char *other_id, struct pb_arena *arena,
                                    struct pb_revision *base, struct pb_error *err) PB_MUST_USE;

/* Whether a commit is, or is an ancestor of, another. */
bool pb_revision_is_ancestor(const struct pb_repository *repository, const char *id,
                             const char *of_id);

/* How many commits lie behind one that another does not have: `git rev-list --count FROM..TO`.
 * returns: -1 when git can't tell */
long pb_revision_distance(const struct pb_repository *repository, const char *from_id,
                          const char *to_id);

/* A line of commits, the oldest first. */
struct pb_revision_line {
    struct pb_revision *items;
    size_t n;
};

/*
 * The commits from `good`, left out, to `bad` along first parents, which is how a branch grew: a
 * branch that was merged is one step.
 * errors: PB_ERR_USAGE good is no ancestor of bad; PB_ERR_IO
 */
enum pb_code pb_revision_list(const struct pb_repository *repository, const char *good_id,
                              const char *bad_id, struct pb_arena *arena,
                              struct pb_revision_line *line, struct pb_error *err) PB_MUST_USE;

/* How many parents a commit has; -1 when git can't tell. */
int pb_revision_n_parents(const struct pb_repository *repository, const char *id);

/* Lines of a commit's files. */
struct pb_revision_lines {
    const char *pattern; /* an extended regular expression                        */
    const char *files;   /* a pathspec of git from the top: `*pairbench.h`        */
};

/*
 * Commits that changed such lines, the newest first.
 * id:      of the newest that is looked at
 * returns: an empty line when there are none or git can't tell
 */
struct pb_revision_line pb_revision_changes(const struct pb_repository *repository, const char *id,
                                            const struct pb_revision_lines *lines,
                                            struct pb_arena *arena);

/* The first such line of a commit; NULL when there is none. */
const char *pb_revision_find_line(const struct pb_repository *repository, const char *id,
                                  const struct pb_revision_lines *lines, struct pb_arena *arena);

/*
 * Puts the files of a commit into a new folder, as a detached worktree. Submodules come from the
 * user's own checkouts of them, never from the network; one that is not checked out, or does not
 * have the commit, stays empty.
 * path:    absolute; its parent must exist
 * missing: out, names of the submodules that stay empty, joined by `, `; NULL = none
 * errors:  PB_ERR_IO; nothing is left behind
 */
enum pb_code pb_worktree_add(const struct pb_repository *repository, const char *id,
                             const char *path, struct pb_arena *arena, const char **missing,
                             struct pb_error *err) PB_MUST_USE;

/* Removes a worktree with everything in it; one that is not there is fine. */
void pb_worktree_remove(const char *path);

#endif
