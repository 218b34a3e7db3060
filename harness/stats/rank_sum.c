/* SPDX-License-Identifier: Apache-2.0
 *
 * Both groups are sorted and walked together; values that are equal form one step of the walk.
 */
#include "stats/rank_sum.h"

#include <math.h>

#include "stats/summary.h"

/* How many of the sorted values from `at` on equal `value`. */
static size_t run_of(const double *sorted, size_t n, size_t at, double value)
{
    size_t run = 0;
    while (at + run < n && sorted[at + run] == value) {
        run++;
    }
    return run;
}

struct pb_rank_sum pb_rank_sum_test(double *x, size_t n_x, double *y, size_t n_y)
{
    pb_sort(x, n_x);
    pb_sort(y, n_y);
    double u = 0;
    double ties = 0; /* sum of t³ - t over groups of t equal values */
    for (size_t i = 0, k = 0; i < n_x || k < n_y;) {
        const double value = k == n_y || (i < n_x && x[i] < y[k]) ? x[i] : y[k];
        const size_t n_same_x = run_of(x, n_x, i, value);
        const size_t n_same_y = run_of(y, n_y, k, value);
        u += (double)n_same_x * ((double)k + 0.5 * (double)n_same_y);
        const double t = (double)(n_same_x + n_same_y);
        ties += t * t * t - t;
        i += n_same_x;
        k += n_same_y;
    }
    const double pairs = (double)n_x * (double)n_y;
    const double n = (double)(n_x + n_y);
    const double variance = pairs / 12 * (n + 1 - ties / (n * (n - 1)));
    struct pb_rank_sum test = {.u = u, .p = 1};
    if (pairs > 0 && variance > 0) {
        const double z = fmax(fabs(u - pairs / 2) - 0.5, 0) / sqrt(variance);
        test.p = erfc(z / sqrt(2));
    }
    return test;
}

double pb_rank_sum_tail(unsigned u, size_t n_x, size_t n_y)
{
    enum { N = PB_RANK_SUM_EXACT_MAX, PAIRS = N * N };
    if (n_x < 1 || n_x > N || n_y < 1 || n_y > N) {
        return NAN;
    }
    /* ways[j][v]: arrangements of the x so far and j of y with v pairs x > y */
    double ways[N + 1][PAIRS + 1] = {{0}};
    for (size_t j = 0; j <= n_y; j++) {
        ways[j][0] = 1;
    }
    for (size_t i = 1; i <= n_x; i++) {
        /* The largest of all is an x, above all j of y, or a y. */
        for (size_t j = 0; j <= n_y; j++) {
            for (size_t v = PAIRS + 1; v-- > 0;) {
                const double largest_x = v >= j ? ways[j][v - j] : 0;
                ways[j][v] = largest_x + (j > 0 ? ways[j - 1][v] : 0);
            }
        }
    }
    double all = 0;
    double tail = 0;
    for (size_t v = 0; v <= n_x * n_y; v++) {
        all += ways[n_y][v];
        tail += v <= u ? ways[n_y][v] : 0;
    }
    return tail / all;
}
