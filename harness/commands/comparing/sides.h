/* SPDX-License-Identifier: Apache-2.0
 *
 * The two sides of a comparison: from what the user named to suites that are built and read.
 */
#ifndef PB_COMMANDS_COMPARING_SIDES_H
#define PB_COMMANDS_COMPARING_SIDES_H

#include "commands/building/cache.h"
#include "measure/catalog.h"
#include "output/comparison.h"

struct pb_side {
    struct pb_compared_side shown;
    const char *label;           /* `base`, `head`            */
    struct pb_revision revision; /* of a commit               */
    struct pb_build build;       /* of a commit or a tree     */
    struct pb_catalog catalog;
};

struct pb_sides {
    struct pb_repository repository; /* directory NULL = not looked for yet */
    struct pb_build_settings settings;
    struct pb_side sides[2]; /* base, head */
};

/* Options of every command that compares revisions, for its table. */
/* clang-format off */
#define PB_SIDES_OPTIONS                                                                           \
    {"layouts", "N", "shuffled layouts per side and stage, 0 to 7 (default 4)", false},            \
    {"target", "NAME", "CMake target of the suite (default pairbench-cases)", false},              \
    {"source", "DIR", "folder of the CMake project in the checkout (default: its top)", false},    \
    {"cmake", "ARG", "one more argument for configuring, such as -DX=Y", true},                    \
    {"cache", "DIR", "where builds are kept (default: ~/.cache/pairbench)", false}
/* clang-format on */

/*
 * Reads those options. layouts: out, shuffled ones per stage
 * errors: PB_ERR_USAGE
 */
enum pb_code pb_sides_parse(const struct pb_args *args, struct pb_arena *arena,
                            struct pb_sides *sides, uint32_t *layouts,
                            struct pb_error *err) PB_MUST_USE;

/* Finds the repository of the current folder, once. errors: as pb_repository_find() */
enum pb_code pb_sides_need_repository(const struct pb_context *context, struct pb_sides *sides,
                                      struct pb_error *err) PB_MUST_USE;

/*
 * Says what a side is: an ELF file of that name, else a revision; NULL is the working tree.
 * errors: PB_ERR_NOT_FOUND no such revision; as pb_repository_find()
 */
enum pb_code pb_side_name(const struct pb_context *context, struct pb_sides *sides, unsigned which,
                          const char *operand, struct pb_error *err) PB_MUST_USE;

/* Makes a side a commit. */
void pb_side_set_commit(struct pb_sides *sides, unsigned which, const char *name,
                        const struct pb_revision *revision);

/*
 * Builds what is to be built, both sides at once, and reads the tables of the suites.
 * errors: PB_ERR_CHILD one does not build, or its suite can't be loaded; PB_ERR_INCOMPATIBLE it has
 *         another ABI, and the message says what can be compared; PB_ERR_INTERRUPTED; PB_ERR_IO
 * what a failed build printed last goes to stderr, unless quiet
 */
enum pb_code pb_sides_open(const struct pb_context *context, struct pb_sides *sides, bool quiet,
                           struct pb_error *err) PB_MUST_USE;

/*
 * Gives head objects of its own when both sides are one file.
 * errors: PB_ERR_IO, PB_ERR_USAGE there is no cache folder; as pb_catalog_load()
 */
enum pb_code pb_sides_separate(const struct pb_context *context, struct pb_sides *sides,
                               struct pb_error *err) PB_MUST_USE;

/* Throws away what was copied for this process; the sides may then be named and opened again. */
void pb_sides_release(struct pb_sides *sides);

#endif
