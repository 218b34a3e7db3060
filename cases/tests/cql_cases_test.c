/* SPDX-License-Identifier: Apache-2.0
 *
 * The CQL cases: what their scenarios count, and that their golden bytes are the vectors'.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

#include "cql_json.h"
#include "cql_sides.h"
#include "fake_env.h"

extern const struct pb_case batch_send_body_case;
extern const struct pb_case query_params_case;
extern const struct pb_case write_value_case;

static const struct pb_scenario *scenario_of(const struct pb_case *c, const char *name)
{
    for (size_t i = 0; i < c->n_scenarios; ++i) {
        if (strcmp(c->scenarios[i].name, name) == 0) {
            return &c->scenarios[i];
        }
    }
    fail_msg("%s has no scenario %s", c->name, name);
    return NULL;
}

static const struct pb_variant *variant_of(const struct pb_case *c, const char *name)
{
    for (size_t i = 0; i < c->n_variants; ++i) {
        if (strcmp(c->variants[i].name, name) == 0) {
            return &c->variants[i];
        }
    }
    fail_msg("%s has no variant %s", c->name, name);
    return NULL;
}

/* The counts of the source's shapes, and of what is added to them. */
static void test_scenarios_count_their_writes_and_bytes(void **state)
{
    (void)state;
    const struct {
        const struct pb_case *of;
        const char *scenario;
        int64_t bytes;
        int64_t old_writes;
        int64_t new_writes;
    } rows[] = {
        {&batch_send_body_case, "10q_2p_vec128", 5384, 85, 1},
        {&batch_send_body_case, "10q_2p_vec768", 30984, 85, 1},
        {&batch_send_body_case, "50q_2p_vec128", 26864, 405, 1},
        {&batch_send_body_case, "10q_10p_text", 2544, 245, 1},
        {&batch_send_body_case, "50q_10p_text", 12664, 1205, 1},
        {&batch_send_body_case, "10q_2p_unprepared", 954, 85, 1},
        {&batch_send_body_case, "empty", 6, 4, 1},
        {&batch_send_body_case, "10q_2p_mixed", 789, 85, 1},
        {&batch_send_body_case, "10q_12p_null_unset", 944, 245, 1},
        {&batch_send_body_case, "1q_1p_text", 51, 11, 1},
        {&batch_send_body_case, "1q_50p_text", 1227, 109, 1},
        {&batch_send_body_case, "1q_1p_blob_1m", 1048607, 11, 1},
        {&batch_send_body_case, "1000q_2p_text", 61014, 8005, 1},
        {&query_params_case, "execute_1p_text", 47, 8, 6},
        {&query_params_case, "execute_50p_text", 1223, 106, 6},
        {&query_params_case, "execute_12p_null_unset", 103, 26, 6},
        {&query_params_case, "query_2p_text", 104, 10, 6},
        {&write_value_case, "1p_text", 24, 2, 1},
        {&write_value_case, "12p_null", 48, 12, 12},
        {&write_value_case, "12p_unset", 48, 12, 12},
        {&write_value_case, "12p_null_unset", 80, 20, 12},
    };
    struct fake_env fake;
    fake_env_init(&fake);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const struct pb_scenario *scenario = scenario_of(rows[i].of, rows[i].scenario);
        for (int new = 0; new < 2; ++new) {
            const struct pb_variant *variant = variant_of(rows[i].of, new ? "new" : "old");
            assert_true(fake_env_run(&fake, variant, scenario, 1));
            assert_int_equal(fake_env_output(&fake).size, rows[i].bytes);
            assert_int_equal(fake_env_count(&fake, "bytes"), rows[i].bytes);
            assert_int_equal(fake_env_count(&fake, "writes"),
                             new ? rows[i].new_writes : rows[i].old_writes);
            assert_int_equal(fake_env_count(&fake, "syscalls"), -1);
        }
    }
    fake_env_release(&fake);
}

static void test_on_a_descriptor_each_write_is_a_system_call(void **state)
{
    (void)state;
    struct fake_env fake;
    fake_env_init(&fake);
    size_t n = 0;
    const struct pb_case *c = &batch_send_body_case;
    for (size_t i = 0; i < c->n_scenarios; ++i) {
        if (strstr(c->scenarios[i].name, "_fd") == NULL) {
            continue;
        }
        ++n;
        for (size_t k = 0; k < 2; ++k) {
            assert_true(fake_env_run(&fake, &c->variants[k], &c->scenarios[i], 2));
            assert_true(fake_env_count(&fake, "writes") > 0);
            assert_int_equal(fake_env_count(&fake, "syscalls"), fake_env_count(&fake, "writes"));
        }
    }
    assert_int_equal(n, 6);
    fake_env_release(&fake);
}

/* Golden bytes of one scenario of these cases, ticked off when a vector has the same. */
struct golden {
    struct pb_bytes bytes;
    bool found;
};

static size_t collect_golden(struct golden *golden, size_t most)
{
    const struct pb_case *cases[] = {&batch_send_body_case, &query_params_case, &write_value_case};
    size_t n = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (size_t k = 0; k < cases[i]->n_scenarios; ++k) {
            const struct pb_bytes bytes = cases[i]->scenarios[k].golden;
            if (bytes.data != NULL) {
                assert_true(n < most);
                golden[n++] = (struct golden){.bytes = bytes};
            }
        }
    }
    return n;
}

/* The golden file that belongs to a vector: NAME_v4.bin for NAME@v4. */
static struct pb_bytes golden_file(const char *name, struct scrap *scrap)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/golden/%s.bin", CASES_VECTORS, name);
    char *at = strrchr(path, '@');
    assert_non_null(at);
    *at = '_';
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        fail_msg("there is no %s", path);
    }
    unsigned char *bytes = scrap_alloc(scrap, (size_t)1 << 20);
    const size_t n = fread(bytes, 1, (size_t)1 << 20, in);
    fclose(in);
    return (struct pb_bytes){bytes, n};
}

static void check_vector(const char *text, bool all, struct golden *golden, size_t n)
{
    struct scrap scrap = {NULL};
    struct json_object *json = json_tokener_parse(text);
    struct json_object *name = NULL;
    struct json_object *hex = NULL;
    json_object_object_get_ex(json, "name", &name);
    json_object_object_get_ex(json, "body_hex", &hex);
    const char *name_text = json_object_get_string(name);
    assert_non_null(name_text);
    if (hex != NULL && (all || strncmp(name_text, "bench_", 6) == 0)) {
        const struct pb_bytes body = hex_read(json_object_get_string(hex), &scrap);
        if (!bytes_equal(body, golden_file(name_text, &scrap))) {
            fail_msg("the golden file of %s has other bytes", name_text);
        }
        for (size_t i = 0; i < n; ++i) {
            golden[i].found = golden[i].found || bytes_equal(golden[i].bytes, body);
        }
    }
    json_object_put(json);
    scrap_release(&scrap);
}

static void test_golden_bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    static const char *const names[] = {"cql.jsonl", "cql_scenarios.jsonl"};
    struct golden golden[64];
    const size_t n = collect_golden(golden, 64);
    for (size_t i = 0; i < 2; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", CASES_VECTORS, names[i]);
        FILE *in = fopen(path, "r");
        assert_non_null(in);
        char *text = NULL;
        size_t capacity = 0;
        while (getline(&text, &capacity, in) >= 0) {
            check_vector(text, i == 1, golden, n);
        }
        free(text);
        fclose(in);
    }
    assert_true(n > 20);
    for (size_t i = 0; i < n; ++i) {
        assert_true(golden[i].found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenarios_count_their_writes_and_bytes),
        cmocka_unit_test(test_on_a_descriptor_each_write_is_a_system_call),
        cmocka_unit_test(test_golden_bytes_are_those_of_the_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
