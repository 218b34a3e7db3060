/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache has four folders. `builds` has the objects of commits, put there in one step when a
 * build is complete; `trees` has the build folders of working trees; `work` has what is being built
 * or was left by a killed process; `copies` has objects for one process alone. Who holds the lock
 * of a name in `locks` may do with what has that name in the other folders as he likes.
 */
#include "commands/build_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/background.h"
#include "base/child.h"
#include "base/folder_remove.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "measure/catalog.h"
#include "output/folder.h"
#include "output/progress.h"
#include "provenance/fact_list.h"
#include "provenance/object_code.h"

enum { BUILDS_MAX = 2, LAST_LINES = 30, LOG_END_BYTES = 16384 };

/* Between two looks at what runs: short beside a build, rare enough to cost nothing. */
static const long nap_ns = 20000000;

enum step { STEP_WAITING, STEP_CONFIGURING, STEP_BUILDING, STEP_DONE };

/* One build on its way. */
struct job {
    const struct pb_build_wish *wish;
    struct pb_build *build; /* its result */
    const char *name;       /* in all folders of the cache */
    const char *shown;      /* for messages */
    const char *result;     /* folder of the objects of a commit; NULL for a working tree */
    const char *worktree;   /* of a commit; NULL for a working tree */
    const char *folder;     /* where it is built: in `work` or in `trees` */
    const char *log;
    struct pb_build_place place;
    int lock_fd; /* -1 = not held */
    bool waits;  /* it was said that another process builds it */
    enum step step;
    struct pb_background program;
    unsigned done; /* of `total` steps of the build */
    unsigned total;
};

/* What all jobs share. */
struct builder {
    const struct pb_context *context;
    const struct pb_build_settings *settings;
    struct pb_arena *arena;
    struct job jobs[BUILDS_MAX];
    size_t n_jobs;
    struct pb_progress progress;
};

enum pb_code pb_build_cache_folder(struct pb_arena *arena, const char **folder,
                                   struct pb_error *err)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/') {
        *folder = pb_arena_printf(arena, "%s/pairbench", cache);
        return PB_OK;
    }
    if (home != NULL && home[0] == '/') {
        *folder = pb_arena_printf(arena, "%s/.cache/pairbench", home);
        return PB_OK;
    }
    return pb_error_set(err, PB_ERR_USAGE,
                        "there is no home folder to keep builds in: name one with --cache DIR");
}

/* Path of a name in a folder of the cache. */
static const char *place_of(const struct builder *builder, const char *folder, const char *name)
{
    return pb_arena_printf(builder->arena, "%s/%s/%s", builder->settings->cache, folder, name);
}

/* What try_lock() returns instead of a descriptor. */
enum { LOCK_BUSY = -1, LOCK_REFUSED = -2 };

/* Takes a lock if nobody holds it. errno: why it was refused */
static int try_lock(const struct builder *builder, const char *name)
{
    const char *path = place_of(builder, "locks", name);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        return LOCK_REFUSED;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        return fd;
    }
    const bool busy = errno == EWOULDBLOCK || errno == EINTR;
    close(fd);
    return busy ? LOCK_BUSY : LOCK_REFUSED;
}

/* Said aloud, since a program in the background may have inherited the descriptor. */
static void unlock(struct job *job)
{
    if (job->lock_fd >= 0) {
        flock(job->lock_fd, LOCK_UN);
        close(job->lock_fd);
        job->lock_fd = -1;
    }
}

static bool is_there(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0;
}

/* Calls back for every entry of a folder of the cache. */
static void for_each(const struct builder *builder, const char *folder,
                     void (*clear)(const struct builder *builder, const char *name))
{
    DIR *opened = opendir(place_of(builder, folder, "."));
    for (struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL;) {
        if (entry->d_name[0] != '.') {
            clear(builder, entry->d_name);
        }
    }
    if (opened != NULL) {
        closedir(opened);
    }
}

/* The worktree in a folder of `work`. Its name is what git lists while it is there. */
static const char *worktree_in(const struct builder *builder, const char *name)
{
    return pb_arena_printf(builder->arena, "%s/pairbench-%.*s", place_of(builder, "work", name),
                           PB_REVISION_SHOWN, name);
}

static void remove_work(const struct builder *builder, const char *name)
{
    pb_worktree_remove(worktree_in(builder, name));
    pb_folder_remove(place_of(builder, "work", name));
}

/* Removes what a killed process left in `work`. */
static void clear_work(const struct builder *builder, const char *name)
{
    const int fd = try_lock(builder, name);
    if (fd >= 0) {
        remove_work(builder, name);
        close(fd);
    }
}

/* A copy that is younger may be about to be locked. */
enum { COPY_SECONDS_MIN = 60 };

/* And in `copies`, where a folder is its own lock. */
static void clear_copy(const struct builder *builder, const char *name)
{
    struct stat folder;
    const char *path = place_of(builder, "copies", name);
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &folder) == 0 && time(NULL) - folder.st_mtime > COPY_SECONDS_MIN &&
        flock(fd, LOCK_EX | LOCK_NB) == 0) {
        pb_folder_remove(path);
    }
    if (fd >= 0) {
        close(fd);
    }
}

static enum pb_code open_cache(const struct builder *builder, struct pb_error *err)
{
    static const char *const folders[] = {"builds", "trees", "work", "copies", "locks", "logs"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const enum pb_code code = pb_folder_make(
            pb_arena_printf(builder->arena, "%s/%s", builder->settings->cache, folders[i]), err);
        if (code != PB_OK) {
            return code;
        }
    }
    if (access(place_of(builder, "work", "."), W_OK) != 0) {
        return pb_error_set(err, PB_ERR_IO,
                            "can't write to %s: %s; name another folder with "
                            "--cache DIR",
                            builder->settings->cache, strerror(errno));
    }
    for_each(builder, "work", clear_work);
    for_each(builder, "copies", clear_copy);
    return PB_OK;
}

static void make_job(struct builder *builder, const struct pb_build_wish *wish,
                     const struct pb_facts *facts, struct pb_build *build)
{
    struct pb_arena *arena = builder->arena;
    const unsigned long long hash = (unsigned long long)pb_facts_hash(facts);
    struct job *job = &builder->jobs[builder->n_jobs++];
    *job = (struct job){.wish = wish, .build = build, .lock_fd = -1};
    if (wish->revision != NULL) {
        const char *id = wish->revision->id;
        job->name = pb_arena_printf(arena, "%s-%016llx", id, hash);
        job->shown = pb_arena_printf(arena, "%s %.*s (%s)", wish->side, PB_REVISION_SHOWN, id,
                                     wish->revision->subject);
        job->folder = place_of(builder, "work", job->name);
        job->result = place_of(builder, "builds", job->name);
        job->worktree = worktree_in(builder, job->name);
    } else {
        struct pb_strbuf name = {0};
        pb_text_add_file_name(&name, wish->repository->directory);
        pb_strbuf_addf(&name, "-%016llx", hash);
        job->name = pb_arena_strdup(arena, name.text);
        pb_strbuf_release(&name);
        job->shown = pb_arena_printf(arena, "%s, the working tree", wish->side);
        job->folder = place_of(builder, "trees", job->name);
    }
    const char *top = job->worktree != NULL ? job->worktree : wish->repository->directory;
    job->place = (struct pb_build_place){
        .source = builder->settings->source[0] != '\0'
                      ? pb_arena_printf(arena, "%s/%s", top, builder->settings->source)
                      : top,
        .binary = pb_arena_printf(arena, "%s/build", job->folder),
    };
    job->log = pb_arena_printf(arena, "%s.log", place_of(builder, "logs", job->name));
}

/* Clears up after a job, whatever came of it. */
static void end_job(const struct builder *builder, struct job *job)
{
    pb_background_stop(&job->program);
    if (job->lock_fd >= 0 && job->worktree != NULL) {
        remove_work(builder, job->name);
    }
    unlock(job);
    job->step = STEP_DONE;
}

/* The last bytes of a log, from the beginning of a line. */
static void read_log_end(const char *path, struct pb_strbuf *end)
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

static const char *last_lines(const char *path, struct pb_arena *arena)
{
    struct pb_strbuf end;
    pb_strbuf_init(&end);
    read_log_end(path, &end);
    const char *from = end.text + end.length;
    for (int n = 0; from > end.text && n <= LAST_LINES; from--) {
        n += from[-1] == '\n';
    }
    const char *copy = pb_arena_strdup(arena, from + (from > end.text ? 1 : 0));
    pb_strbuf_release(&end);
    return copy;
}

/* A build that can't be made. what: follows its name */
static void fail_job(const struct builder *builder, struct job *job, const char *what)
{
    job->build->problem = pb_arena_printf(builder->arena, "%s %s", job->shown, what);
    end_job(builder, job);
}

static void fail_with_log(const struct builder *builder, struct job *job, const char *what)
{
    job->build->last_lines = last_lines(job->log, builder->arena);
    fail_job(builder, job,
             pb_arena_printf(builder->arena, "%s; all that was printed is in %s", what, job->log));
}

static bool start_program(const struct builder *builder, struct job *job, const char *const *argv)
{
    struct pb_error err;
    const struct pb_background_spec spec = {
        .argv = argv, .directory = job->folder, .log_path = job->log};
    if (pb_background_start(&spec, &job->program, &err) != PB_OK) {
        fail_job(builder, job, pb_arena_printf(builder->arena, "can't be built: %s", err.message));
        return false;
    }
    return true;
}

/* Has a folder of its own for a result, and locks it. */
static bool make_copy_folder(const struct builder *builder, struct pb_build *build,
                             struct pb_error *err)
{
    char *folder = pb_arena_strdup(builder->arena, place_of(builder, "copies", "XXXXXX"));
    if (mkdtemp(folder) == NULL) {
        pb_error_set(err, PB_ERR_IO, "can't make %s: %s", folder, strerror(errno));
        return false;
    }
    build->copy = folder;
    build->copy_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (build->copy_fd >= 0) {
        (void)flock(build->copy_fd, LOCK_EX | LOCK_NB);
    }
    return true;
}

enum { OBJECT_BYTES_MAX = 1 << 30 };

static enum pb_code copy_object(const char *from, const char *to, struct pb_error *err)
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

/* Puts the objects of a suite, whose names begin with a stem, into another folder. */
static enum pb_code take_objects(const struct builder *builder, const char *stem, const char *from,
                                 const char *to, bool moves, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    for (unsigned k = 0; code == PB_OK && k < PB_LAYOUTS_MAX; k++) {
        const char *name = pb_build_object_name(stem, k, builder->arena);
        const char *source = pb_arena_printf(builder->arena, "%s/%s", from, name);
        const char *target = pb_arena_printf(builder->arena, "%s/%s", to, name);
        if (k > 0 && !is_there(source)) {
            break;
        }
        if (!moves) {
            code = copy_object(source, target, err);
        } else if (rename(source, target) != 0) {
            code = pb_error_set(err, PB_ERR_IO, "can't move %s to %s: %s", source, target,
                                strerror(errno));
        }
    }
    return code;
}

/* Uses the objects in a folder of the cache, or copies of them. */
static enum pb_code use_objects(const struct builder *builder, struct job *job, const char *folder,
                                bool copies, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    if (copies) {
        if (!make_copy_folder(builder, job->build, err)) {
            return err->code;
        }
        code =
            take_objects(builder, builder->settings->target, folder, job->build->copy, false, err);
        folder = job->build->copy;
    }
    if (code == PB_OK) {
        job->build->suite =
            pb_arena_printf(builder->arena, "%s/%s", folder,
                            pb_build_object_name(builder->settings->target, 0, builder->arena));
    }
    return code;
}

/* Two sides of one commit need objects of their own, since a file is loaded only once. */
static bool is_used_already(const struct builder *builder, const struct job *job)
{
    for (size_t i = 0; i < builder->n_jobs; i++) {
        const struct job *other = &builder->jobs[i];
        if (other != job && other->result != NULL && other->build->suite != NULL &&
            other->build->copy == NULL && strcmp(other->result, job->result) == 0) {
            return true;
        }
    }
    return false;
}

static void finish_from_cache(const struct builder *builder, struct job *job)
{
    struct pb_error err;
    if (use_objects(builder, job, job->result, is_used_already(builder, job), &err) != PB_OK) {
        fail_job(builder, job, err.message);
        return;
    }
    end_job(builder, job);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Folder below `top` that has a file of this name; NULL when none has. */
static const char *find_file(const char *top, const char *name, struct pb_arena *arena)
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

/* A library that was built along would be loaded once, for both sides. returns: its name or NULL */
static const char *library_of_its_own(const struct builder *builder, const struct job *job,
                                      const char *folder)
{
    struct pb_arena *arena = builder->arena;
    const char *object = pb_build_object_name(builder->settings->target, 0, arena);
    const struct pb_object_needs needs =
        pb_object_code_needs(pb_arena_printf(arena, "%s/%s", folder, object), arena);
    for (size_t i = 0; i < needs.n; i++) {
        if (find_file(job->place.binary, needs.names[i], arena) != NULL) {
            return needs.names[i];
        }
    }
    return NULL;
}

/* Puts a commit's objects where the next process finds them: complete, or not at all. */
static enum pb_code keep_objects(const struct builder *builder, struct job *job, const char *folder,
                                 struct pb_error *err)
{
    const char *made = pb_arena_printf(builder->arena, "%s/result", job->folder);
    enum pb_code code = pb_folder_make(made, err);
    if (code == PB_OK) {
        code = take_objects(builder, builder->settings->target, folder, made, true, err);
    }
    if (code == PB_OK && rename(made, job->result) != 0) {
        code = pb_error_set(err, PB_ERR_IO, "can't move %s to %s: %s", made, job->result,
                            strerror(errno));
    }
    return code;
}

static void finish_build(const struct builder *builder, struct job *job)
{
    struct pb_arena *arena = builder->arena;
    const char *object = pb_build_object_name(builder->settings->target, 0, arena);
    const char *folder = find_file(job->place.binary, object, arena);
    if (folder == NULL) {
        fail_job(builder, job,
                 pb_arena_printf(arena,
                                 "was built, but without a file %s: is '%s' a target of "
                                 "pairbench_add_suite()?",
                                 object, builder->settings->target));
        return;
    }
    const char *library = library_of_its_own(builder, job, folder);
    if (library != NULL) {
        fail_job(builder, job,
                 pb_arena_printf(arena,
                                 "needs the shared library %s of the same build; link it "
                                 "statically, since one process can't hold two of that name",
                                 library));
        return;
    }
    struct pb_error err;
    enum pb_code code = PB_OK;
    if (job->result != NULL) {
        code = keep_objects(builder, job, folder, &err);
        folder = job->result;
    }
    if (code == PB_OK) {
        code = use_objects(builder, job, folder, job->result == NULL, &err);
    }
    if (code != PB_OK) {
        fail_job(builder, job, err.message);
        return;
    }
    unlink(job->log);
    end_job(builder, job);
}

/* Makes the worktree of a commit. returns: whether it is there */
static bool check_out(const struct builder *builder, struct job *job)
{
    const struct pb_build_wish *wish = job->wish;
    const char *missing = NULL;
    struct pb_error err;
    remove_work(builder, job->name);
    enum pb_code code = pb_folder_make(job->folder, &err);
    if (code == PB_OK) {
        code = pb_worktree_add(wish->repository, wish->revision->id, job->worktree, builder->arena,
                               &missing, &err);
    }
    if (code != PB_OK) {
        fail_job(builder, job, pb_arena_printf(builder->arena, "can't be built: %s", err.message));
        return false;
    }
    if (missing != NULL) {
        pb_warn(builder->context,
                "%s: these submodules are not checked out here in its version and stay empty: %s",
                job->shown, missing);
    }
    return true;
}

static void begin_build(struct builder *builder, struct job *job)
{
    struct pb_error err;
    if (job->worktree != NULL && !check_out(builder, job)) {
        return;
    }
    if (pb_folder_make(job->folder, &err) != PB_OK) {
        fail_job(builder, job, err.message);
        return;
    }
    unlink(job->log);
    pb_progress_clear(&builder->progress);
    pb_note(builder->context, "building %s", job->shown);
    if (start_program(builder, job,
                      pb_build_configure_argv(builder->settings, &job->place, builder->arena))) {
        job->step = STEP_CONFIGURING;
    }
}

static void wait_for_turn(struct builder *builder, struct job *job)
{
    job->lock_fd = try_lock(builder, job->name);
    if (job->lock_fd == LOCK_REFUSED) {
        fail_job(builder, job,
                 pb_arena_printf(builder->arena, "can't be built: can't lock it in %s: %s",
                                 builder->settings->cache, strerror(errno)));
        return;
    }
    if (job->lock_fd == LOCK_BUSY) {
        if (!job->waits) {
            pb_note(builder->context, "waiting for another build of %s", job->shown);
            job->waits = true;
        }
        return;
    }
    if (job->result != NULL && is_there(job->result)) {
        job->build->was_cached = true;
        finish_from_cache(builder, job);
        return;
    }
    begin_build(builder, job);
}

/* Processors of this process, shared by the jobs. */
static unsigned compilers_at_once(const struct builder *builder)
{
    cpu_set_t allowed;
    const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
    const unsigned n = known ? (unsigned)CPU_COUNT(&allowed) : 1;
    const unsigned share = n / (unsigned)builder->n_jobs;
    return share > 0 ? share : 1;
}

static void begin_compiling(struct builder *builder, struct job *job)
{
    struct pb_strbuf targets = {0};
    struct pb_child_outcome outcome = {.exit_code = -1};
    struct pb_error err;
    const struct pb_child_spec spec = {
        .argv = pb_build_targets_argv(&job->place, builder->arena),
        .deadline_s = 120,
        .output = &targets,
    };
    const char *const *argv = NULL;
    enum pb_code code = pb_child_run(&spec, &outcome, &err);
    if (code == PB_OK) {
        const struct pb_build_configured configured = {
            .place = job->place,
            .targets = targets.length > 0 ? targets.text : "",
            .n_jobs = compilers_at_once(builder),
        };
        code = pb_build_make_argv(builder->settings, &configured, builder->arena, &argv, &err);
    }
    pb_strbuf_release(&targets);
    if (code != PB_OK) {
        fail_job(builder, job, pb_arena_printf(builder->arena, "can't be built: %s", err.message));
    } else if (start_program(builder, job, argv)) {
        job->step = STEP_BUILDING;
    }
}

/* Brings a job one step further when it can be. */
static void advance(struct builder *builder, struct job *job)
{
    if (job->step == STEP_WAITING) {
        wait_for_turn(builder, job);
        return;
    }
    if (job->step == STEP_DONE || !pb_background_ended(&job->program)) {
        return;
    }
    if (job->program.exit_code != 0) {
        fail_with_log(builder, job,
                      job->step == STEP_CONFIGURING ? "can't be configured" : "does not build");
    } else if (job->step == STEP_CONFIGURING) {
        begin_compiling(builder, job);
    } else {
        finish_build(builder, job);
    }
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_progress(struct builder *builder)
{
    size_t done = 0;
    size_t total = 0;
    const char *what = NULL;
    for (size_t i = 0; i < builder->n_jobs; i++) {
        struct job *job = &builder->jobs[i];
        if (job->step == STEP_BUILDING) {
            struct pb_strbuf end;
            pb_strbuf_init(&end);
            read_log_end(job->log, &end);
            pb_build_progress(end.text, &job->done, &job->total);
            pb_strbuf_release(&end);
        }
        job->done = job->step == STEP_DONE ? job->total : job->done;
        done += job->done;
        total += job->total > 0 ? job->total : 1;
        what = job->step != STEP_DONE ? job->shown : what;
    }
    pb_progress_update(&builder->progress, done, total, what, now_s());
}

/* Whether there is nothing left to wait for: all are done, or one has failed. */
static bool is_over(const struct builder *builder)
{
    bool all = true;
    for (size_t i = 0; i < builder->n_jobs; i++) {
        if (builder->jobs[i].build->problem != NULL) {
            return true;
        }
        all = all && builder->jobs[i].step == STEP_DONE;
    }
    return all;
}

static enum pb_code run_jobs(struct builder *builder, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    pb_progress_init(&builder->progress, stderr, builder->context->progress, 0);
    while (code == PB_OK) {
        for (size_t i = 0; i < builder->n_jobs; i++) {
            advance(builder, &builder->jobs[i]);
        }
        if (is_over(builder)) {
            break;
        }
        show_progress(builder);
        nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
        if (*builder->context->stop != 0) {
            code = pb_error_set(err, PB_ERR_INTERRUPTED, "interrupted; nothing was measured");
        }
    }
    for (size_t i = 0; i < builder->n_jobs; i++) {
        end_job(builder, &builder->jobs[i]);
    }
    pb_progress_finish(&builder->progress);
    return code;
}

enum pb_code pb_build_all(const struct pb_context *context,
                          const struct pb_build_settings *settings,
                          const struct pb_build_wish *wishes, size_t n, struct pb_build *builds,
                          struct pb_error *err)
{
    struct builder builder = {.context = context, .settings = settings, .arena = context->arena};
    const struct pb_facts facts = pb_build_facts(settings, context->arena);
    for (size_t i = 0; i < n; i++) {
        builds[i] = (struct pb_build){.copy_fd = -1};
    }
    enum pb_code code =
        n <= BUILDS_MAX
            ? open_cache(&builder, err)
            : pb_error_set(err, PB_ERR_LIMIT, "%zu builds at once, at most %d", n, BUILDS_MAX);
    for (size_t i = 0; code == PB_OK && i < n; i++) {
        if (wishes[i].revision == NULL && wishes[i].repository->bare) {
            code = pb_error_set(err, PB_ERR_USAGE,
                                "there is no working tree here: name two revisions");
        } else {
            make_job(&builder, &wishes[i], &facts, &builds[i]);
        }
    }
    return code == PB_OK ? run_jobs(&builder, err) : code;
}

enum pb_code pb_build_copy(const struct pb_context *context,
                           const struct pb_build_settings *settings, const char *path,
                           struct pb_build *build, struct pb_error *err)
{
    const struct builder builder = {
        .context = context, .settings = settings, .arena = context->arena};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *folder =
        slash != NULL ? pb_arena_memdup(context->arena, path, (size_t)(slash - path)) : ".";
    const char *dot = strrchr(name, '.');
    const bool is_plain = dot == NULL || strcmp(dot, ".so") != 0; /* and so has no layouts */
    const char *stem =
        is_plain ? name : pb_arena_memdup(context->arena, name, (size_t)(dot - name));
    *build = (struct pb_build){.copy_fd = -1};
    enum pb_code code = open_cache(&builder, err);
    if (code == PB_OK && !make_copy_folder(&builder, build, err)) {
        code = err->code;
    }
    if (code != PB_OK) {
        return code;
    }
    build->suite = pb_arena_printf(context->arena, "%s/%s", build->copy, name);
    return is_plain ? copy_object(path, build->suite, err)
                    : take_objects(&builder, stem, folder, build->copy, false, err);
}

void pb_build_release(struct pb_build *builds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (builds[i].copy != NULL) {
            pb_folder_remove(builds[i].copy);
            close(builds[i].copy_fd);
        }
        builds[i] = (struct pb_build){.copy_fd = -1};
    }
}
