/* SPDX-License-Identifier: Apache-2.0
 *
 * Checkouts of every kind that git knows, made for the test and thrown away. They do not depend on
 * the user's configuration, nor on lying inside or outside of another repository.
 */
#include "provenance/checkout.h"

#include <time.h>

#include "temp_repository.h"

static const char all_keys[] =
    "branch committed_at describe dirty id message shallow state subject";

struct checkout {
    struct pb_arena arena;
    char *top;  /* a folder outside of any repository, as far as git looks    */
    char *path; /* a repository in it; it has a blank in its name for all tests */
};

/* Where the repository is that every test gets a copy of. */
struct original {
    struct pb_arena arena;
    char *path;
};

/* Makes a repository with one commit on branch main, of 2026-01-31 02:00 UTC. */
static int make_original(void **state)
{
    struct original *original = calloc(1, sizeof *original);
    assert_non_null(original);
    temp_repository_environment();
    setenv("GIT_AUTHOR_DATE", "2020-02-29T12:00:00+0000", 1);
    setenv("GIT_COMMITTER_DATE", "2026-01-31T03:00:00+0100", 1);
    original->path = temp_tree_new(&original->arena);
    temp_repository_init(original->path);
    temp_tree_write(original->path, "code.c", "int x;\n");
    temp_tree_write(original->path, ".gitignore", "/build/\n");
    GIT(original->path, "add", ".");
    GIT(original->path, "commit", "--quiet", "-m", "first: a subject", "-m", "A body.");
    *state = original;
    return 0;
}

static int remove_original(void **state)
{
    struct original *original = *state;
    temp_tree_remove(original->path);
    pb_arena_release(&original->arena);
    free(original);
    return 0;
}

static int make_checkout(void **state)
{
    const struct original *original = *state;
    struct checkout *checkout = calloc(1, sizeof *checkout);
    assert_non_null(checkout);
    checkout->top = temp_tree_new(&checkout->arena);
    checkout->path = pb_arena_printf(&checkout->arena, "%s/a checkout", checkout->top);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CEILING_DIRECTORIES", PB_TEST_BUILD, 1); /* the build may be in one, too */
    run((const char *const[]){"cp", "-a", original->path, checkout->path, NULL});
    *state = checkout;
    return 0;
}

static int remove_checkout(void **state)
{
    struct checkout *checkout = *state;
    temp_tree_remove(checkout->top);
    pb_arena_release(&checkout->arena);
    free(checkout);
    return 0;
}

static struct pb_facts facts_in(struct checkout *checkout, const char *folder)
{
    const struct pb_facts facts = pb_checkout_facts(&checkout->arena, folder);
    assert_keys(&facts, all_keys);
    return facts;
}

static struct pb_facts facts_of(struct checkout *checkout)
{
    return facts_in(checkout, checkout->path);
}

/* Everything that is not known without a commit. */
static void assert_no_commit(const struct pb_facts *facts)
{
    assert_fact(facts, "id", "");
    assert_fact(facts, "committed_at", "");
    assert_fact(facts, "subject", "");
    assert_fact(facts, "describe", "");
}

static void assert_commit_id(const struct pb_facts *facts, size_t digits)
{
    const char *id = pb_facts_get(facts, "id");
    assert_int_equal(strlen(id), digits);
    assert_int_equal(strspn(id, "0123456789abcdef"), digits);
}

static void a_clean_checkout_is_described(void **state)
{
    setenv("TZ", "XYZ-9", 1); /* nine hours ahead of UTC, which must not show */
    tzset();
    const struct pb_facts facts = facts_of(*state);
    unsetenv("TZ");
    tzset();
    assert_fact(&facts, "state", "ok");
    assert_commit_id(&facts, 40);
    assert_fact(&facts, "branch", "main");
    assert_fact(&facts, "dirty", "false");
    assert_fact(&facts, "shallow", "false");
    assert_fact(&facts, "committed_at", "2026-01-31T02:00:00Z");
    assert_fact(&facts, "subject", "first: a subject");
    assert_fact(&facts, "message", "");
    const char *id = pb_facts_get(&facts, "id");
    const char *describe = pb_facts_get(&facts, "describe");
    assert_int_equal(strlen(describe), 12);
    assert_int_equal(strncmp(describe, id, 12), 0);
}

static void any_folder_of_the_checkout_will_do(void **state)
{
    struct checkout *checkout = *state;
    const struct pb_facts top = facts_of(checkout);
    temp_tree_write(checkout->path, "build/release/suite.so", "x");
    const char *below = pb_arena_printf(&checkout->arena, "%s/build/release", checkout->path);
    const struct pb_facts facts = facts_in(checkout, below);
    assert_fact(&facts, "id", pb_facts_get(&top, "id"));
    assert_fact(&facts, "dirty", "false");
}

static void the_current_folder_is_asked_when_none_is_given(void **state)
{
    struct checkout *checkout = *state;
    char before[TEMP_PATH_BYTES];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(checkout->path), 0);
    const struct pb_facts facts = facts_in(checkout, NULL);
    assert_int_equal(chdir(before), 0);
    assert_fact(&facts, "subject", "first: a subject");
}

static void tags_are_used_to_describe(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->path, "tag", "v1.2");
    const struct pb_facts tagged = facts_of(checkout);
    assert_fact(&tagged, "describe", "v1.2");
    GIT(checkout->path, "commit", "--quiet", "--allow-empty", "-m", "second");
    const struct pb_facts facts = facts_of(checkout);
    const char *id = pb_facts_get(&facts, "id");
    assert_fact(&facts, "describe", pb_arena_printf(&checkout->arena, "v1.2-1-g%.12s", id));
}

/* What can be done to a checkout, and whether that makes it dirty. */
static void changed_staged_deleted_and_new_files_make_it_dirty(void **state)
{
    struct checkout *checkout = *state;
    static const struct {
        struct temp_file file; /* without content: removed */
        bool staged;
        const char *dirty;
    } rows[] = {
        {{"code.c", "int y;\n"}, false, "true"},
        {{"code.c", "int y;\n"}, true, "true"},
        {{"code.c", "int x;\n"}, false, "false"}, /* written anew with the same content */
        {{"code.c", NULL}, false, "true"},
        {{"new.c", "int z;\n"}, false, "true"},
        {{"new folder/new.c", "int z;\n"}, false, "true"},
        {{"new.c", "int z;\n"}, true, "true"},
        {{"build/new.o", "x"}, false, "false"}, /* ignored */
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        if (rows[i].file.content != NULL) {
            temp_tree_write(checkout->path, rows[i].file.path, rows[i].file.content);
        } else {
            assert_int_equal(remove(pb_arena_printf(&checkout->arena, "%s/%s", checkout->path,
                                                    rows[i].file.path)),
                             0);
        }
        if (rows[i].staged) {
            GIT(checkout->path, "add", rows[i].file.path);
        }
        const struct pb_facts facts = facts_of(checkout);
        assert_fact(&facts, "dirty", rows[i].dirty);
        GIT(checkout->path, "reset", "--quiet", "--hard");
        GIT(checkout->path, "clean", "-qfd");
    }
}

static void asking_changes_nothing(void **state)
{
    struct checkout *checkout = *state;
    const char *index = pb_arena_printf(&checkout->arena, "%s/.git/index", checkout->path);
    struct stat before;
    struct stat after;
    /* A file with another time and the same content, which `git status` would note in the index. */
    temp_tree_write(checkout->path, "code.c", "int x;\n");
    assert_int_equal(stat(index, &before), 0);
    const struct pb_facts facts = facts_of(checkout);
    assert_int_equal(stat(index, &after), 0);
    assert_fact(&facts, "dirty", "false");
    assert_true(before.st_ino == after.st_ino && before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
}

static void a_detached_head_has_no_branch(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->path, "checkout", "--quiet", "--detach");
    const struct pb_facts facts = facts_of(checkout);
    assert_fact(&facts, "state", "ok");
    assert_fact(&facts, "branch", "");
    assert_commit_id(&facts, 40);
}

static void a_shallow_clone_is_known_to_be_one(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->path, "commit", "--quiet", "--allow-empty", "-m", "second");
    const char *url = pb_arena_printf(&checkout->arena, "file://%s", checkout->path);
    GIT(checkout->top, "clone", "--quiet", "--depth=1", url, "clone");
    const char *clone = pb_arena_printf(&checkout->arena, "%s/clone", checkout->top);
    const struct pb_facts facts = facts_in(checkout, clone);
    assert_fact(&facts, "state", "ok");
    assert_fact(&facts, "shallow", "true");
    assert_fact(&facts, "subject", "second");
    assert_fact(&facts, "dirty", "false");
}

static void a_worktree_has_its_own_branch_and_dirt(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->path, "worktree", "add", "--quiet", "-b", "side", "../side by side");
    const char *side = pb_arena_printf(&checkout->arena, "%s/side by side", checkout->top);
    temp_tree_write(side, "code.c", "int changed;\n");
    const struct pb_facts here = facts_in(checkout, side);
    const struct pb_facts there = facts_of(checkout);
    assert_fact(&here, "branch", "side");
    assert_fact(&here, "dirty", "true");
    assert_fact(&there, "branch", "main");
    assert_fact(&there, "dirty", "false");
    assert_fact(&here, "id", pb_facts_get(&there, "id"));
}

static void a_submodule_is_a_checkout_of_its_own(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->top, "init", "--quiet", "--initial-branch=trunk", "outer");
    const char *outer = pb_arena_printf(&checkout->arena, "%s/outer", checkout->top);
    const char *inner = pb_arena_printf(&checkout->arena, "%s/inner", outer);
    GIT(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", checkout->path,
        "inner");
    GIT(outer, "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet", "-m",
        "outer commit");
    const struct pb_facts inside = facts_in(checkout, inner);
    const struct pb_facts around = facts_in(checkout, outer);
    assert_fact(&inside, "subject", "first: a subject");
    assert_fact(&around, "subject", "outer commit");
    assert_fact(&around, "dirty", "false");
    temp_tree_write(inner, "code.c", "int changed;\n");
    GIT(outer, "config", "diff.ignoreSubmodules", "all");
    const struct pb_facts changed = facts_in(checkout, outer);
    assert_fact(&changed, "dirty", "true");
}

static void a_repository_without_commits_has_a_branch_all_the_same(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->top, "init", "--quiet", "--initial-branch=unborn", "empty");
    const char *empty = pb_arena_printf(&checkout->arena, "%s/empty", checkout->top);
    const struct pb_facts facts = facts_in(checkout, empty);
    assert_fact(&facts, "state", "no commit");
    assert_no_commit(&facts);
    assert_fact(&facts, "branch", "unborn");
    assert_fact(&facts, "dirty", "false");
    assert_fact(&facts, "shallow", "false");
    assert_fact(&facts, "message", "");
}

static void a_bare_repository_has_nothing_that_could_be_dirty(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->top, "clone", "--quiet", "--bare", checkout->path, "bare.git");
    const char *bare = pb_arena_printf(&checkout->arena, "%s/bare.git", checkout->top);
    const struct pb_facts facts = facts_in(checkout, bare);
    assert_fact(&facts, "state", "ok");
    assert_fact(&facts, "subject", "first: a subject");
    assert_fact(&facts, "dirty", "unknown");
}

static void ids_may_be_longer(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->top, "init", "--quiet", "--object-format=sha256", "long");
    const char *path = pb_arena_printf(&checkout->arena, "%s/long", checkout->top);
    GIT(path, "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet",
        "--allow-empty", "-m", "s");
    const struct pb_facts facts = facts_in(checkout, path);
    assert_fact(&facts, "state", "ok");
    assert_commit_id(&facts, 64);
}

/* Facts of something that is no checkout. */
static void assert_nothing_known(const struct pb_facts *facts, const char *state)
{
    assert_fact(facts, "state", state);
    assert_no_commit(facts);
    assert_fact(facts, "branch", "");
    assert_fact(facts, "dirty", "unknown");
    assert_fact(facts, "shallow", "unknown");
    assert_true(strlen(pb_facts_get(facts, "message")) > 0);
}

static void a_folder_outside_of_any_repository_is_none(void **state)
{
    struct checkout *checkout = *state;
    const struct pb_facts facts = facts_in(checkout, checkout->top);
    assert_nothing_known(&facts, "no repository");
}

static void a_folder_that_does_not_exist_is_an_error(void **state)
{
    struct checkout *checkout = *state;
    const char *gone = pb_arena_printf(&checkout->arena, "%s/gone", checkout->top);
    const struct pb_facts facts = facts_in(checkout, gone);
    assert_nothing_known(&facts, "error");
    assert_non_null(strstr(pb_facts_get(&facts, "message"), "gone"));
}

static void a_broken_repository_is_an_error(void **state)
{
    struct checkout *checkout = *state;
    temp_tree_write(checkout->top, "broken/.git", "gitdir: /nonexistent/elsewhere\n");
    const char *broken = pb_arena_printf(&checkout->arena, "%s/broken", checkout->top);
    const struct pb_facts facts = facts_in(checkout, broken);
    assert_nothing_known(&facts, "error");
}

static void a_repository_of_somebody_else_is_an_error_that_says_so(void **state)
{
    struct checkout *checkout = *state;
    setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", 1);
    const struct pb_facts facts = facts_of(checkout);
    unsetenv("GIT_TEST_ASSUME_DIFFERENT_OWNER");
    assert_nothing_known(&facts, "error");
    assert_non_null(strstr(pb_facts_get(&facts, "message"), "dubious ownership"));
}

/* With no program in reach but those in one folder. */
static struct pb_facts facts_with_path(struct checkout *checkout, const char *programs)
{
    char *before = pb_arena_strdup(&checkout->arena, getenv("PATH"));
    setenv("PATH", programs, 1);
    const struct pb_facts facts = facts_of(checkout);
    setenv("PATH", before, 1);
    return facts;
}

static void a_machine_without_git_is_no_error(void **state)
{
    struct checkout *checkout = *state;
    const struct pb_facts without_any = facts_with_path(checkout, checkout->top);
    assert_nothing_known(&without_any, "no git");
    /* The rest of the system is there, as on a machine where git is not installed. */
    const char *programs = pb_arena_printf(&checkout->arena, "%s/bin", checkout->top);
    assert_int_equal(mkdir(programs, 0777), 0);
    assert_int_equal(symlink("/usr/bin/env", pb_arena_printf(&checkout->arena, "%s/env", programs)),
                     0);
    const struct pb_facts without_git = facts_with_path(checkout, programs);
    assert_nothing_known(&without_git, "no git");
}

static void variables_of_a_git_hook_do_not_lead_elsewhere(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->top, "init", "--quiet", "--initial-branch=other", "other");
    setenv("GIT_DIR", pb_arena_printf(&checkout->arena, "%s/other/.git", checkout->top), 1);
    setenv("GIT_WORK_TREE", checkout->top, 1);
    setenv("GIT_INDEX_FILE", "/nonexistent/index", 1);
    const struct pb_facts facts = facts_of(checkout);
    unsetenv("GIT_DIR");
    unsetenv("GIT_WORK_TREE");
    unsetenv("GIT_INDEX_FILE");
    assert_fact(&facts, "state", "ok");
    assert_fact(&facts, "branch", "main");
    assert_fact(&facts, "dirty", "false");
}

static void a_configuration_of_the_user_changes_no_answer(void **state)
{
    struct checkout *checkout = *state;
    temp_tree_write(checkout->top, "config",
                    "[status]\n\tshowUntrackedFiles = no\n\tbranch = true\n\tshort = true\n"
                    "[log]\n\tshowSignature = true\n\tdecorate = full\n\tdate = relative\n"
                    "[color]\n\tui = always\n\tstatus = always\n[core]\n\tabbrev = 4\n"
                    "\tfsmonitor = /nonexistent/monitor\n[i18n]\n\tlogOutputEncoding = UTF-16\n"
                    "[diff]\n\tignoreSubmodules = all\n[format]\n\tpretty = oneline\n");
    temp_tree_write(checkout->path, "new.c", "int z;\n");
    setenv("GIT_CONFIG_GLOBAL", pb_arena_printf(&checkout->arena, "%s/config", checkout->top), 1);
    setenv("LANGUAGE", "de", 1);
    const struct pb_facts facts = facts_of(checkout);
    const struct pb_facts outside = facts_in(checkout, checkout->top);
    unsetenv("LANGUAGE");
    assert_fact(&facts, "state", "ok");
    assert_commit_id(&facts, 40);
    assert_fact(&facts, "subject", "first: a subject");
    assert_fact(&facts, "branch", "main");
    assert_fact(&facts, "dirty", "true");
    assert_int_equal(strlen(pb_facts_get(&facts, "describe")), 12);
    assert_fact(&outside, "state", "no repository");
}

static void no_program_of_the_configuration_is_started(void **state)
{
    struct checkout *checkout = *state;
    struct pb_arena *arena = &checkout->arena;
    const char *trace = pb_arena_printf(arena, "%s/trace", checkout->top);
    const char *program = pb_arena_printf(arena, "%s/program", checkout->top);
    /* Answers like gpg, so that git can use it to sign. */
    temp_tree_write(checkout->top, "program",
                    pb_arena_printf(arena,
                                    "#!/bin/sh\necho ran >>'%s'\ncat >/dev/null\n"
                                    "echo '-----BEGIN PGP SIGNATURE-----'\n"
                                    "printf '\\n[GNUPG:] SIG_CREATED D\\n' >&2\n",
                                    trace));
    assert_int_equal(chmod(program, 0700), 0);
    GIT(checkout->path, "config", "gpg.program", program);
    GIT(checkout->path, "config", "log.showSignature", "true");
    GIT(checkout->path, "commit", "--quiet", "--allow-empty", "-S", "-m", "signed");
    GIT(checkout->path, "config", "core.fsmonitor", program);
    assert_int_equal(remove(trace), 0); /* it did run to sign */
    const struct pb_facts facts = facts_of(checkout);
    assert_fact(&facts, "subject", "signed");
    assert_fact(&facts, "dirty", "false");
    assert_int_not_equal(access(trace, F_OK), 0);
}

static void names_and_subjects_are_taken_as_they_are(void **state)
{
    struct checkout *checkout = *state;
    static const char *const branches[] = {
        "$(touch_pwned)", "`id`;echo",        "a|b&c\"d'e",    "%s%n<script>", "heads/main",
        "refs/heads/x",   "\xc3\xa4\xc3\xb6", "bytes\xff\xfe", "-dash/-m",
    };
    static const char *const subjects[] = {
        "$(touch pwned) `id`",
        "%s %n %H",
        "\"quotes\" 'and' \\backslash\\ | & ; <script>",
        "\xc3\xa4 \xe2\x80\x94",
        "tab\there \x1b[31mred",
        "--format=%H",
    };
    for (size_t i = 0; i < N_ITEMS(branches); i++) {
        const char *subject = subjects[i % N_ITEMS(subjects)];
        const char *ref = pb_arena_printf(&checkout->arena, "refs/heads/%s", branches[i]);
        GIT(checkout->path, "symbolic-ref", "HEAD", ref);
        GIT(checkout->path, "commit", "--quiet", "--allow-empty", "-m", subject);
        const struct pb_facts facts = facts_of(checkout);
        assert_fact(&facts, "branch", branches[i]);
        assert_fact(&facts, "subject", subject);
        assert_commit_id(&facts, 40);
    }
}

static void a_commit_without_a_message_has_no_subject(void **state)
{
    struct checkout *checkout = *state;
    GIT(checkout->path, "commit", "--quiet", "--allow-empty", "--allow-empty-message", "-m", "");
    const struct pb_facts facts = facts_of(checkout);
    assert_fact(&facts, "state", "ok");
    assert_fact(&facts, "subject", "");
    assert_fact(&facts, "committed_at", "2026-01-31T02:00:00Z");
}

static void a_status_longer_than_the_answer_that_is_kept_is_dirty(void **state)
{
    /* 70,000 bytes of names */
    enum { FILES = 290, NAME_BYTES = 240 };
    struct checkout *checkout = *state;
    for (int i = 0; i < FILES; i++) {
        char name[NAME_BYTES + 1];
        snprintf(name, sizeof name, "%0*d", NAME_BYTES, i);
        temp_tree_write(checkout->path, name, "");
    }
    const struct pb_facts facts = facts_of(checkout);
    assert_fact(&facts, "dirty", "true");
}

#define CHECKOUT_TEST(name) cmocka_unit_test_setup_teardown(name, make_checkout, remove_checkout)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECKOUT_TEST(a_clean_checkout_is_described),
        CHECKOUT_TEST(any_folder_of_the_checkout_will_do),
        CHECKOUT_TEST(the_current_folder_is_asked_when_none_is_given),
        CHECKOUT_TEST(tags_are_used_to_describe),
        CHECKOUT_TEST(changed_staged_deleted_and_new_files_make_it_dirty),
        CHECKOUT_TEST(asking_changes_nothing),
        CHECKOUT_TEST(a_detached_head_has_no_branch),
        CHECKOUT_TEST(a_shallow_clone_is_known_to_be_one),
        CHECKOUT_TEST(a_worktree_has_its_own_branch_and_dirt),
        CHECKOUT_TEST(a_submodule_is_a_checkout_of_its_own),
        CHECKOUT_TEST(a_repository_without_commits_has_a_branch_all_the_same),
        CHECKOUT_TEST(a_bare_repository_has_nothing_that_could_be_dirty),
        CHECKOUT_TEST(ids_may_be_longer),
        CHECKOUT_TEST(a_folder_outside_of_any_repository_is_none),
        CHECKOUT_TEST(a_folder_that_does_not_exist_is_an_error),
        CHECKOUT_TEST(a_broken_repository_is_an_error),
        CHECKOUT_TEST(a_repository_of_somebody_else_is_an_error_that_says_so),
        CHECKOUT_TEST(a_machine_without_git_is_no_error),
        CHECKOUT_TEST(variables_of_a_git_hook_do_not_lead_elsewhere),
        CHECKOUT_TEST(a_configuration_of_the_user_changes_no_answer),
        CHECKOUT_TEST(no_program_of_the_configuration_is_started),
        CHECKOUT_TEST(names_and_subjects_are_taken_as_they_are),
        CHECKOUT_TEST(a_commit_without_a_message_has_no_subject),
        CHECKOUT_TEST(a_status_longer_than_the_answer_that_is_kept_is_dirty),
    };
    return cmocka_run_group_tests(tests, make_original, remove_original);
}
