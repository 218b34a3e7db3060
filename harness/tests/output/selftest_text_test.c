/* SPDX-License-Identifier: Apache-2.0
 *
 * A self-test as text and as JSON: the same numbers, and no number where none was measured.
 */
#include "output/selftest_text.h"

#include <json-c/json.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "output/selftest_json.h"

static struct pb_demand demand(double limit, enum pb_demand_result result)
{
    return (struct pb_demand){.limit = limit, .n_least = 1000, .result = result};
}

static struct pb_selftest_row rows[] = {
    {.id = "false_verdicts",
     .what = "identical code: false verdict",
     .at_most = true,
     .k = 3,
     .n = 1500,
     .lo = 0.0004,
     .hi = 0.0058,
     .value_s = (double)NAN,
     .median_s = 0.31},
    {.id = "found_plus1",
     .what = "+1 %: found",
     .lo = (double)NAN,
     .hi = (double)NAN,
     .value_s = (double)NAN,
     .median_s = (double)NAN},
    {.id = "run_and_check",
     .what = "50 scenarios",
     .is_seconds = true,
     .at_most = true,
     .lo = (double)NAN,
     .hi = (double)NAN,
     .value_s = 88.25,
     .median_s = (double)NAN},
};

static struct pb_method_row methods[] = {
    {.id = "u_test", .what = "U test", .false_verdicts = {13, 100}, .found_1 = {0, 0}},
};

static struct pb_synthetic_report synthetic = {
    .checks = {{.what = "missed",
                .distribution = "Gaussian",
                .k = 4,
                .n = 100,
                .most = 0.05,
                .holds = true},
               {.what = "constants", .k = 1, .n = 18, .holds = false}},
    .n_checks = 2,
    .n_failed = 1,
    .n_launches = 2500000,
};

static struct pb_selftest_report make(void)
{
    static struct pb_fact facts[] = {{"cpu", "A \x1b[31mCPU"}};
    rows[0].must = demand(0.005, PB_DEMAND_REACHED);
    rows[0].aim = demand(0, PB_DEMAND_MISSED);
    rows[1].must = demand(0.85, PB_DEMAND_OPEN);
    rows[1].aim = demand(NAN, PB_DEMAND_NONE);
    rows[2].must = demand(150, PB_DEMAND_MISSED);
    rows[2].aim = demand(90, PB_DEMAND_REACHED);
    return (struct pb_selftest_report){
        .tool_version = "1",
        .seed = UINT64_MAX,
        .wall_s = 120,
        .machine = {facts, 1},
        .stopped = "all trials done",
        .n_trials = 1510,
        .n_failed = 2,
        .rows = rows,
        .n_rows = 3,
        .methods = methods,
        .n_methods = 1,
        .synthetic = &synthetic,
        .exit_code = 1,
    };
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("no '%s' in\n%s", part, text);
    }
}

static void text_shows_shares_with_their_counts_and_what_is_demanded(void **state)
{
    (void)state;
    const struct pb_selftest_report report = make();
    const struct pb_style style = {0};
    struct pb_strbuf text = {0};
    pb_selftest_text_add(&text, &report, &style);
    static const char *const parts[] = {
        "3 of 1500",
        "0.20 %",
        "0.04 … 0.58 %",
        "0.31 s",
        "≤ 0.5 %",
        "none",
        "≥ 85 %",
        "88.2 s",
        "≤ 150 s",
        "1 reached",
        "1 missed",
        "1 open",
        "1510 trials (2 failed, 0 of invalid runs)",
        "18446744073709551615",
        "A \\x1b[31mCPU",
        "13 of 100",
        "13.0 %",
        "does not hold",
        "1 of 2 checks hold, 2.5 million launches",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_has(text.text, parts[i]);
    }
    assert_null(strstr(text.text, "nan"));
    assert_null(strstr(text.text, "Gaussian")); /* it holds: only counted */
    pb_strbuf_release(&text);
}

static void talkative_text_lists_what_holds_too(void **state)
{
    (void)state;
    const struct pb_selftest_report report = make();
    const struct pb_style style = {.verbosity = 1};
    struct pb_strbuf text = {0};
    pb_selftest_text_add(&text, &report, &style);
    assert_has(text.text, "Gaussian");
    pb_strbuf_release(&text);
}

static struct json_object *get(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    if (!json_object_object_get_ex(object, key, &value)) {
        fail_msg("no key %s", key);
    }
    return value;
}

static void json_has_the_same_numbers(void **state)
{
    (void)state;
    const struct pb_selftest_report report = make();
    struct pb_strbuf text = {0};
    assert_int_equal(pb_selftest_json_add(&text, &report, NULL), PB_OK);
    struct json_object *root = json_tokener_parse(text.text);
    assert_non_null(root);
    assert_string_equal(json_object_get_string(get(root, "command")), "selftest");
    assert_string_equal(json_object_get_string(get(root, "seed")), "18446744073709551615");
    assert_int_equal(json_object_get_int(get(root, "exit_code")), 1);
    struct json_object *row = json_object_array_get_idx(get(root, "rows"), 0);
    assert_int_equal(json_object_get_int(get(row, "k")), 3);
    assert_int_equal(json_object_get_int(get(row, "n")), 1500);
    assert_null(get(row, "value_s"));
    assert_string_equal(json_object_get_string(get(get(row, "must"), "result")), "reached");
    row = json_object_array_get_idx(get(root, "rows"), 1);
    assert_null(get(get(row, "aim"), "limit"));
    assert_null(get(get(row, "aim"), "result"));
    struct json_object *method = json_object_array_get_idx(get(root, "methods"), 0);
    assert_int_equal(json_object_get_int(get(get(method, "false_verdicts"), "k")), 13);
    assert_int_equal(json_object_get_int(get(get(root, "synthetic"), "failed")), 1);
    json_object_put(root);
    pb_strbuf_release(&text);
}

static void what_was_not_done_is_left_out(void **state)
{
    (void)state;
    const struct pb_selftest_report report = {.synthetic = &synthetic, .tool_version = "1"};
    const struct pb_style style = {0};
    struct pb_strbuf text = {0};
    pb_selftest_text_add(&text, &report, &style);
    assert_null(strstr(text.text, "must"));
    assert_null(strstr(text.text, "method"));
    pb_strbuf_reset(&text);
    assert_int_equal(pb_selftest_json_add(&text, &report, NULL), PB_OK);
    assert_null(strstr(text.text, "stopped"));
    pb_strbuf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_shows_shares_with_their_counts_and_what_is_demanded),
        cmocka_unit_test(talkative_text_lists_what_holds_too),
        cmocka_unit_test(json_has_the_same_numbers),
        cmocka_unit_test(what_was_not_done_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
