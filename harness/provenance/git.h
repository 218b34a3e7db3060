/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking git: each question is a child process of a few milliseconds.
 *
 * The answer is about the given folder alone: variables like GIT_DIR, which git sets for its hooks,
 * are left out. No hook, monitor or signature checker is started, no lock is taken that git can do
 * without, and the words are those of the C locale, so that they can be compared.
 */
#ifndef PB_PROVENANCE_GIT_H
#define PB_PROVENANCE_GIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

enum { PB_GIT_WORDS_MAX = 24 }; /* of a question */

struct pb_git_answer {
    bool no_git;         /* git is not installed, or can't be run                     */
    bool ok;             /* it exited with 0                                          */
    const char *text;    /* what it printed, at most 8 MiB                            */
    const char *message; /* why not ok: one line, without `fatal: `; "" when ok       */
};

/*
 * Asks something that changes nothing, offline.
 * directory: any folder of the checkout
 * words:     NULL-terminated, at most PB_GIT_WORDS_MAX
 */
struct pb_git_answer pb_git_ask(struct pb_arena *arena, const char *directory,
                                const char *const *words);
#define PB_GIT_ASK(arena, directory, ...)                                                          \
    pb_git_ask((arena), (directory), (const char *const[PB_GIT_WORDS_MAX + 1]){__VA_ARGS__})

/*
 * Has git write files outside of the checkout: may take long, and may fetch what a partial clone
 * left out.
 * index: file to be used instead of the checkout's index, see GIT_INDEX_FILE; NULL = none
 */
struct pb_git_answer pb_git_do(struct pb_arena *arena, const char *directory, const char *index,
                               const char *const *words);
#define PB_GIT_DO(arena, directory, index, ...)                                                    \
    pb_git_do((arena), (directory), (index), (const char *const[PB_GIT_WORDS_MAX + 1]){__VA_ARGS__})

/*
 * The words with which `env` starts a program as if git's own variables had never been set: for
 * builds, which may ask git.
 * n: out, how many
 */
const char *const *pb_git_env(size_t *n);

/* The first line of a text, without what git puts in front of its complaints. */
const char *pb_git_first_line(struct pb_arena *arena, const char *text);

#endif
