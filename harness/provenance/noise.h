/* SPDX-License-Identifier: Apache-2.0
 *
 * What disturbs measuring on this machine: each way is a named value that is as it should be, or is
 * not, or can't be known, with what to do about it.
 *
 * Everything is read, nothing is changed. A virtual machine or a container hides most of it, so
 * `unknown` is an ordinary answer and never an error.
 */
#ifndef PB_PROVENANCE_NOISE_H
#define PB_PROVENANCE_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* More than this, while measuring, is disturbance. */
#define PB_NOISE_STEAL_PCT    10.0 /* of processor time, taken by the host            */
#define PB_NOISE_PRESSURE_PCT 40.0 /* of time in which a process waited for processors */

/* What changes from second to second, as it stands now. */
struct pb_noise_sample {
    uint64_t ticks; /* of all processors since the machine was started; 0 = not known */
    uint64_t steal_ticks;
    double pressure_pct; /* mean of the last 10 s; NaN = not known            */
    int64_t n_throttled; /* times that a quota was used up; -1 = not known    */
};

/*
 * Takes a sample.
 * root: of a tree of files laid out like /; "" for the real one
 * cost: three to six small files, about 0.1 ms
 * source: proc(5), Documentation/accounting/psi.rst and admin-guide/cgroup-v2.rst of Linux 6.1
 */
struct pb_noise_sample pb_noise_sample_take(const char *root);

/* What happened between two samples. */
struct pb_noise_interval {
    double steal_pct;    /* NaN = not known, or less than a tick has passed     */
    double pressure_pct; /* the larger one of both samples; NaN = not known     */
    int64_t n_throttled; /* -1 = not known                                      */
};

struct pb_noise_interval pb_noise_between(const struct pb_noise_sample *before,
                                          const struct pb_noise_sample *after);

/* Whether it is as measuring wants it. */
enum pb_noise_fit {
    PB_NOISE_YES,
    PB_NOISE_NO,
    PB_NOISE_UNKNOWN,
};

/* `yes`, `no`, `unknown` */
const char *pb_noise_fit_name(enum pb_noise_fit fit);

struct pb_noise_item {
    const char *key;  /* `cpu_quota`, for machines                      */
    const char *what; /* `CPU quota`, for people                        */
    enum pb_noise_fit fit;
    const char *value;  /* for people; `unknown` when there is none       */
    const char *advice; /* what to do, or why it can't be known; NULL when fit is yes */
};

/* What is asked from the system rather than read from files. */
struct pb_noise_answers {
    double clock_nominal_ns; /* as clock_getres() says                                */
    double clock_step_ns;    /* smallest step that was seen                           */
    int counter_error;       /* of pb_instruction_counter_open()                      */
    const char *valgrind;    /* its version; NULL when it is not installed            */
    bool counts_syscalls;    /* a process can have its own system calls handed over   */
    bool moves_code;         /* code that is in use can be copied to other pages      */
};

/* Asks. valgrind is looked for in PATH. cost: 50 ms where it is installed */
struct pb_noise_answers pb_noise_ask(struct pb_arena *arena);

enum { PB_NOISE_ITEMS_MAX = 32 };

/*
 * Judges all there is.
 * root:     "" for /
 * answers:  see above
 * before, after: samples with some time between them
 * items:    out, at most PB_NOISE_ITEMS_MAX, in the order of their importance
 * returns:  how many
 */
size_t pb_noise_judge(struct pb_arena *arena, const char *root,
                      const struct pb_noise_answers *answers, const struct pb_noise_sample *before,
                      const struct pb_noise_sample *after, struct pb_noise_item *items);

#endif
