/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of baseline files.
 */
#include "store/baseline_format.h"

#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SEEDS PB_TEST_DATA "/store/baseline_seeds/"

/* What the seed files say, out of order. */
static struct pb_fact origin_of_counts[] = {
    {"tool", "0.1.0"},
    {"commit", "0123456789abcdef"},
    {"saved_at", "2026-01-31T02:00:00Z"},
};
static struct pb_baseline_count counts[] = {
    {"odd/\"quoted\" \xff\n\\/\xc3\xa9/new", "\x01", 0},
    {"cql/query_params/12_mixed/old", "writes", 27},
    {"cql/query_params/12_mixed/new", "writes", 1},
    {"cql/query_params/12_mixed/new", "bytes", INT64_MAX},
    {"cql/query_params/12_mixed/old", "bytes", 5384},
    {"cql/query_params/12_mixed/new", "allocations", 0},
};
static struct pb_fact class_facts[] = {
    {"flags", "-O2 \xff"},
    {"arch", "x86_64"},
    {"compiler", "gcc 12.2.0"},
};
static struct pb_fact origin_of_ratios[] = {
    {"run", "11111111-2222-4333-8444-555555555555"},
    {"commit", "0123456789abcdef"},
};

static void check_seed(const char *path, const struct pb_strbuf *text)
{
    struct pb_strbuf expected = {0};
    test_file_read(path, &expected);
    assert_string_equal(text->text, expected.text);
    pb_strbuf_release(&expected);
}

static void counts_are_sorted_and_one_line_a_benchmark(void **state)
{
    (void)state;
    const struct pb_baseline baseline = {
        .origin = {origin_of_counts, 3},
        .counts = counts,
        .n_counts = sizeof counts / sizeof counts[0],
    };
    struct pb_error err = {0};
    struct pb_strbuf text = {0};
    assert_int_equal(pb_baseline_format_counts(&baseline, &text, &err), PB_OK);
    check_seed(SEEDS "counts.jsonl", &text);
    pb_strbuf_release(&text);
}

static void ratios_are_sorted_and_rounded_before_instructions(void **state)
{
    (void)state;
    struct pb_baseline_ratio ratios[] = {
        {"odd/\xfe", "\n", "old", "\"new\"", log(1234567.8), log(1.2e-5), log(3e10), log1p(1.5),
         UINT32_MAX, NAN},
        {"cql/batch_send_body", "wide", "old", "new", 0, -INFINITY, INFINITY, NAN, 0, NAN},
        {"cql/batch_send_body", "10q_2p_vec128", "old", "new", log(0.51234567), log(0.511),
         log(0.5135), log1p(0.0012), 40, 546.78},
    };
    struct pb_baseline_count instructions[] = {
        {"odd/\xfe/\n/old", PB_BASELINE_INSTRUCTIONS, 0},
        {"cql/batch_send_body/10q_2p_vec128/new", PB_BASELINE_INSTRUCTIONS, 3121},
    };
    const struct pb_baseline baseline = {
        .class_facts = {class_facts, 3},
        .origin = {origin_of_ratios, 2},
        .counter = "callgrind",
        .ratios = ratios,
        .n_ratios = sizeof ratios / sizeof ratios[0],
        .instructions = instructions,
        .n_instructions = sizeof instructions / sizeof instructions[0],
    };
    struct pb_error err = {0};
    struct pb_strbuf text = {0};
    assert_int_equal(pb_baseline_format_ratios(&baseline, &text, &err), PB_OK);
    check_seed(SEEDS "ratios.jsonl", &text);
    pb_strbuf_release(&text);
}

static void what_could_not_be_read_back_is_not_written(void **state)
{
    (void)state;
    struct pb_baseline_count twice[] = {{"n", "m", 1}, {"a", "m", 1}, {"n", "m", 1}};
    struct pb_baseline_count negative[] = {{"n", "m", -1}};
    struct pb_baseline_ratio good = {"c\n", "s", "a", "b", 0.1, 0, 0.2, 0.1, 9, NAN};
    struct pb_baseline_ratio pairs[] = {good, good};
    struct pb_baseline baseline = {.counts = twice, .n_counts = 3};
    struct pb_error err = {0};
    struct pb_strbuf text = {0};
    assert_int_equal(pb_baseline_format_counts(&baseline, &text, &err), PB_ERR_USAGE);
    assert_non_null(strstr(err.message, "n m: it is there twice"));
    baseline = (struct pb_baseline){.counts = negative, .n_counts = 1};
    assert_int_equal(pb_baseline_format_counts(&baseline, &text, &err), PB_ERR_USAGE);
    baseline = (struct pb_baseline){.ratios = pairs, .n_ratios = 2};
    assert_int_equal(pb_baseline_format_ratios(&baseline, &text, &err), PB_ERR_USAGE);
    assert_non_null(strstr(err.message, "c\\n s: the pair is there twice"));
    baseline = (struct pb_baseline){.instructions = negative, .n_instructions = 1};
    assert_int_equal(pb_baseline_format_ratios(&baseline, &text, &err), PB_ERR_USAGE);
    baseline = (struct pb_baseline){.instructions = twice, .n_instructions = 3};
    assert_int_equal(pb_baseline_format_ratios(&baseline, &text, &err), PB_ERR_USAGE);
    static const struct {
        double estimate, lo, hi;
    } table[] = {
        {NAN, 0, 1},     {INFINITY, 0, INFINITY}, {800, 0, 900}, {-800, -900, 0},
        {0.1, 0.2, 0.3}, {0.4, 0.2, 0.3},         {0.1, NAN, 1}, {0.1, 0, NAN},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct pb_baseline_ratio ratio = good;
        ratio.estimate = table[i].estimate;
        ratio.lo = table[i].lo;
        ratio.hi = table[i].hi;
        baseline = (struct pb_baseline){.ratios = &ratio, .n_ratios = 1};
        assert_int_equal(pb_baseline_format_ratios(&baseline, &text, &err), PB_ERR_USAGE);
    }
    pb_strbuf_release(&text);
}

static void an_empty_baseline_is_a_header(void **state)
{
    (void)state;
    const struct pb_baseline baseline = {0};
    struct pb_error err = {0};
    struct pb_strbuf text = {0};
    assert_int_equal(pb_baseline_format_counts(&baseline, &text, &err), PB_OK);
    assert_string_equal(
        text.text, "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"counts\",\"origin\":{}}\n");
    pb_strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_sorted_and_one_line_a_benchmark),
        cmocka_unit_test(ratios_are_sorted_and_rounded_before_instructions),
        cmocka_unit_test(what_could_not_be_read_back_is_not_written),
        cmocka_unit_test(an_empty_baseline_is_a_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
