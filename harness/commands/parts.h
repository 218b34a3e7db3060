/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the parts of the tool are: the worker, the counting allocator and the suite that comes with
 * it lie beside the program in a build folder, and in libexec and lib when it is installed.
 */
#ifndef PB_COMMANDS_PARTS_H
#define PB_COMMANDS_PARTS_H

#include "base/arena.h"

/*
 * Path of a part.
 * installed: its folder relative to the program's when installed
 * returns:   NULL when it is in neither place
 */
const char *pb_part_find(struct pb_arena *arena, const char *name, const char *installed);

#endif
