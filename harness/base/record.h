/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of a run: what measure makes, store keeps and output draws.
 *
 * Plain data, no behaviour: it lives below all of them so that none has to know another. Every
 * pointer is into the arena of the command. Times are nanoseconds per operation unless a name says
 * otherwise; ratios are natural logarithms of b / a until the moment they are shown.
 */
#ifndef PB_BASE_RECORD_H
#define PB_BASE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Names and values that describe a machine, a build or a checkout; sorted by key where stored. */
struct pb_fact {
    const char *key;
    const char *value;
};

struct pb_facts {
    struct pb_fact *items;
    size_t n;
};

/* The value of key, or NULL. */
const char *pb_facts_get(const struct pb_facts *facts, const char *key);

/* Adds a fact where its key belongs, in facts that are sorted by key. */
void pb_facts_add(struct pb_arena *arena, struct pb_facts *facts, const char *key,
                  const char *value);

/* Counts that workers take. System calls are also counted by suites, of what they know of. */
#define PB_SYSCALLS_COUNT        "syscalls"
#define PB_ALLOCATIONS_COUNT     "allocations"
#define PB_ALLOCATED_BYTES_COUNT "allocated_bytes"
#define PB_PEAK_LIVE_BYTES_COUNT "peak_live_bytes"

/* Facts about the machine of a run that say how workers take them. */
#define PB_SYSCALL_COUNTER "syscall_counter"
#define PB_HEAP_COUNTER    "heap_counter"
#define PB_NO_COUNTER      "none"

enum pb_state {
    PB_STATE_OK,
    PB_STATE_FAILED,
    PB_STATE_SKIPPED,
};

/* `ok`, `failed`, `skipped` */
const char *pb_state_name(enum pb_state state);

enum pb_verdict {
    PB_VERDICT_REGRESSED,
    PB_VERDICT_IMPROVED,
    PB_VERDICT_UNCHANGED,
    PB_VERDICT_INCONCLUSIVE,
    PB_VERDICT_ADDED,
    PB_VERDICT_MISSING,
    PB_VERDICT_SKIPPED,
    PB_VERDICT_FAILED,
    PB_VERDICT_INCOMPARABLE,
    PB_VERDICT_BELOW_RESOLUTION,
    PB_VERDICT_INSUFFICIENT_HISTORY,
    PB_VERDICT_INVALID_RUN,
};
enum { PB_VERDICTS = PB_VERDICT_INVALID_RUN + 1 };

/* `regressed`, `improved` … `below resolution`, `insufficient history`, `invalid run` */
const char *pb_verdict_name(enum pb_verdict verdict);

/* A deterministic number of one operation. */
struct pb_count_record {
    const char *name;
    int64_t value;
    bool deterministic; /* two counting passes agreed */
};

/* What one launch measured of one benchmark. */
struct pb_launch_record {
    uint32_t launch;     /* number within the run, from 0                                  */
    uint32_t n_slices;   /* timed ones                                                     */
    uint64_t iterations; /* per slice, as reported                                         */
    double min_ns;       /* per operation, over the slices                                 */
    double p05_ns;
    double median_ns;
    double mad_ns; /* median absolute deviation from the median                      */
    const float
        *samples_ns; /* n_slices wall-clock times per operation in order of time; NULL = pruned */
};

enum {
    PB_BENCHMARK_BOUND = 1,     /* the variant is a bound         */
    PB_BENCHMARK_REFERENCE = 2, /* the variant is a third party's */
};

struct pb_benchmark_record {
    const char *name; /* CASE/SCENARIO/VARIANT */
    const char *case_name;
    const char *scenario;
    const char *variant;
    unsigned flags; /* PB_BENCHMARK_…                                                 */
    enum pb_state state;
    const char *reason;    /* why it failed or was skipped, has no time, or that its output
                              differs from another build's, which was allowed; else NULL     */
    bool below_resolution; /* ok, verified and counted, but too fast to be timed             */
    double best_ns;        /* smallest of all slices; NaN when not timed                     */
    double median_ns;      /* of the launches' medians; NaN when not timed                   */
    uint64_t repeats;      /* timed slices behind best_ns                                    */
    uint64_t iterations;   /* operations per slice                                           */
    double cpu_ns;         /* median of CPU time per operation; NaN when not timed           */
    double inject_pct;     /* iterations executed beyond those reported, in percent; 0 none  */
    struct pb_count_record *counts; /* sorted by name */
    size_t n_counts;
    int64_t instructions; /* per operation; -1 = not counted */
    struct pb_launch_record *launches;
    size_t n_launches;
};

/* Two variants of one scenario, or one variant of two builds: b against a. */
struct pb_pair_record {
    const char *case_name;
    const char *scenario;
    const char *variant; /* when a and b are two builds of it; NULL when a and b are variants */
    const char *a;
    const char *b;
    bool gated;       /* its ratio is judged; else only shown (bounds, third parties)        */
    double *d;        /* per launch: log(b / a), see stats/ratio.h                           */
    uint32_t *launch; /* their launch numbers                                                */
    size_t n_launches;
    double estimate; /* median of d; NaN without launches                                    */
    double lo;       /* interval of the estimate; -inf and +inf when too few launches        */
    double hi;
    double timed_s;          /* seconds of timed slices of both sides                        */
    double wall_s;           /* seconds of all workers of its scenario so far, verification,
                                counting and calibration included; 0 when not known          */
    enum pb_verdict verdict; /* of b against a                                               */
    bool by_layout;          /* no change is called, since where code lies could make it     */
    const char *reason;      /* why the verdict is none of the first four; else NULL         */
    const char *stopped;     /* why it got no more launches; NULL when it was not timed      */
    const char *noticed;     /* diagnostics with values, `modal 18 %; order +0.8 %`; NULL none */
};

/* Small pieces of code that are timed at both ends of a run: how fast the machine was. */
enum pb_kernel {
    PB_KERNEL_ALU,    /* a chain of arithmetic: the clock rate                  */
    PB_KERNEL_L2,     /* a walk through memory that fits into the second cache  */
    PB_KERNEL_MEMORY, /* a walk through memory that fits into no cache          */
};
enum { PB_KERNELS = PB_KERNEL_MEMORY + 1 };

/* `alu`, `l2`, `memory` */
const char *pb_kernel_name(enum pb_kernel kernel);

struct pb_run_record {
    const char *id;       /* UUID, lower case                                              */
    int64_t started_at;   /* seconds since 1970 in UTC                                     */
    const char *label;    /* K=V of --label, "" none; several are joined with ','          */
    const char *patterns; /* what was asked for, one a line, escaped (text.h); "" = everything */
    const char *tool_version;
    uint64_t seed;
    uint32_t launches; /* at most, per scenario */
    const char *plan;  /* looks, what ends a scenario, budget, in words; NULL = not known         */
    bool adaptive;     /* a scenario was finished as soon as its intervals were narrow enough */
    bool quick;
    bool injected; /* --inject was used: never a baseline                           */
    bool valid;
    const char *invalid_reason; /* NULL when valid */
    double wall_s;              /* from the first worker to the last                             */
    double timed_s;             /* of which inside timed slices                                  */
    const char *noticed; /* diagnostics of the machine and of pairs, a line each; NULL = none */
    double start_ms;     /* median time from starting a worker to its first measurement   */
    double kernels_ns[PB_KERNELS]; /* median of a step of each kernel; 0 or NaN = not timed */
    struct pb_facts machine;
    struct pb_facts build;
    struct pb_facts commit;
    struct pb_benchmark_record *benchmarks;
    size_t n_benchmarks;
    struct pb_pair_record *pairs;
    size_t n_pairs;
};

/*
 * Whether a run was able to take a count: not every kernel lets system calls be counted, nor does
 * every build count allocations.
 * returns: true for a count of a suite's own, and where the run does not tell
 */
bool pb_run_could_count(const struct pb_run_record *run, const char *count);

/* The count of that name, or NULL. */
const struct pb_count_record *pb_benchmark_count(const struct pb_benchmark_record *benchmark,
                                                 const char *name);

#endif
