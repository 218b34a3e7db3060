/* SPDX-License-Identifier: Apache-2.0
 *
 * A check as text: what was found, worst first, and one line that sums it up.
 */
#ifndef PB_OUTPUT_CHECK_TEXT_H
#define PB_OUTPUT_CHECK_TEXT_H

#include "base/strbuf.h"
#include "output/finding.h"
#include "output/style.h"

/*
 * Appends the text of a check. Findings that are unchanged are only counted, with -v also listed;
 * with -q only those that are worth acting on.
 * check: its findings may be in any order
 */
void pb_check_text_add(struct pb_strbuf *buf, const struct pb_check_record *check,
                       const struct pb_style *style);

#endif
