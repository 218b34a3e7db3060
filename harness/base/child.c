/* SPDX-License-Identifier: Apache-2.0
 *
 * fork, exec, and a poll loop over the child's three pipes until they are closed and it is gone.
 *
 * A second pipe that exec closes tells a program that could not be started from one that exited
 * with the same code. The child leads a process group, so that a deadline ends what it started,
 * too.
 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "base/start_failure.h"

/* Ends of the pipes; -1 when closed. */
struct pipes {
    int input[2];
    int output[2];
    int errors[2];
    int failure[2]; /* a struct pb_start_failure, when exec was not reached */
};

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

static void close_pipes(struct pipes *pipes)
{
    int *all[] = {pipes->input, pipes->output, pipes->errors, pipes->failure};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        close_fd(&all[i][0]);
        close_fd(&all[i][1]);
    }
}

static enum pb_code open_pipes(struct pipes *pipes, struct pb_error *err)
{
    int *all[] = {pipes->input, pipes->output, pipes->errors, pipes->failure};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        all[i][0] = all[i][1] = -1;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (pipe2(all[i], O_CLOEXEC) != 0) {
            const int cause = errno;
            close_pipes(pipes);
            return pb_error_set(err, PB_ERR_CHILD, "can't make a pipe: %s", strerror(cause));
        }
    }
    return PB_OK;
}

/* Runs in the child; returns only when something failed. */
static struct pb_start_failure become(const struct pb_child_spec *spec, struct pipes *pipes)
{
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int in = spec->input != NULL ? pipes->input[0] : null;
    const int out = spec->output != NULL ? pipes->output[1] : null;
    const int errors = spec->errors != NULL ? pipes->errors[1] : null;
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(errors, 2) < 0) {
        return (struct pb_start_failure){.cause = errno};
    }
    setenv("LC_ALL", "C.UTF-8", 1);
    return pb_start(spec->argv, spec->directory);
}

/* Moves what is there from fd to buf (NULL throws it away). Closes fd at its end. */
static void drain(int *fd, struct pb_strbuf *buf)
{
    char chunk[16384];
    const ssize_t n = read(*fd, chunk, sizeof chunk);
    if (n > 0 && buf != NULL) {
        pb_strbuf_add(buf, chunk, (size_t)n);
    } else if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) {
        close_fd(fd);
    }
}

/* Feeds the next piece of text. Closes fd when all is written or nobody reads it. */
static void feed(int *fd, const char **text)
{
    const size_t left = strlen(*text);
    const ssize_t n = left > 0 ? write(*fd, *text, left) : 0;
    if (n > 0) {
        *text += n;
    }
    if (**text == '\0' || (n < 0 && errno != EINTR && errno != EAGAIN)) {
        close_fd(fd);
    }
}

/*
 * Serves the pipes until all are closed. A child whose output is thrown away holds only the one it
 * reads from. returns: false when the deadline passed first
 */
static bool serve(const struct pb_child_spec *spec, struct pipes *pipes, double deadline)
{
    const char *text = spec->input != NULL ? spec->input : "";
    while (pipes->output[0] >= 0 || pipes->errors[0] >= 0 || pipes->input[1] >= 0) {
        const double left = deadline - pb_monotonic_s();
        if (left <= 0) {
            return false;
        }
        struct pollfd polled[3] = {
            {.fd = pipes->output[0], .events = POLLIN},
            {.fd = pipes->errors[0], .events = POLLIN},
            {.fd = pipes->input[1], .events = POLLOUT},
        };
        if (poll(polled, 3, left > 1 ? 1000 : (int)(left * 1000) + 1) <= 0) {
            continue;
        }
        if (polled[0].revents != 0) {
            drain(&pipes->output[0], spec->output);
        }
        if (polled[1].revents != 0) {
            drain(&pipes->errors[0], spec->errors);
        }
        if (polled[2].revents != 0) {
            feed(&pipes->input[1], &text);
        }
    }
    return true;
}

/* Waits for the process until the deadline; then kills its group. */
static void reap(pid_t pid, double deadline, bool kill_now, struct pb_child_outcome *outcome)
{
    int status = 0;
    bool timed_out = kill_now;
    pid_t done = 0;
    while (!timed_out && (done = waitpid(pid, &status, WNOHANG)) == 0) {
        timed_out = pb_monotonic_s() > deadline;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (done == 0) {
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
    }
    outcome->timed_out = timed_out;
    outcome->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

enum pb_code pb_child_run(const struct pb_child_spec *spec, struct pb_child_outcome *outcome,
                          struct pb_error *err)
{
    if (spec->argv == NULL || spec->argv[0] == NULL || !(spec->deadline_s > 0)) {
        return pb_error_set(err, PB_ERR_USAGE, "a child needs a program and a deadline");
    }
    struct pipes pipes;
    enum pb_code code = open_pipes(&pipes, err);
    if (code != PB_OK) {
        return code;
    }
    const double deadline = pb_monotonic_s() + spec->deadline_s;
    const pid_t pid = fork();
    if (pid == 0) {
        pb_start_failure_tell(become(spec, &pipes), pipes.failure[1], 127);
    }
    if (pid < 0) {
        code =
            pb_error_set(err, PB_ERR_CHILD, "can't start %s: %s", spec->argv[0], strerror(errno));
        goto out;
    }
    setpgid(pid, pid);
    close_fd(&pipes.input[0]);
    close_fd(&pipes.output[1]);
    close_fd(&pipes.errors[1]);
    close_fd(&pipes.failure[1]);
    fcntl(pipes.input[1], F_SETFL, O_NONBLOCK);
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
    const bool served = serve(spec, &pipes, deadline);
    signal(SIGPIPE, before);
    struct pb_child_outcome result;
    reap(pid, deadline, !served, &result);
    const struct pb_start_failure failure = pb_start_failure_hear(pipes.failure[0]);
    if (failure.cause != 0) {
        code = pb_start_failure_set(failure, spec->argv[0], spec->directory, err);
        goto out;
    }
    *outcome = result;
out:
    close_pipes(&pipes);
    return code;
}
