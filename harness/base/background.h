/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that run while this one goes on: builds.
 *
 * What such a program prints goes to a file. It is in a process group of its own, so that Ctrl-C
 * reaches only this process, which then ends the group with all that was started in it. When this
 * process dies, the group dies, too.
 */
#ifndef PB_BASE_BACKGROUND_H
#define PB_BASE_BACKGROUND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/* A zeroed struct is one that does not run. */
struct pb_background {
    pid_t pid;     /* of the group; 0 = does not run                    */
    int exit_code; /* of the last one that ended; -1 = a signal ended it */
};

struct pb_background_spec {
    const char *const *argv; /* NULL-terminated; argv[0] is searched in PATH unless it has a '/' */
    const char *directory;   /* to run in; NULL = the current one                               */
    const char *log_path;    /* stdout and stderr are appended to it                            */
};

/*
 * Starts a program.
 * errors: PB_ERR_NOT_FOUND no such program; PB_ERR_IO the log can't be written; PB_ERR_CHILD
 */
enum pb_code pb_background_start(const struct pb_background_spec *spec,
                                 struct pb_background *background,
                                 struct pb_error *err) PB_MUST_USE;

/* Whether it has ended; does not wait. */
bool pb_background_ended(struct pb_background *background);

/* Ends it and all that it started, and waits for it. Accepts one that does not run. */
void pb_background_stop(struct pb_background *background);

#endif
