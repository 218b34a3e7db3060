/* SPDX-License-Identifier: Apache-2.0
 *
 * Small files read and written whole.
 *
 * Writing goes through a temporary file in the same folder that is flushed to disk and then put in
 * place in one step, so that another process, or a power cut, sees the old file or the new one and
 * never a part. A temporary file is removed again when anything fails.
 */
#ifndef PB_BASE_WHOLE_FILE_H
#define PB_BASE_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/strbuf.h"

/*
 * Appends the content of a file.
 * limit_bytes: longest file that is accepted
 * errors:      PB_ERR_NOT_FOUND no such file; PB_ERR_LIMIT too long; PB_ERR_IO
 */
enum pb_code pb_whole_file_read(const char *path, size_t limit_bytes, struct pb_strbuf *content,
                                struct pb_error *err) PB_MUST_USE;

/*
 * Replaces the file at path, or makes it. A symbolic link keeps pointing at its file, which is what
 * is replaced; an existing file keeps its permissions and, where that is allowed, its owner.
 * errors: PB_ERR_IO: no such folder, not a regular file, write-protected, no space …
 */
enum pb_code pb_whole_file_replace(const char *path, const void *data, size_t n,
                                   struct pb_error *err) PB_MUST_USE;

/*
 * Makes the file at path unless there is something of that name.
 * *made:  whether it was made
 * errors: PB_ERR_IO
 */
enum pb_code pb_whole_file_create(const char *path, const void *data, size_t n, bool *made,
                                  struct pb_error *err) PB_MUST_USE;

#endif
