/* SPDX-License-Identifier: Apache-2.0
 *
 * The builds that a self-test measures against each other: all of them are the same code.
 *
 * Copies lie in a folder of their own, which is removed at the end.
 */
#ifndef PB_COMMANDS_SELFTEST_BUILDS_H
#define PB_COMMANDS_SELFTEST_BUILDS_H

#include "commands/command.h"
#include "commands/selftest/cells.h"
#include "measure/catalog.h"
#include "stats/random.h"

enum { PB_NULL_KINDS = PB_NULL_COMMENT + 1 }; /* that lie on the disk, one build beside the other */

struct pb_selftest_builds {
    struct pb_catalog base[PB_NULL_KINDS]; /* per enum pb_null_kind */
    struct pb_catalog head[PB_NULL_KINDS];
    char *folder;       /* of the copies; NULL = not made */
    const char **paths; /* files and folders in it, in the order in which they were made */
    size_t n_paths;
    size_t capacity;
};

/*
 * Makes the builds of the workloads and of the suites of the context; with a comment more there are
 * workloads only.
 * errors: PB_ERR_IO a part of pairbench is missing, or a copy can't be made; PB_ERR_SUITE a copy
 *         can't be loaded. pb_selftest_builds_remove() is needed all the same.
 */
enum pb_code pb_selftest_builds_make(const struct pb_context *context,
                                     struct pb_selftest_builds *builds,
                                     struct pb_error *err) PB_MUST_USE;

/*
 * Deals the layouts of every suite out at random, so that no layout is on both sides: *base and
 * *head, in the arena. A suite with a single layout is dealt against its copy.
 */
void pb_selftest_builds_deal(const struct pb_selftest_builds *builds, struct pb_random *random,
                             struct pb_arena *arena, struct pb_catalog *base,
                             struct pb_catalog *head);

/* Removes the copies; accepts a zeroed struct. */
void pb_selftest_builds_remove(struct pb_selftest_builds *builds);

#endif
