/* SPDX-License-Identifier: Apache-2.0
 *
 * The page answers from top to bottom: is all well, what was found, what is behind it, how was it
 * measured.
 */
#include "output/page_sections.h"

#include "base/text.h"
#include "output/html.h"
#include "output/quantity.h"
#include "output/wording.h"
#include "stats/summary.h"

#include <math.h>
#include <string.h>

extern const unsigned char pb_reports_page_css[];

/* Digits of a commit id that are shown where a full one would be in the way. */
enum { SHORT_ID_CHARS = 12 };

static void add(struct pb_page *page, const char *markup)
{
    pb_strbuf_adds(page->buf, markup);
}

static void add_summary_words(struct pb_page *page)
{
    pb_wording_headline(page->buf, page->spec->run, page->spec->check);
}

void pb_page_title(struct pb_page *page)
{
    add(page, "pairbench: ");
    add_summary_words(page);
}

void pb_page_style(struct pb_page *page)
{
    add(page, (const char *)pb_reports_page_css);
}

void pb_page_headline(struct pb_page *page)
{
    add_summary_words(page);
}

static void add_remark(struct pb_page *page, const char *kind, const char *before, const char *text)
{
    pb_strbuf_addf(page->buf, "<p class=\"remark %s\">%s", kind, before);
    pb_html_add_text(page->buf, text);
    add(page, "</p>\n");
}

void pb_page_remarks(struct pb_page *page)
{
    const struct pb_run_record *run = page->spec->run;
    if (!run->valid) {
        add_remark(page, "bad", "This run is invalid: ",
                   run->invalid_reason != NULL ? run->invalid_reason : "no reason given");
    }
    if (run->injected) {
        add_remark(page, "warn",
                   "Changes were injected: ", "this run tests the tool, not the code.");
    }
    if (page->spec->check != NULL && page->spec->check->note != NULL) {
        add_remark(page, "warn", "", page->spec->check->note);
    }
    if (page->charts->warning != NULL) {
        add_remark(page, "warn", "", page->charts->warning);
    }
}

static void begin_fact(struct pb_page *page, const char *title)
{
    pb_strbuf_addf(page->buf, "<dt>%s</dt><dd>", title);
}

/* A fact as a part of a sentence; NULL when it says nothing. */
static const char *spoken_fact(struct pb_page *page, const char *key, const char *value)
{
    if (value == NULL || value[0] == '\0' || strcmp(value, "unknown") == 0) {
        return NULL;
    }
    if (strcmp(key, "cpus") == 0) {
        return pb_arena_printf(page->arena, "%s CPUs", value);
    }
    if (strcmp(key, "hypervisor") == 0 && strcmp(value, "yes") == 0) {
        return "virtual machine";
    }
    if (strcmp(key, "hypervisor") == 0 && strcmp(value, "no") == 0) {
        return NULL;
    }
    return value;
}

/* Values of the keys that are known, with ", " between. */
static void add_known(struct pb_page *page, const struct pb_facts *facts, const char *const *keys,
                      size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        const char *spoken = spoken_fact(page, keys[i], pb_facts_get(facts, keys[i]));
        if (spoken != NULL) {
            add(page, known++ > 0 ? ", " : "");
            pb_html_add_text(page->buf, spoken);
        }
    }
    add(page, known == 0 ? "not known" : "");
}

static void add_commit(struct pb_page *page, const struct pb_facts *commit)
{
    const char *id = pb_facts_get(commit, "id");
    const char *branch = pb_facts_get(commit, "branch");
    const char *subject = pb_facts_get(commit, "subject");
    const char *dirty = pb_facts_get(commit, "dirty");
    if (id == NULL || id[0] == '\0') {
        add(page, "not known");
        return;
    }
    pb_html_add_code(page->buf, pb_arena_memdup(page->arena, id, strnlen(id, SHORT_ID_CHARS)));
    if (branch != NULL && branch[0] != '\0') {
        add(page, " on ");
        pb_html_add_code(page->buf, branch);
    }
    if (dirty != NULL && strcmp(dirty, "true") == 0) {
        add(page, ", <b>with uncommitted changes</b>");
    }
    if (subject != NULL && subject[0] != '\0') {
        add(page, ": ");
        pb_html_add_text(page->buf, subject);
    }
}

static void add_plan(struct pb_page *page, const struct pb_run_record *run)
{
    pb_wording_plan(page->buf, run, page->view.n_scenarios);
    add(page, ", ");
    pb_wording_wall_time(page->buf, run);
    pb_strbuf_addf(page->buf, ", seed %llu", (unsigned long long)run->seed);
}

/* patterns: one a line, escaped already */
static void add_patterns(struct pb_page *page, const char *patterns)
{
    for (const char *s = patterns; *s != '\0';) {
        const size_t n = strcspn(s, "\n");
        add(page, s > patterns ? ", <code>" : "<code>");
        pb_text_add_html(page->buf, pb_arena_memdup(page->arena, s, n));
        add(page, "</code>");
        s += n + (s[n] == '\n');
    }
}

void pb_page_facts(struct pb_page *page)
{
    static const char *const machine[] = {"cpu", "cpus", "hypervisor", "kernel", "libc"};
    static const char *const build[] = {"compiler", "build_type", "flags"};
    const struct pb_run_record *run = page->spec->run;
    begin_fact(page, "Measured");
    pb_quantity_add_timestamp(page->buf, run->started_at);
    add(page, "</dd>\n");
    begin_fact(page, "Plan");
    add_plan(page, run);
    add(page, "</dd>\n");
    if (run->patterns != NULL && run->patterns[0] != '\0') {
        begin_fact(page, "Chosen by");
        add_patterns(page, run->patterns);
        add(page, "</dd>\n");
    }
    begin_fact(page, "Commit");
    add_commit(page, &run->commit);
    add(page, "</dd>\n");
    begin_fact(page, "Build");
    add_known(page, &run->build, build, sizeof build / sizeof build[0]);
    add(page, "</dd>\n");
    begin_fact(page, "Machine");
    add_known(page, &run->machine, machine, sizeof machine / sizeof machine[0]);
    add(page, "</dd>\n");
    begin_fact(page, "Run");
    pb_html_add_code(page->buf, run->id);
    if (run->label[0] != '\0') {
        add(page, ", ");
        pb_html_add_text(page->buf, run->label);
    }
    pb_strbuf_addf(page->buf, ", one of %zu stored", page->spec->n_runs);
    add(page, "</dd>\n");
    const struct pb_check_record *check = page->spec->check;
    if (check != NULL && check->n_baselines > 0) {
        begin_fact(page, "Baseline");
        for (size_t i = 0; i < check->n_baselines; i++) {
            add(page, i > 0 ? ", " : "");
            pb_html_add_code(page->buf, check->baselines[i]);
        }
        add(page, "</dd>\n");
    }
}

/* An id for the section of a case that is the same on every page. */
static void add_anchor(struct pb_page *page, const char *case_name)
{
    add(page, "case-");
    pb_text_add_file_name(page->buf, case_name);
}

/* Smallest, middle and largest speed-up of the judged pairs of a case. */
static void add_speedup_cells(struct pb_page *page, const struct pb_view_case *shown)
{
    size_t n_pairs = 0;
    for (size_t i = 0; i < shown->n_scenarios; i++) {
        n_pairs += shown->scenarios[i].n_pairs;
    }
    double *estimates = pb_arena_array(page->arena, n_pairs, sizeof *estimates);
    size_t n = 0;
    for (size_t i = 0; i < shown->n_scenarios; i++) {
        for (size_t k = 0; k < shown->scenarios[i].n_pairs; k++) {
            const struct pb_pair_record *pair = shown->scenarios[i].pairs[k];
            if (pair->gated && isfinite(pair->estimate)) {
                estimates[n++] = pair->estimate;
            }
        }
    }
    static const double quantiles[] = {1, 0.5, 0}; /* of the ratio; the speed-up is its inverse */
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        add(page, "<td class=\"number\">");
        pb_quantity_add_speedup(page->buf, pb_quantile(estimates, n, quantiles[i]));
        add(page, "</td>");
    }
}

static void add_case_verdicts(struct pb_page *page, const struct pb_view_case *shown)
{
    struct pb_verdict_counts counts = {0};
    for (size_t i = 0; i < shown->n_scenarios; i++) {
        for (size_t k = 0; k < shown->scenarios[i].n_pairs; k++) {
            if (shown->scenarios[i].pairs[k]->gated) {
                pb_verdicts_count(&counts, shown->scenarios[i].pairs[k]->verdict);
            }
        }
    }
    pb_verdicts_add_summary(page->buf, &counts);
}

void pb_page_overview(struct pb_page *page)
{
    add(page, "<section id=\"overview\">\n<h2>Cases</h2>\n<div class=\"scroll\"><table>\n"
              "<thead><tr><th>case</th><th class=\"number\">scenarios</th>"
              "<th class=\"number\">least speed-up</th><th class=\"number\">median</th>"
              "<th class=\"number\">greatest</th><th>new against old</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < page->view.n_cases; i++) {
        const struct pb_view_case *shown = &page->view.cases[i];
        add(page, "<tr><td class=\"name\"><a href=\"#");
        add_anchor(page, shown->name);
        add(page, "\">");
        pb_html_add_code(page->buf, shown->name);
        pb_strbuf_addf(page->buf, "</a></td><td class=\"number\">%zu</td>", shown->n_scenarios);
        add_speedup_cells(page, shown);
        add(page, "<td>");
        add_case_verdicts(page, shown);
        add(page, "</td></tr>\n");
    }
    add(page, "</tbody>\n</table></div>\n</section>\n");
}

static void add_finding_row(struct pb_page *page, const struct pb_finding *finding)
{
    add(page, "<tr>");
    pb_html_add_finding_cell(page->buf, finding);
    add(page, "<td class=\"name\">");
    pb_html_add_code(page->buf, finding->name);
    add(page, "</td><td class=\"metric\">");
    pb_html_add_text(page->buf, finding->metric);
    add(page, "</td><td class=\"number\">");
    pb_quantity_add_number(page->buf, finding->baseline);
    add(page, "</td><td class=\"number\">");
    pb_quantity_add_number(page->buf, finding->now);
    add(page, "</td><td>");
    pb_finding_add_change(page->buf, finding);
    add(page, "</td><td class=\"why\">");
    pb_html_add_text(page->buf, finding->reason != NULL ? finding->reason : "");
    add(page, "</td></tr>\n");
}

static void add_finding_table(struct pb_page *page, const struct pb_finding *findings, size_t n)
{
    add(page, "<div class=\"scroll\"><table>\n<thead><tr><th>verdict</th><th>benchmark</th>"
              "<th>metric</th><th class=\"number\">baseline</th><th class=\"number\">now</th>"
              "<th>change</th><th>why</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n; i++) {
        add_finding_row(page, &findings[i]);
    }
    add(page, "</tbody>\n</table></div>\n");
}

void pb_page_findings(struct pb_page *page)
{
    const struct pb_check_record *check = page->spec->check;
    if (check == NULL) {
        return;
    }
    const struct pb_finding *sorted =
        pb_findings_sorted(page->arena, check->findings, check->n_findings);
    size_t n_moved = 0;
    while (n_moved < check->n_findings && sorted[n_moved].verdict != PB_VERDICT_UNCHANGED) {
        n_moved++;
    }
    add(page, "<section id=\"findings\">\n<h2>Against the baseline</h2>\n<p>");
    pb_findings_add_summary(page->buf, check->findings, check->n_findings);
    add(page, ".</p>\n");
    if (n_moved > 0) {
        add_finding_table(page, sorted, n_moved);
    }
    if (check->n_findings > n_moved) {
        pb_strbuf_addf(page->buf, "<details><summary>%zu unchanged</summary>\n",
                       check->n_findings - n_moved);
        add_finding_table(page, sorted + n_moved, check->n_findings - n_moved);
        add(page, "</details>\n");
    }
    add(page, "</section>\n");
}

/* What a benchmark without a time is called, and in which tone; NULL for one that is fine. */
static const char *problem_of(const struct pb_benchmark_record *benchmark, enum pb_tone *tone)
{
    if (benchmark->state != PB_STATE_OK) {
        *tone = benchmark->state == PB_STATE_FAILED ? PB_TONE_BAD : PB_TONE_FAINT;
        return pb_state_name(benchmark->state);
    }
    *tone = PB_TONE_WARN;
    return benchmark->below_resolution ? pb_verdict_name(PB_VERDICT_BELOW_RESOLUTION) : NULL;
}

void pb_page_problems(struct pb_page *page)
{
    const struct pb_run_record *run = page->spec->run;
    bool begun = false;
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        enum pb_tone tone;
        const char *problem = problem_of(benchmark, &tone);
        if (problem == NULL) {
            continue;
        }
        if (!begun) {
            add(page, "<section id=\"problems\">\n<h2>Not measured</h2>\n<div class=\"scroll\">"
                      "<table>\n<thead><tr><th>state</th><th>benchmark</th><th>why</th></tr>"
                      "</thead>\n<tbody>\n");
            begun = true;
        }
        pb_strbuf_addf(page->buf, "<tr><td class=\"%s\">%s</td><td class=\"name\">",
                       pb_html_tone(tone), problem);
        pb_html_add_code(page->buf, benchmark->name);
        add(page, "</td><td class=\"why\">");
        pb_html_add_text(page->buf, benchmark->reason != NULL ? benchmark->reason : "");
        add(page, "</td></tr>\n");
    }
    if (begun) {
        add(page, "</tbody>\n</table></div>\n</section>\n");
    }
}

static void add_fact_table(struct pb_page *page, const char *title, const struct pb_facts *facts)
{
    if (facts->n == 0) {
        return;
    }
    pb_strbuf_addf(page->buf, "<h3>%s</h3>\n<dl class=\"facts\">\n", title);
    for (size_t i = 0; i < facts->n; i++) {
        add(page, "<dt>");
        pb_html_add_text(page->buf, facts->items[i].key);
        add(page, "</dt><dd>");
        pb_html_add_text(page->buf, facts->items[i].value);
        add(page, "</dd>\n");
    }
    add(page, "</dl>\n");
}

void pb_page_footer(struct pb_page *page)
{
    const struct pb_run_record *run = page->spec->run;
    add(page, "<details><summary>All that is known about machine, build and checkout</summary>\n");
    add_fact_table(page, "Machine", &run->machine);
    add_fact_table(page, "Build", &run->build);
    add_fact_table(page, "Checkout", &run->commit);
    add(page, "</details>\n<p>pairbench ");
    pb_html_add_text(page->buf, run->tool_version);
    add(page, "</p>\n");
}
