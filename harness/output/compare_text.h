/* SPDX-License-Identifier: Apache-2.0
 *
 * A comparison as text: what is compared, a table with the worst first, what there is to explain,
 * and a line that sums it up.
 */
#ifndef PB_OUTPUT_COMPARE_TEXT_H
#define PB_OUTPUT_COMPARE_TEXT_H

#include "output/comparison.h"
#include "output/style.h"

/*
 * Appends the text of a comparison. Of many benchmarks those that are unchanged are only counted,
 * with -v also listed; with -q only what calls for action.
 * comparison: sorted
 */
void pb_compare_text_add(struct pb_strbuf *buf, const struct pb_comparison *comparison,
                         const struct pb_style *style);

#endif
