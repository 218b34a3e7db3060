/* SPDX-License-Identifier: Apache-2.0
 *
 * A suite whose table is wrong in the way that PB_TEST_BROKEN names, and right without it.
 */
#include "pairbench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int do_nothing(void *state, uint64_t n)
{
    (void)state;
    (void)n;
    return PAIRBENCH_OK;
}

static int open_nothing(struct pb_env *env, const struct pb_scenario *scenario, void *shared,
                        void **state)
{
    (void)env;
    (void)scenario;
    (void)shared;
    (void)state;
    return PAIRBENCH_OK;
}

static int give_nothing(void *state, struct pb_bytes *bytes)
{
    (void)state;
    (void)bytes;
    return PAIRBENCH_OK;
}

/* The tables, to be spoilt; and the names that break() knows. */
struct tables {
    struct pb_variant variants[13];
    struct pb_scenario scenarios[1];
    struct pb_case its_case;
    const struct pb_case *cases[1];
    struct pb_suite suite;
    char long_name[1200];
};

static void fill(struct tables *tables)
{
    for (size_t i = 0; i < 13; i++) {
        tables->variants[i] = (struct pb_variant){
            .name = i == 0 ? "old" : "new",
            .open = open_nothing,
            .run = do_nothing,
            .output = give_nothing,
        };
    }
    tables->scenarios[0] = (struct pb_scenario){.name = "s"};
    tables->its_case = (struct pb_case){
        .name = "c",
        .scenarios = tables->scenarios,
        .n_scenarios = 1,
        .variants = tables->variants,
        .n_variants = 2,
    };
    tables->cases[0] = &tables->its_case;
    tables->suite = (struct pb_suite){
        .abi = PAIRBENCH_ABI,
        .name = "broken",
        .cases = tables->cases,
        .n_cases = 1,
    };
    memset(tables->long_name, 'n', sizeof tables->long_name - 1);
}

static void spoil_suite(struct tables *tables, const char *how)
{
    struct pb_suite *suite = &tables->suite;
    if (strcmp(how, "abi") == 0) {
        suite->abi = 99;
    } else if (strcmp(how, "no_suite_name") == 0) {
        suite->name = NULL;
    } else if (strcmp(how, "no_cases") == 0) {
        suite->n_cases = 0;
    } else if (strcmp(how, "null_cases") == 0) {
        suite->cases = NULL;
    } else if (strcmp(how, "null_case") == 0) {
        tables->cases[0] = NULL;
    } else if (strcmp(how, "many_cases") == 0) {
        suite->n_cases = (size_t)-1;
    } else if (strcmp(how, "wild_pointer") == 0) {
        suite->name = (const char *)8; /* NOLINT(performance-no-int-to-ptr) */
    }
}

static void spoil_case(struct tables *tables, const char *how)
{
    struct pb_case *its_case = &tables->its_case;
    if (strcmp(how, "no_case_name") == 0) {
        its_case->name = "";
    } else if (strcmp(how, "no_scenarios") == 0) {
        its_case->n_scenarios = 0;
    } else if (strcmp(how, "no_variants") == 0) {
        its_case->n_variants = 0;
    } else if (strcmp(how, "many_variants") == 0) {
        its_case->n_variants = 13;
    } else if (strcmp(how, "slash_in_scenario") == 0) {
        tables->scenarios[0].name = "a/b";
    } else if (strcmp(how, "long_name") == 0) {
        tables->scenarios[0].name = tables->long_name;
    } else if (strcmp(how, "escapes_in_name") == 0) {
        its_case->name = "c\x1b[31m";
        its_case->n_variants = 0;
    }
}

static void spoil_variant(struct tables *tables, const char *how)
{
    struct pb_variant *variants = tables->variants;
    if (strcmp(how, "first_is_not_old") == 0) {
        variants[0].name = "older";
    } else if (strcmp(how, "no_variant_name") == 0) {
        variants[1].name = NULL;
    } else if (strcmp(how, "slash_in_variant") == 0) {
        variants[1].name = "a/b";
    } else if (strcmp(how, "no_run") == 0) {
        variants[1].run = NULL;
    } else if (strcmp(how, "no_open") == 0) {
        variants[1].open = NULL;
    } else if (strcmp(how, "no_output") == 0) {
        variants[1].output = NULL;
    } else if (strcmp(how, "variant_twice") == 0) {
        variants[1].name = "old";
    }
}

/* What can go wrong before there is a table. */
__attribute__((constructor)) static void load(void)
{
    const char *how = getenv("PB_TEST_LOAD");
    if (how == NULL) {
        return;
    }
    if (strcmp(how, "abort") == 0) {
        abort();
    } else if (strcmp(how, "exit") == 0) {
        _Exit(0);
    } else if (strcmp(how, "print") == 0) {
        puts("hello");
    }
}

const struct pb_suite *pairbench_suite(void)
{
    static struct tables tables;
    const char *how = getenv("PB_TEST_BROKEN");
    fill(&tables);
    if (how != NULL) {
        spoil_suite(&tables, how);
        spoil_case(&tables, how);
        spoil_variant(&tables, how);
    }
    return how != NULL && strcmp(how, "null_table") == 0 ? NULL : &tables.suite;
}
