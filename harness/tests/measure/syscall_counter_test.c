/* SPDX-License-Identifier: Apache-2.0
 *
 * System calls of this very process, counted and still done.
 */
#include "measure/worker/syscall_counter.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int pipe_fds[2];

/* Where the kernel has no such thing nothing can be tested but that it says so. */
static void begin(void)
{
    if (!syscall_counter_begin()) {
        skip();
    }
}

static void nothing_is_no_call(void **state)
{
    (void)state;
    begin();
    assert_int_equal(syscall_counter_end(), 0);
}

static void calls_are_counted_and_done(void **state)
{
    (void)state;
    char back[4] = "";
    begin();
    const ssize_t n_written = write(pipe_fds[1], "abc", 3);
    const ssize_t n_read = read(pipe_fds[0], back, 3);
    const pid_t pid = (pid_t)syscall(SYS_getpid);
    const int64_t n = syscall_counter_end();
    assert_int_equal(n_written, 3);
    assert_int_equal(n_read, 3);
    assert_string_equal(back, "abc");
    assert_int_equal(pid, getpid());
    assert_int_equal(n, 3);
}

/* All six arguments arrive: what the file holds behind the first page is mapped where it was
 * wanted. */
static void every_argument_arrives(void **state)
{
    (void)state;
    enum { PAGE = 4096 };
    const int fd = memfd_create("six", MFD_CLOEXEC);
    assert_int_equal(pwrite(fd, "page two", 8, PAGE), 8);
    void *room = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    begin();
    void *mapped = mmap(room, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, fd, PAGE);
    const int64_t n = syscall_counter_end();
    assert_ptr_equal(mapped, room);
    assert_memory_equal(mapped, "page two", 8);
    assert_int_equal(n, 0); /* of memory */
    munmap(room, PAGE);
    close(fd);
}

static void an_error_reaches_its_caller(void **state)
{
    (void)state;
    begin();
    errno = 0;
    const int code = close(-1);
    const int cause = errno;
    const int64_t n = syscall_counter_end();
    assert_int_equal(code, -1);
    assert_int_equal(cause, EBADF);
    assert_int_equal(n, 1);
}

static void memory_is_not_counted(void **state)
{
    (void)state;
    begin();
    void *large = malloc((size_t)64 << 20);
    memset(large, 1, 4096);
    free(large);
    assert_int_equal(syscall_counter_end(), 0);
}

static volatile sig_atomic_t n_caught;

static void catch_it(int number)
{
    (void)number;
    n_caught++;
}

/* Even one that blocks all signals, SIGSYS among them. */
static void a_mask_of_signals_stays_as_it_was_set(void **state)
{
    (void)state;
    signal(SIGUSR1, catch_it);
    n_caught = 0;
    sigset_t all;
    sigset_t before;
    sigset_t after;
    sigfillset(&all);
    begin();
    sigprocmask(SIG_SETMASK, &all, &before);
    kill((pid_t)syscall(SYS_getpid), SIGUSR1);
    const int caught_while_blocked = n_caught;
    const int64_t n = syscall_counter_end();
    sigprocmask(SIG_SETMASK, &before, &after);
    assert_int_equal(caught_while_blocked, 0);
    assert_int_equal(n_caught, 1);
    assert_int_equal(n, 3);
    assert_true(sigismember(&after, SIGUSR1));
    assert_false(sigismember(&after, SIGSYS));
    signal(SIGUSR1, SIG_DFL);
}

static void a_fork_is_done_but_not_counted(void **state)
{
    (void)state;
    begin();
    const pid_t pid = fork();
    if (pid == 0) {
        _exit(7);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    assert_int_equal(syscall_counter_end(), -1);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void *write_a_byte(void *unused)
{
    (void)unused;
    return write(pipe_fds[1], "x", 1) == 1 ? pipe_fds : NULL;
}

static void a_thread_is_started_but_not_counted(void **state)
{
    (void)state;
    pthread_t thread;
    void *result = NULL;
    char back = 0;
    begin();
    const int code = pthread_create(&thread, NULL, write_a_byte, NULL);
    if (code == 0) {
        pthread_join(thread, &result);
    }
    assert_int_equal(syscall_counter_end(), -1);
    assert_int_equal(code, 0);
    assert_non_null(result);
    assert_int_equal(read(pipe_fds[0], &back, 1), 1);
}

/* It is off when it has ended, and a handler of SIGSYS is who it was. */
static void it_leaves_nothing_behind(void **state)
{
    (void)state;
    n_caught = 0;
    signal(SIGSYS, catch_it);
    begin();
    assert_int_equal(syscall_counter_end(), 0);
    raise(SIGSYS);
    assert_int_equal(n_caught, 1);
    signal(SIGSYS, SIG_DFL);
    assert_int_equal(write(pipe_fds[1], "y", 1), 1);
    char back = 0;
    assert_int_equal(read(pipe_fds[0], &back, 1), 1);
}

int main(void)
{
    if (pipe(pipe_fds) != 0) {
        return EXIT_FAILURE;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_no_call),
        cmocka_unit_test(calls_are_counted_and_done),
        cmocka_unit_test(every_argument_arrives),
        cmocka_unit_test(an_error_reaches_its_caller),
        cmocka_unit_test(memory_is_not_counted),
        cmocka_unit_test(a_mask_of_signals_stays_as_it_was_set),
        cmocka_unit_test(a_fork_is_done_but_not_counted),
        cmocka_unit_test(a_thread_is_started_but_not_counted),
        cmocka_unit_test(it_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
