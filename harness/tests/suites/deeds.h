/* SPDX-License-Identifier: Apache-2.0
 *
 * Bad deeds: what a variant can do to its process, one function each.
 */
#ifndef PB_TESTS_DEEDS_H
#define PB_TESTS_DEEDS_H

#include "pairbench.h"

#include <stdbool.h>

enum { DEED_BYTES = 64 };

/* A variant's state; a deed may spoil it. */
struct deed_state {
    struct pb_env *env;
    const struct deed *deed;
    uint64_t n_runs;
    size_t n_bytes; /* of output */
    unsigned char bytes[DEED_BYTES];
};

/* Each may be NULL: then that callback behaves. A code that is not 0 is returned by it. */
struct deed {
    int (*setup)(struct pb_env *env);
    int (*open)(struct pb_env *env, struct deed_state *state);
    int (*run)(struct deed_state *state);
    int (*output)(struct deed_state *state);
    int (*counts)(struct deed_state *state);
    int (*close)(struct deed_state *state);
    int (*teardown)(void);
    bool does_no_work; /* whatever n is */
};

/* Name and summary of every deed: a scenario of the hostile cases each. */
#define DEEDS(X)                                                                                   \
    X(behaves, "nothing at all")                                                                   \
    X(crashes, "writes to address 8")                                                              \
    X(aborts_in_setup, "abort()")                                                                  \
    X(aborts_in_open, "abort()")                                                                   \
    X(aborts_in_output, "abort()")                                                                 \
    X(aborts_in_counts, "abort()")                                                                 \
    X(aborts_in_close, "abort()")                                                                  \
    X(aborts_in_teardown, "abort()")                                                               \
    X(hangs, "never comes back")                                                                   \
    X(exits, "exit(0)")                                                                            \
    X(exits_at_once, "_exit(0)")                                                                   \
    X(terminates, "raise(SIGTERM)")                                                                \
    X(prints, "puts()")                                                                            \
    X(prints_in_open, "write(1, …)")                                                               \
    X(prints_in_teardown_of_round, "puts()")                                                       \
    X(prints_to_stderr, "which is allowed")                                                        \
    X(frees_twice, "free(), free()")                                                               \
    X(spoils_the_heap, "for whoever comes next")                                                   \
    X(fails, "pb_fail()")                                                                          \
    X(fails_in_open, "pb_fail()")                                                                  \
    X(returns_nonsense, "return 42")                                                               \
    X(skips, "pb_skip()")                                                                          \
    X(differs, "one bit")                                                                          \
    X(is_shorter, "one byte")                                                                      \
    X(is_unsteady, "other output later")                                                           \
    X(uses_up_the_arena, "pb_alloc() for ever")                                                    \
    X(leaves_a_child, "fork()")                                                                    \
    X(closes_descriptors, "0 to 9")                                                                \
    X(sets_the_locale, "de_DE.UTF-8")                                                              \
    X(does_no_work, "returns at once")                                                             \
    X(counts_at_random, "getrandom()")                                                             \
    X(counts_twice, "one name")                                                                    \
    X(counts_below_zero, "-1")                                                                     \
    X(counts_while_running, "pb_count()")                                                          \
    X(scribbles, "on what it shares with its launcher")                                            \
    X(makes_the_region_shorter, "ftruncate()")                                                     \
    X(marks, "makes a file")

#define DEED_ID(name, summary) DEED_##name,
enum deed_id { DEEDS(DEED_ID) N_DEEDS };

extern const struct deed deeds[N_DEEDS];

#endif
