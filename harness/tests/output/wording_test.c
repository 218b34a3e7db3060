/* SPDX-License-Identifier: Apache-2.0
 *
 * Phrases that all outputs share.
 */
#include "output/wording.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void a_time_or_the_word_for_why_there_is_none(void **state)
{
    (void)state;
    static const struct {
        struct pb_benchmark_record benchmark;
        const char *text;
        enum pb_tone tone;
    } shown[] = {
        {{.state = PB_STATE_OK, .best_ns = 1420}, "1.42 µs", PB_TONE_PLAIN},
        {{.state = PB_STATE_OK, .best_ns = NAN}, "-", PB_TONE_PLAIN},
        {{.state = PB_STATE_OK, .best_ns = 0.1, .below_resolution = true},
         "too fast",
         PB_TONE_WARN},
        {{.state = PB_STATE_FAILED, .best_ns = 0}, "failed", PB_TONE_BAD},
        {{.state = PB_STATE_SKIPPED, .best_ns = NAN}, "skipped", PB_TONE_FAINT},
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        pb_strbuf_reset(&buf);
        assert_int_equal(pb_wording_time(&buf, &shown[i].benchmark), shown[i].tone);
        assert_string_equal(buf.text, shown[i].text);
    }
    pb_strbuf_reset(&buf);
    pb_wording_time(&buf, NULL);
    assert_string_equal(buf.text, "");
    pb_strbuf_release(&buf);
}

static void counts_say_which_of_them_vary(void **state)
{
    (void)state;
    struct pb_count_record counts[] = {{"bytes", 0, true}, {"writes", 83, false}};
    struct pb_benchmark_record benchmark = {.counts = counts, .n_counts = 2, .instructions = 4711};
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_wording_counts(&buf, &benchmark);
    assert_string_equal(buf.text, "bytes 0, writes 83 (varies), instructions 4711");
    pb_strbuf_reset(&buf);
    benchmark.n_counts = 0;
    pb_wording_counts(&buf, &benchmark);
    assert_string_equal(buf.text, "instructions 4711");
    pb_strbuf_reset(&buf);
    benchmark.instructions = -1;
    pb_wording_counts(&buf, &benchmark);
    assert_string_equal(buf.text, "");
    pb_strbuf_release(&buf);
}

static void a_pair_is_of_two_variants_or_of_two_builds(void **state)
{
    (void)state;
    struct pb_pair_record pair = {.case_name = "a/b", .scenario = "s", .a = "old", .b = "new"};
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_wording_pair(&buf, &pair);
    assert_string_equal(buf.text, "a/b/s: new against old");
    pb_strbuf_reset(&buf);
    pair.variant = "new";
    pair.a = "base";
    pair.b = "head";
    pb_wording_pair(&buf, &pair);
    assert_string_equal(buf.text, "a/b/s/new: head against base");
    pb_strbuf_release(&buf);
}

static void a_plan_says_at_most_when_it_adapts(void **state)
{
    (void)state;
    struct pb_run_record run = {.launches = 96, .adaptive = true};
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_wording_plan(&buf, &run, 19);
    assert_string_equal(buf.text, "19 scenarios, up to 96 launches each");
    pb_strbuf_reset(&buf);
    run = (struct pb_run_record){.launches = 1, .quick = true};
    pb_wording_plan(&buf, &run, 1);
    assert_string_equal(buf.text, "1 scenario, 1 launch each (quick)");
    pb_strbuf_release(&buf);
}

static void a_headline_is_the_check_or_else_the_run(void **state)
{
    (void)state;
    struct pb_pair_record pairs[] = {{.gated = true, .verdict = PB_VERDICT_IMPROVED},
                                     {.gated = true, .verdict = PB_VERDICT_REGRESSED},
                                     {.gated = false, .verdict = PB_VERDICT_FAILED}};
    struct pb_run_record run = {.pairs = pairs, .n_pairs = 3};
    struct pb_finding finding = {.verdict = PB_VERDICT_MISSING};
    const struct pb_check_record check = {.findings = &finding, .n_findings = 1};
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    pb_wording_headline(&buf, &run, &check);
    assert_string_equal(buf.text, "1 missing");
    pb_strbuf_reset(&buf);
    pb_wording_headline(&buf, &run, NULL);
    assert_string_equal(buf.text, "1 regressed, 1 improved");
    pb_strbuf_reset(&buf);
    run.n_pairs = 0;
    pb_wording_headline(&buf, &run, NULL);
    assert_string_equal(buf.text, "no pairs");
    pb_strbuf_release(&buf);
}

static void wall_time_says_how_much_was_timed(void **state)
{
    (void)state;
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    struct pb_run_record run = {.wall_s = 20, .timed_s = 15};
    pb_wording_wall_time(&buf, &run);
    assert_string_equal(buf.text, "20 s, 75 % of it timed");
    pb_strbuf_reset(&buf);
    run.wall_s = 0;
    pb_wording_wall_time(&buf, &run);
    assert_string_equal(buf.text, "0.0 s");
    pb_strbuf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_time_or_the_word_for_why_there_is_none),
        cmocka_unit_test(counts_say_which_of_them_vary),
        cmocka_unit_test(a_pair_is_of_two_variants_or_of_two_builds),
        cmocka_unit_test(a_plan_says_at_most_when_it_adapts),
        cmocka_unit_test(a_headline_is_the_check_or_else_the_run),
        cmocka_unit_test(wall_time_says_how_much_was_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
