/* SPDX-License-Identifier: Apache-2.0
 *
 * Committed baselines: what is accepted, and on what machine and build.
 *
 * Two kinds of file, both JSON Lines, sorted by name, one line a benchmark or pair, so that a
 * change of one is one line in a diff. The counts file holds everywhere; a ratio file holds for one
 * CPU class and is named after it. Instructions are counted exactly, but differ from class to
 * class, so they are in the latter.
 */
#ifndef PB_STORE_BASELINE_FILE_H
#define PB_STORE_BASELINE_FILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"

#define PB_BASELINE_INSTRUCTIONS "instructions"

struct pb_baseline_count {
    const char *name;   /* benchmark */
    const char *metric; /* `writes`  */
    int64_t value;
};

struct pb_baseline_ratio {
    const char *case_name;
    const char *scenario;
    const char *a;
    const char *b;
    double estimate; /* log(b / a); the file has the ratio b / a */
    double lo;
    double hi;
    double spread; /* standard deviation of the launches' d_k, log: one lucky run shows */
    uint32_t launches;
    double a_ns; /* median time of a then; NaN = not known */
};

struct pb_baseline {
    const char *path;
    struct pb_facts
        class_facts;        /* keys that must agree: arch, vendor, family, model, compiler, … */
    struct pb_facts origin; /* commit, date, tool version, run id: for people                 */
    struct pb_baseline_count *counts;
    size_t n_counts;
    struct pb_baseline_ratio *ratios;
    size_t n_ratios;
    struct pb_baseline_count *instructions; /* of the same class; metric PB_BASELINE_INSTRUCTIONS */
    size_t n_instructions;
    const char *counter; /* who counted them: `perf_event`, `callgrind`; NULL nobody */
};

/*
 * Reads a baseline file of either kind and adds it to *baseline (zeroed before the first), which
 * holds at most one of each; path and origin are then of the one read last. On failure *baseline is
 * as it was.
 * errors: PB_ERR_NOT_FOUND no such file; PB_ERR_IO; PB_ERR_LIMIT beyond a limit of
 * baseline_parse.h; PB_ERR_FORMAT with file, line and what is wrong
 */
enum pb_code pb_baseline_read(const char *path, struct pb_arena *arena,
                              struct pb_baseline *baseline, struct pb_error *err) PB_MUST_USE;

/*
 * Writes the counts of *baseline, without class, or its ratios and instructions, with class. The
 * file is replaced in one step: what was there stays whole if anything goes wrong. errors:
 * PB_ERR_USAGE an entry twice, a count below 0, a pair without a ratio; PB_ERR_IO
 */
enum pb_code pb_baseline_write_counts(const char *path, const struct pb_baseline *baseline,
                                      struct pb_error *err) PB_MUST_USE;
enum pb_code pb_baseline_write_ratios(const char *path, const struct pb_baseline *baseline,
                                      struct pb_error *err) PB_MUST_USE;

#endif
