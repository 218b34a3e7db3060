/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything here rests on one sort, which is in place so that no summary can run out of memory.
 */
#include "stats/summary.h"

#include <math.h>
#include <stdbool.h>

/* A total order: numbers as usual, NaN behind them all. */
static bool precedes(double a, double b)
{
    return a < b || (isnan(b) && !isnan(a));
}

/* Lets x[root] sink to its place in a heap of n with the largest on top. */
static void sink(double *x, size_t root, size_t n)
{
    const double value = x[root];
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= n) {
            break;
        }
        if (child + 1 < n && precedes(x[child], x[child + 1])) {
            child++;
        }
        if (!precedes(value, x[child])) {
            break;
        }
        x[root] = x[child];
        root = child;
    }
    x[root] = value;
}

void pb_sort(double *x, size_t n)
{
    for (size_t root = n / 2; root-- > 0;) {
        sink(x, root, n);
    }
    for (size_t left = n; left > 1; left--) {
        const double largest = x[0];
        x[0] = x[left - 1];
        x[left - 1] = largest;
        sink(x, 0, left - 1);
    }
}

double pb_min(const double *x, size_t n)
{
    double smallest = n > 0 ? x[0] : NAN;
    for (size_t i = 1; i < n; i++) {
        /* Written so that a NaN stays, wherever it stands. */
        if (x[i] < smallest || isnan(x[i])) {
            smallest = x[i];
        }
    }
    return smallest;
}

double pb_median_sorted(const double *x, size_t n)
{
    if (n == 0) {
        return NAN;
    }
    if (n % 2 == 1) {
        return x[n / 2];
    }
    /* Halved first: no overflow, and the median of -x is exactly minus that of x. */
    return 0.5 * x[n / 2 - 1] + 0.5 * x[n / 2];
}

double pb_median(double *x, size_t n)
{
    pb_sort(x, n);
    return pb_median_sorted(x, n);
}

double pb_quantile(double *x, size_t n, double p)
{
    if (n == 0 || !(p >= 0 && p <= 1)) {
        return NAN;
    }
    pb_sort(x, n);
    const double place = p * (double)(n - 1);
    const size_t below = (size_t)place;
    if (below + 1 >= n) {
        return x[n - 1];
    }
    return x[below] + (place - (double)below) * (x[below + 1] - x[below]);
}

double pb_mad(double *x, size_t n)
{
    const double median = pb_median(x, n);
    for (size_t i = 0; i < n; i++) {
        x[i] = fabs(x[i] - median);
    }
    return pb_median(x, n);
}

double pb_deviation(const double *x, size_t n)
{
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    for (size_t i = 0; i < n; i++) {
        const double distance = x[i] - sum / (double)n;
        squares += distance * distance;
    }
    return n > 1 ? sqrt(squares / (double)(n - 1)) : (double)NAN;
}
