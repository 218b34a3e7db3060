/* SPDX-License-Identifier: Apache-2.0
 *
 * A baseline as text. The form of the files is described in README.md of this folder.
 *
 * Lines are sorted and numbers rounded, so that saving a baseline again changes only the lines of
 * what has changed.
 */
#ifndef PB_STORE_BASELINE_FORMAT_H
#define PB_STORE_BASELINE_FORMAT_H

#include "base/strbuf.h"
#include "store/baseline_file.h"
#include "store/baseline_lines.h"

/* Values of "kind". */
#define PB_BASELINE_KIND_COUNTS "counts"
#define PB_BASELINE_KIND_RATIOS "ratios"

/* No ratio of two times that mean anything is larger, or smaller than its inverse. */
#define PB_BASELINE_RATIO_MAX 1e12

/*
 * Appends the file with the counts of *baseline.
 * errors: PB_ERR_USAGE a count below 0, two of one name and metric
 */
enum pb_code pb_baseline_format_counts(const struct pb_baseline *baseline, struct pb_strbuf *text,
                                       struct pb_error *err) PB_MUST_USE;

/*
 * Appends the file with the ratios and instructions of *baseline.
 * errors: PB_ERR_USAGE a pair without a ratio, or twice; instructions below 0, or twice
 */
enum pb_code pb_baseline_format_ratios(const struct pb_baseline *baseline, struct pb_strbuf *text,
                                       struct pb_error *err) PB_MUST_USE;

/* Order of lines: by benchmark, then metric; by case, scenario, a, b. As qsort() wants it. */
int pb_baseline_compare_counts(const void *left, const void *right);
int pb_baseline_compare_ratios(const void *left, const void *right);

#endif
