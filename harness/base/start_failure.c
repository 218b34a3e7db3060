/* SPDX-License-Identifier: Apache-2.0 */
#include "base/start_failure.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

struct pb_start_failure pb_start(const char *const *argv, const char *directory)
{
    if (directory != NULL && chdir(directory) != 0) {
        return (struct pb_start_failure){.cause = errno, .in_directory = true};
    }
    execvp(argv[0], (char *const *)argv);
    return (struct pb_start_failure){.cause = errno};
}

_Noreturn void pb_start_failure_tell(struct pb_start_failure failure, int fd, int exit_code)
{
    const ssize_t ignored = write(fd, &failure, sizeof failure);
    (void)ignored;
    _exit(exit_code);
}

struct pb_start_failure pb_start_failure_hear(int fd)
{
    struct pb_start_failure failure = {0};
    ssize_t n;
    while ((n = read(fd, &failure, sizeof failure)) < 0 && errno == EINTR) {
    }
    return n == (ssize_t)sizeof failure ? failure : (struct pb_start_failure){0};
}

enum pb_code pb_start_failure_set(struct pb_start_failure failure, const char *program,
                                  const char *directory, struct pb_error *err)
{
    const char *cause = strerror(failure.cause);
    if (failure.in_directory) {
        return pb_error_set(err, PB_ERR_CHILD, "can't run %s in %s: %s", program, directory, cause);
    }
    return pb_error_set(err, failure.cause == ENOENT ? PB_ERR_NOT_FOUND : PB_ERR_CHILD,
                        "can't run %s: %s", program, cause);
}
