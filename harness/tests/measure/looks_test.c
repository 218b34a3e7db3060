/* SPDX-License-Identifier: Apache-2.0
 *
 * When a scenario is looked at, and what its intervals cost.
 */
#include "measure/looks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static unsigned rank_of(const struct pb_looks *looks, uint32_t n)
{
    unsigned rank = 99;
    struct pb_error err;
    assert_int_equal(pb_looks_rank(looks, n, &rank, &err), PB_OK);
    return rank;
}

static void planned_looks_keep_the_level_of_all_of_them(void **state)
{
    (void)state;
    /* Published with the method: overall level 0.01 at these looks, exactly 0.0083. */
    static const unsigned at[] = {16, 24, 40, 64, 96};
    static const unsigned ranks[] = {2, 5, 11, 21, 34};
    const struct pb_looks looks = pb_looks_make(0, 0);
    assert_false(looks.fixed);
    assert_int_equal(looks.n, 5);
    assert_int_equal(pb_looks_last(&looks), 96);
    for (size_t i = 0; i < 5; i++) {
        assert_true(pb_looks_has(&looks, at[i]));
        assert_false(pb_looks_has(&looks, at[i] - 1));
        assert_int_equal(rank_of(&looks, at[i]), ranks[i]);
    }
}

static void a_baseline_is_not_looked_at_before_its_launches(void **state)
{
    (void)state;
    const struct pb_looks looks = pb_looks_make(0, 40);
    assert_false(looks.fixed);
    assert_int_equal(looks.n, 3);
    assert_false(pb_looks_has(&looks, 24));
    assert_true(pb_looks_has(&looks, 40));
    assert_int_equal(pb_looks_last(&looks), 96);
}

static void a_look_that_was_not_planned_is_no_bargain(void **state)
{
    (void)state;
    const struct pb_looks looks = pb_looks_make(0, 0);
    for (uint32_t n = 1; n < 130; n++) {
        const struct pb_looks alone = pb_looks_make(n, 0);
        assert_true(rank_of(&looks, n) <= rank_of(&alone, n));
        assert_true(n < 2 || rank_of(&looks, n) + 1 >= rank_of(&looks, n - 1));
    }
}

static void a_fixed_number_is_looked_at_once(void **state)
{
    (void)state;
    /* Largest r with 2 · P(Binomial(n, 1/2) < r) <= 0.01, by hand for n = 8: 2 / 256. */
    static const struct {
        uint32_t n;
        unsigned rank;
    } rows[] = {{1, 0}, {2, 0}, {7, 0}, {8, 1}, {10, 1}, {16, 3}, {40, 12}, {100, 37}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pb_looks looks = pb_looks_make(rows[i].n, 0);
        assert_true(looks.fixed);
        assert_int_equal(pb_looks_last(&looks), rows[i].n);
        assert_true(pb_looks_has(&looks, rows[i].n));
        assert_int_equal(rank_of(&looks, rows[i].n), rows[i].rank);
    }
}

static void fewer_than_a_fixed_number_are_judged_by_what_there_is(void **state)
{
    (void)state;
    const struct pb_looks looks = pb_looks_make(100, 0);
    assert_int_equal(rank_of(&looks, 16), 3);
    assert_int_equal(rank_of(&looks, 40), 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planned_looks_keep_the_level_of_all_of_them),
        cmocka_unit_test(a_baseline_is_not_looked_at_before_its_launches),
        cmocka_unit_test(a_look_that_was_not_planned_is_no_bargain),
        cmocka_unit_test(a_fixed_number_is_looked_at_once),
        cmocka_unit_test(fewer_than_a_fixed_number_are_judged_by_what_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
