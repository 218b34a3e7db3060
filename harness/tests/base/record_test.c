/* SPDX-License-Identifier: Apache-2.0
 *
 * The words that every output, file and table uses.
 */
#include "base/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void states_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(pb_state_name(PB_STATE_OK), "ok");
    assert_string_equal(pb_state_name(PB_STATE_FAILED), "failed");
    assert_string_equal(pb_state_name(PB_STATE_SKIPPED), "skipped");
}

static void verdicts_have_their_words(void **state)
{
    (void)state;
    static const struct {
        enum pb_verdict verdict;
        const char *word;
    } rows[] = {
        {PB_VERDICT_REGRESSED, "regressed"},
        {PB_VERDICT_IMPROVED, "improved"},
        {PB_VERDICT_UNCHANGED, "unchanged"},
        {PB_VERDICT_INCONCLUSIVE, "inconclusive"},
        {PB_VERDICT_ADDED, "added"},
        {PB_VERDICT_MISSING, "missing"},
        {PB_VERDICT_SKIPPED, "skipped"},
        {PB_VERDICT_FAILED, "failed"},
        {PB_VERDICT_INCOMPARABLE, "incomparable"},
        {PB_VERDICT_BELOW_RESOLUTION, "below resolution"},
        {PB_VERDICT_INSUFFICIENT_HISTORY, "insufficient history"},
        {PB_VERDICT_INVALID_RUN, "invalid run"},
    };
    assert_int_equal(sizeof rows / sizeof rows[0], PB_VERDICTS);
    for (int i = 0; i < PB_VERDICTS; i++) {
        assert_string_equal(pb_verdict_name(rows[i].verdict), rows[i].word);
    }
}

static void kernels_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(pb_kernel_name(PB_KERNEL_ALU), "alu");
    assert_string_equal(pb_kernel_name(PB_KERNEL_L2), "l2");
    assert_string_equal(pb_kernel_name(PB_KERNEL_MEMORY), "memory");
}

static void a_fact_is_found_by_its_whole_key(void **state)
{
    (void)state;
    struct pb_fact items[] = {{"arch", "x86_64"}, {"cpu", ""}, {"cpus", "2"}};
    const struct pb_facts facts = {items, 3};
    assert_string_equal(pb_facts_get(&facts, "cpus"), "2");
    assert_string_equal(pb_facts_get(&facts, "cpu"), "");
    assert_null(pb_facts_get(&facts, "cp"));
    assert_null(pb_facts_get(&(struct pb_facts){0}, "cpu"));
}

static void a_run_tells_which_counts_it_could_take(void **state)
{
    (void)state;
    struct pb_fact items[] = {{"heap_counter", "preload"}, {"syscall_counter", "none"}};
    const struct pb_run_record run = {.machine = {items, 2}};
    assert_true(pb_run_could_count(&run, "allocations"));
    assert_true(pb_run_could_count(&run, "peak_live_bytes"));
    assert_false(pb_run_could_count(&run, "syscalls"));
    assert_true(pb_run_could_count(&run, "writes")); /* the suite's own */
    items[0].value = "none";
    assert_false(pb_run_could_count(&run, "allocations"));
    assert_false(pb_run_could_count(&run, "allocated_bytes"));
    assert_false(pb_run_could_count(&run, "peak_live_bytes"));
    assert_true(pb_run_could_count(&run, "writes"));
    assert_true(pb_run_could_count(&(struct pb_run_record){0}, "syscalls")); /* it doesn't tell */
}

static void a_count_is_found_by_its_whole_name(void **state)
{
    (void)state;
    struct pb_count_record counts[] = {{"write", 1, true}, {"writes", 2, false}};
    const struct pb_benchmark_record benchmark = {.counts = counts, .n_counts = 2};
    assert_ptr_equal(pb_benchmark_count(&benchmark, "writes"), &counts[1]);
    assert_null(pb_benchmark_count(&benchmark, "writ"));
    assert_null(pb_benchmark_count(&(struct pb_benchmark_record){0}, "writes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_tells_which_counts_it_could_take),
        cmocka_unit_test(a_count_is_found_by_its_whole_name),
        cmocka_unit_test(states_have_their_words),
        cmocka_unit_test(verdicts_have_their_words),
        cmocka_unit_test(kernels_have_their_words),
        cmocka_unit_test(a_fact_is_found_by_its_whole_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
