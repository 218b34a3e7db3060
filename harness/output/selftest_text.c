/* SPDX-License-Identifier: Apache-2.0
 *
 * Shares are shown with the counts that they come from: 0 of 40 and 0 of 4000 are not the same.
 */
#include "output/selftest_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "output/table.h"

const char *pb_demand_result_name(enum pb_demand_result result)
{
    static const char *const names[] = {
        [PB_DEMAND_NONE] = "-",
        [PB_DEMAND_OPEN] = "open",
        [PB_DEMAND_REACHED] = "reached",
        [PB_DEMAND_MISSED] = "missed",
    };
    return names[result];
}

static enum pb_tone tone_of(enum pb_demand_result result)
{
    return result == PB_DEMAND_REACHED  ? PB_TONE_GOOD
           : result == PB_DEMAND_MISSED ? PB_TONE_BAD
           : result == PB_DEMAND_OPEN   ? PB_TONE_WARN
                                        : PB_TONE_FAINT;
}

/* Sets a cell to text made printf-style. */
static void set_cell(struct pb_table *table, size_t column, enum pb_tone tone, const char *format,
                     ...) PB_PRINTF(4, 5);

static void set_cell(struct pb_table *table, size_t column, enum pb_tone tone, const char *format,
                     ...)
{
    char text[96];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pb_table_cell(table, column, text, tone);
}

static void set_demand(struct pb_table *table, size_t column, const struct pb_selftest_row *row,
                       const struct pb_demand *demand)
{
    const char *sign = row->at_most ? "≤" : "≥";
    if (isnan(demand->limit)) {
        return;
    }
    if (row->is_seconds) {
        set_cell(table, column, PB_TONE_PLAIN, "%s %.0f s", sign, demand->limit);
    } else if (demand->limit <= 0 || demand->limit >= 1) {
        pb_table_cell(table, column, demand->limit <= 0 ? "none" : "all", PB_TONE_PLAIN);
    } else {
        set_cell(table, column, PB_TONE_PLAIN, "%s %.3g %%", sign, 100 * demand->limit);
    }
}

static void set_measured(struct pb_table *table, const struct pb_selftest_row *row)
{
    if (row->is_seconds) {
        if (!isnan(row->value_s)) {
            set_cell(table, 1, PB_TONE_PLAIN, "%.1f s", row->value_s);
        }
        return;
    }
    if (row->n == 0) {
        return;
    }
    set_cell(table, 1, PB_TONE_PLAIN, "%llu of %llu", (unsigned long long)row->k,
             (unsigned long long)row->n);
    set_cell(table, 2, PB_TONE_PLAIN, "%.2f %%", 100 * (double)row->k / (double)row->n);
    set_cell(table, 3, PB_TONE_FAINT, "%.2f … %.2f %%", 100 * row->lo, 100 * row->hi);
    if (!isnan(row->median_s)) {
        set_cell(table, 4, PB_TONE_PLAIN, "%.2f s", row->median_s);
    }
}

static void add_rows(struct pb_strbuf *buf, const struct pb_selftest_report *report,
                     const struct pb_style *style, struct pb_arena *arena)
{
    static const struct pb_table_heading headings[] = {
        {"", PB_ALIGN_LEFT},      {"measured", PB_ALIGN_RIGHT}, {"share", PB_ALIGN_RIGHT},
        {"95 %", PB_ALIGN_RIGHT}, {"median", PB_ALIGN_RIGHT},   {"must", PB_ALIGN_LEFT},
        {"", PB_ALIGN_LEFT},      {"aim", PB_ALIGN_LEFT},       {"", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < report->n_rows; i++) {
        const struct pb_selftest_row *row = &report->rows[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0, row->what, PB_TONE_PLAIN);
        set_measured(&table, row);
        set_demand(&table, 5, row, &row->must);
        pb_table_cell(&table, 6, pb_demand_result_name(row->must.result),
                      tone_of(row->must.result));
        set_demand(&table, 7, row, &row->aim);
        pb_table_cell(&table, 8, pb_demand_result_name(row->aim.result), tone_of(row->aim.result));
    }
    pb_table_render(&table, style->color, 0, buf);
}

static void add_counts(struct pb_strbuf *buf, const struct pb_selftest_report *report,
                       const struct pb_style *style)
{
    size_t n[PB_DEMAND_MISSED + 1] = {0};
    for (size_t i = 0; i < report->n_rows; i++) {
        n[report->rows[i].must.result]++;
    }
    pb_strbuf_addf(buf, "\nmust: %zu reached, ", n[PB_DEMAND_REACHED]);
    char missed[32];
    snprintf(missed, sizeof missed, "%zu missed", n[PB_DEMAND_MISSED]);
    pb_tone_add(buf, style->color, n[PB_DEMAND_MISSED] > 0 ? PB_TONE_BAD : PB_TONE_PLAIN, missed);
    pb_strbuf_addf(buf, ", %zu open for want of trials\n", n[PB_DEMAND_OPEN]);
    const char *cpu = pb_facts_get(&report->machine, "cpu");
    pb_strbuf_addf(buf, "%llu trials (%llu failed, %llu of invalid runs) in %.1f min: ",
                   (unsigned long long)report->n_trials, (unsigned long long)report->n_failed,
                   (unsigned long long)report->n_invalid, report->wall_s / 60);
    pb_text_add_escaped(buf, report->stopped);
    pb_strbuf_addf(buf, "; seed %llu", (unsigned long long)report->seed);
    if (cpu != NULL) {
        pb_strbuf_adds(buf, "; ");
        pb_text_add_escaped(buf, cpu);
    }
    pb_strbuf_addc(buf, '\n');
}

/* An empty line between two parts. */
static void separate(struct pb_strbuf *buf)
{
    if (buf->length > 0) {
        pb_strbuf_addc(buf, '\n');
    }
}

static void set_tally(struct pb_table *table, size_t column, const struct pb_method_tally *tally)
{
    if (tally->n > 0) {
        set_cell(table, column, PB_TONE_PLAIN, "%llu of %llu", (unsigned long long)tally->k,
                 (unsigned long long)tally->n);
        set_cell(table, column + 1, PB_TONE_PLAIN, "%.1f %%",
                 100 * (double)tally->k / (double)tally->n);
    } else {
        pb_table_cell(table, column, "-", PB_TONE_FAINT);
    }
}

static void add_methods(struct pb_strbuf *buf, const struct pb_selftest_report *report,
                        const struct pb_style *style, struct pb_arena *arena)
{
    static const struct pb_table_heading headings[] = {
        {"method", PB_ALIGN_LEFT}, {"false verdicts", PB_ALIGN_RIGHT},
        {"", PB_ALIGN_RIGHT},      {"found at +1 %", PB_ALIGN_RIGHT},
        {"", PB_ALIGN_RIGHT},      {"found at +2 %", PB_ALIGN_RIGHT},
        {"", PB_ALIGN_RIGHT},
    };
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < report->n_methods; i++) {
        const struct pb_method_row *method = &report->methods[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0, method->what, PB_TONE_PLAIN);
        set_tally(&table, 1, &method->false_verdicts);
        set_tally(&table, 3, &method->found_1);
        set_tally(&table, 5, &method->found_2);
    }
    separate(buf);
    pb_table_render(&table, style->color, 0, buf);
}

static void add_synthetic(struct pb_strbuf *buf, const struct pb_synthetic_report *report,
                          const struct pb_style *style, struct pb_arena *arena)
{
    static const struct pb_table_heading headings[] = {
        {"simulated launches", PB_ALIGN_LEFT},
        {"", PB_ALIGN_LEFT},
        {"counted", PB_ALIGN_RIGHT},
        {"share", PB_ALIGN_RIGHT},
        {"stated", PB_ALIGN_RIGHT},
        {"", PB_ALIGN_LEFT},
    };
    struct pb_table table;
    pb_table_init(&table, arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < report->n_checks; i++) {
        const struct pb_synthetic_check *check = &report->checks[i];
        if (check->holds && style->verbosity <= 0) {
            continue;
        }
        pb_table_row(&table);
        pb_table_cell(&table, 0, check->what, PB_TONE_PLAIN);
        pb_table_cell(&table, 1, check->distribution, PB_TONE_PLAIN);
        set_cell(&table, 2, PB_TONE_PLAIN, "%llu of %llu", (unsigned long long)check->k,
                 (unsigned long long)check->n);
        set_cell(&table, 3, PB_TONE_PLAIN, "%.2f %%", 100 * (double)check->k / (double)check->n);
        set_cell(&table, 4, PB_TONE_FAINT, "%.3g … %.3g %%", 100 * check->least, 100 * check->most);
        pb_table_cell(&table, 5, check->holds ? "holds" : "does not hold",
                      check->holds ? PB_TONE_GOOD : PB_TONE_BAD);
    }
    separate(buf);
    pb_table_render(&table, style->color, 0, buf);
    pb_strbuf_addf(buf, "simulated: %zu of %zu checks hold, %.1f million launches\n",
                   report->n_checks - report->n_failed, report->n_checks,
                   1e-6 * (double)report->n_launches);
}

void pb_selftest_text_add(struct pb_strbuf *buf, const struct pb_selftest_report *report,
                          const struct pb_style *style)
{
    struct pb_arena arena = {0};
    if (report->n_rows > 0) {
        add_rows(buf, report, style, &arena);
        add_counts(buf, report, style);
    }
    if (report->n_methods > 0) {
        add_methods(buf, report, style, &arena);
    }
    if (report->synthetic != NULL) {
        add_synthetic(buf, report->synthetic, style, &arena);
    }
    pb_arena_release(&arena);
}
