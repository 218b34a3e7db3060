/* SPDX-License-Identifier: Apache-2.0
 *
 * Alignment, escapes and colours of text tables.
 */
#include "output/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void assert_rendered(const struct pb_table *table, bool color, size_t indent,
                            const char *expected)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_table_render(table, color, indent, &buf);
    assert_string_equal(buf.text, expected);
    pb_strbuf_release(&buf);
}

static void make_table(struct pb_table *table, struct pb_arena *arena)
{
    pb_table_init(table, arena);
    pb_table_column(table, "name", PB_ALIGN_LEFT);
    pb_table_column(table, "ns", PB_ALIGN_RIGHT);
    pb_table_column(table, "word", PB_ALIGN_LEFT);
}

static void columns_align_by_code_points_and_lines_end_without_blanks(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_table table;
    make_table(&table, &arena);
    pb_table_row(&table);
    pb_table_cell(&table, 0, "größe", PB_TONE_PLAIN);
    pb_table_cell(&table, 1, "5", PB_TONE_PLAIN);
    pb_table_cell(&table, 2, "ok", PB_TONE_GOOD);
    pb_table_row(&table);
    pb_table_cell(&table, 0, "x", PB_TONE_PLAIN);
    pb_table_cell(&table, 1, "12345", PB_TONE_PLAIN);
    pb_table_row(&table);
    pb_table_cell(&table, 2, "alone", PB_TONE_PLAIN);
    pb_table_row(&table);
    assert_rendered(&table, false, 2,
                    "  name      ns  word\n"
                    "  größe      5  ok\n"
                    "  x      12345\n"
                    "                alone\n"
                    "\n");
    pb_arena_release(&arena);
}

static void a_table_without_rows_is_nothing(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_table table;
    make_table(&table, &arena);
    assert_rendered(&table, true, 4, "");
    pb_arena_release(&arena);
}

static void a_line_spans_columns_without_widening_them(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_table table;
    make_table(&table, &arena);
    pb_table_line(&table, "a long line over all of them", PB_TONE_PLAIN);
    pb_table_row(&table);
    pb_table_cell(&table, 1, "1", PB_TONE_PLAIN);
    assert_rendered(&table, false, 0,
                    "name  ns  word\n"
                    "a long line over all of them\n"
                    "       1\n");
    pb_arena_release(&arena);
}

static void colour_wraps_cells_and_not_their_padding(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_table table;
    make_table(&table, &arena);
    pb_table_row(&table);
    pb_table_cell(&table, 0, "x", PB_TONE_PLAIN);
    pb_table_cell(&table, 1, "1", PB_TONE_BAD);
    assert_rendered(&table, true, 0,
                    "\033[1mname\033[0m  \033[1mns\033[0m  \033[1mword\033[0m\n"
                    "x      \033[31m1\033[0m\n");
    pb_arena_release(&arena);
}

static void cells_can_not_move_the_cursor(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_table table;
    make_table(&table, &arena);
    pb_table_row(&table);
    pb_table_cell(&table, 0, "a\n\033[2J\tb\xff", PB_TONE_PLAIN);
    pb_table_cell(&table, 1, NULL, PB_TONE_PLAIN);
    pb_table_cell(&table, 2, "end", PB_TONE_PLAIN);
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_table_render(&table, false, 0, &buf);
    assert_non_null(strstr(buf.text, "a\\n\\x1b[2J\\tb\\xff      end\n"));
    assert_null(strchr(buf.text, '\033'));
    pb_strbuf_reset(&buf);
    pb_tone_add(&buf, false, PB_TONE_BAD, "x\033y");
    assert_string_equal(buf.text, "x\\x1by");
    pb_strbuf_release(&buf);
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_align_by_code_points_and_lines_end_without_blanks),
        cmocka_unit_test(a_table_without_rows_is_nothing),
        cmocka_unit_test(a_line_spans_columns_without_widening_them),
        cmocka_unit_test(colour_wraps_cells_and_not_their_padding),
        cmocka_unit_test(cells_can_not_move_the_cursor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
