/* SPDX-License-Identifier: Apache-2.0
 *
 * The report: complete, self-contained, well-formed, and inert whatever the names.
 */
#include "output/page.h"

#include "base/whole_file.h"
#include "markup.h"
#include "sample.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* Where there is no gnuplot a page has no pictures, which is what most tests here need. */
#define NO_GNUPLOT "/no/such/gnuplot"

/* Writes the report of a sample. returns: the page, in the arena */
static const char *write_page(struct sample *sample, const char *name, const char *gnuplot,
                              bool checked)
{
    const char *directory = sample_directory(&sample->arena, name);
    const struct pb_page_spec spec = {
        .run = &sample->run,
        .check = checked ? &sample->check : NULL,
        .trend = sample->trend,
        .n_trend = sample->n_trend,
        .n_runs = 5,
        .directory = directory,
        .gnuplot = gnuplot,
    };
    struct pb_error err;
    const char *warning = "not set";
    if (pb_page_write(&spec, &sample->arena, &warning, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    if (gnuplot != NULL) {
        assert_non_null(strstr(warning, "could not be drawn"));
    }
    struct pb_strbuf html;
    pb_strbuf_init(&html);
    const char *path = pb_arena_printf(&sample->arena, "%s/index.html", directory);
    assert_int_equal(pb_whole_file_read(path, 1 << 28, &html, &err), PB_OK);
    const char *kept = pb_arena_strdup(&sample->arena, html.text);
    pb_strbuf_release(&html);
    return kept;
}

static void assert_inert(const char *page)
{
    struct pb_strbuf why;
    pb_strbuf_init(&why);
    if (!markup_is_inert(page, &why)) {
        fail_msg("%s", why.text);
    }
    pb_strbuf_release(&why);
    assert_null(strstr(page, "{{style}}"));
    assert_null(strstr(page, ">nan"));
    assert_null(strstr(page, "nan "));
}

static void a_page_says_what_was_found_on_what_machine(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 5);
    const char *page = write_page(&sample, "page", NO_GNUPLOT, true);
    assert_inert(page);
    static const char *const parts[] = {
        "<title>pairbench: 3 regressed, 1 failed, 1 missing, 17 unchanged</title>",
        "<h1>3 regressed, 1 failed, 1 missing, 17 unchanged</h1>",
        "2026-01-31T02:00:00Z",
        "AMD EPYC 7B13, 2 CPUs, KVM, Linux 6.1.0, glibc 2.36",
        "gcc 12.2.0, Release, -O3 -DNDEBUG",
        "<code>3f1c2d4e5a6b</code> on <code>main</code>: cql: one write for a batch",
        "19 scenarios, up to 96 launches each, 74 s, 70 % of it timed, seed 13835058055282163712",
        "one of 5 stored",
        "<td class=\"bad\">regressed</td>",
        "ended by signal 11 (Segmentation fault) in launch 3",
        "<td class=\"warn\">below resolution</td>",
        "1.98×</td><td class=\"faint\">[1.97, 1.99]</td><td class=\"good\">improved</td>",
        "bytes 5384, writes 83",
        "How to read this page",
        "No picture: gnuplot is not installed.",
        "<a href=\"charts/speedup-cql_batch_send_body-",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(page, parts[i]) == NULL) {
            fail_msg("missing: %s", parts[i]);
        }
    }
    sample_release(&sample);
}

static void without_a_check_the_verdicts_of_the_run_are_the_headline(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    sample.run.injected = true;
    static struct pb_fact facts[] = {
        {"cpu", "unknown"}, {"cpus", "8"}, {"hypervisor", "yes"}, {"libc", ""}};
    sample.run.machine = (struct pb_facts){facts, 4};
    const char *page = write_page(&sample, "page", NO_GNUPLOT, false);
    assert_inert(page);
    assert_non_null(strstr(page, "<dt>Machine</dt><dd>8 CPUs, virtual machine</dd>"));
    assert_non_null(strstr(page, "<h1>1 regressed, 1 failed, 1 inconclusive, 1 below resolution, "
                                 "15 improved</h1>"));
    assert_null(strstr(page, "Against the baseline"));
    assert_non_null(strstr(page, "this run tests the tool, not the code"));
    sample_release(&sample);
}

static void hostile_names_stay_text(void **state)
{
    (void)state;
    struct sample sample;
    sample_make_hostile(&sample);
    const char *page = write_page(&sample, "page-hostile", NO_GNUPLOT, true);
    assert_inert(page);
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<img src=x"));
    assert_non_null(strstr(page, "&lt;script&gt;alert(1)&lt;"));
    assert_non_null(strstr(page, "{{title}}")); /* a name is no word of the template */
    assert_non_null(strstr(page, "<code>cql/*</code>, <code>a\\nb&lt;*&gt;</code></dd>"));
    assert_non_null(strstr(page, "default-src 'none'"));
    sample_release(&sample);
}

static void pictures_are_inside_for_light_dark_wide_and_narrow(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 2);
    sample.run.benchmarks += 17 * 4; /* the last case is enough */
    sample.run.n_benchmarks = 8;
    sample.run.pairs += 17 * 3;
    sample.run.n_pairs = 6;
    const char *page = write_page(&sample, "page-pictures", NULL, false);
    if (strstr(page, "gnuplot is not installed") != NULL) {
        sample_release(&sample);
        skip();
    }
    assert_inert(page);
    size_t n = 0;
    for (const char *s = strstr(page, "\"data:image/svg+xml;base64,PD94bWwg"); s != NULL;
         s = strstr(s + 1, "\"data:image/svg+xml;base64,PD94bWwg")) {
        n++; /* each begins with `<?xml ` */
    }
    assert_int_equal(n, 3 * PB_LOOKS);
    assert_null(strstr(page, "No picture"));
    sample_release(&sample);
}

static void an_empty_run_is_still_a_page(void **state)
{
    (void)state;
    struct sample sample = {
        .run = {.id = "x", .label = "", .tool_version = "0", .valid = true, .wall_s = NAN}};
    const char *directory = sample_directory(&sample.arena, "page-empty");
    const struct pb_page_spec spec = {.run = &sample.run, .directory = directory};
    struct pb_error err;
    const char *warning = "not set";
    assert_int_equal(pb_page_write(&spec, &sample.arena, &warning, &err), PB_OK);
    assert_null(warning);
    const struct pb_charts charts = {0};
    struct pb_strbuf html;
    pb_strbuf_init(&html);
    pb_page_add(&html, &spec, &charts, &sample.arena);
    assert_inert(html.text);
    assert_non_null(strstr(html.text, "<h1>no pairs</h1>"));
    pb_strbuf_release(&html);
    sample_release(&sample);
}

static void a_folder_that_can_not_be_written_is_an_error(void **state)
{
    (void)state;
    struct sample sample;
    sample_make(&sample, 1);
    const struct pb_page_spec spec = {
        .run = &sample.run, .directory = "/dev/null/report", .gnuplot = NO_GNUPLOT};
    struct pb_error err;
    const char *warning = "not set";
    assert_int_equal(pb_page_write(&spec, &sample.arena, &warning, &err), PB_ERR_IO);
    assert_string_equal(warning, "not set");
    sample_release(&sample);
}

static void a_locale_with_commas_changes_nothing(void **state)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    a_page_says_what_was_found_on_what_machine(state);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_says_what_was_found_on_what_machine),
        cmocka_unit_test(without_a_check_the_verdicts_of_the_run_are_the_headline),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(pictures_are_inside_for_light_dark_wide_and_narrow),
        cmocka_unit_test(an_empty_run_is_still_a_page),
        cmocka_unit_test(a_folder_that_can_not_be_written_is_an_error),
        cmocka_unit_test(a_locale_with_commas_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
