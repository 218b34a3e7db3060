/* SPDX-License-Identifier: Apache-2.0
 *
 * Items stand in the order in which the measurement makes its pairs, so that the number of one is
 * the number of the other; they are sorted when all is known.
 */
#include "commands/comparing/comparing.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/monotonic.h"
#include "commands/bench.h"
#include "commands/comparing/confirm.h"
#include "pairbench.h"
#include "provenance/object_code.h"
#include "stats/random.h"

/* Streams of the seed; those of a run's own are elsewhere. */
#define STREAM_CONFIRM  ((UINT64_C(1) << 62) + 1)
#define STREAM_AS_BUILT ((UINT64_C(1) << 62) + 2)

/* Share of a budget that the screen may use; what it leaves is for the rest. */
#define SCREEN_SHARE 0.8

/* So few are measured as built even when nothing changed. */
enum { AS_BUILT_ALL_MAX = 8 };

static const char identical_code[] = "identical machine code and data: not timed";

/* A comparison in the making. */
struct state {
    const struct pb_context *context;
    const struct pb_comparing *comparing;
    struct pb_comparison *comparison;
    struct pb_arena *arena;
    struct pb_selection common; /* of base: what both sides have        */
    size_t n_common;            /* the first items of the comparison    */
    size_t capacity;
    double begun_s;
};

/* One benchmark of a catalog, by its indices. */
struct place {
    const struct pb_catalog *catalog;
    size_t c;
    size_t s;
    size_t v;
};

static const struct pb_catalog_case *case_of(const struct place *place)
{
    return &place->catalog->cases[place->c];
}

/* Goes to the next benchmark. returns: false at the end; begin with v = SIZE_MAX */
static bool next_place(struct place *place)
{
    place->v++;
    while (place->c < place->catalog->n_cases) {
        if (place->v < case_of(place)->n_variants) {
            return true;
        }
        place->v = 0;
        place->s++;
        if (place->s == case_of(place)->n_scenarios) {
            place->s = 0;
            place->c++;
        }
    }
    return false;
}

static struct place first_place(const struct pb_catalog *catalog)
{
    return (struct place){.catalog = catalog, .v = SIZE_MAX};
}

static bool matches(const struct place *place, const char *glob)
{
    const struct pb_catalog_case *its_case = case_of(place);
    return pb_name_matches(glob, its_case->name, its_case->scenarios[place->s].name,
                           its_case->variants[place->v].name);
}

static bool is_wanted(const struct pb_comparing *comparing, const struct place *place)
{
    for (size_t i = 0; i < comparing->n_patterns; i++) {
        if (matches(place, comparing->patterns[i])) {
            return true;
        }
    }
    const uint32_t not_ours = PAIRBENCH_VARIANT_BOUND | PAIRBENCH_VARIANT_REFERENCE;
    const struct pb_catalog_case *its_case = case_of(place);
    return comparing->n_patterns == 0 &&
           (its_case->scenarios[place->s].flags & PAIRBENCH_SCENARIO_ON_REQUEST) == 0 &&
           (its_case->variants[place->v].flags & not_ours) == 0;
}

static bool is_in(const struct pb_catalog *catalog, const struct place *wanted)
{
    const struct pb_catalog_case *its_case = case_of(wanted);
    for (struct place place = first_place(catalog); next_place(&place);) {
        const struct pb_catalog_case *other = case_of(&place);
        if (strcmp(other->name, its_case->name) == 0 &&
            strcmp(other->scenarios[place.s].name, its_case->scenarios[wanted->s].name) == 0 &&
            strcmp(other->variants[place.v].name, its_case->variants[wanted->v].name) == 0) {
            return true;
        }
    }
    return false;
}

/* A pattern must match something on either side. */
static enum pb_code check_patterns(const struct state *state, struct pb_error *err)
{
    const struct pb_comparing *comparing = state->comparing;
    for (size_t i = 0; i < comparing->n_patterns; i++) {
        struct pb_selection ignored;
        struct pb_error other;
        const enum pb_code code = pb_selection_make(comparing->base, &comparing->patterns[i], 1,
                                                    state->arena, &ignored, err);
        if (code != PB_OK && pb_selection_make(comparing->head, &comparing->patterns[i], 1,
                                               state->arena, &ignored, &other) != PB_OK) {
            return code;
        }
    }
    return PB_OK;
}

static void add_item(struct state *state, const struct place *place, enum pb_verdict verdict,
                     const char *reason)
{
    struct pb_comparison *comparison = state->comparison;
    const struct pb_catalog_case *its_case = case_of(place);
    const char *scenario = its_case->scenarios[place->s].name;
    const char *variant = its_case->variants[place->v].name;
    comparison->items = pb_arena_grow(state->arena, comparison->items, comparison->n,
                                      &state->capacity, sizeof *comparison->items);
    comparison->items[comparison->n++] = (struct pb_compared){
        .name = pb_arena_printf(state->arena, "%s/%s/%s", its_case->name, scenario, variant),
        .pair = {.case_name = its_case->name,
                 .scenario = scenario,
                 .variant = variant,
                 .a = "base",
                 .b = "head",
                 .gated = true,
                 .estimate = NAN,
                 .lo = -INFINITY,
                 .hi = INFINITY,
                 .verdict = verdict,
                 .reason = reason},
        .screen_pct = NAN,
        .p = NAN,
    };
}

/* Makes an item of every wanted benchmark: common ones, then what only one side has. */
static void make_items(struct state *state)
{
    const struct pb_comparing *comparing = state->comparing;
    state->common = pb_selection_none(comparing->base, state->arena);
    for (struct place place = first_place(comparing->base); next_place(&place);) {
        if (is_wanted(comparing, &place) && is_in(comparing->head, &place)) {
            add_item(state, &place, PB_VERDICT_INCONCLUSIVE, NULL);
            state->common.wanted[place.c][place.s][place.v] = true;
            state->n_common++;
        }
    }
    for (struct place place = first_place(comparing->base); next_place(&place);) {
        if (is_wanted(comparing, &place) && !is_in(comparing->head, &place)) {
            add_item(state, &place, PB_VERDICT_MISSING, "base has it, head has not");
        }
    }
    for (struct place place = first_place(comparing->head); next_place(&place);) {
        if (is_wanted(comparing, &place) && !is_in(comparing->base, &place)) {
            add_item(state, &place, PB_VERDICT_ADDED, "head has it, base has not");
        }
    }
}

/* An injection that hits nothing would be a test that tests nothing. */
static enum pb_code check_injections(const struct state *state, struct pb_error *err)
{
    const struct pb_plan *plan = &state->comparing->plan;
    for (size_t i = 0; i < plan->n_injections; i++) {
        bool hits = false;
        for (struct place place = first_place(state->comparing->base); next_place(&place);) {
            hits = hits || (state->common.wanted[place.c][place.s][place.v] &&
                            matches(&place, plan->injections[i].glob));
        }
        if (!hits) {
            return pb_error_set(err, PB_ERR_USAGE,
                                "--inject '%s=…' matches nothing that is to be measured",
                                plan->injections[i].glob);
        }
    }
    return PB_OK;
}

enum stage { STAGE_SCREEN, STAGE_CONFIRM, STAGE_AS_BUILT };

/* Which objects of a suite a stage uses: so many from one on. */
struct layout_range {
    size_t first;
    size_t n;
};

/* The confirmation has layouts of its own where there are enough of them. */
static struct layout_range layouts_of(const struct pb_catalog_suite *suite, uint32_t wanted,
                                      enum stage stage)
{
    const size_t shuffled = suite->n_layouts - 1;
    const size_t screened = shuffled < wanted ? shuffled : wanted;
    const size_t left = shuffled - screened;
    if (stage == STAGE_AS_BUILT || screened == 0) {
        return (struct layout_range){0, 1};
    }
    if (stage == STAGE_CONFIRM && left >= (wanted > 1 ? 2 : 1)) {
        return (struct layout_range){1 + screened, left < wanted ? left : wanted};
    }
    return (struct layout_range){1, screened};
}

/* A catalog with the objects of a stage; its tables are the same. */
static struct pb_catalog catalog_of(const struct state *state, const struct pb_catalog *catalog,
                                    enum stage stage)
{
    struct pb_catalog made = *catalog;
    made.suites =
        pb_arena_memdup(state->arena, catalog->suites, catalog->n_suites * sizeof *catalog->suites);
    for (size_t i = 0; i < made.n_suites; i++) {
        const struct layout_range range =
            layouts_of(&catalog->suites[i], state->comparing->layouts, stage);
        made.suites[i].layouts += range.first;
        made.suites[i].n_layouts = range.n;
    }
    return made;
}

static size_t n_shuffled(const struct pb_catalog *catalog, uint32_t wanted)
{
    const struct layout_range range = layouts_of(&catalog->suites[0], wanted, STAGE_SCREEN);
    return range.first > 0 ? range.n : 0;
}

static struct pb_plan plan_of(const struct state *state, enum stage stage)
{
    struct pb_plan plan = state->comparing->plan;
    const double used_s = pb_monotonic_s() - state->begun_s;
    plan.worker = state->context->worker;
    plan.heap_counter = state->context->heap_counter;
    plan.times = true;
    plan.finish = PB_FINISH_VERDICT;
    if (plan.budget_s > 0) {
        const double left_s = plan.budget_s - used_s;
        plan.budget_s = stage == STAGE_SCREEN ? SCREEN_SHARE * plan.budget_s
                                              : fmax(left_s, 1e-3); /* one wave at least */
    }
    if (stage == STAGE_SCREEN) {
        plan.change_level = state->comparing->screen_only ? 0 : PB_SCREEN_LEVEL;
        return plan;
    }
    plan.launches = stage == STAGE_CONFIRM ? 0 : PB_LAUNCHES_QUICK;
    plan.seed =
        pb_random_derive(plan.seed, stage == STAGE_CONFIRM ? STREAM_CONFIRM : STREAM_AS_BUILT);
    return plan;
}

static enum pb_code measure(const struct state *state, enum stage stage, const struct pb_plan *plan,
                            const struct pb_selection *selection, struct pb_run_record *run,
                            struct pb_error *err)
{
    const struct pb_catalog base = catalog_of(state, state->comparing->base, stage);
    const struct pb_catalog head = catalog_of(state, state->comparing->head, stage);
    const struct pb_builds builds = {.base = &base, .head = &head, .selection = selection};
    return pb_bench_measure_builds(state->context, &builds, plan, run, err);
}

/* Records of pair number i of a run: two benchmarks and the pair. */
static void take_pair(const struct pb_run_record *run, size_t i, struct pb_compared *item)
{
    item->base = &run->benchmarks[2 * i];
    item->head = &run->benchmarks[2 * i + 1];
    item->pair = run->pairs[i];
    assert(strcmp(item->base->name, item->name) == 0);
}

static enum pb_code screen(struct state *state, struct pb_error *err)
{
    struct pb_comparison *comparison = state->comparison;
    struct pb_run_record *run = &comparison->run;
    const struct pb_plan plan = plan_of(state, STAGE_SCREEN);
    const enum pb_code code = measure(state, STAGE_SCREEN, &plan, &state->common, run, err);
    if (code != PB_OK) {
        return code;
    }
    for (size_t i = 0; i < state->n_common; i++) {
        take_pair(run, i, &comparison->items[i]);
    }
    if (run->n_pairs > state->n_common) {
        comparison->control = &run->pairs[state->n_common];
    }
    return PB_OK;
}

/* Some of the common items, to be measured once more. */
struct choice {
    struct pb_selection selection;
    size_t *items; /* indices, in the order of pairs */
    size_t n;
};

static struct choice choose(const struct state *state,
                            bool (*wants)(const struct state *state,
                                          const struct pb_compared *item))
{
    struct choice choice = {
        .selection = pb_selection_none(state->comparing->base, state->arena),
        .items = pb_arena_array(state->arena, state->n_common, sizeof *choice.items),
    };
    size_t i = 0;
    for (struct place place = first_place(state->comparing->base); next_place(&place);) {
        if (!state->common.wanted[place.c][place.s][place.v]) {
            continue;
        }
        if (wants(state, &state->comparison->items[i])) {
            choice.selection.wanted[place.c][place.s][place.v] = true;
            choice.items[choice.n++] = i;
        }
        i++;
    }
    return choice;
}

static bool wants_confirmation(const struct state *state, const struct pb_compared *item)
{
    (void)state;
    return pb_is_flagged(&item->pair);
}

static void invalidate(struct pb_compared *item, const char *reason)
{
    if (item->pair.verdict <= PB_VERDICT_INCONCLUSIVE) {
        item->pair.verdict = PB_VERDICT_INVALID_RUN;
        item->pair.reason = reason;
    }
}

/* Judges the chosen items on their fresh pairs. */
static enum pb_code judge_fresh(struct state *state, const struct choice *choice,
                                const struct pb_run_record *fresh, const struct pb_looks *looks,
                                struct pb_error *err)
{
    struct pb_arena *arena = state->arena;
    const struct pb_pair_record **first = pb_arena_array(arena, choice->n, sizeof *first);
    const struct pb_pair_record **again = pb_arena_array(arena, choice->n, sizeof *again);
    const struct pb_confirmation confirmation = {
        .screen = first,
        .fresh = again,
        .n = choice->n,
        .judged = pb_arena_array(arena, choice->n, sizeof *confirmation.judged),
        .p = pb_arena_array(arena, choice->n, sizeof *confirmation.p),
    };
    for (size_t i = 0; i < choice->n; i++) {
        struct pb_compared *item = &state->comparison->items[choice->items[i]];
        first[i] = pb_arena_memdup(arena, &item->pair, sizeof item->pair);
        again[i] = &fresh->pairs[i];
        item->flagged = true;
        item->screen_pct = pb_change_pct(item->pair.estimate);
    }
    const enum pb_code code = pb_confirm_judge(&confirmation, looks, arena, err);
    for (size_t i = 0; code == PB_OK && i < choice->n; i++) {
        struct pb_compared *item = &state->comparison->items[choice->items[i]];
        take_pair(fresh, i, item);
        item->pair = confirmation.judged[i];
        item->p = confirmation.p[i];
        if (!fresh->valid) {
            invalidate(item, fresh->invalid_reason);
        }
    }
    return code;
}

static enum pb_code confirm(struct state *state, struct pb_error *err)
{
    const struct choice choice = choose(state, wants_confirmation);
    if (choice.n == 0) {
        return PB_OK;
    }
    const struct pb_looks looks = pb_confirm_looks(choice.n, state->comparison->margins);
    struct pb_run_record *fresh = pb_arena_alloc(state->arena, sizeof *fresh);
    fresh->valid = true;
    struct pb_plan plan = plan_of(state, STAGE_CONFIRM);
    plan.looks = &looks;
    plan.change_level = looks.change_level;
    enum pb_code code = measure(state, STAGE_CONFIRM, &plan, &choice.selection, fresh, err);
    if (code == PB_OK) {
        code = judge_fresh(state, &choice, fresh, &looks, err);
    }
    struct pb_run_record *run = &state->comparison->run;
    if (code == PB_OK && run->valid && !fresh->valid) {
        run->valid = false;
        run->invalid_reason = fresh->invalid_reason;
    }
    return code;
}

static bool wants_as_built(const struct state *state, const struct pb_compared *item)
{
    const bool timed = item->pair.n_launches > 0;
    const bool all =
        state->comparing->as_built == PB_AS_BUILT_ALL || state->n_common <= AS_BUILT_ALL_MAX;
    return timed && (all || item->flagged || pb_is_flagged(&item->pair));
}

/* The objects as they were built: what shuffling the layout takes out of a comparison. */
static enum pb_code measure_as_built(struct state *state, struct pb_error *err)
{
    const struct pb_comparison *comparison = state->comparison;
    const struct choice choice = choose(state, wants_as_built);
    if (choice.n == 0 || state->comparing->as_built == PB_AS_BUILT_NONE ||
        (comparison->base.layouts == 0 && comparison->head.layouts == 0)) {
        return PB_OK;
    }
    struct pb_run_record *run = pb_arena_alloc(state->arena, sizeof *run);
    run->valid = true;
    const struct pb_plan plan = plan_of(state, STAGE_AS_BUILT);
    const enum pb_code code = measure(state, STAGE_AS_BUILT, &plan, &choice.selection, run, err);
    for (size_t i = 0; code == PB_OK && i < choice.n; i++) {
        comparison->items[choice.items[i]].production = &run->pairs[i];
    }
    return code;
}

static enum pb_code measure_stages(struct state *state, struct pb_error *err)
{
    struct pb_comparison *comparison = state->comparison;
    enum pb_code code = screen(state, err);
    if (code == PB_OK && !comparison->run.valid) {
        for (size_t i = 0; i < state->n_common; i++) {
            invalidate(&comparison->items[i], comparison->run.invalid_reason);
        }
        return PB_OK;
    }
    if (code == PB_OK && !state->comparing->screen_only) {
        code = confirm(state, err);
    }
    for (size_t i = 0; code == PB_OK && i < state->n_common; i++) {
        pb_confirm_check_drift(&comparison->items[i].pair, comparison->margins, state->arena);
    }
    return code == PB_OK ? measure_as_built(state, err) : code;
}

bool pb_compare_is_idle(const struct pb_comparing *comparing)
{
    return !comparing->times_identical && comparing->plan.n_injections == 0 &&
           comparing->base->n_suites == 1 && comparing->head->n_suites == 1 &&
           pb_object_code_same(comparing->base->suites[0].path, comparing->head->suites[0].path);
}

static void mark_identical(struct state *state)
{
    for (size_t i = 0; i < state->n_common; i++) {
        struct pb_compared *item = &state->comparison->items[i];
        item->identical = true;
        item->pair.verdict = PB_VERDICT_UNCHANGED;
        item->pair.reason = identical_code;
    }
}

enum pb_code pb_compare_builds(const struct pb_context *context,
                               const struct pb_comparing *comparing,
                               struct pb_comparison *comparison, struct pb_error *err)
{
    struct state state = {
        .context = context,
        .comparing = comparing,
        .comparison = comparison,
        .arena = context->arena,
        .begun_s = pb_monotonic_s(),
    };
    comparison->margins = comparing->plan.margins;
    comparison->base.layouts = n_shuffled(comparing->base, comparing->layouts);
    comparison->head.layouts = n_shuffled(comparing->head, comparing->layouts);
    comparison->run =
        (struct pb_run_record){.seed = comparing->plan.seed, .label = "", .patterns = ""};
    pb_bench_describe(context, comparing->head, &comparison->run);
    enum pb_code code = check_patterns(&state, err);
    if (code == PB_OK) {
        make_items(&state);
        code = check_injections(&state, err);
    }
    if (code == PB_OK && pb_compare_is_idle(comparing)) {
        mark_identical(&state);
    } else if (code == PB_OK && state.n_common > 0) {
        code = measure_stages(&state, err);
    }
    comparison->wall_s = pb_monotonic_s() - state.begun_s;
    pb_comparison_sort(comparison);
    return code;
}
