/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch: a fresh worker process that does one task with some sides of one scenario.
 *
 * The two processes share one memory region, made by the launcher and inherited by the worker as
 * descriptor PB_LAUNCH_FD: the launcher fills `request`, the worker fills the rest. While it works
 * it keeps `phase` and `side` up to date, so that the launcher knows where a dead worker died.
 * Whatever a suite does to this region, it can only spoil its own launch: lengths and numbers that
 * come back are within bounds and texts end, but what they say is the suite's word.
 */
#ifndef PB_MEASURE_LAUNCH_H
#define PB_MEASURE_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "measure/catalog.h"
#include "stats/ratio.h"

enum {
    PB_LAUNCH_FD = 3,
    PB_LAUNCH_SIDES_MAX = PB_VARIANTS_MAX,
    PB_INSTANCES_MAX = 4,      /* copies of a side in a launch, each in another layout */
    PB_LAUNCH_SLICES_MAX = 16, /* timed ones in a burst */
    PB_LAUNCH_SAMPLES_MAX = PB_ROUNDS_MAX * PB_LAUNCH_SLICES_MAX,
    PB_LAUNCH_COUNTS_MAX = 32,
    PB_LAUNCH_COUNT_NAME_BYTES = 64,
    PB_LAUNCH_REASON_BYTES = 512,
    PB_LAUNCH_OUTPUT_BYTES = 4096, /* kept of what a worker writes to stderr */
};

/* How the reason of a side begins whose output is not the reference's. */
#define PB_DIFFERS "output differs"

/* How the reason begins why a suite of another ABI is not loaded. */
#define PB_OTHER_ABI "it was built for ABI "

/* A region made by another build of pairbench is refused by the worker. */
#define PB_LAUNCH_MAGIC UINT64_C(0x70625f6c61756e0c)

enum pb_task {
    PB_TASK_LIST,         /* dump the table of suites[0] behind the region       */
    PB_TASK_VERIFY,       /* compare every side's output with old's              */
    PB_TASK_COUNT,        /* deterministic numbers of one operation              */
    PB_TASK_CALIBRATE,    /* how many iterations make a slice                    */
    PB_TASK_TIME,         /* rounds of bursts                                    */
    PB_TASK_INSTRUCTIONS, /* instructions of one operation                       */
    PB_TASK_KERNELS,      /* how fast this machine is; no suites, no sides       */
};

/* Who counts instructions. */
enum pb_counter {
    PB_COUNTER_NONE,
    PB_COUNTER_PERF_EVENT, /* the processor, through perf_event_open() */
    PB_COUNTER_CALLGRIND,  /* the worker runs under valgrind           */
};

enum pb_phase {
    PB_PHASE_START,
    PB_PHASE_LOAD,
    PB_PHASE_SETUP,
    PB_PHASE_OPEN,
    PB_PHASE_RUN,
    PB_PHASE_OUTPUT,
    PB_PHASE_COUNTS,
    PB_PHASE_CLOSE,
    PB_PHASE_TEARDOWN,
    PB_PHASE_DONE,
};

/* `while it was loaded`, `in setup`, `in run` … */
const char *pb_phase_text(enum pb_phase phase);

/* Which benchmark a side is, by indices into the tables of a suite, and how it is run. */
struct pb_side_request {
    uint32_t suites[PB_INSTANCES_MAX]; /* of each instance: index in the request's suites */
    uint8_t layouts[PB_INSTANCES_MAX]; /* and in the layouts of its own suite, for the launcher */
    uint32_t case_index;
    uint32_t scenario;
    uint32_t variant;
    uint64_t iterations; /* per slice, as reported (PB_TASK_TIME)               */
    uint64_t executed;   /* per slice, as done: differs only under --inject     */
};

struct pb_launch_request {
    uint64_t magic;
    uint64_t seed; /* of everything that is random in this launch */
    uint32_t task; /* enum pb_task */
    uint32_t n_suites;
    uint32_t n_sides;
    uint32_t n_instances; /* of every side; they take turns from round to round (PB_TASK_TIME) */
    uint32_t own_layouts; /* 0 = in a round all sides are in the same layout                   */
    uint32_t rounds;
    uint32_t warm_slices; /* untimed ones before those in each burst */
    uint32_t timed_slices;
    double slice_ns;        /* aim of a slice, for PB_TASK_CALIBRATE */
    uint32_t has_reference; /* sides[0] is the one that the others are compared with */
    char reference[32];     /* what sides[0] is called when another differs from it */
    int64_t started_ns;     /* CLOCK_MONOTONIC when the launcher started the worker */
    int32_t launcher;       /* its process id: a worker that has another parent has lost it */
    struct pb_side_request sides[PB_LAUNCH_SIDES_MAX];
    char suites[PB_LAUNCH_SIDES_MAX][PATH_MAX];
};

struct pb_side_result {
    uint32_t state; /* enum pb_state */
    uint32_t done;  /* 1 when the side went through the whole task */
    char reason[PB_LAUNCH_REASON_BYTES];
    uint64_t output_bytes; /* VERIFY */
    uint32_t n_counts;     /* COUNT  */
    uint32_t n_samples;    /* TIME: rounds × timed slices */
    struct {
        char name[PB_LAUNCH_COUNT_NAME_BYTES];
        int64_t value;
    } counts[PB_LAUNCH_COUNTS_MAX];
    int64_t instructions;                 /* INSTRUCTIONS: of one operation */
    double operation_ns;                  /* CALIBRATE: of one operation; 0 when below resolution */
    float real_ns[PB_LAUNCH_SAMPLES_MAX]; /* TIME: per operation, round by round    */
    float cpu_ns[PB_LAUNCH_SAMPLES_MAX];
    uint8_t turn[PB_ROUNDS_MAX];     /* TIME: its place in the order of each round, from 0 */
    uint8_t instance[PB_ROUNDS_MAX]; /* TIME: which of its instances had its turn          */
};

/* What both processes map. */
struct pb_launch_region {
    struct pb_launch_request request;
    volatile uint32_t phase; /* enum pb_phase */
    volatile uint32_t side;  /* index, valid from PB_PHASE_SETUP on */
    int64_t first_ns;        /* CLOCK_MONOTONIC when the first burst began; 0 = never */
    double timed_s;          /* seconds inside timed slices */
    double setup_ns;         /* CALIBRATE: of all sides, one after the other */
    double empty_slice_ns;   /* what the stopwatch adds to a slice, already taken off the samples */
    double empty_slice_cpu_ns;            /* the same of CPU time */
    double kernels_ns[PB_KERNELS];        /* KERNELS: median of a step; 0 = not timed */
    volatile uint32_t counter;            /* INSTRUCTIONS: enum pb_counter */
    volatile uint32_t counts_syscalls;    /* COUNT: 1 where the kernel lets them be counted */
    uint64_t list_bytes;                  /* LIST: length of the table behind the region */
    char failure[PB_LAUNCH_REASON_BYTES]; /* why the launch as a whole can't go on; "" = none */
    struct pb_side_result results[PB_LAUNCH_SIDES_MAX];
};

/* How a launch ended. */
enum pb_launch_end {
    PB_END_DONE,    /* the worker went through its task; sides may have failed one by one */
    PB_END_REFUSED, /* region->failure says why (no such file, another ABI …)             */
    PB_END_DIED,    /* by a signal                                                        */
    PB_END_EXITED,  /* exit() or _exit() in the middle                                    */
    PB_END_HUNG,    /* killed at its deadline                                             */
    PB_END_SPOILED, /* something wrote over the region: what it says is worth nothing     */
};

struct pb_launch;

/*
 * Prepares launches: maps the region and the files that take a worker's output.
 * worker: path of the worker program, kept by reference
 * errors: PB_ERR_IO
 */
enum pb_code pb_launch_new(const char *worker, struct pb_launch **launch,
                           struct pb_error *err) PB_MUST_USE;

void pb_launch_free(struct pb_launch *launch);

/* The region, to fill in the request and to read the results. */
struct pb_launch_region *pb_launch_region(struct pb_launch *launch);

/* Adds the path of a suite to a request, once. returns: its index in request->suites */
uint32_t pb_launch_add_suite(struct pb_launch_request *request, const char *path);

struct pb_launch_outcome {
    enum pb_launch_end end;
    int status; /* signal or exit code */
    enum pb_phase phase;
    uint32_t side;
    char reason[PB_LAUNCH_REASON_BYTES]; /* "died of signal 11 (Segmentation fault) in run: …"  */
};

/*
 * The C library's own checks of its heap, for LD_PRELOAD: a block that was overrun is noticed when
 * it is freed. Where it isn't installed, the dynamic linker goes on without.
 */
#define PB_HEAP_CHECKER "libc_malloc_debug.so.0"

/*
 * Runs one worker on the request in the region and waits for it.
 * preload:    shared object for LD_PRELOAD, NULL none
 * deadline_s: killed after it
 * errors:     PB_ERR_CHILD the worker program can't be started at all
 */
enum pb_code pb_launch_run(struct pb_launch *launch, const char *preload, double deadline_s,
                           struct pb_launch_outcome *outcome, struct pb_error *err) PB_MUST_USE;

/*
 * Reads what a PB_TASK_LIST worker wrote behind the region.
 * text: appended
 * errors: PB_ERR_IO
 */
enum pb_code pb_launch_read_list(struct pb_launch *launch, struct pb_strbuf *text,
                                 struct pb_error *err) PB_MUST_USE;

#endif
