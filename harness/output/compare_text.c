/* SPDX-License-Identifier: Apache-2.0
 *
 * The summary comes last: it is what stays on the screen.
 */
#include "output/compare_text.h"

#include <math.h>

#include "base/arena.h"
#include "base/text.h"
#include "output/quantity.h"
#include "output/table.h"
#include "output/wording.h"

/* So many benchmarks are shown even when nothing changed. */
enum { ALL_SHOWN_MAX = 20 };

struct text {
    struct pb_strbuf *buf;
    const struct pb_comparison *comparison;
    const struct pb_style *style;
    struct pb_arena arena;
    struct pb_strbuf scratch;
};

static struct pb_strbuf *scratch(struct text *text)
{
    pb_strbuf_reset(&text->scratch);
    return &text->scratch;
}

/* Appends a table with rows, and a blank line behind it. */
static void render(struct text *text, const struct pb_table *table)
{
    const size_t before = text->buf->length;
    pb_table_render(table, text->style->color, 0, text->buf);
    if (text->buf->length > before) {
        pb_strbuf_addc(text->buf, '\n');
    }
}

static bool is_listed(const struct text *text, const struct pb_compared *item)
{
    const enum pb_verdict verdict = item->pair.verdict;
    if (text->style->verbosity < 0) {
        return pb_verdict_severity(verdict) < pb_verdict_severity(PB_VERDICT_SKIPPED);
    }
    return text->style->verbosity > 0 || text->comparison->n <= ALL_SHOWN_MAX ||
           verdict != PB_VERDICT_UNCHANGED;
}

static void add_item(struct text *text, struct pb_table *table, const struct pb_compared *item)
{
    const struct pb_pair_record *pair = &item->pair;
    const enum pb_tone tone = pb_verdict_tone(pair->verdict);
    pb_table_row(table);
    pb_table_cell(table, 0, pb_verdict_name(pair->verdict), tone);
    pb_table_cell(table, 1, item->name, PB_TONE_PLAIN);
    const enum pb_tone base_tone = pb_wording_time(scratch(text), item->base);
    pb_table_cell(table, 2, text->scratch.text, base_tone);
    const enum pb_tone head_tone = pb_wording_time(scratch(text), item->head);
    pb_table_cell(table, 3, text->scratch.text, head_tone);
    pb_compared_add_change(scratch(text), item);
    pb_table_cell(table, 4, text->scratch.text, tone);
    if (pair->n_launches > 0) {
        pb_strbuf_addf(scratch(text), "%zu", pair->n_launches);
        pb_table_cell(table, 5, text->scratch.text, PB_TONE_PLAIN);
    }
    pb_compared_add_reason(scratch(text), item);
    pb_table_cell(table, 6, text->scratch.text, PB_TONE_FAINT);
}

static void add_table(struct text *text)
{
    static const struct pb_table_heading headings[] = {
        {"verdict", PB_ALIGN_LEFT}, {"benchmark", PB_ALIGN_LEFT}, {"base", PB_ALIGN_RIGHT},
        {"head", PB_ALIGN_RIGHT},   {"change", PB_ALIGN_LEFT},    {"launches", PB_ALIGN_RIGHT},
        {"", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, &text->arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < text->comparison->n; i++) {
        if (is_listed(text, &text->comparison->items[i])) {
            add_item(text, &table, &text->comparison->items[i]);
        }
    }
    render(text, &table);
}

/* The production objects beside the shuffled ones: their difference is luck, good or bad. */
static void add_layout_luck(struct text *text)
{
    static const struct pb_table_heading headings[] = {
        {"layout luck", PB_ALIGN_LEFT}, {"shuffled", PB_ALIGN_RIGHT}, {"as built", PB_ALIGN_RIGHT},
        {"luck", PB_ALIGN_RIGHT},       {"launches", PB_ALIGN_RIGHT},
    };
    struct pb_table table;
    pb_table_init(&table, &text->arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < text->comparison->n; i++) {
        const struct pb_compared *item = &text->comparison->items[i];
        if (item->production == NULL || !isfinite(item->production->estimate)) {
            continue;
        }
        const double numbers[] = {item->pair.estimate, item->production->estimate,
                                  item->production->estimate - item->pair.estimate};
        pb_table_row(&table);
        pb_table_cell(&table, 0, item->name, PB_TONE_PLAIN);
        for (size_t k = 0; k < 3; k++) {
            pb_quantity_add_change(scratch(text), pb_change_pct(numbers[k]));
            pb_table_cell(&table, 1 + k, text->scratch.text, PB_TONE_PLAIN);
        }
        pb_strbuf_addf(scratch(text), "%zu", item->production->n_launches);
        pb_table_cell(&table, 4, text->scratch.text, PB_TONE_PLAIN);
    }
    render(text, &table);
}

static void add_count_changes(struct text *text)
{
    bool any = false;
    for (size_t i = 0; i < text->comparison->n; i++) {
        const struct pb_compared *item = &text->comparison->items[i];
        struct pb_count_change *changes =
            pb_arena_array(&text->arena, pb_compared_counts_max(item), sizeof *changes);
        const size_t n = pb_compared_count_changes(item, changes);
        for (size_t k = 0; k < n; k++) {
            pb_strbuf_adds(text->buf, "count ");
            pb_text_add_escaped(text->buf, item->name);
            pb_strbuf_adds(text->buf, ": ");
            pb_text_add_escaped(text->buf, changes[k].name);
            pb_strbuf_addf(text->buf, " %lld → %lld\n", (long long)changes[k].base,
                           (long long)changes[k].head);
            any = true;
        }
    }
    if (any) {
        pb_strbuf_addc(text->buf, '\n');
    }
}

static void add_line(struct text *text, const char *before, enum pb_tone tone, const char *line)
{
    pb_tone_add(text->buf, text->style->color, tone, before);
    pb_text_add_escaped(text->buf, line);
    pb_strbuf_addc(text->buf, '\n');
}

static void add_heading(struct text *text)
{
    const struct pb_comparison *comparison = text->comparison;
    pb_compared_side_add(scratch(text), &comparison->base);
    add_line(text, "base  ", PB_TONE_HEADING, text->scratch.text);
    pb_compared_side_add(scratch(text), &comparison->head);
    add_line(text, "head  ", PB_TONE_HEADING, text->scratch.text);
    pb_merge_base_add(scratch(text), &comparison->merge_base);
    if (text->scratch.length > 0) {
        add_line(text, "", PB_TONE_PLAIN, text->scratch.text);
    }
    pb_strbuf_addc(text->buf, '\n');
}

/* What base showed against itself: nothing, if all is well. */
static void add_control(struct text *text)
{
    const struct pb_pair_record *pair = text->comparison->control;
    if (pair == NULL || pair->n_launches == 0) {
        return;
    }
    const struct pb_compared control = {.name = "", .pair = *pair, .screen_pct = NAN, .p = NAN};
    pb_compared_add_change(scratch(text), &control);
    pb_strbuf_addf(&text->scratch, " in %zu launches of ", pair->n_launches);
    pb_strbuf_addf(&text->scratch, "%s/%s", pair->case_name, pair->scenario);
    add_line(text, "base against itself: ", PB_TONE_PLAIN, text->scratch.text);
}

static void add_remarks(struct text *text)
{
    const struct pb_run_record *run = &text->comparison->run;
    if (text->style->verbosity > 0) {
        add_control(text);
    }
    if (!run->valid) {
        add_line(text, "this run is invalid: ", PB_TONE_BAD,
                 run->invalid_reason != NULL ? run->invalid_reason : "no reason given");
    }
    if (run->injected) {
        add_line(text, "", PB_TONE_WARN,
                 "changes were injected into head: this run tests the tool, not the code");
    }
    size_t identical = 0;
    for (size_t i = 0; i < text->comparison->n; i++) {
        identical += text->comparison->items[i].identical;
    }
    if (identical > 0 && text->style->verbosity >= 0) {
        add_line(text, "", PB_TONE_PLAIN,
                 "machine code and data of both sides are identical: nothing was timed "
                 "(--time-identical does)");
    }
}

static void add_footer(struct text *text)
{
    const struct pb_comparison *comparison = text->comparison;
    const struct pb_verdict_counts counts = pb_comparison_verdicts(comparison);
    struct pb_strbuf *buf = text->buf;
    pb_verdicts_add_summary(buf, &counts);
    pb_strbuf_adds(buf, counts.total == 0 ? "nothing to compare" : "");
    if (text->style->verbosity >= 0) {
        pb_strbuf_addf(buf, "; margin %.3g %%, equivalence %.3g %%, ",
                       100 * comparison->margins.gate, 100 * comparison->margins.equivalence);
        pb_strbuf_addf(buf, "layouts %zu and %zu, ", comparison->base.layouts,
                       comparison->head.layouts);
        pb_quantity_add_duration(buf, comparison->wall_s);
        pb_strbuf_addf(buf, ", seed %llu", (unsigned long long)comparison->run.seed);
    }
    pb_strbuf_addc(buf, '\n');
}

void pb_compare_text_add(struct pb_strbuf *buf, const struct pb_comparison *comparison,
                         const struct pb_style *style)
{
    struct text text = {.buf = buf, .comparison = comparison, .style = style};
    pb_strbuf_init(&text.scratch);
    if (style->verbosity >= 0) {
        add_heading(&text);
    }
    add_table(&text);
    if (style->verbosity >= 0) {
        add_layout_luck(&text);
        add_count_changes(&text);
    }
    add_remarks(&text);
    add_footer(&text);
    pb_strbuf_release(&text.scratch);
    pb_arena_release(&text.arena);
}
