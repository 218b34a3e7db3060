/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks are flock()s: the kernel takes them back from whoever dies.
 */
#include "commands/building/folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder_remove.h"
#include "base/whole_file.h"
#include "commands/building/recipe.h"
#include "measure/catalog.h"
#include "output/folder.h"
#include "provenance/revision.h"

enum { LAST_LINES = 30, LOG_END_BYTES = 16384 };

const char *pb_build_place_of(const struct pb_build_folders *folders, const char *folder,
                              const char *name)
{
    return pb_arena_printf(folders->arena, "%s/%s/%s", folders->cache, folder, name);
}

int pb_build_try_lock(const struct pb_build_folders *folders, const char *name)
{
    const char *path = pb_build_place_of(folders, "locks", name);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        return PB_LOCK_REFUSED;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        return fd;
    }
    const bool busy = errno == EWOULDBLOCK || errno == EINTR;
    close(fd);
    return busy ? PB_LOCK_BUSY : PB_LOCK_REFUSED;
}

/* Calls back for every entry of a folder of the cache. */
static void for_each(const struct pb_build_folders *folders, const char *folder,
                     void (*clear)(const struct pb_build_folders *folders, const char *name))
{
    DIR *opened = opendir(pb_build_place_of(folders, folder, "."));
    for (struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        if (entry->d_name[0] != '.') {
            clear(folders, entry->d_name);
        }
    }
    if (opened != NULL) {
        closedir(opened);
    }
}

const char *pb_build_worktree_in(const struct pb_build_folders *folders, const char *name)
{
    return pb_arena_printf(folders->arena, "%s/pairbench-%.*s",
                           pb_build_place_of(folders, "work", name), PB_REVISION_SHOWN, name);
}

void pb_build_remove_work(const struct pb_build_folders *folders, const char *name)
{
    pb_worktree_remove(pb_build_worktree_in(folders, name));
    pb_folder_remove(pb_build_place_of(folders, "work", name));
}

/* Removes what a killed process left in `work`. */
static void clear_work(const struct pb_build_folders *folders, const char *name)
{
    const int fd = pb_build_try_lock(folders, name);
    if (fd >= 0) {
        pb_build_remove_work(folders, name);
        close(fd);
    }
}

/* A copy that is younger may be about to be locked. */
enum { COPY_SECONDS_MIN = 60 };

/* And in `copies`, where a folder is its own lock. */
static void clear_copy(const struct pb_build_folders *folders, const char *name)
{
    struct stat folder;
    const char *path = pb_build_place_of(folders, "copies", name);
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &folder) == 0 && time(NULL) - folder.st_mtime > COPY_SECONDS_MIN &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        pb_folder_remove(path);
    }
    if (fd >= 0) {
        close(fd);
    }
}

enum pb_code pb_build_open_folders(const struct pb_build_folders *folders, struct pb_error *err)
{
    static const char *const names[] = {"builds", "trees", "work", "copies", "locks", "logs"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const enum pb_code code =
            pb_folder_make(pb_arena_printf(folders->arena, "%s/%s", folders->cache, names[i]), err);
        if (code != PB_OK) {
            return code;
        }
    }
    if (access(pb_build_place_of(folders, "work", "."), W_OK) != 0) {
        return pb_error_set(err, PB_ERR_IO,
                            "can't write to %s: %s; name another folder with "
                            "--cache DIR",
                            folders->cache, strerror(errno));
    }
    for_each(folders, "work", clear_work);
    for_each(folders, "copies", clear_copy);
    return PB_OK;
}

void pb_build_read_log_end(const char *path, struct pb_strbuf *end)
{
    char bytes[LOG_END_BYTES];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    const off_t size = lseek(fd, 0, SEEK_END);
    const off_t from = size > (off_t)sizeof bytes ? size - (off_t)sizeof bytes : 0;
    const ssize_t n = pread(fd, bytes, sizeof bytes, from);
    close(fd);
    if (n <= 0) {
        return;
    }
    const char *newline = from > 0 ? memchr(bytes, '\n', (size_t)n) : NULL;
    const size_t skipped = newline != NULL ? (size_t)(newline + 1 - bytes) : 0;
    pb_strbuf_add(end, bytes + skipped, (size_t)n - skipped);
}

const char *pb_build_last_lines(const char *path, struct pb_arena *arena)
{
    struct pb_strbuf end;
    pb_strbuf_init(&end);
    pb_build_read_log_end(path, &end);
    const char *from = end.text + end.length;
    for (int n = 0; from > end.text && n <= LAST_LINES; from--) {
        n += from[-1] == '\n';
    }
    const char *copy = pb_arena_strdup(arena, from + (from > end.text ? 1 : 0));
    pb_strbuf_release(&end);
    return copy;
}

enum pb_code pb_build_make_copy(const struct pb_build_folders *folders, struct pb_build_copy *copy,
                                struct pb_error *err)
{
    char *folder = pb_arena_strdup(folders->arena, pb_build_place_of(folders, "copies", "XXXXXX"));
    if (mkdtemp(folder) == NULL) {
        return pb_error_set(err, PB_ERR_IO, "can't make %s: %s", folder, strerror(errno));
    }
    copy->folder = folder;
    copy->fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (copy->fd >= 0) {
        (void)flock(copy->fd, LOCK_EX | LOCK_NB);
    }
    return PB_OK;
}

void pb_build_remove_copy(struct pb_build_copy *copy)
{
    if (copy->folder != NULL) {
        pb_folder_remove(copy->folder);
        if (copy->fd >= 0) {
            close(copy->fd);
        }
    }
    *copy = (struct pb_build_copy){0};
}

enum { OBJECT_BYTES_MAX = 1 << 30 };

enum pb_code pb_build_copy_object(const char *from, const char *to, struct pb_error *err)
{
    struct pb_strbuf content = {.limit = OBJECT_BYTES_MAX};
    bool made = false;
    enum pb_code code = pb_whole_file_read(from, OBJECT_BYTES_MAX, &content, err);
    if (code == PB_OK) {
        code = pb_whole_file_create(to, content.text, content.length, &made, err);
    }
    pb_strbuf_release(&content);
    return code;
}

enum pb_code pb_build_take_objects(const struct pb_build_objects *objects, const char *to,
                                   bool moves, struct pb_arena *arena, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    for (unsigned k = 0; code == PB_OK && k < PB_LAYOUTS_MAX; k++) {
        const char *name = pb_build_object_name(objects->stem, k, arena);
        const char *source = pb_arena_printf(arena, "%s/%s", objects->folder, name);
        const char *target = pb_arena_printf(arena, "%s/%s", to, name);
        if (k > 0 && access(source, F_OK) != 0) {
            break;
        }
        if (!moves) {
            code = pb_build_copy_object(source, target, err);
        } else if (rename(source, target) != 0) {
            code = pb_error_set(err, PB_ERR_IO, "can't move %s to %s: %s", source, target,
                                strerror(errno));
        }
    }
    return code;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

const char *pb_build_find_file(const char *top, const char *name, struct pb_arena *arena)
{
    char *roots[] = {pb_arena_strdup(arena, top), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    const char *found = NULL;
    for (FTSENT *entry; walk != NULL && found == NULL && (entry = fts_read(walk)) != NULL;) {
        if (entry->fts_info == FTS_D && strcmp(entry->fts_name, "CMakeFiles") == 0) {
            fts_set(walk, entry, FTS_SKIP);
        } else if (entry->fts_info == FTS_F && strcmp(entry->fts_name, name) == 0) {
            found = pb_arena_memdup(arena, entry->fts_path,
                                    entry->fts_pathlen - entry->fts_namelen - 1u);
        }
    }
    if (walk != NULL) {
        fts_close(walk);
    }
    return found;
}
