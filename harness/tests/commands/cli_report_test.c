/* SPDX-License-Identifier: Apache-2.0
 *
 * `report`: a page with whatever there is to show.
 */
#include "cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "markup.h"
#include "store_fixture.h"
#include "synthetic_run.h"

static const char *read_page(struct cli *cli, const char *folder)
{
    const char *page =
        cli_read(cli, pb_arena_printf(&cli->arena, "%s/%s/index.html", cli->folder, folder));
    struct pb_strbuf why = {0};
    if (!markup_is_inert(page, &why)) {
        fail_msg("%s: %s", folder, why.text);
    }
    pb_strbuf_release(&why);
    return page;
}

static void store_runs(struct cli *cli, unsigned n)
{
    for (unsigned i = 1; i <= n; i++) {
        const struct pb_run_record run = synthetic_run(&cli->arena, i);
        cli_store(cli, &run);
    }
}

static void a_page_shows_the_latest_run(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 1); /* one point of history, too */
    cli_run(cli, "report");
    cli_expect(cli, 0);
    assert_string_equal(cli->out.text, "");
    cli_expect_err(cli, "wrote report/index.html");
    assert_non_null(strstr(read_page(cli, "report"), "cql/batch"));
    store_runs(cli, 3);
    cli_run(cli, "report", "--out", "another", "--run", "00000002");
    cli_expect(cli, 0);
    assert_non_null(strstr(read_page(cli, "another"), "00000002"));
    cli_run(cli, "report"); /* again, over what is there */
    cli_expect(cli, 0);
    assert_non_null(strstr(read_page(cli, "report"), "00000003"));
}

static void a_page_holds_the_run_against_a_baseline_where_there_is_one(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 1);
    cli_run(cli, "baseline", "save");
    cli_expect(cli, 0);
    struct pb_run_record run = synthetic_run(&cli->arena, 2);
    synthetic_set_ratio(synthetic_pair(&run, "s1", "new"), 0.55, 0.1);
    cli_store(cli, &run);
    cli_run(cli, "report");
    cli_expect(cli, 0); /* it shows, it does not judge */
    assert_non_null(strstr(read_page(cli, "report"), "regressed"));
    cli_run(cli, "report", "--baseline", "nowhere", "--out", "other");
    cli_expect_refusal(cli, 4, "nowhere");
}

static void without_gnuplot_there_is_a_page_and_a_warning(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 2);
    cli_run_shell(cli, "mkdir bin && PATH=$PWD/bin && export PATH && exec \"$0\" report");
    cli_expect(cli, 0);
    cli_expect_err(cli, "pairbench: warning: ");
    cli_expect_err(cli, "gnuplot");
    assert_non_null(strstr(read_page(cli, "report"), "gnuplot is not installed"));
    cli_run_shell(cli, "ls report/*.svg report/*/*.svg report/*.png report/*/*.png");
    assert_string_equal(cli->out.text, ""); /* and no broken picture */
}

static void a_gnuplot_that_fails_leaves_no_broken_picture(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 2);
    cli_run_shell(cli, "mkdir bin && printf '#!/bin/sh\\ncat >/dev/null\\necho \"no such "
                       "terminal\" >&2\\nexit 1\\n' >bin/gnuplot && chmod +x bin/gnuplot && "
                       "PATH=$PWD/bin:$PATH && export PATH && exec \"$0\" report");
    cli_expect(cli, 0);
    cli_expect_err(cli, "no such terminal");
    read_page(cli, "report");
    cli_run_shell(cli, "ls report/*.svg report/*/*.svg");
    assert_string_equal(cli->out.text, "");
}

static void values_of_all_kinds_can_be_reported(void **state)
{
    struct cli *cli = *state;
    fixture_store_runs(cli->db, 0, 6); /* NaN, infinities, extremes and odd names */
    for (unsigned i = 0; i < 6; i++) {
        const struct pb_run_record run = fixture_run(&cli->arena, i);
        cli_run(cli, "report", "--run", run.id);
        cli_expect(cli, 0);
        read_page(cli, "report");
    }
    cli_run(cli, "baseline", "save", "--force");
    assert_true(cli->exit_code == 0 || cli->exit_code == 2);
}

static void runs_that_failed_or_are_empty_have_a_page(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run = synthetic_run(&cli->arena, 1);
    synthetic_spoil(&run, "s1", "new", PB_STATE_FAILED, "died of <b>signal</b> 11");
    synthetic_spoil(&run, "s2", "old", PB_STATE_SKIPPED, "no such instruction here");
    cli_store(cli, &run);
    cli_run(cli, "report");
    cli_expect(cli, 0);
    assert_non_null(strstr(read_page(cli, "report"), "died of &lt;b&gt;signal"));
    run = synthetic_run(&cli->arena, 2);
    run.n_benchmarks = run.n_pairs = 0;
    cli_store(cli, &run);
    cli_run(cli, "report");
    cli_expect(cli, 0);
    read_page(cli, "report");
}

static void charts_can_be_had_alone(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 2);
    cli_run(cli, "report", "--charts", "pictures");
    cli_expect(cli, 0);
    cli_run_shell(cli, "ls pictures | grep -c 'svg$'");
    assert_true(cli->out.text[0] >= '1');
    assert_int_not_equal(access(cli_path(cli, "report"), F_OK), 0);
}

static void one_file_can_be_all_of_the_page(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 2);
    cli_run_shell(cli, "mkdir t && TMPDIR=$PWD/t \"$0\" report --single-file --out single");
    cli_expect(cli, 0);
    cli_expect_err(cli, "wrote single/index.html");
    const char *page = read_page(cli, "single");
    assert_non_null(strstr(page, "cql/batch"));
    assert_non_null(strstr(page, "src=\"data:image/svg+xml;base64,"));
    assert_non_null(strstr(page, "href=\"data:text/tab-separated-values;base64,Y2FzZQl"));
    assert_null(strstr(page, "charts/"));
    cli_run_shell(cli, "ls single t");
    assert_string_equal(cli->out.text, "single:\nindex.html\n\nt:\n");
    cli_run(cli, "report", "--single-file", "--out", "-");
    cli_expect(cli, 0);
    assert_string_equal(cli->out.text, page);
    cli_run(cli, "-q", "report", "--single-file", "--out", "-");
    assert_string_equal(cli->err.text, "");
    cli_run_shell(cli, "PATH=/nowhere exec \"$0\" report --single-file --out bare");
    cli_expect(cli, 0);
    cli_expect_err(cli, "their data is in the page");
    assert_non_null(strstr(read_page(cli, "bare"), "href=\"data:text/tab-separated-values;"));
}

static void options_that_exclude_each_other_are_refused(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 1);
    cli_run(cli, "report", "--single-file", "--png");
    cli_expect_refusal(cli, 2, "--png");
    cli_run(cli, "report", "--single-file", "--charts", "c");
    cli_expect_refusal(cli, 2, "--charts");
    cli_run(cli, "report", "--out", "-");
    cli_expect_refusal(cli, 2, "--single-file");
    cli_run_shell(cli, "TMPDIR=/nonexistent exec \"$0\" report --single-file");
    cli_expect_refusal(cli, 2, "TMPDIR");
}

static void what_is_not_there_is_said(void **state)
{
    struct cli *cli = *state;
    store_runs(cli, 1);
    cli_run(cli, "report", "--run", "ffff");
    cli_expect_refusal(cli, 2, "ffff");
    cli_run_shell(cli, "touch file && exec \"$0\" report --out file");
    cli_expect(cli, 2);
    cli_expect_err(cli, "file");
    cli_run(cli, "report", "--out", "/proc/no/such/folder");
    cli_expect(cli, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(a_page_shows_the_latest_run),
        CLI_TEST(a_page_holds_the_run_against_a_baseline_where_there_is_one),
        CLI_TEST(without_gnuplot_there_is_a_page_and_a_warning),
        CLI_TEST(a_gnuplot_that_fails_leaves_no_broken_picture),
        CLI_TEST(values_of_all_kinds_can_be_reported),
        CLI_TEST(runs_that_failed_or_are_empty_have_a_page),
        CLI_TEST(charts_can_be_had_alone),
        CLI_TEST(one_file_can_be_all_of_the_page),
        CLI_TEST(options_that_exclude_each_other_are_refused),
        CLI_TEST(what_is_not_there_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
