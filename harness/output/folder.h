/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders for what is written.
 */
#ifndef PB_OUTPUT_FOLDER_H
#define PB_OUTPUT_FOLDER_H

#include "base/error.h"

/*
 * Makes a folder and those above it; one that is there is fine.
 * errors: PB_ERR_IO, PB_ERR_USAGE the empty path
 */
enum pb_code pb_folder_make(const char *path, struct pb_error *err) PB_MUST_USE;

#endif
