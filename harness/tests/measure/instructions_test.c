/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting instructions of operations that are known to take two a turn, where valgrind is
 * installed and can run the worker, and doing without where there is no counter.
 */
#include "measure/instructions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/child.h"
#include "base/whole_file.h"

enum { TURNS = 1000, AROUND = 16 }; /* AROUND: of the loop over the operations, at most */

struct bench {
    struct pb_arena arena;
    struct pb_catalog catalog;
    struct pb_selection selection;
    struct pb_plan plan;
    struct pb_run_record run;
    struct pb_error err;
    unsigned n_warnings;
    char warning[1024];
};

static int set_up(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    bench.plan = (struct pb_plan){
        .worker = PB_TEST_WORKER,
        .instructions = true,
        .deadline_s = 60,
    };
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    pb_arena_release(&bench->arena);
    return 0;
}

static void take_warning(void *context, const char *text)
{
    struct bench *bench = context;
    bench->n_warnings++;
    snprintf(bench->warning, sizeof bench->warning, "%s", text);
}

static void measure(struct bench *bench, const char *pattern)
{
    const char *path = PB_TEST_SUITES "/counted.so";
    static struct pb_fact facts[] = {{"arch", "any"}, {"kernel", "any"}};
    const struct pb_measure_watch watch = {.context = bench, .warn = take_warning};
    bench->run = (struct pb_run_record){.valid = true, .machine = {facts, 2}};
    if (pb_catalog_load(PB_TEST_WORKER, &path, 1, &bench->arena, &bench->catalog, &bench->err) !=
            PB_OK ||
        pb_selection_make(&bench->catalog, &pattern, 1, &bench->arena, &bench->selection,
                          &bench->err) != PB_OK ||
        pb_measure(&bench->catalog, &bench->selection, &bench->plan, &watch, &bench->arena,
                   &bench->run, &bench->err) != PB_OK) {
        fail_msg("%s", bench->err.message);
    }
}

static const struct pb_benchmark_record *find(const struct bench *bench, const char *variant)
{
    for (size_t i = 0; i < bench->run.n_benchmarks; i++) {
        if (strcmp(bench->run.benchmarks[i].variant, variant) == 0) {
            return &bench->run.benchmarks[i];
        }
    }
    fail_msg("no variant %s", variant);
    return NULL;
}

/* Whether callgrind can be expected to run the worker. */
static bool has_callgrind(void)
{
#if defined(__SANITIZE_ADDRESS__) || !__has_include(<valgrind/callgrind.h>)
    return false;
#elif defined(__has_feature)
    if (__has_feature(address_sanitizer)) {
        return false;
    }
#endif
    const struct pb_child_spec spec = {
        .argv = (const char *const[]){"valgrind", "--version", NULL},
        .deadline_s = 60,
    };
    struct pb_child_outcome outcome;
    return pb_child_run(&spec, &outcome, NULL) == PB_OK && outcome.exit_code == 0;
}

static void assert_instructions(const struct pb_benchmark_record *benchmark, int64_t expected)
{
    assert_in_range(benchmark->instructions, expected, expected + AROUND);
    assert_null(pb_benchmark_count(benchmark, PB_INSTRUCTIONS_COUNT));
}

static void what_varies_or_dies_under_the_counter_costs_the_others_nothing(void **state)
{
    struct bench *bench = *state;
    if (!has_callgrind()) {
        skip();
    }
    measure(bench, "*");
    assert_instructions(find(bench, "old"), 2 * TURNS + 1);
    assert_instructions(find(bench, "twice"), 4 * TURNS + 2);

    const struct pb_benchmark_record *random = find(bench, "random");
    assert_int_equal(random->instructions, -1);
    const struct pb_count_record *count = pb_benchmark_count(random, PB_INSTRUCTIONS_COUNT);
    assert_non_null(count);
    assert_false(count->deterministic);
    assert_in_range(count->value, 2 * TURNS, 4 * TURNS + 1000);

    const struct pb_benchmark_record *shy = find(bench, "shy");
    assert_int_equal(shy->instructions, -1);
    assert_int_equal(shy->state, PB_STATE_OK);
    assert_int_equal(bench->n_warnings, 1);
    assert_non_null(strstr(bench->warning, "instructions of 1 benchmark were not counted"));
    assert_non_null(strstr(bench->warning, "counted/turn/loop/shy: died of signal"));
}

static void injected_operations_are_counted(void **state)
{
    struct bench *bench = *state;
    if (!has_callgrind()) {
        skip();
    }
    const struct pb_injection injection = {.glob = "*/twice", .pct = 50};
    bench->plan.injections = &injection;
    bench->plan.n_injections = 1;
    measure(bench, "*");
    assert_instructions(find(bench, "old"), 2 * TURNS + 1);
    assert_in_range(find(bench, "twice")->instructions, 6 * TURNS + 3, 6 * TURNS + 3 + 2 * AROUND);
}

static void the_counter_is_noted_among_the_facts(void **state)
{
    struct bench *bench = *state;
    if (!has_callgrind()) {
        skip();
    }
    measure(bench, "*/old");
    const struct pb_facts *facts = &bench->run.machine;
    assert_int_equal(facts->n, 5);
    for (size_t i = 1; i < facts->n; i++) {
        assert_true(strcmp(facts->items[i - 1].key, facts->items[i].key) < 0);
    }
    const char *counter = pb_facts_get(facts, "instruction_counter");
    assert_non_null(counter);
    assert_true(strcmp(counter, "callgrind") == 0 || strcmp(counter, "perf_event") == 0);
    assert_non_null(pb_facts_get(facts, "syscall_counter"));
    assert_string_equal(pb_facts_get(facts, "heap_counter"), "none");
    assert_int_equal(bench->n_warnings, 0);
}

/* The size of the environment moves the stack, and PATH and options are the user's. */
static void the_environment_does_not_change_a_count(void **state)
{
    struct bench *bench = *state;
    if (!has_callgrind()) {
        skip();
    }
    measure(bench, "*/old");
    const int64_t before = find(bench, "old")->instructions;
    char padding[3001];
    memset(padding, 'x', sizeof padding - 1);
    padding[sizeof padding - 1] = '\0';
    setenv("PAIRBENCH_TEST_PADDING", padding, 1);
    setenv("VALGRIND_OPTS", "--toggle-collect=nothing", 1);
    measure(bench, "*/old");
    unsetenv("PAIRBENCH_TEST_PADDING");
    unsetenv("VALGRIND_OPTS");
    assert_int_equal(find(bench, "old")->instructions, before);
}

/* Measures all where valgrind is found in one folder or not at all, and expects one warning. */
static void measure_without_callgrind(struct bench *bench, const char *folder, const char *warning)
{
    const char *path = getenv("PATH");
    char *kept = pb_arena_strdup(&bench->arena, path != NULL ? path : "");
    setenv("PATH", folder, 1);
    measure(bench, "*");
    setenv("PATH", kept, 1);
    if (strcmp(pb_facts_get(&bench->run.machine, "instruction_counter"), "perf_event") == 0) {
        skip();
    }
    assert_string_equal(pb_facts_get(&bench->run.machine, "instruction_counter"), "none");
    assert_int_equal(bench->n_warnings, 1);
    if (strstr(bench->warning, warning) == NULL) {
        fail_msg("no \"%s\" in: %s", warning, bench->warning);
    }
    assert_int_equal(bench->run.n_benchmarks, 4);
    for (size_t i = 0; i < bench->run.n_benchmarks; i++) {
        assert_int_equal(bench->run.benchmarks[i].state, PB_STATE_OK);
        assert_int_equal(bench->run.benchmarks[i].instructions, -1);
        assert_null(pb_benchmark_count(&bench->run.benchmarks[i], PB_INSTRUCTIONS_COUNT));
    }
}

static void without_a_counter_that_is_said_once_and_all_goes_on(void **state)
{
    measure_without_callgrind(*state, "/nonexistent",
                              "no counter of instructions here: perf_event_open: ");
}

static void a_valgrind_that_does_not_run_is_no_counter(void **state)
{
    static const char script[] = "#!/bin/sh\necho out of order >&2\nexit 1\n";
    struct bench *bench = *state;
    if (!has_callgrind()) {
        skip();
    }
    char *folder = pb_arena_strdup(&bench->arena, PB_TEST_BUILD "/instructions.XXXXXX");
    assert_non_null(mkdtemp(folder));
    const char *program = pb_arena_printf(&bench->arena, "%s/valgrind", folder);
    struct pb_error err;
    assert_int_equal(pb_whole_file_replace(program, script, sizeof script - 1, &err), PB_OK);
    assert_int_equal(chmod(program, 0755), 0);
    measure_without_callgrind(bench, folder,
                              "instructions were not counted: exited with code 1 while the worker "
                              "started: out of order");
    assert_int_equal(unlink(program), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void nothing_is_counted_unless_asked_for(void **state)
{
    struct bench *bench = *state;
    bench->plan.instructions = false;
    measure(bench, "*");
    assert_null(pb_facts_get(&bench->run.machine, "instruction_counter"));
    assert_int_equal(find(bench, "old")->instructions, -1);
    assert_int_equal(bench->n_warnings, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            what_varies_or_dies_under_the_counter_costs_the_others_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(injected_operations_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_counter_is_noted_among_the_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_environment_does_not_change_a_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_counter_that_is_said_once_and_all_goes_on, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_valgrind_that_does_not_run_is_no_counter, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_counted_unless_asked_for, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
