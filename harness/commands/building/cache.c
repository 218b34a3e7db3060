/* SPDX-License-Identifier: Apache-2.0
 *
 * Each build is a job that goes from step to step when its turn comes; the loop at the end moves
 * all of them until they are done, one has failed, or the user has had enough.
 */
#include "commands/building/cache.h"

#include <errno.h>
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
#include "base/monotonic.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "output/folder.h"
#include "output/progress.h"
#include "provenance/fact_list.h"
#include "provenance/object_code.h"

enum { BUILDS_MAX = 2 };

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
    struct pb_build_folders folders;
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
        job->folder = pb_build_place_of(&builder->folders, "work", job->name);
        job->result = pb_build_place_of(&builder->folders, "builds", job->name);
        job->worktree = pb_build_worktree_in(&builder->folders, job->name);
    } else {
        struct pb_strbuf name = {0};
        pb_text_add_file_name(&name, wish->repository->directory);
        pb_strbuf_addf(&name, "-%016llx", hash);
        job->name = pb_arena_strdup(arena, name.text);
        pb_strbuf_release(&name);
        job->shown = pb_arena_printf(arena, "%s, the working tree", wish->side);
        job->folder = pb_build_place_of(&builder->folders, "trees", job->name);
    }
    const char *top = job->worktree != NULL ? job->worktree : wish->repository->directory;
    job->place = (struct pb_build_place){
        .source = builder->settings->source[0] != '\0'
                      ? pb_arena_printf(arena, "%s/%s", top, builder->settings->source)
                      : top,
        .binary = pb_arena_printf(arena, "%s/build", job->folder),
    };
    job->log =
        pb_arena_printf(arena, "%s.log", pb_build_place_of(&builder->folders, "logs", job->name));
}

/* Clears up after a job, whatever came of it. */
static void end_job(const struct builder *builder, struct job *job)
{
    pb_background_stop(&job->program);
    if (job->lock_fd >= 0 && job->worktree != NULL) {
        pb_build_remove_work(&builder->folders, job->name);
    }
    unlock(job);
    job->step = STEP_DONE;
}

/* A build that can't be made. what: follows its name */
static void fail_job(const struct builder *builder, struct job *job, const char *what)
{
    job->build->problem = pb_arena_printf(builder->arena, "%s %s", job->shown, what);
    end_job(builder, job);
}

static void fail_with_log(const struct builder *builder, struct job *job, const char *what)
{
    job->build->last_lines = pb_build_last_lines(job->log, builder->arena);
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

/* Uses the objects in a folder of the cache, or copies of them. */
static enum pb_code use_objects(const struct builder *builder, struct job *job, const char *folder,
                                bool copies, struct pb_error *err)
{
    const struct pb_build_objects objects = {folder, builder->settings->target};
    enum pb_code code = PB_OK;
    if (copies) {
        code = pb_build_make_copy(&builder->folders, &job->build->copy, err);
        folder = job->build->copy.folder;
        code = code == PB_OK ? pb_build_take_objects(&objects, folder, false, builder->arena, err)
                             : code;
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
            other->build->copy.folder == NULL && strcmp(other->result, job->result) == 0) {
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

/* A library that was built along would be loaded once, for both sides. returns: its name or NULL */
static const char *library_of_its_own(const struct builder *builder, const struct job *job,
                                      const char *folder)
{
    struct pb_arena *arena = builder->arena;
    const char *object = pb_build_object_name(builder->settings->target, 0, arena);
    const struct pb_object_needs needs =
        pb_object_code_needs(pb_arena_printf(arena, "%s/%s", folder, object), arena);
    for (size_t i = 0; i < needs.n; i++) {
        if (pb_build_find_file(job->place.binary, needs.names[i], arena) != NULL) {
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
        const struct pb_build_objects objects = {folder, builder->settings->target};
        code = pb_build_take_objects(&objects, made, true, builder->arena, err);
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
    const char *folder = pb_build_find_file(job->place.binary, object, arena);
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
    pb_build_remove_work(&builder->folders, job->name);
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
    job->lock_fd = pb_build_try_lock(&builder->folders, job->name);
    if (job->lock_fd == PB_LOCK_REFUSED) {
        fail_job(builder, job,
                 pb_arena_printf(builder->arena, "can't be built: can't lock it in %s: %s",
                                 builder->settings->cache, strerror(errno)));
        return;
    }
    if (job->lock_fd == PB_LOCK_BUSY) {
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
            pb_build_read_log_end(job->log, &end);
            pb_build_progress(end.text, &job->done, &job->total);
            pb_strbuf_release(&end);
        }
        job->done = job->step == STEP_DONE ? job->total : job->done;
        done += job->done;
        total += job->total > 0 ? job->total : 1;
        what = job->step != STEP_DONE ? job->shown : what;
    }
    pb_progress_update(&builder->progress, done, total, what, pb_monotonic_s());
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

static struct builder make_builder(const struct pb_context *context,
                                   const struct pb_build_settings *settings)
{
    return (struct builder){
        .context = context,
        .settings = settings,
        .folders = {.cache = settings->cache, .arena = context->arena},
        .arena = context->arena,
    };
}

enum pb_code pb_build_all(const struct pb_context *context,
                          const struct pb_build_settings *settings,
                          const struct pb_build_wish *wishes, size_t n, struct pb_build *builds,
                          struct pb_error *err)
{
    struct builder builder = make_builder(context, settings);
    const struct pb_facts facts = pb_build_facts(settings, context->arena);
    memset(builds, 0, n * sizeof *builds);
    if (n > BUILDS_MAX) {
        return pb_error_set(err, PB_ERR_LIMIT, "%zu builds at once, at most %d", n, BUILDS_MAX);
    }
    enum pb_code code = pb_build_open_folders(&builder.folders, err);
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

enum pb_code pb_build_copy_suite(const struct pb_context *context,
                                 const struct pb_build_settings *settings, const char *path,
                                 struct pb_build *build, struct pb_error *err)
{
    struct pb_arena *arena = context->arena;
    const struct pb_build_folders folders = {.cache = settings->cache, .arena = arena};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const bool has_layouts = dot != NULL && strcmp(dot, ".so") == 0;
    const struct pb_build_objects objects = {
        .folder = slash != NULL ? pb_arena_memdup(arena, path, (size_t)(slash - path)) : ".",
        .stem = has_layouts ? pb_arena_memdup(arena, name, (size_t)(dot - name)) : name,
    };
    *build = (struct pb_build){0};
    enum pb_code code = pb_build_open_folders(&folders, err);
    if (code == PB_OK) {
        code = pb_build_make_copy(&folders, &build->copy, err);
    }
    if (code != PB_OK) {
        return code;
    }
    build->suite = pb_arena_printf(arena, "%s/%s", build->copy.folder, name);
    return has_layouts ? pb_build_take_objects(&objects, build->copy.folder, false, arena, err)
                       : pb_build_copy_object(path, build->suite, err);
}

void pb_build_release(struct pb_build *builds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        pb_build_remove_copy(&builds[i].copy);
        builds[i] = (struct pb_build){0};
    }
}
