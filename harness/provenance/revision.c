/* SPDX-License-Identifier: Apache-2.0
 *
 * Names never reach git as options: one that begins with a dash is no revision.
 */
#include "provenance/revision.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder_remove.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "provenance/git.h"

/* A submodule in a submodule, and so on; deeper than anybody nests them. */
enum { SUBMODULE_DEPTH_MAX = 8 };

enum pb_code pb_repository_find(const char *directory, struct pb_arena *arena,
                                struct pb_repository *repository, struct pb_error *err)
{
    static const char none[] = "not a git repository";
    directory = directory != NULL ? directory : ".";
    const struct pb_git_answer answer =
        PB_GIT_ASK(arena, directory, "rev-parse", "--is-shallow-repository", "--is-bare-repository",
                   "--path-format=absolute", "--git-dir");
    if (answer.no_git) {
        return pb_error_set(err, PB_ERR_NOT_FOUND,
                            "git is not installed: revisions can't be compared, only two suite "
                            "files");
    }
    if (!answer.ok) {
        const bool nothing = strncmp(answer.message, none, sizeof none - 1) == 0;
        return pb_error_set(err, nothing ? PB_ERR_NOT_FOUND : PB_ERR_IO,
                            nothing ? "there is no git repository here: revisions can't be "
                                      "compared, only two suite files"
                                    : "git can't read the repository: %s",
                            answer.message);
    }
    const char *shallow = answer.text;
    const char *bare = shallow + strcspn(shallow, "\n") + 1;
    const char *folder = bare + strcspn(bare, "\n") + 1;
    *repository = (struct pb_repository){
        .shallow = strncmp(shallow, "true", 4) == 0,
        .bare = strncmp(bare, "true", 4) == 0,
        .directory = pb_arena_memdup(arena, folder, strcspn(folder, "\n")),
    };
    const struct pb_git_answer top = PB_GIT_ASK(arena, directory, "rev-parse", "--show-toplevel");
    if (top.ok && top.text[0] == '/') {
        repository->directory = pb_arena_memdup(arena, top.text, strcspn(top.text, "\n"));
    } else {
        repository->bare = true; /* in the folder of git itself there is no working tree, either */
    }
    return PB_OK;
}

static enum pb_code refuse_name(const struct pb_repository *repository, const char *name,
                                struct pb_error *err)
{
    struct pb_strbuf shown = {0};
    pb_text_add_escaped(&shown, name);
    pb_error_set(err, PB_ERR_NOT_FOUND, "there is no revision '%s' here%s", shown.text,
                 repository->shallow ? "; this is a shallow clone, `git fetch --unshallow` gets "
                                       "all of history (in CI, a fetch depth of 0)"
                                     : "");
    pb_strbuf_release(&shown);
    return PB_ERR_NOT_FOUND;
}

/* Reads `ID SUBJECT` off the front of *text. returns: false at its end */
static bool take_revision(struct pb_arena *arena, const char **text, struct pb_revision *revision)
{
    const size_t length = strcspn(*text, "\n");
    const size_t id_length = strcspn(*text, " \n");
    if (length == 0) {
        return false;
    }
    const size_t at = id_length < length ? id_length + 1 : length;
    revision->id = pb_arena_memdup(arena, *text, id_length);
    revision->subject = pb_arena_memdup(arena, *text + at, length - at);
    *text += length + ((*text)[length] == '\n');
    return true;
}

#define LOG_OPTIONS                                                                                \
    "--no-show-signature", "--no-color", "--no-decorate", "--encoding=UTF-8", "--format=%H %s"

enum pb_code pb_revision_resolve(const struct pb_repository *repository, const char *name,
                                 struct pb_arena *arena, struct pb_revision *revision,
                                 struct pb_error *err)
{
    if (name[0] == '-' || name[0] == '\0') {
        return refuse_name(repository, name, err);
    }
    const struct pb_git_answer found =
        PB_GIT_ASK(arena, repository->directory, "rev-parse", "--verify", "--quiet",
                   pb_arena_printf(arena, "%s^{commit}", name));
    if (!found.ok) {
        return refuse_name(repository, name, err);
    }
    const char *id = pb_git_first_line(arena, found.text);
    const struct pb_git_answer log =
        PB_GIT_ASK(arena, repository->directory, "log", "-1", LOG_OPTIONS, id, "--");
    const char *text = log.text;
    if (!log.ok || !take_revision(arena, &text, revision)) {
        return pb_error_set(err, PB_ERR_IO, "git can't read the commit %s: %s", id, log.message);
    }
    return PB_OK;
}

enum pb_code pb_revision_merge_base(const struct pb_repository *repository, const char *id,
                                    const char *other_id, struct pb_arena *arena,
                                    struct pb_revision *base, struct pb_error *err)
{
    const struct pb_git_answer answer =
        PB_GIT_ASK(arena, repository->directory, "merge-base", id, other_id);
    if (!answer.ok) {
        return pb_error_set(err, PB_ERR_NOT_FOUND, "%.*s and %.*s have no common ancestor%s",
                            PB_REVISION_SHOWN, id, PB_REVISION_SHOWN, other_id,
                            repository->shallow
                                ? " in this shallow clone; `git fetch --unshallow` gets all of "
                                  "history (in CI, a fetch depth of 0)"
                                : "");
    }
    return pb_revision_resolve(repository, pb_git_first_line(arena, answer.text), arena, base, err);
}

bool pb_revision_is_ancestor(const struct pb_repository *repository, const char *id,
                             const char *of_id)
{
    struct pb_arena scratch = {0};
    const bool is =
        PB_GIT_ASK(&scratch, repository->directory, "merge-base", "--is-ancestor", id, of_id).ok;
    pb_arena_release(&scratch);
    return is;
}

long pb_revision_distance(const struct pb_repository *repository, const char *from_id,
                          const char *to_id)
{
    struct pb_arena scratch = {0};
    const struct pb_git_answer answer =
        PB_GIT_ASK(&scratch, repository->directory, "rev-list", "--count",
                   pb_arena_printf(&scratch, "%s..%s", from_id, to_id), "--");
    const long n = answer.ok ? strtol(answer.text, NULL, 10) : -1;
    pb_arena_release(&scratch);
    return n;
}

static struct pb_revision_line read_line_of_commits(struct pb_arena *arena, const char *text)
{
    struct pb_revision_line line = {0};
    struct pb_revision revision;
    size_t capacity = 0;
    while (take_revision(arena, &text, &revision)) {
        line.items = pb_arena_grow(arena, line.items, line.n, &capacity, sizeof *line.items);
        line.items[line.n++] = revision;
    }
    return line;
}

enum pb_code pb_revision_list(const struct pb_repository *repository, const char *good_id,
                              const char *bad_id, struct pb_arena *arena,
                              struct pb_revision_line *line, struct pb_error *err)
{
    if (!pb_revision_is_ancestor(repository, good_id, bad_id)) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "%.*s is no ancestor of %.*s: there is no line of commits between them",
                            PB_REVISION_SHOWN, good_id, PB_REVISION_SHOWN, bad_id);
    }
    const struct pb_git_answer answer =
        PB_GIT_ASK(arena, repository->directory, "log", "--first-parent", "--reverse", LOG_OPTIONS,
                   pb_arena_printf(arena, "%s..%s", good_id, bad_id), "--");
    if (!answer.ok) {
        return pb_error_set(err, PB_ERR_IO, "git can't list commits: %s", answer.message);
    }
    *line = read_line_of_commits(arena, answer.text);
    return PB_OK;
}

int pb_revision_n_parents(const struct pb_repository *repository, const char *id)
{
    struct pb_arena scratch = {0};
    const struct pb_git_answer answer =
        PB_GIT_ASK(&scratch, repository->directory, "rev-list", "--parents", "-1", id, "--");
    int n = answer.ok ? 0 : -1;
    for (const char *at = answer.text; answer.ok && (at = strchr(at, ' ')) != NULL; at++) {
        n++;
    }
    pb_arena_release(&scratch);
    return n;
}

struct pb_revision_line pb_revision_changes(const struct pb_repository *repository, const char *id,
                                            const struct pb_revision_lines *lines,
                                            struct pb_arena *arena)
{
    const struct pb_git_answer answer =
        PB_GIT_ASK(arena, repository->directory, "log", LOG_OPTIONS, "--no-patch", "-G",
                   lines->pattern, id, "--", lines->files);
    return read_line_of_commits(arena, answer.ok ? answer.text : "");
}

const char *pb_revision_find_line(const struct pb_repository *repository, const char *id,
                                  const struct pb_revision_lines *lines, struct pb_arena *arena)
{
    const struct pb_git_answer answer =
        PB_GIT_ASK(arena, repository->directory, "grep", "-h", "--no-color", "--no-line-number",
                   "--extended-regexp", "-e", lines->pattern, id, "--", lines->files);
    return answer.ok ? pb_arena_memdup(arena, answer.text, strcspn(answer.text, "\n")) : NULL;
}

/* Where submodules are filled in: commits of one repository to a folder. */
struct filling {
    struct pb_arena *arena;
    struct pb_strbuf *missing;
    const char *index; /* file that may be written over */
};

static void add_missing(const struct filling *filling, const char *path)
{
    pb_strbuf_adds(filling->missing, filling->missing->length > 0 ? ", " : "");
    pb_text_add_escaped(filling->missing, path);
}

/* Writes the files of a submodule's commit. returns: whether they are there */
static bool write_submodule(const struct filling *filling, const char *from, const char *to,
                            const char *id)
{
    struct pb_arena *arena = filling->arena;
    unlink(filling->index);
    const char *prefix = pb_arena_printf(arena, "--prefix=%s/", to);
    return access(pb_arena_printf(arena, "%s/.git", from), F_OK) == 0 &&
           PB_GIT_DO(arena, from, filling->index, "read-tree", id).ok &&
           PB_GIT_DO(arena, from, filling->index, "checkout-index", "--all", "--force", prefix).ok;
}

/* Id of the commit that a tree has at a path; NULL when there is no submodule. */
static const char *submodule_id(struct pb_arena *arena, const char *directory, const char *tree,
                                const char *path)
{
    static const char mode[] = "160000 commit ";
    const struct pb_git_answer entry =
        PB_GIT_ASK(arena, directory, "ls-tree", "--full-tree", tree, "--", path);
    const bool is = entry.ok && strncmp(entry.text, mode, sizeof mode - 1) == 0;
    const char *id = entry.text + sizeof mode - 1;
    return is ? pb_arena_memdup(arena, id, strcspn(id, "\t\n ")) : NULL;
}

/* What is left to fill in: the submodules of a commit. */
struct level {
    const char *from; /* a checkout of the repository */
    const char *to;   /* where the commit's files are */
    const char *id;
    const char *shown; /* its path, with a '/' at its end */
};

/* Recursive in the depth of submodules, which is limited. */
static void fill_submodules(const struct filling *filling, const struct level *level, int depth)
{
    struct pb_arena *arena = filling->arena;
    const char *list = pb_arena_printf(arena, "%s/.gitmodules", level->to);
    if (depth == SUBMODULE_DEPTH_MAX || access(list, F_OK) != 0) {
        return;
    }
    const struct pb_git_answer names = PB_GIT_ASK(arena, level->from, "config", "--file", list,
                                                  "--get-regexp", "^submodule\\..*\\.path$");
    for (const char *at = names.text; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        const char *line = pb_arena_memdup(arena, at, length);
        at += length + (at[length] == '\n');
        const char *mark = strstr(line, ".path ");
        const char *path = mark != NULL ? mark + strlen(".path ") : "";
        const char *id = submodule_id(arena, level->from, level->id, path);
        if (id == NULL) {
            continue;
        }
        const struct level below = {
            .from = pb_arena_printf(arena, "%s/%s", level->from, path),
            .to = pb_arena_printf(arena, "%s/%s", level->to, path),
            .id = id,
            .shown = pb_arena_printf(arena, "%s%s/", level->shown, path),
        };
        if (write_submodule(filling, below.from, below.to, id)) {
            fill_submodules(filling, &below, depth + 1);
        } else {
            add_missing(filling, pb_arena_printf(arena, "%s%s", level->shown, path));
        }
    }
}

/* Git leaves the folder of its list of worktrees when it fails early. */
static void remove_empty_list(const struct pb_repository *repository, struct pb_arena *arena)
{
    const struct pb_git_answer home = PB_GIT_ASK(arena, repository->directory, "rev-parse",
                                                 "--path-format=absolute", "--git-common-dir");
    if (home.ok) {
        rmdir(pb_arena_printf(arena, "%s/worktrees", pb_git_first_line(arena, home.text)));
    }
}

enum pb_code pb_worktree_add(const struct pb_repository *repository, const char *id,
                             const char *path, struct pb_arena *arena, const char **missing,
                             struct pb_error *err)
{
    const struct pb_git_answer added = PB_GIT_DO(
        arena, repository->directory, NULL, "-c", "advice.detachedHead=false", "-c",
        "submodule.recurse=false", "worktree", "add", "--quiet", "--force", "--detach", path, id);
    if (!added.ok) {
        pb_worktree_remove(path);
        remove_empty_list(repository, arena);
        return pb_error_set(err, PB_ERR_IO, "git can't make a worktree of %.*s in %s: %s",
                            PB_REVISION_SHOWN, id, path, added.message);
    }
    struct pb_strbuf empty;
    pb_strbuf_init(&empty);
    const struct filling filling = {
        .arena = arena,
        .missing = &empty,
        .index = pb_arena_printf(arena, "%s.index", path),
    };
    const struct level top = {repository->directory, path, id, ""};
    fill_submodules(&filling, &top, 0);
    unlink(filling.index);
    *missing = empty.length > 0 ? pb_arena_strdup(arena, empty.text) : NULL;
    pb_strbuf_release(&empty);
    return PB_OK;
}

void pb_worktree_remove(const char *path)
{
    struct stat there;
    if (lstat(path, &there) != 0) {
        return;
    }
    struct pb_arena scratch = {0};
    const struct pb_git_answer home =
        PB_GIT_ASK(&scratch, path, "rev-parse", "--path-format=absolute", "--git-common-dir");
    const char *repository = pb_git_first_line(&scratch, home.text);
    const bool is_worktree = access(pb_arena_printf(&scratch, "%s/.git", path), F_OK) == 0;
    pb_folder_remove(path);
    if (home.ok && is_worktree) { /* twice: also one that git had not finished */
        (void)PB_GIT_DO(&scratch, repository, NULL, "worktree", "remove", "--force", "--force",
                        path);
    }
    pb_arena_release(&scratch);
}
