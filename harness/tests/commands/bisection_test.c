/* SPDX-License-Identifier: Apache-2.0
 *
 * Bisections of lines of every length, with every first bad revision and many that can't be asked.
 */
#include "commands/comparing/bisection.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stats/random.h"

enum { LONGEST = 33 };

/* Runs one to its end. broken: revisions that are skipped; returns: how many were asked */
static size_t search(struct pb_bisection *bisection, size_t n, size_t first_bad, const bool *broken,
                     struct pb_arena *arena)
{
    size_t index = 0;
    size_t asked = 0;
    bool seen[LONGEST] = {false};
    pb_bisection_init(bisection, n, arena);
    while (pb_bisection_next(bisection, &index)) {
        assert_true(index < n - 1); /* the last one is known */
        assert_false(seen[index]);  /* nobody is asked twice */
        seen[index] = true;
        asked++;
        pb_bisection_take(bisection, index,
                          broken[index]        ? PB_BISECT_SKIPPED
                          : index >= first_bad ? PB_BISECT_BAD
                                               : PB_BISECT_GOOD);
    }
    return asked;
}

static void every_first_bad_revision_is_found_in_logarithmic_time(void **state)
{
    (void)state;
    static const bool broken[LONGEST] = {false};
    for (size_t n = 1; n <= LONGEST; n++) {
        for (size_t first_bad = 0; first_bad < n; first_bad++) {
            struct pb_arena arena = {0};
            struct pb_bisection bisection;
            pb_bisection_init(&bisection, n, &arena);
            const size_t most = pb_bisection_left(&bisection);
            const size_t asked = search(&bisection, n, first_bad, broken, &arena);
            assert_int_equal(bisection.from, first_bad);
            assert_int_equal(bisection.to, first_bad);
            assert_true(asked <= most);
            assert_true((size_t)1 << most <= 2 * n); /* log2, rounded up */
            pb_arena_release(&arena);
        }
    }
}

/* The answer holds the first bad revision, and all in it but the last were skipped. */
static void what_can_not_be_asked_is_left_out_and_never_blamed_alone(void **state)
{
    (void)state;
    struct pb_random random;
    pb_random_init(&random, 5);
    for (int trial = 0; trial < 5000; trial++) {
        struct pb_arena arena = {0};
        struct pb_bisection bisection;
        bool broken[LONGEST] = {false};
        const size_t n = 1 + (size_t)pb_random_below(&random, LONGEST);
        const size_t first_bad = (size_t)pb_random_below(&random, n);
        const uint64_t one_in = 1 + pb_random_below(&random, 4);
        for (size_t i = 0; i + 1 < n; i++) {
            broken[i] = pb_random_below(&random, one_in) == 0;
        }
        search(&bisection, n, first_bad, broken, &arena);
        assert_true(bisection.from <= first_bad && first_bad <= bisection.to);
        for (size_t i = bisection.from; i < bisection.to; i++) {
            assert_true(broken[i]);
        }
        assert_false(broken[bisection.to]);
        pb_arena_release(&arena);
    }
}

static void a_skipped_middle_is_replaced_by_its_neighbour(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_bisection bisection;
    size_t index = 0;
    static const size_t order[] = {4, 3, 5, 2, 6, 1, 7, 0, 8, 9};
    pb_bisection_init(&bisection, 11, &arena);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        assert_true(pb_bisection_next(&bisection, &index));
        assert_int_equal(index, order[i]);
        pb_bisection_take(&bisection, index, PB_BISECT_SKIPPED);
    }
    assert_false(pb_bisection_next(&bisection, &index));
    assert_int_equal(bisection.from, 0);
    assert_int_equal(bisection.to, 10);
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_first_bad_revision_is_found_in_logarithmic_time),
        cmocka_unit_test(what_can_not_be_asked_is_left_out_and_never_blamed_alone),
        cmocka_unit_test(a_skipped_middle_is_replaced_by_its_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
