/* SPDX-License-Identifier: Apache-2.0
 *
 * Small files of a tree laid out like /: the real one, or one that a test made up.
 *
 * A file that can't be read is no error here, it is a fact that can't be known.
 */
#ifndef PB_PROVENANCE_FILE_TREE_H
#define PB_PROVENANCE_FILE_TREE_H

#include "base/arena.h"
#include "base/error.h"

struct pb_file_tree {
    struct pb_arena *arena;
    const char *root; /* "" for / */
};

/*
 * The whole content of a file.
 * format:  its path below the root without a '/' in front, printf-style
 * returns: NULL when it can't be read, is empty, or is longer than 16 MiB (/proc/cpuinfo of 4096
 *          processors is 6 MiB)
 */
const char *pb_file_tree_text(const struct pb_file_tree *tree, const char *format, ...)
    PB_PRINTF(2, 3);

/* The first line of a file without blanks around it; NULL as above, and when it is blank. */
const char *pb_file_tree_line(const struct pb_file_tree *tree, const char *format, ...)
    PB_PRINTF(2, 3);

#endif
