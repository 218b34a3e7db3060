/* SPDX-License-Identifier: Apache-2.0
 *
 * Order, summary and wording of findings.
 */
#include "output/finding.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct pb_finding named(const char *name, enum pb_verdict verdict)
{
    return (struct pb_finding){.name = name,
                               .gate = "ratio",
                               .metric = "new/old",
                               .baseline = NAN,
                               .now = NAN,
                               .change_pct = NAN,
                               .lo_pct = NAN,
                               .hi_pct = NAN,
                               .verdict = verdict};
}

static void every_verdict_has_a_severity_of_its_own(void **state)
{
    (void)state;
    bool seen[PB_VERDICTS] = {0};
    for (int i = 0; i < PB_VERDICTS; i++) {
        const int severity = pb_verdict_severity((enum pb_verdict)i);
        assert_in_range(severity, 0, PB_VERDICTS - 1);
        assert_false(seen[severity]);
        seen[severity] = true;
    }
}

static void findings_sort_worst_first_then_by_name(void **state)
{
    (void)state;
    struct pb_finding findings[] = {
        named("d", PB_VERDICT_UNCHANGED), named("c", PB_VERDICT_IMPROVED),
        named("b", PB_VERDICT_MISSING),   named("z", PB_VERDICT_REGRESSED),
        named("a", PB_VERDICT_REGRESSED), named("e", PB_VERDICT_FAILED),
    };
    pb_findings_sort(findings, 6);
    static const char *const order[] = {"a", "z", "e", "b", "c", "d"};
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(findings[i].name, order[i]);
    }
    pb_findings_sort(NULL, 0);
}

static void a_sorted_copy_leaves_the_original(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    const struct pb_finding findings[] = {named("b", PB_VERDICT_UNCHANGED),
                                          named("a", PB_VERDICT_FAILED)};
    const struct pb_finding *sorted = pb_findings_sorted(&arena, findings, 2);
    assert_string_equal(sorted[0].name, "a");
    assert_string_equal(findings[0].name, "b");
    pb_arena_release(&arena);
}

static void the_summary_counts_worst_first(void **state)
{
    (void)state;
    const struct pb_finding findings[] = {
        named("a", PB_VERDICT_UNCHANGED),        named("b", PB_VERDICT_MISSING),
        named("c", PB_VERDICT_REGRESSED),        named("d", PB_VERDICT_REGRESSED),
        named("e", PB_VERDICT_BELOW_RESOLUTION),
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_findings_add_summary(&buf, findings, 5);
    assert_string_equal(buf.text, "2 regressed, 1 missing, 1 below resolution, 1 unchanged");
    pb_strbuf_reset(&buf);
    pb_findings_add_summary(&buf, NULL, 0);
    assert_string_equal(buf.text, "nothing to check");
    pb_strbuf_release(&buf);
}

static void regressions_that_are_let_pass_are_named_and_counted_apart(void **state)
{
    (void)state;
    struct pb_finding findings[] = {
        named("a", PB_VERDICT_REGRESSED), named("b", PB_VERDICT_REGRESSED),
        named("c", PB_VERDICT_REGRESSED), named("d", PB_VERDICT_INVALID_RUN),
        named("e", PB_VERDICT_UNCHANGED), named("f", PB_VERDICT_INCOMPARABLE),
    };
    findings[0].warns = true;
    findings[1].waived_until = "2026-01-31";
    findings[4].warns = true; /* nothing to warn of */
    static const char *const words[] = {"regressed (warning)", "regressed (waived)",
                                        "regressed",           "invalid run",
                                        "unchanged",           "incomparable"};
    static const enum pb_tone tones[] = {PB_TONE_WARN, PB_TONE_WARN,  PB_TONE_BAD,
                                         PB_TONE_BAD,  PB_TONE_PLAIN, PB_TONE_WARN};
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(pb_finding_word(&findings[i]), words[i]);
        assert_int_equal(pb_finding_tone(&findings[i]), tones[i]);
        assert_int_equal(pb_finding_is_let_pass(&findings[i]), i < 2);
    }
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_findings_add_summary(&buf, findings, 6);
    assert_string_equal(buf.text, "1 regressed, 1 invalid run, 1 regressed (warning), 1 regressed "
                                  "(waived), 1 incomparable, 1 unchanged");
    pb_strbuf_release(&buf);
    pb_findings_sort(findings, 6);
    static const char order[] = "cdabfe";
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(findings[i].name[0], order[i]);
    }
}

static void changes_read_well_from_zero_and_to_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *gate;
        double baseline, now, change_pct, lo_pct, hi_pct;
        const char *text;
    } shown[] = {
        {"counts", 0, 0, NAN, NAN, NAN, "="},
        {"absolute", 0, 0, NAN, NAN, NAN, "="},
        {"counts", 5, 5, 0, NAN, NAN, "="},
        {"counts", 5, 7, 40, NAN, NAN, "+2 (+40.0 %)"},
        {"counts", 7, 5, -28.57, NAN, NAN, "-2 (-28.6 %)"},
        {"counts", 0, 5, INFINITY, NAN, NAN, "+5 (+inf)"},
        {"absolute", 0, 5e9, INFINITY, NAN, NAN, "+5000000000 (+inf)"},
        {"ratio", 0.5, 0.56, 12, 11.8, 12.3, "+12.0 % [+11.8 %, +12.3 %]"},
        {"ratio", 0.5, NAN, NAN, NAN, NAN, "-"},
        {"ratio", 0.5, 0.51, 2, -INFINITY, INFINITY, "+2.00 %"},
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        struct pb_finding finding = named("x", PB_VERDICT_REGRESSED);
        finding.gate = shown[i].gate;
        finding.baseline = shown[i].baseline;
        finding.now = shown[i].now;
        finding.change_pct = shown[i].change_pct;
        finding.lo_pct = shown[i].lo_pct;
        finding.hi_pct = shown[i].hi_pct;
        pb_strbuf_reset(&buf);
        pb_finding_add_change(&buf, &finding);
        assert_string_equal(buf.text, shown[i].text);
    }
    pb_strbuf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_has_a_severity_of_its_own),
        cmocka_unit_test(findings_sort_worst_first_then_by_name),
        cmocka_unit_test(a_sorted_copy_leaves_the_original),
        cmocka_unit_test(the_summary_counts_worst_first),
        cmocka_unit_test(regressions_that_are_let_pass_are_named_and_counted_apart),
        cmocka_unit_test(changes_read_well_from_zero_and_to_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
