/* SPDX-License-Identifier: Apache-2.0
 *
 * What the stopwatch costs: prints the price of a burst, of each slice in it, and of the first one.
 *
 * A slice is one repetition; an empty one does nothing but start and stop the clock. All numbers
 * are nanoseconds, from the smallest and from the median of many trials: the former is the price,
 * the latter says how quiet the machine was. libbenchmark reads the thread's CPU clock, a system
 * call, twice a slice, and once of these within the measured time.
 */
#include "gbench.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    TRIALS = 400,
    SLICES = 64, /* in the long burst; more than any burst of the harness */
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void empty_body(struct gb_state *state, void *payload)
{
    (void)payload;
    while (gb_state_next_batch(state) != 0) {
        gb_clobber_memory();
    }
}

/* What the empty slices of one burst say that they took; the payload is the smallest of them. */
static void take_smallest(const struct gb_result *result, void *payload)
{
    double *smallest_ns = payload;
    if (result->error == NULL && result->real_ns < *smallest_ns) {
        *smallest_ns = result->real_ns;
    }
}

/* reported_ns: the payload of take_smallest() */
static int64_t burst_ns(uint32_t slices, void *reported_ns)
{
    const struct gb_burst_spec burst = {
        .name = "empty",
        .body = empty_body,
        .iterations = 1,
        .repetitions = slices,
        .report = take_smallest,
        .report_payload = reported_ns,
    };
    const int64_t start = now_ns();
    const enum gb_code code = gb_burst(&burst);
    const int64_t end = now_ns();
    if (code != GB_OK) {
        fprintf(stderr, "gbench_overhead: %s\n", gb_code_text(code));
        exit(1);
    }
    return end - start;
}

static int64_t cpu_clock_ns(void)
{
    struct timespec ignored;
    const int64_t start = now_ns();
    for (int i = 0; i < SLICES; i++) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ignored);
    }
    return (now_ns() - start) / SLICES;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The trials of one kind; after sort() [0] is the smallest and [TRIALS / 2] the median. */
struct trials {
    double ns[TRIALS];
};

static void sort(struct trials *trials)
{
    qsort(trials->ns, TRIALS, sizeof trials->ns[0], by_value);
}

static void print_row(const char *what, double smallest_ns, double median_ns)
{
    printf("%-40s %9.0f %9.0f\n", what, smallest_ns, median_ns);
}

int main(void)
{
    const int64_t start = now_ns();
    if (gb_prepare() != GB_OK) {
        return 1;
    }
    const int64_t prepared = now_ns();
    double ignored_ns = INFINITY;
    const int64_t first_ns = burst_ns(1, &ignored_ns);

    static struct trials one, many, reported, clock;
    for (int i = 0; i < TRIALS; i++) {
        reported.ns[i] = INFINITY;
        one.ns[i] = (double)burst_ns(1, &ignored_ns);
        many.ns[i] = (double)burst_ns(1 + SLICES, &reported.ns[i]);
        clock.ns[i] = (double)cpu_clock_ns();
    }
    sort(&one);
    sort(&many);
    sort(&reported);
    sort(&clock);
    const int middle = TRIALS / 2;
    const double slice_ns = (many.ns[0] - one.ns[0]) / SLICES;
    const double middle_slice_ns = (many.ns[middle] - one.ns[middle]) / SLICES;
    printf("%-40s %9s %9s\n", "ns", "smallest", "median");
    print_row("an empty slice within a burst", slice_ns, middle_slice_ns);
    print_row("  of which two readings of the CPU clock", 2 * clock.ns[0], 2 * clock.ns[middle]);
    print_row("a burst without its slices", one.ns[0] - slice_ns, one.ns[middle] - middle_slice_ns);
    print_row("time that an empty slice reports", reported.ns[0], reported.ns[middle]);
    printf("%-40s %9" PRId64 "\n", "gb_prepare(), once in a process", prepared - start);
    printf("%-40s %9" PRId64 "\n", "first burst after it", first_ns);
    return 0;
}
