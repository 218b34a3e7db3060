/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts come out sorted, unknown where nothing is known, and hash by their content.
 */
#include "provenance/fact_list.h"

#include "temp_tree.h"

static void facts_come_out_sorted_whatever_their_order(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_fact_list list = {.arena = &arena};
    static const char *const keys[] = {"model", "arch", "vendor", "cpu_quota", "cpu", "cpus"};
    for (size_t i = 0; i < N_ITEMS(keys); i++) {
        pb_fact_list_add(&list, keys[i], keys[i]);
    }
    const struct pb_facts facts = pb_fact_list_sorted(&list);
    assert_keys(&facts, "arch cpu cpu_quota cpus model vendor");
    assert_fact(&facts, "cpus", "cpus");
    pb_arena_release(&arena);
}

static void no_facts_are_no_trouble(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_fact_list list = {.arena = &arena};
    const struct pb_facts facts = pb_fact_list_sorted(&list);
    assert_int_equal(facts.n, 0);
    assert_string_equal(pb_fact_or_unknown(&facts, "arch"), "unknown");
    assert_string_equal(pb_fact_or_unknown(NULL, "arch"), "unknown");
    pb_arena_release(&arena);
}

static void a_value_that_is_not_there_is_unknown(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    struct pb_fact_list list = {.arena = &arena};
    pb_fact_list_add(&list, "governor", NULL);
    pb_fact_list_add(&list, "branch", "");
    const struct pb_facts facts = pb_fact_list_sorted(&list);
    assert_fact(&facts, "governor", "unknown");
    assert_fact(&facts, "branch", "");
    pb_arena_release(&arena);
}

static uint64_t hash_of(const char *key, const char *value, const char *key_2, const char *value_2)
{
    struct pb_fact items[] = {{key, value}, {key_2, value_2}};
    const struct pb_facts facts = {.items = items, .n = 2};
    return pb_facts_hash(&facts);
}

static void hashes_are_equal_only_for_equal_facts(void **state)
{
    (void)state;
    const uint64_t hash = hash_of("a", "b", "c", "d");
    assert_true(hash == hash_of("a", "b", "c", "d"));
    assert_true(hash != hash_of("a", "b", "c", "e"));
    assert_true(hash != hash_of("a", "b", "d", "d"));
    assert_true(hash != hash_of("c", "d", "a", "b"));
    assert_true(hash != hash_of("a", "bc", "", "d"));
    assert_true(hash != hash_of("ab", "", "c", "d"));
}

static void the_hash_is_fnv_1a_over_texts_with_their_zero(void **state)
{
    (void)state;
    /* source: the published value of FNV-1a 64 for no bytes, and by hand for two zero bytes */
    const struct pb_facts none = {0};
    assert_true(pb_facts_hash(&none) == UINT64_C(0xcbf29ce484222325));
    struct pb_fact empty = {"", ""};
    const struct pb_facts one = {.items = &empty, .n = 1};
    const uint64_t prime = UINT64_C(1099511628211);
    assert_true(pb_facts_hash(&one) == UINT64_C(14695981039346656037) * prime * prime);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_come_out_sorted_whatever_their_order),
        cmocka_unit_test(no_facts_are_no_trouble),
        cmocka_unit_test(a_value_that_is_not_there_is_unknown),
        cmocka_unit_test(hashes_are_equal_only_for_equal_facts),
        cmocka_unit_test(the_hash_is_fnv_1a_over_texts_with_their_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
