/* SPDX-License-Identifier: Apache-2.0
 *
 * Running the real program, and looking at what it printed.
 *
 * Every test has a folder of its own, in which the program runs; the database is there, too.
 */
#ifndef PB_TESTS_CLI_H
#define PB_TESTS_CLI_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/record.h"
#include "base/strbuf.h"

/* Paths of suites for tests. */
#define CLI_SUITE(name) PB_TEST_SUITES "/" name ".so"
#define CLI_PLAIN       CLI_SUITE("plain")

struct cli {
    struct pb_arena arena;
    char *folder; /* without a '/' at its end */
    char *db;     /* pairbench.db in it, not made yet */
    struct pb_strbuf out;
    struct pb_strbuf err;
    int exit_code; /* -1 when a signal ended it */
    int signal;
    struct json_object *json; /* the last document, see cli_json() */
    const char *text_of_run;  /* for a group of tests that share one run */
};

/* Set-up and tear-down of a cmocka test; *state is a struct cli then. */
int cli_set_up(void **state);
int cli_tear_down(void **state);

#define CLI_TEST(name) cmocka_unit_test_setup_teardown(name, cli_set_up, cli_tear_down)

/* A path in the test's folder. */
const char *cli_path(struct cli *cli, const char *name);

/* Runs a program to its end; argv ends in NULL. */
void cli_run_argv(struct cli *cli, const char *const *argv);

/* Runs `pairbench ARGUMENTS…`. */
#define cli_run(cli, ...)                                                                          \
    cli_run_argv((cli), (const char *const[]){PB_TEST_PROGRAM, __VA_ARGS__, NULL})

/* Runs a shell script, in which "$0" is pairbench. */
void cli_run_shell(struct cli *cli, const char *script);

/* Fails the test, with all that was printed, unless the last program exited with this code. */
void cli_expect(struct cli *cli, int exit_code);

/* Fails the test unless stdout or stderr of the last program has, or has not, this text. */
void cli_expect_out(struct cli *cli, const char *text);
void cli_expect_err(struct cli *cli, const char *text);
void cli_expect_not(struct cli *cli, const char *text);

/* Fails the test unless stdout is empty and stderr a line `pairbench: …` with this text. */
void cli_expect_refusal(struct cli *cli, int exit_code, const char *text);

/*
 * Reads stdout as one strict JSON document of schema pairbench/1 and of this command; fails the
 * test when it is anything else. Kept until the next call or the end of the test.
 */
struct json_object *cli_json(struct cli *cli, const char *command);

/* Follows a path such as `run/commit/id` or `pairs/0/a`; fails the test when it isn't there. */
struct json_object *cli_get(struct json_object *object, const char *path);
const char *cli_text(struct json_object *object, const char *path);
int64_t cli_int(struct json_object *object, const char *path);
double cli_number(struct json_object *object, const char *path);
bool cli_is_null(struct json_object *object, const char *path);

/* The item of an array whose member key has this value; NULL when there is none. */
struct json_object *cli_find(struct json_object *array, const char *key, const char *value);

/* How many items of an array have this value for key; value NULL counts all. */
size_t cli_count(struct json_object *array, const char *key, const char *value);

/*
 * Starts a program and does not wait for it; its output goes to files.
 * returns: its process id
 */
pid_t cli_start(struct cli *cli, const char *const *argv);

/* Waits for a started program and reads its output. */
void cli_finish(struct cli *cli, pid_t pid);

/* Waits until a file exists; fails the test when that takes absurdly long. */
void cli_await_file(const char *path);

/* How many runs the test's database holds. */
size_t cli_n_runs(struct cli *cli);

/* Stores a run in the test's database, or in another. */
void cli_store(struct cli *cli, const struct pb_run_record *run);
void cli_store_in(const char *db, const struct pb_run_record *run);

/* Reads a file whole; in the arena. Fails the test when there is none. */
const char *cli_read(struct cli *cli, const char *path);

#endif
