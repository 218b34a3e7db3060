/* SPDX-License-Identifier: Apache-2.0
 *
 * When colour and progress are wanted.
 */
#include "output/style.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const struct {
    const char *what;
    struct pb_terminal terminal;
    bool lively;
} terminals[] = {
    {"a terminal", {true, NULL, "xterm-256color"}, true},
    {"a pipe or file", {false, NULL, "xterm-256color"}, false},
    {"NO_COLOR", {true, "1", "xterm"}, false},
    {"NO_COLOR set to nothing", {true, "", "xterm"}, true},
    {"a dumb terminal", {true, NULL, "dumb"}, false},
    {"no TERM", {true, NULL, NULL}, false},
};

static void colour_follows_the_terminal_unless_the_user_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0]; i++) {
        const struct pb_terminal *terminal = &terminals[i].terminal;
        assert_int_equal(pb_style_wants_color(PB_COLOR_AUTO, terminal), terminals[i].lively);
        assert_true(pb_style_wants_color(PB_COLOR_ALWAYS, terminal));
        assert_false(pb_style_wants_color(PB_COLOR_NEVER, terminal));
    }
}

static void progress_needs_a_lively_terminal_and_no_q(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0]; i++) {
        const struct pb_terminal *terminal = &terminals[i].terminal;
        assert_int_equal(pb_style_wants_progress(0, terminal), terminals[i].lively);
        assert_int_equal(pb_style_wants_progress(1, terminal), terminals[i].lively);
        assert_false(pb_style_wants_progress(-1, terminal));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_follows_the_terminal_unless_the_user_says),
        cmocka_unit_test(progress_needs_a_lively_terminal_and_no_q),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
