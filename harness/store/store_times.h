/* SPDX-License-Identifier: Apache-2.0
 *
 * What benchmarks took before on the same machine, as one list of points.
 */
#ifndef PB_STORE_STORE_TIMES_H
#define PB_STORE_STORE_TIMES_H

#include "store/sql.h"
#include "store/store.h"

struct pb_time_points {
    struct pb_time_point *items;
    size_t n;
    size_t capacity;
};

/*
 * As pb_store_load_times(), within a transaction of the caller.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_times_load(struct pb_sql *sql, const struct pb_run_record *run, size_t most_runs,
                           struct pb_arena *arena, struct pb_time_points *points,
                           struct pb_error *err) PB_MUST_USE;

#endif
