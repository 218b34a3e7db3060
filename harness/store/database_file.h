/* SPDX-License-Identifier: Apache-2.0
 *
 * The file that a database is: whose it is, how it comes to be, and how it may be read.
 *
 * A file is looked at before SQLite is let near it, because SQLite takes an empty file for a new
 * database and rolls back what another program left undone. Here, what is there and is not
 * pairbench's is refused and not touched. A new database is built in memory and put in place in one
 * step, so that there is no moment at which a killed process could leave an empty or half-made one.
 */
#ifndef PB_STORE_DATABASE_FILE_H
#define PB_STORE_DATABASE_FILE_H

#include "base/error.h"
#include "store/migrate.h"
#include "store/sql.h"

/* Stands in every database of pairbench (PRAGMA application_id): `PBch`. */
enum { PB_DATABASE_APPLICATION_ID = 0x50426368 };

/*
 * Makes a new, empty database at path unless there is something of that name.
 * errors: PB_ERR_STORE
 */
enum pb_code pb_database_file_create(const char *path, const struct pb_migrations *migrations,
                                     struct pb_error *err) PB_MUST_USE;

/*
 * Whether the file at path is a database of pairbench that this version knows, as far as its first
 * 100 bytes tell.
 * errors: PB_ERR_NOT_FOUND no such file; PB_ERR_STORE not a file, empty, not a database, another
 *         program's, of a newer version
 */
enum pb_code pb_database_file_check(const char *path, const struct pb_migrations *migrations,
                                    struct pb_error *err) PB_MUST_USE;

/*
 * How to read the database at path without leaving a trace. A reader in WAL mode shares two files
 * with writers, PATH-wal and PATH-shm:
 *   PATH-shm is there (a writer is at work, or was killed): SQLite reads along with it;
 *   only a PATH-wal with content was left (both were copied): it is read without locks, alone;
 *   neither, and both could be made: SQLite makes them and takes them away when the reader closes;
 *   neither, in a folder or on a medium that is read-only: nobody can change the file.
 */
enum pb_sql_access pb_database_file_read_access(const char *path);

#endif
