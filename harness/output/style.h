/* SPDX-License-Identifier: Apache-2.0
 *
 * How text for people is to look: with colour or without, brief or talkative.
 *
 * One struct is made from the global options and handed to everything that makes text, so that the
 * rules about terminals and NO_COLOR are in one place. Pure functions: the caller asks the system.
 */
#ifndef PB_OUTPUT_STYLE_H
#define PB_OUTPUT_STYLE_H

#include <stdbool.h>

struct pb_style {
    bool color;    /* escape sequences may be written              */
    int verbosity; /* -1 with -q, 0, 1 with -v                     */
};

enum pb_color_when {
    PB_COLOR_AUTO,
    PB_COLOR_ALWAYS,
    PB_COLOR_NEVER,
};

/* What is known about where text goes. */
struct pb_terminal {
    bool is_tty;          /* isatty() of the stream                   */
    const char *no_color; /* getenv("NO_COLOR"); NULL when not set    */
    const char *term;     /* getenv("TERM"); NULL when not set        */
};

/*
 * Whether to write colours. AUTO: on a terminal that is not `dumb`, unless NO_COLOR is set to
 * anything but an empty string; ALWAYS and NEVER are the user's word.
 */
bool pb_style_wants_color(enum pb_color_when when, const struct pb_terminal *terminal);

/* Whether to draw progress: as AUTO above, and not with -q. when does not matter to it. */
bool pb_style_wants_progress(int verbosity, const struct pb_terminal *terminal);

#endif
