/* SPDX-License-Identifier: Apache-2.0
 *
 * Error rates of the whole procedure on distributions that break other methods. Since the interval
 * assumes nothing, its rate of misses must be the same on all of them: the exact one, which is
 * checked from both sides. Seeds are fixed; a bound is four deviations of the simulated share.
 */
#include "near.h"
#include "sequence.h"
#include "stats/random.h"

/* Standard normal. source: Box & Muller 1958 */
static double normal(struct pb_random *random)
{
    const double radius = sqrt(-2 * log(1 - pb_random_unit(random)));
    return radius * cos(6.283185307179586 * pb_random_unit(random));
}

static double gaussian(struct pb_random *random)
{
    return 0.003 * normal(random);
}

/* Student's t with three degrees of freedom: heavy tails. */
static double heavy(struct pb_random *random)
{
    double squares = 0;
    for (int i = 0; i < 3; i++) {
        const double z = normal(random);
        squares += z * z;
    }
    return 0.003 * normal(random) / sqrt(squares / 3);
}

/* A third of the processes have one side or the other in a mode 5 % slower. */
static double bimodal(struct pb_random *random)
{
    const double mode = pb_random_unit(random);
    const double shift = mode < 1.0 / 6 ? 0.05 : mode < 1.0 / 3 ? -0.05 : 0;
    return shift + 0.001 * normal(random);
}

/* One launch in twenty is disturbed by up to 100 %. */
static double spikes(struct pb_random *random)
{
    const double size = pb_random_unit(random) < 0.05 ? 2 * pb_random_unit(random) - 1 : 0;
    return size + 0.002 * normal(random);
}

/* A clock so coarse that most launches show exactly the same ratio. */
static double coarse(struct pb_random *random)
{
    return 0.004 * round(normal(random));
}

struct distribution {
    const char *name;
    double (*draw)(struct pb_random *random);
};
static const struct distribution continuous[] = {
    {"gaussian", gaussian}, {"t3", heavy}, {"bimodal", bimodal}, {"spikes", spikes}};
static const struct distribution discrete = {"coarse", coarse};

static void fill(struct pb_random *random, const struct distribution *distribution, double truth,
                 double *d)
{
    for (size_t i = 0; i < LAUNCHES; i++) {
        d[i] = truth + distribution->draw(random);
    }
}

/* Share of sequences in which the interval of any look excludes the truth. */
static double missed_share(const struct distribution *distribution, const struct sequence *plan,
                           int sequences)
{
    const double truth = 0.1;
    int missed = 0;
    struct pb_random random;
    pb_random_init(&random, 1);
    for (int i = 0; i < sequences; i++) {
        double d[LAUNCHES];
        bool miss = false;
        fill(&random, distribution, truth, d);
        for (size_t k = 0; k < LOOKS && !miss; k++) {
            const struct pb_interval interval = look_at(plan, k, d);
            miss = truth < interval.lo || truth > interval.hi;
        }
        missed += miss;
    }
    return (double)missed / sequences;
}

static void intervals_miss_exactly_as_often_as_computed(void **state)
{
    (void)state;
    static const double levels[] = {0.05, 0.01};
    enum { SEQUENCES = 10000 };
    for (size_t i = 0; i < N_ITEMS(levels); i++) {
        const struct sequence plan = plan_sequence(levels[i]);
        const double deviation = sqrt(plan.exact * (1 - plan.exact) / SEQUENCES);
        for (size_t k = 0; k < N_ITEMS(continuous); k++) {
            print_message("%s, level %g\n", continuous[k].name, levels[i]);
            assert_between(missed_share(&continuous[k], &plan, SEQUENCES),
                           plan.exact - 4 * deviation, plan.exact + 4 * deviation);
        }
    }
}

static void ties_only_make_intervals_miss_less(void **state)
{
    (void)state;
    const struct sequence plan = plan_sequence(0.05);
    assert_true(missed_share(&discrete, &plan, 5000) <= plan.exact);
}

/* How often each verdict is given at a true difference. */
static void count_verdicts(const struct distribution *distribution, double truth,
                           struct pb_margins margins, int sequences, unsigned *verdicts)
{
    const struct sequence plan = plan_sequence(0.01);
    struct pb_random random;
    pb_random_init(&random, 2);
    for (int i = 0; i < sequences; i++) {
        double d[LAUNCHES];
        fill(&random, distribution, truth, d);
        verdicts[judge_sequence(&plan, d, margins)]++;
    }
}

static void identical_code_is_falsely_judged_less_often_than_the_level(void **state)
{
    (void)state;
    enum { SEQUENCES = 3000 };
    static const double gates[] = {0, PB_GATE_MARGIN};
    for (size_t i = 0; i < N_ITEMS(gates); i++) {
        const struct pb_margins margins = {gates[i], PB_EQUIVALENCE_MARGIN};
        for (size_t k = 0; k < N_ITEMS(continuous); k++) {
            unsigned verdicts[PB_VERDICTS] = {0};
            count_verdicts(&continuous[k], 0, margins, SEQUENCES, verdicts);
            const unsigned wrong = verdicts[PB_VERDICT_REGRESSED] + verdicts[PB_VERDICT_IMPROVED];
            assert_true(wrong <= SEQUENCES / 100);
            assert_true(verdicts[PB_VERDICT_UNCHANGED] >= SEQUENCES * 97 / 100);
        }
    }
}

static void a_true_change_beyond_the_margin_is_hardly_ever_proven_unchanged(void **state)
{
    (void)state;
    enum { SEQUENCES = 3000 };
    const struct pb_margins margins = {PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN};
    for (size_t k = 0; k < N_ITEMS(continuous); k++) {
        unsigned verdicts[PB_VERDICTS] = {0};
        count_verdicts(&continuous[k], log(1.015), margins, SEQUENCES, verdicts);
        assert_true(verdicts[PB_VERDICT_UNCHANGED] <= SEQUENCES / 100);
        assert_true(verdicts[PB_VERDICT_IMPROVED] == 0);
        assert_true(verdicts[PB_VERDICT_REGRESSED] >= SEQUENCES * 95 / 100);
    }
}

static void a_change_at_the_gate_itself_passes_it_less_often_than_the_level(void **state)
{
    (void)state;
    enum { SEQUENCES = 3000 };
    const struct pb_margins margins = {PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN};
    for (size_t k = 0; k < N_ITEMS(continuous); k++) {
        unsigned verdicts[PB_VERDICTS] = {0};
        count_verdicts(&continuous[k], log1p(PB_GATE_MARGIN), margins, SEQUENCES, verdicts);
        assert_true(verdicts[PB_VERDICT_REGRESSED] <= SEQUENCES / 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_miss_exactly_as_often_as_computed),
        cmocka_unit_test(ties_only_make_intervals_miss_less),
        cmocka_unit_test(identical_code_is_falsely_judged_less_often_than_the_level),
        cmocka_unit_test(a_true_change_beyond_the_margin_is_hardly_ever_proven_unchanged),
        cmocka_unit_test(a_change_at_the_gate_itself_passes_it_less_often_than_the_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
