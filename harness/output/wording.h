/* SPDX-License-Identifier: Apache-2.0
 *
 * The same words for the same thing in text, Markdown, charts and pages.
 *
 * Names are appended as they are: whoever shows the words escapes them.
 */
#ifndef PB_OUTPUT_WORDING_H
#define PB_OUTPUT_WORDING_H

#include "base/record.h"
#include "base/strbuf.h"
#include "output/finding.h"
#include "output/table.h"

/*
 * Appends a benchmark's best time, or the word for why it has none: `1.42 µs`, `failed`, `skipped`,
 * `too fast`.
 * benchmark: NULL appends nothing
 * returns:   how to colour it
 */
enum pb_tone pb_wording_time(struct pb_strbuf *buf, const struct pb_benchmark_record *benchmark);

/* Appends `bytes 5384, writes 1 (varies), instructions 4711`. */
void pb_wording_counts(struct pb_strbuf *buf, const struct pb_benchmark_record *benchmark);

/* Appends `cql/value/small: new against old`, of two builds `cql/value/small/new: head against
 * base`. */
void pb_wording_pair(struct pb_strbuf *buf, const struct pb_pair_record *pair);

/* Appends a run in one line: the summary of its check, without one that of its verdicts. */
void pb_wording_headline(struct pb_strbuf *buf, const struct pb_run_record *run,
                         const struct pb_check_record *check);

/* Appends what was planned: `19 scenarios, up to 96 launches each`, `1 scenario, 16 launches each
 * (quick)`. */
void pb_wording_plan(struct pb_strbuf *buf, const struct pb_run_record *run, size_t n_scenarios);

/* Appends how long it took and how much of that was timed: `74 s, 70 % of it timed`. */
void pb_wording_wall_time(struct pb_strbuf *buf, const struct pb_run_record *run);

#endif
