/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as people read them: times with a unit that fits, speed-ups, changes in percent.
 *
 * Text, Markdown and pages show the same number the same way because they all ask here. What is
 * not a number is shown as "-", never as nan.
 */
#ifndef PB_OUTPUT_QUANTITY_H
#define PB_OUTPUT_QUANTITY_H

#include <stdint.h>

#include "base/strbuf.h"

/* Appends ns with three significant digits and a unit: `0.812 ns`, `213 ns`, `1.42 µs`, `12.0 ms`,
 * `3.10 s`. */
void pb_quantity_add_time(struct pb_strbuf *buf, double time_ns);

/* Appends seconds of wall time, coarsely: `0.4 s`, `12 s`, `2 min 05 s`, `1 h 03 min`. */
void pb_quantity_add_duration(struct pb_strbuf *buf, double time_s);

/* Appends how many times faster b is than a: `2.14×`, `0.985×`, `12.3×`, `145×`.
 * log_ratio: log(b / a) as in records */
void pb_quantity_add_speedup(struct pb_strbuf *buf, double log_ratio);

/* Appends `[2.12, 2.16]`, the speed-ups of an interval of log(b / a), smaller one first. An end
 * that is not finite makes it `[-, -]`. */
void pb_quantity_add_speedup_interval(struct pb_strbuf *buf, double lo, double hi);

/* Appends a change with its sign: `+1.23 %`, `-46.7 %`, `0.00 %`; `+inf` for a change from zero. */
void pb_quantity_add_change(struct pb_strbuf *buf, double change_pct);

/* Appends a count or any other plain number: integers up to 2^53 exactly, in their
 * plain form (`5384`), others with four significant digits. */
void pb_quantity_add_number(struct pb_strbuf *buf, double value);

/* Appends `2026-01-31T02:00:00Z`. time: seconds since 1970 in UTC */
void pb_quantity_add_timestamp(struct pb_strbuf *buf, int64_t time);

#endif
