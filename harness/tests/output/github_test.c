/* SPDX-License-Identifier: Apache-2.0
 *
 * Annotations: which there are, and that each is one command and no other.
 */
#include "output/github.h"

#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct pb_strbuf render(const struct pb_check_record *check)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_github_add(&buf, check);
    return buf;
}

static void errors_come_first_then_warnings_then_the_summary(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_finding *findings = sample.check.findings;
    for (size_t i = 0; i < sample.check.n_findings; i++) {
        if (strcmp(findings[i].metric, "allocations") == 0) {
            findings[i].warns = true;
            findings[i].fails = false;
        }
    }
    sample.check.note = "100% of a note";
    struct pb_strbuf buf = render(&sample.check);
    assert_string_equal(
        buf.text,
        "::error title=regressed%3A cql/batch_send_body/10q_2p_vec128/new::new/old +10.3 %25 "
        "[+9.80 %25, +10.8 %25], from 0.506 to 0.5581\n"
        "::error title=regressed%3A cql/write_value/value/new::writes +2 (+200 %25), from 1 to 3\n"
        "::error title=failed%3A cql/batch_send_body/empty/new::new/old: ended by signal 11 "
        "(Segmentation fault) in launch 3\n"
        "::error title=missing%3A cql/batch_send_body/gone/new::new/old: in the baseline, not in "
        "this run\n"
        "::warning title=regressed (warning)%3A cql/write_value/value/old::allocations +5 (+inf), "
        "from 0 to 5\n"
        "::notice title=pairbench::2 regressed, 1 failed, 1 missing, 1 regressed (warning), 17 "
        "unchanged; 100%25 of a note\n");
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void of_many_the_worst_are_shown_and_the_rest_counted(void **state)
{
    (void)state;
    struct pb_finding findings[24];
    for (size_t i = 0; i < 24; i++) {
        findings[i] = (struct pb_finding){
            .name = i < 12 ? "a" : "b",
            .gate = "counts",
            .metric = "writes",
            .baseline = NAN,
            .now = NAN,
            .verdict = PB_VERDICT_REGRESSED,
            .fails = i < 12,
            .waived_until = i < 12 ? NULL : "2026-01-31",
        };
    }
    const struct pb_check_record check = {.findings = findings, .n_findings = 24};
    struct pb_strbuf buf = render(&check);
    static const char *const kinds[] = {"::error ", "::warning "};
    for (int k = 0; k < 2; k++) {
        size_t n = 0;
        for (const char *s = strstr(buf.text, kinds[k]); s != NULL; s = strstr(s + 1, kinds[k])) {
            n++;
        }
        assert_int_equal(n, PB_GITHUB_ANNOTATIONS_MAX);
    }
    assert_non_null(strstr(buf.text, "::error title=pairbench::3 more are in the log\n"));
    assert_non_null(strstr(buf.text, "::warning title=pairbench::3 more are in the log\n"));
    assert_non_null(strstr(buf.text, "\n::notice title=pairbench::12 regressed, 12 regressed "
                                     "(waived)\n"));
    pb_strbuf_release(&buf);
    findings[0].fails = findings[1].fails = false; /* ten are shown whole */
    buf = render(&check);
    assert_null(strstr(buf.text, "::error title=pairbench"));
    pb_strbuf_release(&buf);
}

/* The runner splits at line breaks of any kind, then looks for `::` at the beginning. */
static void every_line_is_one_command_whatever_is_in_names(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    static const char *const commands[] = {"::error title=", "::warning title=", "::notice title="};
    for (size_t i = 0; i < sample.check.n_findings; i++) {
        struct pb_finding finding = sample.check.findings[i];
        finding.fails = i % 2 == 0;
        const struct pb_check_record check = {
            .findings = &finding, .n_findings = 1, .note = finding.name};
        struct pb_strbuf buf = render(&check);
        size_t n = 0;
        for (const char *line = buf.text; *line != '\0'; line += strcspn(line, "\n") + 1) {
            const size_t length = strcspn(line, "\n");
            bool known = false;
            for (int k = 0; k < 3; k++) {
                known = known || strncmp(line, commands[k], strlen(commands[k])) == 0;
            }
            assert_true(known);
            const char *properties = strchr(line + 2, ' ');
            const char *message = strstr(line + 2, "::");
            assert_true(message != NULL && message < line + length);
            assert_null(memchr(properties, ',', (size_t)(message - properties)));
            n++;
        }
        assert_true(n >= 1 && n <= 2);
        for (const char *s = buf.text; *s != '\0'; s++) {
            assert_true((unsigned char)*s >= 0x20 || *s == '\n');
        }
        pb_strbuf_release(&buf);
    }
    sample_release(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_come_first_then_warnings_then_the_summary),
        cmocka_unit_test(of_many_the_worst_are_shown_and_the_rest_counted),
        cmocka_unit_test(every_line_is_one_command_whatever_is_in_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
