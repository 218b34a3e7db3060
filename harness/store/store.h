/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of pairbench: runs in an SQLite database. The only code that sees sqlite3.h.
 *
 * A run is written in one short transaction after all of it was measured, so a killed run leaves
 * nothing half-visible and two writers hardly meet. A file that is not ours, is damaged or was
 * written by a newer pairbench is refused and left as it is.
 */
#ifndef PB_STORE_STORE_H
#define PB_STORE_STORE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"

struct pb_store;

enum pb_store_mode {
    PB_STORE_READ,  /* must exist; nothing is changed        */
    PB_STORE_WRITE, /* is made, or brought up to this schema */
};

/*
 * Opens the database at path.
 * errors: PB_ERR_NOT_FOUND no such file (READ); PB_ERR_STORE not a database of pairbench, damaged,
 *         newer schema, read-only, disk full, locked for longer than 30 s: the message says which
 */
enum pb_code pb_store_open(const char *path, enum pb_store_mode mode, struct pb_store **store,
                           struct pb_error *err) PB_MUST_USE;

/* Closes it; NULL is accepted. */
void pb_store_close(struct pb_store *store);

/*
 * Writes one run, all of it or nothing; its facts, counts, launches and ratios come back sorted by
 * key, name and number. A run id that is already stored is left as it is.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_store_save_run(struct pb_store *store, const struct pb_run_record *run,
                               struct pb_error *err) PB_MUST_USE;

/*
 * Reads one run with everything in it.
 * id:     a run id or a unique beginning of one; NULL = the latest by start time
 * errors: PB_ERR_NOT_FOUND no such run, no run at all, or an ambiguous beginning; PB_ERR_STORE
 */
enum pb_code pb_store_load_run(struct pb_store *store, const char *id, struct pb_arena *arena,
                               struct pb_run_record *run, struct pb_error *err) PB_MUST_USE;

/* One pair in one run, for charts of history. */
struct pb_history_point {
    const char *run_id;
    int64_t started_at;
    const char *commit_id; /* "" when not known */
    const char *machine;   /* CPU class         */
    const char *case_name;
    const char *scenario;
    const char *a;
    const char *b;
    double estimate; /* log(b / a) with its interval; NaN when not measured */
    double lo;
    double hi;
    double a_best_ns;
    double b_best_ns;
    bool injected;
};

/*
 * All pairs of two variants of all valid runs, by case, scenario, a, b, then time, then run id.
 * Pairs of two builds and A/A controls are no history of anything and are left out.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_store_load_history(struct pb_store *store, struct pb_arena *arena,
                                   struct pb_history_point **points, size_t *n,
                                   struct pb_error *err) PB_MUST_USE;

/* One benchmark in one run, with how fast the machine was then. */
struct pb_time_point {
    const char *run_id;
    int64_t started_at;
    const char *name; /* of the benchmark */
    double median_ns;
    double kernels_ns[PB_KERNELS];
};

/*
 * What benchmarks took in the last runs before a run, on a machine of its fingerprint and with a
 * build of its class: by time, then run id. Runs that are invalid or injected, or that did not time
 * all kernels, are left out.
 * most_runs: how many at most
 * errors:    PB_ERR_STORE
 */
enum pb_code pb_store_load_times(struct pb_store *store, const struct pb_run_record *run,
                                 size_t most_runs, struct pb_arena *arena,
                                 struct pb_time_point **points, size_t *n,
                                 struct pb_error *err) PB_MUST_USE;

/* How many runs are stored. errors: PB_ERR_STORE */
enum pb_code pb_store_count_runs(struct pb_store *store, size_t *n,
                                 struct pb_error *err) PB_MUST_USE;

#endif
