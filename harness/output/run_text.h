/* SPDX-License-Identifier: Apache-2.0
 *
 * A run as text: a row per scenario, grouped by case, then what failed and why, then how it was
 * measured.
 */
#ifndef PB_OUTPUT_RUN_TEXT_H
#define PB_OUTPUT_RUN_TEXT_H

#include "base/record.h"
#include "base/strbuf.h"
#include "output/style.h"

/*
 * Appends the text of a run. With -v also the number of repeats, launches, spread and counts; with
 * -q one line a pair that is not fine, and the failures.
 */
void pb_run_text_add(struct pb_strbuf *buf, const struct pb_run_record *run,
                     const struct pb_style *style);

#endif
