/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts of a run and of history, drawn by gnuplot.
 *
 * For every chart a table of tab-separated values is written first, and stays: whoever has no
 * gnuplot has the data. Then a script of ours, which is part of the program, draws it. Names reach
 * gnuplot only as values in that table, in a folder and under file names that we chose, so that
 * nothing in a name is ever a command. No picture is better than a broken one: what gnuplot did not
 * finish is removed.
 */
#ifndef PB_OUTPUT_CHARTS_H
#define PB_OUTPUT_CHARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"

/* One pair in one run of history. */
struct pb_trend_point {
    const char *run_id;
    int64_t started_at;    /* seconds since 1970 in UTC                               */
    const char *commit_id; /* "" when not known                                       */
    const char *machine;   /* class of the machine; a line never joins two of them    */
    const char *case_name;
    const char *scenario;
    const char *a;
    const char *b;
    double estimate; /* log(b / a) with its interval; NaN when not measured */
    double lo;
    double hi;
    bool injected; /* drawn apart: no result of the code */
};

enum {
    PB_CHART_SVG = 1,
    PB_CHART_PNG = 2,
};

struct pb_chart_spec {
    const struct pb_run_record *run;
    const struct pb_trend_point *trend; /* by case, scenario, a, b, then time */
    size_t n_trend;
    const char *directory; /* where the files go; made when missing                  */
    unsigned formats;      /* PB_CHART_SVG | PB_CHART_PNG                            */
    bool passing;          /* the directory goes away: where the data stays is the page */
    const char *gnuplot;   /* program; NULL = `gnuplot` from PATH                    */
};

enum pb_chart_kind {
    PB_CHART_SPEEDUP, /* how many times faster than old, by scenario */
    PB_CHART_TIME,    /* time per operation, by scenario             */
    PB_CHART_HISTORY, /* speed-up of one pair, run by run            */
};

/* How an SVG comes: for a light or dark page, wide or narrow. The first one is the plain .svg. */
enum pb_chart_look {
    PB_LOOK_LIGHT,
    PB_LOOK_DARK,
    PB_LOOK_LIGHT_NARROW,
    PB_LOOK_DARK_NARROW,
};
enum { PB_LOOKS = PB_LOOK_DARK_NARROW + 1 };

struct pb_chart {
    enum pb_chart_kind kind;
    const char *case_name;
    const char *a;             /* of history, else NULL                          */
    const char *b;             /* of history, else NULL                          */
    const char *stem;          /* file name of all its files without the ending  */
    const char *data;          /* file name of the data, in the directory        */
    const char *svg[PB_LOOKS]; /* file names; NULL = not drawn                   */
    const char *png;           /* file name; NULL = not drawn                    */
    const char *missing;       /* why there is no picture; NULL when there is    */
};

struct pb_charts {
    struct pb_chart *items; /* by case in the order of the run, then by kind */
    size_t n;
    const char *directory; /* that all their files are in */
    const char *warning;   /* NULL, or one line on what could not be drawn, for stderr */
};

/*
 * Writes the data of all charts and draws them.
 * errors: PB_ERR_IO the folder or a data file can't be written. Gnuplot that is absent, fails or
 *         takes too long is no error: see missing and warning
 */
enum pb_code pb_charts_draw(const struct pb_chart_spec *spec, struct pb_arena *arena,
                            struct pb_charts *charts, struct pb_error *err) PB_MUST_USE;

#endif
