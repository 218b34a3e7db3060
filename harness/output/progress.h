/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress on a terminal: one line that is redrawn in place, with the time that is left.
 *
 * Nothing is shown in the first second, then at most ten times a second. Whoever prints something
 * else to the same terminal calls pb_progress_clear() before; the line comes back with the next
 * update. Time is passed in, so that tests need no clock.
 */
#ifndef PB_OUTPUT_PROGRESS_H
#define PB_OUTPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct pb_progress {
    FILE *out; /* borrowed */
    bool enabled;
    bool started;
    bool drawn; /* there is a line on the terminal now */
    size_t columns;
    double started_s;
    double drawn_s; /* when it was last drawn */
};

/*
 * Prepares progress.
 * out:     usually stderr; kept
 * enabled: pb_style_wants_progress()
 * columns: of the terminal; 0 = ask it, 80 when it doesn't know
 */
void pb_progress_init(struct pb_progress *progress, FILE *out, bool enabled, size_t columns);

/*
 * Says how far it is.
 * done:  of total steps; more than total counts as total
 * what:  what is being done, for instance a scenario's name; NULL for nothing
 * now_s: any clock that only goes forward, seconds
 */
void pb_progress_update(struct pb_progress *progress, size_t done, size_t total, const char *what,
                        double now_s);

/* Takes the line off the terminal for now. */
void pb_progress_clear(struct pb_progress *progress);

/* Takes the line off and ends; accepts a zeroed struct, and may be called twice. */
void pb_progress_finish(struct pb_progress *progress);

#endif
