/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of a self-test: written, read back, gone on with, and refused when it is something else.
 */
#include "commands/selftest/samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "test_folder.h"

enum { LAUNCHES = 20, SLICES = 12 };

static float slices[LAUNCHES][2][SLICES];
static struct pb_launch_record launches[2][LAUNCHES];
static double d[LAUNCHES];
static uint32_t numbers[LAUNCHES];

/* A run with one pair: base takes 100 + slice, head twice that. */
static struct pb_run_record make_run(struct pb_benchmark_record *benchmarks,
                                     struct pb_pair_record *pair)
{
    for (uint32_t k = 0; k < LAUNCHES; k++) {
        d[k] = log(2) + 0.001 * k;
        numbers[k] = k;
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < SLICES; i++) {
                slices[k][side][i] = (float)((side + 1) * (100 + i));
            }
            launches[side][k] = (struct pb_launch_record){
                .launch = k, .n_slices = SLICES, .samples_ns = slices[k][side]};
        }
    }
    for (int side = 0; side < 2; side++) {
        benchmarks[side] = (struct pb_benchmark_record){.name = "a \"case\"/of/new",
                                                        .median_ns = 105,
                                                        .launches = launches[side],
                                                        .n_launches = LAUNCHES};
    }
    *pair = (struct pb_pair_record){.d = d,
                                    .launch = numbers,
                                    .n_launches = LAUNCHES,
                                    .verdict = PB_VERDICT_REGRESSED,
                                    .wall_s = 0.75};
    return (struct pb_run_record){
        .valid = true, .benchmarks = benchmarks, .n_benchmarks = 2, .pairs = pair, .n_pairs = 1};
}

/* Begins a log and adds one batch with a trial and one without. */
static void write_log(struct test_scratch *scratch, struct pb_trial_log *log)
{
    struct pb_benchmark_record benchmarks[2];
    struct pb_pair_record pair;
    const struct pb_run_record run = make_run(benchmarks, &pair);
    const struct pb_batch trial = {
        .cell = PB_CELL_PLUS_1, .seed = 5, .wall_s = 2, .run = &run, .n_pairs = 1};
    const struct pb_batch whole = {.cell = PB_CELL_RUN_AND_CHECK, .seed = 6, .wall_s = 88};
    assert_int_equal(
        pb_trial_log_begin(scratch->path, UINT64_MAX, &scratch->arena, log, &scratch->err), PB_OK);
    assert_int_equal(pb_trial_log_add(log, &trial, &scratch->arena, &scratch->err), PB_OK);
    assert_int_equal(pb_trial_log_add(log, &whole, &scratch->arena, &scratch->err), PB_OK);
}

static void a_log_that_is_read_back_is_the_same(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_trial_log log;
    struct pb_trial_log again;
    write_log(scratch, &log);
    assert_int_equal(pb_trial_log_resume(scratch->path, &scratch->arena, &again, &scratch->err),
                     PB_OK);
    assert_int_equal(log.n, 2);
    assert_int_equal(again.n, 2);
    assert_int_equal(again.n_batches, 2);
    assert_true(again.seed == UINT64_MAX);
    assert_true(again.wall_s == 90 && log.wall_s == 90);
    assert_int_equal(again.started_at, log.started_at);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(again.trials[i].cell, log.trials[i].cell);
        assert_int_equal(again.trials[i].verdict, log.trials[i].verdict);
        assert_true(again.trials[i].valid);
        assert_true(again.trials[i].wall_s == log.trials[i].wall_s);
    }
}

static void check_trial(void *context, const struct pb_sampled_trial *trial)
{
    size_t *n_seen = context;
    ++*n_seen;
    assert_int_equal(trial->trial.cell, PB_CELL_PLUS_1);
    assert_int_equal(trial->n, LAUNCHES);
    assert_true(fabs(trial->d[3] - log(2) - 0.003) < 1e-6);
    assert_int_equal(trial->n_launches, PB_SAMPLED_LAUNCHES);
    assert_int_equal(trial->n_repeated, 2); /* of five slices each; two are left over */
    assert_true(trial->base[0] == 102 && trial->base[1] == 107);
    assert_true(trial->head[2] == 204 && trial->head[31] == 214);
}

static void samples_are_read_back(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_trial_log log;
    size_t n_seen = 0;
    write_log(scratch, &log);
    assert_int_equal(pb_samples_read(scratch->path, check_trial, &n_seen, &scratch->err), PB_OK);
    assert_int_equal(n_seen, 1);
}

static void a_file_that_is_there_is_not_written_over(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_trial_log log;
    write_log(scratch, &log);
    assert_int_equal(pb_trial_log_begin(scratch->path, 1, &scratch->arena, &log, &scratch->err),
                     PB_ERR_USAGE);
    assert_non_null(strstr(scratch->err.message, "--resume"));
}

static void a_line_that_a_crash_cut_is_dropped(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_trial_log log;
    struct pb_strbuf before = {0};
    struct pb_strbuf after = {0};
    write_log(scratch, &log);
    test_file_read(scratch->path, &before);
    struct pb_strbuf cut = {0};
    pb_strbuf_addf(&cut, "%s{\"cell\":\"plus1\",\"ver", before.text);
    test_file_write(scratch->path, cut.text, cut.length);
    assert_int_equal(pb_trial_log_resume(scratch->path, &scratch->arena, &log, &scratch->err),
                     PB_OK);
    assert_int_equal(log.n, 2);
    test_file_read(scratch->path, &after);
    assert_string_equal(before.text, after.text);
    pb_strbuf_release(&before);
    pb_strbuf_release(&after);
    pb_strbuf_release(&cut);
}

static void something_else_is_refused_with_its_line(void **state)
{
    struct test_scratch *scratch = *state;
#define HEADER "{\"schema\":\"pairbench-selftest/1\",\"seed\":\"1\"}\n"
    static const struct {
        const char *content;
        const char *text;
    } rows[] = {
        {"", "is empty"},
        {"hello\n", ":1:"},
        {"{}\n", ":1:"},
        {"{\"schema\":\"pairbench-selftest/2\",\"seed\":\"1\"}\n", ":1:"},
        {HEADER "[]\n", ":2:"},
        {HEADER "{\"cell\":\"plus9\",\"verdict\":\"unchanged\",\"valid\":true,\"d\":[]}\n", ":2:"},
        {HEADER "{\"cell\":\"plus1\",\"verdict\":\"fine\",\"valid\":true,\"d\":[]}\n", ":2:"},
        {HEADER "{\"batch\":\"plus1\",\"trials\":-1,\"wall_s\":1}\n", ":2:"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_trial_log log;
        test_file_write(scratch->path, rows[i].content, strlen(rows[i].content));
        assert_int_equal(pb_trial_log_resume(scratch->path, &scratch->arena, &log, &scratch->err),
                         PB_ERR_FORMAT);
        assert_non_null(strstr(scratch->err.message, rows[i].text));
    }
    struct pb_trial_log log;
    assert_int_equal(pb_trial_log_resume(test_scratch_path(scratch, "none"), &scratch->arena, &log,
                                         &scratch->err),
                     PB_ERR_NOT_FOUND);
}

static void check_bare(void *context, const struct pb_sampled_trial *trial)
{
    size_t *n_seen = context;
    ++*n_seen;
    assert_int_equal(trial->n, 2);
    assert_int_equal(trial->n_launches, 0);
}

static void repetitions_that_do_not_match_are_left_out(void **state)
{
    struct test_scratch *scratch = *state;
    static const char *const sides[] = {
        "\"base\":[[1,2],[1]],\"head\":[[1,2],[1,2]]",
        "\"base\":[[1,2]],\"head\":[]",
        "\"base\":[[1]],\"head\":[[1,2]]",
        "\"base\":7,\"head\":null",
        "\"x\":1",
    };
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        struct pb_strbuf text = {0};
        size_t n_seen = 0;
        pb_strbuf_addf(&text,
                       HEADER "{\"cell\":\"plus1\",\"verdict\":\"unchanged\",\"valid\":true,"
                              "\"wall_s\":1,\"d\":[0.1,null,0.2],%s}\n",
                       sides[i]);
        test_file_write(scratch->path, text.text, text.length);
        assert_int_equal(pb_samples_read(scratch->path, check_bare, &n_seen, &scratch->err), PB_OK);
        assert_int_equal(n_seen, 1);
        pb_strbuf_release(&text);
    }
}

#define TEST(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, test_scratch_set_up, test_scratch_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_log_that_is_read_back_is_the_same),
        TEST(samples_are_read_back),
        TEST(a_file_that_is_there_is_not_written_over),
        TEST(a_line_that_a_crash_cut_is_dropped),
        TEST(something_else_is_refused_with_its_line),
        TEST(repetitions_that_do_not_match_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
