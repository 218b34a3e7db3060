/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows are appended worst first while they fit; room for the lines that count the rest is kept
 * back from the beginning.
 */
#include "output/markdown.h"

#include "output/markdown_code.h"
#include "output/quantity.h"
#include "output/run_view.h"
#include "output/wording.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    LIMIT_MIN_BYTES = 4096,
    RESERVE_BYTES =
        700, /* what follows the last row: two lines of totals, one of the full report */
    VARIANTS_MAX = 8,
};

struct summary {
    struct pb_strbuf *buf;
    size_t room; /* buf may grow to this many bytes before the closing lines */
    struct pb_arena arena;
};

/* Appends row when it fits. */
static bool add_if_fits(struct summary *summary, const struct pb_strbuf *row)
{
    if (summary->buf->length + row->length > summary->room) {
        return false;
    }
    pb_strbuf_add(summary->buf, row->text, row->length);
    return true;
}

static void make_finding_row(struct pb_strbuf *row, const struct pb_finding *finding)
{
    pb_strbuf_reset(row);
    pb_strbuf_addf(row, "| %s | ", pb_finding_word(finding));
    pb_markdown_add_code(row, finding->name);
    pb_strbuf_adds(row, " | ");
    pb_markdown_add_code(row, finding->metric);
    pb_strbuf_adds(row, " | ");
    pb_quantity_add_number(row, finding->baseline);
    pb_strbuf_adds(row, " | ");
    pb_quantity_add_number(row, finding->now);
    pb_strbuf_adds(row, " | ");
    pb_finding_add_change(row, finding);
    pb_strbuf_adds(row, " | ");
    pb_markdown_add_code(row, finding->reason != NULL ? finding->reason : "");
    pb_strbuf_adds(row, " |\n");
}

/* The findings that are not simply unchanged, worst first, as far as they fit. */
static void add_findings(struct summary *summary, const struct pb_check_record *check)
{
    const struct pb_finding *sorted =
        pb_findings_sorted(&summary->arena, check->findings, check->n_findings);
    size_t n = 0;
    while (n < check->n_findings && sorted[n].verdict != PB_VERDICT_UNCHANGED) {
        n++;
    }
    if (n == 0) {
        return;
    }
    pb_strbuf_adds(summary->buf,
                   "\n| verdict | benchmark | metric | baseline | now | change | why |"
                   "\n| --- | --- | --- | ---: | ---: | --- | --- |\n");
    struct pb_strbuf row;
    pb_strbuf_init(&row);
    struct pb_verdict_counts cut = {0};
    for (size_t i = 0; i < n; i++) {
        make_finding_row(&row, &sorted[i]);
        if (cut.total > 0 || !add_if_fits(summary, &row)) {
            pb_verdicts_count(&cut, sorted[i].verdict);
        }
    }
    if (cut.total > 0) {
        pb_strbuf_adds(summary->buf, "\nCut here, not shown: ");
        pb_verdicts_add_summary(summary->buf, &cut);
        pb_strbuf_adds(summary->buf, ".\n");
        summary->room = 0;
    }
    pb_strbuf_release(&row);
}

static void make_scenario_row(struct pb_strbuf *row, const struct pb_view_case *shown,
                              const struct pb_view_scenario *scenario, const size_t *judged,
                              size_t n_judged)
{
    pb_strbuf_reset(row);
    pb_strbuf_adds(row, "| ");
    pb_markdown_add_code(row, scenario->name);
    for (size_t i = 0; i < shown->n_variants && i < VARIANTS_MAX; i++) {
        pb_strbuf_adds(row, " | ");
        pb_wording_time(row, pb_view_benchmark(scenario, shown->variants[i].name));
    }
    for (size_t i = 0; i < n_judged; i++) {
        const struct pb_pair_record *pair = pb_view_pair(scenario, shown->variants[judged[i]].name);
        pb_strbuf_adds(row, " | ");
        if (pair != NULL && isfinite(pair->estimate)) {
            pb_quantity_add_speedup(row, pair->estimate);
            pb_strbuf_addc(row, ' ');
            pb_quantity_add_speedup_interval(row, pair->lo, pair->hi);
        }
        pb_strbuf_adds(row, " | ");
        pb_strbuf_adds(row, pair != NULL ? pb_verdict_name(pair->verdict) : "");
    }
    pb_strbuf_adds(row, " |\n");
}

static void make_case_heading(struct pb_strbuf *row, const struct pb_view_case *shown,
                              const size_t *judged, size_t n_judged)
{
    pb_strbuf_reset(row);
    pb_strbuf_adds(row, "\n");
    pb_markdown_add_code(row, shown->name);
    pb_strbuf_adds(row, "\n\n| scenario");
    size_t n_variants = 0;
    for (; n_variants < shown->n_variants && n_variants < VARIANTS_MAX; n_variants++) {
        pb_strbuf_adds(row, " | ");
        pb_markdown_add_code(row, shown->variants[n_variants].name);
    }
    for (size_t i = 0; i < n_judged; i++) {
        pb_strbuf_adds(row, " | speed-up of ");
        pb_markdown_add_code(row, shown->variants[judged[i]].name);
        pb_strbuf_adds(row, " | verdict");
    }
    pb_strbuf_adds(row, " |\n| ---");
    for (size_t i = 0; i < n_variants; i++) {
        pb_strbuf_adds(row, " | ---:");
    }
    for (size_t i = 0; i < n_judged; i++) {
        pb_strbuf_adds(row, " | --- | ---");
    }
    pb_strbuf_adds(row, " |\n");
}

/* A table for every case as far as they fit. returns: scenarios that did not */
static size_t add_cases(struct summary *summary, const struct pb_run_view *view)
{
    struct pb_strbuf row;
    pb_strbuf_init(&row);
    size_t cut = 0;
    for (size_t c = 0; c < view->n_cases; c++) {
        const struct pb_view_case *shown = &view->cases[c];
        size_t *judged = pb_arena_array(&summary->arena, shown->n_variants, sizeof *judged);
        size_t n_judged = pb_view_judged(shown, judged);
        n_judged = n_judged < VARIANTS_MAX ? n_judged : VARIANTS_MAX;
        make_case_heading(&row, shown, judged, n_judged);
        bool fits = cut == 0 && add_if_fits(summary, &row);
        for (size_t i = 0; i < shown->n_scenarios; i++) {
            make_scenario_row(&row, shown, &shown->scenarios[i], judged, n_judged);
            fits = fits && add_if_fits(summary, &row);
            cut += !fits;
        }
    }
    pb_strbuf_release(&row);
    return cut;
}

/* Failures of the run itself, for a summary without a check. */
static void add_failures(struct summary *summary, const struct pb_run_record *run)
{
    struct pb_strbuf row;
    pb_strbuf_init(&row);
    size_t shown = 0;
    size_t cut = 0;
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        if (benchmark->state != PB_STATE_FAILED) {
            continue;
        }
        pb_strbuf_reset(&row);
        pb_strbuf_adds(&row, shown == 0 ? "\n- failed: " : "- failed: ");
        pb_markdown_add_code(&row, benchmark->name);
        pb_strbuf_addc(&row, ' ');
        pb_markdown_add_code(&row, benchmark->reason != NULL ? benchmark->reason : "");
        pb_strbuf_addc(&row, '\n');
        const bool fits = cut == 0 && add_if_fits(summary, &row);
        shown += fits;
        cut += !fits;
    }
    if (cut > 0) {
        pb_strbuf_addf(summary->buf, "\nCut here, not shown: %zu failed.\n", cut);
        summary->room = 0;
    }
    pb_strbuf_release(&row);
}

static void add_fact(struct pb_strbuf *buf, const char *before, const struct pb_facts *facts,
                     const char *key)
{
    const char *value = pb_facts_get(facts, key);
    if (value != NULL && value[0] != '\0') {
        pb_strbuf_adds(buf, before);
        pb_markdown_add_code(buf, value);
    }
}

static void add_heading(struct pb_strbuf *buf, const struct pb_markdown_spec *spec)
{
    const struct pb_run_record *run = spec->run;
    pb_strbuf_adds(buf, "### pairbench: ");
    pb_wording_headline(buf, run, spec->check);
    pb_strbuf_adds(buf, "\n\nRun ");
    pb_markdown_add_code(buf, run->id);
    pb_strbuf_adds(buf, " of ");
    pb_quantity_add_timestamp(buf, run->started_at);
    add_fact(buf, ", commit ", &run->commit, "id");
    add_fact(buf, " on ", &run->commit, "branch");
    add_fact(buf, ", ", &run->machine, "cpu");
    add_fact(buf, ", ", &run->build, "compiler");
    pb_strbuf_adds(buf, ", ");
    pb_quantity_add_duration(buf, run->wall_s);
    pb_strbuf_adds(buf, run->quick ? ", quick.\n" : ".\n");
    if (!run->valid) {
        pb_strbuf_adds(buf, "\n**This run is invalid:** ");
        pb_markdown_add_code(buf,
                             run->invalid_reason != NULL ? run->invalid_reason : "no reason given");
        pb_strbuf_addc(buf, '\n');
    }
    if (run->injected) {
        pb_strbuf_adds(buf,
                       "\n**Changes were injected:** this run tests the tool, not the code.\n");
    }
    if (spec->check != NULL && spec->check->note != NULL) {
        pb_strbuf_addc(buf, '\n');
        pb_markdown_add_code(buf, spec->check->note);
        pb_strbuf_addc(buf, '\n');
    }
}

void pb_markdown_add(struct pb_strbuf *buf, const struct pb_markdown_spec *spec)
{
    size_t limit = spec->limit_bytes != 0 ? spec->limit_bytes : PB_MARKDOWN_LIMIT_BYTES;
    limit = limit < LIMIT_MIN_BYTES ? LIMIT_MIN_BYTES : limit;
    struct summary summary = {.buf = buf, .room = buf->length + limit - RESERVE_BYTES};
    add_heading(buf, spec);
    if (spec->check != NULL) {
        add_findings(&summary, spec->check);
    } else {
        add_failures(&summary, spec->run);
    }
    struct pb_run_view view;
    pb_run_view_make(spec->run, &summary.arena, &view);
    const size_t cut = add_cases(&summary, &view);
    if (cut > 0) {
        pb_strbuf_addf(buf, "\nCut here, not shown: %zu of %zu scenarios.\n", cut,
                       view.n_scenarios);
    }
    if (spec->full_report != NULL) {
        pb_strbuf_adds(buf, "\nAll of it: ");
        pb_markdown_add_code(buf, spec->full_report);
        pb_strbuf_addc(buf, '\n');
    }
    pb_arena_release(&summary.arena);
}
