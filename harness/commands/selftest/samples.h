/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of a self-test: one JSON object a line, appended as trials end, so that a self-test that
 * was interrupted goes on where it was, and another method can be judged on the same samples.
 *
 * The first line names the format. A trial has its benchmark, verdict, wall time, the ratios of all
 * its launches (`d`, natural logarithms) and the repetitions of the first launches of each side: a
 * repetition is the mean of five slices, ns an operation. A batch, which is what trials are
 * measured in, has its seed, so that it can be repeated.
 */
#ifndef PB_COMMANDS_SELFTEST_SAMPLES_H
#define PB_COMMANDS_SELFTEST_SAMPLES_H

#include <stdint.h>

#include "commands/selftest/cells.h"

/* Launches of a trial whose repetitions are kept. */
enum { PB_SAMPLED_LAUNCHES = 16 };

/* All trials so far. */
struct pb_trial_log {
    struct pb_trial *trials;
    size_t n;
    size_t capacity;
    uint64_t n_batches;
    uint64_t seed;
    double wall_s; /* of all batches                   */
    int64_t started_at;
    const char *path; /* NULL = nothing is kept in a file */
};

/*
 * Begins a log.
 * path:   of a file that is made; NULL = none
 * errors: PB_ERR_USAGE there is such a file already; PB_ERR_IO
 */
enum pb_code pb_trial_log_begin(const char *path, uint64_t seed, struct pb_arena *arena,
                                struct pb_trial_log *log, struct pb_error *err) PB_MUST_USE;

/*
 * Goes on with a log. A last line that is not whole, as a crash leaves it, is cut off.
 * errors: PB_ERR_NOT_FOUND, PB_ERR_IO, PB_ERR_LIMIT; PB_ERR_FORMAT it is something else
 */
enum pb_code pb_trial_log_resume(const char *path, struct pb_arena *arena, struct pb_trial_log *log,
                                 struct pb_error *err) PB_MUST_USE;

/* What was measured at once. */
struct pb_batch {
    enum pb_cell cell;
    uint64_t seed;
    double wall_s;
    const struct pb_run_record *run; /* pair number i is of benchmarks 2i and 2i + 1; NULL = none */
    size_t n_pairs;                  /* without the control's */
};

/*
 * Appends the trials of a batch, and to the file, if there is one.
 * errors: PB_ERR_IO; nothing is appended then
 */
enum pb_code pb_trial_log_add(struct pb_trial_log *log, const struct pb_batch *batch,
                              struct pb_arena *arena, struct pb_error *err) PB_MUST_USE;

/* A trial as it stands in a file. */
struct pb_sampled_trial {
    struct pb_trial trial;
    double *d;
    size_t n;
    double *base; /* repetitions of one launch after another, or NULL */
    double *head;
    size_t n_launches; /* that have repetitions           */
    size_t n_repeated; /* repetitions of each such launch */
};

/*
 * Reads the trials of a file one by one.
 * take:   called for each; what it gets is valid during the call
 * errors: as pb_trial_log_resume()
 */
enum pb_code pb_samples_read(const char *path,
                             void (*take)(void *context, const struct pb_sampled_trial *trial),
                             void *context, struct pb_error *err) PB_MUST_USE;

#endif
