/* SPDX-License-Identifier: Apache-2.0
 *
 * One worker at a time: how it ended, where, and what it left behind.
 */
#include "measure/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/child.h"
#include "measure/catalog.h"

/* Never met by a launch that ends. */
#define PATIENCE_S 60.0

enum { OLD, NEW, BYSTANDER };

/* A launcher with the scenarios of new's bad deeds. */
struct bench {
    struct pb_arena arena;
    struct pb_catalog catalog;
    struct pb_launch *launch;
    struct pb_launch_region *region;
    struct pb_launch_outcome outcome;
    struct pb_error err;
};

static int set_up(void **state)
{
    static struct bench bench;
    static const char *const paths[] = {PB_TEST_SUITES "/hostile.so"};
    bench = (struct bench){0};
    assert_int_equal(
        pb_catalog_load(PB_TEST_WORKER, paths, 1, &bench.arena, &bench.catalog, &bench.err), PB_OK);
    assert_int_equal(pb_launch_new(PB_TEST_WORKER, &bench.launch, &bench.err), PB_OK);
    bench.region = pb_launch_region(bench.launch);
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    pb_launch_free(bench->launch);
    pb_arena_release(&bench->arena);
    return 0;
}

/* Asks for old, new and bystander of a deed. */
static void request(struct bench *bench, enum pb_task task, const char *deed)
{
    const struct pb_catalog_case *its_case = &bench->catalog.cases[0];
    assert_string_equal(its_case->name, "hostile/new_does_it");
    uint32_t scenario = 0;
    while (strcmp(its_case->scenarios[scenario].name, deed) != 0) {
        scenario++;
        assert_true(scenario < its_case->n_scenarios);
    }
    struct pb_launch_request *made = &bench->region->request;
    *made = (struct pb_launch_request){
        .seed = 1,
        .task = task,
        .n_suites = 1,
        .n_sides = 3,
        .n_instances = 1,
        .rounds = 2,
        .warm_slices = 1,
        .timed_slices = 3,
        .slice_ns = 50e3,
        .has_reference = 1,
        .reference = "old",
    };
    snprintf(made->suites[0], sizeof made->suites[0], "%s", bench->catalog.suites[0].path);
    for (uint32_t i = 0; i < 3; i++) {
        made->sides[i] = (struct pb_side_request){
            .case_index = its_case->index,
            .scenario = scenario,
            .variant = i,
            .iterations = 1000,
            .executed = 1000,
        };
    }
}

static void run_within(struct bench *bench, double deadline_s)
{
    const enum pb_code code =
        pb_launch_run(bench->launch, NULL, deadline_s, &bench->outcome, &bench->err);
    if (code != PB_OK) {
        fail_msg("%s", bench->err.message);
    }
}

static void run(struct bench *bench)
{
    run_within(bench, PATIENCE_S);
}

static void a_worker_goes_through_its_task(void **state)
{
    struct bench *bench = *state;
    static const enum pb_task tasks[] = {PB_TASK_VERIFY, PB_TASK_COUNT, PB_TASK_CALIBRATE,
                                         PB_TASK_TIME};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        request(bench, tasks[i], "behaves");
        run(bench);
        assert_int_equal(bench->outcome.end, PB_END_DONE);
        assert_string_equal(bench->outcome.reason, "");
        for (int k = 0; k < 3; k++) {
            assert_int_equal(bench->region->results[k].state, PB_STATE_OK);
            assert_int_equal(bench->region->results[k].done, 1);
        }
    }
}

static void verification_tells_how_long_the_output_is(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_VERIFY, "behaves");
    run(bench);
    assert_int_equal(bench->region->results[NEW].output_bytes, 64);
}

static void counting_gives_numbers(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_COUNT, "behaves");
    run(bench);
    const struct pb_side_result *result = &bench->region->results[OLD];
    assert_int_equal(result->n_counts, 1 + bench->region->counts_syscalls);
    assert_string_equal(result->counts[0].name, "bytes");
    assert_int_equal(result->counts[0].value, 64);
}

static void timing_gives_a_sample_for_every_slice(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_TIME, "behaves");
    run(bench);
    for (int k = 0; k < 3; k++) {
        const struct pb_side_result *result = &bench->region->results[k];
        assert_int_equal(result->n_samples, 2 * 3);
        for (int i = 0; i < 2 * 3; i++) {
            assert_true(result->real_ns[i] > 0);
            assert_true(result->cpu_ns[i] >= 0);
        }
    }
    assert_true(bench->region->timed_s > 0);
    assert_true(bench->region->first_ns > bench->region->request.started_ns);
}

static void how_and_where_it_ended_is_told(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *deed;
        enum pb_launch_end end;
        int status;
        enum pb_phase phase;
        const char *reason;
    } rows[] = {
        {"aborts_in_setup", PB_END_DIED, SIGABRT, PB_PHASE_SETUP, "in setup"},
        {"aborts_in_open", PB_END_DIED, SIGABRT, PB_PHASE_OPEN, "in open"},
        {"aborts_in_output", PB_END_DIED, SIGABRT, PB_PHASE_OUTPUT, "in output"},
        {"aborts_in_close", PB_END_DIED, SIGABRT, PB_PHASE_CLOSE, "in close"},
        {"aborts_in_teardown", PB_END_DIED, SIGABRT, PB_PHASE_TEARDOWN, "in teardown"},
        {"terminates", PB_END_DIED, SIGTERM, PB_PHASE_RUN, "signal 15 (Terminated) in run"},
        {"exits_at_once", PB_END_EXITED, 0, PB_PHASE_RUN, "exited with code 0 in run"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        request(bench, PB_TASK_VERIFY, rows[i].deed);
        run(bench);
        assert_int_equal(bench->outcome.end, rows[i].end);
        assert_int_equal(bench->outcome.status, rows[i].status);
        assert_int_equal(bench->outcome.phase, rows[i].phase);
        assert_int_equal(bench->outcome.side, NEW);
        assert_non_null(strstr(bench->outcome.reason, rows[i].reason));
    }
}

static void a_worker_that_hangs_is_killed_at_its_deadline(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_VERIFY, "hangs");
    run_within(bench, 0.25);
    assert_int_equal(bench->outcome.end, PB_END_HUNG);
    assert_int_equal(bench->outcome.side, NEW);
    assert_string_equal(bench->outcome.reason, "hung: killed after 0.25 s in run");
}

static void the_last_words_on_stderr_are_the_reason(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_VERIFY, "frees_twice");
    run(bench);
    assert_true(bench->outcome.end == PB_END_DIED || bench->outcome.end == PB_END_EXITED);
    assert_non_null(strstr(bench->outcome.reason, "double")); /* glibc's words or a sanitizer's */
}

static void one_launch_knows_nothing_of_the_one_before(void **state)
{
    struct bench *bench = *state;
    static const char *const deeds[] = {"fails",       "exits_at_once", "prints",
                                        "frees_twice", "scribbles",     "counts_twice"};
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        request(bench, PB_TASK_COUNT, deeds[i]);
        run(bench);
        request(bench, PB_TASK_VERIFY, "behaves");
        run(bench);
        assert_int_equal(bench->outcome.end, PB_END_DONE);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(bench->region->results[k].state, PB_STATE_OK);
            assert_string_equal(bench->region->results[k].reason, "");
            assert_int_equal(bench->region->results[k].n_counts, 0);
        }
    }
}

static void a_region_that_was_written_over_is_not_believed(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_VERIFY, "scribbles");
    run(bench);
    assert_int_equal(bench->outcome.end, PB_END_SPOILED);
    assert_true(bench->outcome.side < 3);
    assert_int_equal(bench->region->request.n_sides, 3);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(bench->region->results[k].n_counts, 0);
    }
}

static void a_region_can_not_be_made_shorter(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_VERIFY, "makes_the_region_shorter");
    run(bench);
    assert_int_equal(bench->outcome.end, PB_END_DONE);
    assert_int_equal(bench->region->results[NEW].state, PB_STATE_OK);
}

static void what_a_worker_started_ends_with_it(void **state)
{
    struct bench *bench = *state;
    int held[2];
    assert_int_equal(pipe(held), 0);
    fcntl(held[0], F_SETFD, FD_CLOEXEC);
    request(bench, PB_TASK_VERIFY, "leaves_a_child");
    run(bench);
    assert_int_equal(bench->outcome.end, PB_END_DONE);
    close(held[1]);
    struct pollfd polled = {.fd = held[0], .events = POLLIN};
    assert_int_equal(poll(&polled, 1, (int)(1000 * PATIENCE_S)), 1);
    char byte;
    assert_int_equal(read(held[0], &byte, 1), 0); /* nobody holds the other end any more */
    close(held[0]);
}

static void what_can_not_be_loaded_is_refused(void **state)
{
    struct bench *bench = *state;
    request(bench, PB_TASK_VERIFY, "behaves");
    snprintf(bench->region->request.suites[0], PATH_MAX, "/no/such\x1b[31m/suite.so");
    run(bench);
    assert_int_equal(bench->outcome.end, PB_END_REFUSED);
    assert_non_null(strstr(bench->outcome.reason, "/no/such\\x1b[31m/suite.so"));
    request(bench, PB_TASK_VERIFY, "behaves");
    bench->region->request.sides[1].scenario = 1000;
    run(bench);
    assert_int_equal(bench->outcome.end, PB_END_REFUSED);
    assert_non_null(strstr(bench->outcome.reason, "has changed"));
}

static void a_worker_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct pb_launch *launch = NULL;
    struct pb_launch_outcome outcome;
    struct pb_error err;
    assert_int_equal(pb_launch_new("/no/such/worker", &launch, &err), PB_OK);
    assert_int_equal(pb_launch_run(launch, NULL, 1, &outcome, &err), PB_ERR_CHILD);
    assert_non_null(strstr(err.message, "/no/such/worker"));
    pb_launch_free(launch);
    pb_launch_free(NULL);
}

static void an_absurd_environment_is_an_error(void **state)
{
    struct bench *bench = *state;
    char name[32];
    for (int i = 0; i < 4200; i++) {
        snprintf(name, sizeof name, "PB_TEST_MANY_%d", i);
        setenv(name, "x", 1);
    }
    request(bench, PB_TASK_VERIFY, "behaves");
    const enum pb_code code =
        pb_launch_run(bench->launch, NULL, PATIENCE_S, &bench->outcome, &bench->err);
    for (int i = 0; i < 4200; i++) {
        snprintf(name, sizeof name, "PB_TEST_MANY_%d", i);
        unsetenv(name);
    }
    assert_int_equal(code, PB_ERR_LIMIT);
    assert_non_null(strstr(bench->err.message, "environment"));
}

static void a_worker_is_of_no_use_by_itself(void **state)
{
    (void)state;
    struct pb_strbuf errors = {0};
    struct pb_child_outcome outcome;
    struct pb_error err;
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){PB_TEST_WORKER, NULL},
        .deadline_s = PATIENCE_S,
        .errors = &errors,
    };
    assert_int_equal(pb_child_run(&spec, &outcome, &err), PB_OK);
    assert_int_equal(outcome.exit_code, 3);
    assert_non_null(strstr(errors.text, "started by pairbench only"));
    pb_strbuf_release(&errors);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_worker_goes_through_its_task),
        TEST(verification_tells_how_long_the_output_is),
        TEST(counting_gives_numbers),
        TEST(timing_gives_a_sample_for_every_slice),
        TEST(how_and_where_it_ended_is_told),
        TEST(a_worker_that_hangs_is_killed_at_its_deadline),
        TEST(the_last_words_on_stderr_are_the_reason),
        TEST(one_launch_knows_nothing_of_the_one_before),
        TEST(a_region_that_was_written_over_is_not_believed),
        TEST(a_region_can_not_be_made_shorter),
        TEST(what_a_worker_started_ends_with_it),
        TEST(what_can_not_be_loaded_is_refused),
        cmocka_unit_test(a_worker_that_is_not_there_is_an_error),
        TEST(an_absurd_environment_is_an_error),
        cmocka_unit_test(a_worker_is_of_no_use_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
