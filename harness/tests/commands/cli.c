/* SPDX-License-Identifier: Apache-2.0
 *
 * Deadlines here end tests that hang; none of them is ever met by a program that works.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <json-c/json_visit.h>

#include "base/child.h"
#include "store/store.h"
#include "test_folder.h"

#define PATIENCE_S 100.0

int cli_set_up(void **state)
{
    struct cli *cli = calloc(1, sizeof *cli);
    if (cli == NULL) {
        return -1;
    }
    cli->folder = test_folder_make(&cli->arena);
    cli->db = pb_arena_printf(&cli->arena, "%s/pairbench.db", cli->folder);
    pb_strbuf_init(&cli->out);
    pb_strbuf_init(&cli->err);
    *state = cli;
    return 0;
}

static int remove_entry(const char *path, const struct stat *file, int type, struct FTW *where)
{
    (void)file;
    (void)type;
    (void)where;
    return remove(path);
}

int cli_tear_down(void **state)
{
    struct cli *cli = *state;
    nftw(cli->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    json_object_put(cli->json);
    pb_strbuf_release(&cli->out);
    pb_strbuf_release(&cli->err);
    pb_arena_release(&cli->arena);
    free(cli);
    return 0;
}

const char *cli_path(struct cli *cli, const char *name)
{
    return pb_arena_printf(&cli->arena, "%s/%s", cli->folder, name);
}

void cli_run_argv(struct cli *cli, const char *const *argv)
{
    pb_strbuf_reset(&cli->out);
    pb_strbuf_reset(&cli->err);
    const struct pb_child_spec spec = {
        .argv = argv,
        .directory = cli->folder,
        .deadline_s = PATIENCE_S,
        .output = &cli->out,
        .errors = &cli->err,
    };
    struct pb_child_outcome outcome;
    struct pb_error err;
    if (pb_child_run(&spec, &outcome, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    if (outcome.timed_out) {
        fail_msg("%s %s took too long", argv[0], argv[1] != NULL ? argv[1] : "");
    }
    cli->exit_code = outcome.exit_code;
    cli->signal = outcome.signal;
}

void cli_run_shell(struct cli *cli, const char *script)
{
    cli_run_argv(cli, (const char *const[]){"sh", "-c", script, PB_TEST_PROGRAM, NULL});
}

void cli_expect(struct cli *cli, int exit_code)
{
    if (cli->exit_code != exit_code) {
        fail_msg("exit code %d (signal %d) instead of %d\nstdout: %s\nstderr: %s", cli->exit_code,
                 cli->signal, exit_code, cli->out.text, cli->err.text);
    }
}

void cli_expect_out(struct cli *cli, const char *text)
{
    if (strstr(cli->out.text, text) == NULL) {
        fail_msg("no \"%s\" on stdout:\n%s", text, cli->out.text);
    }
}

void cli_expect_err(struct cli *cli, const char *text)
{
    if (strstr(cli->err.text, text) == NULL) {
        fail_msg("no \"%s\" on stderr:\n%s", text, cli->err.text);
    }
}

void cli_expect_not(struct cli *cli, const char *text)
{
    if (strstr(cli->out.text, text) != NULL || strstr(cli->err.text, text) != NULL) {
        fail_msg("\"%s\" was printed:\n%s\n%s", text, cli->out.text, cli->err.text);
    }
}

void cli_expect_refusal(struct cli *cli, int exit_code, const char *text)
{
    cli_expect(cli, exit_code);
    cli_expect_err(cli, text);
    assert_string_equal(cli->out.text, "");
    assert_int_equal(strncmp(cli->err.text, "pairbench: ", 11), 0);
    assert_int_equal(cli->err.text[cli->err.length - 1], '\n');
}

/* Strict JSON has no NaN and no Infinity, whatever a lenient reader makes of them. */
static int refuse_odd_numbers(struct json_object *object, int flags, struct json_object *parent,
                              const char *key,
                              size_t *index, /* NOLINT(readability-non-const-parameter) */
                              void *context)
{
    (void)flags;
    (void)parent;
    (void)index;
    (void)context;
    if (json_object_is_type(object, json_type_double) &&
        !isfinite(json_object_get_double(object))) {
        fail_msg("%s is no number of JSON", key != NULL ? key : "an item");
    }
    return JSON_C_VISIT_RETURN_CONTINUE;
}

struct json_object *cli_json(struct cli *cli, const char *command)
{
    struct json_tokener *tokener = json_tokener_new();
    assert_non_null(tokener);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *parsed =
        json_tokener_parse_ex(tokener, cli->out.text, (int)cli->out.length);
    const size_t end = json_tokener_get_parse_end(tokener);
    const enum json_tokener_error problem = json_tokener_get_error(tokener);
    json_tokener_free(tokener);
    if (problem != json_tokener_success ||
        strspn(cli->out.text + end, "\n") != cli->out.length - end) {
        fail_msg("%s at byte %zu of:\n%s", json_tokener_error_desc(problem), end, cli->out.text);
    }
    json_object_put(cli->json);
    cli->json = parsed;
    json_c_visit(parsed, 0, refuse_odd_numbers, NULL);
    assert_string_equal(cli_text(parsed, "schema"), "pairbench/1");
    assert_string_equal(cli_text(parsed, "command"), command);
    return parsed;
}

struct json_object *cli_get(struct json_object *object, const char *path)
{
    char part[128];
    const char *at = path;
    while (*at != '\0') {
        const size_t n = strcspn(at, "/");
        assert_true(n < sizeof part);
        memcpy(part, at, n);
        part[n] = '\0';
        struct json_object *next = NULL;
        if (json_object_is_type(object, json_type_array)) {
            next = json_object_array_get_idx(object, (size_t)strtoul(part, NULL, 10));
        } else if (!json_object_object_get_ex(object, part, &next)) {
            fail_msg("no %s (%s) in %s", path, part, json_object_to_json_string(object));
        }
        object = next;
        at += at[n] == '/' ? n + 1 : n;
    }
    return object;
}

const char *cli_text(struct json_object *object, const char *path)
{
    struct json_object *found = cli_get(object, path);
    if (!json_object_is_type(found, json_type_string)) {
        fail_msg("%s is no text in %s", path, json_object_to_json_string(object));
    }
    return json_object_get_string(found);
}

int64_t cli_int(struct json_object *object, const char *path)
{
    struct json_object *found = cli_get(object, path);
    assert_true(json_object_is_type(found, json_type_int));
    return json_object_get_int64(found);
}

double cli_number(struct json_object *object, const char *path)
{
    struct json_object *found = cli_get(object, path);
    assert_true(json_object_is_type(found, json_type_double) ||
                json_object_is_type(found, json_type_int));
    return json_object_get_double(found);
}

bool cli_is_null(struct json_object *object, const char *path)
{
    return cli_get(object, path) == NULL;
}

struct json_object *cli_find(struct json_object *array, const char *key, const char *value)
{
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        struct json_object *item = json_object_array_get_idx(array, i);
        if (strcmp(cli_text(item, key), value) == 0) {
            return item;
        }
    }
    return NULL;
}

size_t cli_count(struct json_object *array, const char *key, const char *value)
{
    size_t n = 0;
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        struct json_object *item = json_object_array_get_idx(array, i);
        n += value == NULL || strcmp(cli_text(item, key), value) == 0;
    }
    return n;
}

/* Files that a started program writes to; one name for each process, so that several can run. */
static const char *output_path(struct cli *cli, pid_t pid, const char *which)
{
    return pb_arena_printf(&cli->arena, "%s/%ld.%s", cli->folder, (long)pid, which);
}

static int redirect(const char *path, int fd)
{
    const int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return opened < 0 ? -1 : dup2(opened, fd);
}

pid_t cli_start(struct cli *cli, const char *const *argv)
{
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (null >= 0 && dup2(null, 0) == 0 && chdir(cli->folder) == 0 &&
            redirect(output_path(cli, getpid(), "out"), 1) == 1 &&
            redirect(output_path(cli, getpid(), "err"), 2) == 2) {
            execvp(argv[0], (char *const *)argv);
        }
        _exit(126);
    }
    assert_true(pid > 0);
    return pid;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_finish(struct cli *cli, pid_t pid)
{
    int status = 0;
    const double begun_s = now_s();
    pid_t done;
    while ((done = waitpid(pid, &status, WNOHANG)) == 0 && now_s() - begun_s < PATIENCE_S) {
        nap();
    }
    if (done != pid) {
        kill(pid, SIGKILL);
        fail_msg("a started program took too long");
    }
    cli->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    cli->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    pb_strbuf_reset(&cli->out);
    pb_strbuf_reset(&cli->err);
    test_file_read(output_path(cli, pid, "out"), &cli->out);
    test_file_read(output_path(cli, pid, "err"), &cli->err);
}

void cli_await_file(const char *path)
{
    const double begun_s = now_s();
    while (access(path, F_OK) != 0) {
        if (now_s() - begun_s > PATIENCE_S) {
            fail_msg("%s was never made", path);
        }
        nap();
    }
}

size_t cli_n_runs(struct cli *cli)
{
    struct pb_store *store = NULL;
    struct pb_error err;
    size_t n = 0;
    if (pb_store_open(cli->db, PB_STORE_READ, &store, &err) != PB_OK ||
        pb_store_count_runs(store, &n, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    pb_store_close(store);
    return n;
}

void cli_store(struct cli *cli, const struct pb_run_record *run)
{
    cli_store_in(cli->db, run);
}

void cli_store_in(const char *db, const struct pb_run_record *run)
{
    struct pb_store *store = NULL;
    struct pb_error err;
    if (pb_store_open(db, PB_STORE_WRITE, &store, &err) != PB_OK ||
        pb_store_save_run(store, run, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    pb_store_close(store);
}

const char *cli_read(struct cli *cli, const char *path)
{
    struct pb_strbuf content = {0};
    test_file_read(path, &content);
    const char *copy = pb_arena_memdup(&cli->arena, content.text, content.length);
    pb_strbuf_release(&content);
    return copy;
}
