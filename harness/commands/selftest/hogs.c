/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain fork without exec: the child touches nothing but its own loop. Each is bound to a processor
 * of its own, so that two of them don't share one while another is idle.
 */
#include "commands/selftest/hogs.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stats/random.h"

/* More than fits into a cache that one core has for itself. */
#define HOGGED_BYTES ((size_t)32 << 20)

/* How long it takes until a process that was started is at work. */
#define SETTLING_NS 50000000

enum { SHORTEST_BURST_MS = 5, LONGEST_BURST_MS = 100 };

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void be_busy_until(int64_t end_ns)
{
    while (now_ns() < end_ns) {
        for (volatile int i = 0; i < 10000; i++) {
        }
    }
}

static int64_t burst_ns(struct pb_random *random)
{
    const uint64_t span = LONGEST_BURST_MS - SHORTEST_BURST_MS + 1;
    return (int64_t)(SHORTEST_BURST_MS + pb_random_below(random, span)) * 1000000;
}

static void be_bursty(uint64_t seed)
{
    struct pb_random random;
    pb_random_init(&random, seed);
    for (;;) {
        be_busy_until(now_ns() + burst_ns(&random));
        const struct timespec rest = {.tv_nsec = (long)burst_ns(&random)};
        nanosleep(&rest, NULL);
    }
}

static void copy_memory(void)
{
    char *memory =
        mmap(NULL, 2 * HOGGED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return;
    }
    for (bool there = true;; there = !there) {
        memcpy(memory + (there ? HOGGED_BYTES : 0), memory + (there ? 0 : HOGGED_BYTES),
               HOGGED_BYTES);
        __asm__ volatile("" : : "r"(memory) : "memory");
    }
}

/* What the child does until it is killed. */
static void hog(enum pb_hog kind, pid_t parent, size_t cpu, uint64_t seed)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGALRM};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        signal(deadly[i], SIG_DFL);
    }
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    (void)sched_setaffinity(0, sizeof cpus, &cpus);
    alarm(PB_HOG_SECONDS_MAX);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
        return; /* its end would not be ours */
    }
    if (kind == PB_HOG_BURSTY) {
        be_bursty(seed);
    } else if (kind == PB_HOG_MEMORY) {
        copy_memory();
    } else {
        be_busy_until(INT64_MAX);
    }
}

static enum pb_code start_one(enum pb_hog kind, size_t cpu, struct pb_hogs *hogs,
                              struct pb_error *err)
{
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) {
        return pb_error_set(err, PB_ERR_CHILD, "can't start a process to make load: %s",
                            strerror(errno));
    }
    if (pid == 0) {
        hog(kind, parent, cpu, (uint64_t)getpid());
        _exit(1);
    }
    hogs->pids[hogs->n++] = pid;
    return PB_OK;
}

/* Whether all are still there. */
static enum pb_code check(const struct pb_hogs *hogs, struct pb_error *err)
{
    for (size_t i = 0; i < hogs->n; i++) {
        siginfo_t ended = {0};
        if (waitid(P_PID, (id_t)hogs->pids[i], &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            ended.si_pid != 0) {
            return pb_error_set(err, PB_ERR_CHILD, "a process that was to make load ended at once");
        }
    }
    return PB_OK;
}

enum pb_code pb_hogs_start(enum pb_hog kind, struct pb_hogs *hogs, struct pb_error *err)
{
    *hogs = (struct pb_hogs){0};
    if (kind == PB_HOG_NONE) {
        return PB_OK;
    }
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    if (sched_getaffinity(0, sizeof cpus, &cpus) != 0) {
        return pb_error_set(err, PB_ERR_CHILD, "can't ask which processors there are: %s",
                            strerror(errno));
    }
    const size_t most = kind == PB_HOG_ALL || kind == PB_HOG_BURSTY ? PB_HOGS_MAX : 1;
    enum pb_code code = PB_OK;
    for (size_t cpu = 0; code == PB_OK && cpu < CPU_SETSIZE && hogs->n < most; cpu++) {
        if (CPU_ISSET(cpu, &cpus)) {
            code = start_one(kind, cpu, hogs, err);
        }
    }
    if (code == PB_OK) {
        nanosleep(&(struct timespec){.tv_nsec = SETTLING_NS}, NULL);
        code = check(hogs, err);
    }
    if (code != PB_OK) {
        pb_hogs_stop(hogs);
    }
    return code;
}

void pb_hogs_stop(struct pb_hogs *hogs)
{
    for (size_t i = 0; i < hogs->n; i++) {
        kill(hogs->pids[i], SIGKILL);
    }
    for (size_t i = 0; i < hogs->n; i++) {
        while (waitpid(hogs->pids[i], NULL, 0) < 0 && errno == EINTR) {
        }
    }
    hogs->n = 0;
}
