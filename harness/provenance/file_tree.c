/* SPDX-License-Identifier: Apache-2.0
 *
 * Files below /proc and /sys have no length before they are read, hence the growing buffer.
 */
#include "provenance/file_tree.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/whole_file.h"

enum { PATH_BYTES = 4096 };
static const size_t limit_bytes = (size_t)16 << 20;

static const char blanks[] = " \t\r\n";

/* Content of the file whose path below the root is in `path`. */
static const char *read_text(const struct pb_file_tree *tree, const char *path)
{
    struct pb_strbuf content = {0};
    const char *full = pb_arena_printf(tree->arena, "%s/%s", tree->root, path);
    const char *text = NULL;
    if (pb_whole_file_read(full, limit_bytes, &content, NULL) == PB_OK && content.length > 0) {
        text = pb_arena_memdup(tree->arena, content.text, content.length);
    }
    pb_strbuf_release(&content);
    return text;
}

/* Makes the path of a format. returns: false when it is too long */
PB_PRINTF(2, 0) static bool make_path(char *path, const char *format, va_list args)
{
    const int n = vsnprintf(path, PATH_BYTES, format, args);
    return n >= 0 && n < PATH_BYTES;
}

const char *pb_file_tree_text(const struct pb_file_tree *tree, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list args;
    va_start(args, format);
    const bool fits = make_path(path, format, args);
    va_end(args);
    return fits ? read_text(tree, path) : NULL;
}

const char *pb_file_tree_line(const struct pb_file_tree *tree, const char *format, ...)
{
    char path[PATH_BYTES];
    va_list args;
    va_start(args, format);
    const bool fits = make_path(path, format, args);
    va_end(args);
    const char *text = fits ? read_text(tree, path) : NULL;
    if (text == NULL) {
        return NULL;
    }
    text += strspn(text, " \t");
    size_t length = strcspn(text, "\n");
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL) {
        length--;
    }
    return length > 0 ? pb_arena_memdup(tree->arena, text, length) : NULL;
}
