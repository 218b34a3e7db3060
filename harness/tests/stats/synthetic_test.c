/* SPDX-License-Identifier: Apache-2.0
 *
 * The procedure on simulated launches, with other seeds than the one that `selftest` uses.
 */
#include "stats/synthetic.h"

#include "near.h"

static struct pb_synthetic_report run(uint64_t seed, uint64_t n_sequences)
{
    struct pb_synthetic_report report;
    assert_int_equal(pb_synthetic_run(seed, n_sequences, &report, NULL), PB_OK);
    return report;
}

static void everything_keeps_within_what_is_stated(void **state)
{
    (void)state;
    const struct pb_synthetic_report report = run(2, 3000);
    assert_true(report.n_checks > 30);
    for (size_t i = 0; i < report.n_checks; i++) {
        const struct pb_synthetic_check *check = &report.checks[i];
        if (!check->holds) {
            print_error("%s, %s: %llu of %llu, not within %g and %g\n", check->what,
                        check->distribution, (unsigned long long)check->k,
                        (unsigned long long)check->n, check->least, check->most);
        }
    }
    assert_int_equal(report.n_failed, 0);
    assert_true(report.n_launches > 5000000);
}

static void the_same_seed_gives_the_same_counts(void **state)
{
    (void)state;
    const struct pb_synthetic_report one = run(7, 200);
    const struct pb_synthetic_report same = run(7, 200);
    const struct pb_synthetic_report other = run(8, 200);
    size_t n_others = 0;
    for (size_t i = 0; i < one.n_checks; i++) {
        assert_int_equal(one.checks[i].k, same.checks[i].k);
        n_others += one.checks[i].k != other.checks[i].k;
    }
    assert_true(n_others > 0);
}

static void too_few_sequences_are_refused(void **state)
{
    (void)state;
    struct pb_synthetic_report report;
    struct pb_error err;
    assert_int_equal(pb_synthetic_run(1, 99, &report, &err), PB_ERR_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_keeps_within_what_is_stated),
        cmocka_unit_test(the_same_seed_gives_the_same_counts),
        cmocka_unit_test(too_few_sequences_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
