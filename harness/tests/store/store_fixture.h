/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the store share: runs full of awkward values, a comparison of every member, and
 * folders that are thrown away.
 */
#ifndef PB_TESTS_STORE_FIXTURE_H
#define PB_TESTS_STORE_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "base/strbuf.h"
#include "store/store.h"

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

/* A new folder that others may enter; in the arena, without a '/' at its end. */
char *fixture_folder(struct pb_arena *arena);

/* Removes a folder and the files in it, of whatever permissions. */
void fixture_remove_folder(const char *folder);

/* Appends name, permissions, size and a hash of the content of each file, sorted by name. */
void fixture_folder_state(const char *folder, struct pb_strbuf *state);

/* Reads a file whole; fails the test. */
void fixture_read_file(const char *path, struct pb_strbuf *content);

/* Writes a file; fails the test. */
void fixture_write_file(const char *path, const void *data, size_t n);

/*
 * Runs body in a child process that is not root, and waits for it.
 * body:    returns 0 when all was right, else the number of what was not
 * returns: what body returned; -1 when a signal ended it
 */
int fixture_run_unprivileged(int (*body)(void *context), void *context);

#endif
