/* SPDX-License-Identifier: Apache-2.0
 *
 * The pairs of all runs as one list of points.
 */
#ifndef PB_STORE_STORE_HISTORY_H
#define PB_STORE_STORE_HISTORY_H

#include "store/sql.h"
#include "store/store.h"

/*
 * As pb_store_load_history(), within a transaction of the caller.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_history_load(struct pb_sql *sql, struct pb_arena *arena,
                             struct pb_history_point **points, size_t *n,
                             struct pb_error *err) PB_MUST_USE;

#endif
