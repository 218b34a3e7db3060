/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether two shared objects are the same program.
 *
 * Compared is all that is loaded: machine code, constants, tables, relocations. What says only
 * where and when the object was made (notes with a build id, symbols for debuggers, comments) is
 * left out, so that a change of comments, or of the folder that was built in, is none.
 */
#ifndef PB_PROVENANCE_OBJECT_CODE_H
#define PB_PROVENANCE_OBJECT_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * Whether what two ELF files load is byte for byte the same, at the same addresses.
 * returns: false also when one of them can't be read, is no ELF file of this machine's kind, or has
 *          no table of sections: then they must be taken for different
 * source:  System V ABI, chapters 4 and 5
 */
bool pb_object_code_same(const char *path, const char *other_path);

/* Names of the shared objects that one needs: `libc.so.6`. */
struct pb_object_needs {
    const char **names;
    size_t n;
};

/* returns: none also for what is no ELF file of this machine's kind */
struct pb_object_needs pb_object_code_needs(const char *path, struct pb_arena *arena);

/* Whether a file begins as an ELF file does. */
bool pb_object_code_is(const char *path);

#endif
