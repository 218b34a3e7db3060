/* SPDX-License-Identifier: Apache-2.0
 *
 * Case by case: the table is written, then the picture is tried. Once gnuplot was found to be
 * absent it is not looked for again.
 */
#include "output/charts.h"

#include "base/text.h"
#include "base/whole_file.h"
#include "output/chart_data.h"
#include "output/folder.h"
#include "output/gnuplot.h"

#include <string.h>

struct drawing {
    const struct pb_chart_spec *spec;
    struct pb_arena *arena;
    struct pb_charts *charts;
    size_t capacity;
    bool absent;      /* gnuplot                          */
    size_t n_missing; /* charts that could not be drawn   */
    const char *why;  /* of the first of them             */
};

/* A stem that is a safe file name and belongs to one chart alone. */
static const char *make_stem(struct pb_arena *arena, const struct pb_chart *chart)
{
    static const char *const words[] = {
        [PB_CHART_SPEEDUP] = "speedup",
        [PB_CHART_TIME] = "time",
        [PB_CHART_HISTORY] = "history",
    };
    const char *name = chart->case_name;
    if (chart->a != NULL) {
        name = pb_arena_printf(arena, "%s/%s/%s", chart->case_name, chart->b, chart->a);
    }
    struct pb_strbuf stem;
    pb_strbuf_init(&stem);
    pb_strbuf_addf(&stem, "%s-", words[chart->kind]);
    pb_text_add_file_name(&stem, name);
    const char *kept = pb_arena_strdup(arena, stem.text);
    pb_strbuf_release(&stem);
    return kept;
}

static void name_pictures(const struct drawing *drawing, struct pb_chart *chart)
{
    for (int look = 0; look < PB_LOOKS; look++) {
        if ((drawing->spec->formats & PB_CHART_SVG) != 0) {
            chart->svg[look] =
                pb_arena_printf(drawing->arena, "%s%s", chart->stem, pb_gnuplot_ending(look));
        }
    }
    if ((drawing->spec->formats & PB_CHART_PNG) != 0) {
        chart->png =
            pb_arena_printf(drawing->arena, "%s%s", chart->stem, pb_gnuplot_ending(PB_LOOK_PNG));
    }
}

/* Draws a chart whose data is written, or takes away what an earlier run drew. returns: why there
 * is no picture, or NULL */
static const char *draw(struct drawing *drawing, const struct pb_chart *chart,
                        const struct pb_chart_data *data)
{
    const struct pb_gnuplot_job job = {
        .program = drawing->spec->gnuplot,
        .directory = drawing->spec->directory,
        .stem = chart->stem,
        .arguments = data->arguments,
        .n_arguments = data->n_arguments,
        .kind = chart->kind,
        .formats = drawing->spec->formats,
    };
    if (data->empty || drawing->absent) {
        pb_gnuplot_clear(&job, drawing->arena);
        return data->empty ? "nothing was measured" : "gnuplot is not installed";
    }
    const struct pb_gnuplot_outcome outcome = pb_gnuplot_draw(&job, drawing->arena);
    drawing->absent = outcome.absent;
    return outcome.problem;
}

static enum pb_code finish_chart(struct drawing *drawing, struct pb_chart chart,
                                 struct pb_chart_data *data, struct pb_error *err)
{
    struct pb_arena *arena = drawing->arena;
    chart.stem = make_stem(arena, &chart);
    chart.data = pb_arena_printf(arena, "%s.tsv", chart.stem);
    const char *path = pb_arena_printf(arena, "%s/%s", drawing->spec->directory, chart.data);
    const enum pb_code code =
        pb_whole_file_replace(path, data->table.text, data->table.length, err);
    if (code != PB_OK) {
        return code;
    }
    chart.missing = draw(drawing, &chart, data);
    if (chart.missing == NULL) {
        name_pictures(drawing, &chart);
    } else if (!data->empty) {
        drawing->why = drawing->n_missing++ == 0 ? chart.missing : drawing->why;
    }
    struct pb_charts *charts = drawing->charts;
    charts->items =
        pb_arena_grow(arena, charts->items, charts->n, &drawing->capacity, sizeof *charts->items);
    charts->items[charts->n++] = chart;
    return PB_OK;
}

/* Charts of the history of each judged pair of a case. */
static enum pb_code draw_history(struct drawing *drawing, const struct pb_view_case *shown,
                                 struct pb_error *err)
{
    size_t *judged = pb_arena_array(drawing->arena, shown->n_variants, sizeof *judged);
    const size_t n = pb_view_judged(shown, judged);
    enum pb_code code = PB_OK;
    for (size_t i = 0; i < n && code == PB_OK; i++) {
        const char *b = shown->variants[judged[i]].name;
        const char *a = shown->variants[0].name;
        struct pb_chart_data data = {0};
        if (pb_chart_data_history(shown, a, b, drawing->spec, drawing->arena, &data)) {
            const struct pb_chart chart = {
                .kind = PB_CHART_HISTORY, .case_name = shown->name, .a = a, .b = b};
            code = finish_chart(drawing, chart, &data, err);
        }
        pb_chart_data_release(&data);
    }
    return code;
}

static enum pb_code draw_case(struct drawing *drawing, const struct pb_view_case *shown,
                              struct pb_error *err)
{
    enum pb_code code = PB_OK;
    struct pb_chart_data data = {0};
    if (pb_chart_data_speedup(shown, drawing->arena, &data)) {
        const struct pb_chart chart = {.kind = PB_CHART_SPEEDUP, .case_name = shown->name};
        code = finish_chart(drawing, chart, &data, err);
    }
    pb_chart_data_release(&data);
    if (code != PB_OK) {
        return code;
    }
    pb_chart_data_time(shown, drawing->arena, &data);
    const struct pb_chart chart = {.kind = PB_CHART_TIME, .case_name = shown->name};
    code = finish_chart(drawing, chart, &data, err);
    pb_chart_data_release(&data);
    return code == PB_OK ? draw_history(drawing, shown, err) : code;
}

enum pb_code pb_charts_draw(const struct pb_chart_spec *spec, struct pb_arena *arena,
                            struct pb_charts *charts, struct pb_error *err)
{
    struct pb_charts drawn = {.directory = spec->directory};
    struct drawing drawing = {.spec = spec, .arena = arena, .charts = &drawn};
    enum pb_code code = pb_folder_make(spec->directory, err);
    struct pb_run_view view;
    pb_run_view_make(spec->run, arena, &view);
    for (size_t i = 0; i < view.n_cases && code == PB_OK; i++) {
        code = draw_case(&drawing, &view.cases[i], err);
    }
    if (code != PB_OK) {
        return code;
    }
    if (drawing.n_missing > 0) {
        drawn.warning = pb_arena_printf(
            arena, "%zu of %zu charts could not be drawn (%s); their data is in %s",
            drawing.n_missing, drawn.n, drawing.why, spec->passing ? "the page" : spec->directory);
    }
    *charts = drawn;
    return PB_OK;
}
