/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting a worker and learning how it ended.
 *
 * One memory file serves all launches of a run, the region; what a worker writes to stdout and
 * stderr goes to files of its own, so that nothing a launch leaves behind can write into the next.
 * A worker leads a process group, so that Ctrl-C reaches only pairbench and that whatever the suite
 * started ends with it. The size of one environment variable moves the worker's stack by a random
 * multiple of 16 bytes within a page.
 *
 * A suite can write where it likes in its worker, the region included: what comes back is looked at
 * with care, and the region can't be made shorter under our feet.
 */
#include "measure/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "stats/random.h"

struct pb_launch {
    const char *worker;
    struct pb_launch_region *region;
    int region_fd;
    int output_fd;
    int errors_fd;
    int null_fd;
    int preload_fd;
};

/* A descriptor that a worker never gets by accident, above the three standard ones and the region.
 */
static int raise_fd(int fd)
{
    if (fd < 0) {
        return fd;
    }
    const int raised = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    close(fd);
    return raised;
}

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

enum pb_code pb_launch_new(const char *worker, struct pb_launch **launch, struct pb_error *err)
{
    struct pb_launch *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return pb_error_set(err, PB_ERR_NOMEM, "out of memory");
    }
    made->worker = worker;
    made->output_fd = made->errors_fd = made->preload_fd = -1;
    made->region_fd = raise_fd(memfd_create("pairbench-region", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    made->null_fd = raise_fd(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (made->region_fd < 0 || made->null_fd < 0 ||
        ftruncate(made->region_fd, (off_t)sizeof *made->region) != 0 ||
        fcntl(made->region_fd, F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
        const int cause = errno;
        pb_launch_free(made);
        return pb_error_set(err, PB_ERR_IO, "can't make a memory file for workers: %s",
                            strerror(cause));
    }
    void *mapped =
        mmap(NULL, sizeof *made->region, PROT_READ | PROT_WRITE, MAP_SHARED, made->region_fd, 0);
    if (mapped == MAP_FAILED) {
        const int cause = errno;
        pb_launch_free(made);
        return pb_error_set(err, PB_ERR_IO, "can't map memory for a worker: %s", strerror(cause));
    }
    made->region = mapped;
    *launch = made;
    return PB_OK;
}

void pb_launch_free(struct pb_launch *launch)
{
    if (launch == NULL) {
        return;
    }
    if (launch->region != NULL) {
        munmap(launch->region, sizeof *launch->region);
    }
    close_fd(&launch->region_fd);
    close_fd(&launch->null_fd);
    close_fd(&launch->output_fd);
    close_fd(&launch->errors_fd);
    close_fd(&launch->preload_fd);
    free(launch);
}

struct pb_launch_region *pb_launch_region(struct pb_launch *launch)
{
    return launch->region;
}

uint32_t pb_launch_add_suite(struct pb_launch_request *request, const char *path)
{
    for (uint32_t i = 0; i < request->n_suites; i++) {
        if (strcmp(request->suites[i], path) == 0) {
            return i;
        }
    }
    snprintf(request->suites[request->n_suites], sizeof request->suites[0], "%s", path);
    return request->n_suites++;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Zeroes what the worker fills, and puts right what a suite can't have left alone. */
static void reset(struct pb_launch_region *region, uint32_t n_sides)
{
    region->request.magic = PB_LAUNCH_MAGIC;
    region->request.launcher = getpid();
    region->request.n_sides = n_sides;
    region->phase = PB_PHASE_START;
    region->side = 0;
    region->first_ns = 0;
    region->counts_syscalls = 0;
    region->timed_s = 0;
    region->setup_ns = 0;
    region->empty_slice_ns = 0;
    region->empty_slice_cpu_ns = 0;
    memset(region->kernels_ns, 0, sizeof region->kernels_ns);
    region->counter = PB_COUNTER_NONE;
    region->list_bytes = 0;
    region->failure[0] = '\0';
    for (uint32_t i = 0; i < n_sides; i++) {
        struct pb_side_result *result = &region->results[i];
        memset(result, 0, offsetof(struct pb_side_result, real_ns));
    }
}

static enum pb_code open_outputs(struct pb_launch *launch, struct pb_error *err)
{
    close_fd(&launch->output_fd);
    close_fd(&launch->errors_fd);
    launch->output_fd = raise_fd(memfd_create("pairbench-stdout", MFD_CLOEXEC));
    launch->errors_fd = raise_fd(memfd_create("pairbench-stderr", MFD_CLOEXEC));
    if (launch->output_fd < 0 || launch->errors_fd < 0) {
        return pb_error_set(err, PB_ERR_IO, "can't make memory files for a worker: %s",
                            strerror(errno));
    }
    return PB_OK;
}

/* Whether a text in the region has an end. */
static bool ends(const char text[PB_LAUNCH_REASON_BYTES])
{
    return memchr(text, '\0', PB_LAUNCH_REASON_BYTES) != NULL;
}

/* Whether the region can have been written by a worker alone, and not by a suite in it. */
static bool is_sound(const struct pb_launch_region *region, uint32_t n_sides)
{
    bool sound = region->request.magic == PB_LAUNCH_MAGIC && region->request.n_sides == n_sides &&
                 region->phase <= PB_PHASE_DONE && ends(region->failure);
    for (uint32_t i = 0; i < n_sides && sound; i++) {
        const struct pb_side_result *result = &region->results[i];
        sound = result->state <= PB_STATE_SKIPPED && result->n_counts <= PB_LAUNCH_COUNTS_MAX &&
                ends(result->reason);
        for (uint32_t k = 0; sound && k < result->n_counts; k++) {
            sound = memchr(result->counts[k].name, '\0', PB_LAUNCH_COUNT_NAME_BYTES) != NULL;
        }
    }
    return sound;
}

enum { STACK_PAD_BYTES = 4096, ENVIRONMENT_MAX = 4096, PRELOAD_FD = PB_LAUNCH_FD + 1 };

/* The environment of a worker: ours, the stack pad, and a preload; returns false when too large. */
static bool make_environment(char **environment, char *pad, char *preload)
{
    size_t n = 0;
    for (char **entry = environ; *entry != NULL; entry++) {
        if (n + 4 >= ENVIRONMENT_MAX) {
            return false;
        }
        if (strncmp(*entry, "LD_PRELOAD=", 11) != 0 || preload == NULL) {
            environment[n++] = *entry;
        }
    }
    environment[n++] = pad;
    if (preload != NULL) {
        environment[n++] = preload;
        environment[n++] = "MALLOC_CHECK_=3"; /* heeded by PB_HEAP_CHECKER alone: abort at once */
    }
    environment[n] = NULL;
    return true;
}

/*
 * The entry LD_PRELOAD=…. The dynamic linker splits it at spaces and colons, which a path may have
 * and the name of a descriptor has not.
 */
static enum pb_code name_preload(struct pb_launch *launch, const char *preload, char *entry,
                                 size_t size, struct pb_error *err)
{
    if (strchr(preload, '/') == NULL) {
        snprintf(entry, size, "LD_PRELOAD=%s", preload);
        return PB_OK;
    }
    launch->preload_fd = raise_fd(open(preload, O_RDONLY | O_CLOEXEC));
    if (launch->preload_fd < 0) {
        return pb_error_set(err, PB_ERR_IO, "can't open %s: %s", preload, strerror(errno));
    }
    snprintf(entry, size, "LD_PRELOAD=/proc/self/fd/%d", PRELOAD_FD);
    return PB_OK;
}

/* posix_spawn does not copy this process's page tables: a start costs the same however large the
 * run has grown. */
static int spawn(struct pb_launch *launch, char **environment, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, launch->null_fd, 0);
    posix_spawn_file_actions_adddup2(&actions, launch->output_fd, 1);
    posix_spawn_file_actions_adddup2(&actions, launch->errors_fd, 2);
    posix_spawn_file_actions_adddup2(&actions, launch->region_fd, PB_LAUNCH_FD);
    if (launch->preload_fd >= 0) {
        posix_spawn_file_actions_adddup2(&actions, launch->preload_fd, PRELOAD_FD);
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
    char *const argv[] = {(char *)launch->worker, NULL};
    const int cause = posix_spawn(pid, launch->worker, &actions, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return cause;
}

/* Waits for the process to end; kills its group at the deadline. returns: whether it hung */
static bool await(pid_t pid, double deadline_s, int *status)
{
    const int64_t deadline = now_ns() + (int64_t)(deadline_s * 1e9);
    const int pidfd = pidfd_open(pid, 0);
    bool hung = false;
    for (;;) {
        const int64_t left_ns = deadline - now_ns();
        if (left_ns <= 0) {
            hung = true;
            break;
        }
        const int64_t left_ms = left_ns / 1000000 + 1;
        struct pollfd polled = {.fd = pidfd, .events = POLLIN};
        const int n =
            pidfd >= 0 ? poll(&polled, 1, left_ms > 1000 ? 1000 : (int)left_ms) : poll(NULL, 0, 1);
        if ((n > 0 || pidfd < 0) && waitpid(pid, status, WNOHANG) == pid) {
            break;
        }
    }
    kill(-pid, SIGKILL); /* and whatever else is left of its group */
    if (hung) {
        while (waitpid(pid, status, 0) < 0 && errno == EINTR) {
        }
    }
    if (pidfd >= 0) {
        close(pidfd);
    }
    return hung;
}

/* The line that says why: the last one, or what a sanitizer calls its summary. */
static char *telling_line(char *words)
{
    char *summary = strstr(words, "\nSUMMARY: ");
    char *line = summary != NULL ? summary : strrchr(words, '\n');
    return line != NULL ? line + 1 : words;
}

/* Appends the last words of the worker's stderr: glibc says there why it aborted. */
static void add_last_words(struct pb_launch *launch, struct pb_strbuf *reason)
{
    char words[PB_LAUNCH_OUTPUT_BYTES + 1];
    const off_t size = lseek(launch->errors_fd, 0, SEEK_END);
    const off_t from = size > PB_LAUNCH_OUTPUT_BYTES ? size - PB_LAUNCH_OUTPUT_BYTES : 0;
    const ssize_t n = pread(launch->errors_fd, words, PB_LAUNCH_OUTPUT_BYTES, from);
    if (n <= 0) {
        return;
    }
    words[n] = '\0';
    for (ssize_t i = 0; i < n; i++) {
        words[i] = words[i] == '\0' ? ' ' : words[i];
    }
    size_t end = strlen(words);
    while (end > 0 && (words[end - 1] == '\n' || words[end - 1] == ' ')) {
        words[--end] = '\0';
    }
    char *line = telling_line(words);
    line[strcspn(line, "\n")] = '\0';
    if (end > 0) {
        pb_strbuf_adds(reason, ": ");
        pb_text_add_escaped(reason, line);
    }
}

static void describe(struct pb_launch *launch, struct pb_launch_outcome *outcome, double deadline_s)
{
    struct pb_strbuf reason;
    pb_strbuf_init(&reason);
    reason.limit = sizeof outcome->reason - 1;
    const char *where = pb_phase_text(outcome->phase);
    switch (outcome->end) {
    case PB_END_DONE:
        break;
    case PB_END_REFUSED:
        pb_text_add_escaped(&reason, launch->region->failure);
        break;
    case PB_END_DIED:
        pb_strbuf_addf(&reason, "died of signal %d (%s%s) %s", outcome->status,
                       strsignal(outcome->status),
                       outcome->status == SIGKILL ? ": perhaps out of memory" : "", where);
        add_last_words(launch, &reason);
        break;
    case PB_END_EXITED:
        pb_strbuf_addf(&reason, "exited with code %d %s", outcome->status, where);
        add_last_words(launch, &reason);
        break;
    case PB_END_HUNG:
        pb_strbuf_addf(&reason, "hung: killed after %.3g s %s", deadline_s, where);
        break;
    case PB_END_SPOILED:
        pb_strbuf_adds(&reason, "wrote over memory that is pairbench's");
        break;
    }
    memcpy(outcome->reason, reason.text, reason.length + 1);
    pb_strbuf_release(&reason);
}

static void judge(struct pb_launch *launch, uint32_t n_sides, bool hung, int status,
                  struct pb_launch_outcome *outcome)
{
    struct pb_launch_region *region = launch->region;
    const bool sound = is_sound(region, n_sides);
    if (!sound) {
        reset(region, n_sides);
    }
    outcome->phase = (enum pb_phase)region->phase;
    outcome->side = region->side < n_sides ? region->side : 0;
    if (hung) {
        outcome->end = PB_END_HUNG;
    } else if (WIFSIGNALED(status)) {
        outcome->end = PB_END_DIED;
        outcome->status = WTERMSIG(status);
    } else if (!sound) {
        outcome->end = PB_END_SPOILED;
    } else if (region->failure[0] != '\0') {
        outcome->end = PB_END_REFUSED;
    } else if (region->phase != PB_PHASE_DONE || WEXITSTATUS(status) != 0) {
        outcome->end = PB_END_EXITED;
        outcome->status = WEXITSTATUS(status);
    } else {
        outcome->end = PB_END_DONE;
    }
}

enum pb_code pb_launch_run(struct pb_launch *launch, const char *preload, double deadline_s,
                           struct pb_launch_outcome *outcome, struct pb_error *err)
{
    const uint32_t n_sides = launch->region->request.n_sides;
    reset(launch->region, n_sides);
    close_fd(&launch->preload_fd);
    char preload_entry[64] = "";
    enum pb_code code = open_outputs(launch, err);
    if (code == PB_OK && preload != NULL) {
        code = name_preload(launch, preload, preload_entry, sizeof preload_entry, err);
    }
    if (code != PB_OK) {
        return code;
    }
    char *environment[ENVIRONMENT_MAX];
    char pad[32 + STACK_PAD_BYTES] = "PAIRBENCH_STACK_PAD=";
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(launch->region->request.seed, 1));
    const size_t start = strlen(pad);
    memset(pad + start, 'x', 16 * (size_t)pb_random_below(&random, STACK_PAD_BYTES / 16));
    if (!make_environment(environment, pad, preload != NULL ? preload_entry : NULL)) {
        return pb_error_set(err, PB_ERR_LIMIT, "the environment has more than %d variables",
                            ENVIRONMENT_MAX - 5);
    }
    launch->region->request.started_ns = now_ns();
    pid_t pid = 0;
    const int cause = spawn(launch, environment, &pid);
    if (cause != 0) {
        return pb_error_set(err, PB_ERR_CHILD, "can't start the worker %s: %s", launch->worker,
                            strerror(cause));
    }
    int status = 0;
    const bool hung = await(pid, deadline_s, &status);
    *outcome = (struct pb_launch_outcome){0};
    judge(launch, n_sides, hung, status, outcome);
    describe(launch, outcome, deadline_s);
    return PB_OK;
}

enum pb_code pb_launch_read_list(struct pb_launch *launch, struct pb_strbuf *text,
                                 struct pb_error *err)
{
    off_t at = (off_t)sizeof *launch->region;
    for (uint64_t left = launch->region->list_bytes; left > 0;) {
        char chunk[16384];
        const size_t most = left < sizeof chunk ? (size_t)left : sizeof chunk;
        const ssize_t n = pread(launch->region_fd, chunk, most, at);
        if (n < 0) {
            return pb_error_set(err, PB_ERR_IO, "can't read a suite's table: %s", strerror(errno));
        }
        if (n == 0) {
            break;
        }
        pb_strbuf_add(text, chunk, (size_t)n);
        left -= (uint64_t)n;
        at += n;
    }
    return PB_OK;
}
