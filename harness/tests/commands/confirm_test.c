/* SPDX-License-Identifier: Apache-2.0
 *
 * From flagged to confirmed: single decisions on ratios made by hand, and whole nights of screening
 * and confirming on simulated and on recorded launches.
 */
#include "commands/comparing/confirm.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/looks.h"
#include "stats/interval.h"
#include "stats/multiplicity.h"
#include "stats/random.h"

static const struct pb_margins usual = {PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN};

/* A single look after n launches. */
static struct pb_looks one_look(size_t n, struct pb_margins margins)
{
    struct pb_looks looks = pb_looks_make((uint32_t)n, 0);
    looks.margins = margins;
    return looks;
}

/* A pair of n launches, of which the last `beyond` show this change and the others none. */
static struct pb_pair_record pair_of(double change, size_t n, size_t beyond, double *d)
{
    for (size_t i = 0; i < n; i++) {
        d[i] = i >= n - beyond ? log1p(change) : 0;
    }
    return (struct pb_pair_record){
        .d = d,
        .n_launches = n,
        .estimate = beyond > n / 2 ? log1p(change) : 0,
        .lo = -INFINITY,
        .hi = INFINITY,
        .verdict = PB_VERDICT_INCONCLUSIVE,
    };
}

static void regressed_and_improved_are_flagged_and_nothing_else(void **state)
{
    (void)state;
    for (int i = 0; i < PB_VERDICTS; i++) {
        const struct pb_pair_record pair = {.verdict = (enum pb_verdict)i};
        assert_int_equal(pb_is_flagged(&pair),
                         i == PB_VERDICT_REGRESSED || i == PB_VERDICT_IMPROVED);
    }
}

/* Of fair coins 43 of 64 or more on one side: 2 · P(X >= 43) = 0.00815; 42: 0.01686. */
static void with_one_look_p_is_the_sign_test_in_the_flagged_direction(void **state)
{
    (void)state;
    double d[64];
    static const struct {
        double change;
        size_t beyond;
        enum pb_verdict flagged;
        double p;
    } rows[] = {
        {0.01, 43, PB_VERDICT_REGRESSED, 0.00814690}, {0.01, 42, PB_VERDICT_REGRESSED, 0.0168582},
        {0.01, 64, PB_VERDICT_REGRESSED, 1e-15},      {-0.01, 43, PB_VERDICT_IMPROVED, 0.00814690},
        {0.01, 64, PB_VERDICT_IMPROVED, 1},           {-0.01, 64, PB_VERDICT_REGRESSED, 1},
        {0.002, 64, PB_VERDICT_REGRESSED, 1},         {0.01, 32, PB_VERDICT_REGRESSED, 1},
    };
    const struct pb_looks looks = one_look(64, usual);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_error err;
        double p;
        const struct pb_pair_record pair = pair_of(rows[i].change, 64, rows[i].beyond, d);
        assert_int_equal(pb_confirm_p(&pair, rows[i].flagged, &looks, &p, &err), PB_OK);
        if (!(fabs(p / rows[i].p - 1) < 1e-5)) {
            fail_msg("row %zu: %.9g instead of %.9g", i, p, rows[i].p);
        }
    }
}

/* p is at most a level exactly when the interval at that level lies beyond the margin at a look. */
static void with_several_looks_p_agrees_with_the_intervals(void **state)
{
    (void)state;
    const struct pb_looks looks = pb_confirm_looks(1, usual);
    struct pb_random random;
    pb_random_init(&random, 3);
    for (int trial = 0; trial < 60; trial++) {
        double d[144];
        const size_t n = trial % 3 == 0 ? 61 : looks.at[trial % 4]; /* 61: a budget ended it */
        const double share = 0.4 + 0.6 * pb_random_unit(&random);
        for (size_t i = 0; i < n; i++) {
            d[i] = pb_random_unit(&random) < share ? 0.01 : 0;
        }
        const struct pb_pair_record pair = {.d = d, .n_launches = n};
        struct pb_error err;
        double p;
        assert_int_equal(pb_confirm_p(&pair, PB_VERDICT_REGRESSED, &looks, &p, &err), PB_OK);
        static const double levels[] = {0.2, 0.05, 0.01, 0.001, 1e-6};
        for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
            unsigned at[] = {24, 48, 61, 96, 144};
            unsigned ranks[5];
            bool beyond = false;
            const bool planned = n != 61;
            if (planned) {
                memmove(at + 2, at + 3, 2 * sizeof *at);
            }
            assert_int_equal(pb_interval_ranks(at, planned ? 4 : 5, levels[k], ranks, NULL, &err),
                             PB_OK);
            for (size_t look = 0; look < 5 && at[look] <= n && (planned ? look < 4 : true);
                 look++) {
                double sorted[144];
                memcpy(sorted, d, at[look] * sizeof *d);
                beyond =
                    beyond || pb_median_interval(sorted, at[look], ranks[look]).lo > log1p(0.0025);
            }
            assert_int_equal(beyond, p <= levels[k]);
        }
    }
}

/* Judges pairs of which number i has beyond[i] of 64 launches at a change, at one look. */
static void judge(const size_t *beyond, size_t n, double change, struct pb_pair_record *judged,
                  double *p, struct pb_arena *arena)
{
    enum { MOST = 8 };
    double d[MOST][64];
    struct pb_pair_record first[MOST];
    struct pb_pair_record fresh[MOST];
    const struct pb_pair_record *screen[MOST];
    const struct pb_pair_record *again[MOST];
    struct pb_error err;
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++) {
        first[i] = (struct pb_pair_record){.verdict = change > 0 ? PB_VERDICT_REGRESSED
                                                                 : PB_VERDICT_IMPROVED,
                                           .estimate = log1p(change)};
        fresh[i] = pair_of(change, 64, beyond[i], d[i]);
        screen[i] = &first[i];
        again[i] = &fresh[i];
    }
    const struct pb_looks looks = one_look(64, usual);
    struct pb_confirmation confirmation = {.screen = screen, .fresh = again, .n = n};
    confirmation.judged = judged;
    confirmation.p = p;
    assert_int_equal(pb_confirm_judge(&confirmation, &looks, arena, &err), PB_OK);
}

static void what_is_confirmed_has_its_verdict_whatever_its_direction(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_pair_record judged;
    double p;
    judge((const size_t[]){60}, 1, 0.02, &judged, &p, &arena);
    assert_int_equal(judged.verdict, PB_VERDICT_REGRESSED);
    assert_null(judged.reason);
    judge((const size_t[]){60}, 1, -0.02, &judged, &p, &arena);
    assert_int_equal(judged.verdict, PB_VERDICT_IMPROVED);
    assert_true(p < 1e-9);
    pb_arena_release(&arena);
}

static void holm_is_applied_over_all_that_was_flagged(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_pair_record judged[3];
    double p[3];
    judge((const size_t[]){43}, 1, 0.02, judged, p, &arena);
    assert_int_equal(judged[0].verdict, PB_VERDICT_REGRESSED); /* alone it is confirmed */
    judge((const size_t[]){43, 60, 43}, 3, 0.02, judged, p, &arena);
    assert_int_equal(judged[0].verdict, PB_VERDICT_INCONCLUSIVE);
    assert_int_equal(judged[1].verdict, PB_VERDICT_REGRESSED);
    assert_int_equal(judged[2].verdict, PB_VERDICT_INCONCLUSIVE);
    assert_true(p[0] > 0.016 && p[0] < 0.017); /* doubled: one with a smaller p was rejected */
    assert_non_null(strstr(judged[0].reason, "64 fresh launches did not confirm"));
    assert_non_null(strstr(judged[0].reason, "+2.00 %"));
    pb_arena_release(&arena);
}

/* Judges one pair that was flagged as regressed by 2 %. */
static struct pb_pair_record judge_one(const struct pb_pair_record *fresh, double *p,
                                       struct pb_arena *arena)
{
    const struct pb_pair_record first = {.verdict = PB_VERDICT_REGRESSED, .estimate = 0.02};
    const struct pb_pair_record *screen = &first;
    const struct pb_looks looks = one_look(64, usual);
    struct pb_pair_record judged;
    struct pb_confirmation confirmation = {.screen = &screen, .fresh = &fresh, .n = 1};
    confirmation.judged = &judged;
    confirmation.p = p;
    struct pb_error err;
    assert_int_equal(pb_confirm_judge(&confirmation, &looks, arena, &err), PB_OK);
    return judged;
}

static void what_is_not_confirmed_may_still_be_proven_unchanged(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    double d[64];
    double p;
    struct pb_pair_record fresh = pair_of(0.02, 64, 10, d);
    fresh.lo = -0.001;
    fresh.hi = 0.001;
    const struct pb_pair_record judged = judge_one(&fresh, &p, &arena);
    assert_int_equal(judged.verdict, PB_VERDICT_UNCHANGED);
    assert_true(p == 1);
    assert_non_null(judged.reason);
    pb_arena_release(&arena);
}

static void a_side_that_failed_the_second_time_has_failed(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    double p;
    const struct pb_pair_record fresh = {.verdict = PB_VERDICT_FAILED, .reason = "died"};
    const struct pb_pair_record judged = judge_one(&fresh, &p, &arena);
    assert_int_equal(judged.verdict, PB_VERDICT_FAILED);
    assert_string_equal(judged.reason, "died");
    pb_arena_release(&arena);
}

static void a_drift_takes_a_verdict_that_depends_on_the_time(void **state)
{
    (void)state;
    static const struct {
        double from;
        double to;
        enum pb_verdict before;
        enum pb_verdict after;
    } rows[] = {
        {-0.010, 0.030, PB_VERDICT_REGRESSED, PB_VERDICT_INCONCLUSIVE},
        {0.020, 0.040, PB_VERDICT_REGRESSED, PB_VERDICT_REGRESSED},
        {-0.012, 0.012, PB_VERDICT_UNCHANGED, PB_VERDICT_UNCHANGED},
        {-0.030, 0.030, PB_VERDICT_UNCHANGED, PB_VERDICT_INCONCLUSIVE},
        {-0.040, -0.020, PB_VERDICT_IMPROVED, PB_VERDICT_IMPROVED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_arena arena = {0};
        double d[64];
        struct pb_pair_record pair = pair_of(0, 64, 0, d);
        for (size_t k = 0; k < 64; k++) {
            d[k] = rows[i].from + (rows[i].to - rows[i].from) * (double)k / 63;
        }
        pair.verdict = rows[i].before;
        pb_confirm_check_drift(&pair, (struct pb_margins){0.0025, 0.01}, &arena);
        assert_int_equal(pair.verdict, rows[i].after);
        assert_int_equal(pair.reason != NULL, rows[i].before != rows[i].after);
        pb_arena_release(&arena);
    }
}

enum { LAUNCHES = 96, AGAIN_MAX = 144, BENCHMARKS = 50 };

/* Where launches come from: recorded ones, or Laplace noise of 5 %. */
struct source {
    struct pb_random random;
    const double *recorded; /* NULL = noise */
    size_t n_recorded;
    double shift;
};

static double draw(struct source *source)
{
    if (source->recorded != NULL) {
        return source->recorded[pb_random_below(&source->random, source->n_recorded)];
    }
    const double u = pb_random_unit(&source->random) - 0.5;
    return source->shift - copysign(0.05 * log1p(-2 * fabs(u)), u);
}

/* The looks of a screen with their ranks. */
struct screen {
    struct pb_looks looks;
    unsigned calling[5];
    unsigned proving[5];
};

static struct screen make_screen(void)
{
    struct screen screen = {.looks = pb_looks_make(0, 0)};
    struct pb_error err;
    for (size_t k = 0; k < 5; k++) {
        assert_int_equal(pb_looks_rank_at(&screen.looks, PB_SCREEN_LEVEL, screen.looks.at[k],
                                          &screen.calling[k], &err),
                         PB_OK);
        assert_int_equal(pb_looks_rank(&screen.looks, screen.looks.at[k], &screen.proving[k], &err),
                         PB_OK);
    }
    return screen;
}

static struct pb_interval interval_of(const double *d, size_t n, unsigned rank)
{
    double sorted[AGAIN_MAX];
    memcpy(sorted, d, n * sizeof *d);
    return pb_median_interval(sorted, n, rank);
}

/* Screens one benchmark. returns: what it flags, else PB_VERDICT_INCONCLUSIVE or _UNCHANGED */
static enum pb_verdict screen_one(const struct screen *screen, struct source *source,
                                  struct pb_margins margins)
{
    double d[LAUNCHES] = {0};
    size_t n = 0;
    for (size_t k = 0; k < 5; k++) {
        for (; n < screen->looks.at[k]; n++) {
            d[n] = draw(source);
        }
        const struct pb_pair_record called = {
            .verdict = pb_pair_verdict(interval_of(d, n, screen->calling[k]), margins)};
        if (pb_is_flagged(&called)) {
            return called.verdict;
        }
        if (pb_pair_verdict(interval_of(d, n, screen->proving[k]), margins) ==
            PB_VERDICT_UNCHANGED) {
            return PB_VERDICT_UNCHANGED;
        }
    }
    return PB_VERDICT_INCONCLUSIVE;
}

/* Launches of a confirmation, up to the look that decides. returns: how many */
static size_t measure_again(struct source *source, const struct pb_looks *looks, double *d)
{
    size_t n = 0;
    for (size_t k = 0; k < looks->n; k++) {
        unsigned calling = 0;
        unsigned proving = 0;
        struct pb_error err;
        for (; n < looks->at[k]; n++) {
            d[n] = draw(source);
        }
        assert_int_equal(pb_looks_rank_at(looks, looks->change_level, looks->at[k], &calling, &err),
                         PB_OK);
        assert_int_equal(pb_looks_rank(looks, looks->at[k], &proving, &err), PB_OK);
        const struct pb_pair_record called = {
            .verdict = pb_pair_verdict(interval_of(d, n, calling), looks->margins)};
        if (pb_is_flagged(&called) ||
            pb_pair_verdict(interval_of(d, n, proving), looks->margins) == PB_VERDICT_UNCHANGED) {
            break;
        }
    }
    return n;
}

/* One comparison of n benchmarks. returns: how many end regressed or improved */
static size_t night(const struct screen *screen, struct source *source, size_t n,
                    struct pb_margins margins, size_t *flagged)
{
    struct pb_arena arena = {0};
    static double d[BENCHMARKS][AGAIN_MAX];
    struct pb_pair_record first[BENCHMARKS];
    struct pb_pair_record fresh[BENCHMARKS];
    struct pb_pair_record judged[BENCHMARKS];
    const struct pb_pair_record *screened[BENCHMARKS];
    const struct pb_pair_record *again[BENCHMARKS];
    double p[BENCHMARKS];
    struct pb_error err;
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        first[m] = (struct pb_pair_record){.verdict = screen_one(screen, source, margins)};
        m += pb_is_flagged(&first[m]);
    }
    const struct pb_looks looks = pb_confirm_looks(m, margins);
    for (size_t i = 0; i < m; i++) {
        fresh[i] = (struct pb_pair_record){
            .d = d[i],
            .n_launches = measure_again(source, &looks, d[i]),
            .verdict = PB_VERDICT_INCONCLUSIVE,
        };
        screened[i] = &first[i];
        again[i] = &fresh[i];
    }
    const struct pb_confirmation confirmation = {screened, again, m, judged, p};
    assert_int_equal(pb_confirm_judge(&confirmation, &looks, &arena, &err), PB_OK);
    size_t confirmed = 0;
    for (size_t i = 0; i < m; i++) {
        confirmed += pb_is_flagged(&judged[i]);
    }
    *flagged += m;
    pb_arena_release(&arena);
    return confirmed;
}

/* With a margin of 0 every flag is false, and there are many of them. */
static void identical_code_is_red_on_at_most_one_night_in_a_hundred(void **state)
{
    (void)state;
    enum { NIGHTS = 150 };
    const struct screen screen = make_screen();
    struct source source = {.shift = 0};
    size_t red = 0;
    size_t flagged = 0;
    pb_random_init(&source.random, 24);
    for (int i = 0; i < NIGHTS; i++) {
        red += night(&screen, &source, BENCHMARKS, (struct pb_margins){0, 0.01}, &flagged) > 0;
    }
    assert_true(flagged > NIGHTS); /* the screen alone would not do */
    assert_true(red <= 6);         /* 1.5 in the mean at most; more than 6 in 0.1 % */
}

static size_t read_recorded(const char *name, double *values, size_t most)
{
    char path[1024];
    char line[64];
    snprintf(path, sizeof path, "%s/recorded/%s", PB_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    size_t n = 0;
    while (n < most && fgets(line, sizeof line, file) != NULL) {
        values[n++] = log1p(strtod(line, NULL) / 100);
    }
    fclose(file);
    return n;
}

/* One benchmark at a time, in the hard case: modes 5 and 10 % away. */
static void recorded_launches_are_decided_as_promised(void **state)
{
    (void)state;
    enum { TRIALS = 400, RECORDED = 1000 };
    static const struct {
        const char *name;
        size_t least;
        size_t most;
    } rows[] = {
        {"encode_short_launches_aa.csv", 0, 0},
        {"encode_short_launches_plus1.csv", TRIALS * 85 / 100, TRIALS},
        {"encode_short_launches_plus2.csv", TRIALS * 99 / 100, TRIALS},
    };
    const struct screen screen = make_screen();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static double values[RECORDED];
        struct source source = {.recorded = values};
        size_t found = 0;
        size_t flagged = 0;
        source.n_recorded = read_recorded(rows[i].name, values, RECORDED);
        assert_true(source.n_recorded > 500);
        pb_random_init(&source.random, 7);
        for (int k = 0; k < TRIALS; k++) {
            found += night(&screen, &source, 1, usual, &flagged);
        }
        if (found < rows[i].least || found > rows[i].most) {
            fail_msg("%s: %zu of %d", rows[i].name, found, TRIALS);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regressed_and_improved_are_flagged_and_nothing_else),
        cmocka_unit_test(with_one_look_p_is_the_sign_test_in_the_flagged_direction),
        cmocka_unit_test(with_several_looks_p_agrees_with_the_intervals),
        cmocka_unit_test(what_is_confirmed_has_its_verdict_whatever_its_direction),
        cmocka_unit_test(holm_is_applied_over_all_that_was_flagged),
        cmocka_unit_test(what_is_not_confirmed_may_still_be_proven_unchanged),
        cmocka_unit_test(a_side_that_failed_the_second_time_has_failed),
        cmocka_unit_test(a_drift_takes_a_verdict_that_depends_on_the_time),
        cmocka_unit_test(identical_code_is_red_on_at_most_one_night_in_a_hundred),
        cmocka_unit_test(recorded_launches_are_decided_as_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
