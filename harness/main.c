/* SPDX-License-Identifier: Apache-2.0
 *
 * The program: a signal handler and the way into the table of commands.
 *
 * Ctrl-C ends a run between two launches: nothing is stored, the terminal is left tidy, and the
 * process dies of the signal, as a shell expects.
 */
#include <signal.h>
#include <unistd.h>

#include "commands/all.h"

static volatile sig_atomic_t stop; /* number of the signal that asked for an end; the only global */

static void on_signal(int number)
{
    if (stop != 0) {
        _exit(128 + number); /* asked twice: at once */
    }
    stop = number;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    const int exit_code = pb_commands_main(argc, argv, &stop);
    if (stop != 0) {
        signal(stop, SIG_DFL);
        raise(stop);
    }
    return exit_code;
}
