/* SPDX-License-Identifier: Apache-2.0
 *
 * Diagnostics on made-up series, on random ones, and on launches that were really measured.
 */
#include "measure/diagnostics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/random.h"

#define N_ITEMS(array) (sizeof(array) / sizeof(array)[0])

enum { SERIES_MAX = 4096 };

static struct pb_diagnosis diagnose(const double *d, size_t n)
{
    struct pb_diagnosis diagnosis = pb_diagnosis_none();
    pb_diagnose_pair(&(struct pb_pair_samples){.d = d, .n = n}, &diagnosis);
    return diagnosis;
}

static void every_diagnostic_has_a_name_of_its_own_and_says_what_to_do(void **state)
{
    (void)state;
    for (int i = 0; i < PB_DIAGNOSTICS; i++) {
        const struct pb_diagnostic_words *words = pb_diagnostic_words((enum pb_diagnostic)i);
        assert_true(words->name[0] != '\0' && words->text[0] != '\0' && words->advice[0] != '\0');
        assert_non_null(words->unit);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(words->name, pb_diagnostic_words((enum pb_diagnostic)k)->name);
        }
    }
    assert_int_equal(pb_diagnostic_words(PB_DIAGNOSTIC_DRIFT)->remedy, PB_REMEDY_DOUBT);
    assert_int_equal(pb_diagnostic_words(PB_DIAGNOSTIC_ORDER)->remedy, PB_REMEDY_WARM);
    assert_int_equal(pb_diagnostic_words(PB_DIAGNOSTIC_STEAL)->remedy, PB_REMEDY_WAIT);
}

static void nothing_is_found_and_nothing_known_at_first(void **state)
{
    (void)state;
    const struct pb_diagnosis none = pb_diagnosis_none();
    for (int i = 0; i < PB_DIAGNOSTICS; i++) {
        assert_false(none.found[i]);
        assert_true(isnan(none.value[i]));
    }
}

/* Rounds in which the side that goes first is faster by so many percent. */
static void an_order_effect_beyond_half_a_percent_is_found(void **state)
{
    (void)state;
    static const struct {
        double first_gains_pct;
        bool found;
    } rows[] = {{0, false}, {0.49, false}, {0.51, true}, {-0.49, false}, {-0.51, true}};
    enum { ROUNDS = 24 };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        double round_d[ROUNDS];
        bool a_first[ROUNDS];
        for (int k = 0; k < ROUNDS; k++) {
            a_first[k] = k % 3 == 0;
            round_d[k] = 0.2 + (a_first[k] ? 1 : -1) * log1p(rows[i].first_gains_pct / 100);
        }
        struct pb_diagnosis diagnosis = pb_diagnosis_none();
        const struct pb_pair_samples samples = {
            .round_d = round_d, .a_first = a_first, .n_rounds = ROUNDS};
        pb_diagnose_pair(&samples, &diagnosis);
        assert_int_equal(diagnosis.found[PB_DIAGNOSTIC_ORDER], rows[i].found);
        assert_true(fabs(diagnosis.value[PB_DIAGNOSTIC_ORDER] - rows[i].first_gains_pct) < 1e-9);
    }
}

static void without_rounds_or_with_one_order_alone_the_order_effect_is_not_known(void **state)
{
    (void)state;
    static const double round_d[] = {0, 1, 2};
    static const bool a_first[] = {true, true, true};
    struct pb_diagnosis diagnosis = diagnose(NULL, 0);
    assert_true(isnan(diagnosis.value[PB_DIAGNOSTIC_ORDER]));
    pb_diagnose_pair(
        &(struct pb_pair_samples){.round_d = round_d, .a_first = a_first, .n_rounds = 3},
        &diagnosis);
    assert_true(isnan(diagnosis.value[PB_DIAGNOSTIC_ORDER]));
    assert_false(diagnosis.found[PB_DIAGNOSTIC_ORDER]);
}

static void a_drift_is_found_below_one_in_a_thousand(void **state)
{
    (void)state;
    enum { N = 40, TRIES = 4000 };
    double d[N];
    uint32_t order[N];
    for (uint32_t k = 0; k < N; k++) {
        d[k] = (k % 2 == 0 ? 0.001 : -0.001) + 0.0001 * k;
        order[k] = k;
    }
    struct pb_diagnosis diagnosis = diagnose(d, N);
    assert_true(diagnosis.found[PB_DIAGNOSTIC_DRIFT]);
    assert_true(diagnosis.value[PB_DIAGNOSTIC_DRIFT] < 1e-4);

    /* The same values in other orders: few look like a drift, and none is called so lightly. */
    struct pb_random random;
    pb_random_init(&random, 4);
    unsigned n_suspicious = 0;
    for (int i = 0; i < TRIES; i++) {
        double shuffled[N];
        pb_random_shuffle(&random, order, N);
        for (int k = 0; k < N; k++) {
            shuffled[k] = d[order[k]];
        }
        diagnosis = diagnose(shuffled, N);
        const double p = diagnosis.value[PB_DIAGNOSTIC_DRIFT];
        assert_int_equal(diagnosis.found[PB_DIAGNOSTIC_DRIFT], p < 0.001);
        n_suspicious += p >= 0.001 && p < 0.01;
    }
    assert_in_range(n_suspicious, 1, TRIES / 20);
}

static void launches_are_counted_apart_by_their_distance_from_the_narrowest_half(void **state)
{
    (void)state;
    static const struct {
        size_t n_home; /* within ±0.5 of home_pct, evenly */
        size_t n_apart;
        double distance_pct; /* of those apart */
        double width_pct;    /* of home        */
        double apart_pct;    /* expected; NaN = not known */
        bool found;
    } rows[] = {
        {40, 0, 5, 0.1, 0, false},     {36, 4, 5, 0.1, 10, false},  {35, 5, 5, 0.1, 12.5, true},
        {20, 20, 5, 0.1, 50, true},    {20, 20, -5, 0.1, 50, true}, {35, 5, 0.9, 0.1, 0, false},
        {35, 5, 1.2, 0.1, 12.5, true}, {35, 5, 3.0, 2, 0, false},   {35, 5, 9.0, 2, 12.5, true},
        {13, 3, 5, 0.1, 18.75, false}, {12, 4, 5, 0.1, 25, true},   {10, 5, 5, 0.1, NAN, false},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        double d[SERIES_MAX];
        size_t n = 0;
        for (size_t k = 0; k < rows[i].n_apart; k++) {
            const double spread = rows[i].n_apart > 10 ? 0.2 : 0;
            const double sign = k % 2 == 0 || rows[i].n_apart > 10 ? 1 : -1;
            d[n++] = sign * rows[i].distance_pct * (1 + spread * (double)k) / 100;
        }
        for (size_t k = 0; k < rows[i].n_home; k++) {
            const double place = (double)k / (double)(rows[i].n_home - 1) - 0.5;
            d[n++] = place * rows[i].width_pct / 100;
        }
        const struct pb_diagnosis diagnosis = diagnose(d, n);
        const double apart = diagnosis.value[PB_DIAGNOSTIC_MODAL];
        if ((apart != rows[i].apart_pct && !(isnan(apart) && isnan(rows[i].apart_pct))) ||
            diagnosis.found[PB_DIAGNOSTIC_MODAL] != rows[i].found) {
            fail_msg("row %zu: %g %% apart, %s", i, apart,
                     diagnosis.found[PB_DIAGNOSTIC_MODAL] ? "modal" : "not modal");
        }
    }
}

/* Normal by the sum of twelve, Student's t with 3 degrees of freedom by its definition. */
static double draw_normal(struct pb_random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += pb_random_unit(random);
    }
    return sum;
}

static double draw_t3(struct pb_random *random)
{
    double squares = 0;
    const double x = draw_normal(random);
    for (int i = 0; i < 3; i++) {
        const double y = draw_normal(random);
        squares += y * y;
    }
    return x / sqrt(squares / 3);
}

static void tails_alone_are_seldom_called_modes(void **state)
{
    (void)state;
    static const struct {
        double (*draw)(struct pb_random *random);
        double most_pct; /* of groups that may be called modal */
    } rows[] = {{draw_normal, 1}, {draw_t3, 3}};
    static const size_t sizes[] = {16, 24, 40, 96};
    enum { GROUPS = 1000 };
    struct pb_random random;
    pb_random_init(&random, 1);
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        for (size_t s = 0; s < N_ITEMS(sizes); s++) {
            unsigned n_modal = 0;
            for (int group = 0; group < GROUPS; group++) {
                double d[96];
                for (size_t k = 0; k < sizes[s]; k++) {
                    d[k] = 0.03 * rows[i].draw(&random);
                }
                n_modal += diagnose(d, sizes[s]).found[PB_DIAGNOSTIC_MODAL];
            }
            if (100.0 * n_modal / GROUPS > rows[i].most_pct) {
                fail_msg("distribution %zu, %zu launches: %u of %d", i, sizes[s], n_modal, GROUPS);
            }
        }
    }
}

static FILE *open_recorded(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, PB_TEST_DATA "/recorded/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

/* Reads the ratios of a kind: `w2_aa,17,-0.0003` in launch_ratios.csv. */
static size_t read_ratios(const char *samples, double *d)
{
    char line[128];
    size_t n = 0;
    const size_t length = strlen(samples);
    FILE *file = open_recorded("launch_ratios.csv");
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, samples, length) == 0 && line[length] == ',') {
            d[n++] = strtod(strrchr(line, ',') + 1, NULL);
        }
    }
    fclose(file);
    return n;
}

static void recorded_workloads_are_modal_where_whole_processes_differ(void **state)
{
    (void)state;
    static const struct {
        const char *samples;
        bool modal;
    } rows[] = {
        {"w0_aa", false},    {"w1_aa", false},    {"w2_aa", true},     {"w3_aa", false},
        {"w4_aa", false},    {"w0_plus2", false}, {"w1_plus2", false}, {"w2_plus2", true},
        {"w3_plus2", false}, {"w4_plus2", false},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        double d[SERIES_MAX];
        assert_int_equal(read_ratios(rows[i].samples, d), 30);
        if (diagnose(d, 30).found[PB_DIAGNOSTIC_MODAL] != rows[i].modal) {
            fail_msg("%s", rows[i].samples);
        }
    }
}

static void recorded_launches_of_an_encoder_with_modes_are_found_modal(void **state)
{
    (void)state;
    enum { RECORDED = 750, GROUP = 40 };
    double d[RECORDED];
    char line[64];
    FILE *file = open_recorded("encode_short_launches_plus1.csv");
    assert_non_null(fgets(line, sizeof line, file)); /* its heading */
    for (int i = 0; i < RECORDED; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        d[i] = strtod(line, NULL) / 100;
    }
    fclose(file);
    unsigned n_modal = 0;
    for (int group = 0; group < RECORDED / GROUP; group++) {
        n_modal += diagnose(d + group * GROUP, GROUP).found[PB_DIAGNOSTIC_MODAL];
    }
    assert_in_range(n_modal, 15, RECORDED / GROUP);
}

static void disturbances_from_outside_are_found_beyond_their_limits(void **state)
{
    (void)state;
    static const struct {
        struct pb_noise_interval interval;
        bool steal;
        bool pressure;
        bool throttled;
    } rows[] = {
        {{0, 0, 0}, false, false, false},    {{10, 40, 0}, false, false, false},
        {{10.1, 40, 0}, true, false, false}, {{10, 40.1, 0}, false, true, false},
        {{0, 0, 1}, false, false, true},     {{NAN, NAN, -1}, false, false, false},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        struct pb_diagnosis diagnosis = pb_diagnosis_none();
        diagnosis.found[PB_DIAGNOSTIC_MODAL] = true;
        pb_diagnose_noise(&rows[i].interval, &diagnosis);
        assert_int_equal(diagnosis.found[PB_DIAGNOSTIC_STEAL], rows[i].steal);
        assert_int_equal(diagnosis.found[PB_DIAGNOSTIC_PRESSURE], rows[i].pressure);
        assert_int_equal(diagnosis.found[PB_DIAGNOSTIC_THROTTLED], rows[i].throttled);
        assert_true(diagnosis.found[PB_DIAGNOSTIC_MODAL]);
        assert_int_equal(isnan(diagnosis.value[PB_DIAGNOSTIC_THROTTLED]),
                         rows[i].interval.n_throttled < 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_diagnostic_has_a_name_of_its_own_and_says_what_to_do),
        cmocka_unit_test(nothing_is_found_and_nothing_known_at_first),
        cmocka_unit_test(an_order_effect_beyond_half_a_percent_is_found),
        cmocka_unit_test(without_rounds_or_with_one_order_alone_the_order_effect_is_not_known),
        cmocka_unit_test(a_drift_is_found_below_one_in_a_thousand),
        cmocka_unit_test(launches_are_counted_apart_by_their_distance_from_the_narrowest_half),
        cmocka_unit_test(tails_alone_are_seldom_called_modes),
        cmocka_unit_test(recorded_workloads_are_modal_where_whole_processes_differ),
        cmocka_unit_test(recorded_launches_of_an_encoder_with_modes_are_found_modal),
        cmocka_unit_test(disturbances_from_outside_are_found_beyond_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
