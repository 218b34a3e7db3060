/* SPDX-License-Identifier: Apache-2.0
 *
 * The program: a signal handler and the way into the table of commands.
 *
 * Ctrl-C ends a run between two launches: nothing is stored, the terminal is left tidy, and the
 * process dies of the signal, as a shell expects. So it is when the terminal is closed, but for a
 * run that was started by nohup. What a parent may have done to us is undone first: closed standard
 * descriptors, which a database would then be opened as, and an ignored SIGCHLD, which would keep
 * us from learning how a worker ended.
 */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "commands/all.h"

static volatile sig_atomic_t stop; /* number of the signal that asked for an end; the only global */

static void on_signal(int number)
{
    if (stop != 0 && number != SIGHUP) { /* a closed terminal and its shell both say so */
        _exit(128 + number);             /* asked twice: at once */
    }
    stop = number;
}

static void catch_signals(void)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++) {
        struct sigaction before;
        sigaction(asking[i], NULL, &before);
        if (asking[i] != SIGHUP || before.sa_handler != SIG_IGN) {
            sigaction(asking[i], &action, NULL);
        }
    }
}

/* Puts something unusable in the place of closed standard descriptors. returns: whether it could */
static bool fill_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        const int wrong_way = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong_way) != fd) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    if (!fill_standard_descriptors()) {
        return PB_EXIT_USAGE;
    }
    signal(SIGCHLD, SIG_DFL);
    catch_signals();
    const int exit_code = pb_commands_main(argc, argv, &stop);
    if (stop != 0) {
        signal(stop, SIG_DFL);
        raise(stop);
    }
    return exit_code;
}
