/* SPDX-License-Identifier: Apache-2.0
 *
 * Child processes with a deadline: git, gnuplot, and whatever else is a program of its own.
 *
 * A child gets /dev/null or the given text as stdin, a process group of its own, and the C locale.
 * No shell is involved anywhere.
 */
#ifndef PB_BASE_CHILD_H
#define PB_BASE_CHILD_H

#include <stdbool.h>

#include "base/error.h"
#include "base/strbuf.h"

struct pb_child_spec {
    const char *const *argv;  /* NULL-terminated; argv[0] is searched in PATH unless it has a '/' */
    const char *directory;    /* to run in; NULL = the current one                               */
    const char *input;        /* for its stdin; NULL = /dev/null                                 */
    double deadline_s;        /* killed after it; must be > 0                                    */
    struct pb_strbuf *output; /* appended: stdout; NULL = thrown away                            */
    struct pb_strbuf *errors; /* appended: stderr; NULL = thrown away                            */
};

struct pb_child_outcome {
    int exit_code;  /* 0..255, or -1 when a signal ended it */
    int signal;     /* or 0                                 */
    bool timed_out; /* killed at the deadline               */
};

/*
 * Runs a program to its end.
 * errors: PB_ERR_NOT_FOUND no such program; PB_ERR_CHILD it could not be started, or not there;
 *         PB_ERR_USAGE no program or no deadline. A program that ran and failed is no error: look
 *         at *outcome.
 */
enum pb_code pb_child_run(const struct pb_child_spec *spec, struct pb_child_outcome *outcome,
                          struct pb_error *err) PB_MUST_USE;

#endif
