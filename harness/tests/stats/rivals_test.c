/* SPDX-License-Identifier: Apache-2.0
 *
 * The methods of others do what they are known for, rightly and wrongly.
 */
#include "stats/rivals.h"

#include <string.h>

#include "near.h"
#include "stats/simulate.h"

enum { N = 40, TRIALS = 400 };

static const struct pb_rival *find(const char *name)
{
    size_t n = 0;
    const struct pb_rival *rivals = pb_rivals_all(&n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(rivals[i].name, name) == 0) {
            return &rivals[i];
        }
    }
    fail_msg("no method %s", name);
    return NULL;
}

/* How often a verdict is given on independent repetitions with a spread of 1 %. */
static int count(const char *name, double change, double process_change, enum pb_verdict verdict)
{
    const struct pb_rival *rival = find(name);
    struct pb_random random;
    int counted = 0;
    pb_random_init(&random, 1);
    for (int i = 0; i < TRIALS; i++) {
        double base[N];
        double head[N];
        const double luck = process_change * pb_simulate_normal(&random);
        for (int k = 0; k < N; k++) {
            base[k] = 100 * (1 + 0.01 * pb_simulate_normal(&random));
            head[k] = 100 * (1 + change + luck + 0.01 * pb_simulate_normal(&random));
        }
        const struct pb_repetitions repetitions = {base, N, head, N};
        counted += rival->judge(&repetitions, &random) == verdict;
    }
    return counted;
}

static void independent_repetitions_are_judged_at_the_level(void **state)
{
    (void)state;
    static const char *const names[] = {"u_test", "mean_bootstrap"};
    for (size_t i = 0; i < N_ITEMS(names); i++) {
        const int calm = count(names[i], 0, 0, PB_VERDICT_INCONCLUSIVE);
        assert_between(calm, 0.95 * TRIALS - 20, 0.95 * TRIALS + 14);
        assert_true(count(names[i], 0.02, 0, PB_VERDICT_REGRESSED) > TRIALS * 99 / 100);
        assert_true(count(names[i], -0.02, 0, PB_VERDICT_IMPROVED) > TRIALS * 99 / 100);
    }
}

/* What a process is lucky with, all its repetitions share. */
static void the_luck_of_a_process_is_taken_for_a_change(void **state)
{
    (void)state;
    static const char *const names[] = {"u_test", "mean_bootstrap"};
    for (size_t i = 0; i < N_ITEMS(names); i++) {
        assert_true(count(names[i], 0, 0.02, PB_VERDICT_INCONCLUSIVE) < TRIALS / 2);
    }
}

static void a_fixed_threshold_sees_what_is_beyond_it_and_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(count("min", 0, 0, PB_VERDICT_INCONCLUSIVE), TRIALS);
    assert_int_equal(count("min", 0.02, 0, PB_VERDICT_INCONCLUSIVE), TRIALS);
    assert_int_equal(count("min", 0.10, 0, PB_VERDICT_REGRESSED), TRIALS);
    assert_int_equal(count("min", -0.10, 0, PB_VERDICT_IMPROVED), TRIALS);
}

static void without_repetitions_nothing_is_said(void **state)
{
    (void)state;
    static const double base[] = {1, 2};
    const struct pb_repetitions repetitions = {base, 2, base, 0};
    size_t n = 0;
    const struct pb_rival *rivals = pb_rivals_all(&n);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < n; i++) {
        struct pb_random random;
        pb_random_init(&random, 1);
        assert_int_equal(rivals[i].judge(&repetitions, &random), PB_VERDICT_INCONCLUSIVE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_repetitions_are_judged_at_the_level),
        cmocka_unit_test(the_luck_of_a_process_is_taken_for_a_change),
        cmocka_unit_test(a_fixed_threshold_sees_what_is_beyond_it_and_nothing_else),
        cmocka_unit_test(without_repetitions_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
