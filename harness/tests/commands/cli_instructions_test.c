/* SPDX-License-Identifier: Apache-2.0
 *
 * `pairbench run --instructions`: what is counted is shown, and a machine without a counter is no
 * error.
 */
#include "cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT "--suite", CLI_SUITE("counted"), "--format", "json", "run", "--launches", "0"

static void instructions_are_shown_per_operation(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, COUNT, "--no-store", "--instructions", "*/twice");
    cli_expect(cli, 0);
    struct json_object *document = cli_json(cli, "run");
    struct json_object *benchmarks = cli_get(document, "benchmarks");
    struct json_object *old = cli_find(benchmarks, "variant", "old");
    struct json_object *twice = cli_find(benchmarks, "variant", "twice");
    if (strcmp(cli_text(document, "run/machine/instruction_counter"), "none") == 0) {
        cli_expect_err(cli, "warning: instructions were not counted");
        assert_true(cli_is_null(old, "instructions"));
        skip();
    }
    /* A thousand turns of two instructions, and a few around them. */
    assert_in_range(cli_int(old, "instructions"), 2000, 2016);
    assert_in_range(cli_int(twice, "instructions"), 4000, 4016);
}

static void without_a_counter_a_warning_says_why(void **state)
{
    struct cli *cli = *state;
    cli_run_shell(
        cli, "PATH=/nonexistent exec \"$0\" --suite " CLI_SUITE(
                 "counted") " "
                            "--format json run --launches 0 --no-store --instructions '*/twice'");
    cli_expect(cli, 0);
    struct json_object *document = cli_json(cli, "run");
    if (strcmp(cli_text(document, "run/machine/instruction_counter"), "perf_event") == 0) {
        skip();
    }
    assert_string_equal(cli_text(document, "run/machine/instruction_counter"), "none");
    cli_expect_err(cli, "pairbench: warning: instructions were not counted: there is no counter");
    assert_true(cli_is_null(document, "benchmarks/0/instructions"));
}

static void nothing_is_counted_unless_asked_for(void **state)
{
    struct cli *cli = *state;
    cli_run(cli, COUNT, "--no-store", "*/twice");
    cli_expect(cli, 0);
    struct json_object *document = cli_json(cli, "run");
    assert_true(cli_is_null(document, "benchmarks/0/instructions"));
    assert_false(
        json_object_object_get_ex(cli_get(document, "run/machine"), "instruction_counter", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(instructions_are_shown_per_operation),
        CLI_TEST(without_a_counter_a_warning_says_why),
        CLI_TEST(nothing_is_counted_unless_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
