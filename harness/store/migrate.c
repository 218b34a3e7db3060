/* SPDX-License-Identifier: Apache-2.0
 *
 * The version is read again once the write lock is held, since another process may have migrated
 * the database while this one waited.
 */
#include "store/migrate.h"

#include <stdio.h>

enum pb_code pb_migrate_too_new(const char *path, long long version, size_t newest,
                                struct pb_error *err)
{
    return pb_error_set(
        err, PB_ERR_STORE,
        "%s was written by a newer pairbench (schema %lld, this one knows %zu): use "
        "that one, or another database",
        path, version, newest);
}

static enum pb_code read_version(struct pb_sql *sql, const struct pb_migrations *migrations,
                                 size_t *version, struct pb_error *err)
{
    int64_t found = 0;
    const enum pb_code code = pb_sql_integer(sql, "PRAGMA user_version", &found, err);
    if (code != PB_OK) {
        return code;
    }
    if (found < 0 || (uint64_t)found > migrations->n) {
        return pb_migrate_too_new(pb_sql_path(sql), found, migrations->n, err);
    }
    *version = (size_t)found;
    return PB_OK;
}

/* Applies what is missing, within a transaction. */
static enum pb_code apply(struct pb_sql *sql, const struct pb_migrations *migrations,
                          struct pb_error *err)
{
    size_t version = 0;
    enum pb_code code = read_version(sql, migrations, &version, err);
    for (size_t i = version; i < migrations->n && code == PB_OK; i++) {
        code = pb_sql_exec(sql, migrations->scripts[i], err);
    }
    if (code == PB_OK) {
        char pragma[64];
        snprintf(pragma, sizeof pragma, "PRAGMA user_version = %zu", migrations->n);
        code = pb_sql_exec(sql, pragma, err);
    }
    return code;
}

enum pb_code pb_migrate(struct pb_sql *sql, const struct pb_migrations *migrations,
                        struct pb_error *err)
{
    size_t version = 0;
    enum pb_code code = read_version(sql, migrations, &version, err);
    if (code != PB_OK || version == migrations->n) {
        return code;
    }
    code = pb_sql_begin_write(sql, err);
    if (code == PB_OK) {
        code = apply(sql, migrations, err);
    }
    if (code == PB_OK) {
        return pb_sql_commit(sql, err);
    }
    pb_sql_rollback(sql);
    return code;
}

enum pb_code pb_migrate_check(struct pb_sql *sql, const struct pb_migrations *migrations,
                              struct pb_error *err)
{
    size_t version = 0;
    const enum pb_code code = read_version(sql, migrations, &version, err);
    if (code == PB_OK && version < migrations->n) {
        return pb_error_set(
            err, PB_ERR_STORE,
            "%s was written by an older pairbench (schema %zu, this one reads %zu): "
            "any command that stores a run brings it up to date",
            pb_sql_path(sql), version, migrations->n);
    }
    return code;
}
