/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench compare` and `bisect` on a repository of twelve commits, made by a script and thrown
 * away: the 6th does not build, the 8th does twice the work, others rename, comment, or add what
 * nobody calls. Twice the work is so much that no machine hides it.
 *
 * Builds are kept in one cache for all tests, so that each commit is built once.
 */
#include "cli.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/child.h"
#include "base/folder_remove.h"
#include "test_folder.h"

/* $1: an empty folder; the repository is made in it, in a folder with a blank. */
static const char make_repository[] =
    "set -eu\n"
    "mkdir \"$1/the repository\" && cd \"$1/the repository\"\n"
    "git init --quiet --initial-branch=main\n"
    "git config user.name Test && git config user.email test@example.org\n"
    "git config maintenance.auto false\n"
    "cat >CMakeLists.txt <<'END'\n"
    "cmake_minimum_required(VERSION 3.25)\n"
    "set(CMAKE_C_COMPILER_WORKS TRUE)\n" /* saves half of configuring */
    "set(CMAKE_C_ABI_COMPILED TRUE)\n"
    "project(scripted LANGUAGES C)\n"
    "if(SCRIPTED_MARK)\n"
    "  file(TOUCH \"${SCRIPTED_MARK}\")\n"
    "  execute_process(COMMAND sleep 1000)\n"
    "endif()\n"
    "add_library(pairbench_abi INTERFACE)\n"
    "add_library(pairbench::suite ALIAS pairbench_abi)\n"
    "target_include_directories(pairbench_abi INTERFACE \"${CMAKE_CURRENT_SOURCE_DIR}/include\"\n"
    "                           \"${SCRIPTED_HARNESS}\")\n"
    "include(\"${SCRIPTED_HARNESS}/cmake/PairbenchSuite.cmake\")\n"
    "file(GLOB sources \"*.c\")\n"
    "pairbench_add_suite(scripted NAME scripted SOURCES ${sources})\n"
    "END\n"
    "case_file() {\n" /* file, case, extra statements of an operation */
    "cat >\"$1\" <<END\n"
    "#include <pairbench.h>\n"
    "struct state { uint64_t value; };\n"
    "static int open_state(struct pb_env *env, const struct pb_scenario *scenario, void *shared,\n"
    "                      void **state)\n"
    "{ (void)scenario; (void)shared; *state = pb_alloc(env, sizeof(struct state), 0);\n"
    "  return *state != NULL ? PAIRBENCH_OK : PAIRBENCH_FAILED; }\n"
    "static uint64_t work(uint64_t value)\n"
    "{ for (int i = 0; i < 40; i++) { value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9u + 1;\n"
    "    __asm__ volatile(\"\" : \"+r\"(value)); } return value; }\n"
    "static int run(void *state, uint64_t n)\n"
    "{ uint64_t value = 0;\n"
    "  for (uint64_t k = 0; k < n; k++) { value = work(1); $3 }\n"
    "  ((struct state *)state)->value = value; return PAIRBENCH_OK; }\n"
    "static int output(void *state, struct pb_bytes *bytes)\n"
    "{ *bytes = (struct pb_bytes){state, sizeof(struct state)}; return PAIRBENCH_OK; }\n"
    "static const struct pb_scenario scenarios[] = {{.name = \"chain\", .summary = \"40 "
    "steps\"}};\n"
    "static const struct pb_variant variants[] = {{.name = \"old\", .summary = \"as it is\",\n"
    "  .open = open_state, .run = run, .output = output}};\n"
    "const struct pb_case $(basename \"$1\" .c) = {.name = \"$2\", .summary = \"work\",\n"
    "  .source = \"made up\", .scenarios = scenarios, .n_scenarios = 1, .variants = variants,\n"
    "  .n_variants = 1};\n"
    "END\n"
    "}\n"
    "commit() { git add -A; git commit --quiet -m \"$1\"; git tag \"c$n\"; n=$((n + 1)); }\n"
    "n=1\n"
    "case_file work_case.c work ''\n"
    "case_file other_case.c other ''\n"
    "commit 'first'\n"
    "sed -i '1i /* What is measured. */' work_case.c; commit 'a comment'\n"
    "echo text >README; commit 'a text'\n"
    "echo 'int unrelated(int x) { return x * 3; }' >unrelated.c; commit 'an unrelated function'\n"
    "git rm --quiet other_case.c; case_file renamed_case.c renamed ''\n"
    "git mv unrelated.c elsewhere.c; commit 'a rename'\n"
    "echo 'this is no C' >broken.c; commit 'does not build'\n"
    "git rm --quiet broken.c; commit 'builds again'\n"
    "case_file work_case.c work 'work(value);'; commit 'twice the work'\n"
    "sed -i '1i /* What is measured, once more. */' work_case.c; commit 'another comment'\n"
    "echo 'int more(int x) { return x * 5; }' >>elsewhere.c; commit 'one more function'\n"
    "mkdir include; sed 's/define PAIRBENCH_ABI .*/define PAIRBENCH_ABI 77u/' \\\n"
    "  \"$2/pairbench.h\" >include/pairbench.h; commit 'an ABI of the future'\n"
    "git rm --quiet -r include; commit 'last'\n";

static void run_script(const char *script, const char *first, const char *second)
{
    struct pb_strbuf errors = {0};
    struct pb_child_outcome outcome = {.exit_code = -1};
    struct pb_error err;
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){"sh", "-c", script, "sh", first, second, NULL},
        .deadline_s = 100,
        .errors = &errors,
    };
    if (pb_child_run(&spec, &outcome, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    if (outcome.exit_code != 0) {
        fail_msg("%s", errors.length > 0 ? errors.text : "a script failed");
    }
    pb_strbuf_release(&errors);
}

/* The folder of repository and cache is handed to the tests by the environment. */
static int make_folder(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    static const char *const cleared[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "CFLAGS",
                                          "CMAKE_GENERATOR"};
    for (size_t i = 0; i < sizeof cleared / sizeof cleared[0]; i++) {
        unsetenv(cleared[i]);
    }
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    setenv("GIT_TEMPLATE_DIR", "", 1);
    setenv("PB_TEST_FOLDER", test_folder_make(&arena), 1);
    setenv("PB_TEST_HARNESS", PB_TEST_DATA "/..", 1);
    run_script(make_repository, getenv("PB_TEST_FOLDER"), PB_TEST_DATA "/..");
    pb_arena_release(&arena);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    pb_folder_remove(getenv("PB_TEST_FOLDER"));
    return 0;
}

#define REPOSITORY "$PB_TEST_FOLDER/the repository"
/* Options that every build of the repository needs. */
#define BUILD                                                                                      \
    " --target scripted --cache \"$PB_TEST_FOLDER/cache\" --layouts 1 "                            \
    "--cmake \"-DSCRIPTED_HARNESS=$PB_TEST_HARNESS\" "
/* One launch for each benchmark: nothing is decided by time. */
#define BRIEFLY " --budget 1ms --as-built none "

/* Runs pairbench in a folder, which a shell may have to find. */
#define RUN_IN(cli, folder, arguments)                                                             \
    cli_run_shell((cli), "cd \"" folder "\" && exec \"$0\" " arguments)

/* All that must stay as it is: every file of the user's checkout, git's own included. */
static const char *state_of(struct cli *cli, const char *folder)
{
    cli_run_shell(
        cli,
        pb_arena_printf(&cli->arena,
                        "cd \"%s\" && find . -type f -exec sha256sum {} + | sort && find . | "
                        "sort && git --no-optional-locks status --porcelain && git stash list && "
                        "git worktree list",
                        folder));
    cli_expect(cli, 0);
    return pb_arena_strdup(&cli->arena, cli->out.text);
}

static struct json_object *pair_named(struct cli *cli, const char *name)
{
    struct json_object *pair = cli_find(cli_get(cli->json, "pairs"), "name", name);
    if (pair == NULL) {
        fail_msg("no pair %s in:\n%s", name, cli->out.text);
    }
    return pair;
}

static void two_revisions_are_built_and_compared(void **state)
{
    struct cli *cli = *state;
    const char *before = state_of(cli, REPOSITORY);
    RUN_IN(cli, REPOSITORY, "--format json compare c1 c12 --as-built none" BUILD);
    cli_expect(cli, 3); /* a benchmark is missing: it was renamed */
    cli_expect_err(cli, "building base");
    cli_json(cli, "compare");
    assert_string_equal(cli_text(pair_named(cli, "work/chain/old"), "verdict"), "regressed");
    assert_true(cli_number(pair_named(cli, "work/chain/old"), "change_pct") > 40);
    assert_string_equal(cli_text(pair_named(cli, "other/chain/old"), "verdict"), "missing");
    assert_string_equal(cli_text(pair_named(cli, "renamed/chain/old"), "verdict"), "added");
    assert_string_equal(cli_text(cli->json, "base/subject"), "first");
    assert_string_equal(cli_text(cli->json, "head/name"), "c12");
    assert_int_equal(strlen(cli_text(cli->json, "head/id")), 40);
    assert_string_equal(cli_text(pair_named(cli, "work/chain/old"), "base"),
                        cli_text(cli->json, "base/id"));
    assert_string_equal(state_of(cli, REPOSITORY), before);
    /* The second time nothing is built. */
    RUN_IN(cli, REPOSITORY, "compare c1 c12 --filter 'work/*'" BUILD BRIEFLY);
    cli_expect(cli, 0);
    cli_expect_not(cli, "building");
    cli_expect_out(cli, "base  c1 ");
}

static void comments_texts_and_folders_leave_code_identical(void **state)
{
    struct cli *cli = *state;
    RUN_IN(cli, REPOSITORY, "--format json compare c1 c3" BUILD);
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    assert_true(json_object_get_boolean(cli_get(pair_named(cli, "work/chain/old"), "identical")));
    RUN_IN(cli, REPOSITORY, "--format json compare c3 c4 --filter 'work/*'" BUILD BRIEFLY);
    cli_expect(cli, 0); /* a function more is another object, which is timed */
    cli_json(cli, "compare");
    assert_int_equal(cli_int(pair_named(cli, "work/chain/old"), "launches"), 1);
}

static void a_commit_is_compared_with_itself_in_objects_of_its_own(void **state)
{
    struct cli *cli = *state;
    RUN_IN(cli, REPOSITORY, "--format json compare c1 c1 --time-identical" BUILD BRIEFLY);
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    assert_int_equal(cli_int(pair_named(cli, "work/chain/old"), "launches"), 1);
    assert_string_not_equal(cli_text(cli->json, "base/suite"), cli_text(cli->json, "head/suite"));
}

static void the_working_tree_is_head_with_its_changes(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "git clone --quiet \"" REPOSITORY "\" tree && cd tree && git checkout "
                       "--quiet c7 && sed -i 's/value = work(1);/value = work(1); work(value);/' "
                       "work_case.c && echo new >new.txt");
    cli_expect(cli, 0);
    const char *before = state_of(cli, "tree");
    RUN_IN(cli, "tree", "--format json compare HEAD --as-built none --filter 'work/*'" BUILD);
    cli_expect(cli, 1);
    cli_json(cli, "compare");
    assert_string_equal(cli_text(cli->json, "head/kind"), "working tree");
    assert_true(json_object_get_boolean(cli_get(cli->json, "head/dirty")));
    assert_string_equal(cli_text(cli->json, "head/id"), cli_text(cli->json, "base/id"));
    assert_string_equal(state_of(cli, "tree"), before);
    /* Put back as it was, it is the same program: only what changed is compiled. */
    cli_run_shell(cli, "cd tree && git checkout --quiet work_case.c");
    RUN_IN(cli, "tree", "compare HEAD" BUILD);
    cli_expect(cli, 0);
    cli_expect_out(cli, "identical");
    cli_expect_out(cli, "the working tree at");
    cli_run_shell(cli, "find \"$PB_TEST_FOLDER/cache/copies\" -mindepth 1");
    assert_string_equal(cli->out.text, "");
}

static void what_does_not_build_shows_the_compilers_words(void **state)
{
    struct cli *cli = *state;
    const char *before = state_of(cli, REPOSITORY);
    RUN_IN(cli, REPOSITORY, "compare c5 c6" BUILD);
    cli_expect(cli, 2);
    assert_string_equal(cli->out.text, "");
    cli_expect_err(cli, "broken.c:1:");
    cli_expect_err(cli, "error:");
    cli_expect_err(cli, "(does not build) does not build; all that was printed is in");
    assert_string_equal(state_of(cli, REPOSITORY), before);
    cli_run_shell(cli, "find \"$PB_TEST_FOLDER/cache/work\" -mindepth 1");
    assert_string_equal(cli->out.text, "");
    RUN_IN(cli, REPOSITORY, "compare --bisect c5 c6" BUILD);
    cli_expect(cli, 125);
    RUN_IN(cli, REPOSITORY,
           "compare c5 c7 --target nowhere --cache \"$PB_TEST_FOLDER/cache\" "
           "--cmake \"-DSCRIPTED_HARNESS=$PB_TEST_HARNESS\"");
    cli_expect(cli, 2);
    cli_expect_err(cli, "has no target 'nowhere'");
    RUN_IN(cli, REPOSITORY, "compare c5 c7 --target scripted --cache \"$PB_TEST_FOLDER/cache\"");
    cli_expect(cli, 2);
    cli_expect_err(cli, "can't be configured");
    cli_expect_err(cli, "CMake Error");
}

static void another_abi_is_refused_with_what_can_be_compared(void **state)
{
    struct cli *cli = *state;
    RUN_IN(cli, REPOSITORY, "compare c10 c11" BUILD);
    cli_expect(cli, 4);
    cli_expect_err(cli, "head: suite");
    cli_expect_err(cli, "it was built for ABI 77");
    cli_expect_err(cli, "no revision here has a pairbench.h of ABI");
    /* In a repository that has the header the range is known. */
    cli_run_shell(cli, "git clone --quiet \"" REPOSITORY "\" headers && cd headers && "
                       "git config user.name Test && git config user.email t@example.org && "
                       "mkdir include && cp \"$PB_TEST_HARNESS/pairbench.h\" include && "
                       "git add include && git commit --quiet -m 'the header'");
    cli_expect(cli, 0);
    RUN_IN(cli, "headers", "compare c11 HEAD" BUILD);
    cli_expect(cli, 4);
    cli_expect_err(cli, "revisions from ");
    cli_expect_err(cli, "(the header) on have ABI");
    cli_run_shell(cli, "cd headers && sed -i 's/define PAIRBENCH_ABI .*/define PAIRBENCH_ABI 77u/' "
                       "include/pairbench.h && git commit --quiet -am 'the next ABI'");
    cli_expect(cli, 0);
    RUN_IN(cli, "headers", "compare HEAD~1 HEAD" BUILD);
    cli_expect(cli, 4);
    cli_expect_err(cli, "(the header) on, up to the one before ");
    cli_expect_err(cli, "(the next ABI), have ABI");
}

static void the_merge_base_is_what_a_branch_is_compared_with(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "git clone --quiet \"" REPOSITORY "\" branched && cd branched && "
                       "git config user.name Test && git config user.email t@example.org && "
                       "git checkout --quiet -b feature c7 && echo x >x && git add x && "
                       "git commit --quiet -m 'a feature'");
    cli_expect(cli, 0);
    RUN_IN(cli, "branched", "--format json compare --merge-base main HEAD" BUILD);
    cli_expect(cli, 0);
    cli_json(cli, "compare");
    assert_string_equal(cli_text(cli->json, "base/subject"), "builds again");
    assert_string_equal(cli_text(cli->json, "merge_base/of"), "main");
    assert_int_equal(cli_int(cli->json, "merge_base/behind"), 5);
    assert_int_equal(cli_int(cli->json, "merge_base/ahead"), 1);
    RUN_IN(cli, "branched", "compare --merge-base main HEAD" BUILD);
    cli_expect_out(cli, "merge base of main: 5 commits behind it, 1 commit behind head");
}

static void bisect_names_the_commit_with_its_step(void **state)
{
    struct cli *cli = *state;
    const char *before = state_of(cli, REPOSITORY);
    RUN_IN(cli, REPOSITORY, "--format json bisect c1 c12 --filter 'work/*'" BUILD);
    cli_expect(cli, 1);
    struct json_object *document = cli_json(cli, "bisect");
    assert_string_equal(cli_text(document, "end"), "found");
    assert_string_equal(cli_text(document, "benchmark"), "work/chain/old");
    assert_int_equal(json_object_array_length(cli_get(document, "candidates")), 1);
    assert_string_equal(cli_text(document, "candidates/0/subject"), "twice the work");
    assert_string_equal(cli_text(document, "step/verdict"), "regressed");
    assert_true(cli_number(document, "step/change_pct") > 40);
    assert_true(cli_number(document, "step/lo_pct") > 10);
    assert_true(cli_number(document, "whole/change_pct") > 40);
    struct json_object *steps = cli_get(document, "steps");
    assert_true(json_object_array_length(steps) <= 5);
    assert_string_equal(cli_text(cli_find(steps, "subject", "does not build"), "answer"),
                        "skipped");
    assert_string_equal(state_of(cli, REPOSITORY), before);
}

static void bisect_says_when_only_a_range_can_be_told(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "git clone --quiet \"" REPOSITORY "\" range && cd range && "
                       "git config user.name Test && git config user.email t@example.org && "
                       "git checkout --quiet c6 && git checkout --quiet c8 -- work_case.c && "
                       "git commit --quiet -m 'slower, and still broken' && "
                       "git rm --quiet broken.c && git commit --quiet -m 'mended'");
    cli_expect(cli, 0);
    RUN_IN(cli, "range", "bisect c5 HEAD --filter 'work/*'" BUILD);
    cli_expect(cli, 1);
    cli_expect_out(cli, "first slower: one of 3");
    cli_expect_out(cli, "(does not build)");
    cli_expect_out(cli, "(slower, and still broken)");
    cli_expect_out(cli, "(mended)");
    cli_expect_out(cli, "skipped");
}

static void bisect_without_a_change_says_so(void **state)
{
    struct cli *cli = *state;
    RUN_IN(cli, REPOSITORY, "bisect c1 c3 --filter 'work/*'" BUILD);
    cli_expect(cli, 0);
    cli_expect_out(cli, "no regression");
    static const struct {
        const char *arguments;
        const char *text;
    } rows[] = {
        {"c3 c1 --filter 'work/*'", "is no ancestor of"},
        {"c1 c1 --filter 'work/*'", "are the same commit"},
        {"c1 c3", "--filter GLOB is missing"},
        {"c1 --filter 'work/*'", "two revisions are wanted"},
        {"c1 nowhere --filter 'work/*'", "there is no revision 'nowhere' here"},
        {"c1 c3 --filter 'wrok/*'", "no benchmark matches 'wrok/*'"},
        {"c1 c5 --filter 'other/*'", "other/chain/old can't be compared: missing"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cli_run_shell(cli, pb_arena_printf(&cli->arena,
                                           "cd \"" REPOSITORY "\" && exec \"$0\" bisect %s" BUILD,
                                           rows[i].arguments));
        cli_expect(cli, 2);
        cli_expect_err(cli, rows[i].text);
    }
}

static void where_there_is_nothing_to_compare_it_says_what_would_do(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "git clone --quiet --depth 1 \"file://" REPOSITORY "\" shallow && "
                       "git clone --quiet --bare \"" REPOSITORY "\" bare.git && mkdir bin none");
    cli_expect(cli, 0);
    RUN_IN(cli, "shallow", "compare HEAD~1" BUILD);
    cli_expect(cli, 2);
    cli_expect_err(cli, "this is a shallow clone, `git fetch --unshallow`");
    RUN_IN(cli, "shallow", "compare c12" BUILD BRIEFLY); /* what is there can be compared */
    cli_expect(cli, 0);
    RUN_IN(cli, "bare.git", "compare c1" BUILD);
    cli_expect(cli, 2);
    cli_expect_err(cli, "there is no working tree here: name two revisions");
    RUN_IN(cli, "bare.git", "compare c1 c3" BUILD);
    cli_expect(cli, 0);
    cli_run_shell(cli, "cd none && GIT_CEILING_DIRECTORIES=/ exec \"$0\" compare main");
    cli_expect(cli, 2);
    cli_expect_err(cli, "there is no git repository here: revisions can't be compared");
    cli_run_shell(cli, "cd \"" REPOSITORY "\" && PATH=\"$OLDPWD/bin\" exec \"$0\" compare c1");
    cli_expect(cli, 2);
    cli_expect_err(cli, "git is not installed");
    RUN_IN(cli, REPOSITORY, "compare c1 nowhere" BUILD);
    cli_expect(cli, 2);
    cli_expect_err(cli, "there is no revision 'nowhere' here");
}

/* A detached HEAD in a linked worktree, and a checkout that is a submodule of another. */
static void other_kinds_of_checkouts_are_as_good(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "git clone --quiet \"" REPOSITORY "\" whole && cd whole && "
                       "git worktree add --quiet --detach ../linked c3 && cd .. && "
                       "git init --quiet super && cd super && "
                       "git -c protocol.file.allow=always submodule --quiet add "
                       "\"" REPOSITORY "\" 'sub module'");
    cli_expect(cli, 0);
    const char *before = state_of(cli, "linked");
    RUN_IN(cli, "linked", "compare c1" BUILD);
    cli_expect(cli, 0);
    cli_expect_out(cli, "the working tree at");
    cli_expect_out(cli, "identical");
    assert_string_equal(state_of(cli, "linked"), before);
    RUN_IN(cli, "super/sub module", "compare c1 c3" BUILD);
    cli_expect(cli, 0);
    cli_expect_out(cli, "identical");
}

/* Starts a comparison whose builds hang, in a cache of the test's own, and waits until they do. */
static pid_t start_hanging(struct cli *cli)
{
    const char *mark = cli_path(cli, "mark");
    const char *script = pb_arena_printf(
        &cli->arena,
        "cd \"" REPOSITORY "\" && exec \"$0\" compare c1 c2 --target scripted --cache "
        "'%s/cache' --cmake \"-DSCRIPTED_HARNESS=$PB_TEST_HARNESS\" --cmake '-DSCRIPTED_MARK=%s'",
        cli->folder, mark);
    const pid_t pid =
        cli_start(cli, (const char *const[]){"sh", "-c", script, PB_TEST_PROGRAM, NULL});
    cli_await_file(mark);
    return pid;
}

static void an_interrupted_build_leaves_nothing(void **state)
{
    struct cli *cli = *state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const char *before = state_of(cli, REPOSITORY);
    signal(SIGHUP, SIG_DFL); /* the tests may run under nohup */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        const pid_t pid = start_hanging(cli);
        kill(pid, signals[i]);
        if (signals[i] == SIGHUP) {
            kill(pid, SIGHUP); /* the shell in a closed terminal repeats it */
        }
        cli_finish(cli, pid);
        assert_int_equal(cli->signal, signals[i]);
        assert_string_equal(cli->out.text, "");
        cli_expect_err(cli, "interrupted; nothing was measured");
        assert_string_equal(state_of(cli, REPOSITORY), before);
        cli_run_shell(cli, "rm mark && find cache/work cache/builds cache/copies -mindepth 1");
        assert_string_equal(cli->out.text, "");
    }
}

static void a_killed_build_is_cleared_away_by_the_next(void **state)
{
    struct cli *cli = *state;
    const char *before = state_of(cli, REPOSITORY);
    const pid_t pid = start_hanging(cli);
    kill(pid, SIGKILL);
    cli_finish(cli, pid);
    cli_run_shell(cli, "find cache/work -mindepth 1 -maxdepth 1");
    assert_string_not_equal(cli->out.text, "");
    cli_run_shell(cli, pb_arena_printf(&cli->arena,
                                       "cd \"" REPOSITORY "\" && exec \"$0\" compare c1 c1 "
                                       "--target nothing --cache '%s/cache' --cmake "
                                       "\"-DSCRIPTED_HARNESS=$PB_TEST_HARNESS\"",
                                       cli->folder));
    cli_expect(cli, 2);
    cli_expect_err(cli, "has no target 'nothing'");
    cli_run_shell(cli, "find cache/work -mindepth 1");
    assert_string_equal(cli->out.text, "");
    assert_string_equal(state_of(cli, REPOSITORY), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(two_revisions_are_built_and_compared),
        CLI_TEST(comments_texts_and_folders_leave_code_identical),
        CLI_TEST(a_commit_is_compared_with_itself_in_objects_of_its_own),
        CLI_TEST(the_working_tree_is_head_with_its_changes),
        CLI_TEST(what_does_not_build_shows_the_compilers_words),
        CLI_TEST(another_abi_is_refused_with_what_can_be_compared),
        CLI_TEST(the_merge_base_is_what_a_branch_is_compared_with),
        CLI_TEST(bisect_names_the_commit_with_its_step),
        CLI_TEST(bisect_says_when_only_a_range_can_be_told),
        CLI_TEST(bisect_without_a_change_says_so),
        CLI_TEST(where_there_is_nothing_to_compare_it_says_what_would_do),
        CLI_TEST(other_kinds_of_checkouts_are_as_good),
        CLI_TEST(an_interrupted_build_leaves_nothing),
        CLI_TEST(a_killed_build_is_cleared_away_by_the_next),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
