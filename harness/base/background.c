/* SPDX-License-Identifier: Apache-2.0
 *
 * Between this process and the program stands a guard: a fork of this process that waits for the
 * program and does nothing else. It is told by the kernel when this process dies, however that came
 * about, and then ends the group; the program itself would not do that for what it started.
 */
#include "base/background.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/start_failure.h"

static void end_group(int number)
{
    (void)number;
    kill(0, SIGKILL);
}

/* The program's own process. Returns only when something failed. */
static struct pb_start_failure become(const struct pb_background_spec *spec)
{
    static const int ours[] = {SIGINT, SIGTERM, SIGPIPE, SIGCHLD};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        signal(ours[i], SIG_DFL);
    }
    return pb_start(spec->argv, spec->directory);
}

static int await(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* The guard; does not return. log_fd, failure_fd: closed when a program is started */
static _Noreturn void guard(const struct pb_background_spec *spec, pid_t parent, int log_fd,
                            int failure_fd)
{
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGTERM, end_group);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (getppid() != parent || dup2(null, STDIN_FILENO) < 0 || dup2(log_fd, STDOUT_FILENO) < 0 ||
        dup2(log_fd, STDERR_FILENO) < 0) {
        _exit(EXIT_FAILURE);
    }
    const pid_t pid = fork();
    if (pid == 0) {
        pb_start_failure_tell(become(spec), failure_fd, EXIT_FAILURE);
    }
    close(failure_fd);
    const int status = pid > 0 ? await(pid) : SIGKILL;
    if (WIFSIGNALED(status)) {
        kill(0, SIGKILL);
    }
    _exit(WEXITSTATUS(status));
}

enum pb_code pb_background_start(const struct pb_background_spec *spec,
                                 struct pb_background *background, struct pb_error *err)
{
    int failures[2] = {-1, -1};
    const int log_fd = open(spec->log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (log_fd < 0) {
        return pb_error_set(err, PB_ERR_IO, "can't write %s: %s", spec->log_path, strerror(errno));
    }
    if (pipe2(failures, O_CLOEXEC) != 0) {
        const int cause = errno;
        close(log_fd);
        return pb_error_set(err, PB_ERR_CHILD, "can't make a pipe: %s", strerror(cause));
    }
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        close(failures[0]);
        guard(spec, parent, log_fd, failures[1]);
    }
    const int cause = errno;
    close(log_fd);
    close(failures[1]);
    struct pb_start_failure failure = {.cause = cause};
    if (pid > 0) {
        setpgid(pid, pid);
        failure = pb_start_failure_hear(failures[0]); /* waits until the program runs, or not */
    }
    close(failures[0]);
    if (failure.cause != 0) {
        if (pid > 0) {
            (void)await(pid);
        }
        return pb_start_failure_set(failure, spec->argv[0], spec->directory, err);
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
    if (waitpid(background->pid, &status, WNOHANG) == 0) {
        return false;
    }
    take_status(background, status);
    return true;
}

void pb_background_stop(struct pb_background *background)
{
    if (background->pid != 0) {
        kill(-background->pid, SIGKILL);
        take_status(background, await(background->pid));
    }
}
