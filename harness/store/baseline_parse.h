/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a file of counts or ratios read back.
 */
#ifndef PB_STORE_BASELINE_PARSE_H
#define PB_STORE_BASELINE_PARSE_H

#include "store/baseline_file.h"
#include "store/baseline_lines.h"

/*
 * Adds what a file says to *baseline; what it holds is sorted then. On failure *baseline
 * is as it was.
 * name:   of the file, for messages
 * text:   n bytes, zero-terminated
 * errors: PB_ERR_FORMAT, with file and line; PB_ERR_LIMIT, with the limit
 */
enum pb_code pb_baseline_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                               struct pb_baseline *baseline, struct pb_error *err) PB_MUST_USE;

#endif
