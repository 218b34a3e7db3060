/* SPDX-License-Identifier: Apache-2.0
 *
 * How baselines differ from each other, or from a run.
 */
#ifndef PB_OUTPUT_BASELINE_DIFF_TEXT_H
#define PB_OUTPUT_BASELINE_DIFF_TEXT_H

#include "base/strbuf.h"
#include "output/finding.h"
#include "output/style.h"

/* Two files, or a folder and a run. */
struct pb_baseline_difference {
    const char *a;                /* path; NULL when there is only b */
    const char *b;                /* path, or `run ID`; NULL when there is only a */
    struct pb_check_record check; /* b held against a */
};

struct pb_baseline_diff {
    struct pb_baseline_difference *items;
    size_t n;
};

/* Appends what differs, one table a pair of files; with -v also what doesn't. */
void pb_baseline_diff_text_add(struct pb_strbuf *buf, const struct pb_baseline_diff *diff,
                               const struct pb_style *style);

#endif
