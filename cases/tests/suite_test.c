/* SPDX-License-Identifier: Apache-2.0
 *
 * What holds for every case of this suite: names, outputs, golden bytes, memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "fake_env.h"

/* Calls a check on every scenario of every case. */
static void each_scenario(void (*check)(const struct pb_case *, const struct pb_scenario *))
{
    const struct pb_suite *suite = pairbench_suite();
    assert_true(suite->n_cases > 0);
    for (size_t i = 0; i < suite->n_cases; ++i) {
        for (size_t k = 0; k < suite->cases[i]->n_scenarios; ++k) {
            check(suite->cases[i], &suite->cases[i]->scenarios[k]);
        }
    }
}

static void check_names(const struct pb_case *c, const struct pb_scenario *scenario)
{
    assert_string_equal(c->variants[0].name, "old");
    assert_null(strchr(scenario->name, '/'));
    assert_true(scenario->summary[0] != '\0' && c->summary[0] != '\0' && c->source[0] != '\0');
    for (const struct pb_scenario *before = c->scenarios; before < scenario; ++before) {
        assert_string_not_equal(before->name, scenario->name);
    }
}

static void test_names_are_single_and_the_first_variant_is_old(void **state)
{
    (void)state;
    each_scenario(check_names);
}

static void assert_same(const struct pb_case *c, const struct pb_scenario *scenario,
                        const struct pb_variant *variant, struct pb_bytes a, struct pb_bytes b)
{
    if (a.size != b.size || (a.size > 0 && memcmp(a.data, b.data, a.size) != 0)) {
        fail_msg("%s/%s/%s differs", c->name, scenario->name, variant->name);
    }
}

/* returns: false when the variant says that it can't be measured here */
static bool run_or_fail(struct fake_env *fake, const struct pb_case *c,
                        const struct pb_scenario *scenario, const struct pb_variant *variant)
{
    if (!fake_env_run(fake, variant, scenario, 3) && !fake->skipped) {
        fail_msg("%s/%s/%s: %s", c->name, scenario->name, variant->name, fake->message);
    }
    return !fake->skipped;
}

static void check_outputs(const struct pb_case *c, const struct pb_scenario *scenario)
{
    struct fake_env old;
    struct fake_env fake;
    fake_env_init(&old);
    fake_env_init(&fake);
    if (!run_or_fail(&old, c, scenario, &c->variants[0])) {
        goto out;
    }
    if (scenario->golden.data != NULL) {
        assert_same(c, scenario, &c->variants[0], fake_env_output(&old), scenario->golden);
    }
    for (size_t i = 1; i < c->n_variants; ++i) {
        if (run_or_fail(&fake, c, scenario, &c->variants[i]) &&
            (c->variants[i].flags & PAIRBENCH_VARIANT_BOUND) == 0) {
            assert_same(c, scenario, &c->variants[i], fake_env_output(&fake),
                        fake_env_output(&old));
        }
    }
out:
    fake_env_release(&old);
    fake_env_release(&fake);
}

static void test_every_variant_gives_what_old_gives_and_old_the_golden_bytes(void **state)
{
    (void)state;
    each_scenario(check_outputs);
}

/* Whichever piece of memory is not to be had, the variant fails and says so. */
static void check_no_memory(const struct pb_case *c, const struct pb_scenario *scenario)
{
    if ((scenario->flags & PAIRBENCH_SCENARIO_ON_REQUEST) != 0) {
        return; /* too large to be built this often */
    }
    struct fake_env fake;
    fake_env_init(&fake);
    for (size_t i = 0; i < c->n_variants; ++i) {
        fake.fail_at = SIZE_MAX;
        if (!run_or_fail(&fake, c, scenario, &c->variants[i])) {
            continue;
        }
        const size_t n_allocs = fake.n_allocs;
        const size_t step = n_allocs < 40 ? 1 : n_allocs / 40;
        for (size_t k = 0; k < n_allocs; k += step) {
            fake.fail_at = k;
            assert_false(fake_env_run(&fake, &c->variants[i], scenario, 1));
            assert_string_equal(fake.message, "the arena is used up");
        }
    }
    fake_env_release(&fake);
}

static void test_a_variant_without_memory_fails_and_does_not_crash(void **state)
{
    (void)state;
    each_scenario(check_no_memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_single_and_the_first_variant_is_old),
        cmocka_unit_test(test_every_variant_gives_what_old_gives_and_old_the_golden_bytes),
        cmocka_unit_test(test_a_variant_without_memory_fails_and_does_not_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
