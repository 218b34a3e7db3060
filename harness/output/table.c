/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells are kept until the table is rendered, since a column is as wide as its widest cell. Blanks
 * are written only when something follows them, so no line ends in one.
 */
#include "output/table.h"

#include "base/text.h"

#include <assert.h>

/* Blanks between two columns. */
enum { GAP_COLUMNS = 2 };

struct cell {
    const char *text; /* escaped; NULL = empty */
    size_t width;
    enum pb_tone tone;
};

struct pb_table_row {
    struct cell *cells; /* n_columns, or 1 of a line */
    bool is_line;
};

static const char *tone_sequence(enum pb_tone tone)
{
    static const char *const sequences[] = {
        [PB_TONE_PLAIN] = "",       [PB_TONE_HEADING] = "\033[1m", [PB_TONE_GOOD] = "\033[32m",
        [PB_TONE_BAD] = "\033[31m", [PB_TONE_WARN] = "\033[33m",   [PB_TONE_FAINT] = "\033[2m",
    };
    return sequences[tone];
}

static void add_toned(struct pb_strbuf *buf, bool color, enum pb_tone tone, const char *safe)
{
    const bool toned = color && tone != PB_TONE_PLAIN && safe[0] != '\0';
    if (toned) {
        pb_strbuf_adds(buf, tone_sequence(tone));
    }
    pb_strbuf_adds(buf, safe);
    if (toned) {
        pb_strbuf_adds(buf, "\033[0m");
    }
}

void pb_tone_add(struct pb_strbuf *buf, bool color, enum pb_tone tone, const char *text)
{
    struct pb_strbuf safe;
    pb_strbuf_init(&safe);
    pb_text_add_escaped(&safe, text);
    add_toned(buf, color, tone, safe.text);
    pb_strbuf_release(&safe);
}

static struct cell make_cell(struct pb_arena *arena, const char *text, enum pb_tone tone)
{
    struct pb_strbuf safe;
    pb_strbuf_init(&safe);
    pb_text_add_escaped(&safe, text != NULL ? text : "");
    const struct cell cell = {
        .text = pb_arena_strdup(arena, safe.text),
        .width = pb_text_columns(safe.text),
        .tone = tone,
    };
    pb_strbuf_release(&safe);
    return cell;
}

static struct pb_table_row *add_row(struct pb_table *table, bool is_line)
{
    table->rows = pb_arena_grow(table->arena, table->rows, table->n_rows, &table->capacity,
                                sizeof *table->rows);
    struct pb_table_row *row = &table->rows[table->n_rows++];
    row->is_line = is_line;
    row->cells =
        pb_arena_array(table->arena, is_line ? 1 : PB_TABLE_COLUMNS_MAX, sizeof *row->cells);
    return row;
}

void pb_table_init(struct pb_table *table, struct pb_arena *arena)
{
    *table = (struct pb_table){.arena = arena};
    add_row(table, false); /* the headings */
}

void pb_table_column(struct pb_table *table, const char *heading, enum pb_align align)
{
    assert(table->n_columns < PB_TABLE_COLUMNS_MAX && table->n_rows == 1);
    table->align[table->n_columns] = align;
    table->rows[0].cells[table->n_columns] = make_cell(table->arena, heading, PB_TONE_HEADING);
    table->n_columns++;
}

void pb_table_columns(struct pb_table *table, const struct pb_table_heading *headings, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pb_table_column(table, headings[i].text, headings[i].align);
    }
}

void pb_table_row(struct pb_table *table)
{
    add_row(table, false);
}

void pb_table_line(struct pb_table *table, const char *text, enum pb_tone tone)
{
    add_row(table, true)->cells[0] = make_cell(table->arena, text, tone);
}

void pb_table_cell(struct pb_table *table, size_t column, const char *text, enum pb_tone tone)
{
    assert(table->n_rows > 1 && column < table->n_columns);
    table->rows[table->n_rows - 1].cells[column] = make_cell(table->arena, text, tone);
}

static void measure(const struct pb_table *table, size_t width[PB_TABLE_COLUMNS_MAX])
{
    for (size_t i = 0; i < PB_TABLE_COLUMNS_MAX; i++) {
        width[i] = 0;
    }
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct pb_table_row *row = &table->rows[r];
        for (size_t i = 0; i < table->n_columns && !row->is_line; i++) {
            width[i] = row->cells[i].width > width[i] ? row->cells[i].width : width[i];
        }
    }
}

static void add_blanks(struct pb_strbuf *buf, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pb_strbuf_addc(buf, ' ');
    }
}

static void render_row(const struct pb_table *table, const struct pb_table_row *row,
                       const size_t *width, bool color, struct pb_strbuf *buf)
{
    size_t blanks = 0; /* owed before the next text */
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct cell *cell = &row->cells[i];
        const size_t padding = width[i] - cell->width;
        const bool right = table->align[i] == PB_ALIGN_RIGHT;
        blanks += right ? padding : 0;
        if (cell->width > 0) {
            add_blanks(buf, blanks);
            add_toned(buf, color, cell->tone, cell->text);
            blanks = 0;
        }
        blanks += (right ? 0 : padding) + GAP_COLUMNS;
    }
}

void pb_table_render(const struct pb_table *table, bool color, size_t indent, struct pb_strbuf *buf)
{
    if (table->n_rows < 2) {
        return;
    }
    size_t width[PB_TABLE_COLUMNS_MAX];
    measure(table, width);
    for (size_t r = 0; r < table->n_rows; r++) {
        const struct pb_table_row *row = &table->rows[r];
        const size_t start = buf->length;
        add_blanks(buf, indent);
        if (row->is_line) {
            add_toned(buf, color, row->cells[0].tone, row->cells[0].text);
        } else {
            const size_t before = buf->length;
            render_row(table, row, width, color, buf);
            if (buf->length == before) {
                buf->length = start;
                buf->text[start] = '\0';
            }
        }
        pb_strbuf_addc(buf, '\n');
    }
}
