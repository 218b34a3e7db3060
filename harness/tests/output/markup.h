/* SPDX-License-Identifier: Apache-2.0
 *
 * A strict reader of HTML and SVG as XML, enough to tell that text stayed text.
 */
#ifndef PB_TESTS_OUTPUT_MARKUP_H
#define PB_TESTS_OUTPUT_MARKUP_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Whether text is well-formed: elements nest, attributes are quoted, references are known or
 * numeric, there is no control character and no `]]>`; and whether it can do nothing: no script
 * element, no attribute that begins with `on`, no `javascript:` or foreign address in an attribute.
 * why: appended: what is wrong, and where
 */
bool markup_is_inert(const char *text, struct pb_strbuf *why);

#endif
