/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer comes last: it is what stays on the screen.
 */
#include "output/bisect_text.h"

#include <math.h>

#include "base/arena.h"
#include "base/text.h"
#include "output/quantity.h"
#include "output/table.h"

enum { SHOWN_DIGITS = 12 };

const char *pb_bisect_end_name(enum pb_bisect_end end)
{
    static const char *const names[] = {
        [PB_BISECT_FOUND] = "found",
        [PB_BISECT_RANGE] = "range",
        [PB_BISECT_NO_CHANGE] = "no change",
        [PB_BISECT_INCONCLUSIVE] = "inconclusive",
    };
    return names[end];
}

static void add_change(struct pb_strbuf *buf, const struct pb_pair_record *pair)
{
    const struct pb_compared item = {.pair = *pair};
    pb_compared_add_change(buf, &item);
}

static void add_commit(struct pb_strbuf *buf, const struct pb_bisect_commit *commit)
{
    pb_strbuf_addf(buf, "%.*s (", SHOWN_DIGITS, commit->id);
    pb_text_add_escaped(buf, commit->subject);
    pb_strbuf_addc(buf, ')');
}

static void add_steps(struct pb_strbuf *buf, const struct pb_bisect_record *record,
                      const struct pb_style *style)
{
    static const struct pb_table_heading headings[] = {
        {"commit", PB_ALIGN_LEFT},    {"", PB_ALIGN_LEFT}, {"against good", PB_ALIGN_LEFT},
        {"launches", PB_ALIGN_RIGHT}, {"", PB_ALIGN_LEFT}, {"", PB_ALIGN_LEFT},
    };
    struct pb_arena arena = {0};
    struct pb_table table;
    struct pb_strbuf cell;
    pb_strbuf_init(&cell);
    pb_table_init(&table, &arena);
    pb_table_columns(&table, headings, sizeof headings / sizeof headings[0]);
    for (size_t i = 0; i < record->n_steps; i++) {
        const struct pb_bisect_step *step = &record->steps[i];
        pb_table_row(&table);
        pb_strbuf_reset(&cell);
        pb_strbuf_addf(&cell, "%.*s", SHOWN_DIGITS, step->commit.id);
        pb_table_cell(&table, 0, cell.text, PB_TONE_PLAIN);
        pb_table_cell(&table, 1, step->answer, PB_TONE_PLAIN);
        pb_strbuf_reset(&cell);
        add_change(&cell, &step->pair);
        pb_table_cell(&table, 2, cell.text, PB_TONE_PLAIN);
        pb_strbuf_reset(&cell);
        pb_strbuf_addf(&cell, "%zu", step->pair.n_launches);
        pb_table_cell(&table, 3, cell.text, PB_TONE_PLAIN);
        pb_table_cell(&table, 4, step->commit.subject, PB_TONE_PLAIN);
        pb_table_cell(&table, 5, step->reason, PB_TONE_FAINT);
    }
    pb_table_render(&table, style->color, 0, buf);
    pb_strbuf_adds(buf, record->n_steps > 0 ? "\n" : "");
    pb_strbuf_release(&cell);
    pb_arena_release(&arena);
}

static void add_whole(struct pb_strbuf *buf, const struct pb_bisect_record *record)
{
    pb_text_add_escaped(buf, record->benchmark != NULL ? record->benchmark : "what was asked for");
    pb_strbuf_adds(buf, " from ");
    add_commit(buf, &record->good);
    pb_strbuf_adds(buf, " to ");
    add_commit(buf, &record->bad);
    pb_strbuf_adds(buf, ": ");
    add_change(buf, &record->whole);
    pb_strbuf_addc(buf, '\n');
    if (record->others != NULL) {
        pb_strbuf_adds(buf, "also regressed, perhaps elsewhere: ");
        pb_text_add_escaped(buf, record->others);
        pb_strbuf_addc(buf, '\n');
    }
    pb_strbuf_addc(buf, '\n');
}

static void add_step_of_answer(struct pb_strbuf *buf, const struct pb_bisect_record *record)
{
    add_change(buf, &record->step);
    pb_strbuf_addf(buf, " against %.*s, %zu launches\n", SHOWN_DIGITS, record->against,
                   record->step.n_launches);
}

static void add_answer(struct pb_strbuf *buf, const struct pb_bisect_record *record)
{
    switch (record->end) {
    case PB_BISECT_FOUND:
        pb_strbuf_adds(buf, "first slower: ");
        add_commit(buf, &record->candidates[0]);
        pb_strbuf_adds(buf, ": ");
        add_step_of_answer(buf, record);
        break;
    case PB_BISECT_RANGE:
        pb_strbuf_addf(buf, "first slower: one of %zu, of which only the last could be measured: ",
                       record->n_candidates);
        add_step_of_answer(buf, record);
        for (size_t i = 0; i < record->n_candidates; i++) {
            pb_strbuf_adds(buf, "  ");
            add_commit(buf, &record->candidates[i]);
            pb_strbuf_addc(buf, '\n');
        }
        break;
    case PB_BISECT_NO_CHANGE:
        pb_strbuf_adds(buf, "no regression\n");
        break;
    case PB_BISECT_INCONCLUSIVE:
        pb_strbuf_adds(buf, "inconclusive");
        if (record->n_candidates > 0) {
            pb_strbuf_adds(buf, ": the change passes its half at ");
            add_commit(buf, &record->candidates[record->n_candidates - 1]);
            pb_strbuf_adds(buf, ", whose own step is not a confirmed regression: ");
            add_step_of_answer(buf, record);
        } else {
            pb_strbuf_adds(buf, ": there is no telling whether bad is slower than good\n");
        }
        break;
    }
    if (record->merge) {
        pb_strbuf_adds(buf, "it is a merge: bisect the branch that it merged to find the commit\n");
    }
}

void pb_bisect_text_add(struct pb_strbuf *buf, const struct pb_bisect_record *record,
                        const struct pb_style *style)
{
    if (style->verbosity >= 0) {
        add_whole(buf, record);
        add_steps(buf, record, style);
    }
    add_answer(buf, record);
    if (style->verbosity >= 0) {
        pb_strbuf_addf(buf, "%zu step%s, ", record->n_steps, record->n_steps == 1 ? "" : "s");
        pb_quantity_add_duration(buf, record->wall_s);
        pb_strbuf_addc(buf, '\n');
    }
}
