/* SPDX-License-Identifier: Apache-2.0
 *
 * Every document is read back with a strict parser.
 */
#include "output/json.h"

#include "sample.h"
#include "base/text.h"

#include <json-c/json.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* One strict document and nothing else, in well-formed UTF-8. */
static struct json_object *parse(const struct pb_strbuf *buf)
{
    assert_true(pb_text_is_utf8(buf->text, buf->length));
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *document = json_tokener_parse_ex(tokener, buf->text, (int)buf->length + 1);
    assert_int_equal(json_tokener_get_error(tokener), json_tokener_success);
    json_tokener_free(tokener);
    /* json-c is lenient about these two even when strict. */
    assert_null(strstr(buf->text, ": NaN"));
    assert_null(strstr(buf->text, "Infinity"));
    return document;
}

static void assert_near(double x, double y)
{
    assert_true(fabs(x - y) <= 1e-12 * fabs(y));
}

static struct json_object *at(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    assert_true(json_object_object_get_ex(object, key, &value));
    return value;
}

static const char *text_at(struct json_object *object, const char *key)
{
    return json_object_get_string(at(object, key));
}

static struct json_object *find(struct json_object *array, const char *key, const char *text)
{
    for (size_t i = 0; i < json_object_array_length(array); i++) {
        struct json_object *item = json_object_array_get_idx(array, i);
        if (strcmp(text_at(item, key), text) == 0) {
            return item;
        }
    }
    fail_msg("nothing has %s %s", key, text);
    return NULL;
}

static struct json_object *run_document(const struct pb_run_record *run)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    struct pb_error err;
    assert_int_equal(pb_json_add_run(&buf, run, &err), PB_OK);
    assert_int_equal(buf.text[buf.length - 1], '\n');
    struct json_object *document = parse(&buf);
    pb_strbuf_release(&buf);
    return document;
}

static struct json_object *check_document(const struct sample *sample)
{
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    struct pb_error err;
    assert_int_equal(pb_json_add_check(&buf, &sample->run, &sample->check, &err), PB_OK);
    struct json_object *document = parse(&buf);
    pb_strbuf_release(&buf);
    return document;
}

static void a_run_has_the_keys_of_the_contract(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct json_object *document = run_document(&sample.run);
    assert_string_equal(text_at(document, "schema"), "pairbench/1");
    assert_string_equal(text_at(document, "command"), "run");
    struct json_object *run = at(document, "run");
    assert_string_equal(text_at(run, "id"), sample.run.id);
    assert_string_equal(text_at(run, "started_at"), "2026-01-31T02:00:00Z");
    assert_string_equal(text_at(run, "seed"), "13835058055282163712");
    assert_true(json_object_get_boolean(at(run, "valid")));
    assert_true(json_object_get_double(at(at(run, "kernels"), "alu_ns")) == 1.5);
    assert_true(json_object_get_double(at(at(run, "kernels"), "l2_ns")) == 4.25);
    assert_null(at(at(run, "kernels"), "memory_ns"));
    assert_string_equal(text_at(at(run, "machine"), "cpu"), "AMD EPYC 7B13");
    assert_string_equal(text_at(at(run, "build"), "compiler"), "gcc 12.2.0");
    assert_string_equal(text_at(at(run, "commit"), "branch"), "main");
    assert_true(json_object_is_type(at(at(run, "commit"), "dirty"), json_type_boolean));
    static const char *const keys[] = {"name",    "case",       "scenario", "variant",
                                       "state",   "reason",     "best_ns",  "median_ns",
                                       "repeats", "iterations", "counts",   "instructions"};
    struct json_object *benchmarks = at(document, "benchmarks");
    assert_int_equal(json_object_array_length(benchmarks), sample.run.n_benchmarks);
    struct json_object *benchmark =
        find(benchmarks, "name", "cql/batch_send_body/10q_10p_text/new");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        at(benchmark, keys[i]);
    }
    assert_int_equal(json_object_get_int(at(at(benchmark, "counts"), "writes")), 1);
    assert_int_equal(json_object_get_int(at(at(benchmark, "counts"), "bytes")), 5384);
    static const char *const pair_keys[] = {"case",    "scenario",   "a",       "b",
                                            "speedup", "change_pct", "lo_pct",  "hi_pct",
                                            "verdict", "launches",   "timed_s", "provable_pct"};
    struct json_object *pair = json_object_array_get_idx(at(document, "pairs"), 0);
    for (size_t i = 0; i < sizeof pair_keys / sizeof pair_keys[0]; i++) {
        at(pair, pair_keys[i]);
    }
    assert_string_equal(text_at(pair, "verdict"), "improved");
    json_object_put(document);
    sample_release(&sample);
}

static void numbers_read_back_as_they_were(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    static const double values[] = {0.1, 1.0 / 3, 1e-300, 5e9, 0, 123456789.123456789};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        sample.run.benchmarks[i].best_ns = values[i];
    }
    struct json_object *document = run_document(&sample.run);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct json_object *item = json_object_array_get_idx(at(document, "benchmarks"), i);
        assert_true(json_object_get_double(at(item, "best_ns")) == values[i]);
    }
    const struct pb_pair_record *record = &sample.run.pairs[0];
    struct json_object *pair = json_object_array_get_idx(at(document, "pairs"), 0);
    assert_near(json_object_get_double(at(pair, "speedup")), exp(-record->estimate));
    assert_near(json_object_get_double(at(pair, "change_pct")), 100 * expm1(record->estimate));
    assert_near(json_object_get_double(at(pair, "provable_pct")),
                100 * expm1(fmax(fabs(record->lo), fabs(record->hi))));
    json_object_put(document);
    sample_release(&sample);
}

static void what_is_not_a_number_is_null(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct json_object *document = run_document(&sample.run);
    struct json_object *failed =
        find(at(document, "benchmarks"), "name", "cql/batch_send_body/empty/new");
    assert_string_equal(text_at(failed, "state"), "failed");
    assert_non_null(strstr(text_at(failed, "reason"), "signal 11"));
    assert_null(at(failed, "best_ns"));
    assert_null(at(failed, "instructions"));
    struct json_object *pairs = at(document, "pairs");
    for (size_t i = 0; i < json_object_array_length(pairs); i++) {
        struct json_object *pair = json_object_array_get_idx(pairs, i);
        if (strcmp(text_at(pair, "verdict"), "failed") == 0) {
            assert_null(at(pair, "speedup"));
            assert_null(at(pair, "change_pct"));
            assert_null(at(pair, "lo_pct"));
            assert_null(at(pair, "hi_pct"));
            assert_null(at(pair, "provable_pct"));
        }
    }
    json_object_put(document);
    sample_release(&sample);
}

static void commit_facts_that_git_could_not_tell_are_null(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    static struct pb_fact facts[] = {{"dirty", "unknown"}, {"state", "no git"}};
    sample.run.commit = (struct pb_facts){facts, 2};
    struct json_object *document = run_document(&sample.run);
    struct json_object *commit = at(at(document, "run"), "commit");
    assert_null(at(commit, "id"));
    assert_null(at(commit, "branch"));
    assert_null(at(commit, "dirty"));
    assert_string_equal(text_at(commit, "state"), "no git");
    json_object_put(document);
    sample_release(&sample);
}

static void a_check_has_verdicts_and_an_exit_code(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct json_object *document = check_document(&sample);
    assert_string_equal(text_at(document, "command"), "check");
    assert_int_equal(json_object_get_int(at(document, "exit_code")), 3);
    struct json_object *verdicts = at(document, "verdicts");
    assert_int_equal(json_object_array_length(verdicts), sample.check.n_findings);
    static const char *const keys[] = {"name",       "gate",   "metric", "baseline", "now",
                                       "change_pct", "lo_pct", "hi_pct", "verdict",  "reason"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        at(json_object_array_get_idx(verdicts, 0), keys[i]);
    }
    struct json_object *from_zero = find(verdicts, "metric", "allocations");
    assert_null(at(from_zero, "change_pct")); /* infinite; both values are there */
    assert_int_equal(json_object_get_int(at(from_zero, "baseline")), 0);
    assert_int_equal(json_object_get_int(at(from_zero, "now")), 5);
    assert_int_equal(json_object_get_int(at(at(document, "summary"), "regressed")), 3);
    json_object_put(document);
    sample_release(&sample);
}

static void a_regression_that_is_let_pass_says_why(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_finding *findings = sample.check.findings;
    findings[0].waived_until = "2026-02-28";
    findings[0].waived_reason = "known";
    findings[0].fails = false;
    findings[0].spread_pct = 0.25;
    findings[0].spread_runs = 7;
    findings[sample.check.n_findings - 3].warns = true;
    struct json_object *document = check_document(&sample);
    struct json_object *verdicts = at(document, "verdicts");
    struct json_object *waived = json_object_array_get_idx(verdicts, 0);
    assert_string_equal(text_at(at(waived, "waived"), "until"), "2026-02-28");
    assert_string_equal(text_at(at(waived, "waived"), "reason"), "known");
    assert_false(json_object_get_boolean(at(waived, "fails")));
    assert_false(json_object_get_boolean(at(waived, "warning")));
    assert_true(json_object_get_double(at(waived, "spread_pct")) == 0.25);
    assert_int_equal(json_object_get_int(at(waived, "spread_runs")), 7);
    struct json_object *warning = find(verdicts, "metric", "writes");
    assert_null(at(warning, "waived"));
    assert_true(json_object_get_boolean(at(warning, "warning")));
    assert_null(at(warning, "spread_pct"));
    struct json_object *regressed = find(verdicts, "metric", "allocations");
    assert_true(json_object_get_boolean(at(regressed, "fails")));
    assert_false(json_object_get_boolean(at(regressed, "warning")));
    struct json_object *summary = at(document, "summary");
    assert_int_equal(json_object_get_int(at(summary, "regressed")), 1);
    assert_int_equal(json_object_get_int(at(summary, "warnings")), 1);
    assert_int_equal(json_object_get_int(at(summary, "waived")), 1);
    json_object_put(document);
    sample_release(&sample);
}

static void hostile_names_stay_text(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    struct json_object *document = check_document(&sample);
    struct json_object *patterns = at(at(document, "run"), "patterns");
    assert_int_equal(json_object_array_length(patterns), 2);
    assert_string_equal(json_object_get_string(json_object_array_get_idx(patterns, 1)), "a\nb<*>");
    struct json_object *benchmarks = at(document, "benchmarks");
    for (size_t i = 0; i < sample.run.n_benchmarks; i++) {
        struct pb_strbuf mended;
        pb_strbuf_init(&mended);
        pb_text_add_utf8(&mended, sample.run.benchmarks[i].name);
        struct json_object *item = json_object_array_get_idx(benchmarks, i);
        assert_string_equal(text_at(item, "name"), mended.text);
        pb_strbuf_release(&mended);
    }
    json_object_put(document);
    sample_release(&sample);
}

static void listings_keep_names_summaries_and_sources(void **state)
{
    (void)state;
    static const struct pb_listed_scenario scenarios[] = {{"s\"1", "sum", true, 12}};
    static const struct pb_listed_variant variants[] = {{"old", "o", false, false},
                                                        {"floor", "f", true, false}};
    static const struct pb_listed_suite suites[] = {
        {"/x/suite.so", "suite", "gcc 12", "-O3", "Release", true}};
    static const struct pb_listed_case cases[] = {
        {0, "a/b", "what", "where from", scenarios, 1, variants, 2}};
    const struct pb_listing listing = {suites, 1, cases, 1};
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    struct pb_error err;
    assert_int_equal(pb_json_add_list(&buf, &listing, &err), PB_OK);
    struct json_object *document = parse(&buf);
    struct json_object *listed = json_object_array_get_idx(at(document, "cases"), 0);
    assert_string_equal(text_at(listed, "suite"), "suite");
    assert_string_equal(text_at(listed, "source"), "where from");
    struct json_object *scenario = json_object_array_get_idx(at(listed, "scenarios"), 0);
    assert_string_equal(text_at(scenario, "name"), "s\"1");
    assert_true(json_object_get_boolean(at(scenario, "on_request")));
    assert_true(
        json_object_get_boolean(at(json_object_array_get_idx(at(listed, "variants"), 1), "bound")));
    json_object_put(document);
    pb_strbuf_release(&buf);
}

static void baselines_show_counts_ratios_and_their_class(void **state)
{
    (void)state;
    static const char *const paths[] = {"baselines/counts.jsonl"};
    static const struct pb_listed_count counts[] = {{"a/b/new", "writes", 1}};
    static const struct pb_listed_ratio ratios[] = {
        {"a", "b", "old", "new", -0.7, -0.71, -0.69, 0.004, 40},
        {"a", "c", "old", "new", -0.7, -INFINITY, INFINITY, NAN, 1}};
    static struct pb_fact facts[] = {{"arch", "x86_64"}};
    static const struct pb_listed_alias aliases[] = {{"a/old", "a/b", "2026-01-31", "two now"}};
    static const struct pb_listed_waiver waivers[] = {
        {"a/b/new", "ratio", NULL, INFINITY, "2026-02-28", "checks"}};
    const struct pb_baseline_listing baseline = {
        .paths = paths,
        .n_paths = 1,
        .class_facts = {facts, 1},
        .origin = {facts, 1},
        .counts = counts,
        .n_counts = 1,
        .ratios = ratios,
        .n_ratios = 2,
        .aliases = aliases,
        .n_aliases = 1,
        .waivers = waivers,
        .n_waivers = 1,
    };
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    struct pb_error err;
    assert_int_equal(pb_json_add_baseline(&buf, &baseline, &err), PB_OK);
    struct json_object *document = parse(&buf);
    assert_string_equal(text_at(at(document, "class"), "arch"), "x86_64");
    struct json_object *ratio = json_object_array_get_idx(at(document, "ratios"), 0);
    assert_near(json_object_get_double(at(ratio, "speedup")), exp(0.7));
    assert_int_equal(json_object_get_int(at(ratio, "launches")), 40);
    ratio = json_object_array_get_idx(at(document, "ratios"), 1);
    assert_null(at(ratio, "lo_pct"));
    assert_null(at(ratio, "spread_pct"));
    struct json_object *alias = json_object_array_get_idx(at(document, "aliases"), 0);
    assert_string_equal(text_at(alias, "old"), "a/old");
    assert_string_equal(text_at(alias, "new"), "a/b");
    struct json_object *waiver = json_object_array_get_idx(at(document, "waivers"), 0);
    assert_string_equal(text_at(waiver, "gate"), "ratio");
    assert_string_equal(text_at(waiver, "until"), "2026-02-28");
    assert_null(at(waiver, "metric"));
    assert_null(at(waiver, "at_most_pct"));
    json_object_put(document);
    pb_strbuf_release(&buf);
}

static void a_difference_of_baselines_names_both_sides(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_baseline_difference items[] = {
        {.a = "x/counts.jsonl", .b = NULL, .check = sample.check},
        {.a = "x", .b = "run 1", .check = {.note = "other class"}},
    };
    const struct pb_baseline_diff diff = {items, 2};
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    struct pb_error err;
    assert_int_equal(pb_json_add_baseline_diff(&buf, &diff, &err), PB_OK);
    struct json_object *document = parse(&buf);
    assert_string_equal(text_at(document, "command"), "baseline diff");
    struct json_object *differences = at(document, "differences");
    assert_int_equal(json_object_array_length(differences), 2);
    struct json_object *first = json_object_array_get_idx(differences, 0);
    assert_string_equal(text_at(first, "a"), "x/counts.jsonl");
    assert_null(at(first, "b"));
    assert_int_equal(json_object_array_length(at(first, "verdicts")), sample.check.n_findings);
    assert_int_equal(json_object_get_int(at(at(first, "summary"), "missing")), 1);
    struct json_object *second = json_object_array_get_idx(differences, 1);
    assert_string_equal(text_at(second, "b"), "run 1");
    assert_string_equal(text_at(second, "note"), "other class");
    json_object_put(document);
    pb_strbuf_reset(&buf);
    const struct pb_style style = {0};
    pb_baseline_diff_text_add(&buf, &diff, &style);
    assert_int_equal(strncmp(buf.text, "x/counts.jsonl → (nothing)\nverdict ", 35), 0);
    assert_non_null(strstr(buf.text, "\n\nx → run 1\nnote: other class\nnothing to check\n"));
    pb_strbuf_reset(&buf);
    pb_baseline_diff_text_add(&buf, &(struct pb_baseline_diff){0}, &style);
    assert_string_equal(buf.text, "nothing to compare\n");
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void a_full_buffer_is_an_error_and_no_document(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    buf.limit = 1000;
    struct pb_error err;
    assert_int_equal(pb_json_add_run(&buf, &sample.run, &err), PB_ERR_LIMIT);
    assert_non_null(strstr(err.message, "1000 bytes"));
    pb_strbuf_release(&buf);
    sample_release(&sample);
}

static void a_locale_with_commas_changes_nothing(void **state)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    numbers_read_back_as_they_were(state);
    a_check_has_verdicts_and_an_exit_code(state);
    setlocale(LC_ALL, "C");
}

static struct json_object *doctor_document(const struct pb_doctor_floor *measured)
{
    static const struct pb_noise_item items[] = {
        {"clock_source", "the clock is fast", PB_NOISE_YES, "tsc", NULL},
        {"load", "a processor is free", PB_NOISE_NO, "7\xff", "stop what else is running"},
        {"turbo", "turbo is off", PB_NOISE_UNKNOWN, "unknown", "the host decides"},
    };
    const struct pb_doctor_record record = {items, sizeof items / sizeof items[0], measured};
    struct pb_strbuf buf;
    pb_strbuf_init(&buf);
    struct pb_error err;
    assert_int_equal(pb_json_add_doctor(&buf, &record, &err), PB_OK);
    struct json_object *document = parse(&buf);
    pb_strbuf_release(&buf);
    return document;
}

static void a_doctor_document_has_every_item_and_the_noise_floor(void **state)
{
    (void)state;
    const struct pb_doctor_floor measured = {.name = "a/b/old",
                                             .n_launches = 612,
                                             .wall_s = 10,
                                             .lo = -0.002,
                                             .hi = 0.001,
                                             .floor = 0.002};
    struct json_object *document = doctor_document(&measured);
    assert_string_equal(text_at(document, "command"), "doctor");
    struct json_object *items = at(document, "items");
    assert_int_equal(json_object_array_length(items), 3);
    assert_string_equal(text_at(find(items, "key", "load"), "fit"), "no");
    assert_string_equal(text_at(find(items, "key", "load"), "value"), "7\xef\xbf\xbd");
    assert_string_equal(text_at(find(items, "key", "load"), "advice"), "stop what else is running");
    assert_string_equal(text_at(find(items, "key", "turbo"), "fit"), "unknown");
    assert_null(at(find(items, "key", "clock_source"), "advice"));
    struct json_object *floor = at(document, "noise_floor");
    assert_string_equal(text_at(floor, "name"), "a/b/old");
    assert_null(at(floor, "reason"));
    assert_int_equal(json_object_get_int64(at(floor, "launches")), 612);
    assert_near(json_object_get_double(at(floor, "floor_pct")), 100 * expm1(0.002));
    assert_near(json_object_get_double(at(floor, "lo_pct")), 100 * expm1(-0.002));
    json_object_put(document);
}

static void a_noise_floor_that_is_not_known_is_null(void **state)
{
    (void)state;
    static const char *const keys[] = {"change_pct", "lo_pct", "hi_pct", "floor_pct"};
    const struct pb_doctor_floor none = {
        .reason = "no", .estimate = NAN, .lo = -INFINITY, .hi = INFINITY, .floor = INFINITY};
    struct json_object *document = doctor_document(&none);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_null(at(at(document, "noise_floor"), keys[i]));
    }
    json_object_put(document);
    document = doctor_document(NULL);
    assert_null(at(document, "noise_floor"));
    json_object_put(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_has_the_keys_of_the_contract),
        cmocka_unit_test(numbers_read_back_as_they_were),
        cmocka_unit_test(what_is_not_a_number_is_null),
        cmocka_unit_test(commit_facts_that_git_could_not_tell_are_null),
        cmocka_unit_test(a_check_has_verdicts_and_an_exit_code),
        cmocka_unit_test(a_regression_that_is_let_pass_says_why),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(listings_keep_names_summaries_and_sources),
        cmocka_unit_test(baselines_show_counts_ratios_and_their_class),
        cmocka_unit_test(a_difference_of_baselines_names_both_sides),
        cmocka_unit_test(a_full_buffer_is_an_error_and_no_document),
        cmocka_unit_test(a_locale_with_commas_changes_nothing),
        cmocka_unit_test(a_doctor_document_has_every_item_and_the_noise_floor),
        cmocka_unit_test(a_noise_floor_that_is_not_known_is_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
