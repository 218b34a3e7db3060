/* SPDX-License-Identifier: Apache-2.0
 *
 * Relative to /proc/self/exe, so that an installation can be moved.
 */
#include "commands/parts.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *pb_part_find(struct pb_arena *arena, const char *name, const char *installed)
{
    char program[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0) {
        return NULL;
    }
    program[n] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL) {
        return NULL;
    }
    *slash = '\0';
    const char *places[] = {
        pb_arena_printf(arena, "%s/%s", program, name),
        pb_arena_printf(arena, "%s/%s/%s", program, installed, name),
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (access(places[i], R_OK) == 0) {
            return places[i];
        }
    }
    return NULL;
}
