/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the report that has a section for every case: charts with their tables.
 *
 * Each chart is in the page four times, for light and dark and for wide and narrow screens, and the
 * browser picks one. A chart that is missing leaves a sentence and a link to its data.
 */
#include "output/page_sections.h"

#include "base/text.h"
#include "base/whole_file.h"
#include "output/html.h"
#include "output/quantity.h"
#include "output/wording.h"

#include <math.h>
#include <string.h>

/* A picture of ours is far smaller; this keeps a stray file out of the page. */
#define FILE_BYTES_MAX ((size_t)16 << 20)

static void add(struct pb_page *page, const char *markup)
{
    pb_strbuf_adds(page->buf, markup);
}

/* A file of a chart as a data URI; nothing when it can't be read. */
static void add_file_data(struct pb_page *page, const char *type, const char *name)
{
    struct pb_strbuf content;
    pb_strbuf_init(&content);
    struct pb_error ignored;
    const char *path = pb_arena_printf(page->arena, "%s/%s", page->charts->directory, name);
    if (pb_whole_file_read(path, FILE_BYTES_MAX, &content, &ignored) == PB_OK) {
        pb_html_add_data_uri(page->buf, type, content.text, content.length);
    }
    pb_strbuf_release(&content);
}

static void add_picture(struct pb_page *page, const struct pb_chart *chart, const char *alt)
{
    static const struct {
        enum pb_chart_look look;
        const char *media;
    } sources[] = {
        {PB_LOOK_DARK_NARROW, "(max-width: 40rem) and (prefers-color-scheme: dark)"},
        {PB_LOOK_LIGHT_NARROW, "(max-width: 40rem)"},
        {PB_LOOK_DARK, "(prefers-color-scheme: dark)"},
    };
    add(page, "<picture>\n");
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        pb_strbuf_addf(page->buf, "<source media=\"%s\" srcset=\"", sources[i].media);
        add_file_data(page, "image/svg+xml", chart->svg[sources[i].look]);
        add(page, "\"/>\n");
    }
    add(page, "<img alt=\"");
    pb_html_add_text(page->buf, alt);
    add(page, "\" src=\"");
    add_file_data(page, "image/svg+xml", chart->svg[PB_LOOK_LIGHT]);
    add(page, "\"/>\n</picture>\n");
}

static void add_file_link(struct pb_page *page, const char *name, const char *text)
{
    if (name != NULL) {
        pb_strbuf_addf(page->buf, " · <a href=\"charts/%s\">%s</a>", name, text);
    }
}

/* Links to the files beside the page; a single file has the data in itself, to be saved. */
static void add_file_links(struct pb_page *page, const struct pb_chart *chart)
{
    if (page->spec->single_file) {
        pb_strbuf_addf(page->buf, " · <a download=\"%s\" href=\"", chart->data);
        add_file_data(page, "text/tab-separated-values", chart->data);
        add(page, "\">data</a>");
        return;
    }
    add_file_link(page, chart->data, "data");
    add_file_link(page, chart->svg[PB_LOOK_LIGHT], "SVG");
    add_file_link(page, chart->png, "PNG");
}

static const char *caption_of(enum pb_chart_kind kind)
{
    static const char *const captions[] = {
        [PB_CHART_SPEEDUP] = "How many times as fast as old, with the interval as whiskers.",
        [PB_CHART_TIME] = "Time per operation on a logarithmic axis; the line leads from the best "
                          "slice to the median.",
        [PB_CHART_HISTORY] = "Speed-up run by run, each scenario on a scale of its own; a gap in "
                             "the line is a change of machine or build.",
    };
    return captions[kind];
}

static void add_chart(struct pb_page *page, const struct pb_chart *chart)
{
    add(page, "<figure>\n");
    if (chart->missing == NULL && chart->svg[PB_LOOK_LIGHT] != NULL) {
        add_picture(
            page, chart,
            pb_arena_printf(page->arena, "%s %s", chart->case_name, caption_of(chart->kind)));
        pb_strbuf_addf(page->buf, "<figcaption>%s", caption_of(chart->kind));
    } else {
        add(page, "<figcaption>No picture: ");
        pb_html_add_text(page->buf, chart->missing != NULL ? chart->missing : "none was asked for");
        add(page, ".");
    }
    add_file_links(page, chart);
    add(page, "</figcaption>\n</figure>\n");
}

static void add_charts(struct pb_page *page, const struct pb_view_case *shown,
                       enum pb_chart_kind kind)
{
    for (size_t i = 0; i < page->charts->n; i++) {
        const struct pb_chart *chart = &page->charts->items[i];
        if (chart->kind == kind && strcmp(chart->case_name, shown->name) == 0) {
            add_chart(page, chart);
        }
    }
}

static void add_time_cell(struct pb_page *page, const struct pb_benchmark_record *benchmark)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    const enum pb_tone tone = pb_wording_time(&text, benchmark);
    pb_strbuf_addf(page->buf, "<td class=\"number %s\">%s</td>", pb_html_tone(tone), text.text);
    pb_strbuf_release(&text);
}

static void add_pair_cells(struct pb_page *page, const struct pb_pair_record *pair)
{
    if (pair == NULL) {
        add(page, "<td></td><td></td><td></td>");
        return;
    }
    add(page, "<td class=\"number\">");
    pb_quantity_add_speedup(page->buf, pair->estimate);
    add(page, "</td><td class=\"faint\">");
    if (isfinite(pair->estimate)) {
        pb_quantity_add_speedup_interval(page->buf, pair->lo, pair->hi);
    }
    add(page, "</td>");
    pb_html_add_verdict_cell(page->buf, pair->verdict);
}

static void add_table_head(struct pb_page *page, const struct pb_view_case *shown,
                           const size_t *judged, size_t n_judged)
{
    add(page, "<div class=\"scroll\"><table>\n<thead><tr><th>scenario</th>");
    for (size_t i = 0; i < shown->n_variants; i++) {
        add(page, "<th class=\"number\">");
        pb_html_add_text(page->buf, shown->variants[i].name);
        add(page, "</th>");
    }
    for (size_t i = 0; i < n_judged; i++) {
        add(page, "<th class=\"number\">speed-up");
        if (n_judged > 1) {
            add(page, " of ");
            pb_html_add_text(page->buf, shown->variants[judged[i]].name);
        }
        add(page, "</th><th>interval</th><th>verdict</th>");
    }
    add(page, "</tr></thead>\n<tbody>\n");
}

static void add_scenario_table(struct pb_page *page, const struct pb_view_case *shown)
{
    size_t *judged = pb_arena_array(page->arena, shown->n_variants, sizeof *judged);
    const size_t n_judged = pb_view_judged(shown, judged);
    add_table_head(page, shown, judged, n_judged);
    for (size_t r = 0; r < shown->n_scenarios; r++) {
        const struct pb_view_scenario *scenario = &shown->scenarios[r];
        add(page, "<tr><td class=\"name\">");
        pb_html_add_code(page->buf, scenario->name);
        add(page, "</td>");
        for (size_t i = 0; i < shown->n_variants; i++) {
            add_time_cell(page, pb_view_benchmark(scenario, shown->variants[i].name));
        }
        for (size_t i = 0; i < n_judged; i++) {
            add_pair_cells(page, pb_view_pair(scenario, shown->variants[judged[i]].name));
        }
        add(page, "</tr>\n");
    }
    add(page, "</tbody>\n</table></div>\n");
}

static void add_counts(struct pb_page *page, const struct pb_benchmark_record *benchmark)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    pb_wording_counts(&text, benchmark);
    pb_html_add_text(page->buf, text.text);
    pb_strbuf_release(&text);
}

static void add_detail_row(struct pb_page *page, const struct pb_benchmark_record *benchmark)
{
    add(page, "<tr><td class=\"name\">");
    pb_html_add_code(page->buf, benchmark->scenario);
    add(page, "</td><td>");
    pb_html_add_text(page->buf, benchmark->variant);
    add(page, "</td>");
    add_time_cell(page, benchmark);
    add(page, "<td class=\"number\">");
    pb_quantity_add_time(page->buf, benchmark->median_ns);
    add(page, "</td><td class=\"number\">");
    pb_quantity_add_time(page->buf, benchmark->cpu_ns);
    pb_strbuf_addf(page->buf,
                   "</td><td class=\"number\">%zu</td><td class=\"number\">%llu</td>"
                   "<td class=\"number\">%llu</td><td>",
                   benchmark->n_launches, (unsigned long long)benchmark->repeats,
                   (unsigned long long)benchmark->iterations);
    add_counts(page, benchmark);
    add(page, "</td></tr>\n");
}

static void add_details(struct pb_page *page, const struct pb_view_case *shown)
{
    add(page, "<details><summary>Every benchmark, with repeats and counts</summary>\n"
              "<div class=\"scroll\"><table>\n<thead><tr><th>scenario</th><th>variant</th>"
              "<th class=\"number\">best</th><th class=\"number\">median</th>"
              "<th class=\"number\">CPU</th><th class=\"number\">launches</th>"
              "<th class=\"number\">slices</th><th class=\"number\">iterations</th>"
              "<th>counts of one operation</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < shown->n_scenarios; i++) {
        for (size_t k = 0; k < shown->scenarios[i].n_benchmarks; k++) {
            add_detail_row(page, shown->scenarios[i].benchmarks[k]);
        }
    }
    add(page, "</tbody>\n</table></div>\n</details>\n");
}

void pb_page_cases(struct pb_page *page)
{
    for (size_t i = 0; i < page->view.n_cases; i++) {
        const struct pb_view_case *shown = &page->view.cases[i];
        add(page, "<section id=\"case-");
        pb_text_add_file_name(page->buf, shown->name);
        add(page, "\">\n<h2>");
        pb_html_add_code(page->buf, shown->name);
        add(page, "</h2>\n");
        add_charts(page, shown, PB_CHART_SPEEDUP);
        add_scenario_table(page, shown);
        add_charts(page, shown, PB_CHART_TIME);
        add_details(page, shown);
        add_charts(page, shown, PB_CHART_HISTORY);
        add(page, "</section>\n");
    }
}
