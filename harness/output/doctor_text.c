/* SPDX-License-Identifier: Apache-2.0
 *
 * Advice is longer than a line of a table, so it stands below, under the words of its row.
 */
#include "output/doctor_text.h"

#include "base/text.h"
#include "output/quantity.h"
#include "output/table.h"
#include "provenance/fact_list.h"
#include "stats/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static enum pb_tone tone_of(enum pb_noise_fit fit)
{
    static const enum pb_tone tones[] = {
        [PB_NOISE_YES] = PB_TONE_GOOD,
        [PB_NOISE_NO] = PB_TONE_WARN,
        [PB_NOISE_UNKNOWN] = PB_TONE_FAINT,
    };
    return tones[fit];
}

static void add_table(struct pb_strbuf *buf, const struct pb_doctor_record *record,
                      const struct pb_style *style)
{
    static const struct pb_table_heading headings[] = {
        {"as it should be", PB_ALIGN_LEFT},
        {"", PB_ALIGN_LEFT},
        {"found", PB_ALIGN_LEFT},
    };
    struct pb_arena arena = {0};
    struct pb_table table;
    pb_table_init(&table, &arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < record->n_items; i++) {
        const struct pb_noise_item *item = &record->items[i];
        pb_table_row(&table);
        pb_table_cell(&table, 0, item->what, PB_TONE_PLAIN);
        pb_table_cell(&table, 1, pb_noise_fit_name(item->fit), tone_of(item->fit));
        const bool known = strcmp(item->value, PB_FACT_UNKNOWN) != 0;
        pb_table_cell(&table, 2, known ? item->value : "", PB_TONE_PLAIN);
    }
    pb_table_render(&table, style->color, 0, buf);
    pb_arena_release(&arena);
}

/* An empty line between two parts. */
static void separate(struct pb_strbuf *buf)
{
    if (buf->length > 0) {
        pb_strbuf_addc(buf, '\n');
    }
}

/* What to do about the items that came out one way. */
static void add_advice(struct pb_strbuf *buf, const struct pb_doctor_record *record,
                       enum pb_noise_fit fit, const char *title, const struct pb_style *style)
{
    bool any = false;
    for (size_t i = 0; i < record->n_items; i++) {
        const struct pb_noise_item *item = &record->items[i];
        if (item->fit != fit) {
            continue;
        }
        if (!any) {
            separate(buf);
            pb_tone_add(buf, style->color, PB_TONE_HEADING, title);
            pb_strbuf_addc(buf, '\n');
            any = true;
        }
        pb_strbuf_adds(buf, "  ");
        pb_tone_add(buf, style->color, tone_of(fit), item->what);
        pb_strbuf_adds(buf, ": ");
        pb_strbuf_adds(buf, item->advice);
        pb_strbuf_addc(buf, '\n');
    }
}

/* Appends a percentage with two digits, rounded up: what can't be seen must not look smaller. */
static void add_rounded_up(struct pb_strbuf *buf, double pct)
{
    static const double least_pct = 0.01;
    const double shown = fmax(pct, least_pct);
    const double unit = pow(10, floor(log10(shown)) - 1);
    const double rounded = ceil(shown / unit - 1e-9) * unit;
    if (rounded < 100) {
        pb_strbuf_addf(buf, "%.2g %%", rounded);
    } else {
        pb_strbuf_addf(buf, "%.0f %%", rounded);
    }
}

static void add_floor(struct pb_strbuf *buf, const struct pb_doctor_floor *measured,
                      const struct pb_style *style)
{
    if (measured->reason != NULL) {
        pb_tone_add(buf, style->color, PB_TONE_WARN, "the noise floor was not measured");
        pb_strbuf_adds(buf, ": ");
        if (measured->name != NULL) {
            pb_text_add_escaped(buf, measured->name);
            pb_strbuf_adds(buf, ": ");
        }
        pb_text_add_escaped(buf, measured->reason);
        pb_strbuf_addc(buf, '\n');
        return;
    }
    pb_strbuf_adds(buf, "differences below ");
    add_rounded_up(buf, pb_change_pct(measured->floor));
    pb_strbuf_adds(buf, " cannot be seen here in ");
    pb_quantity_add_duration(buf, measured->wall_s);
    pb_strbuf_addc(buf, '\n');
    if (measured->lo > 0 || measured->hi < 0) {
        pb_tone_add(buf, style->color, PB_TONE_WARN,
                    "identical code came out different: something favours a side");
        pb_strbuf_addc(buf, '\n');
    }
    if (style->verbosity < 0) {
        return;
    }
    pb_strbuf_adds(buf, "  ");
    pb_text_add_escaped(buf, measured->name);
    pb_strbuf_addf(buf, " against itself in %zu launches: ", measured->n_launches);
    pb_quantity_add_change(buf, pb_change_pct(measured->estimate));
    pb_strbuf_adds(buf, " [");
    pb_quantity_add_change(buf, pb_change_pct(measured->lo));
    pb_strbuf_adds(buf, ", ");
    pb_quantity_add_change(buf, pb_change_pct(measured->hi));
    pb_strbuf_adds(buf, "]\n");
}

void pb_doctor_text_add(struct pb_strbuf *buf, const struct pb_doctor_record *record,
                        const struct pb_style *style)
{
    const bool quiet = style->verbosity < 0;
    if (!quiet) {
        add_table(buf, record, style);
    }
    add_advice(buf, record, PB_NOISE_NO, "what is not as it should be, and what to do", style);
    if (!quiet) {
        add_advice(buf, record, PB_NOISE_UNKNOWN, "what can't be known here", style);
    }
    if (record->floor != NULL) {
        separate(buf);
        add_floor(buf, record->floor, style);
    }
}
