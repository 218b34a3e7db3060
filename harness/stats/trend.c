/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks are found by counting, doubled so that mean ranks of ties stay whole numbers: every sum
 * below is exact, and comparing a permutation's with the observed one needs no tolerance.
 */
#include "stats/trend.h"

#include <math.h>
#include <stdint.h>

#include "stats/beta.h"
#include "stats/summary.h"

/* Twice the distance of x[i]'s mean rank from the middle rank. */
static int64_t centred_rank(const double *x, size_t n, size_t i)
{
    int64_t rank = 0;
    for (size_t j = 0; j < n; j++) {
        rank += (x[j] < x[i]) - (x[j] > x[i]);
    }
    return rank;
}

/*
 * Heap's way through all orders, one exchange a step: counter[i] exchanges at place i are done.
 * returns: false when all orders were seen
 */
static bool next_order(int64_t *order, size_t *counter, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (counter[i] < i) {
            const size_t other = i % 2 == 0 ? 0 : counter[i];
            const int64_t moved = order[other];
            order[other] = order[i];
            order[i] = moved;
            counter[i]++;
            return true;
        }
        counter[i] = 0;
    }
    return false;
}

/* Of all orders of y, the share whose products with x sum up to something as far from 0. */
static double permutation_p(const int64_t *x, int64_t *y, size_t n, int64_t observed)
{
    size_t counter[PB_TREND_EXACT_MAX] = {0};
    uint64_t as_far = 0;
    uint64_t all = 0;
    const int64_t limit = observed < 0 ? -observed : observed;
    do {
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++) {
            sum += x[i] * y[i];
        }
        as_far += sum >= limit || sum <= -limit;
        all++;
    } while (next_order(y, counter, n));
    return (double)as_far / (double)all;
}

static double exact_p(const double *x, const double *y, size_t n, int64_t observed)
{
    int64_t x_ranks[PB_TREND_EXACT_MAX];
    int64_t y_ranks[PB_TREND_EXACT_MAX];
    for (size_t i = 0; i < n; i++) {
        x_ranks[i] = centred_rank(x, n, i);
        y_ranks[i] = centred_rank(y, n, i);
    }
    return permutation_p(x_ranks, y_ranks, n, observed);
}

struct pb_correlation pb_spearman(const double *x, const double *y, size_t n)
{
    int64_t xx = 0;
    int64_t yy = 0;
    int64_t xy = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t x_rank = centred_rank(x, n, i);
        const int64_t y_rank = centred_rank(y, n, i);
        xx += x_rank * x_rank;
        yy += y_rank * y_rank;
        xy += x_rank * y_rank;
    }
    if (n < 3 || xx == 0 || yy == 0) {
        return (struct pb_correlation){.rho = 0, .p = 1};
    }
    const double rho = (double)xy / (sqrt((double)xx) * sqrt((double)yy));
    struct pb_correlation result = {.rho = fmax(-1, fmin(1, rho))};
    if (n <= PB_TREND_EXACT_MAX) {
        result.p = exact_p(x, y, n, xy);
    } else {
        const double freedom = (double)(n - 2);
        const double unexplained = (1 - result.rho) * (1 + result.rho);
        result.p = pb_student_two_sided(result.rho * sqrt(freedom / unexplained), freedom);
    }
    return result;
}

struct pb_correlation pb_trend(const double *d, size_t n)
{
    if (n > PB_TREND_VALUES_MAX) {
        return (struct pb_correlation){.rho = 0, .p = 1};
    }
    double index[PB_TREND_VALUES_MAX];
    for (size_t i = 0; i < n; i++) {
        index[i] = (double)i;
    }
    return pb_spearman(index, d, n);
}

/* Median of the values whose flag is as wanted. */
static double median_where(const double *d, const bool *flags, size_t n, bool wanted)
{
    double chosen[PB_TREND_VALUES_MAX];
    size_t n_chosen = 0;
    for (size_t i = 0; i < n; i++) {
        if (flags[i] == wanted) {
            chosen[n_chosen++] = d[i];
        }
    }
    return pb_median(chosen, n_chosen);
}

double pb_order_effect(const double *d, const bool *a_first, size_t n)
{
    if (n > PB_TREND_VALUES_MAX) {
        return NAN;
    }
    return 0.5 * (median_where(d, a_first, n, true) - median_where(d, a_first, n, false));
}

double pb_order_middle(const double *d, const bool *a_first, size_t n)
{
    if (n > PB_TREND_VALUES_MAX) {
        return NAN;
    }
    return 0.5 * (median_where(d, a_first, n, true) + median_where(d, a_first, n, false));
}
