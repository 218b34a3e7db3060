/* SPDX-License-Identifier: Apache-2.0
 *
 * The temporary file is named after its target with random letters behind and opened exclusively,
 * so two writers never share one. It is made with the permissions that the umask leaves, which
 * mkstemp() would not do.
 */
#include "base/whole_file.h"

#include "base/memory.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum pb_code pb_whole_file_read(const char *path, size_t limit_bytes, struct pb_strbuf *content,
                                struct pb_error *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT
                   ? pb_error_set(err, PB_ERR_NOT_FOUND, "there is no file %s", path)
                   : pb_error_set(err, PB_ERR_IO, "cannot read %s: %s", path, strerror(errno));
    }
    enum pb_code code = PB_OK;
    size_t total = 0;
    while (code == PB_OK) {
        char piece[16384];
        const ssize_t n = read(fd, piece, sizeof piece);
        if (n == 0) {
            break;
        }
        if (n < 0 && errno != EINTR) {
            code = pb_error_set(err, PB_ERR_IO, "cannot read %s: %s", path, strerror(errno));
        } else if (n > 0 && (total += (size_t)n) > limit_bytes) {
            code = pb_error_set(err, PB_ERR_LIMIT, "%s is longer than the limit of %zu bytes", path,
                                limit_bytes);
        } else if (n > 0) {
            pb_strbuf_add(content, piece, (size_t)n);
        }
    }
    close(fd);
    return code;
}

/* Length of the folder part of path, with its last '/'; 0 when there is none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Opens the folder that path is in. returns: a descriptor, or -1 */
static int open_folder(const char *path)
{
    struct pb_strbuf folder = {0};
    pb_strbuf_add(&folder, path, folder_length(path));
    pb_strbuf_adds(&folder, ".");
    const int fd = open(folder.text, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    pb_strbuf_release(&folder);
    return fd;
}

static enum pb_code write_failed(struct pb_error *err, const char *path, int why)
{
    if (why == ENOENT) {
        return pb_error_set(err, PB_ERR_IO,
                            "cannot write %s: its folder does not exist; make it first", path);
    }
    return pb_error_set(err, PB_ERR_IO, "cannot write %s: %s", path, strerror(why));
}

/* Opens a new file beside path. *temporary: its name, in the strbuf. returns: a descriptor, or -1
 */
static int open_temporary(const char *path, struct pb_strbuf *temporary)
{
    enum { TRIES = 16 };
    for (int i = 0; i < TRIES; i++) {
        unsigned long long random = 0;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
            return -1;
        }
        pb_strbuf_reset(temporary);
        pb_strbuf_addf(temporary, "%s.%016llx.tmp", path, random);
        const int fd = open(temporary->text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* returns: 0, or an errno */
static int write_all(int fd, const char *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t wrote = write(fd, data + done, n - done);
        if (wrote < 0 && errno != EINTR) {
            return errno;
        }
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return fsync(fd) == 0 ? 0 : errno;
}

/* Writes a temporary file beside target, like `like` in owner and permissions unless that is NULL.
 * returns: 0, or an errno */
static int make_temporary(const char *target, const void *data, size_t n, const struct stat *like,
                          struct pb_strbuf *temporary)
{
    const int fd = open_temporary(target, temporary);
    if (fd < 0) {
        const int why = errno;
        return why != 0 ? why : EIO; /* fewer random bytes than asked for leave none */
    }
    int why = write_all(fd, data, n);
    if (why == 0 && like != NULL) {
        /* Only root may give a file away; for others it stays theirs, as with any editor. */
        const bool owner_kept = fchown(fd, like->st_uid, like->st_gid) == 0;
        const mode_t mode = owner_kept ? like->st_mode & 07777 : like->st_mode & 0777;
        why = fchmod(fd, mode) == 0 ? 0 : errno;
    }
    if (close(fd) != 0 && why == 0) {
        why = errno;
    }
    if (why != 0) {
        unlink(temporary->text);
    }
    return why;
}

/* Makes the new name last through a power cut. A file system that can't is no failure: the file is
 * complete in any case. */
static void flush_folder(const char *path)
{
    const int fd = open_folder(path);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

/* The file that path stands for, behind symbolic links. *existing: its state; st_mode 0 when there
 * is none. returns: to be freed; NULL with *err */
static char *resolve_target(const char *path, struct stat *existing, struct pb_error *err)
{
    struct stat link;
    *existing = (struct stat){0};
    if (lstat(path, &link) != 0) {
        if (errno != ENOENT) {
            write_failed(err, path, errno);
            return NULL;
        }
        char *copy = strdup(path);
        if (copy == NULL) {
            pb_out_of_memory();
        }
        return copy;
    }
    char *target = realpath(path, NULL);
    if (target == NULL && errno == ENOENT) {
        pb_error_set(err, PB_ERR_IO,
                     "cannot write %s: it is a symbolic link to a file that does not exist", path);
    } else if (target == NULL || stat(target, existing) != 0) {
        write_failed(err, path, errno);
    } else if (!S_ISREG(existing->st_mode)) {
        pb_error_set(err, PB_ERR_IO, "cannot write %s: it is not a regular file", path);
    } else if (faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0) {
        write_failed(err, path, errno); /* a rename would pass over the write protection */
    } else {
        return target;
    }
    free(target);
    return NULL;
}

enum pb_code pb_whole_file_replace(const char *path, const void *data, size_t n,
                                   struct pb_error *err)
{
    struct stat existing;
    char *target = resolve_target(path, &existing, err);
    if (target == NULL) {
        return PB_ERR_IO;
    }
    struct pb_strbuf temporary = {0};
    int why = make_temporary(target, data, n, existing.st_mode != 0 ? &existing : NULL, &temporary);
    if (why == 0 && rename(temporary.text, target) != 0) {
        why = errno;
        unlink(temporary.text);
    }
    if (why == 0) {
        flush_folder(target);
    }
    pb_strbuf_release(&temporary);
    free(target);
    return why == 0 ? PB_OK : write_failed(err, path, why);
}

/* Gives temporary the name path unless that is taken. returns: 0, or an errno */
static int put_in_place(const char *temporary, const char *path)
{
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    int why = errno;
    if (why == EINVAL || why == ENOSYS) { /* a file system without that: most have links */
        why = link(temporary, path) == 0 ? 0 : errno;
    }
    unlink(temporary);
    return why;
}

enum pb_code pb_whole_file_create(const char *path, const void *data, size_t n, bool *made,
                                  struct pb_error *err)
{
    struct pb_strbuf temporary = {0};
    int why = make_temporary(path, data, n, NULL, &temporary);
    if (why == 0) {
        why = put_in_place(temporary.text, path);
    }
    if (why == 0) {
        flush_folder(path);
    }
    pb_strbuf_release(&temporary);
    if (why != 0 && why != EEXIST) {
        return write_failed(err, path, why);
    }
    *made = why == 0;
    return PB_OK;
}
