/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a run, as a person sees it.
 */
#include "output/run_text.h"

#include "sample.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct pb_strbuf render(const struct pb_run_record *run, bool color, int verbosity)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    const struct pb_style style = {.color = color, .verbosity = verbosity};
    pb_run_text_add(&buf, run, &style);
    return buf;
}

static void assert_says(const struct pb_strbuf *buf, const char *const *lines, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strstr(buf->text, lines[i]) == NULL) {
            fail_msg("missing: %s\nin:\n%s", lines[i], buf->text);
        }
    }
}

static void a_run_reads_row_by_row_with_its_troubles_behind(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_strbuf buf = render(&sample.run, false, 0);
    static const char *const lines[] = {
        "cql/batch_send_body\n  scenario                       old      new    floor  "
        "libreference  speed-up                  verdict\n",
        "\n  10q_2p_vec128              2.12 µs  1.07 µs   878 ns       1.32 µs     1.98×  "
        "[1.97, 1.99]    improved\n",
        "\n  empty                      6.86 µs   failed  3.13 µs       4.56 µs"
        "                            failed\n",
        "0.988×  [0.985, 0.991]  regressed\n",
        "too fast",
        "\nfailed cql/batch_send_body/empty/new: ended by signal 11 (Segmentation fault) in launch "
        "3\n",
        "\nbelow resolution cql/write_value/value/new: one operation takes less than 0.3 ns\n  "
        "hint:",
        "\nskipped cql/batch_send_body/one_parameter/libreference: the library is not installed\n",
        "\npairs: 1 regressed, 1 failed, 1 inconclusive, 1 below resolution, 15 improved; 1 "
        "benchmark failed\n",
        "\n19 scenarios, up to 96 launches each, 74 s, 70 % of it timed, seed "
        "13835058055282163712\n",
        "\nrun 0b9c3a52-7d1e-4c55-9a53-6f2f8f1d2c3b\n",
    };
    assert_says(&buf, lines, sizeof lines / sizeof lines[0]);
    assert_null(strchr(buf.text, '\033'));
    assert_null(strstr(buf.text, "nan"));
    assert_null(strstr(buf.text, " \n"));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void quiet_leaves_only_what_is_not_fine(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_strbuf buf = render(&sample.run, false, -1);
    static const char *const lines[] = {
        "failed cql/batch_send_body/empty/new",
        "regressed cql/batch_send_body/one_blob_1MiB: new against old",
        "inconclusive cql/batch_send_body/1000_queries: new against old",
    };
    assert_says(&buf, lines, sizeof lines / sizeof lines[0]);
    assert_null(strstr(buf.text, "improved"));
    assert_null(strstr(buf.text, "seed"));
    pb_strbuf_release(&buf);
    for (size_t i = 0; i < sample.run.n_benchmarks; i++) {
        sample.run.benchmarks[i].state = PB_STATE_OK;
        sample.run.benchmarks[i].below_resolution = false;
    }
    for (size_t i = 0; i < sample.run.n_pairs; i++) {
        sample.run.pairs[i].verdict = PB_VERDICT_UNCHANGED;
        sample.run.pairs[i].reason = NULL;
    }
    buf = render(&sample.run, false, -1);
    assert_string_equal(buf.text, "");
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void pairs_that_are_not_judged_are_no_trouble(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_pair_record *floor = &sample.run.pairs[1];
    assert_false(floor->gated);
    floor->verdict = PB_VERDICT_INCONCLUSIVE;
    floor->reason = "the floor is nobody's fault";
    struct pb_strbuf buf = render(&sample.run, false, 0);
    assert_null(strstr(buf.text, floor->reason));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void verbose_adds_what_verdicts_rest_on(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    sample.run.benchmarks[0].counts[0].deterministic = false;
    sample.run.benchmarks[0].instructions = 4711;
    sample.run.plan = "looks 16 24; until ± 0.4 %";
    struct pb_strbuf buf = render(&sample.run, false, 1);
    static const char *const lines[] = {
        "half-width",
        "cql/batch_send_body/10q_2p_vec128: floor against old",
        "bytes 5384 (varies), writes 83, instructions 4711",
        "worker start 3.1 ms",
        "plan: looks 16 24; until ± 0.4 %\n",
        "improved          every interval is narrow enough\n",
    };
    assert_says(&buf, lines, sizeof lines / sizeof lines[0]);
    assert_null(strstr(buf.text, "nan"));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void an_invalid_or_injected_run_says_so(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    sample.run.valid = false;
    sample.run.invalid_reason = "the control pair was rejected";
    sample.run.injected = true;
    sample.run.quick = true;
    sample.run.label = "k=v";
    struct pb_strbuf buf = render(&sample.run, false, 0);
    static const char *const lines[] = {"this run is invalid: the control pair was rejected\n",
                                        "changes were injected", "each (quick), ", ", k=v\n"};
    assert_says(&buf, lines, sizeof lines / sizeof lines[0]);
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

/* All launches alike, and a single launch: an interval of no width, and none at all. */
static void degenerate_intervals_are_shown_sanely(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_pair_record *same = &sample.run.pairs[0];
    same->estimate = same->lo = same->hi = 0;
    same->verdict = PB_VERDICT_UNCHANGED;
    struct pb_pair_record *single = &sample.run.pairs[3];
    single->lo = -INFINITY;
    single->hi = INFINITY;
    single->n_launches = 1;
    single->verdict = PB_VERDICT_INCONCLUSIVE;
    single->reason = "n = 1";
    struct pb_strbuf buf = render(&sample.run, false, 1);
    static const char *const lines[] = {
        "1.000×  [1.0000, 1.0000]  unchanged\n",
        "[-, -]",
        "inconclusive cql/batch_send_body/10q_2p_vec768: new against old: n = 1\n",
    };
    assert_says(&buf, lines, sizeof lines / sizeof lines[0]);
    assert_null(strstr(buf.text, "nan"));
    assert_null(strstr(buf.text, "inf"));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void hostile_names_stay_on_their_lines(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    struct pb_strbuf buf = render(&sample.run, false, 1);
    for (const char *s = buf.text; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        assert_true(c == '\n' || (c >= 0x20 && c != 0x7F));
    }
    static const char *const lines[] = {"new\\nline", "\\x07", "\\x1b[31m", "\\xc2\\x9b",
                                        "invalid \\xff\\xfe"};
    assert_says(&buf, lines, sizeof lines / sizeof lines[0]);
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void colour_comes_only_when_asked_for(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_strbuf buf = render(&sample.run, true, 0);
    assert_non_null(strstr(buf.text, "\033[31mregressed\033[0m"));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void an_empty_run_is_no_problem(void **state)
{
    (void)state;
    const struct pb_run_record run = {
        .id = "x", .label = "", .tool_version = "", .valid = true, .wall_s = 0, .timed_s = 0};
    struct pb_strbuf buf = render(&run, false, 1);
    assert_string_equal(buf.text, "\n\n0 scenarios, 0 launches each, 0.0 s, worker start 0.0 ms, "
                                  "seed 0\nrun x\n");
    pb_strbuf_release(&buf);
}

static void a_locale_with_commas_changes_nothing(void **state)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    a_run_reads_row_by_row_with_its_troubles_behind(state);
    verbose_adds_what_verdicts_rest_on(state);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_reads_row_by_row_with_its_troubles_behind),
        cmocka_unit_test(quiet_leaves_only_what_is_not_fine),
        cmocka_unit_test(pairs_that_are_not_judged_are_no_trouble),
        cmocka_unit_test(verbose_adds_what_verdicts_rest_on),
        cmocka_unit_test(an_invalid_or_injected_run_says_so),
        cmocka_unit_test(degenerate_intervals_are_shown_sanely),
        cmocka_unit_test(hostile_names_stay_on_their_lines),
        cmocka_unit_test(colour_comes_only_when_asked_for),
        cmocka_unit_test(an_empty_run_is_no_problem),
        cmocka_unit_test(a_locale_with_commas_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
