/* SPDX-License-Identifier: Apache-2.0
 *
 * Odd names all the way from a suite to a report: stored as they are, shown safely, run as nothing.
 */
#include "cli.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "markup.h"
#include "store/store.h"
#include "suites/odd_names.h"

#define ODD_NAME(name) name,
static const char *const odd_names[] = {ODD_NAMES(ODD_NAME)};
enum { N_ODD_NAMES = sizeof odd_names / sizeof odd_names[0] };

/* Scenarios of the suite: the odd ones, a/b and a-b, and one where everything is odd. */
enum { N_SCENARIOS = N_ODD_NAMES + 3 };

static const char odd_case[] = "names/\"every\"|%s\n<b>\x1b[1m\xfe";
static const char odd_scenario[] = "`sce|nario`\n\\";
static const char odd_variant[] = "va|ri\"ant\n<i>\xfe";

/* Nothing on stdout may move a cursor or change a colour. (JSON keeps U+007F as it is.) */
static void expect_plain_text(struct cli *cli)
{
    assert_true(pb_text_is_utf8(cli->out.text, cli->out.length));
    for (size_t i = 0; i < cli->out.length; i++) {
        const unsigned char byte = (unsigned char)cli->out.text[i];
        if ((byte < 0x20 && byte != '\n') || (byte == 0x7F && cli->out.text[0] != '{')) {
            fail_msg("byte %02x on stdout", byte);
        }
    }
    assert_int_not_equal(access(cli_path(cli, "pwned"), F_OK), 0);
}

static const char *with(struct cli *cli, void (*add)(struct pb_strbuf *, const char *),
                        const char *name)
{
    struct pb_strbuf text = {0};
    add(&text, name);
    const char *copy = pb_arena_strdup(&cli->arena, text.text);
    pb_strbuf_release(&text);
    return copy;
}

/* One run serves all tests; those that need another make it in a database of their own. */
static int set_up(void **state)
{
    if (cli_set_up(state) != 0) {
        return -1;
    }
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_SUITE("names"), "run", "--launches", "1");
    if (cli->exit_code != 0) {
        return -1;
    }
    cli->text_of_run = pb_arena_strdup(&cli->arena, cli->out.text);
    cli_run(cli, "baseline", "save", "--force", "saved");
    return cli->exit_code;
}

static void load(struct cli *cli, const char *db, struct pb_run_record *run)
{
    struct pb_store *store = NULL;
    struct pb_error err;
    assert_int_equal(pb_store_open(db, PB_STORE_READ, &store, &err), PB_OK);
    assert_int_equal(pb_store_load_run(store, NULL, &cli->arena, run, &err), PB_OK);
    pb_store_close(store);
}

static void names_are_stored_as_they_are(void **state)
{
    struct cli *cli = *state;
    struct pb_run_record run;
    load(cli, cli->db, &run);
    assert_int_equal(run.n_benchmarks, 2 * N_SCENARIOS);
    for (size_t i = 0; i < N_ODD_NAMES; i++) {
        const char *name = pb_arena_printf(&cli->arena, "names/%s/new", odd_names[i]);
        size_t n = 0;
        for (size_t b = 0; b < run.n_benchmarks; b++) {
            n += strcmp(run.benchmarks[b].name, name) == 0;
        }
        assert_int_equal(n, 1);
    }
    const char *name =
        pb_arena_printf(&cli->arena, "%s/%s/%s", odd_case, odd_scenario, odd_variant);
    size_t n = 0;
    for (size_t b = 0; b < run.n_benchmarks; b++) {
        n += strcmp(run.benchmarks[b].name, name) == 0;
    }
    assert_int_equal(n, 1);
}

static void text_shows_them_escaped(void **state)
{
    struct cli *cli = *state;
    pb_strbuf_reset(&cli->out);
    pb_strbuf_adds(&cli->out, cli->text_of_run);
    expect_plain_text(cli);
    cli_run(cli, "--suite", CLI_SUITE("names"), "list");
    cli_expect(cli, 0);
    expect_plain_text(cli);
    cli_run(cli, "--suite", CLI_SUITE("names"), "list", "-q");
    cli_expect(cli, 0);
    expect_plain_text(cli);
    for (size_t i = 0; i < N_ODD_NAMES; i++) {
        cli_expect_out(cli, pb_arena_printf(&cli->arena, "names/%s/new\n",
                                            with(cli, pb_text_add_escaped, odd_names[i])));
    }
}

static void json_has_them_as_unicode(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_SUITE("names"), "--format", "json", "list");
    cli_expect(cli, 0);
    expect_plain_text(cli);
    cli_json(cli, "list");
    cli_run(cli, "--suite", CLI_SUITE("names"), "--format", "json", "run", "--no-store",
            "--launches", "0");
    cli_expect(cli, 0);
    expect_plain_text(cli);
    struct json_object *benchmarks = cli_get(cli_json(cli, "run"), "benchmarks");
    for (size_t i = 0; i < N_ODD_NAMES; i++) {
        const char *name =
            pb_arena_printf(&cli->arena, "names/%s/old", with(cli, pb_text_add_utf8, odd_names[i]));
        assert_non_null(cli_find(benchmarks, "name", name));
    }
}

/* Globs can name them, and what a run was asked for is remembered. */
static void patterns_select_them(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *pattern;
        size_t n;
    } rows[] = {
        {"names/two\nlines", 2},
        {"names/two\nlines/new", 2},
        {"names/\\* \\[glob\\] \\?", 2},
        {"names/a/b", 2},
        {"names/a-b", 2},
        {"names/a?b", 4},
        {"names/$(touch pwned) ${HOME}", 2},
        {"names/\xff*", 2},
        {"names/-o", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cli_run(cli, "--db", "patterns.db", "--suite", CLI_SUITE("names"), "--format", "json",
                "run", "--launches", "0", rows[i].pattern);
        cli_expect(cli, 0);
        assert_int_equal(cli_count(cli_get(cli_json(cli, "run"), "benchmarks"), "name", NULL),
                         rows[i].n);
        cli_run(cli, "--db", "patterns.db", "check", "--no-confirm", "--baseline", "saved");
        cli_expect(cli, 0); /* nothing that was not asked for is missing */
    }
}

static void a_check_shows_them_safely_in_every_form(void **state)
{
    struct cli *cli = *state;
    const char *db = cli_path(cli, "check.db");
    cli_run(cli, "baseline", "show", "saved");
    cli_expect(cli, 0);
    expect_plain_text(cli);
    cli_run(cli, "--db", db, "--suite", CLI_SUITE("names"), "run", "--launches", "0", "names/a-b");
    cli_expect(cli, 0);
    /* A run that claims to be of everything: the rest is missing. */
    struct pb_run_record run;
    load(cli, db, &run);
    run.id = "ffffffff-0000-4000-8000-000000000000";
    run.started_at += 10;
    run.patterns = "";
    cli_store_in(db, &run);
    cli_run(cli, "--db", db, "check", "--no-confirm", "--baseline", "saved");
    cli_expect(cli, 3);
    expect_plain_text(cli);
    cli_expect_out(cli, "names/two\\nlines/new");
    cli_run(cli, "--db", db, "--format", "json", "check", "--no-confirm", "--baseline", "saved");
    cli_expect(cli, 3);
    expect_plain_text(cli);
    struct json_object *verdicts = cli_get(cli_json(cli, "check"), "verdicts");
    assert_non_null(cli_find(verdicts, "name", "names/two\nlines/new"));
    cli_run(cli, "--db", db, "check", "--no-confirm", "--baseline", "saved", "--markdown", "-");
    cli_expect(cli, 3);
    expect_plain_text(cli);
    cli_expect_not(cli, "<script>");
    cli_expect_not(cli, "<b>");
}

/* Reads every page and picture of a report; all must be well-formed and do nothing. */
static size_t check_files(struct cli *cli, const char *folder)
{
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    size_t n = 0;
    for (struct dirent *entry = readdir(opened); entry != NULL; entry = readdir(opened)) {
        const char *path = pb_arena_printf(&cli->arena, "%s/%s", folder, entry->d_name);
        const char *dot = strrchr(entry->d_name, '.');
        if (entry->d_name[0] == '.') {
            continue;
        }
        if (entry->d_type == DT_DIR) {
            n += check_files(cli, path);
        } else if (dot != NULL && (strcmp(dot, ".html") == 0 || strcmp(dot, ".svg") == 0)) {
            struct pb_strbuf why = {0};
            if (!markup_is_inert(cli_read(cli, path), &why)) {
                fail_msg("%s: %s", path, why.text);
            }
            pb_strbuf_release(&why);
            n++;
        }
    }
    closedir(opened);
    return n;
}

static void a_report_of_them_is_well_formed_and_runs_nothing(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "report");
    cli_expect(cli, 0);
    assert_true(check_files(cli, cli_path(cli, "report")) >= 1);
    assert_int_not_equal(access(cli_path(cli, "pwned"), F_OK), 0);
    assert_int_not_equal(access(cli_path(cli, "report/pwned"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_stored_as_they_are),
        cmocka_unit_test(text_shows_them_escaped),
        cmocka_unit_test(json_has_them_as_unicode),
        cmocka_unit_test(patterns_select_them),
        cmocka_unit_test(a_check_shows_them_safely_in_every_form),
        cmocka_unit_test(a_report_of_them_is_well_formed_and_runs_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, cli_tear_down);
}
