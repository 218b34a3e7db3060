/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a check.
 */
#include "output/check_text.h"

#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct pb_strbuf render(const struct pb_check_record *check, int verbosity)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    const struct pb_style style = {.verbosity = verbosity};
    pb_check_text_add(&buf, check, &style);
    return buf;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += *text == '\n';
    }
    return n;
}

static void the_worst_comes_first_and_the_summary_last(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_strbuf buf = render(&sample.check, 0);
    assert_string_equal(
        buf.text,
        "verdict    benchmark                              metric       baseline     now  change"
        "                      reason\n"
        "regressed  cql/batch_send_body/10q_2p_vec128/new  new/old         0.506  0.5581  "
        "+10.3 % [+9.80 %, +10.8 %]\n"
        "regressed  cql/write_value/value/new              writes              1       3  "
        "+2 (+200 %)\n"
        "regressed  cql/write_value/value/old              allocations         0       5  "
        "+5 (+inf)\n"
        "failed     cql/batch_send_body/empty/new          new/old           0.5       -  -"
        "                           ended by signal 11 (Segmentation fault) in launch 3\n"
        "missing    cql/batch_send_body/gone/new           new/old           0.5       -  -"
        "                           in the baseline, not in this run\n"
        "\n"
        "3 regressed, 1 failed, 1 missing, 17 unchanged, against baselines/counts.jsonl and "
        "baselines/x86_64-authenticamd-25-1.jsonl\n");
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void verbosity_decides_what_is_listed(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    sample.check.findings[1].verdict = PB_VERDICT_IMPROVED;
    sample.check.findings[2].verdict = PB_VERDICT_SKIPPED;
    static const struct {
        int verbosity;
        size_t lines; /* heading, blank and summary are three */
    } expected[] = {{-1, 3 + 5}, {0, 3 + 7}, {1, 3 + 22}};
    for (size_t i = 0; i < 3; i++) {
        struct pb_strbuf buf = render(&sample.check, expected[i].verbosity);
        assert_int_equal(count_lines(buf.text), expected[i].lines);
        pb_strbuf_release(&buf);
    }
    sample_release(&sample);
}

static void with_nothing_found_there_is_only_the_summary(void **state)
{
    (void)state;
    const struct pb_check_record nothing = {.note = "no baseline for this class\n"};
    struct pb_strbuf buf = render(&nothing, 0);
    assert_string_equal(buf.text, "note: no baseline for this class\\n\nnothing to check\n");
    pb_strbuf_release(&buf);
}

static void what_is_let_pass_says_so_and_verbose_text_how_runs_differ(void **state)
{
    (void)state;
    struct pb_finding findings[] = {
        {.name = "a",
         .gate = "ratio",
         .metric = "new/old",
         .baseline = 0.5,
         .now = 0.52,
         .change_pct = 4,
         .lo_pct = NAN,
         .hi_pct = NAN,
         .verdict = PB_VERDICT_REGRESSED,
         .waived_until = "2026-01-31",
         .reason = "waived until 2026-01-31: why",
         .spread_pct = 0.3},
        {.name = "b",
         .gate = "ratio",
         .metric = "new/old",
         .baseline = 0.5,
         .now = 0.5,
         .change_pct = 0,
         .lo_pct = NAN,
         .hi_pct = NAN,
         .verdict = PB_VERDICT_UNCHANGED,
         .spread_pct = 0.1234,
         .spread_runs = 7},
        {.name = "c",
         .gate = "counts",
         .metric = "writes",
         .baseline = 1,
         .now = 1,
         .change_pct = 0,
         .lo_pct = NAN,
         .hi_pct = NAN,
         .verdict = PB_VERDICT_UNCHANGED},
    };
    const struct pb_check_record check = {.findings = findings, .n_findings = 3};
    struct pb_strbuf buf = render(&check, 0);
    assert_string_equal(buf.text,
                        "verdict             benchmark  metric   baseline   now  change   reason\n"
                        "regressed (waived)  a          new/old       0.5  0.52  +4.00 %  waived "
                        "until 2026-01-31: why\n"
                        "\n"
                        "1 regressed (waived), 2 unchanged\n");
    pb_strbuf_release(&buf);
    buf = render(&check, 1);
    assert_non_null(strstr(buf.text, "reason                        runs differ by\n"));
    assert_non_null(strstr(buf.text, "why  0.3 % assumed\n"));
    assert_non_null(strstr(buf.text, "0.12 % in 7 runs\n"));
    pb_strbuf_release(&buf);
}

static void hostile_names_stay_on_their_lines(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    struct pb_strbuf buf = render(&sample.check, 1);
    assert_int_equal(count_lines(buf.text), sample.check.n_findings + 4);
    assert_null(strchr(buf.text, '\033'));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_comes_first_and_the_summary_last),
        cmocka_unit_test(verbosity_decides_what_is_listed),
        cmocka_unit_test(with_nothing_found_there_is_only_the_summary),
        cmocka_unit_test(what_is_let_pass_says_so_and_verbose_text_how_runs_differ),
        cmocka_unit_test(hostile_names_stay_on_their_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
