/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing here is more than any suite could do by mistake.
 */
#include "deeds.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

static int crash(struct deed_state *state)
{
    (void)state;
    volatile int *volatile nowhere = (volatile int *)8; /* NOLINT(performance-no-int-to-ptr) */
    *nowhere = 1;
    return PAIRBENCH_OK;
}

static int abort_in_setup(struct pb_env *env)
{
    (void)env;
    abort();
}

static int abort_in_open(struct pb_env *env, struct deed_state *state)
{
    (void)env;
    (void)state;
    abort();
}

static int abort_anywhere(struct deed_state *state)
{
    (void)state;
    abort();
}

static int abort_in_teardown(void)
{
    abort();
}

/* Tells a test, which named a file in PB_TEST_MARK, that it has come this far. */
static int mark(struct deed_state *state)
{
    (void)state;
    const char *path = getenv("PB_TEST_MARK");
    const int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) {
        close(fd);
    }
    return PAIRBENCH_OK;
}

static int hang(struct deed_state *state)
{
    mark(state);
    while (pause() != 0) { /* it never returns 0 */
    }
    return PAIRBENCH_OK;
}

static int exit_0(struct deed_state *state)
{
    (void)state;
    exit(0);
}

static int exit_at_once(struct deed_state *state)
{
    (void)state;
    _exit(0);
}

static int terminate(struct deed_state *state)
{
    (void)state;
    raise(SIGTERM);
    return PAIRBENCH_OK;
}

static int print(struct deed_state *state)
{
    (void)state;
    puts("hello");
    return PAIRBENCH_OK;
}

static int write_in_open(struct pb_env *env, struct deed_state *state)
{
    (void)env;
    (void)state;
    return write(STDOUT_FILENO, "raw\x1b[31m", 8) == 8 ? PAIRBENCH_OK : PAIRBENCH_FAILED;
}

static int print_to_stderr(struct deed_state *state)
{
    (void)state;
    fputs("only a remark\n", stderr);
    return PAIRBENCH_OK;
}

/* The compiler must not see what becomes of the memory. */
static int free_twice(struct deed_state *state)
{
    (void)state;
    void *volatile memory = malloc(24);
    void *volatile again = memory;
    free(memory);
    free(again);
    return PAIRBENCH_OK;
}

/* Writes behind a block at the end of the heap and keeps it: the next large one is refused. */
static int spoil_the_heap(struct deed_state *state)
{
    (void)state;
    enum { BLOCK_BYTES = 100000, BEYOND_BYTES = 40 };
    unsigned char *block = malloc(BLOCK_BYTES);
    __asm__ volatile("" : "+r"(block)); /* the compiler forgets how large it is */
    if (block != NULL) {
        memset(block, 'x', BLOCK_BYTES + BEYOND_BYTES);
    }
    __asm__ volatile("" : : "r"(block) : "memory");
    /* cppcheck-suppress memleak ; on purpose */
    return PAIRBENCH_OK;
}

static int fail_with_a_reason(struct deed_state *state)
{
    return pb_fail(state->env, "the %s is on fire \x1b[31m| <b>", "sink");
}

static int fail_in_open(struct pb_env *env, struct deed_state *state)
{
    (void)state;
    return pb_fail(env, "no input today");
}

static int return_nonsense(struct deed_state *state)
{
    (void)state;
    return 42;
}

static int skip_with_a_reason(struct pb_env *env, struct deed_state *state)
{
    (void)state;
    return pb_skip(env, "no such instruction here");
}

static int flip_a_bit(struct deed_state *state)
{
    state->bytes[5] ^= 1;
    return PAIRBENCH_OK;
}

static int drop_a_byte(struct deed_state *state)
{
    state->n_bytes--;
    return PAIRBENCH_OK;
}

static int change_from_run_to_run(struct deed_state *state)
{
    if (state->n_runs > 1) {
        state->bytes[7] ^= 1;
    }
    return PAIRBENCH_OK;
}

static int use_up_the_arena(struct pb_env *env, struct deed_state *state)
{
    (void)state;
    while (pb_alloc(env, 1 << 20, 0) != NULL) {
    }
    return PAIRBENCH_FAILED;
}

/* The child lives on and holds all that was inherited. */
static int leave_a_child(struct deed_state *state)
{
    (void)state;
    static bool left;
    if (!left && fork() == 0) {
        for (;;) {
            pause();
        }
    }
    left = true;
    return PAIRBENCH_OK;
}

static int close_descriptors(struct deed_state *state)
{
    (void)state;
    for (int fd = 0; fd < 10; fd++) {
        close(fd);
    }
    return PAIRBENCH_OK;
}

static int set_locale(struct pb_env *env, struct deed_state *state)
{
    (void)state;
    return setlocale(LC_ALL, "de_DE.UTF-8") != NULL ? PAIRBENCH_OK
                                                    : pb_skip(env, "there is no de_DE.UTF-8");
}

static int count_at_random(struct deed_state *state)
{
    uint32_t value = 0;
    const ssize_t n = getrandom(&value, sizeof value, 0);
    return n == (ssize_t)sizeof value ? pb_count(state->env, "luck", value) : PAIRBENCH_FAILED;
}

static int count_twice(struct deed_state *state)
{
    pb_count(state->env, "writes", 1);
    return pb_count(state->env, "writes", 2);
}

static int count_below_zero(struct deed_state *state)
{
    return pb_count(state->env, "writes", -1);
}

static int count_while_running(struct deed_state *state)
{
    return pb_count(state->env, "writes", 1);
}

/* Finds what the worker shares with its launcher, and writes all over it. */
static int scribble(struct deed_state *state)
{
    (void)state;
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long long from = 0;
        unsigned long long to = 0;
        if (strstr(line, "memfd:pairbench-region") != NULL &&
            sscanf(line, "%llx-%llx", &from, &to) == 2) { /* NOLINT(cert-err34-c) */
            memset((void *)(uintptr_t)from, 0xFF,         /* NOLINT(performance-no-int-to-ptr) */
                   (size_t)(to - from));
        }
    }
    return PAIRBENCH_OK;
}

static int make_the_region_shorter(struct deed_state *state)
{
    (void)state;
    return ftruncate(3, 0) == 0 ? PAIRBENCH_FAILED : PAIRBENCH_OK;
}

const struct deed deeds[N_DEEDS] = {
    [DEED_crashes] = {.run = crash},
    [DEED_aborts_in_setup] = {.setup = abort_in_setup},
    [DEED_aborts_in_open] = {.open = abort_in_open},
    [DEED_aborts_in_output] = {.output = abort_anywhere},
    [DEED_aborts_in_counts] = {.counts = abort_anywhere},
    [DEED_aborts_in_close] = {.close = abort_anywhere},
    [DEED_aborts_in_teardown] = {.teardown = abort_in_teardown},
    [DEED_hangs] = {.run = hang},
    [DEED_exits] = {.run = exit_0},
    [DEED_exits_at_once] = {.run = exit_at_once},
    [DEED_terminates] = {.run = terminate},
    [DEED_prints] = {.run = print},
    [DEED_prints_in_open] = {.open = write_in_open},
    [DEED_prints_in_teardown_of_round] = {.close = print},
    [DEED_prints_to_stderr] = {.run = print_to_stderr},
    [DEED_frees_twice] = {.run = free_twice},
    [DEED_spoils_the_heap] = {.close = spoil_the_heap},
    [DEED_fails] = {.run = fail_with_a_reason},
    [DEED_fails_in_open] = {.open = fail_in_open},
    [DEED_returns_nonsense] = {.run = return_nonsense},
    [DEED_skips] = {.open = skip_with_a_reason},
    [DEED_differs] = {.output = flip_a_bit},
    [DEED_is_shorter] = {.output = drop_a_byte},
    [DEED_is_unsteady] = {.output = change_from_run_to_run},
    [DEED_uses_up_the_arena] = {.open = use_up_the_arena},
    [DEED_leaves_a_child] = {.run = leave_a_child},
    [DEED_closes_descriptors] = {.run = close_descriptors},
    [DEED_sets_the_locale] = {.open = set_locale},
    [DEED_does_no_work] = {.does_no_work = true},
    [DEED_counts_at_random] = {.counts = count_at_random},
    [DEED_counts_twice] = {.counts = count_twice},
    [DEED_counts_below_zero] = {.counts = count_below_zero},
    [DEED_counts_while_running] = {.run = count_while_running},
    [DEED_scribbles] = {.run = scribble},
    [DEED_makes_the_region_shorter] = {.run = make_the_region_shorter},
    [DEED_marks] = {.run = mark},
};
