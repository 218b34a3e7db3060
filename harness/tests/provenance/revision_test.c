/* SPDX-License-Identifier: Apache-2.0
 *
 * Names, ancestors and worktrees in repositories of every kind, and that nothing of the user's is
 * touched.
 */
#include "provenance/revision.h"

#include "base/strbuf.h"
#include "provenance/git.h"
#include "temp_repository.h"

struct bench {
    struct pb_arena arena;
    char *top;  /* a folder outside of any repository, as far as git looks */
    char *path; /* a repository in it: three commits on main, a branch `side` off the second */
    struct pb_repository repository;
    struct pb_error err;
};

static void commit(const char *folder, const char *file, const char *content, const char *subject)
{
    temp_tree_write(folder, file, content);
    GIT(folder, "add", ".");
    GIT(folder, "commit", "--quiet", "-m", subject);
}

static int make_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    temp_repository_environment();
    setenv("GIT_CEILING_DIRECTORIES", PB_TEST_BUILD, 1); /* the build may be in one, too */
    bench->top = temp_tree_new(&bench->arena);
    bench->path = pb_arena_printf(&bench->arena, "%s/a 'clone'", bench->top);
    assert_int_equal(mkdir(bench->path, 0777), 0);
    temp_repository_init(bench->path);
    commit(bench->path, "code.c", "int x;\n", "first");
    commit(bench->path, "code.c", "int y;\n", "second  one");
    GIT(bench->path, "branch", "side");
    commit(bench->path, "code.c", "int z;\n", "third");
    GIT(bench->path, "checkout", "--quiet", "side");
    commit(bench->path, "other.c", "int w;\n", "aside");
    GIT(bench->path, "checkout", "--quiet", "main");
    *state = bench;
    return 0;
}

static int remove_bench(void **state)
{
    struct bench *bench = *state;
    run((const char *const[]){"rm", "-rf", bench->top, NULL});
    pb_arena_release(&bench->arena);
    free(bench);
    return 0;
}

static void find_in(struct bench *bench, const char *folder)
{
    if (pb_repository_find(folder, &bench->arena, &bench->repository, &bench->err) != PB_OK) {
        fail_msg("%s", bench->err.message);
    }
}

static struct pb_revision resolve(struct bench *bench, const char *name)
{
    struct pb_revision revision;
    if (pb_revision_resolve(&bench->repository, name, &bench->arena, &revision, &bench->err) !=
        PB_OK) {
        fail_msg("%s", bench->err.message);
    }
    return revision;
}

static void a_repository_is_found_from_a_folder_in_it(void **state)
{
    struct bench *bench = *state;
    const char *below = pb_arena_printf(&bench->arena, "%s/below", bench->path);
    assert_int_equal(mkdir(below, 0777), 0);
    find_in(bench, below);
    char *real = realpath(bench->path, NULL);
    assert_string_equal(bench->repository.directory, real);
    free(real);
    assert_false(bench->repository.bare);
    assert_false(bench->repository.shallow);
}

static void without_a_repository_it_is_said_what_can_be_compared(void **state)
{
    struct bench *bench = *state;
    assert_int_equal(pb_repository_find(bench->top, &bench->arena, &bench->repository, &bench->err),
                     PB_ERR_NOT_FOUND);
    assert_non_null(strstr(bench->err.message, "two suite files"));
}

static void without_git_it_is_said_what_can_be_compared(void **state)
{
    struct bench *bench = *state;
    const char *bin = pb_arena_printf(&bench->arena, "%s/bin", bench->top);
    assert_int_equal(mkdir(bin, 0777), 0);
    const char *before = pb_arena_strdup(&bench->arena, getenv("PATH"));
    setenv("PATH", bin, 1);
    const enum pb_code code =
        pb_repository_find(bench->path, &bench->arena, &bench->repository, &bench->err);
    setenv("PATH", before, 1);
    assert_int_equal(code, PB_ERR_NOT_FOUND);
    assert_non_null(strstr(bench->err.message, "git is not installed"));
}

static void a_bare_repository_has_no_working_tree(void **state)
{
    struct bench *bench = *state;
    const char *bare = pb_arena_printf(&bench->arena, "%s/bare.git", bench->top);
    run((const char *const[]){"git", "clone", "--quiet", "--bare", bench->path, bare, NULL});
    find_in(bench, bare);
    assert_true(bench->repository.bare);
    assert_string_equal(resolve(bench, "main").subject, "third");
    find_in(bench, pb_arena_printf(&bench->arena, "%s/.git", bench->path));
    assert_true(bench->repository.bare);
}

static void a_name_is_a_commit(void **state)
{
    struct bench *bench = *state;
    find_in(bench, bench->path);
    GIT(bench->path, "tag", "-a", "v1", "-m", "a tag", "main~2");
    static const struct {
        const char *name;
        const char *subject;
    } rows[] = {
        {"main", "third"},   {"HEAD", "third"}, {"HEAD~1", "second  one"},
        {"v1", "first"},     {"side", "aside"}, {"refs/heads/side", "aside"},
        {"main^^", "first"},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_revision revision = resolve(bench, rows[i].name);
        assert_string_equal(revision.subject, rows[i].subject);
        assert_int_equal(strspn(revision.id, "0123456789abcdef"), strlen(revision.id));
        const char *start = pb_arena_printf(&bench->arena, "%.9s", revision.id);
        assert_string_equal(resolve(bench, start).id, revision.id);
    }
}

static void what_is_no_commit_is_refused_by_name(void **state)
{
    struct bench *bench = *state;
    find_in(bench, bench->path);
    static const char *const names[] = {"nowhere",     "",           "-n",  "--all",
                                        "main:code.c", "main..side", "a\nb"};
    for (size_t i = 0; i < N_ITEMS(names); i++) {
        struct pb_revision revision;
        assert_int_equal(pb_revision_resolve(&bench->repository, names[i], &bench->arena, &revision,
                                             &bench->err),
                         PB_ERR_NOT_FOUND);
        assert_null(strstr(bench->err.message, "\n"));
        assert_null(strstr(bench->err.message, "shallow"));
    }
}

static void a_shallow_clone_says_why_a_commit_is_missing(void **state)
{
    struct bench *bench = *state;
    const char *shallow = pb_arena_printf(&bench->arena, "%s/shallow", bench->top);
    run((const char *const[]){"git", "clone", "--quiet", "--depth", "1",
                              pb_arena_printf(&bench->arena, "file://%s", bench->path), shallow,
                              NULL});
    find_in(bench, shallow);
    assert_true(bench->repository.shallow);
    struct pb_revision revision;
    assert_int_equal(
        pb_revision_resolve(&bench->repository, "HEAD~1", &bench->arena, &revision, &bench->err),
        PB_ERR_NOT_FOUND);
    assert_non_null(strstr(bench->err.message, "git fetch --unshallow"));
}

static void the_merge_base_and_the_way_to_it_are_known(void **state)
{
    struct bench *bench = *state;
    find_in(bench, bench->path);
    const struct pb_revision main_tip = resolve(bench, "main");
    const struct pb_revision side_tip = resolve(bench, "side");
    struct pb_revision base;
    assert_int_equal(pb_revision_merge_base(&bench->repository, main_tip.id, side_tip.id,
                                            &bench->arena, &base, &bench->err),
                     PB_OK);
    assert_string_equal(base.subject, "second  one");
    assert_int_equal(pb_revision_distance(&bench->repository, base.id, main_tip.id), 1);
    assert_int_equal(pb_revision_distance(&bench->repository, main_tip.id, base.id), 0);
    assert_true(pb_revision_is_ancestor(&bench->repository, base.id, side_tip.id));
    assert_false(pb_revision_is_ancestor(&bench->repository, side_tip.id, base.id));
    GIT(bench->path, "checkout", "--quiet", "--orphan", "strange");
    commit(bench->path, "code.c", "int v;\n", "strange");
    const struct pb_revision strange = resolve(bench, "strange");
    assert_int_equal(pb_revision_merge_base(&bench->repository, main_tip.id, strange.id,
                                            &bench->arena, &base, &bench->err),
                     PB_ERR_NOT_FOUND);
    assert_non_null(strstr(bench->err.message, "no common ancestor"));
}

static void the_line_between_two_commits_takes_a_merged_branch_as_one(void **state)
{
    struct bench *bench = *state;
    GIT(bench->path, "merge", "--quiet", "--no-ff", "-m", "merged", "side");
    commit(bench->path, "code.c", "int u;\n", "last");
    find_in(bench, bench->path);
    const struct pb_revision good = resolve(bench, "main~3");
    const struct pb_revision bad = resolve(bench, "main");
    struct pb_revision_line line;
    assert_int_equal(
        pb_revision_list(&bench->repository, good.id, bad.id, &bench->arena, &line, &bench->err),
        PB_OK);
    assert_string_equal(good.subject, "second  one");
    assert_int_equal(line.n, 3);
    assert_string_equal(line.items[0].subject, "third");
    assert_string_equal(line.items[1].subject, "merged");
    assert_string_equal(line.items[2].id, bad.id);
    assert_int_equal(pb_revision_n_parents(&bench->repository, line.items[1].id), 2);
    assert_int_equal(pb_revision_n_parents(&bench->repository, line.items[0].id), 1);
    assert_int_equal(
        pb_revision_list(&bench->repository, bad.id, good.id, &bench->arena, &line, &bench->err),
        PB_ERR_USAGE);
    assert_non_null(strstr(bench->err.message, "no ancestor"));
}

static void a_line_and_what_changed_it_are_found(void **state)
{
    struct bench *bench = *state;
    commit(bench->path, "other.h", "#define N 1\n", "other: a file");
    commit(bench->path, "code.c", "#define N 2\n", "defined");
    commit(bench->path, "code.c", "#define N 2\nint x;\n", "more");
    find_in(bench, bench->path);
    const struct pb_revision tip = resolve(bench, "main");
    const struct pb_revision_lines lines = {"define +N", "*code.c"};
    const struct pb_revision_line line =
        pb_revision_changes(&bench->repository, tip.id, &lines, &bench->arena);
    assert_int_equal(line.n, 1);
    assert_string_equal(line.items[0].subject, "defined");
    assert_string_equal(pb_revision_find_line(&bench->repository, tip.id, &lines, &bench->arena),
                        "#define N 2");
    const struct pb_revision_lines nowhere = {"define +N", "none.c"};
    assert_null(pb_revision_find_line(&bench->repository, tip.id, &nowhere, &bench->arena));
    assert_int_equal(pb_revision_changes(&bench->repository, tip.id, &nowhere, &bench->arena).n, 0);
}

/* All that must stay as it is: every file of the user's checkout, that of git's own included. */
static const char *state_of(struct bench *bench, const char *folder)
{
    struct pb_strbuf text = {0};
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){"sh", "-c",
                                      "find . -type f -exec sha256sum {} + | sort; find . | sort; "
                                      "git status --porcelain; git stash list; git worktree list",
                                      NULL},
        .directory = folder,
        .deadline_s = 60,
        .output = &text,
    };
    struct pb_child_outcome outcome;
    assert_int_equal(pb_child_run(&spec, &outcome, &bench->err), PB_OK);
    const char *copy = pb_arena_strdup(&bench->arena, text.text);
    pb_strbuf_release(&text);
    return copy;
}

static void write_hook(struct bench *bench, const char *name)
{
    const char *path = pb_arena_printf(&bench->arena, ".git/hooks/%s", name);
    temp_tree_write(bench->path, path, "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n");
    assert_int_equal(chmod(pb_arena_printf(&bench->arena, "%s/%s", bench->path, path), 0755), 0);
}

static const char *file_in(struct bench *bench, const char *folder, const char *name)
{
    const struct pb_file_tree tree = {.arena = &bench->arena, .root = folder};
    return pb_file_tree_text(&tree, "%s", name);
}

static const char *add(struct bench *bench, const char *name, const char **missing)
{
    const char *path = pb_arena_printf(&bench->arena, "%s/work of ours", bench->top);
    const struct pb_revision revision = resolve(bench, name);
    if (pb_worktree_add(&bench->repository, revision.id, path, &bench->arena, missing,
                        &bench->err) != PB_OK) {
        fail_msg("%s", bench->err.message);
    }
    return path;
}

static void a_worktree_comes_and_goes_without_a_trace(void **state)
{
    struct bench *bench = *state;
    temp_tree_write(bench->path, "code.c", "int dirty;\n");
    temp_tree_write(bench->path, "new.c", "int added;\n");
    GIT(bench->path, "stash", "--quiet");
    temp_tree_write(bench->path, "code.c", "int dirty_again;\n");
    temp_tree_write(bench->path, "new.c", "int staged;\n");
    GIT(bench->path, "add", "new.c");
    write_hook(bench, "post-checkout");
    write_hook(bench, "reference-transaction");
    find_in(bench, bench->path);
    const char *before = state_of(bench, bench->path);
    setenv("GIT_DIR", "/nonexistent", 1);
    setenv("GIT_INDEX_FILE", "/nonexistent/index", 1);
    const char *missing = "";
    const char *path = add(bench, "main~1", &missing);
    assert_null(missing);
    assert_string_equal(file_in(bench, path, "code.c"), "int y;\n");
    pb_worktree_remove(path);
    unsetenv("GIT_DIR");
    unsetenv("GIT_INDEX_FILE");
    assert_int_not_equal(access(path, F_OK), 0);
    assert_string_equal(state_of(bench, bench->path), before);
    pb_worktree_remove(path); /* nothing is there */
}

static void a_worktree_that_can_not_be_leaves_nothing(void **state)
{
    struct bench *bench = *state;
    find_in(bench, bench->path);
    const char *before = state_of(bench, bench->path);
    const struct pb_revision revision = resolve(bench, "main");
    const char *path = pb_arena_printf(&bench->arena, "%s/no/such/\nfolder", bench->top);
    temp_tree_write(bench->top, "no", "a file");
    const char *missing = NULL;
    assert_int_equal(pb_worktree_add(&bench->repository, revision.id, path, &bench->arena, &missing,
                                     &bench->err),
                     PB_ERR_IO);
    assert_string_equal(state_of(bench, bench->path), before);
}

static void what_a_killed_process_left_is_taken_over(void **state)
{
    struct bench *bench = *state;
    find_in(bench, bench->path);
    const char *before = state_of(bench, bench->path);
    const char *missing = NULL;
    const char *path = add(bench, "main", &missing);
    GIT(bench->path, "worktree", "lock", path); /* as git itself does before it is done */
    pb_worktree_remove(path);
    assert_string_equal(state_of(bench, bench->path), before);
    assert_string_equal(add(bench, "side", &missing), path);
    pb_worktree_remove(path);
}

static void a_worktree_of_the_user_is_as_good_as_a_clone(void **state)
{
    struct bench *bench = *state;
    const char *linked = pb_arena_printf(&bench->arena, "%s/linked", bench->top);
    GIT(bench->path, "worktree", "add", "--quiet", linked, "side");
    find_in(bench, linked);
    assert_string_equal(resolve(bench, "HEAD").subject, "aside");
    const char *before = state_of(bench, linked);
    const char *missing = NULL;
    const char *path = add(bench, "HEAD", &missing);
    assert_string_equal(file_in(bench, path, "other.c"), "int w;\n");
    pb_worktree_remove(path);
    assert_string_equal(state_of(bench, linked), before);
}

/* A repository with a submodule that has a submodule, in the versions of their first commits. */
static const char *nest_submodules(struct bench *bench)
{
    const char *lib = pb_arena_printf(&bench->arena, "%s/lib", bench->top);
    const char *leaf = pb_arena_printf(&bench->arena, "%s/leaf", bench->top);
    assert_int_equal(mkdir(lib, 0777) + mkdir(leaf, 0777), 0);
    temp_repository_init(lib);
    temp_repository_init(leaf);
    commit(leaf, "leaf.c", "int leaf = 1;\n", "leaf 1");
    commit(lib, "lib.c", "int lib = 1;\n", "lib 1");
    GIT(lib, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", leaf, "deep/leaf");
    commit(lib, "lib.c", "int lib = 2;\n", "lib 2");
    GIT(bench->path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib,
        "the lib");
    GIT(bench->path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init",
        "--recursive");
    commit(bench->path, "code.c", "int s;\n", "with a library");
    return lib;
}

static void submodules_come_from_the_users_own_checkouts(void **state)
{
    struct bench *bench = *state;
    const char *lib = nest_submodules(bench);
    GIT(bench->path, "tag", "then");
    commit(lib, "lib.c", "int lib = 3;\n", "lib 3");
    const char *checked_out = pb_arena_printf(&bench->arena, "%s/the lib", bench->path);
    GIT(checked_out, "pull", "--quiet");
    commit(bench->path, "code.c", "int t;\n", "a newer library");
    run((const char *const[]){"rm", "-rf", lib, NULL}); /* there is nothing to fetch from */
    find_in(bench, bench->path);
    const char *before = state_of(bench, bench->path);
    const char *missing = NULL;
    const char *path = add(bench, "then", &missing);
    assert_null(missing);
    assert_string_equal(file_in(bench, path, "the lib/lib.c"), "int lib = 2;\n");
    assert_string_equal(file_in(bench, path, "the lib/deep/leaf/leaf.c"), "int leaf = 1;\n");
    pb_worktree_remove(path);
    assert_string_equal(state_of(bench, bench->path), before);
}

static void a_submodule_that_is_not_there_is_named_and_stays_empty(void **state)
{
    struct bench *bench = *state;
    nest_submodules(bench);
    const char *clone = pb_arena_printf(&bench->arena, "%s/clone", bench->top);
    run((const char *const[]){"git", "clone", "--quiet", bench->path, clone, NULL});
    find_in(bench, clone);
    const char *missing = NULL;
    const char *path = add(bench, "HEAD", &missing);
    assert_string_equal(missing, "the lib");
    assert_null(file_in(bench, path, "the lib/lib.c"));
    pb_worktree_remove(path);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, remove_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(a_repository_is_found_from_a_folder_in_it),
        BENCH_TEST(without_a_repository_it_is_said_what_can_be_compared),
        BENCH_TEST(without_git_it_is_said_what_can_be_compared),
        BENCH_TEST(a_bare_repository_has_no_working_tree),
        BENCH_TEST(a_name_is_a_commit),
        BENCH_TEST(what_is_no_commit_is_refused_by_name),
        BENCH_TEST(a_shallow_clone_says_why_a_commit_is_missing),
        BENCH_TEST(the_merge_base_and_the_way_to_it_are_known),
        BENCH_TEST(the_line_between_two_commits_takes_a_merged_branch_as_one),
        BENCH_TEST(a_line_and_what_changed_it_are_found),
        BENCH_TEST(a_worktree_comes_and_goes_without_a_trace),
        BENCH_TEST(a_worktree_that_can_not_be_leaves_nothing),
        BENCH_TEST(what_a_killed_process_left_is_taken_over),
        BENCH_TEST(a_worktree_of_the_user_is_as_good_as_a_clone),
        BENCH_TEST(submodules_come_from_the_users_own_checkouts),
        BENCH_TEST(a_submodule_that_is_not_there_is_named_and_stays_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
