/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of gnuplot with one of our scripts.
 *
 * The script goes in through a pipe and its arguments are ours, so no name of a benchmark is ever
 * part of a command. It runs in the folder of its files and knows them by names that we chose.
 */
#ifndef PB_OUTPUT_GNUPLOT_H
#define PB_OUTPUT_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "output/charts.h"

/* Looks beside enum pb_chart_look, as the scripts count them. */
enum { PB_LOOK_PNG = PB_LOOKS, PB_LOOKS_DRAWN };

struct pb_gnuplot_job {
    const char *program;          /* NULL = `gnuplot` from PATH                    */
    const char *directory;        /* that holds STEM.tsv and gets the pictures     */
    const char *stem;             /* of all files of the chart; safe               */
    const char *const *arguments; /* of the script from ARG3 on; safe              */
    size_t n_arguments;
    enum pb_chart_kind kind; /* which script                                  */
    unsigned formats;        /* PB_CHART_SVG | PB_CHART_PNG                   */
};

struct pb_gnuplot_outcome {
    bool absent;         /* there is no such program         */
    const char *problem; /* NULL when all pictures are whole */
};

/* The ending of a look's file name: `.svg`, `-dark.svg` … `.png`. look: below PB_LOOKS_DRAWN */
const char *pb_gnuplot_ending(int look);

/* Removes all pictures of a chart, whoever drew them. */
void pb_gnuplot_clear(const struct pb_gnuplot_job *job, struct pb_arena *arena);

/*
 * Draws all looks of a chart. When anything goes wrong none of its pictures is left behind, older
 * ones of the same name included.
 */
struct pb_gnuplot_outcome pb_gnuplot_draw(const struct pb_gnuplot_job *job, struct pb_arena *arena);

#endif
