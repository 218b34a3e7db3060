/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite ABI: all that a benchmark suite and the harness know of each other.
 *
 * A suite is a shared object that exports one function, pairbench_suite(), which returns a
 * constant table of cases. A case does one thing (`cql/batch_send_body`) on several inputs (its
 * scenarios) by several implementations (its variants). The first variant is named `old`; it is
 * the reference that the bytes of every other variant are compared with before anything is timed.
 *
 * A benchmark is named CASE/SCENARIO/VARIANT. That name is its identity for ever: baselines and
 * history are keyed by it.
 *
 * The rule to know: between open() and close() a variant may be run any number of times and must
 * do the same work, and produce the same bytes, every time. The harness calls a variant from one
 * thread of a worker process that is made for one launch and then thrown away.
 *
 * This header needs nothing but a C11 or C++11 compiler and libc. It is the only header of
 * pairbench that a suite includes.
 */
#ifndef PAIRBENCH_H
#define PAIRBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Number of this ABI. It grows by one with every change that an existing suite could notice; the
 * harness refuses a suite with another number and says which it wants.
 */
#define PAIRBENCH_ABI 1u

#if defined(__GNUC__)
#define PAIRBENCH_EXPORT __attribute__((visibility("default")))
#define PAIRBENCH_PRINTF(format_index, first_index)                                                \
    __attribute__((format(printf, format_index, first_index)))
#else
#define PAIRBENCH_EXPORT
#define PAIRBENCH_PRINTF(format_index, first_index)
#endif

/* What a callback of a variant returns. */
#define PAIRBENCH_OK      0 /* done                                                             */
#define PAIRBENCH_FAILED  1 /* it went wrong; the reason was given to pb_fail()                 */
#define PAIRBENCH_SKIPPED 2 /* not possible here; the reason was given to pb_skip()             */

/* A run of bytes that somebody else owns. data may be NULL when size is 0. */
struct pb_bytes {
    const void *data;
    size_t size;
};

/*
 * What the harness offers to a variant. Call it through pb_alloc(), pb_fail(), pb_skip() and
 * pb_count(); it is valid from setup() to teardown() and may be kept in the variant's state.
 */
struct pb_env {
    void *(*alloc)(struct pb_env *env, size_t size_bytes, size_t align_bytes);
    int (*fail)(struct pb_env *env, const char *format, ...) PAIRBENCH_PRINTF(2, 3);
    int (*skip)(struct pb_env *env, const char *format, ...) PAIRBENCH_PRINTF(2, 3);
    int (*count)(struct pb_env *env, const char *name, int64_t value);
    void *harness; /* the harness's own */
};

/*
 * Memory for a variant's state and its copy of the input, from the arena that the harness places
 * at the same page offset for every side of a round and at a new one in the next round.
 * size_bytes:  up to PAIRBENCH_ARENA_BYTES in all between one open() and its close()
 * align_bytes: a power of two up to 4096; 0 means 16
 * returns:     uninitialised memory, valid until close(); NULL when the arena is used up, which
 *              is already recorded as this variant's failure: return PAIRBENCH_FAILED
 * In setup() and teardown() there is no arena yet: use malloc() there.
 */
#define PAIRBENCH_ARENA_BYTES                  ((size_t)8 << 20)
#define pb_alloc(env, size_bytes, align_bytes) ((env)->alloc((env), (size_bytes), (align_bytes)))

/*
 * Records why this variant failed (pb_fail) or can't be measured here (pb_skip), printf-style.
 * returns: PAIRBENCH_FAILED or PAIRBENCH_SKIPPED, so that `return pb_fail(env, "…");` works
 */
#define pb_fail(env, ...) ((env)->fail((env), __VA_ARGS__))
#define pb_skip(env, ...) ((env)->skip((env), __VA_ARGS__))

/*
 * Reports a deterministic number of one operation, from counts() only. Fields of long standing:
 * "writes" (sink calls), "reads" (source calls), "bytes" (bytes produced or consumed),
 * "syscalls". An increase of any of them against a baseline fails `pairbench check`. System calls
 * that are not reported are counted by the harness, where the kernel lets it: all that the thread
 * of run() makes in one operation but those for memory.
 * name:  kept only during the call; at most 63 bytes
 * value: of one operation, >= 0
 */
#define pb_count(env, name, value) ((env)->count((env), (name), (value)))

/* An input that a case is run on. */
struct pb_scenario {
    const char *name;       /* `10q_2p_vec128`; no '/'                                          */
    const char *summary;    /* one line                                                         */
    const void *input;      /* the case's own description of the input; may be NULL             */
    struct pb_bytes golden; /* bytes that one operation must produce; data NULL = not known     */
    uint32_t flags;         /* PAIRBENCH_SCENARIO_…                                             */
    uint32_t reserved;      /* 0                                                                */
};

/* Measured only when its name is asked for (too long, or too large, for the default set). */
#define PAIRBENCH_SCENARIO_ON_REQUEST 1u

/*
 * One implementation. Callbacks return PAIRBENCH_OK, PAIRBENCH_FAILED or PAIRBENCH_SKIPPED; those
 * marked optional may be NULL. Order of calls in a launch:
 *     setup  (open  run…  output  counts  close)…  teardown
 * setup:    once per launch, untimed: builds inputs too large for the arena. *shared is passed to
 *           open and teardown. Variants with the same setup and teardown may be given one *shared
 *           for all of them: what it points to is then an input that nobody changes. Optional.
 * open:     before every round, untimed and cheap: takes state and inputs from pb_alloc().
 * run:      n operations, timed. The only callback whose time counts; n >= 1.
 * output:   the bytes that the last operation of run produced, valid until the next call. Optional
 *           for a bound, which is not verified.
 * counts:   calls pb_count() for the deterministic numbers of one operation. May run the operation
 *           itself with counting sinks or sources. Optional.
 * close:    ends what open began. Optional.
 * teardown: ends what setup began. Optional.
 */
struct pb_variant {
    const char *name;    /* `old`, `new`, `floor`, or the name of a third-party library; no '/' */
    const char *summary; /* one line                                                            */
    uint32_t flags;      /* PAIRBENCH_VARIANT_…                                                 */
    uint32_t reserved;   /* 0                                                                   */
    int (*setup)(struct pb_env *env, const struct pb_scenario *scenario, void **shared);
    int (*open)(struct pb_env *env, const struct pb_scenario *scenario, void *shared, void **state);
    int (*run)(void *state, uint64_t n);
    int (*output)(void *state, struct pb_bytes *bytes);
    int (*counts)(void *state, struct pb_env *env);
    void (*close)(void *state);
    void (*teardown)(void *shared);
};

/*
 * A bound is the least work that the task needs (copy each value once): it is timed and charted,
 * not verified and not gated, and shows how much is left to gain. Usually named `floor`.
 */
#define PAIRBENCH_VARIANT_BOUND 1u
/* A third-party implementation: verified, timed and charted, but no regression of ours: not gated.
 */
#define PAIRBENCH_VARIANT_REFERENCE 2u

/* One thing that is done, on every scenario by every variant. */
struct pb_case {
    const char *name;    /* `cql/batch_send_body`                                               */
    const char *summary; /* one line                                                            */
    const char *source;  /* where the comparison comes from                                     */
    const struct pb_scenario *scenarios;
    size_t n_scenarios;
    const struct pb_variant *variants; /* variants[0] is named `old`                            */
    size_t n_variants;
};

/* A suite. Everything it points to is constant and lives as long as the shared object. */
struct pb_suite {
    uint32_t abi;           /* PAIRBENCH_ABI                                                    */
    uint32_t optimized;     /* 1 when compiled with optimisation (PAIRBENCH_OPTIMIZED)          */
    const char *name;       /* `cql-and-thrift`                                                 */
    const char *compiler;   /* PAIRBENCH_COMPILER                                               */
    const char *flags;      /* the compiler flags that matter; "" when not known                */
    const char *build_type; /* `Release`, `Debug` …; "" when not known                          */
    const struct pb_case *const *cases;
    size_t n_cases;
};

/*
 * The one function that a suite exports.
 * returns: the suite's table; never NULL
 */
PAIRBENCH_EXPORT const struct pb_suite *pairbench_suite(void);

#define PAIRBENCH_TEXT_(x) #x
#define PAIRBENCH_TEXT(x)  PAIRBENCH_TEXT_(x)
#if defined(__clang__)
#define PAIRBENCH_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define PAIRBENCH_COMPILER "gcc " __VERSION__
#else
#define PAIRBENCH_COMPILER "unknown"
#endif
#if defined(__OPTIMIZE__)
#define PAIRBENCH_OPTIMIZED 1u
#else
#define PAIRBENCH_OPTIMIZED 0u
#endif

#ifdef __cplusplus
}
#endif

#endif
