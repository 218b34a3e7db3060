/* SPDX-License-Identifier: Apache-2.0
 *
 * Markdown that is complete, short enough and does nothing.
 */
#include "output/markdown.h"

#include "sample.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct pb_strbuf render(const struct pb_markdown_spec *spec)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_markdown_add(&buf, spec);
    return buf;
}

static void assert_says(const struct pb_strbuf *buf, const char *text)
{
    if (strstr(buf->text, text) == NULL) {
        fail_msg("missing: %s\nin:\n%.4000s", text, buf->text);
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

static void a_summary_has_findings_and_measurements(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    const struct pb_markdown_spec spec = {
        .run = &sample.run, .check = &sample.check, .full_report = "report/index.html"};
    struct pb_strbuf buf = render(&spec);
    static const char *const lines[] = {
        "### pairbench: 3 regressed, 1 failed, 1 missing, 17 unchanged\n",
        "Run `0b9c3a52-7d1e-4c55-9a53-6f2f8f1d2c3b` of 2026-01-31T02:00:00Z, commit "
        "`3f1c2d4e5a6b7c8d9e0f1a2b3c4d5e6f70819203` on `main`",
        "| regressed | `cql/batch_send_body/10q_2p_vec128/new` | `new/old` | 0.506 | 0.5581 | "
        "+10.3 % [+9.80 %, +10.8 %] |  |\n",
        "| failed | `cql/batch_send_body/empty/new` | `new/old` | 0.5 | - | - | <code>ended by "
        "signal 11 &#40;Segmentation fault&#41; in launch 3</code> |\n",
        "\n`cql/batch_send_body`\n\n| scenario | `old` | `new` | `floor` | `libreference` | "
        "speed-up of `new` | verdict |\n",
        "| `10q_2p_vec128` | 2.12 µs | 1.07 µs | 878 ns | 1.32 µs | 1.98× [1.97, 1.99] | improved "
        "|\n",
        "All of it: `report/index.html`\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_says(&buf, lines[i]);
    }
    assert_null(strstr(buf.text, "Cut here"));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void without_a_check_the_failures_are_listed(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    sample.run.injected = true;
    const struct pb_markdown_spec spec = {.run = &sample.run};
    struct pb_strbuf buf = render(&spec);
    assert_says(&buf, "### pairbench: 1 regressed, 1 failed, 1 inconclusive");
    assert_says(&buf, "\n- failed: `cql/batch_send_body/empty/new` <code>ended by");
    assert_says(&buf, "**Changes were injected:**");
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

/* Removes what stands in code; fails on anything in it that could end it early. */
static void strip_code(char *line)
{
    char *to = line;
    const char *s = line;
    while (*s != '\0') {
        const bool span = *s == '`';
        const bool element = strncmp(s, "<code>", 6) == 0;
        if (!span && !element) {
            *to++ = *s++;
            continue;
        }
        s += span ? 1 : 6;
        const char *end = strstr(s, span ? "`" : "</code>");
        assert_non_null(end);
        for (; s < end; s++) {
            const unsigned char c = (unsigned char)*s;
            assert_true(c >= 0x80 || isalnum(c) || strchr(span ? "_-./:+,=" : " &#;", c) != NULL);
        }
        s = end + (span ? 1 : 7);
    }
    *to = '\0';
}

static void hostile_names_render_and_run_nothing(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    const struct pb_markdown_spec specs[] = {
        {.run = &sample.run, .check = &sample.check, .full_report = sample_hostile_names[12]},
        {.run = &sample.run},
    };
    for (size_t i = 0; i < 2; i++) {
        struct pb_strbuf buf = render(&specs[i]);
        strip_code(buf.text);
        for (const char *s = buf.text; *s != '\0'; s++) {
            const unsigned char c = (unsigned char)*s;
            if (c < 0x80 && !isalnum(c) && strchr(" \n|-:.,%+=()[]*#", c) == NULL) {
                fail_msg("%c is outside of code: %.60s", c, s);
            }
        }
        assert_null(strstr(buf.text, "]("));
        assert_null(strstr(buf.text, "http"));
        assert_null(strstr(buf.text, "script"));
        pb_strbuf_release(&buf);
    }
    sample_release(&sample);
}

static void every_row_of_a_table_has_as_many_cells_as_its_head(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    const struct pb_markdown_spec spec = {.run = &sample.run, .check = &sample.check};
    struct pb_strbuf buf = render(&spec);
    size_t cells = 0;
    for (char *line = strtok(buf.text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        if (line[0] != '|') {
            cells = 0;
            continue;
        }
        const size_t n = count_of(line, "|");
        assert_true(cells == 0 || cells == n);
        cells = n;
    }
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

/* A check with far more to say than fits. */
static void make_many(struct sample *sample, size_t n, const char *stem)
{
    sample->check.findings = pb_arena_array(&sample->arena, n, sizeof *sample->check.findings);
    sample->check.n_findings = n;
    for (size_t i = 0; i < n; i++) {
        sample->check.findings[i] = (struct pb_finding){
            .name = pb_arena_printf(&sample->arena, "%s%zu", stem, i),
            .gate = "counts",
            .metric = "writes",
            .baseline = 1,
            .now = 2,
            .change_pct = 100,
            .lo_pct = NAN,
            .hi_pct = NAN,
            .verdict = i % 50 == 0  ? PB_VERDICT_REGRESSED
                       : i % 2 == 0 ? PB_VERDICT_INCONCLUSIVE
                                    : PB_VERDICT_UNCHANGED,
        };
    }
}

static void a_long_report_is_cut_by_severity_with_totals(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    make_many(&sample, 5000, "case/scenario_");
    const struct pb_markdown_spec spec = {
        .run = &sample.run, .check = &sample.check, .full_report = "report/index.html"};
    struct pb_strbuf buf = render(&spec);
    assert_in_range(buf.length, 60000, 65534);
    assert_says(&buf, "100 regressed, 2400 inconclusive, 2500 unchanged");
    assert_int_equal(count_of(buf.text, "\n| regressed |"), 100);
    const size_t kept = count_of(buf.text, "\n| inconclusive |");
    assert_true(kept > 0);
    struct pb_strbuf totals;
    pb_strbuf_init(&totals);
    pb_strbuf_addf(&totals, "Cut here, not shown: %zu inconclusive.\n", 2400 - kept);
    assert_says(&buf, totals.text);
    assert_says(&buf, "Cut here, not shown: 19 of 19 scenarios.\n");
    assert_says(&buf, "All of it: `report/index.html`");
    pb_strbuf_release(&totals);
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void a_small_limit_holds_whatever_the_names(void **state)
{
    (void)state;
    for (size_t limit = 4096; limit <= 12288; limit += 4096) {
        struct sample sample;
        sample_make_hostile(&sample);
        make_many(&sample, 300, sample_hostile_names[sample_n_hostile_names - 1]);
        sample.check.note = sample_hostile_names[sample_n_hostile_names - 1];
        const struct pb_markdown_spec spec = {.run = &sample.run,
                                              .check = &sample.check,
                                              .full_report = sample.check.note,
                                              .limit_bytes = limit};
        struct pb_strbuf buf;
        pb_strbuf_init(&buf);
        pb_strbuf_adds(&buf, "before\n");
        pb_markdown_add(&buf, &spec);
        assert_true(buf.length - strlen("before\n") < limit);
        assert_says(&buf, "Cut here, not shown:");
        pb_strbuf_release(&buf);
        sample_release(&sample);
    }
}

static void a_locale_with_commas_changes_nothing(void **state)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    a_summary_has_findings_and_measurements(state);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_has_findings_and_measurements),
        cmocka_unit_test(without_a_check_the_failures_are_listed),
        cmocka_unit_test(hostile_names_render_and_run_nothing),
        cmocka_unit_test(every_row_of_a_table_has_as_many_cells_as_its_head),
        cmocka_unit_test(a_long_report_is_cut_by_severity_with_totals),
        cmocka_unit_test(a_small_limit_holds_whatever_the_names),
        cmocka_unit_test(a_locale_with_commas_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
