/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons and bisections made by hand, as text, Markdown and JSON: order, words, limits, and
 * names that no output may stumble over.
 */
#include "output/comparison.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "output/bisect_text.h"
#include "output/compare_markdown.h"
#include "output/compare_text.h"
#include "output/json.h"
#include "sample.h"

enum { ITEMS_MAX = 2000 };

struct bench {
    struct pb_arena arena;
    struct pb_comparison comparison;
    struct pb_benchmark_record base;
    struct pb_benchmark_record head;
    struct pb_strbuf buf;
};

static int make_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    pb_strbuf_init(&bench->buf);
    static struct pb_count_record base_counts[] = {{"bytes", 64, true}, {"writes", 2, true}};
    static struct pb_count_record head_counts[] = {
        {"bytes", 64, true}, {"reads", 1, true}, {"writes", 5, true}};
    bench->base = (struct pb_benchmark_record){.name = "c/s/new",
                                               .case_name = "c",
                                               .scenario = "s",
                                               .variant = "new",
                                               .best_ns = 100,
                                               .instructions = -1,
                                               .counts = base_counts,
                                               .n_counts = 2};
    bench->head = bench->base;
    bench->head.best_ns = 102;
    bench->head.counts = head_counts;
    bench->head.n_counts = 3;
    bench->comparison = (struct pb_comparison){
        .run = {.id = "some-id", .label = "", .valid = true, .seed = 7},
        .base = {.kind = PB_COMPARED_COMMIT,
                 .name = "main",
                 .commit = "3f1c2d4e5a6b7c8d9e0f1a2b3c4d5e6f70819203",
                 .subject = "a subject",
                 .suite = "base.so",
                 .layouts = 4},
        .head = {.kind = PB_COMPARED_TREE,
                 .name = "",
                 .commit = "0123456789abcdef0123456789abcdef01234567",
                 .subject = "",
                 .dirty = true,
                 .suite = "head.so",
                 .layouts = 4},
        .margins = {0.0025, 0.01},
        .items = pb_arena_array(&bench->arena, ITEMS_MAX, sizeof *bench->comparison.items),
        .wall_s = 12,
    };
    *state = bench;
    return 0;
}

static int remove_bench(void **state)
{
    struct bench *bench = *state;
    pb_strbuf_release(&bench->buf);
    pb_arena_release(&bench->arena);
    free(bench);
    return 0;
}

/* Adds an item with a change of so many percent, ± 0.1. */
static struct pb_compared *add(struct bench *bench, const char *name, enum pb_verdict verdict,
                               double pct)
{
    struct pb_compared *item = &bench->comparison.items[bench->comparison.n++];
    assert_true(bench->comparison.n <= ITEMS_MAX);
    *item = (struct pb_compared){
        .name = name,
        .pair = {.case_name = "c",
                 .scenario = "s",
                 .variant = "new",
                 .a = "base",
                 .b = "head",
                 .gated = true,
                 .verdict = verdict,
                 .estimate = log1p(pct / 100),
                 .lo = log1p((pct - 0.1) / 100),
                 .hi = log1p((pct + 0.1) / 100),
                 .n_launches = 40},
        .screen_pct = NAN,
        .p = NAN,
    };
    return item;
}

static void add_untimed(struct bench *bench, const char *name, enum pb_verdict verdict,
                        const char *reason)
{
    struct pb_compared *item = add(bench, name, verdict, 0);
    item->pair.estimate = NAN;
    item->pair.lo = -INFINITY;
    item->pair.hi = INFINITY;
    item->pair.n_launches = 0;
    item->pair.reason = reason;
}

static const char *text_of(struct bench *bench, int verbosity)
{
    const struct pb_style style = {.verbosity = verbosity};
    pb_strbuf_reset(&bench->buf);
    pb_compare_text_add(&bench->buf, &bench->comparison, &style);
    return bench->buf.text;
}

static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("missing: %s\nin:\n%.4000s", part, text);
    }
}

static void the_worst_comes_first_and_the_larger_of_two(void **state)
{
    struct bench *bench = *state;
    add(bench, "small", PB_VERDICT_REGRESSED, 1);
    add(bench, "same b", PB_VERDICT_UNCHANGED, 0);
    add(bench, "faster", PB_VERDICT_IMPROVED, -5);
    add(bench, "large", PB_VERDICT_REGRESSED, 9);
    add_untimed(bench, "gone", PB_VERDICT_MISSING, "gone");
    add(bench, "same a", PB_VERDICT_UNCHANGED, 0);
    pb_comparison_sort(&bench->comparison);
    static const char *const order[] = {"large", "small", "gone", "faster", "same a", "same b"};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        assert_string_equal(bench->comparison.items[i].name, order[i]);
    }
    struct pb_comparison empty = {0};
    pb_comparison_sort(&empty);
}

static void a_text_says_what_is_compared_and_how_it_came_out(void **state)
{
    struct bench *bench = *state;
    struct pb_compared *item = add(bench, "c/s/new", PB_VERDICT_REGRESSED, 2);
    const struct pb_pair_record as_built = {
        .estimate = log1p(0.05), .lo = 0.04, .hi = 0.06, .n_launches = 16};
    item->base = &bench->base;
    item->head = &bench->head;
    item->production = &as_built;
    bench->comparison.merge_base = (struct pb_merge_base){.of = "main", .behind = 3, .ahead = 1};
    const char *text = text_of(bench, 0);
    assert_says(text, "base  main 3f1c2d4e5a6b (a subject)\n");
    assert_says(text, "head  the working tree at 0123456789ab, with changes\n");
    assert_says(text, "merge base of main: 3 commits behind it, 1 commit behind head\n");
    assert_says(text, "regressed  c/s/new    100 ns  102 ns  +2.00 % [+1.90 %, +2.10 %]        40");
    assert_says(text, "+2.00 %   +5.00 %  +2.94 %        16\n");
    assert_says(text, "count c/s/new: writes 2 → 5\n");
    assert_says(text, "count c/s/new: reads 0 → 1\n");
    assert_null(strstr(text, "bytes"));
    assert_says(text, "1 regressed; margin 0.25 %, equivalence 1 %, layouts 4 and 4, 12 s, seed 7");
    assert_null(strstr(text, "\033"));
}

static void many_that_are_unchanged_are_counted(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < 30; i++) {
        add(bench, pb_arena_printf(&bench->arena, "c/%d/new", i), PB_VERDICT_UNCHANGED, 0);
    }
    add(bench, "c/slow/new", PB_VERDICT_INCONCLUSIVE, 1.5);
    pb_comparison_sort(&bench->comparison);
    assert_null(strstr(text_of(bench, 0), "c/7/new"));
    assert_says(text_of(bench, 0), "c/slow/new");
    assert_says(text_of(bench, 0), "1 inconclusive, 30 unchanged");
    assert_says(text_of(bench, 1), "c/7/new");
    assert_says(text_of(bench, 0), "no change beyond ±1.6 % could have been proven");
    assert_says(text_of(bench, -1), "1 inconclusive, 30 unchanged\n");
}

static void a_reason_names_the_side_at_fault(void **state)
{
    struct bench *bench = *state;
    add_untimed(bench, "c/s/new", PB_VERDICT_FAILED, "died of signal 11");
    struct pb_compared *item = &bench->comparison.items[0];
    bench->head.state = PB_STATE_FAILED;
    item->base = &bench->base;
    item->head = &bench->head;
    assert_says(text_of(bench, 0), "head died of signal 11");
    bench->head.state = PB_STATE_OK;
    bench->base.state = PB_STATE_FAILED;
    assert_says(text_of(bench, 0), "base died of signal 11");
    bench->base.state = PB_STATE_OK;
    bench->head.reason = "output differs from base's";
    item->pair.verdict = PB_VERDICT_UNCHANGED;
    item->pair.reason = NULL;
    assert_says(text_of(bench, 0), "output differs from base's (allowed)");
}

static void an_invalid_or_injected_run_is_marked(void **state)
{
    struct bench *bench = *state;
    bench->comparison.run.valid = false;
    bench->comparison.run.invalid_reason = "the control moved";
    bench->comparison.run.injected = true;
    assert_says(text_of(bench, 0), "this run is invalid: the control moved\n");
    assert_says(text_of(bench, 0), "changes were injected into head");
    assert_says(text_of(bench, -1), "this run is invalid");
    pb_strbuf_reset(&bench->buf);
    pb_compare_markdown_add(&bench->buf, &bench->comparison, 0);
    assert_says(bench->buf.text, "**This run is invalid:** <code>the control moved</code>");
    assert_says(bench->buf.text, "**Changes were injected into head:**");
    assert_says(bench->buf.text, "nothing to compare");
}

static void the_control_is_shown_on_request(void **state)
{
    struct bench *bench = *state;
    add(bench, "c/s/new", PB_VERDICT_UNCHANGED, 0);
    const struct pb_pair_record control = {
        .case_name = "c",
        .scenario = "s",
        .estimate = log1p(0.0005),
        .lo = log1p(-0.001),
        .hi = log1p(0.002),
        .n_launches = 16,
    };
    bench->comparison.control = &control;
    assert_null(strstr(text_of(bench, 0), "base against itself"));
    assert_says(text_of(bench, 1),
                "base against itself: +0.05 % [-0.10 %, +0.20 %] in 16 launches of c/s\n");
}

static void a_file_and_a_commit_named_by_its_id_are_said_once(void **state)
{
    struct bench *bench = *state;
    bench->comparison.base.name = "3f1c2d4e";
    bench->comparison.head = (struct pb_compared_side){
        .kind = PB_COMPARED_FILE, .name = "dir/x.so", .commit = "", .subject = ""};
    assert_says(text_of(bench, 0), "base  3f1c2d4e5a6b (a subject)\nhead  dir/x.so\n");
}

static void markdown_has_what_matters_in_front_and_all_folded_up(void **state)
{
    struct bench *bench = *state;
    struct pb_compared *item = add(bench, "c/s/new", PB_VERDICT_REGRESSED, 2);
    item->base = &bench->base;
    item->head = &bench->head;
    add(bench, "c/t/new", PB_VERDICT_UNCHANGED, 0);
    pb_comparison_sort(&bench->comparison);
    pb_compare_markdown_add(&bench->buf, &bench->comparison, 0);
    const char *details = strstr(bench->buf.text, "<details><summary>All 2 benchmarks</summary>");
    assert_non_null(details);
    assert_says(bench->buf.text, "### pairbench: 1 regressed, 1 unchanged\n");
    assert_says(bench->buf.text, "| regressed | `c/s/new` | 100 ns | 102 ns | +2.00 % [+1.90 %, "
                                 "+2.10 %] |  | 40 |  |\n");
    assert_says(bench->buf.text, "- count `c/s/new` `writes`: 2 → 5");
    assert_says(details, "`c/t/new`");
    const char *unchanged = strstr(bench->buf.text, "`c/t/new`");
    assert_true(unchanged > details); /* not in front */
    assert_says(details, "</details>\n");
}

static size_t count_of(const char *text, const char *word)
{
    size_t n = 0;
    for (const char *s = strstr(text, word); s != NULL; s = strstr(s + 1, word)) {
        n++;
    }
    return n;
}

static void markdown_is_cut_by_severity_with_totals(void **state)
{
    struct bench *bench = *state;
    for (int i = 0; i < ITEMS_MAX; i++) {
        const enum pb_verdict verdict = i % 4 == 0   ? PB_VERDICT_REGRESSED
                                        : i % 4 == 1 ? PB_VERDICT_FAILED
                                                     : PB_VERDICT_UNCHANGED;
        struct pb_compared *item =
            add(bench, pb_arena_printf(&bench->arena, "a/rather/long/name/of/number/%d", i),
                verdict, 2);
        item->base = &bench->base;
        item->head = &bench->head;
    }
    pb_comparison_sort(&bench->comparison);
    static const size_t limits[] = {0, 4096, 10000, 65535, 1000000};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        pb_strbuf_reset(&bench->buf);
        pb_compare_markdown_add(&bench->buf, &bench->comparison, limits[i]);
        assert_true(bench->buf.length < (limits[i] != 0 ? limits[i] : 65535));
        assert_int_equal(count_of(bench->buf.text, "<details>"), 1);
        assert_int_equal(count_of(bench->buf.text, "</details>"), 1);
        assert_int_equal(count_of(bench->buf.text, "Cut here") > 0, limits[i] != 1000000);
        assert_says(bench->buf.text, "| regressed |");
    }
    /* Something in front, and nothing appended twice, when the buffer is not empty. */
    pb_strbuf_reset(&bench->buf);
    pb_strbuf_adds(&bench->buf, "before");
    pb_compare_markdown_add(&bench->buf, &bench->comparison, 4096);
    assert_true(bench->buf.length < 6 + 4096);
}

static struct json_object *parse(struct bench *bench)
{
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *object =
        json_tokener_parse_ex(tokener, bench->buf.text, (int)bench->buf.length);
    assert_int_equal(json_tokener_get_error(tokener), json_tokener_success);
    json_tokener_free(tokener);
    return object;
}

static struct json_object *get(struct json_object *object, const char *key)
{
    struct json_object *found = NULL;
    if (!json_object_object_get_ex(object, key, &found)) {
        fail_msg("no %s", key);
    }
    return found;
}

static void json_has_both_commits_in_every_pair(void **state)
{
    struct bench *bench = *state;
    struct pb_compared *item = add(bench, "c/s/new", PB_VERDICT_REGRESSED, 2);
    struct pb_error err;
    item->base = &bench->base;
    item->head = &bench->head;
    item->flagged = true;
    item->p = 0.001;
    item->screen_pct = 2.5;
    add_untimed(bench, "c/t/new", PB_VERDICT_ADDED, "new");
    bench->comparison.merge_base = (struct pb_merge_base){.of = "main", .behind = -1, .ahead = 2};
    bench->comparison.exit_code = 1;
    assert_int_equal(pb_json_add_comparison(&bench->buf, &bench->comparison, &err), PB_OK);
    struct json_object *document = parse(bench);
    struct json_object *pairs = get(document, "pairs");
    assert_int_equal(json_object_array_length(pairs), 2);
    struct json_object *pair = json_object_array_get_idx(pairs, 0);
    assert_string_equal(json_object_get_string(get(pair, "base")), bench->comparison.base.commit);
    assert_string_equal(json_object_get_string(get(pair, "head")), bench->comparison.head.commit);
    assert_true(fabs(json_object_get_double(get(pair, "change_pct")) - 2) < 1e-9);
    assert_true(fabs(json_object_get_double(get(pair, "p")) - 0.001) < 1e-12);
    assert_int_equal(json_object_array_length(get(pair, "count_changes")), 2);
    struct json_object *added = json_object_array_get_idx(pairs, 1);
    assert_null(get(added, "change_pct"));
    assert_null(get(added, "p"));
    assert_null(get(get(document, "merge_base"), "behind"));
    assert_int_equal(json_object_get_int(get(get(document, "merge_base"), "ahead")), 2);
    assert_string_equal(json_object_get_string(get(get(document, "head"), "kind")), "working tree");
    assert_int_equal(json_object_array_length(get(document, "benchmarks")), 2);
    json_object_put(document);
}

static void hostile_names_break_nothing(void **state)
{
    struct bench *bench = *state;
    struct pb_error err;
    for (size_t i = 0; i < sample_n_hostile_names; i++) {
        const char *name = sample_hostile_names[i];
        struct pb_compared *item = add(bench, name, PB_VERDICT_FAILED, 1);
        item->pair.reason = name;
        bench->comparison.base.name = name;
        bench->comparison.base.subject = name;
        bench->comparison.merge_base.of = name;
    }
    pb_comparison_sort(&bench->comparison);
    const char *text = text_of(bench, 0);
    for (const char *s = text; *s != '\0'; s++) {
        assert_true((unsigned char)*s >= ' ' || *s == '\n');
    }
    pb_strbuf_reset(&bench->buf);
    pb_compare_markdown_add(&bench->buf, &bench->comparison, 0);
    assert_null(strstr(bench->buf.text, "<script"));
    assert_int_equal(count_of(bench->buf.text, "<details>"), 1);
    pb_strbuf_reset(&bench->buf);
    assert_int_equal(pb_json_add_comparison(&bench->buf, &bench->comparison, &err), PB_OK);
    json_object_put(parse(bench));
}

static struct pb_bisect_record found(void)
{
    static struct pb_bisect_commit candidates[] = {
        {"1111111111111111111111111111111111111111", "slower"},
        {"2222222222222222222222222222222222222222", "perhaps"}};
    static struct pb_bisect_step steps[2];
    const struct pb_pair_record step = {.verdict = PB_VERDICT_REGRESSED,
                                        .estimate = log1p(0.1),
                                        .lo = log1p(0.09),
                                        .hi = log1p(0.11),
                                        .n_launches = 64};
    steps[0] = (struct pb_bisect_step){
        .commit = candidates[0], .answer = "bad", .pair = step, .reason = NULL};
    steps[1] = (struct pb_bisect_step){.commit = candidates[1],
                                       .answer = "skipped",
                                       .pair = {.estimate = NAN, .lo = -INFINITY, .hi = INFINITY},
                                       .reason = "does not build"};
    return (struct pb_bisect_record){
        .end = PB_BISECT_FOUND,
        .benchmark = "c/s/new",
        .good = {"3333333333333333333333333333333333333333", "good one"},
        .bad = {"4444444444444444444444444444444444444444", "bad one"},
        .whole = step,
        .candidates = candidates,
        .n_candidates = 1,
        .step = step,
        .against = "3333333333333333333333333333333333333333",
        .steps = steps,
        .n_steps = 2,
        .wall_s = 65,
        .exit_code = 1,
    };
}

static void a_bisection_names_the_commit_its_step_and_the_way(void **state)
{
    struct bench *bench = *state;
    const struct pb_style style = {.verbosity = 0};
    struct pb_bisect_record record = found();
    record.merge = true;
    record.others = "c/t/new";
    pb_bisect_text_add(&bench->buf, &record, &style);
    const char *text = bench->buf.text;
    assert_says(text, "c/s/new from 333333333333 (good one) to 444444444444 (bad one): +10.0 %");
    assert_says(text, "also regressed, perhaps elsewhere: c/t/new\n");
    assert_says(text, "first slower: 111111111111 (slower): +10.0 % [+9.00 %, +11.0 %] against "
                      "333333333333, 64 launches\n");
    assert_says(text, "it is a merge");
    assert_says(text, "does not build");
    assert_says(text, "2 steps, 65 s\n");
    pb_strbuf_reset(&bench->buf);
    pb_bisect_text_add(&bench->buf, &record, &(struct pb_style){.verbosity = -1});
    assert_int_equal(strncmp(bench->buf.text, "first slower: ", 14), 0);
}

static void every_end_of_a_bisection_has_words(void **state)
{
    struct bench *bench = *state;
    const struct pb_style style = {.verbosity = -1};
    static const struct {
        enum pb_bisect_end end;
        const char *name;
        size_t n_candidates;
        const char *text;
    } rows[] = {
        {PB_BISECT_FOUND, "found", 1, "first slower: 1111"},
        {PB_BISECT_RANGE, "range", 2, "first slower: one of 2"},
        {PB_BISECT_NO_CHANGE, "no change", 0, "no regression\n"},
        {PB_BISECT_INCONCLUSIVE, "inconclusive", 0, "inconclusive: there is no telling"},
        {PB_BISECT_INCONCLUSIVE, "inconclusive", 1, "inconclusive: the change passes its half at"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pb_error err;
        struct pb_bisect_record record = found();
        record.end = rows[i].end;
        record.n_candidates = rows[i].n_candidates;
        pb_strbuf_reset(&bench->buf);
        pb_bisect_text_add(&bench->buf, &record, &style);
        assert_says(bench->buf.text, rows[i].text);
        pb_strbuf_reset(&bench->buf);
        assert_int_equal(pb_json_add_bisection(&bench->buf, &record, &err), PB_OK);
        struct json_object *document = parse(bench);
        assert_string_equal(json_object_get_string(get(document, "end")), rows[i].name);
        assert_int_equal(json_object_array_length(get(document, "candidates")),
                         rows[i].n_candidates);
        json_object_put(document);
    }
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, make_bench, remove_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(the_worst_comes_first_and_the_larger_of_two),
        BENCH_TEST(a_text_says_what_is_compared_and_how_it_came_out),
        BENCH_TEST(many_that_are_unchanged_are_counted),
        BENCH_TEST(a_reason_names_the_side_at_fault),
        BENCH_TEST(an_invalid_or_injected_run_is_marked),
        BENCH_TEST(the_control_is_shown_on_request),
        BENCH_TEST(a_file_and_a_commit_named_by_its_id_are_said_once),
        BENCH_TEST(markdown_has_what_matters_in_front_and_all_folded_up),
        BENCH_TEST(markdown_is_cut_by_severity_with_totals),
        BENCH_TEST(json_has_both_commits_in_every_pair),
        BENCH_TEST(hostile_names_break_nothing),
        BENCH_TEST(a_bisection_names_the_commit_its_step_and_the_way),
        BENCH_TEST(every_end_of_a_bisection_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
