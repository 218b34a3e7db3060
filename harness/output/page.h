/* SPDX-License-Identifier: Apache-2.0
 *
 * The report: one self-contained page about a run, with charts of it and of history so far.
 *
 * The page needs no script and nothing from elsewhere: charts are inside it. They, and their data,
 * also lie beside it in `charts/`; a page that is a single file has the data inside, too.
 */
#ifndef PB_OUTPUT_PAGE_H
#define PB_OUTPUT_PAGE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "output/charts.h"
#include "output/finding.h"

struct pb_page_spec {
    const struct pb_run_record *run;
    const struct pb_check_record *check; /* NULL when nothing was checked     */
    const struct pb_trend_point *trend;  /* as in output/charts.h             */
    size_t n_trend;
    size_t n_runs;         /* runs in the store                               */
    const char *directory; /* made when missing; unused by a single file      */
    bool png;              /* PNG beside SVG in charts/                       */
    bool single_file;      /* no links to charts/                             */
    const char *gnuplot;   /* NULL = `gnuplot` from PATH                      */
};

/*
 * Writes index.html and charts/ in the directory. The page is replaced in one step.
 * warning: out, NULL or one line for stderr on charts that could not be drawn
 * errors:  PB_ERR_IO, PB_ERR_LIMIT the page is too large
 */
enum pb_code pb_page_write(const struct pb_page_spec *spec, struct pb_arena *arena,
                           const char **warning, struct pb_error *err) PB_MUST_USE;

/*
 * Appends the page as a single file, spec->single_file being set. Its charts are drawn in a folder
 * for temporary files, which is removed again.
 * warning: as above
 * errors:  PB_ERR_IO that folder can't be made or written; PB_ERR_LIMIT
 */
enum pb_code pb_page_add_single(struct pb_strbuf *buf, const struct pb_page_spec *spec,
                                struct pb_arena *arena, const char **warning,
                                struct pb_error *err) PB_MUST_USE;

/* Appends the page itself. charts: as pb_charts_draw left them, all files still there */
void pb_page_add(struct pb_strbuf *buf, const struct pb_page_spec *spec,
                 const struct pb_charts *charts, struct pb_arena *arena);

#endif
