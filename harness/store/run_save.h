/* SPDX-License-Identifier: Apache-2.0
 *
 * A run from memory into the database.
 */
#ifndef PB_STORE_RUN_SAVE_H
#define PB_STORE_RUN_SAVE_H

#include "base/error.h"
#include "base/record.h"
#include "store/sql.h"

/*
 * Inserts a run and all that hangs on it. A run whose id is there already is left as it is.
 * The caller holds a transaction that writes, and takes it back on failure.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_run_save(struct pb_sql *sql, const struct pb_run_record *run,
                         struct pb_error *err) PB_MUST_USE;

#endif
