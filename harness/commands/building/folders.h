/* SPDX-License-Identifier: Apache-2.0
 *
 * The folders of the cache of builds, and who may do what in them.
 *
 * `builds` has the objects of commits, put there in one step when a build is complete; `trees` has
 * the build folders of working trees; `work` has what is being built or was left by a killed
 * process; `logs` has what failed builds printed. Who holds the lock of a name, in `locks`, may do
 * with what has that name in the other folders as he likes. `copies` has objects for one process
 * alone, in folders that are their own locks.
 */
#ifndef PB_COMMANDS_BUILDING_FOLDERS_H
#define PB_COMMANDS_BUILDING_FOLDERS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

struct pb_build_folders {
    const char *cache; /* absolute */
    struct pb_arena *arena;
};

/*
 * Makes the folders that are missing, and clears away what killed processes left.
 * errors: PB_ERR_IO, PB_ERR_USAGE
 */
enum pb_code pb_build_open_folders(const struct pb_build_folders *folders,
                                   struct pb_error *err) PB_MUST_USE;

/* Path of a name in one of the folders. */
const char *pb_build_place_of(const struct pb_build_folders *folders, const char *folder,
                              const char *name);

/* What pb_build_try_lock() returns instead of a descriptor. */
enum { PB_LOCK_BUSY = -1, PB_LOCK_REFUSED = -2 };

/* Takes the lock of a name if nobody holds it; close() gives it back. errno: why it was refused */
int pb_build_try_lock(const struct pb_build_folders *folders, const char *name);

/* The worktree of a name in `work`; its own name is what git lists while it is there. */
const char *pb_build_worktree_in(const struct pb_build_folders *folders, const char *name);

/* Removes what has a name in `work`, the worktree properly. */
void pb_build_remove_work(const struct pb_build_folders *folders, const char *name);

/* A folder for this process alone; a zeroed struct is none. */
struct pb_build_copy {
    const char *folder;
    int fd; /* holds its lock */
};

/* errors: PB_ERR_IO */
enum pb_code pb_build_make_copy(const struct pb_build_folders *folders, struct pb_build_copy *copy,
                                struct pb_error *err) PB_MUST_USE;
void pb_build_remove_copy(struct pb_build_copy *copy);

/* The objects of a suite, the production build STEM.so and its layouts. */
struct pb_build_objects {
    const char *folder;
    const char *stem;
};

/*
 * Moves or copies the objects of a suite into another folder of the same file system.
 * errors: PB_ERR_IO, PB_ERR_LIMIT
 */
enum pb_code pb_build_take_objects(const struct pb_build_objects *objects, const char *to,
                                   bool moves, struct pb_arena *arena,
                                   struct pb_error *err) PB_MUST_USE;

/* Copies one file. errors: PB_ERR_IO, PB_ERR_LIMIT */
enum pb_code pb_build_copy_object(const char *from, const char *to,
                                  struct pb_error *err) PB_MUST_USE;

/* The folder below `top` that has a file of this name; NULL when none has. */
const char *pb_build_find_file(const char *top, const char *name, struct pb_arena *arena);

/* Appends the last 16 KiB of a log, from the beginning of a line. */
void pb_build_read_log_end(const char *path, struct pb_strbuf *end);

/* The last 30 lines of a log. */
const char *pb_build_last_lines(const char *path, struct pb_arena *arena);

#endif
