/* SPDX-License-Identifier: Apache-2.0
 *
 * Load that is made on purpose ends: when it is told to, and with whoever made it.
 */
#include "commands/selftest/hogs.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static size_t n_processors(void)
{
    cpu_set_t cpus;
    assert_int_equal(sched_getaffinity(0, sizeof cpus, &cpus), 0);
    return (size_t)CPU_COUNT(&cpus);
}

static bool exists(pid_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

static void each_kind_has_its_processes_until_it_is_stopped(void **state)
{
    (void)state;
    const size_t all = n_processors();
    const struct {
        enum pb_hog kind;
        size_t n;
    } rows[] = {
        {PB_HOG_NONE, 0},     {PB_HOG_ONE, 1},    {PB_HOG_ALL, all},
        {PB_HOG_BURSTY, all}, {PB_HOG_MEMORY, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_hogs hogs;
        assert_int_equal(pb_hogs_start(rows[i].kind, &hogs, NULL), PB_OK);
        assert_int_equal(hogs.n, rows[i].n);
        const struct pb_hogs started = hogs;
        for (size_t k = 0; k < started.n; k++) {
            assert_true(exists(started.pids[k]));
        }
        pb_hogs_stop(&hogs);
        assert_int_equal(hogs.n, 0);
        for (size_t k = 0; k < started.n; k++) {
            assert_false(exists(started.pids[k]));
        }
        pb_hogs_stop(&hogs); /* once more does no harm */
    }
}

/* Starts load in a child, which is then killed. returns: the id of its hog */
static pid_t leave_a_hog_behind(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct pb_hogs hogs;
        if (pb_hogs_start(PB_HOG_ONE, &hogs, NULL) != PB_OK ||
            write(ends[1], &hogs.pids[0], sizeof hogs.pids[0]) != sizeof hogs.pids[0]) {
            _exit(1);
        }
        pause();
        _exit(0);
    }
    pid_t hog = 0;
    close(ends[1]);
    assert_int_equal(read(ends[0], &hog, sizeof hog), sizeof hog);
    close(ends[0]);
    assert_true(exists(hog));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return hog;
}

/* An orphan is gone once it was killed and somebody has taken note; a zombie keeps its id. */
static bool has_ended(pid_t pid)
{
    char path[64];
    char line[512] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return true;
    }
    const bool read_it = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    const char *name_end = strrchr(line, ')');
    return !read_it || name_end == NULL || name_end[2] == 'Z' || name_end[2] == 'X';
}

static void load_ends_with_the_process_that_made_it(void **state)
{
    (void)state;
    const pid_t hog = leave_a_hog_behind();
    bool ended = false;
    for (int i = 0; i < 1000 && !ended; i++) {
        ended = has_ended(hog);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_true(ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_its_processes_until_it_is_stopped),
        cmocka_unit_test(load_ends_with_the_process_that_made_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
