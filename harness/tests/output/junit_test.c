/* SPDX-License-Identifier: Apache-2.0
 *
 * JUnit XML: what counts as what, and that it stays XML whatever is in names.
 */
#include "output/junit.h"

#include "markup.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct pb_strbuf render(const struct sample *sample)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_junit_add(&buf, &sample->run, &sample->check);
    struct pb_strbuf why;
    pb_strbuf_init(&why);
    if (!markup_is_inert(buf.text, &why)) {
        fail_msg("%s", why.text);
    }
    pb_strbuf_release(&why);
    return buf;
}

static void assert_says(const struct pb_strbuf *buf, const char *text)
{
    if (strstr(buf->text, text) == NULL) {
        fail_msg("missing: %s\nin:\n%s", text, buf->text);
    }
}

static size_t count_of(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *s = strstr(text, word); s != NULL; s = strstr(s + 1, word)) {
        n++;
    }
    return n;
}

static void every_gate_is_a_suite_and_every_finding_a_case(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_strbuf buf = render(&sample);
    assert_says(&buf, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<testsuites name=\"pairbench\" tests=\"22\" failures=\"4\" errors=\"1\" "
                      "skipped=\"0\" time=\"74.200\">\n");
    assert_says(&buf,
                "  <testsuite name=\"ratio\" tests=\"19\" failures=\"2\" errors=\"1\" "
                "skipped=\"0\" time=\"0\" timestamp=\"2026-01-31T02:00:00\">\n"
                "    <properties>\n"
                "      <property name=\"run\" value=\"0b9c3a52-7d1e-4c55-9a53-6f2f8f1d2c3b\"/>\n"
                "      <property name=\"commit\" "
                "value=\"3f1c2d4e5a6b7c8d9e0f1a2b3c4d5e6f70819203\"/>\n");
    assert_says(&buf, "  <testsuite name=\"counts\" tests=\"3\" failures=\"2\" errors=\"0\" ");
    assert_says(&buf, "    <testcase classname=\"pairbench.ratio\" "
                      "name=\"cql/batch_send_body/10q_2p_vec128/new new/old\" time=\"0\"><failure "
                      "type=\"regressed\" message=\"regressed, "
                      "+10.3 % [+9.80 %, +10.8 %]: 0.506 before, 0.5581 now\"/></testcase>\n");
    assert_says(&buf, "<error type=\"failed\" message=\"failed; ended by signal 11 (Segmentation "
                      "fault) in launch 3\"/>");
    assert_says(&buf, "<failure type=\"missing\" message=\"missing; in the baseline, not in this "
                      "run\"/>");
    assert_says(&buf, " writes\" time=\"0\"/>\n"); /* unchanged */
    assert_int_equal(count_of(buf.text, "<testcase "), sample.check.n_findings);
    assert_int_equal(count_of(buf.text, "<testsuite "), 2);
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

/* What a finding is, and what stands inside of its case. */
static const struct {
    enum pb_verdict verdict;
    bool fails;
    bool warns;
    const char *waived_until;
    const char *inside;
} rows[] = {
    {PB_VERDICT_REGRESSED, true, false, NULL, "><failure type=\"regressed\" "},
    {PB_VERDICT_REGRESSED, false, true, NULL, "><system-out>regressed (warning); why</system-out>"},
    {PB_VERDICT_REGRESSED, true, true, NULL, "><failure type=\"regressed\" "},
    {PB_VERDICT_REGRESSED, false, false, NULL, "><system-out>regressed; why</system-out>"},
    {PB_VERDICT_REGRESSED, false, false, "2026-01-31", "><skipped message=\"regressed (waived)"},
    {PB_VERDICT_IMPROVED, false, false, NULL, "><system-out>improved; why</system-out>"},
    {PB_VERDICT_UNCHANGED, false, false, NULL, "/>\n"},
    {PB_VERDICT_ADDED, false, false, NULL, "><system-out>added; why</system-out>"},
    {PB_VERDICT_INCONCLUSIVE, false, false, NULL, "><skipped message=\"inconclusive; why\"/>"},
    {PB_VERDICT_INCONCLUSIVE, true, false, NULL, "><failure type=\"inconclusive\" "},
    {PB_VERDICT_MISSING, true, false, NULL, "><failure type=\"missing\" "},
    {PB_VERDICT_MISSING, false, false, NULL, "><skipped message=\"missing; why\"/>"},
    {PB_VERDICT_SKIPPED, false, false, NULL, "><skipped message=\"skipped; why\"/>"},
    {PB_VERDICT_FAILED, true, false, NULL, "><error type=\"failed\" "},
    {PB_VERDICT_FAILED, false, false, NULL, "><skipped message=\"failed; why\"/>"},
    {PB_VERDICT_INCOMPARABLE, true, false, NULL, "><failure type=\"incomparable\" "},
    {PB_VERDICT_BELOW_RESOLUTION, false, false, NULL, "><skipped message=\"below resolution"},
    {PB_VERDICT_INSUFFICIENT_HISTORY, false, true, NULL, "><skipped message=\"insufficient hist"},
    {PB_VERDICT_INVALID_RUN, true, false, NULL, "><error type=\"invalid run\" "},
};

static void what_was_not_judged_does_not_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_finding finding = {
            .name = "n",
            .gate = "ratio",
            .metric = "m",
            .baseline = NAN,
            .now = NAN,
            .verdict = rows[i].verdict,
            .fails = rows[i].fails,
            .warns = rows[i].warns,
            .waived_until = rows[i].waived_until,
            .reason = "why",
        };
        struct sample sample = {.check = {.findings = &finding, .n_findings = 1}};
        struct pb_strbuf buf = render(&sample);
        const char *found = strstr(buf.text, "name=\"n m\" time=\"0\"");
        assert_non_null(found);
        found += strlen("name=\"n m\" time=\"0\"");
        if (strncmp(found, rows[i].inside, strlen(rows[i].inside)) != 0) {
            fail_msg("row %zu: %s", i, found);
        }
        pb_strbuf_release(&buf);
    }
}

static void hostile_names_stay_text(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    for (size_t i = 0; i < sample.check.n_findings; i++) {
        sample.check.findings[i].fails = i % 2 == 0;
    }
    struct pb_strbuf buf = render(&sample);
    assert_int_equal(count_of(buf.text, "<testcase "), sample.check.n_findings);
    assert_null(strchr(buf.text, '\033'));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void nothing_found_is_an_empty_document(void **state)
{
    (void)state;
    struct sample sample = {.run = {.wall_s = NAN}};
    struct pb_strbuf buf = render(&sample);
    assert_string_equal(buf.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                  "<testsuites name=\"pairbench\" tests=\"0\" failures=\"0\" "
                                  "errors=\"0\" skipped=\"0\" time=\"0.000\">\n</testsuites>\n");
    pb_strbuf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gate_is_a_suite_and_every_finding_a_case),
        cmocka_unit_test(what_was_not_judged_does_not_pass),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(nothing_found_is_an_empty_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
