/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of its own for every case, since cases differ in their variants; what has no number says
 * so in its cell, and why stands at the end, where it is not overlooked.
 */
#include "output/run_text.h"

#include "base/text.h"
#include "output/quantity.h"
#include "output/run_view.h"
#include "output/table.h"
#include "output/wording.h"
#include "stats/verdict.h"

#include <math.h>
#include <string.h>

/* A table can't hold more variants; the rest is in JSON. */
enum { SHOWN_VARIANTS_MAX = 12, SHOWN_JUDGED_MAX = 3 };

/* What several functions need to add a piece of text. */
struct text {
    struct pb_strbuf *buf;
    const struct pb_run_record *run;
    const struct pb_style *style;
    struct pb_arena arena;
    struct pb_strbuf scratch;
};

/* The scratch buffer, emptied. */
static struct pb_strbuf *scratch(struct text *text)
{
    pb_strbuf_reset(&text->scratch);
    return &text->scratch;
}

/* Sets a cell to what was put into the scratch buffer. */
static void set_scratch_cell(struct text *text, struct pb_table *table, size_t column,
                             enum pb_tone tone)
{
    pb_table_cell(table, column, text->scratch.text, tone);
}

static void set_time_cell(struct text *text, struct pb_table *table, size_t column,
                          const struct pb_benchmark_record *benchmark)
{
    const enum pb_tone tone = pb_wording_time(scratch(text), benchmark);
    set_scratch_cell(text, table, column, tone);
}

static void set_ns_cell(struct text *text, struct pb_table *table, size_t column, double time_ns)
{
    pb_quantity_add_time(scratch(text), time_ns);
    set_scratch_cell(text, table, column, PB_TONE_PLAIN);
}

static void set_count_cell(struct text *text, struct pb_table *table, size_t column, uint64_t n)
{
    pb_strbuf_addf(scratch(text), "%llu", (unsigned long long)n);
    set_scratch_cell(text, table, column, PB_TONE_PLAIN);
}

/* Speed-up, interval and verdict of a pair in three columns from `column` on. */
static void set_pair_cells(struct text *text, struct pb_table *table, size_t column,
                           const struct pb_pair_record *pair)
{
    if (pair == NULL) {
        return;
    }
    const enum pb_tone tone = pb_verdict_tone(pair->verdict);
    if (isfinite(pair->estimate)) {
        pb_quantity_add_speedup(scratch(text), pair->estimate);
        set_scratch_cell(text, table, column, tone);
        pb_quantity_add_speedup_interval(scratch(text), pair->lo, pair->hi);
        set_scratch_cell(text, table, column + 1, PB_TONE_PLAIN);
    }
    pb_table_cell(table, column + 2, pb_verdict_name(pair->verdict), tone);
}

static void add_pair_columns(struct text *text, struct pb_table *table,
                             const struct pb_view_case *shown, const size_t *judged, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pb_strbuf *buf = scratch(text);
        pb_strbuf_adds(buf, "speed-up");
        if (n > 1) {
            pb_strbuf_addf(buf, " %s", shown->variants[judged[i]].name);
        }
        pb_table_column(table, buf->text, PB_ALIGN_RIGHT);
        pb_table_column(table, "", PB_ALIGN_LEFT);
        pb_table_column(table, "verdict", PB_ALIGN_LEFT);
    }
}

static void add_case_table(struct text *text, const struct pb_view_case *shown)
{
    size_t *judged = pb_arena_array(&text->arena, shown->n_variants, sizeof *judged);
    size_t n_judged = pb_view_judged(shown, judged);
    n_judged = n_judged < SHOWN_JUDGED_MAX ? n_judged : SHOWN_JUDGED_MAX;
    const size_t n_variants =
        shown->n_variants < SHOWN_VARIANTS_MAX ? shown->n_variants : SHOWN_VARIANTS_MAX;
    struct pb_table table;
    pb_table_init(&table, &text->arena);
    pb_table_column(&table, "scenario", PB_ALIGN_LEFT);
    for (size_t i = 0; i < n_variants; i++) {
        pb_table_column(&table, shown->variants[i].name, PB_ALIGN_RIGHT);
    }
    add_pair_columns(text, &table, shown, judged, n_judged);
    for (size_t r = 0; r < shown->n_scenarios; r++) {
        const struct pb_view_scenario *scenario = &shown->scenarios[r];
        pb_table_row(&table);
        pb_table_cell(&table, 0, scenario->name, PB_TONE_PLAIN);
        for (size_t i = 0; i < n_variants; i++) {
            set_time_cell(text, &table, 1 + i,
                          pb_view_benchmark(scenario, shown->variants[i].name));
        }
        for (size_t i = 0; i < n_judged; i++) {
            set_pair_cells(text, &table, 1 + n_variants + 3 * i,
                           pb_view_pair(scenario, shown->variants[judged[i]].name));
        }
    }
    pb_tone_add(text->buf, text->style->color, PB_TONE_HEADING, shown->name);
    pb_strbuf_addc(text->buf, '\n');
    pb_table_render(&table, text->style->color, 2, text->buf);
    pb_strbuf_addc(text->buf, '\n');
}

/* Half of the interval's width, and the smallest difference that it could have excluded. */
static void set_precision_cells(struct text *text, struct pb_table *table, size_t column,
                                const struct pb_pair_record *pair)
{
    const struct pb_interval interval = {pair->estimate, pair->lo, pair->hi};
    const double half_pct =
        isfinite(pair->hi - pair->lo) ? pb_change_pct((pair->hi - pair->lo) / 2) : (double)NAN;
    const double provable = pb_provable_equivalence(interval);
    struct pb_strbuf *buf = scratch(text);
    pb_quantity_add_change(buf, half_pct);
    /* A width has no sign. */
    pb_table_cell(table, column, buf->text + (buf->text[0] == '+'), PB_TONE_PLAIN);
    buf = scratch(text);
    pb_quantity_add_change(buf, isfinite(provable) ? 100 * provable : (double)NAN);
    pb_table_cell(table, column + 1, buf->text + (buf->text[0] == '+'), PB_TONE_PLAIN);
}

/* With -v: every pair, judged or not, with what its verdict rests on. */
static void add_pair_details(struct text *text)
{
    static const struct pb_table_heading headings[] = {
        {"pair", PB_ALIGN_LEFT},      {"launches", PB_ALIGN_RIGHT},
        {"timed", PB_ALIGN_RIGHT},    {"half-width", PB_ALIGN_RIGHT},
        {"provable", PB_ALIGN_RIGHT}, {"speed-up", PB_ALIGN_RIGHT},
        {"", PB_ALIGN_LEFT},          {"verdict", PB_ALIGN_LEFT},
        {"stopped", PB_ALIGN_LEFT},   {"noticed", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, &text->arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < text->run->n_pairs; i++) {
        const struct pb_pair_record *pair = &text->run->pairs[i];
        pb_table_row(&table);
        pb_wording_pair(scratch(text), pair);
        set_scratch_cell(text, &table, 0, PB_TONE_PLAIN);
        set_count_cell(text, &table, 1, pair->n_launches);
        pb_quantity_add_duration(scratch(text), pair->timed_s);
        set_scratch_cell(text, &table, 2, PB_TONE_PLAIN);
        set_precision_cells(text, &table, 3, pair);
        set_pair_cells(text, &table, 5, pair);
        pb_table_cell(&table, 8, pair->stopped, PB_TONE_FAINT);
        pb_table_cell(&table, 9, pair->noticed, PB_TONE_FAINT);
    }
    pb_table_render(&table, text->style->color, 0, text->buf);
    pb_strbuf_addc(text->buf, '\n');
}

/* With -v: every benchmark with its median, repeats and counts. */
static void add_benchmark_details(struct text *text)
{
    static const struct pb_table_heading headings[] = {
        {"benchmark", PB_ALIGN_LEFT},
        {"best", PB_ALIGN_RIGHT},
        {"median", PB_ALIGN_RIGHT},
        {"CPU", PB_ALIGN_RIGHT},
        {"repeats", PB_ALIGN_RIGHT},
        {"iterations", PB_ALIGN_RIGHT},
        {"counts of one operation", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, &text->arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < text->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &text->run->benchmarks[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0, benchmark->name, PB_TONE_PLAIN);
        set_time_cell(text, &table, 1, benchmark);
        set_ns_cell(text, &table, 2, benchmark->median_ns);
        set_ns_cell(text, &table, 3, benchmark->cpu_ns);
        set_count_cell(text, &table, 4, benchmark->repeats);
        set_count_cell(text, &table, 5, benchmark->iterations);
        pb_wording_counts(scratch(text), benchmark);
        set_scratch_cell(text, &table, 6, PB_TONE_PLAIN);
    }
    pb_table_render(&table, text->style->color, 0, text->buf);
    pb_strbuf_addc(text->buf, '\n');
}

/* One line for a thing that did not go well: what it is, its name, why. */
static void add_complaint(struct text *text, const char *word, enum pb_tone tone, const char *name,
                          const char *reason)
{
    pb_tone_add(text->buf, text->style->color, tone, word);
    pb_strbuf_addc(text->buf, ' ');
    pb_text_add_escaped(text->buf, name);
    if (reason != NULL && reason[0] != '\0') {
        pb_strbuf_adds(text->buf, ": ");
        pb_text_add_escaped(text->buf, reason);
    }
    pb_strbuf_addc(text->buf, '\n');
}

/* Benchmarks in a state other than ok. returns: how many lines were added */
static size_t add_bad_states(struct text *text, enum pb_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < text->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &text->run->benchmarks[i];
        if (benchmark->state == state) {
            add_complaint(text, pb_state_name(state),
                          state == PB_STATE_FAILED ? PB_TONE_BAD : PB_TONE_FAINT, benchmark->name,
                          benchmark->reason);
            n++;
        }
    }
    return n;
}

static size_t add_too_fast(struct text *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &text->run->benchmarks[i];
        if (benchmark->state == PB_STATE_OK && benchmark->below_resolution) {
            add_complaint(text, pb_verdict_name(PB_VERDICT_BELOW_RESOLUTION), PB_TONE_WARN,
                          benchmark->name, benchmark->reason);
            n++;
        }
    }
    if (n > 0) {
        pb_strbuf_adds(text->buf, "  hint: the clock can't tell so little work from none; let one "
                                  "operation do more, and make sure the compiler keeps it\n");
    }
    return n;
}

/* Pairs without a usable verdict whose sides are all right: the reason is the pair's own. */
static size_t add_bad_pairs(struct text *text)
{
    const bool quiet = text->style->verbosity < 0;
    size_t n = 0;
    for (size_t i = 0; i < text->run->n_pairs; i++) {
        const struct pb_pair_record *pair = &text->run->pairs[i];
        const bool fine =
            pair->verdict == PB_VERDICT_IMPROVED || pair->verdict == PB_VERDICT_UNCHANGED;
        const bool worth = pair->reason != NULL || (quiet && !fine);
        if (!pair->gated || !worth) {
            continue;
        }
        struct pb_strbuf *name = scratch(text);
        pb_wording_pair(name, pair);
        add_complaint(text, pb_verdict_name(pair->verdict), pb_verdict_tone(pair->verdict),
                      name->text, pair->reason);
        n++;
    }
    return n;
}

static void add_complaints(struct text *text)
{
    size_t n = add_bad_states(text, PB_STATE_FAILED);
    n += add_bad_pairs(text);
    n += add_too_fast(text);
    if (text->style->verbosity >= 0) {
        n += add_bad_states(text, PB_STATE_SKIPPED);
    }
    if (n > 0 && text->style->verbosity >= 0) {
        pb_strbuf_addc(text->buf, '\n');
    }
}

static void add_remarks(struct text *text)
{
    const struct pb_run_record *run = text->run;
    if (!run->valid) {
        pb_tone_add(text->buf, text->style->color, PB_TONE_BAD, "this run is invalid: ");
        pb_text_add_escaped(text->buf,
                            run->invalid_reason != NULL ? run->invalid_reason : "no reason given");
        pb_strbuf_addc(text->buf, '\n');
    }
    if (run->injected) {
        pb_tone_add(text->buf, text->style->color, PB_TONE_WARN,
                    "changes were injected: this run tests the tool, not the code");
        pb_strbuf_addc(text->buf, '\n');
    }
}

/* With -v: how the run was planned. */
static void add_plan(struct text *text)
{
    if (text->run->plan != NULL) {
        pb_strbuf_adds(text->buf, "plan: ");
        pb_text_add_escaped(text->buf, text->run->plan);
        pb_strbuf_addc(text->buf, '\n');
    }
}

/* With -v: each line of what was noticed. */
static void add_noticed(struct text *text)
{
    for (const char *line = text->run->noticed; line != NULL && *line != '\0';) {
        const size_t n = strcspn(line, "\n");
        pb_strbuf_adds(text->buf, "noticed: ");
        pb_text_add_escaped(text->buf, pb_arena_printf(&text->arena, "%.*s", (int)n, line));
        pb_strbuf_addc(text->buf, '\n');
        line += n + (line[n] == '\n');
    }
}

static void add_footer(struct text *text, size_t n_scenarios)
{
    const struct pb_run_record *run = text->run;
    const struct pb_verdict_counts verdicts = pb_run_verdicts(run);
    size_t states[PB_STATE_SKIPPED + 1];
    pb_run_states(run, states);
    struct pb_strbuf *buf = text->buf;
    if (verdicts.total > 0) {
        pb_strbuf_adds(buf, "pairs: ");
        pb_verdicts_add_summary(buf, &verdicts);
        if (states[PB_STATE_FAILED] > 0) {
            pb_strbuf_addf(buf, "; %zu %s failed", states[PB_STATE_FAILED],
                           states[PB_STATE_FAILED] == 1 ? "benchmark" : "benchmarks");
        }
        pb_strbuf_addc(buf, '\n');
    }
    pb_wording_plan(buf, run, n_scenarios);
    pb_strbuf_adds(buf, ", ");
    pb_wording_wall_time(buf, run);
    if (text->style->verbosity > 0 && isfinite(run->start_ms)) {
        pb_strbuf_addf(buf, ", worker start %.1f ms", run->start_ms);
    }
    pb_strbuf_addf(buf, ", seed %llu\nrun ", (unsigned long long)run->seed);
    pb_text_add_escaped(buf, run->id);
    if (run->label[0] != '\0') {
        pb_strbuf_adds(buf, ", ");
        pb_text_add_escaped(buf, run->label);
    }
    pb_strbuf_addc(buf, '\n');
}

void pb_run_text_add(struct pb_strbuf *buf, const struct pb_run_record *run,
                     const struct pb_style *style)
{
    struct text text = {.buf = buf, .run = run, .style = style};
    pb_strbuf_init(&text.scratch);
    struct pb_run_view view;
    pb_run_view_make(run, &text.arena, &view);
    if (style->verbosity >= 0) {
        for (size_t i = 0; i < view.n_cases; i++) {
            add_case_table(&text, &view.cases[i]);
        }
    }
    if (style->verbosity > 0) {
        add_pair_details(&text);
        add_benchmark_details(&text);
    }
    add_complaints(&text);
    add_remarks(&text);
    if (style->verbosity > 0) {
        add_plan(&text);
        add_noticed(&text);
    }
    if (style->verbosity >= 0) {
        add_footer(&text, view.n_scenarios);
    }
    pb_strbuf_release(&text.scratch);
    pb_arena_release(&text.arena);
}
