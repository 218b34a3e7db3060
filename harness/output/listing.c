/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists as indented text: short enough to read, complete enough to copy a name from.
 */
#include "output/listing.h"

#include "base/text.h"
#include "output/quantity.h"
#include "output/table.h"
#include "stats/verdict.h"

#include <math.h>

/* Benchmark names and nothing else, for scripts. A name is one line, whatever is in it. */
static void add_names(struct pb_strbuf *buf, const struct pb_listed_case *listed)
{
    for (size_t s = 0; s < listed->n_scenarios; s++) {
        for (size_t v = 0; v < listed->n_variants; v++) {
            pb_text_add_escaped(buf, listed->name);
            pb_strbuf_addc(buf, '/');
            pb_text_add_escaped(buf, listed->scenarios[s].name);
            pb_strbuf_addc(buf, '/');
            pb_text_add_escaped(buf, listed->variants[v].name);
            pb_strbuf_addc(buf, '\n');
        }
    }
}

static void add_suite(struct pb_strbuf *buf, const struct pb_listed_suite *suite,
                      const struct pb_style *style)
{
    pb_strbuf_adds(buf, "suite ");
    pb_tone_add(buf, style->color, PB_TONE_HEADING, suite->name);
    pb_strbuf_adds(buf, "  ");
    pb_text_add_escaped(buf, suite->path);
    pb_strbuf_adds(buf, "\n  ");
    pb_text_add_escaped(buf, suite->compiler);
    if (suite->build_type[0] != '\0') {
        pb_strbuf_adds(buf, ", ");
        pb_text_add_escaped(buf, suite->build_type);
    }
    if (!suite->optimized) {
        pb_tone_add(buf, style->color, PB_TONE_WARN, ", not optimised");
    }
    if (style->verbosity > 0) {
        pb_strbuf_adds(buf, "\n  flags: ");
        pb_text_add_escaped(buf, suite->flags);
    }
    pb_strbuf_addc(buf, '\n');
}

/* Names with their summaries in two columns. */
static void add_pair_row(struct pb_table *table, const char *name, const char *summary,
                         const char *remark)
{
    pb_table_row(table);
    pb_table_cell(table, 0, name, PB_TONE_PLAIN);
    pb_table_cell(table, 1, summary, PB_TONE_FAINT);
    pb_table_cell(table, 2, remark, PB_TONE_FAINT);
}

static void begin_pair_table(struct pb_table *table, struct pb_arena *arena, const char *heading)
{
    pb_table_init(table, arena);
    pb_table_column(table, heading, PB_ALIGN_LEFT);
    pb_table_column(table, "", PB_ALIGN_LEFT);
    pb_table_column(table, "", PB_ALIGN_LEFT);
}

static void add_case(struct pb_strbuf *buf, const struct pb_listed_case *listed,
                     const struct pb_style *style, struct pb_arena *arena)
{
    pb_strbuf_addc(buf, '\n');
    pb_tone_add(buf, style->color, PB_TONE_HEADING, listed->name);
    pb_strbuf_adds(buf, ": ");
    pb_text_add_escaped(buf, listed->summary);
    pb_strbuf_adds(buf, "\n  source: ");
    pb_text_add_escaped(buf, listed->source);
    pb_strbuf_addc(buf, '\n');
    struct pb_table table;
    begin_pair_table(&table, arena, "variant");
    for (size_t i = 0; i < listed->n_variants; i++) {
        const struct pb_listed_variant *variant = &listed->variants[i];
        add_pair_row(&table, variant->name, variant->summary,
                     variant->bound       ? "bound"
                     : variant->reference ? "third party"
                                          : "");
    }
    pb_table_render(&table, style->color, 2, buf);
    begin_pair_table(&table, arena, "scenario");
    for (size_t i = 0; i < listed->n_scenarios; i++) {
        const struct pb_listed_scenario *scenario = &listed->scenarios[i];
        add_pair_row(&table, scenario->name, scenario->summary,
                     scenario->on_request ? "on request only" : "");
    }
    pb_table_render(&table, style->color, 2, buf);
}

void pb_listing_text_add(struct pb_strbuf *buf, const struct pb_listing *listing,
                         const struct pb_style *style)
{
    struct pb_arena arena = {0};
    for (size_t i = 0; i < listing->n_suites && style->verbosity >= 0; i++) {
        add_suite(buf, &listing->suites[i], style);
    }
    for (size_t i = 0; i < listing->n_cases; i++) {
        if (style->verbosity < 0) {
            add_names(buf, &listing->cases[i]);
        } else {
            add_case(buf, &listing->cases[i], style, &arena);
        }
    }
    pb_arena_release(&arena);
}

static void add_facts(struct pb_strbuf *buf, const char *title, const struct pb_facts *facts,
                      const struct pb_style *style, struct pb_arena *arena)
{
    if (facts->n == 0) {
        return;
    }
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_column(&table, title, PB_ALIGN_LEFT);
    pb_table_column(&table, "", PB_ALIGN_LEFT);
    for (size_t i = 0; i < facts->n; i++) {
        pb_table_row(&table);
        pb_table_cell(&table, 0, facts->items[i].key, PB_TONE_PLAIN);
        pb_table_cell(&table, 1, facts->items[i].value, PB_TONE_PLAIN);
    }
    pb_table_render(&table, style->color, 0, buf);
    pb_strbuf_addc(buf, '\n');
}

static void add_ratios(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                       const struct pb_style *style, struct pb_arena *arena)
{
    static const struct pb_table_heading headings[] = {
        {"pair", PB_ALIGN_LEFT},    {"speed-up", PB_ALIGN_RIGHT}, {"", PB_ALIGN_LEFT},
        {"spread", PB_ALIGN_RIGHT}, {"launches", PB_ALIGN_RIGHT},
    };
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        const struct pb_listed_ratio *ratio = &baseline->ratios[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0,
                      pb_arena_printf(arena, "%s/%s: %s against %s", ratio->case_name,
                                      ratio->scenario, ratio->b, ratio->a),
                      PB_TONE_PLAIN);
        struct pb_strbuf text;
        pb_strbuf_init(&text);
        pb_quantity_add_speedup(&text, ratio->estimate);
        pb_table_cell(&table, 1, text.text, PB_TONE_PLAIN);
        pb_strbuf_reset(&text);
        pb_quantity_add_speedup_interval(&text, ratio->lo, ratio->hi);
        pb_table_cell(&table, 2, text.text, PB_TONE_PLAIN);
        pb_strbuf_reset(&text);
        pb_quantity_add_change(&text, pb_change_pct(ratio->spread));
        pb_table_cell(&table, 3, text.text + (text.text[0] == '+'), PB_TONE_PLAIN);
        pb_table_cell(&table, 4, pb_arena_printf(arena, "%u", (unsigned)ratio->launches),
                      PB_TONE_PLAIN);
        pb_strbuf_release(&text);
    }
    pb_table_render(&table, style->color, 0, buf);
}

static void add_counts(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                       const struct pb_style *style, struct pb_arena *arena)
{
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_column(&table, "benchmark", PB_ALIGN_LEFT);
    pb_table_column(&table, "count", PB_ALIGN_LEFT);
    pb_table_column(&table, "of one operation", PB_ALIGN_RIGHT);
    for (size_t i = 0; i < baseline->n_counts; i++) {
        const struct pb_listed_count *count = &baseline->counts[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0, count->name, PB_TONE_PLAIN);
        pb_table_cell(&table, 1, count->metric, PB_TONE_PLAIN);
        pb_table_cell(&table, 2, pb_arena_printf(arena, "%lld", (long long)count->value),
                      PB_TONE_PLAIN);
    }
    pb_table_render(&table, style->color, 0, buf);
}

/* A table with an empty line before it; nothing when it has no rows but its headings. */
static void add_block(struct pb_strbuf *buf, const struct pb_table *table,
                      const struct pb_style *style)
{
    if (table->n_rows > 1) {
        pb_strbuf_addc(buf, '\n');
        pb_table_render(table, style->color, 0, buf);
    }
}

static void add_aliases(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                        const struct pb_style *style, struct pb_arena *arena)
{
    static const struct pb_table_heading headings[] = {
        {"renamed", PB_ALIGN_LEFT},
        {"to", PB_ALIGN_LEFT},
        {"on", PB_ALIGN_LEFT},
        {"because", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < baseline->n_aliases; i++) {
        const struct pb_listed_alias *alias = &baseline->aliases[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0, alias->old_name, PB_TONE_PLAIN);
        pb_table_cell(&table, 1, alias->new_name, PB_TONE_PLAIN);
        pb_table_cell(&table, 2, alias->date, PB_TONE_PLAIN);
        pb_table_cell(&table, 3, alias->reason, PB_TONE_FAINT);
    }
    add_block(buf, &table, style);
}

static void add_waivers(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                        const struct pb_style *style, struct pb_arena *arena)
{
    static const struct pb_table_heading headings[] = {
        {"waived", PB_ALIGN_LEFT},   {"gate", PB_ALIGN_LEFT},  {"metric", PB_ALIGN_LEFT},
        {"at most", PB_ALIGN_RIGHT}, {"until", PB_ALIGN_LEFT}, {"because", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < baseline->n_waivers; i++) {
        const struct pb_listed_waiver *waiver = &baseline->waivers[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0, waiver->name, PB_TONE_PLAIN);
        pb_table_cell(&table, 1, waiver->gate != NULL ? waiver->gate : "any", PB_TONE_PLAIN);
        pb_table_cell(&table, 2, waiver->metric != NULL ? waiver->metric : "any", PB_TONE_PLAIN);
        if (isfinite(waiver->at_most_pct)) {
            pb_table_cell(&table, 3, pb_arena_printf(arena, "%g %%", waiver->at_most_pct),
                          PB_TONE_PLAIN);
        }
        pb_table_cell(&table, 4, waiver->until, PB_TONE_PLAIN);
        pb_table_cell(&table, 5, waiver->reason, PB_TONE_FAINT);
    }
    add_block(buf, &table, style);
}

void pb_baseline_text_add(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                          const struct pb_style *style)
{
    struct pb_arena arena = {0};
    for (size_t i = 0; i < baseline->n_paths; i++) {
        pb_text_add_escaped(buf, baseline->paths[i]);
        pb_strbuf_addc(buf, '\n');
    }
    pb_strbuf_addc(buf, '\n');
    add_facts(buf, "holds for", &baseline->class_facts, style, &arena);
    add_facts(buf, "made from", &baseline->origin, style, &arena);
    add_ratios(buf, baseline, style, &arena);
    if (baseline->n_ratios > 0 && baseline->n_counts > 0) {
        pb_strbuf_addc(buf, '\n');
    }
    add_counts(buf, baseline, style, &arena);
    add_aliases(buf, baseline, style, &arena);
    add_waivers(buf, baseline, style, &arena);
    pb_arena_release(&arena);
}
