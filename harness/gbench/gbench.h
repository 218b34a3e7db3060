/* SPDX-License-Identifier: Apache-2.0
 *
 * Google Benchmark for C.
 *
 * libbenchmark is a good stopwatch with a C++ interface. This is the same stopwatch for C:
 * benchmarks are registered with a function and a payload, run with or without a command line, and
 * reported to a function and a payload. It is a library of its own: it needs libbenchmark (1.7.1 or
 * later) and the C++ runtime, and nothing else of pairbench.
 *
 *     static void copy(struct gb_state *state, void *payload)
 *     {
 *         const struct text *text = payload;            // set-up here is not timed
 *         while (gb_state_next(state)) {                // this is
 *             memcpy(text->to, text->from, text->size);
 *             gb_clobber_memory();
 *         }
 *         gb_state_set_bytes_processed(state, (int64_t)(gb_state_iterations(state) * text->size));
 *     }
 *
 *     int main(int argc, char **argv)
 *     {
 *         struct text text = …;
 *         const struct gb_benchmark_spec spec = {.name = "copy", .body = copy, .payload = &text};
 *         if (gb_register(&spec, NULL) != GB_OK)
 *             return 1;
 *         return gb_main(argc, argv);                   // or gb_burst(), or gb_run()
 *     }
 *
 * The rules to know:
 * - libbenchmark keeps its benchmarks and flags in globals: call everything but the gb_state_…
 *   functions from one thread at a time, and nothing but these from inside a body.
 * - No C++ exception leaves this library. One that a body written in C++ throws becomes that run's
 *   error; one that a report function throws stops the run and becomes GB_ERR_EXCEPTION.
 * - The first run in a process reads from /proc and /sys what the machine is, and libbenchmark has
 *   no way around it: 0.6 to 0.8 ms with two CPUs, more with more. Where neither tells the clock
 *   rate (no tsc_freq_khz, no cpufreq, no `cpu MHz` or `bogomips` in /proc/cpuinfo) libbenchmark
 *   measures it for a whole second. gb_prepare() does it at a moment of your choice.
 */
#ifndef GBENCH_H
#define GBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GB_API      __attribute__((visibility("default")))
#define GB_MUST_USE __attribute__((warn_unused_result))
#else
#define GB_API
#define GB_MUST_USE
#endif

/* Results */

enum gb_code {
    GB_OK = 0,
    GB_ERR_INVALID,   /* a parameter is missing or makes no sense; nothing was done */
    GB_ERR_LIMIT,     /* a number is beyond its GB_…_MAX; nothing was done */
    GB_ERR_NOMEM,     /* out of memory; what was run until then may have been reported */
    GB_ERR_NO_MATCH,  /* no benchmark matches, or the filter is no regular expression */
    GB_ERR_USAGE,     /* --help was given, or a flag with a value that it can't have */
    GB_ERR_BODY,      /* all was run and reported, and at least one run ended in an error */
    GB_ERR_EXCEPTION, /* libbenchmark or a function written in C++ threw; the run was given up */
};

/* What a code means, in English, without a full stop; never NULL. */
GB_API const char *gb_code_text(enum gb_code code);

/* Limits: more is refused with GB_ERR_LIMIT. They keep a slip of the pen from eating all memory. */
#define GB_ITERATIONS_MAX  UINT64_C(1000000000000000) /* of one run: 11 days of nanoseconds */
#define GB_REPETITIONS_MAX 100000u                    /* libbenchmark keeps about 1 KB for each */
#define GB_ARGS_MAX        16u                        /* arguments of one instance */
#define GB_INSTANCES_MAX   10000u                     /* argument lists of one benchmark */
#define GB_THREADS_MAX     1024u

/* Bodies: what is timed */

/*
 * What a body knows of its run. Valid until the body returns.
 * left: for gb_state_next() alone
 */
struct gb_state {
    uint64_t left;
};

/*
 * A body runs its loop to the end once: either `while (gb_state_next(state))` or
 *     for (uint64_t n; (n = gb_state_next_batch(state)) != 0;)
 *         …n iterations…
 * Time is taken from the first call of these until the one that says that it is over. A body that
 * returns before that has failed, and its run is reported with that error.
 * payload: as registered
 */
typedef void (*gb_body)(struct gb_state *state, void *payload);

/*
 * Starts the clock, or stops it. For bodies that do many iterations in one call.
 * returns: how many iterations to do now (today all of them in one batch); 0 when it is over, which
 *          is also the answer after an error and whenever it is asked again
 */
GB_API uint64_t gb_state_next_batch(struct gb_state *state);

/*
 * Whether to do one more iteration.
 * cost: a decrement and a branch, no call
 */
static inline bool gb_state_next(struct gb_state *state)
{
    if (state->left == 0) {
        state->left = gb_state_next_batch(state);
    }
    if (state->left == 0) {
        return false;
    }
    state->left--;
    return true;
}

/* Iterations that this run consists of, 1..GB_ITERATIONS_MAX. With threads: of this thread. */
GB_API uint64_t gb_state_iterations(const struct gb_state *state);

/*
 * Argument number index (from 0) of this run.
 * returns: 0 when there is none, and the run fails with an error that says so
 */
GB_API int64_t gb_state_arg(struct gb_state *state, size_t index);

/* How many arguments this run has. */
GB_API size_t gb_state_args(const struct gb_state *state);

/* Number of the calling thread, 0..gb_state_threads() - 1. */
GB_API unsigned gb_state_thread(const struct gb_state *state);

/* Threads that run the body at once; 1 unless the benchmark asked for more. */
GB_API unsigned gb_state_threads(const struct gb_state *state);

/*
 * Stops the clock for a while, inside the loop. Each pair costs a microsecond or two, about half of
 * which is measured: leave it out of loops of less than many microseconds. Pausing what is paused
 * and resuming what runs does nothing, and neither does either outside the loop.
 */
GB_API void gb_state_pause(struct gb_state *state);
GB_API void gb_state_resume(struct gb_state *state);

/*
 * Ends the run with an error. The loop ends at its next question for more; it is up to the body to
 * leave the rest of the iteration, or of the batch, undone. The repetitions that would follow are
 * not run and get the same error.
 * message: copied; NULL is taken as "". The first message of a run stays
 */
GB_API void gb_state_skip_with_error(struct gb_state *state, const char *message);

/*
 * The time that one iteration took by a clock of your own; adds up over the run.
 * seconds: >= 0. Has no effect unless the benchmark's clock is GB_CLOCK_MANUAL
 */
GB_API void gb_state_set_iteration_time(struct gb_state *state, double seconds);

/*
 * What the whole run has processed; reported as the counters bytes_per_second and
 * items_per_second. Call it after the loop.
 */
GB_API void gb_state_set_bytes_processed(struct gb_state *state, int64_t bytes);
GB_API void gb_state_set_items_processed(struct gb_state *state, int64_t items);

/* A word on this run for the report. text: copied; NULL is taken as "" */
GB_API void gb_state_set_label(struct gb_state *state, const char *text);

/* How a counter's value is turned into what is reported; flags are combined with `|`. */
enum gb_counter_flag {
    GB_COUNTER_PLAIN = 0,
    GB_COUNTER_RATE = 1 << 0,                /* divided by the run's seconds */
    GB_COUNTER_AVG_THREADS = 1 << 1,         /* divided by the threads */
    GB_COUNTER_ITERATION_INVARIANT = 1 << 2, /* multiplied by the iterations */
    GB_COUNTER_AVG_ITERATIONS = 1 << 3,      /* divided by the iterations */
    GB_COUNTER_INVERT = 1 << 4,              /* at last: 1 / value */
    GB_COUNTER_KIB = 1 << 5,                 /* Google's own reporters count in 1024s, not 1000s */
};

/*
 * Sets a counter of this run; with threads their values are added up.
 * name:  copied; not NULL. All runs of a benchmark must give the same flags to one name
 * flags: of enum gb_counter_flag
 */
GB_API void gb_state_set_counter(struct gb_state *state, const char *name, double value,
                                 unsigned flags);

/* Makes the compiler believe that the memory at address is read, so that it really is written. */
static inline void gb_do_not_optimize(const void *address)
{
#if defined(__GNUC__)
    __asm__ volatile("" : : "r"(address) : "memory");
#else
    *(const void *volatile *)&address = address;
#endif
}

/* Makes the compiler finish all writes to memory here. */
static inline void gb_clobber_memory(void)
{
#if defined(__GNUC__)
    __asm__ volatile("" : : : "memory");
#endif
}

/* Reports */

enum gb_run_type {
    GB_RUN_ITERATION, /* one repetition */
    GB_RUN_AGGREGATE, /* a statistic over the repetitions: mean, median, stddev, cv */
};

enum gb_time_unit {
    GB_UNIT_DEFAULT, /* ns, or what --benchmark_time_unit says */
    GB_UNIT_NS,
    GB_UNIT_US,
    GB_UNIT_MS,
    GB_UNIT_S,
};

/* A counter as it is reported: rates and averages are worked out. */
struct gb_counter {
    const char *name;
    double value;
    unsigned flags; /* as it was set */
};

/*
 * What one run came to. All of it is valid until the report function returns.
 * Times are of one iteration, and NaN where there is none: in a run with an error and in an
 * aggregate that is no time. The real time of every run contains one reading of the thread's CPU
 * clock, a system call: 0.1 to 1 µs, divided by the iterations.
 */
struct gb_result {
    const char *name; /* with arguments and settings, as Google's reporters show it */
    enum gb_run_type run_type;
    const char *aggregate_name; /* "mean", "median" …; NULL for a repetition */
    int64_t repetition;         /* from 0; -1 for an aggregate */
    int64_t repetitions;        /* planned */
    int64_t threads;
    uint64_t iterations; /* over all threads; of an aggregate: repetitions behind it */
    double real_ns;      /* wall clock, or the manual time, per iteration */
    double cpu_ns;       /* of the thread, or the process, per iteration */
    double real_total_s; /* of all iterations together */
    double cpu_total_s;
    double real_fraction; /* of an aggregate that is a fraction (cv); NaN otherwise */
    double cpu_fraction;
    enum gb_time_unit unit;            /* wanted for display; the numbers here don't depend on it */
    const char *error;                 /* NULL: none */
    const char *label;                 /* NULL: none */
    const struct gb_counter *counters; /* sorted by name */
    size_t n_counters;
};

/*
 * Takes a result. Called once per repetition, in order of time, after the last repetition of its
 * benchmark, and then once per aggregate.
 * payload: as given to the run
 */
typedef void (*gb_report)(const struct gb_result *result, void *payload);

/* Bursts: the fast path */

/* Everything but payloads and the name is required. */
struct gb_burst_spec {
    const char *name; /* comes back in the results as it is; NULL is taken as "" */
    gb_body body;
    void *payload;
    uint64_t iterations; /* of each repetition: exactly that many */
    uint32_t repetitions;
    gb_report report; /* called `repetitions` times; no aggregates */
    void *report_payload;
};

/*
 * Times one body, now: clears what is registered, runs the body `repetitions` times with
 * `iterations` iterations each, and reports each repetition. Prints nothing and leaves nothing
 * registered. Neither flags nor BENCHMARK_… environment variables change a burst: it sets those
 * that could back to their defaults, so call gb_initialize() again if gb_run() is to obey them.
 * errors: GB_ERR_INVALID, GB_ERR_LIMIT, GB_ERR_NOMEM, GB_ERR_EXCEPTION; GB_ERR_BODY when a result
 *         has an error
 * cost:   3 to 9 µs; for each repetition 1 to 2 µs and two readings of the CPU clock, untimed but
 *         for one of these; the program gbench_overhead measures it here
 */
GB_API enum gb_code gb_burst(const struct gb_burst_spec *burst) GB_MUST_USE;

/*
 * Does what the first run of a process would have to, see the rules at the top. What it finds out
 * is kept, and passed on by fork().
 * errors: GB_ERR_NOMEM, GB_ERR_EXCEPTION
 */
GB_API enum gb_code gb_prepare(void) GB_MUST_USE;

/* Benchmarks: the general path */

struct gb_benchmark; /* owned by the library; valid until gb_clear() or gb_burst() */

/* Which time decides how many iterations are enough and what rates are divided by. */
enum gb_clock {
    GB_CLOCK_CPU,    /* CPU time of the thread, or of the process */
    GB_CLOCK_REAL,   /* wall clock */
    GB_CLOCK_MANUAL, /* what the body gives to set_iteration_time() */
};

/* Only name and body are required; 0 and NULL leave it to the command line, or to libbenchmark. */
struct gb_benchmark_spec {
    const char *name; /* copied; not empty. One that starts with DISABLED_ is never run */
    gb_body body;
    void *payload;       /* kept, not owned: must outlive the benchmark */
    uint64_t iterations; /* of each repetition; 0: as many as min_time_s needs */
    uint32_t repetitions;
    double min_time_s;   /* only without iterations */
    double min_warmup_s; /* untimed running before; only with min_time_s */
    enum gb_time_unit unit;
    enum gb_clock clock;
    bool process_cpu_time; /* CPU time of all threads of the process, not of the running one */
    bool aggregates_only;  /* report aggregates but not the repetitions behind them */
    uint32_t threads;      /* that run the body at once, each with all iterations; 0: one */
    const char *const *arg_names; /* copied */
    size_t n_arg_names;           /* then every argument list has that length */
};

/*
 * Adds a benchmark to those that gb_run() runs.
 * benchmark: for adding arguments; may be NULL
 * errors:    GB_ERR_INVALID, GB_ERR_LIMIT, GB_ERR_NOMEM, GB_ERR_EXCEPTION
 */
GB_API enum gb_code gb_register(const struct gb_benchmark_spec *spec,
                                struct gb_benchmark **benchmark) GB_MUST_USE;

/*
 * Arguments. Every list that is added makes one instance of the benchmark, which is run with it.
 * All lists of a benchmark have the same length.
 * errors: GB_ERR_INVALID (no arguments, another length, lo > hi …), GB_ERR_LIMIT: nothing is added;
 *         GB_ERR_NOMEM: some lists may be
 */
GB_API enum gb_code gb_benchmark_add_arg(struct gb_benchmark *benchmark, int64_t arg) GB_MUST_USE;
GB_API enum gb_code gb_benchmark_add_args(struct gb_benchmark *benchmark, const int64_t *args,
                                          size_t n_args) GB_MUST_USE;

/*
 * lo, hi, and between them the powers of multiplier (>= 2; 8 is usual), or every step-th number
 * from lo on.
 * lo: <= hi
 */
GB_API enum gb_code gb_benchmark_add_range(struct gb_benchmark *benchmark, int64_t lo, int64_t hi,
                                           int multiplier) GB_MUST_USE;
GB_API enum gb_code gb_benchmark_add_dense_range(struct gb_benchmark *benchmark, int64_t lo,
                                                 int64_t hi, int64_t step) GB_MUST_USE;

/* The values that one argument may take. */
struct gb_arg_values {
    const int64_t *values;
    size_t n_values;
};

/* Every combination of one value each out of n_args lists; the first argument varies fastest. */
GB_API enum gb_code gb_benchmark_add_product(struct gb_benchmark *benchmark,
                                             const struct gb_arg_values *args,
                                             size_t n_args) GB_MUST_USE;

/* Removes all benchmarks. Every struct gb_benchmark is invalid then. */
GB_API enum gb_code gb_clear(void) GB_MUST_USE;

struct gb_run_spec {
    const char *filter; /* regular expression on names, '-' in front: those that don't match;
                           NULL: what --benchmark_filter says, or all */
    gb_report report;   /* NULL: Google's own, to stdout, as --benchmark_format says */
    void *report_payload;
};

/*
 * Runs the registered benchmarks.
 * spec:   NULL is a zeroed one
 * n_run:  set to the number of instances that matched; may be NULL
 * errors: GB_ERR_NO_MATCH, GB_ERR_NOMEM, GB_ERR_EXCEPTION; GB_ERR_BODY when a run ended in an
 *         error. With --benchmark_out=FILE libbenchmark ends the process if it can't open FILE.
 */
GB_API enum gb_code gb_run(const struct gb_run_spec *spec, size_t *n_run) GB_MUST_USE;

/* The command line */

/*
 * Takes Google Benchmark's flags out of argv and obeys them from now on. libbenchmark complains of
 * what should be a number and is none on stderr, and leaves it in argv.
 * argc, argv: updated: what was not recognised is left
 * errors:     GB_ERR_USAGE: the flags before the bad one are set; GB_ERR_INVALID, GB_ERR_NOMEM,
 *             GB_ERR_EXCEPTION
 */
GB_API enum gb_code gb_initialize(int *argc, char **argv) GB_MUST_USE;

/* Whether anything but the program's name is left in argv; each is named on stderr. */
GB_API bool gb_report_unrecognized(int argc, char **argv);

/* Prints Google Benchmark's flags to stdout. */
GB_API void gb_print_help(void);

/* Adds a line to the context that Google's own reporters print. key, value: copied; not NULL */
GB_API enum gb_code gb_add_context(const char *key, const char *value) GB_MUST_USE;

/*
 * The usual main(): flags, help, unrecognised arguments, run, all of it printed.
 * returns: an exit code: 0, 1 when a benchmark failed or none matched, 2 for a wrong command line
 */
GB_API int gb_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
