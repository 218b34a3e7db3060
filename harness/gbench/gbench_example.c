/* SPDX-License-Identifier: Apache-2.0
 *
 * How to use gbench.h: two benchmarks with arguments for the command line, and a burst.
 *
 *     gbench_example --benchmark_filter=copy     Google Benchmark's flags and output
 *     gbench_example --burst                     exact iterations, results to a function
 */
#include "gbench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy_body(struct gb_state *state, void *payload)
{
    const char *letter = payload;
    const size_t n = (size_t)gb_state_arg(state, 0);
    char *from = malloc(n);
    char *to = malloc(n);
    if (from == NULL || to == NULL) {
        gb_state_skip_with_error(state, "out of memory");
    } else {
        memset(from, *letter, n);
        while (gb_state_next(state)) {
            memcpy(to, from, n);
            gb_do_not_optimize(to);
        }
        gb_state_set_bytes_processed(state, (int64_t)(gb_state_iterations(state) * n));
    }
    free(to);
    free(from);
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Making the input is not what is measured, so the clock stands still meanwhile. */
static void sort_body(struct gb_state *state, void *payload)
{
    static int numbers[1 << 16];
    const size_t n = (size_t)gb_state_arg(state, 0);
    (void)payload;
    while (gb_state_next(state)) {
        gb_state_pause(state);
        for (size_t i = 0; i < n; i++) {
            numbers[i] = (int)((i * 7919) % n);
        }
        gb_state_resume(state);
        qsort(numbers, n, sizeof numbers[0], by_value);
    }
    gb_state_set_counter(state, "numbers", (double)n,
                         GB_COUNTER_ITERATION_INVARIANT | GB_COUNTER_RATE);
    gb_state_set_label(state, "qsort");
}

/* The batch form: whoever does n operations in one call needs no loop. */
static void add_body(struct gb_state *state, void *payload)
{
    uint64_t *sum = payload;
    for (uint64_t n; (n = gb_state_next_batch(state)) != 0;) {
        for (uint64_t i = 0; i < n; i++) {
            *sum += i;
            gb_clobber_memory();
        }
    }
}

static void print_result(const struct gb_result *result, void *payload)
{
    FILE *to = payload;
    if (result->error != NULL) {
        fprintf(to, "%s: %s\n", result->name, result->error);
    } else {
        fprintf(to, "%s %" PRId64 ": %.2f ns, CPU %.2f ns\n", result->name, result->repetition,
                result->real_ns, result->cpu_ns);
    }
}

static int run_burst(void)
{
    uint64_t sum = 0;
    const struct gb_burst_spec burst = {
        .name = "add",
        .body = add_body,
        .payload = &sum,
        .iterations = 10000,
        .repetitions = 5,
        .report = print_result,
        .report_payload = stdout,
    };
    const enum gb_code code = gb_burst(&burst);
    if (code != GB_OK) {
        fprintf(stderr, "gbench_example: %s\n", gb_code_text(code));
    }
    return code == GB_OK ? 0 : 1;
}

static enum gb_code add_benchmarks(void)
{
    static char letter = 'x';
    static const char *const names[] = {"bytes"};
    const struct gb_benchmark_spec copy = {
        .name = "copy",
        .body = copy_body,
        .payload = &letter,
        .arg_names = names,
        .n_arg_names = 1,
    };
    const struct gb_benchmark_spec sort = {
        .name = "sort",
        .body = sort_body,
        .unit = GB_UNIT_US,
        .clock = GB_CLOCK_REAL,
    };
    struct gb_benchmark *benchmark = NULL;
    enum gb_code code = gb_register(&copy, &benchmark);
    if (code == GB_OK) {
        code = gb_benchmark_add_range(benchmark, 64, 64 << 10, 8);
    }
    if (code == GB_OK) {
        code = gb_register(&sort, &benchmark);
    }
    if (code == GB_OK) {
        code = gb_benchmark_add_arg(benchmark, 10000);
    }
    return code;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--burst") == 0) {
        return run_burst();
    }
    const enum gb_code code = add_benchmarks();
    if (code != GB_OK) {
        fprintf(stderr, "gbench_example: %s\n", gb_code_text(code));
        return 1;
    }
    return gb_main(argc, argv);
}
