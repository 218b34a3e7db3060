/* SPDX-License-Identifier: Apache-2.0
 *
 * What a chart shows, as a table of tab-separated values and the numbers that its script needs.
 *
 * Names are escaped as everywhere (base/text.h), so that each is one cell of one line, with a ∖
 * (U+2216) for every backslash, because gnuplot takes escapes out of texts, some of them twice. In
 * the same form come a double quote, which gnuplot would pair up over cells, and what it would copy
 * into an SVG that XML does not allow. Ordinary names stay as they are.
 */
#ifndef PB_OUTPUT_CHART_DATA_H
#define PB_OUTPUT_CHART_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "output/charts.h"
#include "output/run_view.h"

enum {
    PB_CHART_ROWS_MAX = 250,  /* scenarios in a picture; all of them are in the data */
    PB_CHART_SERIES_MAX = 10, /* variants                                            */
    PB_CHART_RUNS_MAX = 400,  /* of history, the latest                              */
    PB_CHART_ARGUMENTS_MAX = 6,
};

struct pb_chart_data {
    struct pb_strbuf table;
    const char *arguments[PB_CHART_ARGUMENTS_MAX]; /* of the script, from ARG3 on */
    size_t n_arguments;
    bool empty; /* there is not a single point to draw */
};

/* The speed-up of every variant of a case over old. false: the case has no pairs, nothing is made
 */
bool pb_chart_data_speedup(const struct pb_view_case *shown, struct pb_arena *arena,
                           struct pb_chart_data *data);

/* The time of every variant of a case. */
void pb_chart_data_time(const struct pb_view_case *shown, struct pb_arena *arena,
                        struct pb_chart_data *data);

/* Speed-up of b against a in every scenario of a case, run by run. false: history has no such
 * pair, nothing is made */
bool pb_chart_data_history(const struct pb_view_case *shown, const char *a, const char *b,
                           const struct pb_chart_spec *spec, struct pb_arena *arena,
                           struct pb_chart_data *data);

void pb_chart_data_release(struct pb_chart_data *data);

#endif
