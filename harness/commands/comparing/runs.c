/* SPDX-License-Identifier: Apache-2.0
 *
 * The base run takes the place of a committed baseline.
 */
#include "commands/comparing/runs.h"

#include <string.h>

#include "commands/judging/run_baseline.h"
#include "provenance/machine.h"
#include "store/store.h"

enum { UUID_FIRST_PART = 8 };

bool pb_is_run_id(const char *operand)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    return strspn(operand, digits) == UUID_FIRST_PART && operand[UUID_FIRST_PART] == '-' &&
           strspn(operand, "0123456789abcdefABCDEF-") == strlen(operand);
}

static enum pb_code load(const struct pb_context *context, const char *id,
                         struct pb_run_record *run, struct pb_error *err)
{
    struct pb_store *store = NULL;
    enum pb_code code = pb_store_open(context->db, PB_STORE_READ, &store, err);
    if (code == PB_OK) {
        code = pb_store_load_run(store, id, context->arena, run, err);
    }
    pb_store_close(store);
    return code;
}

/* Whether two facts are known and the same. */
static bool agree(const struct pb_facts *a, const struct pb_facts *b, const char *key)
{
    const char *left = pb_facts_get(a, key);
    const char *right = pb_facts_get(b, key);
    return left != NULL && right != NULL && strcmp(left, right) == 0;
}

/* Why the ratios of two runs can't be compared; NULL when they can. */
static const char *why_no_ratios(const struct pb_run_record *base, const struct pb_run_record *head,
                                 struct pb_arena *arena)
{
    if (!agree(&base->machine, &head->machine, "fingerprint")) {
        return "the runs are of two machines: only their counts are compared; to compare the code, "
               "`pairbench compare` two revisions on one of them";
    }
    const struct pb_facts there = pb_class_facts(arena, &base->machine, &base->build);
    const struct pb_facts here = pb_class_facts(arena, &head->machine, &head->build);
    for (size_t i = 0; i < here.n; i++) {
        if (!agree(&there, &here, here.items[i].key)) {
            return pb_arena_printf(arena, "the runs differ in %s: only their counts are compared",
                                   here.items[i].key);
        }
    }
    return NULL;
}

enum pb_code pb_compare_runs(const struct pb_context *context, const char *base_id,
                             const char *head_id, struct pb_run_record *run,
                             struct pb_check_record *check, struct pb_error *err)
{
    struct pb_run_record base;
    enum pb_code code = load(context, base_id, &base, err);
    if (code == PB_OK) {
        code = load(context, head_id, run, err);
    }
    if (code != PB_OK) {
        return code;
    }
    struct pb_baseline_set set = {
        .baseline = pb_baseline_of_run(&base, context->arena),
        .paths = {pb_arena_printf(context->arena, "run %s", base.id)},
        .n_paths = 1,
        .has_counts = true,
    };
    const char *no_ratios = why_no_ratios(&base, run, context->arena);
    set.has_ratios = no_ratios == NULL;
    pb_judge_run(&(struct pb_judge_spec){.run = run, .set = &set}, context->arena, check);
    check->note = no_ratios;
    return PB_OK;
}
