/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress with a clock of our own.
 */
#include "output/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct screen {
    char *text;
    size_t size;
    FILE *file;
    struct pb_progress progress;
};

static void open_screen(struct screen *screen, bool enabled, size_t columns)
{
    screen->file = open_memstream(&screen->text, &screen->size);
    assert_non_null(screen->file);
    pb_progress_init(&screen->progress, screen->file, enabled, columns);
}

static const char *seen(struct screen *screen)
{
    fflush(screen->file);
    return screen->text;
}

static void close_screen(struct screen *screen)
{
    pb_progress_finish(&screen->progress);
    fclose(screen->file);
    free(screen->text);
}

static void nothing_is_shown_in_the_first_second(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, true, 80);
    pb_progress_update(&screen.progress, 0, 100, "x", 50);
    pb_progress_update(&screen.progress, 90, 100, "x", 50.9);
    assert_string_equal(seen(&screen), "");
    pb_progress_finish(&screen.progress);
    assert_string_equal(seen(&screen), "");
    close_screen(&screen);
}

static void the_time_left_follows_the_pace_so_far(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, true, 80);
    pb_progress_update(&screen.progress, 0, 100, "a/b", 10);
    pb_progress_update(&screen.progress, 25, 100, "a/b", 15);
    assert_string_equal(seen(&screen), "\r 25 %  25 of 100, 15 s left  a/b\033[K");
    close_screen(&screen);
}

static void before_the_first_step_there_is_no_estimate(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, true, 80);
    pb_progress_update(&screen.progress, 0, 100, NULL, 0);
    pb_progress_update(&screen.progress, 0, 100, NULL, 3);
    assert_string_equal(seen(&screen), "\r  0 %  0 of 100\033[K");
    close_screen(&screen);
}

static void it_redraws_ten_times_a_second_at_most(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, true, 80);
    for (int i = 0; i <= 3000; i++) {
        pb_progress_update(&screen.progress, (size_t)i, 3000, NULL, i * 0.001);
    }
    size_t drawn = 0;
    for (const char *s = seen(&screen); *s != '\0'; s++) {
        drawn += *s == '\r';
    }
    assert_in_range(drawn, 18, 21); /* two seconds after the quiet one */
    close_screen(&screen);
}

static void the_line_fits_the_terminal_and_names_are_harmless(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, true, 30);
    pb_progress_update(&screen.progress, 0, 10, NULL, 0);
    pb_progress_update(&screen.progress, 5, 10, "größe\n\033[2J a very long name", 2);
    /* 29 columns: ` 50 %  5 of 10, 2.0 s left  g` */
    assert_string_equal(seen(&screen), "\r 50 %  5 of 10, 2.0 s left  g\033[K");
    close_screen(&screen);
    open_screen(&screen, true, 60);
    pb_progress_update(&screen.progress, 0, 10, NULL, 0);
    pb_progress_update(&screen.progress, 5, 10, "n\n\033[2J", 2);
    assert_non_null(strstr(seen(&screen), "n\\n\\x1b[2J\033[K"));
    close_screen(&screen);
}

static void it_leaves_a_clean_line(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, true, 80);
    pb_progress_update(&screen.progress, 0, 10, NULL, 0);
    pb_progress_update(&screen.progress, 5, 10, NULL, 2);
    pb_progress_clear(&screen.progress);
    const size_t length = strlen(seen(&screen));
    assert_string_equal(screen.text + length - 4, "\r\033[K");
    pb_progress_finish(&screen.progress);
    assert_int_equal(strlen(seen(&screen)), length); /* it was clean already */
    pb_progress_update(&screen.progress, 6, 10, NULL, 9);
    assert_int_equal(strlen(seen(&screen)), length); /* and is over */
    close_screen(&screen);
    pb_progress_finish(NULL);
}

static void disabled_it_writes_nothing(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, false, 80);
    pb_progress_update(&screen.progress, 0, 10, "x", 0);
    pb_progress_update(&screen.progress, 5, 10, "x", 20);
    pb_progress_finish(&screen.progress);
    assert_string_equal(seen(&screen), "");
    close_screen(&screen);
}

static void odd_totals_do_no_harm(void **state)
{
    (void)state;
    struct screen screen;
    open_screen(&screen, true, 80);
    pb_progress_update(&screen.progress, 0, 0, NULL, 0);
    pb_progress_update(&screen.progress, 0, 0, NULL, 2);
    assert_non_null(strstr(seen(&screen), "0 of 0"));
    pb_progress_update(&screen.progress, 12, 10, NULL, 3);
    assert_non_null(strstr(seen(&screen), "100 %  10 of 10\033[K"));
    close_screen(&screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_shown_in_the_first_second),
        cmocka_unit_test(the_time_left_follows_the_pace_so_far),
        cmocka_unit_test(before_the_first_step_there_is_no_estimate),
        cmocka_unit_test(it_redraws_ten_times_a_second_at_most),
        cmocka_unit_test(the_line_fits_the_terminal_and_names_are_harmless),
        cmocka_unit_test(it_leaves_a_clean_line),
        cmocka_unit_test(disabled_it_writes_nothing),
        cmocka_unit_test(odd_totals_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
