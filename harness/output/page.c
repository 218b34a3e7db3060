/* SPDX-License-Identifier: Apache-2.0
 *
 * The template is plain HTML with {{words}}; a table says which function fills which word.
 */
#include "output/page.h"

#include "base/folder_remove.h"
#include "base/whole_file.h"
#include "output/page_sections.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char pb_reports_page_html[];

static const struct {
    const char *word;
    void (*fill)(struct pb_page *page);
} places[] = {
    {"title", pb_page_title},       {"style", pb_page_style},       {"headline", pb_page_headline},
    {"remarks", pb_page_remarks},   {"facts", pb_page_facts},       {"overview", pb_page_overview},
    {"findings", pb_page_findings}, {"problems", pb_page_problems}, {"cases", pb_page_cases},
    {"footer", pb_page_footer},
};

static void fill(struct pb_page *page, const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (strlen(places[i].word) == length && memcmp(places[i].word, word, length) == 0) {
            places[i].fill(page);
            return;
        }
    }
    assert(false); /* the template asks for what nobody can fill in */
}

void pb_page_add(struct pb_strbuf *buf, const struct pb_page_spec *spec,
                 const struct pb_charts *charts, struct pb_arena *arena)
{
    struct pb_page page = {.buf = buf, .spec = spec, .charts = charts, .arena = arena};
    pb_run_view_make(spec->run, arena, &page.view);
    const char *rest = (const char *)pb_reports_page_html;
    for (;;) {
        const char *open = strstr(rest, "{{");
        const char *close = open != NULL ? strstr(open, "}}") : NULL;
        if (close == NULL) {
            break;
        }
        pb_strbuf_add(buf, rest, (size_t)(open - rest));
        fill(&page, open + 2, (size_t)(close - open) - 2);
        rest = close + 2;
    }
    pb_strbuf_adds(buf, rest);
}

/* Draws the charts into a folder, and appends the page with them. */
static enum pb_code draw_and_add(struct pb_strbuf *html, const struct pb_page_spec *spec,
                                 const char *folder, struct pb_arena *arena, const char **warning,
                                 struct pb_error *err)
{
    const struct pb_chart_spec chart_spec = {
        .run = spec->run,
        .trend = spec->trend,
        .n_trend = spec->n_trend,
        .directory = folder,
        .formats = PB_CHART_SVG | (spec->png ? PB_CHART_PNG : 0),
        .passing = spec->single_file,
        .gnuplot = spec->gnuplot,
    };
    struct pb_charts charts;
    const enum pb_code code = pb_charts_draw(&chart_spec, arena, &charts, err);
    if (code != PB_OK) {
        return code;
    }
    pb_page_add(html, spec, &charts, arena);
    if (html->overflow) {
        return pb_error_set(err, PB_ERR_LIMIT,
                            "the page is larger than its limit of %zu bytes; report fewer cases",
                            PB_STRBUF_LIMIT_BYTES);
    }
    *warning = charts.warning;
    return PB_OK;
}

enum pb_code pb_page_write(const struct pb_page_spec *spec, struct pb_arena *arena,
                           const char **warning, struct pb_error *err)
{
    struct pb_strbuf html;
    pb_strbuf_init(&html);
    const char *folder = pb_arena_printf(arena, "%s/charts", spec->directory);
    const char *problem = NULL;
    enum pb_code code = draw_and_add(&html, spec, folder, arena, &problem, err);
    if (code == PB_OK) {
        const char *path = pb_arena_printf(arena, "%s/index.html", spec->directory);
        code = pb_whole_file_replace(path, html.text, html.length, err);
    }
    if (code == PB_OK) {
        *warning = problem;
    }
    pb_strbuf_release(&html);
    return code;
}

enum pb_code pb_page_add_single(struct pb_strbuf *buf, const struct pb_page_spec *spec,
                                struct pb_arena *arena, const char **warning, struct pb_error *err)
{
    assert(spec->single_file);
    const char *temporary = getenv("TMPDIR");
    char *folder = pb_arena_printf(arena, "%s/pairbench-charts-XXXXXX",
                                   temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp");
    if (mkdtemp(folder) == NULL) {
        return pb_error_set(err, PB_ERR_IO,
                            "can't make the folder %s: %s; set TMPDIR to one "
                            "for temporary files",
                            folder, strerror(errno));
    }
    const enum pb_code code = draw_and_add(buf, spec, folder, arena, warning, err);
    pb_folder_remove(folder);
    return code;
}
