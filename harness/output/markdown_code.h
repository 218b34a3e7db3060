/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and messages of other people in Markdown.
 */
#ifndef PB_OUTPUT_MARKDOWN_CODE_H
#define PB_OUTPUT_MARKDOWN_CODE_H

#include "base/strbuf.h"

/* Appends a text as code, harmless and shortened to what a table can hold; nothing when empty. */
void pb_markdown_add_code(struct pb_strbuf *buf, const char *text);

#endif
