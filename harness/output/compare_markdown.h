/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as Markdown, for the comment of a pull request: what calls for action in front, all
 * of it in a table that is folded up.
 */
#ifndef PB_OUTPUT_COMPARE_MARKDOWN_H
#define PB_OUTPUT_COMPARE_MARKDOWN_H

#include "output/comparison.h"

/*
 * Appends fewer than limit_bytes bytes of Markdown. What does not fit is cut from the end, the
 * worst stays, and the rest is counted.
 * comparison:  sorted
 * limit_bytes: at least 4096; 0 = PB_MARKDOWN_LIMIT_BYTES
 */
void pb_compare_markdown_add(struct pb_strbuf *buf, const struct pb_comparison *comparison,
                             size_t limit_bytes);

#endif
