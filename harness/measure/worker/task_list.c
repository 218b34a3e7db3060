/* SPDX-License-Identifier: Apache-2.0
 *
 * The table is checked here, in the process that may crash over it.
 */
#include "measure/worker/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 1000, TABLE_MAX = 100000 };

struct lister {
    struct pb_launch_region *region;
    FILE *out;
};

static bool refuse(struct lister *lister, const char *what, const char *whose, const char *problem)
{
    snprintf(lister->region->failure, sizeof lister->region->failure, "%s of %s %s", what, whose,
             problem);
    return false;
}

static void put_text(struct lister *lister, const char *text)
{
    fputs(text != NULL ? text : "", lister->out);
    fputc('\0', lister->out);
}

static void put_number(struct lister *lister, size_t number)
{
    fprintf(lister->out, "%zu", number);
    fputc('\0', lister->out);
}

static bool put_name(struct lister *lister, const char *what, const char *whose, const char *name)
{
    if (name == NULL || name[0] == '\0') {
        return refuse(lister, what, whose, "has no name");
    }
    if (strlen(name) > NAME_MAX_BYTES) {
        return refuse(lister, what, whose, "has a name of more than 1000 bytes");
    }
    put_text(lister, name);
    return true;
}

static bool list_scenarios(struct lister *lister, const struct pb_case *its_case)
{
    put_number(lister, its_case->n_scenarios);
    for (size_t i = 0; i < its_case->n_scenarios; i++) {
        const struct pb_scenario *scenario = &its_case->scenarios[i];
        if (!put_name(lister, "a scenario", its_case->name, scenario->name)) {
            return false;
        }
        if (strchr(scenario->name, '/') != NULL) {
            return refuse(lister, "a scenario", its_case->name, "has a '/' in its name");
        }
        put_text(lister, scenario->summary);
        put_number(lister, scenario->flags);
        put_number(lister, scenario->golden.data != NULL ? scenario->golden.size : 0);
    }
    return true;
}

static bool list_variants(struct lister *lister, const struct pb_case *its_case)
{
    put_number(lister, its_case->n_variants);
    for (size_t i = 0; i < its_case->n_variants; i++) {
        const struct pb_variant *variant = &its_case->variants[i];
        const bool bound = (variant->flags & PAIRBENCH_VARIANT_BOUND) != 0;
        if (!put_name(lister, "a variant", its_case->name, variant->name)) {
            return false;
        }
        if (strchr(variant->name, '/') != NULL) {
            return refuse(lister, "a variant", its_case->name, "has a '/' in its name");
        }
        if (variant->open == NULL || variant->run == NULL) {
            return refuse(lister, "a variant", its_case->name, "has no open or no run");
        }
        if (variant->output == NULL && !bound) {
            return refuse(lister, "a variant", its_case->name, "has no output and is no bound");
        }
        put_text(lister, variant->summary);
        put_number(lister, variant->flags);
    }
    return true;
}

static bool list_case(struct lister *lister, const struct pb_suite *suite,
                      const struct pb_case *its_case)
{
    if (its_case == NULL) {
        return refuse(lister, "a case", suite->name, "is NULL");
    }
    if (!put_name(lister, "a case", suite->name, its_case->name)) {
        return false;
    }
    if (its_case->scenarios == NULL || its_case->n_scenarios == 0 ||
        its_case->n_scenarios > TABLE_MAX) {
        return refuse(lister, "the scenario table", its_case->name, "is empty or absurdly large");
    }
    if (its_case->variants == NULL || its_case->n_variants == 0 ||
        its_case->n_variants > PB_VARIANTS_MAX) {
        return refuse(lister, "the variant table", its_case->name, "has not 1 to 12 entries");
    }
    if (its_case->variants[0].name == NULL || strcmp(its_case->variants[0].name, "old") != 0) {
        return refuse(lister, "the first variant", its_case->name, "is not named `old`");
    }
    put_text(lister, its_case->summary);
    put_text(lister, its_case->source);
    return list_scenarios(lister, its_case) && list_variants(lister, its_case);
}

bool task_list(struct pb_launch_region *region, const struct pb_suite *suite)
{
    struct lister lister = {.region = region, .out = fdopen(PB_LAUNCH_FD, "r+")};
    if (lister.out == NULL || fseek(lister.out, (long)sizeof *region, SEEK_SET) != 0) {
        return refuse(&lister, "the list", "this suite", strerror(errno));
    }
    const char *suite_name = suite->name != NULL ? suite->name : "";
    bool listed = put_name(&lister, "the suite", "this file", suite_name);
    put_text(&lister, suite->compiler);
    put_text(&lister, suite->flags);
    put_text(&lister, suite->build_type);
    put_number(&lister, suite->optimized);
    if (listed && (suite->cases == NULL || suite->n_cases == 0 || suite->n_cases > TABLE_MAX)) {
        listed = refuse(&lister, "the table of cases", suite_name, "is empty or absurdly large");
    }
    put_number(&lister, listed ? suite->n_cases : 0);
    for (size_t i = 0; listed && i < suite->n_cases; i++) {
        listed = list_case(&lister, suite, suite->cases[i]);
    }
    const bool flushed = fflush(lister.out) == 0;
    const long end = ftell(lister.out);
    if (listed && (!flushed || end < 0)) {
        return refuse(&lister, "the list", suite_name, strerror(errno));
    }
    region->list_bytes = listed ? (uint64_t)end - sizeof *region : 0;
    return listed;
}
