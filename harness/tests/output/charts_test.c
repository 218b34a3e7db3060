/* SPDX-License-Identifier: Apache-2.0
 *
 * Charts with the real gnuplot where there is one, and with programs that stand in for a broken or
 * a missing one.
 */
#include "output/charts.h"

#include "base/child.h"
#include "base/whole_file.h"
#include "markup.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static bool has_gnuplot(void)
{
    static const char *const argv[] = {"gnuplot", "--version", NULL};
    const struct pb_child_spec spec = {.argv = argv, .deadline_s = 30};
    struct pb_child_outcome outcome;
    struct pb_error err;
    return pb_child_run(&spec, &outcome, &err) == PB_OK && outcome.exit_code == 0;
}

static struct pb_charts draw(struct sample *sample, const char *directory, const char *gnuplot)
{
    const struct pb_chart_spec spec = {
        .run = &sample->run,
        .trend = sample->trend,
        .n_trend = sample->n_trend,
        .directory = directory,
        .formats = PB_CHART_SVG | PB_CHART_PNG,
        .gnuplot = gnuplot,
    };
    struct pb_charts charts;
    struct pb_error err;
    if (pb_charts_draw(&spec, &sample->arena, &charts, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    return charts;
}

static bool exists(struct sample *sample, const char *directory, const char *name)
{
    return access(pb_arena_printf(&sample->arena, "%s/%s", directory, name), F_OK) == 0;
}

/* The whole content of a file, in the arena. */
static const char *content(struct sample *sample, const char *directory, const char *name)
{
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    struct pb_error err;
    const char *path = pb_arena_printf(&sample->arena, "%s/%s", directory, name);
    assert_int_equal(pb_whole_file_read(path, 1 << 26, &text, &err), PB_OK);
    const char *kept = pb_arena_strdup(&sample->arena, text.text);
    pb_strbuf_release(&text);
    return kept;
}

/* A program that stands in for gnuplot. */
static const char *make_program(struct sample *sample, const char *directory, const char *script)
{
    const char *path = pb_arena_printf(&sample->arena, "%s/fake-gnuplot", directory);
    struct pb_error err;
    assert_int_equal(pb_whole_file_replace(path, script, strlen(script), &err), PB_OK);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

static void assert_no_picture(struct sample *sample, const char *directory,
                              const struct pb_charts *charts)
{
    static const char *const endings[] = {".svg", "-dark.svg", "-narrow.svg", "-dark-narrow.svg",
                                          ".png"};
    for (size_t i = 0; i < charts->n; i++) {
        const struct pb_chart *chart = &charts->items[i];
        assert_non_null(chart->missing);
        assert_null(chart->svg[PB_LOOK_LIGHT]);
        assert_null(chart->png);
        assert_true(exists(sample, directory, chart->data));
        for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
            assert_false(exists(sample, directory,
                                pb_arena_printf(&sample->arena, "%s%s", chart->stem, endings[k])));
        }
    }
}

static void assert_pictures(struct sample *sample, const char *directory,
                            const struct pb_charts *charts)
{
    struct pb_strbuf why;
    pb_strbuf_init(&why);
    for (size_t i = 0; i < charts->n; i++) {
        const struct pb_chart *chart = &charts->items[i];
        if (chart->missing != NULL) {
            fail_msg("%s: %s", chart->stem, chart->missing);
        }
        for (int look = 0; look < PB_LOOKS; look++) {
            const char *svg = content(sample, directory, chart->svg[look]);
            if (!markup_is_inert(svg, &why)) {
                fail_msg("%s: %s", chart->svg[look], why.text);
            }
            assert_null(strstr(svg, "\xEF\xBF\xBE")); /* no character of XML */
        }
        assert_memory_equal(content(sample, directory, chart->png), "\x89PNG", 4);
    }
    pb_strbuf_release(&why);
}

static void every_case_has_three_charts_in_every_look(void **state)
{
    (void)state;
    if (!has_gnuplot()) {
        skip();
    }
    struct sample sample;
    sample_make(&sample, 5);
    const char *directory = sample_directory(&sample.arena, "charts/deep");
    const struct pb_charts charts = draw(&sample, directory, NULL);
    assert_int_equal(charts.n, 9);
    assert_null(charts.warning);
    for (size_t i = 0; i < charts.n; i++) {
        assert_int_equal(charts.items[i].kind, i % 3);
    }
    assert_string_equal(charts.items[3].case_name, "cql/batch_send_body_fd");
    assert_string_equal(charts.items[2].b, "new");
    assert_pictures(&sample, directory, &charts);
    const char *svg = content(&sample, directory, charts.items[0].svg[PB_LOOK_LIGHT]);
    assert_non_null(strstr(svg, "<text>mixed_prepared_unprepared</text>"));
    assert_non_null(strstr(svg, "<text>1.98×</text>"));
    assert_non_null(strstr(svg, "<text>floor</text>"));
    sample_release(&sample);
}

static void hostile_names_are_drawn_and_not_run(void **state)
{
    (void)state;
    if (!has_gnuplot()) {
        skip();
    }
    struct sample sample;
    sample_make_hostile(&sample);
    const char *directory =
        sample_directory(&sample.arena, "charts-$(touch PWNED) `touch PWNED`\"'");
    const struct pb_charts charts = draw(&sample, directory, NULL);
    assert_true(charts.n > 5);
    assert_pictures(&sample, directory, &charts);
    assert_false(exists(&sample, directory, "PWNED"));
    assert_false(exists(&sample, ".", "PWNED"));
    /* Every case has files of its own, whatever its name. */
    for (size_t i = 0; i < charts.n; i++) {
        assert_null(strchr(charts.items[i].stem, '/'));
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(charts.items[i].stem, charts.items[k].stem);
        }
    }
    sample_release(&sample);
}

static void one_point_and_equal_values_make_a_picture(void **state)
{
    (void)state;
    if (!has_gnuplot()) {
        skip();
    }
    struct sample sample;
    sample_make(&sample, 1);
    sample.run.benchmarks += 18 * 4; /* the last scenario alone */
    sample.run.n_benchmarks = 4;
    sample.run.pairs += 18 * 3;
    sample.run.n_pairs = 3;
    for (size_t i = 0; i < 4; i++) {
        sample.run.benchmarks[i].best_ns = sample.run.benchmarks[i].median_ns = 50;
    }
    for (size_t i = 0; i < 3; i++) {
        sample.run.pairs[i].estimate = sample.run.pairs[i].lo = sample.run.pairs[i].hi = 0;
    }
    sample.run.pairs[0].lo = -INFINITY; /* one launch: no interval */
    sample.run.pairs[0].hi = INFINITY;
    const char *directory = sample_directory(&sample.arena, "charts-one");
    const struct pb_charts charts = draw(&sample, directory, NULL);
    assert_int_equal(charts.n, 3);
    assert_pictures(&sample, directory, &charts);
    sample_release(&sample);
}

/* gnuplot 5.4 crashes on labels of which none has a position, which one line of data makes easy. */
static void a_case_with_one_line_of_data_makes_a_picture(void **state)
{
    (void)state;
    if (!has_gnuplot()) {
        skip();
    }
    static const struct {
        size_t n_benchmarks, n_pairs, n_charts;
    } rows[] = {{2, 1, 3}, {1, 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        sample_make(&sample, 1);
        sample.run.benchmarks += 18 * 4; /* the last scenario alone */
        sample.run.n_benchmarks = rows[i].n_benchmarks;
        sample.run.pairs += 18 * 3;
        sample.run.n_pairs = rows[i].n_pairs;
        const char *directory = sample_directory(&sample.arena, "charts-line");
        const struct pb_charts charts = draw(&sample, directory, NULL);
        assert_int_equal(charts.n, rows[i].n_charts);
        assert_pictures(&sample, directory, &charts);
        sample_release(&sample);
    }
}

static void without_a_point_there_is_data_and_no_picture(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 2);
    for (size_t i = 0; i < sample.run.n_benchmarks; i++) {
        sample.run.benchmarks[i].best_ns = NAN;
    }
    for (size_t i = 0; i < sample.run.n_pairs; i++) {
        sample.run.pairs[i].estimate = NAN;
    }
    for (size_t i = 0; i < sample.n_trend; i++) {
        sample.trend[i].estimate = NAN;
    }
    const char *directory = sample_directory(&sample.arena, "charts-none");
    const struct pb_charts charts = draw(&sample, directory, NULL);
    assert_int_equal(charts.n, 9);
    assert_no_picture(&sample, directory, &charts);
    assert_string_equal(charts.items[0].missing, "nothing was measured");
    assert_null(charts.warning);
    sample_release(&sample);
}

static void without_gnuplot_there_is_data_and_a_warning(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 2);
    const char *directory = sample_directory(&sample.arena, "charts-absent");
    const struct pb_charts charts = draw(&sample, directory, "/no/such/gnuplot");
    assert_no_picture(&sample, directory, &charts);
    assert_string_equal(charts.items[4].missing, "gnuplot is not installed");
    assert_non_null(strstr(charts.warning, "9 of 9 charts could not be drawn (gnuplot is not "
                                           "installed); their data is in"));
    assert_non_null(strstr(charts.warning, directory));
    sample_release(&sample);
}

/* A stand-in that writes all pictures that it is asked for, complete as far as their ends show. */
#define WRITE_ALL                                                                                  \
    "#!/bin/sh\ncat >/dev/null\n"                                                                  \
    "for e in .svg -dark.svg -narrow.svg -dark-narrow.svg; do\n"                                   \
    "    echo '<svg><text>all there</text></svg>' > \"$4$e\"\ndone\n"                              \
    "printf '\\211PNG, some bytes, IEND\\256B`\\202' > \"$4.png\"\n"

static void a_gnuplot_that_does_its_work_is_believed(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 2);
    const char *directory = sample_directory(&sample.arena, "charts-fake");
    const char *program = make_program(&sample, directory, WRITE_ALL);
    const struct pb_charts charts = draw(&sample, directory, program);
    assert_null(charts.warning);
    assert_pictures(&sample, directory, &charts);
    sample_release(&sample);
}

static void a_gnuplot_that_fails_leaves_no_picture(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *script;
        const char *missing;
    } broken[] = {
        {"charts-exit",
         "#!/bin/sh\necho 'it broke\033[2J' >&2\necho '<svg></svg>' > \"$4.svg\"\nexit 3\n",
         "gnuplot failed: it broke\\x1b[2J"},
        {"charts-half",
         WRITE_ALL "printf '<svg><text>half of it, and no end' > \"$4-narrow.svg\"\n",
         "gnuplot left no complete"},
        {"charts-half-png", WRITE_ALL "printf '\\211PNG and then a full disk' > \"$4.png\"\n",
         "gnuplot left no complete"},
        {"charts-nothing", "#!/bin/sh\ncat >/dev/null\n", "gnuplot left no complete"},
        {"charts-empty", "#!/bin/sh\ncat >/dev/null\n: > \"$4.svg\"\n", "gnuplot left no complete"},
        {"charts-killed", "#!/bin/sh\nkill -9 $$\n", "gnuplot died of signal 9"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct sample sample;
        sample_make(&sample, 2);
        const char *directory = sample_directory(&sample.arena, broken[i].name);
        const char *program = make_program(&sample, directory, broken[i].script);
        const struct pb_charts charts = draw(&sample, directory, program);
        assert_no_picture(&sample, directory, &charts);
        assert_memory_equal(charts.items[0].missing, broken[i].missing, strlen(broken[i].missing));
        assert_non_null(charts.warning);
        sample_release(&sample);
    }
}

static void old_pictures_do_not_outlive_a_failure(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 2);
    const char *directory = sample_directory(&sample.arena, "charts-stale");
    const char *good = make_program(&sample, directory, WRITE_ALL);
    draw(&sample, directory, good);
    struct pb_charts charts = draw(&sample, directory, "/no/such/gnuplot");
    assert_no_picture(&sample, directory, &charts);
    draw(&sample, directory, good);
    const char *lazy = make_program(&sample, directory, "#!/bin/sh\ncat >/dev/null\n");
    charts = draw(&sample, directory, lazy);
    assert_no_picture(&sample, directory, &charts);
    sample_release(&sample);
}

static void a_folder_that_can_not_be_made_is_an_error(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    const struct pb_chart_spec spec = {
        .run = &sample.run, .directory = "/dev/null/charts", .formats = PB_CHART_SVG};
    struct pb_charts charts = {.n = 77};
    struct pb_error err;
    assert_int_equal(pb_charts_draw(&spec, &sample.arena, &charts, &err), PB_ERR_IO);
    assert_non_null(strstr(err.message, "/dev/null"));
    assert_int_equal(charts.n, 77);
    sample_release(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_has_three_charts_in_every_look),
        cmocka_unit_test(hostile_names_are_drawn_and_not_run),
        cmocka_unit_test(one_point_and_equal_values_make_a_picture),
        cmocka_unit_test(a_case_with_one_line_of_data_makes_a_picture),
        cmocka_unit_test(without_a_point_there_is_data_and_no_picture),
        cmocka_unit_test(without_gnuplot_there_is_data_and_a_warning),
        cmocka_unit_test(a_gnuplot_that_does_its_work_is_believed),
        cmocka_unit_test(a_gnuplot_that_fails_leaves_no_picture),
        cmocka_unit_test(old_pictures_do_not_outlive_a_failure),
        cmocka_unit_test(a_folder_that_can_not_be_made_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
