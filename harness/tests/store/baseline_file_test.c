/* SPDX-License-Identifier: Apache-2.0
 *
 * Baselines on disk.
 */
#include "store/baseline_file.h"

#include "base/child.h"
#include "store_fixture.h"

#include <sys/stat.h>

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A baseline with an entry of each kind for every awkward name. */
static struct pb_baseline make_baseline(struct pb_arena *arena)
{
    const size_t n = fixture_n_names;
    struct pb_baseline baseline = {
        .counts = pb_arena_array(arena, n, sizeof *baseline.counts),
        .n_counts = n,
        .ratios = pb_arena_array(arena, n, sizeof *baseline.ratios),
        .n_ratios = n,
        .class_facts = {pb_arena_array(arena, 1, sizeof *baseline.class_facts.items), 1},
    };
    baseline.class_facts.items[0] = (struct pb_fact){"flags\xff", "-O2\n"};
    for (size_t i = 0; i < n; i++) {
        const double ratio = 1234.5 / (double)(i + 1);
        baseline.counts[i] = (struct pb_baseline_count){fixture_names[i], fixture_names[n - 1 - i],
                                                        INT64_MAX - 1234};
        baseline.ratios[i] = (struct pb_baseline_ratio){
            .case_name = fixture_names[i],
            .scenario = fixture_names[(i + 1) % n],
            .a = fixture_names[(i + 2) % n],
            .b = fixture_names[(i + 3) % n],
            .estimate = log(ratio),
            .lo = log(ratio / 1.5),
            .hi = log(ratio * 1.5),
            .spread = 0.0012,
            .launches = 12345,
        };
    }
    return baseline;
}

static const struct pb_baseline_count *find_count(const struct pb_baseline *baseline,
                                                  const char *name)
{
    for (size_t i = 0; i < baseline->n_counts; i++) {
        if (strcmp(baseline->counts[i].name, name) == 0) {
            return &baseline->counts[i];
        }
    }
    return NULL;
}

static const struct pb_baseline_ratio *find_ratio(const struct pb_baseline *baseline,
                                                  const char *case_name)
{
    for (size_t i = 0; i < baseline->n_ratios; i++) {
        if (strcmp(baseline->ratios[i].case_name, case_name) == 0) {
            return &baseline->ratios[i];
        }
    }
    return NULL;
}

static bool near(double x, double y, double tolerance)
{
    return fabs(x - y) <= tolerance;
}

/* Says which expectation was not met and gives up; works in a child process too. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);                        \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool same_entries(const struct pb_baseline *read, const struct pb_baseline *written)
{
    EXPECT(read->n_counts == written->n_counts && read->n_ratios == written->n_ratios);
    for (size_t i = 0; i < written->n_counts; i++) {
        const struct pb_baseline_count *count = find_count(read, written->counts[i].name);
        EXPECT(count != NULL && strcmp(count->metric, written->counts[i].metric) == 0);
        EXPECT(count->value == written->counts[i].value);
        const struct pb_baseline_ratio *expected = &written->ratios[i];
        const struct pb_baseline_ratio *ratio = find_ratio(read, expected->case_name);
        EXPECT(ratio != NULL && strcmp(ratio->scenario, expected->scenario) == 0);
        EXPECT(strcmp(ratio->a, expected->a) == 0 && strcmp(ratio->b, expected->b) == 0);
        EXPECT(near(ratio->estimate, expected->estimate, 5e-6));
        EXPECT(near(ratio->lo, expected->lo, 5e-6) && near(ratio->hi, expected->hi, 5e-6));
        EXPECT(near(ratio->spread, expected->spread, 5e-6));
        EXPECT(ratio->launches == expected->launches);
    }
    return true;
}

static bool write_and_read_back(struct test_scratch *scratch)
{
    const struct pb_baseline written = make_baseline(&scratch->arena);
    const char *counts = test_scratch_path(scratch, "counts.jsonl");
    struct pb_baseline read = {0};
    EXPECT(pb_baseline_write_counts(counts, &written, &scratch->err) == PB_OK);
    EXPECT(pb_baseline_write_ratios(scratch->path, &written, &scratch->err) == PB_OK);
    EXPECT(pb_baseline_read(counts, &scratch->arena, &read, &scratch->err) == PB_OK);
    EXPECT(pb_baseline_read(scratch->path, &scratch->arena, &read, &scratch->err) == PB_OK);
    EXPECT(strcmp(pb_facts_get(&read.class_facts, "flags\xff"), "-O2\n") == 0);
    return same_entries(&read, &written);
}

static void what_is_written_is_read_back_whatever_the_names(void **state)
{
    assert_true(write_and_read_back(*state));
}

/* Makes a locale where a decimal point is a comma and thousands are grouped, and puts it in force.
 */
static bool speak_german(struct test_scratch *scratch)
{
    static const char source[] = "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                                 "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    const char *from = test_scratch_path(scratch, "german.source");
    const char *to = test_scratch_path(scratch, "xx_XX");
    const char *const argv[] = {"localedef", "-c", "-i", from, to, NULL};
    const struct pb_child_spec spec = {.argv = argv, .deadline_s = 60};
    struct pb_child_outcome outcome;
    test_file_write(from, source, sizeof source - 1);
    return pb_child_run(&spec, &outcome, &scratch->err) == PB_OK &&
           setenv("LOCPATH", scratch->folder, 1) == 0 && setlocale(LC_NUMERIC, "xx_XX") != NULL;
}

enum { NO_GERMAN = 77 };

/* In a child process, since glibc never frees what it reads for a locale. */
static int write_in_german(void *context)
{
    struct test_scratch *scratch = context;
    if (!speak_german(scratch)) {
        return NO_GERMAN;
    }
    return strcmp(localeconv()->decimal_point, ",") == 0 && write_and_read_back(scratch) ? 0 : 1;
}

static void files_are_in_the_c_locale_whatever_the_program_is_in(void **state)
{
    struct test_scratch *scratch = *state;
    assert_int_equal(chmod(scratch->folder, 0777), 0);
    const int outcome = test_run_unprivileged(write_in_german, scratch);
    if (outcome == NO_GERMAN) {
        skip(); /* localedef is missing */
    }
    assert_int_equal(outcome, 0);
    struct pb_strbuf text = {0};
    test_file_read(scratch->path, &text);
    assert_non_null(strstr(text.text, "\"ratio\":1234.5,"));
    assert_non_null(strstr(text.text, "\"launches\":12345}"));
    pb_strbuf_release(&text);
}

static void writing_again_changes_nothing_and_leaves_one_file(void **state)
{
    struct test_scratch *scratch = *state;
    const struct pb_baseline baseline = make_baseline(&scratch->arena);
    struct pb_strbuf first = {0};
    struct pb_strbuf second = {0};
    assert_int_equal(pb_baseline_write_ratios(scratch->path, &baseline, &scratch->err), PB_OK);
    test_folder_state(scratch->folder, &first);
    assert_int_equal(pb_baseline_write_ratios(scratch->path, &baseline, &scratch->err), PB_OK);
    test_folder_state(scratch->folder, &second);
    assert_string_equal(first.text, second.text);
    pb_strbuf_release(&first);
    pb_strbuf_release(&second);
}

static void a_baseline_that_cannot_be_made_leaves_the_file_as_it_was(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_baseline baseline = make_baseline(&scratch->arena);
    struct pb_strbuf content = {0};
    test_file_write(scratch->path, "before", 6);
    baseline.counts[1] = baseline.counts[0];
    baseline.ratios[1].estimate = NAN;
    assert_int_equal(pb_baseline_write_counts(scratch->path, &baseline, &scratch->err),
                     PB_ERR_USAGE);
    assert_int_equal(pb_baseline_write_ratios(scratch->path, &baseline, &scratch->err),
                     PB_ERR_USAGE);
    test_file_read(scratch->path, &content);
    assert_string_equal(content.text, "before");
    pb_strbuf_release(&content);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    struct test_scratch *scratch = *state;
    struct pb_baseline baseline = {0};
    assert_int_equal(pb_baseline_read(scratch->path, &scratch->arena, &baseline, &scratch->err),
                     PB_ERR_NOT_FOUND);
    assert_non_null(strstr(scratch->err.message, scratch->path));
    assert_int_equal(pb_baseline_read(scratch->folder, &scratch->arena, &baseline, &scratch->err),
                     PB_ERR_IO);
    test_file_write(scratch->path, "", 0);
    assert_int_equal(pb_baseline_read(scratch->path, &scratch->arena, &baseline, &scratch->err),
                     PB_ERR_FORMAT);
    assert_non_null(strstr(scratch->err.message, "the file is empty"));
    assert_int_equal(truncate(scratch->path, (16 << 20) + 1), 0);
    assert_int_equal(pb_baseline_read(scratch->path, &scratch->arena, &baseline, &scratch->err),
                     PB_ERR_LIMIT);
    assert_non_null(strstr(scratch->err.message, "limit of 16777216 bytes"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, test_scratch_set_up, test_scratch_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_written_is_read_back_whatever_the_names),
        TEST(files_are_in_the_c_locale_whatever_the_program_is_in),
        TEST(writing_again_changes_nothing_and_leaves_one_file),
        TEST(a_baseline_that_cannot_be_made_leaves_the_file_as_it_was),
        TEST(files_that_cannot_be_read_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
