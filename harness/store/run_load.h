/* SPDX-License-Identifier: Apache-2.0
 *
 * A run from the database into memory.
 */
#ifndef PB_STORE_RUN_LOAD_H
#define PB_STORE_RUN_LOAD_H

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"
#include "store/sql.h"

/*
 * Finds a run.
 * id:     a whole id, or a beginning that only one run has; NULL = the latest by start time, of
 *         several the one whose id sorts last
 * errors: PB_ERR_NOT_FOUND, PB_ERR_STORE
 */
enum pb_code pb_run_find(struct pb_sql *sql, const char *id, int64_t *run_key,
                         struct pb_error *err) PB_MUST_USE;

/*
 * Reads the run with this key. The caller holds a transaction, so that all of it is of one moment.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_run_load(struct pb_sql *sql, int64_t run_key, struct pb_arena *arena,
                         struct pb_run_record *run, struct pb_error *err) PB_MUST_USE;

/*
 * Reads the facts about one subject (`machine`, `build`, `commit`) of a run, sorted by key.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_run_load_facts(struct pb_sql *sql, int64_t run_key, const char *subject,
                               struct pb_arena *arena, struct pb_facts *facts,
                               struct pb_error *err) PB_MUST_USE;

#endif
