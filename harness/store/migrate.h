/* SPDX-License-Identifier: Apache-2.0
 *
 * Versions of the schema. A database knows its own in PRAGMA user_version; migration i takes it
 * from version i to i + 1, so the newest version is the number of migrations. All that are missing
 * are applied in one transaction: a database is at one version or another, never between.
 *
 * The rule to know: a migration that was released is never edited, only followed by another.
 */
#ifndef PB_STORE_MIGRATE_H
#define PB_STORE_MIGRATE_H

#include <stddef.h>

#include "store/sql.h"

struct pb_migrations {
    const char *const *scripts; /* SQL */
    size_t n;
};

/*
 * Brings a database up to the newest version.
 * errors: PB_ERR_STORE: it is newer than that, or a script failed; it is then as it was
 */
enum pb_code pb_migrate(struct pb_sql *sql, const struct pb_migrations *migrations,
                        struct pb_error *err) PB_MUST_USE;

/*
 * Whether a database that may only be read is at the newest version.
 * errors: PB_ERR_STORE: it is newer, or older
 */
enum pb_code pb_migrate_check(struct pb_sql *sql, const struct pb_migrations *migrations,
                              struct pb_error *err) PB_MUST_USE;

/* Says that the database at path is of a version that is not known here. returns: PB_ERR_STORE */
enum pb_code pb_migrate_too_new(const char *path, long long version, size_t newest,
                                struct pb_error *err);

#endif
