/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench doctor` on whatever machine the tests run on: what it finds is not known, but its form
 * is, and that it is never an error.
 */
#include "cli.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HOSTILE CLI_SUITE("hostile")

/* A floor in words, or the words that there is none: a busy machine may be too slow for one. */
static void expect_a_floor_or_its_reason(struct cli *cli)
{
    if (strstr(cli->out.text, " % cannot be seen here in ") == NULL) {
        cli_expect_out(cli, "the noise floor was not measured: plain/write/brief/old: only ");
    }
}

static void the_machine_is_described_and_a_side_measured_against_itself(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "doctor", "--quick");
    cli_expect(cli, 0);
    cli_expect_out(cli, "the clock is fast to read");
    cli_expect_out(cli, "a processor is free (load)");
    cli_expect_out(cli, "addresses are random (ASLR)");
    cli_expect_out(cli, "valgrind counts instructions");
    expect_a_floor_or_its_reason(cli);
    cli_expect_err(cli, "measuring a side against itself for 2 s");
    assert_int_not_equal(access(cli->db, F_OK), 0);
}

static void quiet_text_has_no_table(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "doctor", "--no-measure", "-q");
    cli_expect(cli, 0);
    cli_expect_not(cli, "as it should be  ");
    cli_expect_not(cli, "noise floor");
    cli_expect_not(cli, "cannot be seen");
    assert_string_equal(cli->err.text, "");
}

static void the_document_is_strict_and_gives_advice_wherever_there_is_no_yes(void **state)
{
    static const char *const keys[] = {
        "clock_source", "clock_resolution", "processors", "load",      "pressure",
        "cpu_quota",    "memory_limit",     "throttled",  "steal",     "steal_since_boot",
        "hypervisor",   "governor",         "turbo",      "frequency", "smt",
        "aslr",         "huge_pages",       "perf_event", "valgrind",  "syscalls",
        "own_pages"};
    struct cli *cli = *state;
    cli_run(cli, "--format", "json", "doctor", "--no-measure");
    cli_expect(cli, 0);
    struct json_object *document = cli_json(cli, "doctor");
    assert_true(cli_is_null(document, "noise_floor"));
    struct json_object *items = cli_get(document, "items");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct json_object *item = cli_find(items, "key", keys[i]);
        assert_non_null(item);
        const char *fit = cli_text(item, "fit");
        assert_true(strcmp(fit, "yes") == 0 || strcmp(fit, "no") == 0 ||
                    strcmp(fit, "unknown") == 0);
        assert_int_equal(cli_is_null(item, "advice"), strcmp(fit, "yes") == 0);
        assert_true(cli_text(item, "what")[0] != '\0' && cli_text(item, "value")[0] != '\0');
    }
    assert_int_equal(json_object_array_length(items), sizeof keys / sizeof keys[0]);
}

static void the_document_has_the_noise_floor(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", CLI_PLAIN, "--format", "json", "doctor", "--quick", "*/longer");
    cli_expect(cli, 0);
    struct json_object *measured = cli_get(cli_json(cli, "doctor"), "noise_floor");
    assert_string_equal(cli_text(measured, "name"), "plain/write/longer/old");
    assert_true(cli_number(measured, "wall_s") >= 2);
    if (cli_is_null(measured, "reason")) {
        assert_true(cli_number(measured, "floor_pct") >= cli_number(measured, "hi_pct"));
        assert_true(cli_number(measured, "lo_pct") <= cli_number(measured, "hi_pct"));
    }
}

static void a_machine_without_valgrind_is_told_to_install_it(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(cli, "PATH=/nonexistent exec \"$0\" --format json doctor --no-measure");
    cli_expect(cli, 0);
    struct json_object *items = cli_get(cli_json(cli, "doctor"), "items");
    struct json_object *item = cli_find(items, "key", "valgrind");
    assert_string_equal(cli_text(item, "fit"), "no");
    assert_string_equal(cli_text(item, "value"), "not found");
    assert_non_null(strstr(cli_text(item, "advice"), "install valgrind"));
}

static void a_side_that_can_not_be_timed_is_no_error(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, "--suite", HOSTILE, "doctor", "--quick", "hostile/old_does_it/crashes");
    cli_expect(cli, 0);
    cli_expect_out(cli, "the noise floor was not measured: hostile/old_does_it/crashes/old: ");
    cli_expect_out(cli, " in run"); /* died of a signal, or was ended by a sanitizer */
}

/* What it gives advice on, as it stands, and all files of the folder that it runs in. */
static void nothing_is_changed_on_the_machine(void **state)
{
    struct cli *cli = *state;
    static const char look[] =
        "look() { for f in /proc/sys/kernel/randomize_va_space "
        "/proc/sys/kernel/perf_event_paranoid /sys/kernel/mm/transparent_hugepage/enabled "
        "/sys/devices/system/clocksource/clocksource0/current_clocksource "
        "/sys/devices/system/cpu/smt/control /sys/devices/system/cpu/cpufreq/boost "
        "/sys/devices/system/cpu/intel_pstate/no_turbo "
        "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor; do "
        "echo \"$f\"; cat \"$f\" 2>&1; done; ls -A; }; "
        "before=$(look); \"$0\" --suite " CLI_PLAIN " doctor --quick > /dev/null || exit 9; "
        "test \"$before\" = \"$(look)\"";
    cli_run_shell(cli, look);
    cli_expect(cli, 0);
}

static void what_makes_no_sense_is_refused(void **state)
{
    struct cli *cli = *state;
    static const struct {
        const char *args[5];
        const char *text;
    } rows[] = {
        {{"--suite", CLI_PLAIN, "doctor", "nothing/*"}, "'nothing/*'"},
        {{"--suite", CLI_SUITE("no_suite"), "doctor"}, "no_suite.so"},
        {{"--suite", "/nonexistent.so", "doctor", "--quick"}, "/nonexistent.so"},
        {{"doctor", "--frobnicate"}, "'--frobnicate'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *argv[7] = {PB_TEST_PROGRAM};
        memcpy(argv + 1, rows[i].args, sizeof rows[i].args);
        cli_run_argv(cli, argv);
        cli_expect_refusal(cli, 2, rows[i].text);
    }
}

static void an_interrupt_ends_it_at_once(void **state)
{
    struct cli *cli = *state;
    const pid_t pid = cli_start(
        cli, (const char *const[]){PB_TEST_PROGRAM, "--suite", CLI_PLAIN, "doctor", NULL});
    cli_await_file(pb_arena_printf(&cli->arena, "%s/%ld.err", cli->folder, (long)pid));
    kill(pid, SIGINT);
    cli_finish(cli, pid);
    assert_int_equal(cli->signal, SIGINT);
    assert_string_equal(cli->out.text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(the_machine_is_described_and_a_side_measured_against_itself),
        CLI_TEST(quiet_text_has_no_table),
        CLI_TEST(the_document_is_strict_and_gives_advice_wherever_there_is_no_yes),
        CLI_TEST(the_document_has_the_noise_floor),
        CLI_TEST(a_machine_without_valgrind_is_told_to_install_it),
        CLI_TEST(a_side_that_can_not_be_timed_is_no_error),
        CLI_TEST(nothing_is_changed_on_the_machine),
        CLI_TEST(what_makes_no_sense_is_refused),
        CLI_TEST(an_interrupt_ends_it_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
