/* SPDX-License-Identifier: Apache-2.0
 *
 * The summary comes last: it is what stays on the screen.
 */
#include "output/check_text.h"

#include "base/text.h"
#include "output/quantity.h"

#include <stdbool.h>
#include <string.h>

/* Whether a verdict is listed: with -v all, with -q what calls for action. */
static bool is_listed(enum pb_verdict verdict, int verbosity)
{
    if (verbosity > 0) {
        return true;
    }
    if (verbosity < 0) {
        return pb_verdict_severity(verdict) < pb_verdict_severity(PB_VERDICT_SKIPPED);
    }
    return verdict != PB_VERDICT_UNCHANGED;
}

/* How far runs lie apart, and how that is known. */
static void add_spread(struct pb_strbuf *buf, const struct pb_finding *finding)
{
    if (!(finding->spread_pct > 0)) {
        return;
    }
    pb_strbuf_addf(buf, "%.2g %%", finding->spread_pct);
    if (finding->spread_runs > 0) {
        pb_strbuf_addf(buf, " in %zu runs", finding->spread_runs);
    } else {
        pb_strbuf_adds(buf, " assumed");
    }
}

/* spread: whether there is a column for it */
static void add_finding(struct pb_table *table, const struct pb_finding *finding, bool spread,
                        struct pb_strbuf *scratch)
{
    const enum pb_tone tone = pb_finding_tone(finding);
    pb_table_row(table);
    pb_table_cell(table, 0, pb_finding_word(finding), tone);
    pb_table_cell(table, 1, finding->name, PB_TONE_PLAIN);
    pb_table_cell(table, 2, finding->metric, PB_TONE_PLAIN);
    pb_strbuf_reset(scratch);
    pb_quantity_add_number(scratch, finding->baseline);
    pb_table_cell(table, 3, scratch->text, PB_TONE_PLAIN);
    pb_strbuf_reset(scratch);
    pb_quantity_add_number(scratch, finding->now);
    pb_table_cell(table, 4, scratch->text, PB_TONE_PLAIN);
    pb_strbuf_reset(scratch);
    pb_finding_add_change(scratch, finding);
    pb_table_cell(table, 5, scratch->text, tone);
    pb_table_cell(table, 6, finding->reason, PB_TONE_FAINT);
    if (spread) {
        pb_strbuf_reset(scratch);
        add_spread(scratch, finding);
        pb_table_cell(table, 7, scratch->text, PB_TONE_FAINT);
    }
}

static void add_table(struct pb_strbuf *buf, const struct pb_check_record *check,
                      const struct pb_style *style, struct pb_arena *arena)
{
    static const struct pb_table_heading headings[] = {
        {"verdict", PB_ALIGN_LEFT},   {"benchmark", PB_ALIGN_LEFT}, {"metric", PB_ALIGN_LEFT},
        {"baseline", PB_ALIGN_RIGHT}, {"now", PB_ALIGN_RIGHT},      {"change", PB_ALIGN_LEFT},
        {"reason", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    if (style->verbosity > 0) {
        pb_table_column(&table, "runs differ by", PB_ALIGN_LEFT);
    }
    struct pb_finding *sorted = pb_findings_sorted(arena, check->findings, check->n_findings);
    struct pb_strbuf scratch;
    pb_strbuf_init(&scratch);
    for (size_t i = 0; i < check->n_findings; i++) {
        if (is_listed(sorted[i].verdict, style->verbosity)) {
            add_finding(&table, &sorted[i], style->verbosity > 0, &scratch);
        }
    }
    pb_strbuf_release(&scratch);
    const size_t before = buf->length;
    pb_table_render(&table, style->color, 0, buf);
    if (buf->length > before) {
        pb_strbuf_addc(buf, '\n');
    }
}

void pb_check_text_add(struct pb_strbuf *buf, const struct pb_check_record *check,
                       const struct pb_style *style)
{
    struct pb_arena arena = {0};
    add_table(buf, check, style, &arena);
    if (check->note != NULL) {
        pb_tone_add(buf, style->color, PB_TONE_WARN, "note: ");
        pb_text_add_escaped(buf, check->note);
        pb_strbuf_addc(buf, '\n');
    }
    pb_findings_add_summary(buf, check->findings, check->n_findings);
    if (check->n_baselines > 0 && style->verbosity >= 0) {
        pb_strbuf_adds(buf, ", against ");
        for (size_t i = 0; i < check->n_baselines; i++) {
            pb_strbuf_adds(buf, i > 0 ? " and " : "");
            pb_text_add_escaped(buf, check->baselines[i]);
        }
    }
    pb_strbuf_addc(buf, '\n');
    pb_arena_release(&arena);
}
