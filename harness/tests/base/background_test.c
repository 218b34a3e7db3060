/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs in the background: what they print, how they end, and that nothing of them is left.
 */
#include "base/background.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/folder_remove.h"
#include "test_folder.h"

enum { NAPS_MAX = 30000 };

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static struct pb_background start(struct test_scratch *scratch, const char *script)
{
    struct pb_background background;
    const char *const argv[] = {"sh", "-c", script, NULL};
    const struct pb_background_spec spec = {
        .argv = argv, .directory = scratch->folder, .log_path = scratch->path};
    if (pb_background_start(&spec, &background, &scratch->err) != PB_OK) {
        fail_msg("%s", scratch->err.message);
    }
    return background;
}

static void await(struct pb_background *background)
{
    for (int i = 0; !pb_background_ended(background); i++) {
        assert_true(i < NAPS_MAX);
        nap();
    }
}

static void what_it_prints_is_appended_to_the_log(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_background background = start(scratch, "pwd; echo wrong >&2; cat; exit 7");
    await(&background);
    assert_int_equal(background.exit_code, 7);
    background = start(scratch, "echo more");
    await(&background);
    assert_int_equal(background.exit_code, 0);
    struct pb_strbuf log = {0};
    test_file_read(scratch->path, &log);
    assert_non_null(strstr(log.text, scratch->folder));
    assert_non_null(strstr(log.text, "wrong\nmore\n"));
    pb_strbuf_release(&log);
}

static void several_run_at_once(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_background first = start(scratch, "mkfifo one 2>&-; read line <one; exit 3");
    struct pb_background second =
        start(scratch, "while ! [ -p one ]; do :; done; echo go >one; exit 4");
    await(&first); /* it needs the other one */
    await(&second);
    assert_int_equal(first.exit_code, 3);
    assert_int_equal(second.exit_code, 4);
}

static void stopping_it_ends_all_that_it_started(void **state)
{
    struct test_scratch *scratch = *state;
    int held[2]; /* by all that is started; at its end all of them are gone */
    assert_int_equal(pipe(held), 0);
    fcntl(held[0], F_SETFD, FD_CLOEXEC);
    struct pb_background background = start(scratch, "(sleep 1000; true) & : >ready; wait");
    close(held[1]);
    while (access(test_scratch_path(scratch, "ready"), F_OK) != 0) {
        nap();
    }
    assert_false(pb_background_ended(&background));
    pb_background_stop(&background);
    assert_int_equal(background.exit_code, -1);
    assert_true(pb_background_ended(&background));
    char byte;
    assert_int_equal(read(held[0], &byte, 1), 0);
    close(held[0]);
    pb_background_stop(&background);
}

/* A process that starts one in the background and is killed. */
static void when_its_starter_dies_nothing_is_left(void **state)
{
    struct test_scratch *scratch = *state;
    int held[2];
    assert_int_equal(pipe(held), 0);
    const pid_t starter = fork();
    if (starter == 0) {
        close(held[0]);
        const struct pb_background background = start(scratch, "(sleep 1000; true) & wait");
        raise(background.pid > 0 ? SIGKILL : SIGABRT);
    }
    close(held[1]);
    int status = 0;
    assert_int_equal(waitpid(starter, &status, 0), starter);
    assert_int_equal(WTERMSIG(status), SIGKILL);
    char byte;
    assert_int_equal(read(held[0], &byte, 1), 0);
    close(held[0]);
}

static void what_can_not_be_started_is_an_error(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_background background;
    const char *const argv[] = {"no-such-program-anywhere", NULL};
    struct pb_background_spec spec = {.argv = argv, .log_path = scratch->path};
    assert_int_equal(pb_background_start(&spec, &background, &scratch->err), PB_ERR_NOT_FOUND);
    assert_non_null(strstr(scratch->err.message, "no-such-program-anywhere"));
    const char *const here[] = {"true", NULL};
    spec = (struct pb_background_spec){
        .argv = here, .directory = "/no/such", .log_path = scratch->path};
    assert_int_equal(pb_background_start(&spec, &background, &scratch->err), PB_ERR_CHILD);
    assert_non_null(strstr(scratch->err.message, "/no/such"));
    spec.log_path = test_scratch_path(scratch, "no/folder/log");
    assert_int_equal(pb_background_start(&spec, &background, &scratch->err), PB_ERR_IO);
}

static void a_folder_is_removed_with_what_can_not_be_written(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_background background = start(
        scratch, "mkdir -p tree/a/b kept && : >tree/a/b/x && : >kept/x && ln -s ../kept tree/link "
                 "&& chmod 500 tree/a/b tree/a");
    await(&background);
    assert_int_equal(background.exit_code, 0);
    struct stat there;
    pb_folder_remove(test_scratch_path(scratch, "tree"));
    assert_int_not_equal(stat(test_scratch_path(scratch, "tree"), &there), 0);
    assert_int_equal(stat(test_scratch_path(scratch, "kept/x"), &there), 0);
    pb_folder_remove(test_scratch_path(scratch, "tree"));
    pb_folder_remove(test_scratch_path(scratch, "kept"));
}

#define SCRATCH_TEST(name)                                                                         \
    cmocka_unit_test_setup_teardown(name, test_scratch_set_up, test_scratch_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCRATCH_TEST(what_it_prints_is_appended_to_the_log),
        SCRATCH_TEST(several_run_at_once),
        SCRATCH_TEST(stopping_it_ends_all_that_it_started),
        SCRATCH_TEST(when_its_starter_dies_nothing_is_left),
        SCRATCH_TEST(what_can_not_be_started_is_an_error),
        SCRATCH_TEST(a_folder_is_removed_with_what_can_not_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
