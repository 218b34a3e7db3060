/* SPDX-License-Identifier: Apache-2.0
 *
 * posix_spawn, since what a failed start says is then an error code and no message in the log.
 */
#include "base/background.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int spawn(const struct pb_background_spec *spec, int log_fd, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, log_fd, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, log_fd, STDERR_FILENO);
    if (spec->directory != NULL) {
        posix_spawn_file_actions_addchdir_np(&actions, spec->directory);
    }
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    const int cause =
        posix_spawnp(pid, spec->argv[0], &actions, &attributes, (char *const *)spec->argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return cause;
}

enum pb_code pb_background_start(const struct pb_background_spec *spec,
                                 struct pb_background *background, struct pb_error *err)
{
    const int log_fd = open(spec->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log_fd < 0) {
        return pb_error_set(err, PB_ERR_IO, "can't write %s: %s", spec->log_path, strerror(errno));
    }
    pid_t pid = 0;
    const int cause = spawn(spec, log_fd, &pid);
    close(log_fd);
    if (cause != 0) {
        return pb_error_set(err, cause == ENOENT ? PB_ERR_NOT_FOUND : PB_ERR_CHILD,
                            "can't run %s: %s", spec->argv[0], strerror(cause));
    }
    *background = (struct pb_background){.pid = pid};
    return PB_OK;
}

static void take_status(struct pb_background *background, int status)
{
    kill(-background->pid, SIGKILL); /* what is left of its group */
    background->pid = 0;
    background->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool pb_background_ended(struct pb_background *background)
{
    int status = 0;
    if (background->pid == 0) {
        return true;
    }
    const pid_t done = waitpid(background->pid, &status, WNOHANG);
    if (done == 0) {
        return false;
    }
    take_status(background, status);
    return true;
}

void pb_background_stop(struct pb_background *background)
{
    int status = 0;
    if (background->pid == 0) {
        return;
    }
    kill(-background->pid, SIGKILL);
    while (waitpid(background->pid, &status, 0) < 0 && errno == EINTR) {
    }
    take_status(background, status);
}
