/* SPDX-License-Identifier: Apache-2.0
 *
 * The worker: the program that a launch is. It maps the region it inherits, loads the suites of its
 * sides in random order, does its one task and exits.
 *
 * It is started hundreds of times in a run and must be up in a few milliseconds, so it links
 * nothing but the stopwatch. It is the first to be killed when memory runs out, leaves no core
 * files, and dies with the process that started it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "measure/worker/meter.h"
#include "measure/worker/own_pages.h"
#include "measure/worker/tasks.h"
#include "stats/random.h"

enum { EXIT_REFUSED = 3 };

static struct pb_launch_region *map_region(void)
{
    void *mapped = mmap(NULL, sizeof(struct pb_launch_region), PROT_READ | PROT_WRITE, MAP_SHARED,
                        PB_LAUNCH_FD, 0);
    if (mapped == MAP_FAILED) {
        return NULL;
    }
    struct pb_launch_region *region = mapped;
    if (region->request.magic != PB_LAUNCH_MAGIC) {
        return NULL;
    }
    return region;
}

static void be_expendable(const struct pb_launch_region *region)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != region->request.launcher) {
        _exit(EXIT_REFUSED); /* it died before the call above could tell */
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        const ssize_t ignored = write(fd, "1000", 4);
        (void)ignored;
        close(fd);
    }
}

/*
 * Has the heap behave as in a process that has lived for a while: what is freed stays, and large
 * blocks come from it, too. Else the kernel takes memory back and gives it again within an
 * operation, or doesn't, as what lies at the end of the heap decides: one Thrift reply was decoded
 * in 12 or in 120 µs.
 */
static void settle_heap(void)
{
    enum { MIB = 1 << 20 };
    (void)mallopt(M_MMAP_THRESHOLD,
                  32 * MIB); /* the most to which the C library raises it itself */
    (void)mallopt(M_TRIM_THRESHOLD, 1024 * MIB);
}

/* Loads one suite. returns: NULL when that failed; the reason is in region->failure */
static const struct pb_suite *load(struct pb_launch_region *region, const char *path)
{
    char *failure = region->failure;
    const size_t size = sizeof region->failure;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        snprintf(failure, size, "can't load it: %s", dlerror());
        return NULL;
    }
    const struct pb_suite *(*suite_of)(void);
    *(void **)&suite_of = dlsym(object, "pairbench_suite");
    const struct pb_suite *suite = suite_of != NULL ? suite_of() : NULL;
    char excerpt[80];
    if (suite == NULL) {
        snprintf(failure, size, "it is no suite: it has no function pairbench_suite()");
    } else if (suite->abi != PAIRBENCH_ABI) {
        snprintf(failure, size,
                 PB_OTHER_ABI "%u of pairbench.h, this pairbench wants ABI %u: build it again "
                              "with this pairbench's header",
                 suite->abi, PAIRBENCH_ABI);
        suite = NULL;
    } else if (stdout_was_used(excerpt, sizeof excerpt)) {
        snprintf(failure, size, "it wrote to stdout while it was loaded: \"%s\"", excerpt);
        suite = NULL;
    }
    if (suite != NULL && region->request.task == PB_TASK_TIME) {
        own_pages(object);
    }
    return suite;
}

static bool load_all(struct pb_launch_region *region, const struct pb_suite **suites)
{
    const uint32_t n = region->request.n_suites;
    uint32_t order[PB_LAUNCH_SIDES_MAX];
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(region->request.seed, 2));
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    pb_random_shuffle(&random, order, n);
    region->phase = PB_PHASE_LOAD;
    for (uint32_t i = 0; i < n; i++) {
        suites[order[i]] = load(region, region->request.suites[order[i]]);
        if (suites[order[i]] == NULL) {
            return false;
        }
    }
    return true;
}

static bool work(struct pb_launch_region *region)
{
    static const struct {
        void (*task)(struct side *sides, uint32_t n);
    } tasks[] = {
        [PB_TASK_VERIFY] = {task_verify},
        [PB_TASK_COUNT] = {task_count},
        [PB_TASK_CALIBRATE] = {task_calibrate},
        [PB_TASK_TIME] = {task_time},
        [PB_TASK_INSTRUCTIONS] = {task_instructions},
    };
    const struct pb_suite *suites[PB_LAUNCH_SIDES_MAX] = {0};
    struct side sides[PB_LAUNCH_SIDES_MAX * PB_INSTANCES_MAX];
    const struct pb_launch_request *request = &region->request;
    if (request->task == PB_TASK_KERNELS) {
        task_kernels(region);
        return true;
    }
    if (request->task == PB_TASK_INSTRUCTIONS && !meter_begin(region)) {
        return false;
    }
    if (!load_all(region, suites)) {
        return false;
    }
    if (request->task == PB_TASK_LIST) {
        return task_list(region, suites[0]);
    }
    const uint32_t n_sides = request->n_sides;
    const uint32_t n_instances = request->n_instances;
    if (n_sides > PB_LAUNCH_SIDES_MAX || n_instances > PB_INSTANCES_MAX) {
        return false; /* a suite wrote over it while it was loaded */
    }
    for (uint32_t i = 0; i < n_sides * n_instances; i++) {
        const uint32_t side = i % n_sides;
        const uint32_t suite = request->sides[side].suites[i / n_sides] % PB_LAUNCH_SIDES_MAX;
        if (suites[suite] == NULL || !side_init(&sides[i], region, side, suites[suite])) {
            return false;
        }
    }
    if (request->task >= sizeof tasks / sizeof tasks[0] || tasks[request->task].task == NULL) {
        return false;
    }
    tasks[request->task].task(sides, n_sides);
    return true;
}

int main(void)
{
    struct pb_launch_region *region = map_region();
    if (region == NULL) {
        fputs("pairbench-worker: started by pairbench only, and by one of the same build\n",
              stderr);
        return EXIT_REFUSED;
    }
    be_expendable(region);
    settle_heap();
    if (!work(region)) {
        return EXIT_REFUSED;
    }
    region->phase = PB_PHASE_DONE;
    fflush(NULL);
    _exit(0); /* a suite's exit handlers have no say in whether its launch counts */
}
