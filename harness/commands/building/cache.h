/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds of revisions, kept: a commit is built once for each compiler and its flags.
 *
 * A commit is built in a worktree of its own, which is removed again with everything but the
 * suite's objects. The user's working tree is built outside of it, in a folder that stays, so that
 * the next time only what changed is compiled. Several processes may use one cache; each build is
 * done by one of them, and whoever is killed leaves nothing that the next one does not clear away.
 */
#ifndef PB_COMMANDS_BUILDING_CACHE_H
#define PB_COMMANDS_BUILDING_CACHE_H

#include "commands/building/folders.h"
#include "commands/building/recipe.h"
#include "commands/command.h"
#include "provenance/revision.h"

/*
 * The usual folder: $XDG_CACHE_HOME/pairbench, else ~/.cache/pairbench.
 * errors: PB_ERR_USAGE there is no home
 */
enum pb_code pb_build_cache_folder(struct pb_arena *arena, const char **folder,
                                   struct pb_error *err) PB_MUST_USE;

/* What is to be built. */
struct pb_build_wish {
    const struct pb_repository *repository;
    const struct pb_revision *revision; /* NULL = the working tree as it is        */
    const char *side;                   /* `base`, `head`: what messages call it   */
};

struct pb_build {
    const char *suite; /* path of the production object, layouts beside it; NULL = there is none */
    bool was_cached;
    const char *problem;       /* why there is none, one line; NULL when another one's was first */
    const char *last_lines;    /* what the build printed last; NULL when it was not reached      */
    struct pb_build_copy copy; /* what was copied for this process alone */
};

/*
 * Builds all wishes at once. The first that can't be built stops the others.
 * builds: out, one for each wish; to be released
 * errors: PB_ERR_IO, PB_ERR_USAGE the cache can't be written; PB_ERR_INTERRUPTED. A revision that
 *         does not build is no error.
 */
enum pb_code pb_build_all(const struct pb_context *context,
                          const struct pb_build_settings *settings,
                          const struct pb_build_wish *wishes, size_t n, struct pb_build *builds,
                          struct pb_error *err) PB_MUST_USE;

/*
 * Copies a suite with its layouts, for this process alone: a file that is named twice is loaded
 * only once.
 * path:   of the suite's object
 * build:  out; to be released
 * errors: PB_ERR_IO, PB_ERR_USAGE
 */
enum pb_code pb_build_copy_suite(const struct pb_context *context,
                                 const struct pb_build_settings *settings, const char *path,
                                 struct pb_build *build, struct pb_error *err) PB_MUST_USE;

/* Removes what was copied for this process alone; accepts zeroed builds. */
void pb_build_release(struct pb_build *builds, size_t n);

#endif
