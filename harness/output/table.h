/* SPDX-License-Identifier: Apache-2.0
 *
 * Small text tables: columns as wide as their widest cell, aligned left or right.
 *
 * Cells are escaped when they are set, so that a name can't move the cursor, and are measured in
 * code points. Without colour not a single escape sequence is written. Rows end without trailing
 * blanks.
 */
#ifndef PB_OUTPUT_TABLE_H
#define PB_OUTPUT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/strbuf.h"

enum { PB_TABLE_COLUMNS_MAX = 24 };

enum pb_align {
    PB_ALIGN_LEFT,
    PB_ALIGN_RIGHT,
};

/* What a cell means; the colour follows from it. */
enum pb_tone {
    PB_TONE_PLAIN,
    PB_TONE_HEADING,
    PB_TONE_GOOD,
    PB_TONE_BAD,
    PB_TONE_WARN,
    PB_TONE_FAINT,
};

struct pb_table_row;

struct pb_table {
    struct pb_arena *arena; /* borrowed: holds the cells */
    size_t n_columns;
    enum pb_align align[PB_TABLE_COLUMNS_MAX];
    struct pb_table_row *rows;
    size_t n_rows;
    size_t capacity;
};

/* Prepares an empty table. Nothing to release: everything is in the arena. */
void pb_table_init(struct pb_table *table, struct pb_arena *arena);

/* Adds a column at the right, with its heading; to be called before the first row. */
void pb_table_column(struct pb_table *table, const char *heading, enum pb_align align);

/* A heading with its column's alignment. */
struct pb_table_heading {
    const char *text;
    enum pb_align align;
};

/* Adds several columns. */
void pb_table_columns(struct pb_table *table, const struct pb_table_heading *headings, size_t n);

/* Begins a new row; cells that are not set stay empty. */
void pb_table_row(struct pb_table *table);

/* Begins a new row that is one text over all columns; it does not widen any of them. */
void pb_table_line(struct pb_table *table, const char *text, enum pb_tone tone);

/* Sets a cell of the last row. text: copied and escaped; NULL is "" */
void pb_table_cell(struct pb_table *table, size_t column, const char *text, enum pb_tone tone);

/*
 * Appends the table, headings first when there is a row.
 * indent: blanks before every line
 */
void pb_table_render(const struct pb_table *table, bool color, size_t indent,
                     struct pb_strbuf *buf);

/* Appends text, escaped, in the colour of a tone when colour is on. */
void pb_tone_add(struct pb_strbuf *buf, bool color, enum pb_tone tone, const char *text);

#endif
