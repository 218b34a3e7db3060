/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a baseline file read back. What comes from a file is not trusted: every size has a
 * limit, and every message begins with FILE:LINE.
 *
 * Keys that are not known are passed over, so that a later pairbench can add some; another schema
 * is refused.
 */
#ifndef PB_STORE_BASELINE_PARSE_H
#define PB_STORE_BASELINE_PARSE_H

#include "store/baseline_file.h"

enum {
    PB_BASELINE_BYTES_MAX = 16 << 20,
    PB_BASELINE_LINES_MAX = 20000,
    PB_BASELINE_LINE_BYTES_MAX = 64 << 10,
    PB_BASELINE_DEPTH_MAX = 8,
};

/*
 * Adds what a file says to *baseline; its counts and ratios are sorted then. On failure *baseline
 * is as it was.
 * name:   of the file, for messages
 * text:   n bytes, zero-terminated
 * errors: PB_ERR_FORMAT, with file and line; PB_ERR_LIMIT, with the limit
 */
enum pb_code pb_baseline_parse(const char *name, const char *text, size_t n, struct pb_arena *arena,
                               struct pb_baseline *baseline, struct pb_error *err) PB_MUST_USE;

#endif
