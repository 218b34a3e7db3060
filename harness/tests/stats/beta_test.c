/* SPDX-License-Identifier: Apache-2.0
 *
 * The incomplete beta function where it has a closed form, Student's t against its table.
 */
#include "stats/beta.h"

#include "near.h"

static const double pi = 3.14159265358979323846;

static void powers_have_a_closed_form(void **state)
{
    (void)state;
    static const double x[] = {0.001, 0.1, 0.25, 0.5, 0.77, 0.999};
    static const double b[] = {0.3, 1, 2, 7.5, 60, 1000};
    for (size_t i = 0; i < N_ITEMS(x); i++) {
        for (size_t j = 0; j < N_ITEMS(b); j++) {
            assert_near(pb_beta_regularized(x[i], b[j], 1), pow(x[i], b[j]), 1e-12);
            assert_near(pb_beta_regularized(x[i], 1, b[j]), 1 - pow(1 - x[i], b[j]), 1e-12);
        }
    }
}

static void the_arcsine_distribution_has_a_closed_form(void **state)
{
    (void)state;
    for (int i = 0; i <= 20; i++) {
        const double x = i / 20.0;
        assert_near(pb_beta_regularized(x, 0.5, 0.5), 2 / pi * asin(sqrt(x)), 1e-12);
    }
}

static void both_tails_together_are_one(void **state)
{
    (void)state;
    static const double a[] = {0.5, 1, 3, 48, 2000};
    for (size_t i = 0; i < N_ITEMS(a); i++) {
        assert_near(pb_beta_regularized(0.5, a[i], a[i]), 0.5, 1e-11);
        for (size_t j = 0; j < N_ITEMS(a); j++) {
            for (int step = 1; step < 20; step += 2) {
                const double x = step / 20.0;
                const double sum =
                    pb_beta_regularized(x, a[i], a[j]) + pb_beta_regularized(1 - x, a[j], a[i]);
                assert_near(sum, 1, 1e-11);
            }
        }
    }
}

static void arguments_out_of_range_give_nan(void **state)
{
    (void)state;
    assert_near(pb_beta_regularized(0, 2, 3), 0, 0);
    assert_near(pb_beta_regularized(1, 2, 3), 1, 0);
    assert_true(isnan(pb_beta_regularized(-0.1, 2, 3)));
    assert_true(isnan(pb_beta_regularized(1.1, 2, 3)));
    assert_true(isnan(pb_beta_regularized(0.5, 0, 3)));
    assert_true(isnan(pb_beta_regularized(0.5, 2, -1)));
    assert_true(isnan(pb_beta_regularized(NAN, 2, 3)));
}

static void student_has_closed_forms_at_one_and_two_degrees(void **state)
{
    (void)state;
    for (int step = -16; step <= 16; step++) {
        const double t = step / 2.0;
        const double distance = fabs(t);
        assert_near(pb_student_two_sided(t, 1), 1 - 2 / pi * atan(distance), 1e-12);
        assert_near(pb_student_two_sided(t, 2), 1 - distance / sqrt(2 + t * t), 1e-12);
    }
}

static void student_agrees_with_the_table(void **state)
{
    (void)state;
    /* source: the table of critical values in every textbook, with more digits */
    static const struct {
        double t;
        double freedom;
        double p;
    } rows[] = {
        {12.7062047, 1, 0.05},   {2.228138852, 10, 0.05}, {3.169272667, 10, 0.01},
        {2.042272456, 30, 0.05}, {4.587, 10, 0.001},      {1.983971519, 100, 0.05},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        assert_near(pb_student_two_sided(rows[i].t, rows[i].freedom), rows[i].p, 1e-6);
    }
}

static void student_accepts_what_a_perfect_correlation_gives(void **state)
{
    (void)state;
    assert_near(pb_student_two_sided(INFINITY, 5), 0, 0);
    assert_near(pb_student_two_sided(-INFINITY, 5), 0, 0);
    assert_near(pb_student_two_sided(0, 5), 1, 1e-15);
    assert_true(isnan(pb_student_two_sided(NAN, 5)));
    assert_true(isnan(pb_student_two_sided(1, 0)));
    assert_true(isnan(pb_student_two_sided(INFINITY, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_have_a_closed_form),
        cmocka_unit_test(the_arcsine_distribution_has_a_closed_form),
        cmocka_unit_test(both_tails_together_are_one),
        cmocka_unit_test(arguments_out_of_range_give_nan),
        cmocka_unit_test(student_has_closed_forms_at_one_and_two_degrees),
        cmocka_unit_test(student_agrees_with_the_table),
        cmocka_unit_test(student_accepts_what_a_perfect_correlation_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
