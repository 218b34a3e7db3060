/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists and baselines as text.
 */
#include "output/listing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const struct pb_listed_scenario scenarios[] = {
    {"small", "ten bytes", false, 10}, {"huge", "a gigabyte", true, 0}, {"n\new", "", false, 0}};
static const struct pb_listed_variant variants[] = {
    {"old", "a write a field", false, false},
    {"floor", "copies", true, false},
    {"libother", "theirs", false, true},
};
static const struct pb_listed_suite suites[] = {
    {"/s/cql.so", "cql", "gcc 12", "-O3", "Release", true},
    {"/s/debug.so", "debug", "gcc 12", "-O0", "", false},
};
static const struct pb_listed_case cases[] = {
    {0, "cql/value", "writes values", "a pull request", scenarios, 3, variants, 3}};
static const struct pb_listing listing = {suites, 2, cases, 1};

static void a_list_shows_summaries_sources_and_remarks(void **state)
{
    (void)state;
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    const struct pb_style style = {0};
    pb_listing_text_add(&buf, &listing, &style);
    assert_string_equal(buf.text, "suite cql  /s/cql.so\n"
                                  "  gcc 12, Release\n"
                                  "suite debug  /s/debug.so\n"
                                  "  gcc 12, not optimised\n"
                                  "\n"
                                  "cql/value: writes values\n"
                                  "  source: a pull request\n"
                                  "  variant\n"
                                  "  old       a write a field\n"
                                  "  floor     copies           bound\n"
                                  "  libother  theirs           third party\n"
                                  "  scenario\n"
                                  "  small     ten bytes\n"
                                  "  huge      a gigabyte  on request only\n"
                                  "  n\\new\n");
    pb_strbuf_release(&buf);
}

static void quiet_is_one_name_a_line(void **state)
{
    (void)state;
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    const struct pb_style style = {.verbosity = -1};
    pb_listing_text_add(&buf, &listing, &style);
    assert_string_equal(buf.text, "cql/value/small/old\ncql/value/small/floor\n"
                                  "cql/value/small/libother\ncql/value/huge/old\n"
                                  "cql/value/huge/floor\ncql/value/huge/libother\n"
                                  "cql/value/n\\new/old\ncql/value/n\\new/floor\n"
                                  "cql/value/n\\new/libother\n");
    pb_strbuf_release(&buf);
}

static void a_baseline_shows_its_class_ratios_and_counts(void **state)
{
    (void)state;
    static const char *const paths[] = {"b/counts.jsonl", "b/class.jsonl"};
    static const struct pb_listed_count counts[] = {{"a/b/new", "writes", 1}};
    static const struct pb_listed_ratio ratios[] = {
        {"a", "b", "old", "new", -0.693147, -0.70, -0.68, 0.004, 40},
        {"a", "c", "old", "new", 0, -INFINITY, INFINITY, NAN, 1}};
    static struct pb_fact class_facts[] = {{"arch", "x86_64"}};
    static struct pb_fact origin[] = {{"commit", "abc"}};
    static const struct pb_listed_alias aliases[] = {{"a/old", "a/b", "2026-01-31", "two now"}};
    static const struct pb_listed_waiver waivers[] = {
        {"a/b/new", "ratio", "new/old", 5, "2026-02-28", "checks"},
        {"a/c/*", NULL, NULL, INFINITY, "2026-03-31", "known"}};
    struct pb_baseline_listing baseline = {
        .paths = paths,
        .n_paths = 2,
        .class_facts = {class_facts, 1},
        .origin = {origin, 1},
        .counts = counts,
        .n_counts = 1,
        .ratios = ratios,
        .n_ratios = 2,
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    const struct pb_style style = {0};
    pb_baseline_text_add(&buf, &baseline, &style);
    assert_string_equal(buf.text, "b/counts.jsonl\n"
                                  "b/class.jsonl\n"
                                  "\n"
                                  "holds for\n"
                                  "arch       x86_64\n"
                                  "\n"
                                  "made from\n"
                                  "commit     abc\n"
                                  "\n"
                                  "pair                  speed-up                spread  launches\n"
                                  "a/b: new against old     2.00×  [1.97, 2.01]  0.40 %        40\n"
                                  "a/c: new against old    1.000×  [-, -]             -         1\n"
                                  "\n"
                                  "benchmark  count   of one operation\n"
                                  "a/b/new    writes                 1\n");
    const size_t before = buf.length;
    baseline.aliases = aliases;
    baseline.n_aliases = 1;
    baseline.waivers = waivers;
    baseline.n_waivers = 2;
    pb_strbuf_reset(&buf);
    pb_baseline_text_add(&buf, &baseline, &style);
    assert_string_equal(buf.text + before, "\n"
                                           "renamed  to   on          because\n"
                                           "a/old    a/b  2026-01-31  two now\n"
                                           "\n"
                                           "waived   gate   metric   at most  until       because\n"
                                           "a/b/new  ratio  new/old      5 %  2026-02-28  checks\n"
                                           "a/c/*    any    any               2026-03-31  known\n");
    pb_strbuf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_shows_summaries_sources_and_remarks),
        cmocka_unit_test(quiet_is_one_name_a_line),
        cmocka_unit_test(a_baseline_shows_its_class_ratios_and_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
