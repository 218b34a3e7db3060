/* SPDX-License-Identifier: Apache-2.0
 *
 * Offsets and values are those of SQLite's file format, https://www.sqlite.org/fileformat2.html,
 * section 1.3.
 */
#include "store/database_file.h"

#include "base/whole_file.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HEADER_BYTES = 100,
    WRITE_VERSION_AT = 18,
    READ_VERSION_AT = 19,
    USER_VERSION_AT = 60,
    APPLICATION_ID_AT = 68,
    WAL_VERSION = 2,
};

static const char magic[16] = "SQLite format 3";

/* Fills image with an empty database of the newest version, in WAL mode. */
static enum pb_code build_image(const char *path, const struct pb_migrations *migrations,
                                struct pb_strbuf *image, struct pb_error *err)
{
    struct pb_sql *sql = NULL;
    enum pb_code code = pb_sql_open(path, PB_SQL_MEMORY, PB_SQL_BUSY_MS, &sql, err);
    if (code == PB_OK) {
        char pragma[64];
        snprintf(pragma, sizeof pragma, "PRAGMA application_id = %d", PB_DATABASE_APPLICATION_ID);
        code = pb_sql_exec(sql, pragma, err);
    }
    if (code == PB_OK) {
        code = pb_migrate(sql, migrations, err);
    }
    if (code == PB_OK) {
        code = pb_sql_image(sql, image, err);
    }
    pb_sql_close(sql);
    if (code == PB_OK) {
        /* Born in WAL mode: two processes that both found it new need not agree on who turns it on.
         */
        image->text[WRITE_VERSION_AT] = WAL_VERSION;
        image->text[READ_VERSION_AT] = WAL_VERSION;
    }
    return code;
}

enum pb_code pb_database_file_create(const char *path, const struct pb_migrations *migrations,
                                     struct pb_error *err)
{
    struct stat state;
    if (lstat(path, &state) == 0) {
        return PB_OK;
    }
    struct pb_strbuf image = {0};
    enum pb_code code = build_image(path, migrations, &image, err);
    if (code == PB_OK) {
        struct pb_error why = {0};
        bool made = false;
        if (pb_whole_file_create(path, image.text, image.length, &made, &why) != PB_OK) {
            code = pb_error_set(err, PB_ERR_STORE, "%s", why.message);
        }
    }
    pb_strbuf_release(&image);
    return code;
}

/* Reads up to n bytes from the beginning of a file. returns: how many, or -1 with errno */
static ssize_t read_beginning(const char *path, unsigned char *bytes, size_t n)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    ssize_t got;
    do {
        got = pread(fd, bytes, n, 0);
    } while (got < 0 && errno == EINTR);
    const int why = errno;
    close(fd);
    errno = why;
    return got;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* What stat() had against the path. */
static enum pb_code absent(const char *path, int why, struct pb_error *err)
{
    struct stat link;
    if (why == ENOENT && lstat(path, &link) == 0) {
        return pb_error_set(
            err, PB_ERR_STORE,
            "%s is a symbolic link to a file that does not exist: remove it, or make "
            "it point to a database",
            path);
    }
    if (why == ENOENT) {
        return pb_error_set(
            err, PB_ERR_NOT_FOUND,
            "there is no database %s: `pairbench run` makes one, --db names another", path);
    }
    return pb_error_set(err, PB_ERR_STORE, "cannot read %s: %s", path, strerror(why));
}

enum pb_code pb_database_file_check(const char *path, const struct pb_migrations *migrations,
                                    struct pb_error *err)
{
    struct stat state;
    if (stat(path, &state) != 0) {
        return absent(path, errno, err);
    }
    if (!S_ISREG(state.st_mode)) {
        return pb_error_set(err, PB_ERR_STORE,
                            "%s is not a regular file, so it can't be a database: choose another",
                            path);
    }
    unsigned char header[HEADER_BYTES] = {0};
    const ssize_t got = read_beginning(path, header, sizeof header);
    if (got < 0) {
        return absent(path, errno, err);
    }
    if (got == 0) {
        return pb_error_set(
            err, PB_ERR_STORE,
            "%s is empty, which a database of pairbench never is: if nothing is lost "
            "by it, remove it, else put a copy in its place",
            path);
    }
    if (got < HEADER_BYTES || memcmp(header, magic, sizeof magic) != 0) {
        return pb_error_set(err, PB_ERR_STORE,
                            "%s is not a database, or its beginning is damaged: it was left as it "
                            "is; choose another, or put a copy in its place",
                            path);
    }
    if (big_endian(header + APPLICATION_ID_AT) != PB_DATABASE_APPLICATION_ID) {
        return pb_error_set(err, PB_ERR_STORE,
                            "%s is a database of another program: it was left as it is; choose "
                            "another",
                            path);
    }
    const uint32_t version = big_endian(header + USER_VERSION_AT);
    return version > migrations->n ? pb_migrate_too_new(path, version, migrations->n, err) : PB_OK;
}

/* Bytes of the file PATH followed by suffix; -1 when there is none. */
static off_t size_beside(const char *path, const char *suffix)
{
    struct pb_strbuf name = {0};
    pb_strbuf_adds(&name, path);
    pb_strbuf_adds(&name, suffix);
    struct stat state;
    const off_t size = stat(name.text, &state) == 0 ? state.st_size : -1;
    pb_strbuf_release(&name);
    return size;
}

/* Whether this process may write the file and make others beside it. path: has a '/' */
static bool is_writable(const char *path)
{
    struct pb_strbuf folder = {0};
    pb_strbuf_add(&folder, path, (size_t)(strrchr(path, '/') - path) + 1);
    const bool writable = faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 &&
                          faccessat(AT_FDCWD, folder.text, W_OK | X_OK, AT_EACCESS) == 0;
    pb_strbuf_release(&folder);
    return writable;
}

enum pb_sql_access pb_database_file_read_access(const char *path)
{
    char *real = realpath(path, NULL); /* SQLite keeps its files beside the real one */
    if (real == NULL) {
        return PB_SQL_READ_ONLY; /* it has just gone: opening it will say so */
    }
    enum pb_sql_access access = PB_SQL_FROZEN;
    if (size_beside(real, "-shm") >= 0) {
        access = PB_SQL_READ_ONLY;
    } else if (size_beside(real, "-wal") > 0) {
        access = PB_SQL_ALONE;
    } else if (is_writable(real)) {
        access = PB_SQL_QUERY;
    }
    free(real);
    return access;
}
