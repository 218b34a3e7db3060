/* SPDX-License-Identifier: Apache-2.0
 *
 * The generator against the outputs that its authors' programs print, and the draws made from it
 * against what chance must look like. All seeds are fixed.
 */
#include "stats/random.h"

#include <string.h>

#include "near.h"

static void xoshiro_gives_the_reference_outputs(void **state)
{
    (void)state;
    /* source: xoshiro256starstar.c of Blackman & Vigna, started at 1, 2, 3, 4 */
    static const uint64_t expected[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
        UINT64_C(10595114339597558777),
        UINT64_C(2904607092377533576),
    };
    struct pb_random random = {.s = {1, 2, 3, 4}};
    for (size_t i = 0; i < N_ITEMS(expected); i++) {
        assert_true(pb_random_u64(&random) == expected[i]);
    }
}

static void seeding_gives_the_reference_outputs_of_splitmix64(void **state)
{
    (void)state;
    /* source: splitmix64.c of Vigna, started at 1234567 */
    static const uint64_t expected[4] = {
        UINT64_C(6457827717110365317),
        UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431),
    };
    struct pb_random random;
    pb_random_init(&random, 1234567);
    assert_memory_equal(random.s, expected, sizeof expected);
}

static void seed_zero_gives_a_state_that_is_not_zero(void **state)
{
    (void)state;
    struct pb_random random;
    pb_random_init(&random, 0);
    /* The first output of splitmix64 from 0, as its author's program prints it. */
    assert_true(random.s[0] == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(pb_random_u64(&random) != 0 || pb_random_u64(&random) != 0);
}

static void the_same_seed_repeats_the_sequence(void **state)
{
    (void)state;
    struct pb_random one;
    struct pb_random other;
    pb_random_init(&one, 42);
    pb_random_init(&other, 42);
    for (int i = 0; i < 1000; i++) {
        assert_true(pb_random_u64(&one) == pb_random_u64(&other));
    }
}

static void below_stays_below_its_bound(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {1, 2, 3, 7, 4096, UINT64_C(1) << 63, UINT64_MAX};
    struct pb_random random;
    pb_random_init(&random, 1);
    for (size_t i = 0; i < N_ITEMS(bounds); i++) {
        for (int draw = 0; draw < 1000; draw++) {
            assert_true(pb_random_below(&random, bounds[i]) < bounds[i]);
        }
    }
}

static void below_has_no_modulo_bias(void **state)
{
    (void)state;
    /* 2^64 is a third more than this bound: mapped without rejection, one residue of three would
     * come up half of the time. */
    const uint64_t bound = UINT64_C(3) << 62;
    enum { DRAWS = 30000 };
    unsigned count[3] = {0};
    struct pb_random random;
    pb_random_init(&random, 2);
    for (int draw = 0; draw < DRAWS; draw++) {
        count[pb_random_below(&random, bound) % 3]++;
    }
    for (size_t i = 0; i < 3; i++) {
        assert_between(count[i], DRAWS / 3.0 - 330, DRAWS / 3.0 + 330); /* four deviations */
    }
}

static void unit_is_uniform_over_zero_to_one_without_one(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    struct pb_random random;
    pb_random_init(&random, 3);
    double sum = 0;
    double squares = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        const double u = pb_random_unit(&random);
        assert_true(u >= 0 && u < 1);
        sum += u;
        squares += u * u;
    }
    assert_near(sum / DRAWS, 1.0 / 2, 0.004); /* four deviations of 0.289 / √n */
    assert_near(squares / DRAWS, 1.0 / 3, 0.004);
}

static void unit_uses_the_upper_53_bits(void **state)
{
    (void)state;
    /* The first output is 11520, all of it in the bits that are dropped but 5 · 2^11. */
    struct pb_random random = {.s = {1, 2, 3, 4}};
    assert_near(pb_random_unit(&random), 5 * 0x1p-53, 0);
}

static void shuffle_keeps_every_element(void **state)
{
    (void)state;
    uint32_t x[100];
    unsigned seen[100] = {0};
    for (uint32_t i = 0; i < 100; i++) {
        x[i] = i;
    }
    struct pb_random random;
    pb_random_init(&random, 4);
    pb_random_shuffle(&random, x, 100);
    unsigned moved = 0;
    for (uint32_t i = 0; i < 100; i++) {
        seen[x[i]]++;
        moved += x[i] != i;
    }
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(seen[i], 1);
    }
    assert_true(moved > 80);
}

static void shuffle_makes_every_order_equally_likely(void **state)
{
    (void)state;
    enum { ORDERS = 24, EACH = 1000 };
    unsigned count[256] = {0};
    struct pb_random random;
    pb_random_init(&random, 5);
    for (int draw = 0; draw < ORDERS * EACH; draw++) {
        uint32_t x[4] = {0, 1, 2, 3};
        pb_random_shuffle(&random, x, 4);
        count[x[0] + 4 * x[1] + 16 * x[2] + 64 * x[3]]++;
    }
    double chi_square = 0;
    unsigned orders = 0;
    for (size_t i = 0; i < 256; i++) {
        if (count[i] > 0) {
            orders++;
            chi_square += ((double)count[i] - EACH) * ((double)count[i] - EACH) / EACH;
        }
    }
    assert_int_equal(orders, ORDERS);
    assert_true(chi_square < 49.73); /* 0.999 quantile of chi-square with 23 degrees of freedom */
}

static void shuffle_of_nothing_or_one_draws_nothing(void **state)
{
    (void)state;
    struct pb_random random = {.s = {1, 2, 3, 4}};
    const struct pb_random before = random;
    uint32_t one = 7;
    pb_random_shuffle(&random, NULL, 0);
    pb_random_shuffle(&random, &one, 1);
    assert_int_equal(one, 7);
    assert_memory_equal(&random, &before, sizeof before);
}

static void derived_seeds_differ_between_streams_and_between_seeds(void **state)
{
    (void)state;
    enum { SEEDS = 32, STREAMS = 32 };
    uint64_t derived[SEEDS * STREAMS];
    size_t n = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        for (uint64_t stream = 0; stream < STREAMS; stream++) {
            derived[n++] = pb_random_derive(seed, stream);
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(derived[i] != derived[j]);
        }
    }
    assert_true(pb_random_derive(7, 3) == derived[7 * STREAMS + 3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xoshiro_gives_the_reference_outputs),
        cmocka_unit_test(seeding_gives_the_reference_outputs_of_splitmix64),
        cmocka_unit_test(seed_zero_gives_a_state_that_is_not_zero),
        cmocka_unit_test(the_same_seed_repeats_the_sequence),
        cmocka_unit_test(below_stays_below_its_bound),
        cmocka_unit_test(below_has_no_modulo_bias),
        cmocka_unit_test(unit_is_uniform_over_zero_to_one_without_one),
        cmocka_unit_test(unit_uses_the_upper_53_bits),
        cmocka_unit_test(shuffle_keeps_every_element),
        cmocka_unit_test(shuffle_makes_every_order_equally_likely),
        cmocka_unit_test(shuffle_of_nothing_or_one_draws_nothing),
        cmocka_unit_test(derived_seeds_differ_between_streams_and_between_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
