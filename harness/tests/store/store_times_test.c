/* SPDX-License-Identifier: Apache-2.0
 *
 * Which earlier runs say what is usual on this machine.
 */
#include "store/store.h"

#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { FINGERPRINT = 0, COMPILER = 0 };

/* A run begun at a time, with two timed benchmarks and one that was not timed. */
static struct pb_run_record make_run(struct pb_arena *arena, const char *id, int64_t started_at)
{
    struct pb_run_record run = {
        .id = id,
        .started_at = started_at,
        .label = "",
        .patterns = "",
        .tool_version = "",
        .valid = true,
        .kernels_ns = {1, 2, (double)started_at},
        .machine = {pb_arena_array(arena, 1, sizeof(struct pb_fact)), 1},
        .build = {pb_arena_array(arena, 1, sizeof(struct pb_fact)), 1},
        .benchmarks = pb_arena_array(arena, 3, sizeof *run.benchmarks),
        .n_benchmarks = 3,
    };
    run.machine.items[FINGERPRINT] = (struct pb_fact){"fingerprint", "f1"};
    run.build.items[COMPILER] = (struct pb_fact){"compiler", "gcc 12.2.0"};
    for (int i = 0; i < 3; i++) {
        run.benchmarks[i] = (struct pb_benchmark_record){
            .name = pb_arena_printf(arena, "c/s/v%d", i),
            .case_name = "c",
            .scenario = "s",
            .variant = pb_arena_printf(arena, "v%d", i),
            .median_ns = i == 1 ? (double)NAN : 10 * (double)started_at + i,
        };
    }
    return run;
}

static void save(struct test_scratch *scratch, const struct pb_run_record *run)
{
    struct pb_store *store = NULL;
    if (pb_store_open(scratch->path, PB_STORE_WRITE, &store, &scratch->err) != PB_OK ||
        pb_store_save_run(store, run, &scratch->err) != PB_OK) {
        fail_msg("%s", scratch->err.message);
    }
    pb_store_close(store);
}

static size_t load(struct test_scratch *scratch, const struct pb_run_record *run, size_t most_runs,
                   struct pb_time_point **points)
{
    struct pb_store *store = NULL;
    size_t n = 0;
    if (pb_store_open(scratch->path, PB_STORE_READ, &store, &scratch->err) != PB_OK ||
        pb_store_load_times(store, run, most_runs, &scratch->arena, points, &n, &scratch->err) !=
            PB_OK) {
        fail_msg("%s", scratch->err.message);
    }
    pb_store_close(store);
    return n;
}

static void save_runs_of_all_kinds(struct test_scratch *scratch)
{
    static const struct {
        const char *id;
        int64_t started_at;
    } plain[] = {{"r4", 40}, {"r2", 20}, {"r1", 10}, {"r3b", 30}, {"r3a", 30}, {"r6", 60}};
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        const struct pb_run_record run =
            make_run(&scratch->arena, plain[i].id, plain[i].started_at);
        save(scratch, &run);
    }
    struct pb_run_record run = make_run(&scratch->arena, "invalid", 31);
    run.valid = false;
    save(scratch, &run);
    run = make_run(&scratch->arena, "injected", 32);
    run.injected = true;
    save(scratch, &run);
    run = make_run(&scratch->arena, "other machine", 33);
    run.machine.items[FINGERPRINT].value = "f2";
    save(scratch, &run);
    run = make_run(&scratch->arena, "other class", 34);
    run.build.items[COMPILER].value = "gcc 13.1.0";
    save(scratch, &run);
    run = make_run(&scratch->arena, "without a kernel", 35);
    run.kernels_ns[PB_KERNEL_MEMORY] = 0;
    save(scratch, &run);
    run = make_run(&scratch->arena, "without another kernel", 36);
    run.kernels_ns[PB_KERNEL_ALU] = NAN;
    save(scratch, &run);
}

static void earlier_runs_on_the_same_machine_come_in_order_of_time(void **state)
{
    struct test_scratch *scratch = *state;
    save_runs_of_all_kinds(scratch);
    const struct pb_run_record run = make_run(&scratch->arena, "r5", 50);
    struct pb_time_point *points = NULL;
    static const char *const order[] = {"r1", "r2", "r3a", "r3b", "r4"};
    assert_int_equal(load(scratch, &run, 60, &points), 2 * 5);
    for (size_t i = 0; i < 10; i++) {
        assert_string_equal(points[i].run_id, order[i / 2]);
        assert_string_equal(points[i].name, i % 2 == 0 ? "c/s/v0" : "c/s/v2");
        const double time = (double)points[i].started_at;
        assert_true(points[i].median_ns == 10 * time + (i % 2 == 0 ? 0 : 2));
        assert_true(points[i].kernels_ns[PB_KERNEL_ALU] == 1);
        assert_true(points[i].kernels_ns[PB_KERNEL_L2] == 2);
        assert_true(points[i].kernels_ns[PB_KERNEL_MEMORY] == time);
    }
}

static void of_many_runs_the_last_are_taken(void **state)
{
    struct test_scratch *scratch = *state;
    save_runs_of_all_kinds(scratch);
    const struct pb_run_record run = make_run(&scratch->arena, "r5", 50);
    struct pb_time_point *points = NULL;
    assert_int_equal(load(scratch, &run, 2, &points), 2 * 2);
    assert_string_equal(points[0].run_id, "r3b");
    assert_string_equal(points[3].run_id, "r4");
    assert_int_equal(load(scratch, &run, 0, &points), 0);
}

static void a_run_is_not_its_own_history_nor_is_a_later_one(void **state)
{
    struct test_scratch *scratch = *state;
    save_runs_of_all_kinds(scratch);
    struct pb_time_point *points = NULL;
    const struct pb_run_record first = make_run(&scratch->arena, "r1", 10);
    assert_int_equal(load(scratch, &first, 60, &points), 0);
    const struct pb_run_record same_second = make_run(&scratch->arena, "r3b", 30);
    assert_int_equal(load(scratch, &same_second, 60, &points), 2 * 3);
    assert_string_equal(points[5].run_id, "r3a");
}

static void a_machine_that_is_not_known_has_no_history(void **state)
{
    struct test_scratch *scratch = *state;
    save_runs_of_all_kinds(scratch);
    struct pb_run_record run = make_run(&scratch->arena, "r5", 50);
    run.machine.n = 0;
    struct pb_time_point *points = NULL;
    assert_int_equal(load(scratch, &run, 60, &points), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, test_scratch_set_up, test_scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(earlier_runs_on_the_same_machine_come_in_order_of_time),
        TEST(of_many_runs_the_last_are_taken),
        TEST(a_run_is_not_its_own_history_nor_is_a_later_one),
        TEST(a_machine_that_is_not_known_has_no_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
