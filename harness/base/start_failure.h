/* SPDX-License-Identifier: Apache-2.0
 *
 * Why a forked process could not become the program that it was to be: what the fork tells the
 * process that made it, through a pipe that exec closes.
 */
#ifndef PB_BASE_START_FAILURE_H
#define PB_BASE_START_FAILURE_H

#include <stdbool.h>

#include "base/error.h"

struct pb_start_failure {
    int cause; /* errno; 0 = none */
    bool in_directory;
};

/* Becomes the program argv[0], in a directory unless it is NULL. Returns only when it can't. */
struct pb_start_failure pb_start(const char *const *argv, const char *directory);

/* Tells a failure to the other end of the pipe fd, and ends this process. */
_Noreturn void pb_start_failure_tell(struct pb_start_failure failure, int fd, int exit_code);

/* Waits for a failure at this end of the pipe. returns: no cause when the program was started */
struct pb_start_failure pb_start_failure_hear(int fd);

/*
 * errors: PB_ERR_NOT_FOUND when there is no such program, else PB_ERR_CHILD; never PB_OK
 * directory: where it was to be started; may be NULL
 */
enum pb_code pb_start_failure_set(struct pb_start_failure failure, const char *program,
                                  const char *directory, struct pb_error *err);

#endif
