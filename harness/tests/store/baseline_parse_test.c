/* SPDX-License-Identifier: Apache-2.0
 *
 * Baseline files read back: what is accepted, and where and why the rest is not.
 */
#include "store/baseline_parse.h"

#include "store/baseline_format.h"
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SEEDS       PB_TEST_DATA "/store/baseline_seeds/"
#define COUNTS_HEAD "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"counts\"}\n"
#define RATIOS_HEAD "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"ratios\"}\n"
#define PAIR        "\"case\":\"c\",\"scenario\":\"s\",\"a\":\"old\",\"b\":\"new\""

static void check_parses(const char *text, struct pb_arena *arena, struct pb_baseline *baseline)
{
    struct pb_error err = {0};
    if (pb_baseline_parse("f", text, strlen(text), arena, baseline, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
}

static void a_file_read_and_written_again_is_the_same_byte_for_byte(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_error err = {0};
    struct pb_baseline baseline = {0};
    struct pb_strbuf counts = {0};
    struct pb_strbuf ratios = {0};
    struct pb_strbuf again = {0};
    test_file_read(SEEDS "counts.jsonl", &counts);
    test_file_read(SEEDS "ratios.jsonl", &ratios);
    check_parses(counts.text, &arena, &baseline);
    assert_int_equal(pb_baseline_format_counts(&baseline, &again, &err), PB_OK);
    assert_string_equal(again.text, counts.text);
    check_parses(ratios.text, &arena, &baseline);
    pb_strbuf_reset(&again);
    assert_int_equal(pb_baseline_format_ratios(&baseline, &again, &err), PB_OK);
    assert_string_equal(again.text, ratios.text);
    assert_int_equal(baseline.n_counts, 6); /* the first file is still there */
    assert_int_equal(baseline.n_instructions, 2);
    assert_string_equal(baseline.counter, "callgrind");
    pb_strbuf_release(&counts);
    pb_strbuf_release(&ratios);
    pb_strbuf_release(&again);
    pb_arena_release(&arena);
}

static void entries_come_back_sorted_with_their_names_as_they_were(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_baseline baseline = {0};
    check_parses(COUNTS_HEAD "{\"name\":\"b\",\"counts\":{\"y\":2,\"x\":1}}\n"
                             "{\"name\":\"a\\\\xff\\\\n\",\"counts\":{\"z\":3}}",
                 &arena, &baseline);
    static const struct pb_baseline_count expected[] = {
        {"a\xff\n", "z", 3}, {"b", "x", 1}, {"b", "y", 2}};
    assert_int_equal(baseline.n_counts, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(baseline.counts[i].name, expected[i].name);
        assert_string_equal(baseline.counts[i].metric, expected[i].metric);
        assert_int_equal(baseline.counts[i].value, expected[i].value);
    }
    pb_arena_release(&arena);
}

static void ratios_come_back_as_logs_within_their_rounding(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_baseline baseline = {0};
    check_parses(
        "{\"schema\":\"pairbench-baseline/1\",\"kind\":\"ratios\",\"class\":{\"b\":\"2\","
        "\"a\":\"1\"},\"origin\":{\"run\":\"r\"}}\n"
        "{" PAIR
        ",\"ratio\":0.5,\"lo\":0.25,\"hi\":1,\"spread_pct\":100,\"launches\":40,\"a_ns\":12.5}\n",
        &arena, &baseline);
    assert_int_equal(baseline.n_ratios, 1);
    const struct pb_baseline_ratio *ratio = &baseline.ratios[0];
    assert_string_equal(ratio->case_name, "c");
    assert_string_equal(ratio->scenario, "s");
    assert_string_equal(ratio->a, "old");
    assert_string_equal(ratio->b, "new");
    assert_true(ratio->estimate == log(0.5) && ratio->lo == log(0.25) && ratio->hi == 0);
    assert_true(fabs(ratio->spread - log(2)) < 1e-12);
    assert_int_equal(ratio->launches, 40);
    assert_true(ratio->a_ns == 12.5);
    assert_string_equal(baseline.path, "f");
    assert_string_equal(baseline.class_facts.items[0].key, "a");
    assert_string_equal(pb_facts_get(&baseline.class_facts, "b"), "2");
    assert_string_equal(pb_facts_get(&baseline.origin, "run"), "r");
    pb_arena_release(&arena);
}

static void unknown_keys_and_other_line_ends_are_passed_over(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_baseline baseline = {0};
    check_parses(
        "{\"later\":[1,{\"x\":null}],\"kind\":\"counts\",\"schema\":\"pairbench-baseline/1\"}\r\n"
        "{\"name\":\"n\",\"why\":\"\",\"counts\":{\"x\":1}}\r\n",
        &arena, &baseline);
    assert_int_equal(baseline.n_counts, 1);
    pb_arena_release(&arena);
}

/* Files with one thing wrong, and how the message about it begins. */
static const struct {
    const char *text;
    const char *message;
} wrong[] = {
    {"", "f:1: the file is empty"},
    {"\n", "f:1: an empty line"},
    {"x", "f:1: not a JSON object"},
    {"[]", "f:1: a line must be a JSON object"},
    {"1 ", "f:1: a line must be a JSON object"},
    {"{}", "f:1: \"schema\" must be a string"},
    {"{\"schema\":1}", "f:1: \"schema\" must be a string"},
    {"{\"schema\":\"pairbench-baseline/2\",\"kind\":\"counts\"}",
     "f:1: schema \"pairbench-baseline/2\" is not known here"},
    {"{\"schema\":\"\\\\x1b[2J\",\"kind\":\"counts\"}", "f:1: schema \"\\x1b[2J\""},
    {"{\"schema\":\"pairbench-baseline/1\",\"kind\":\"times\"}", "f:1: kind \"times\""},
    {"{\"schema\":\"pairbench-baseline/1\",\"kind\":\"ratios\",\"class\":[]}",
     "f:1: \"class\" must be an object"},
    {"{\"schema\":\"pairbench-baseline/1\",\"kind\":\"ratios\",\"class\":{\"a\":1}}",
     "f:1: \"class\" must hold strings"},
    {"{\"schema\":\"pairbench-baseline/1\",\"kind\":\"counts\",\"origin\":{\"\\\\q\":\"\"}}",
     "f:1: \"origin\" must hold strings"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":1}}\n\n", "f:3: an empty line"},
    {COUNTS_HEAD "<<<<<<< HEAD\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{}} {}\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{}},\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"n\",\n\"counts\":{}}\n", "f:2: not a JSON object: it ends"},
    {COUNTS_HEAD "{'name':\"n\",\"counts\":{}}\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"\xff\",\"counts\":{}}\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"n\",\"x\":[[[[[[[[[]]]]]]]]]}\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"a\tb\",\"counts\":{}}\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{},\"x\":[-Infinity]}\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{},\"x\":TRUE}\n", "f:2: not a JSON object"},
    {COUNTS_HEAD "{\"counts\":{}}\n", "f:2: \"name\" must be a string"},
    {COUNTS_HEAD "{\"name\":null,\"counts\":{}}\n", "f:2: \"name\" must be a string"},
    {COUNTS_HEAD "{\"name\":\"a\\\\q\",\"counts\":{}}\n", "f:2: \"name\" must be a string"},
    {COUNTS_HEAD "{\"name\":\"a\\u0000b\",\"counts\":{}}\n", "f:2: \"name\" must be a string"},
    {COUNTS_HEAD "{\"name\":\"n\"}\n", "f:2: \"counts\" must be an object"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":[1]}\n", "f:2: \"counts\" must be an object"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":-1}}\n", "f:2: count \"x\" must be"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":1.5}}\n", "f:2: count \"x\" must be"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":\"1\"}}\n", "f:2: count \"x\" must be"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":null}}\n", "f:2: count \"x\" must be"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":true}}\n", "f:2: count \"x\" must be"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":9223372036854775808}}\n",
     "f:2: count \"x\" must be"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":99999999999999999999999}}\n",
     "f:2: count \"x\" must be"},
    {COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":1}}\n"
                 "{\"name\":\"m\",\"counts\":{\"x\":1}}\n"
                 "{\"name\":\"n\",\"counts\":{\"y\":1,\"x\":2}}\n",
     "f:4: a second count \"x\" of n"},
    {COUNTS_HEAD "{\"name\":\"\\\\x61\",\"counts\":{\"x\":1}}\n"
                 "{\"name\":\"a\",\"counts\":{\"x\":1}}\n",
     "f:3: a second count \"x\" of a"},
    {RATIOS_HEAD "{\"case\":\"c\",\"scenario\":\"s\",\"a\":\"old\",\"ratio\":1,\"launches\":1}\n",
     "f:2: \"b\" must be a string"},
    {RATIOS_HEAD "{" PAIR ",\"launches\":1}\n", "f:2: \"ratio\" must be a number"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":null,\"launches\":1}\n", "f:2: \"ratio\" must be"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":0,\"launches\":1}\n", "f:2: \"ratio\" must be"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":-1,\"launches\":1}\n", "f:2: \"ratio\" must be"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1e-13,\"launches\":1}\n", "f:2: \"ratio\" must be"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":\"1\",\"launches\":1}\n", "f:2: \"ratio\" must be"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":NaN,\"launches\":1}\n",
     "f:2: not a JSON object: an unexpected character at byte 56"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1e999,\"launches\":1}\n", "f:2: \"ratio\" must be"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1,\"hi\":Infinity,\"launches\":1}\n",
     "f:2: not a JSON object"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1,\"lo\":1.1,\"launches\":1}\n",
     "f:2: \"ratio\" must lie between"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1,\"hi\":0.9,\"launches\":1}\n",
     "f:2: \"ratio\" must lie between"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1,\"spread_pct\":-1,\"launches\":1}\n",
     "f:2: \"spread_pct\" must"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1,\"launches\":1,\"a_ns\":0}\n", "f:2: \"a_ns\" must"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1}\n", "f:2: \"launches\" must"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1,\"launches\":4294967296}\n", "f:2: \"launches\" must"},
    {RATIOS_HEAD "{\"instructions\":1}\n", "f:2: \"name\" must be a string"},
    {RATIOS_HEAD "{\"name\":\"n\",\"instructions\":-1}\n", "f:2: \"instructions\" must be"},
    {RATIOS_HEAD "{\"name\":\"n\",\"instructions\":1.5}\n", "f:2: \"instructions\" must be"},
    {RATIOS_HEAD "{\"name\":\"n\",\"instructions\":1}\n{\"name\":\"n\",\"instructions\":1}\n",
     "f:3: a second count \"instructions\" of n"},
    {"{\"schema\":\"pairbench-baseline/1\",\"kind\":\"ratios\",\"instruction_counter\":1}\n",
     "f:1: \"instruction_counter\" must be a string"},
    {RATIOS_HEAD "{" PAIR ",\"ratio\":1,\"launches\":1}\n{" PAIR ",\"ratio\":2,\"launches\":1}\n",
     "f:3: a second pair old, new of c/s"},
};

static void what_is_wrong_is_reported_with_file_and_line(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct pb_baseline baseline = {.path = "before"};
        struct pb_error err = {0};
        const enum pb_code code =
            pb_baseline_parse("f", wrong[i].text, strlen(wrong[i].text), &arena, &baseline, &err);
        if (code != PB_ERR_FORMAT || strstr(err.message, wrong[i].message) != err.message) {
            fail_msg("%zu: %d '%s' does not begin with '%s'", i, (int)code, err.message,
                     wrong[i].message);
        }
        assert_string_equal(baseline.path, "before");
        assert_int_equal(baseline.n_counts + baseline.n_ratios + baseline.n_instructions, 0);
    }
    pb_arena_release(&arena);
}

static void a_second_file_of_a_kind_is_refused(void **state)
{
    (void)state;
    static const char text[] = COUNTS_HEAD "{\"name\":\"n\",\"counts\":{\"x\":1}}\n";
    struct pb_arena arena = {0};
    struct pb_baseline baseline = {0};
    struct pb_error err = {0};
    check_parses(text, &arena, &baseline);
    assert_int_equal(pb_baseline_parse("f", text, strlen(text), &arena, &baseline, &err),
                     PB_ERR_FORMAT);
    assert_non_null(strstr(err.message, "another file of this kind"));
    pb_arena_release(&arena);
}

static void a_zero_byte_is_no_text(void **state)
{
    (void)state;
    static const char text[] = COUNTS_HEAD "{\"name\":\"n\",\"counts\":{}}\0\n";
    struct pb_arena arena = {0};
    struct pb_baseline baseline = {0};
    struct pb_error err = {0};
    assert_int_equal(pb_baseline_parse("f", text, sizeof text - 1, &arena, &baseline, &err),
                     PB_ERR_FORMAT);
    assert_non_null(strstr(err.message, "f:2: a zero byte"));
    pb_arena_release(&arena);
}

static void limits_are_named(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_baseline baseline = {0};
    struct pb_error err = {0};
    struct pb_strbuf text = {0};
    pb_strbuf_adds(&text, COUNTS_HEAD);
    for (int i = 0; i < PB_BASELINE_LINES_MAX; i++) {
        pb_strbuf_adds(&text, "{\"name\":\"n\",\"counts\":{}}\n");
    }
    assert_int_equal(pb_baseline_parse("f", text.text, text.length, &arena, &baseline, &err),
                     PB_ERR_LIMIT);
    assert_non_null(strstr(err.message, "limit of 20000 lines"));
    pb_strbuf_reset(&text);
    pb_strbuf_adds(&text, COUNTS_HEAD "{\"name\":\"");
    for (int i = 0; i < PB_BASELINE_LINE_BYTES_MAX; i++) {
        pb_strbuf_addc(&text, 'n');
    }
    pb_strbuf_adds(&text, "\",\"counts\":{}}\n");
    assert_int_equal(pb_baseline_parse("f", text.text, text.length, &arena, &baseline, &err),
                     PB_ERR_LIMIT);
    assert_non_null(strstr(err.message, "f:2: longer than the limit of 65536 bytes"));
    pb_strbuf_release(&text);
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_read_and_written_again_is_the_same_byte_for_byte),
        cmocka_unit_test(entries_come_back_sorted_with_their_names_as_they_were),
        cmocka_unit_test(ratios_come_back_as_logs_within_their_rounding),
        cmocka_unit_test(unknown_keys_and_other_line_ends_are_passed_over),
        cmocka_unit_test(what_is_wrong_is_reported_with_file_and_line),
        cmocka_unit_test(a_second_file_of_a_kind_is_refused),
        cmocka_unit_test(a_zero_byte_is_no_text),
        cmocka_unit_test(limits_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
