/* SPDX-License-Identifier: Apache-2.0
 *
 * What tests of numbers need beyond cmocka: equality of doubles within a stated tolerance, and the
 * boilerplate of includes that cmocka wants in this order.
 */
#ifndef PB_TESTS_NEAR_H
#define PB_TESTS_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N_ITEMS(array) (sizeof(array) / sizeof(array)[0])

/* Fails with both numbers unless |actual - expected| <= tolerance; equal infinities are near, and
 * NaN is near NaN only. */
#define assert_near(actual, expected, tolerance)                                                   \
    check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

static inline void check_near(double actual, double expected, double tolerance, const char *what,
                              const char *file, int line)
{
    if (actual == expected || (isnan(actual) && isnan(expected)) ||
        fabs(actual - expected) <= tolerance) {
        return;
    }
    print_error("%s is %.17g, not %.17g within %g\n", what, actual, expected, tolerance);
    _fail(file, line);
}

/* Fails with the numbers unless low <= actual <= high. */
#define assert_between(actual, low, high)                                                          \
    check_between((actual), (low), (high), #actual, __FILE__, __LINE__)

static inline void check_between(double actual, double low, double high, const char *what,
                                 const char *file, int line)
{
    if (actual >= low && actual <= high) {
        return;
    }
    print_error("%s is %.17g, not within %.17g and %.17g\n", what, actual, low, high);
    _fail(file, line);
}

#endif
