/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the store share: runs full of awkward values, and a comparison of every member.
 */
#ifndef PB_TESTS_STORE_FIXTURE_H
#define PB_TESTS_STORE_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "base/strbuf.h"
#include "store/store.h"
#include "test_folder.h"

/* Names that are hard to store, show or put in a file. */
extern const char *const fixture_names[];
extern const size_t fixture_n_names;

/*
 * Run `number` of a series, made from the number alone: its benchmarks are named by fixture_names
 * and its values take the extremes of their types, NaN and infinities.
 */
struct pb_run_record fixture_run(struct pb_arena *arena, unsigned number);

/*
 * Compares every member of two runs.
 * difference: appended: the first member that differs
 */
bool fixture_same_run(const struct pb_run_record *x, const struct pb_run_record *y,
                      struct pb_strbuf *difference);

/* Fails the test unless the tables of members that the comparison goes by cover the structs. */
void fixture_check_members(void);

/* Stores runs first … first + n - 1 in the database at path, which is made. Fails the test. */
void fixture_store_runs(const char *path, unsigned first, unsigned n);

/*
 * Opens the database at path for reading and compares runs first … first + n - 1.
 * why:     appended on failure
 * returns: false when something is missing or differs
 */
bool fixture_holds_runs(const char *path, unsigned first, unsigned n, struct pb_strbuf *why);

#endif
