/* SPDX-License-Identifier: Apache-2.0
 *
 * Ratios, intervals and verdicts on launches that were really measured (tests/recorded).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "near.h"
#include "sequence.h"
#include "stats/random.h"
#include "stats/ratio.h"

enum { ROUNDS = 30, SLICES = 5, LAUNCH_VALUES = 2 * ROUNDS * SLICES, SAMPLED = 30 };
enum { LINE_BYTES = 128, RECORDED = 750, GROUPS = 2000 };

static FILE *open_recorded(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/recorded/%s", PB_TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        print_error("can't open %s\n", path);
        fail();
    }
    return file;
}

/* Next little-endian float of a file. */
static float read_float(FILE *file)
{
    unsigned char bytes[4];
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
    const uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                          (uint32_t)bytes[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The ratio of the next launch of a file, by the function under test. */
static double next_launch_ratio(FILE *file)
{
    float a[ROUNDS * SLICES];
    float b[ROUNDS * SLICES];
    for (size_t i = 0; i < N_ITEMS(a); i++) {
        a[i] = read_float(file);
        b[i] = read_float(file);
    }
    const double d = pb_launch_ratio(a, b, ROUNDS, SLICES);
    assert_true(pb_launch_ratio(b, a, ROUNDS, SLICES) == -d);
    return d;
}

/* One line of the table of expected ratios: its file of slices, its launch and its ratio. */
struct expected_ratio {
    char samples[LINE_BYTES + 4];
    unsigned launch;
    double d;
};

/* returns: false at the end of the table */
static bool next_expected(FILE *table, struct expected_ratio *expected)
{
    char line[LINE_BYTES];
    if (fgets(line, sizeof line, table) == NULL) {
        return false;
    }
    char *launch = strchr(line, ',');
    assert_non_null(launch);
    *launch++ = '\0';
    char *end;
    snprintf(expected->samples, sizeof expected->samples, "%s.f32", line);
    expected->launch = (unsigned)strtoul(launch, &end, 10);
    assert_int_equal(*end, ',');
    expected->d = strtod(end + 1, &end);
    assert_int_equal(*end, '\n');
    return true;
}

static void launch_ratios_agree_with_another_implementation(void **state)
{
    (void)state;
    struct expected_ratio expected;
    char header[LINE_BYTES];
    unsigned checked = 0;
    FILE *table = open_recorded("launch_ratios.csv");
    FILE *samples = NULL;
    assert_non_null(fgets(header, sizeof header, table));
    while (next_expected(table, &expected)) {
        if (expected.launch == 0) {
            if (samples != NULL) {
                fclose(samples);
            }
            samples = open_recorded(expected.samples);
        }
        assert_non_null(samples);
        assert_near(next_launch_ratio(samples), expected.d, 1e-13);
        checked++;
    }
    assert_int_equal(checked, 10 * SAMPLED);
    if (samples != NULL) {
        fclose(samples);
    }
    fclose(table);
}

/* Interval at level 0.01 over the launches of one file of slices. */
static struct pb_interval interval_of(const char *name)
{
    const unsigned n = SAMPLED;
    unsigned rank;
    double d[SAMPLED];
    FILE *samples = open_recorded(name);
    for (size_t i = 0; i < SAMPLED; i++) {
        d[i] = next_launch_ratio(samples);
    }
    fclose(samples);
    assert_int_equal(pb_interval_ranks(&n, 1, 0.01, &rank, NULL, NULL), PB_OK);
    return pb_median_interval(d, SAMPLED, rank);
}

static const struct pb_margins margins = {.gate = PB_GATE_MARGIN,
                                          .equivalence = PB_EQUIVALENCE_MARGIN};

static void identical_code_is_proven_unchanged_on_every_workload(void **state)
{
    (void)state;
    static const char *const names[] = {"w0_aa.f32", "w1_aa.f32", "w2_aa.f32", "w3_aa.f32",
                                        "w4_aa.f32"};
    for (size_t i = 0; i < N_ITEMS(names); i++) {
        const struct pb_interval interval = interval_of(names[i]);
        assert_between(interval.estimate, -0.001, 0.001);
        assert_int_equal(pb_pair_verdict(interval, margins), PB_VERDICT_UNCHANGED);
    }
}

static void two_percent_more_work_is_found_on_every_workload(void **state)
{
    (void)state;
    static const char *const names[] = {"w0_plus2.f32", "w1_plus2.f32", "w2_plus2.f32",
                                        "w3_plus2.f32", "w4_plus2.f32"};
    for (size_t i = 0; i < N_ITEMS(names); i++) {
        const struct pb_interval interval = interval_of(names[i]);
        assert_between(pb_change_pct(interval.estimate), 1.9, 2.3);
        assert_int_equal(pb_pair_verdict(interval, margins), PB_VERDICT_REGRESSED);
    }
}

/* Reads a file of launch ratios in percent of log. */
static void read_ratios(const char *name, double *d)
{
    FILE *file = open_recorded(name);
    char line[LINE_BYTES];
    assert_non_null(fgets(line, sizeof line, file)); /* the header */
    for (size_t i = 0; i < RECORDED; i++) {
        assert_non_null(fgets(line, sizeof line, file));
        d[i] = log1p(strtod(line, NULL) / 100);
        assert_true(isfinite(d[i]));
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

/* Judges groups of launches drawn from a file without replacement. */
static void judge_groups(const char *name, struct pb_margins limits, unsigned *verdicts)
{
    const struct sequence plan = plan_sequence(0.01);
    double recorded[RECORDED];
    uint32_t order[RECORDED];
    struct pb_random random;
    read_ratios(name, recorded);
    pb_random_init(&random, 1);
    for (uint32_t i = 0; i < RECORDED; i++) {
        order[i] = i;
    }
    for (int group = 0; group < GROUPS; group++) {
        double d[LAUNCHES];
        pb_random_shuffle(&random, order, RECORDED);
        for (size_t i = 0; i < LAUNCHES; i++) {
            d[i] = recorded[order[i]];
        }
        verdicts[judge_sequence(&plan, d, limits)]++;
    }
    print_message("%s: regressed %u, improved %u, unchanged %u, inconclusive %u of %d\n", name,
                  verdicts[PB_VERDICT_REGRESSED], verdicts[PB_VERDICT_IMPROVED],
                  verdicts[PB_VERDICT_UNCHANGED], verdicts[PB_VERDICT_INCONCLUSIVE], GROUPS);
}

static void an_encoder_against_itself_is_proven_unchanged(void **state)
{
    (void)state;
    unsigned verdicts[PB_VERDICTS] = {0};
    judge_groups("encode_short_launches_aa.csv", margins, verdicts);
    assert_int_equal(verdicts[PB_VERDICT_REGRESSED] + verdicts[PB_VERDICT_IMPROVED], 0);
    assert_true(verdicts[PB_VERDICT_UNCHANGED] >= GROUPS * 97 / 100);
}

static void an_encoder_against_itself_keeps_the_level_without_a_gate(void **state)
{
    (void)state;
    const struct pb_margins strict = {.gate = 0, .equivalence = PB_EQUIVALENCE_MARGIN};
    unsigned verdicts[PB_VERDICTS] = {0};
    judge_groups("encode_short_launches_aa.csv", strict, verdicts);
    assert_true(verdicts[PB_VERDICT_REGRESSED] + verdicts[PB_VERDICT_IMPROVED] <= GROUPS / 100);
}

static void an_encoder_made_slower_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double gate;
        double equivalence;
        int found_pct; /* at least */
    } rows[] = {
        {"encode_short_launches_plus0.5.csv", 0, 0.004, 50},
        {"encode_short_launches_plus1.csv", PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN, 80},
        {"encode_short_launches_plus2.csv", PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN, 99},
    };
    for (size_t i = 0; i < N_ITEMS(rows); i++) {
        const struct pb_margins limits = {rows[i].gate, rows[i].equivalence};
        unsigned verdicts[PB_VERDICTS] = {0};
        judge_groups(rows[i].name, limits, verdicts);
        assert_int_equal(verdicts[PB_VERDICT_IMPROVED], 0);
        assert_true((int)verdicts[PB_VERDICT_REGRESSED] >= GROUPS * rows[i].found_pct / 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launch_ratios_agree_with_another_implementation),
        cmocka_unit_test(identical_code_is_proven_unchanged_on_every_workload),
        cmocka_unit_test(two_percent_more_work_is_found_on_every_workload),
        cmocka_unit_test(an_encoder_against_itself_is_proven_unchanged),
        cmocka_unit_test(an_encoder_against_itself_keeps_the_level_without_a_gate),
        cmocka_unit_test(an_encoder_made_slower_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
