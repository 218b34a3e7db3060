/* SPDX-License-Identifier: Apache-2.0
 *
 * Holm's adjustment on examples that were worked out elsewhere.
 */
#include "stats/multiplicity.h"

#include "near.h"
#include "stats/random.h"

static void adjusted_values_are_those_of_the_examples(void **state)
{
    (void)state;
    enum { VALUES_MAX = 5 };
    static const struct {
        size_t n;
        double p[VALUES_MAX];
        double adjusted[VALUES_MAX];
    } rows[] = {
        {1, {0.03}, {0.03}},
        /* four hypotheses at 0.05: the two smallest are rejected, the others are not */
        {4, {0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
        /* as R's p.adjust(…, "holm") gives it */
        {5, {0.01, 0.02, 0.03, 0.04, 0.05}, {0.05, 0.08, 0.09, 0.09, 0.09}},
        {3, {0.9, 0.5, 0.6}, {1, 1, 1}},
        {3, {0.02, 0.02, 0.02}, {0.06, 0.06, 0.06}},
        {3, {0, 0.5, 0}, {0, 0.5, 0}},
        {3, {0.001, NAN, 0.01}, {0.003, 1, 0.02}},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        double adjusted[VALUES_MAX];
        pb_holm_adjust(rows[i].p, rows[i].n, adjusted);
        for (size_t k = 0; k < rows[i].n; k++) {
            assert_near(adjusted[k], rows[i].adjusted[k], 1e-15);
        }
    }
}

static void no_hypotheses_are_no_trouble(void **state)
{
    (void)state;
    const double p = 0.5;
    double untouched = 7;
    pb_holm_adjust(&p, 0, &untouched);
    assert_near(untouched, 7, 0);
}

static void the_family_wise_rate_is_kept_and_used(void **state)
{
    (void)state;
    /* Fifty true hypotheses, independent: 1 - (1 - 0.01/50)^50 of the families err. */
    enum { FAMILIES = 20000, SIZE = 50 };
    struct pb_random random;
    pb_random_init(&random, 1);
    unsigned wrong = 0;
    for (int family = 0; family < FAMILIES; family++) {
        double p[SIZE];
        double adjusted[SIZE];
        double smallest = 1;
        for (size_t i = 0; i < SIZE; i++) {
            p[i] = pb_random_unit(&random);
        }
        pb_holm_adjust(p, SIZE, adjusted);
        for (size_t i = 0; i < SIZE; i++) {
            smallest = fmin(smallest, adjusted[i]);
        }
        wrong += smallest <= 0.01;
    }
    assert_between((double)wrong / FAMILIES, 0.0072, 0.0128); /* four deviations */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjusted_values_are_those_of_the_examples),
        cmocka_unit_test(no_hypotheses_are_no_trouble),
        cmocka_unit_test(the_family_wise_rate_is_kept_and_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
