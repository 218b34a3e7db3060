/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbours in a record usually belong to one scenario, so each search looks at the last entry
 * first; a record in any other order is only slower to sort in.
 */
#include "output/run_view.h"

#include <string.h>

static struct pb_view_case *find_case(struct pb_run_view *view, struct pb_arena *arena,
                                      const char *name)
{
    for (size_t i = view->n_cases; i > 0; i--) {
        if (strcmp(view->cases[i - 1].name, name) == 0) {
            return &view->cases[i - 1];
        }
    }
    view->cases = pb_arena_grow(arena, view->cases, view->n_cases, &view->cases_capacity,
                                sizeof *view->cases);
    struct pb_view_case *added = &view->cases[view->n_cases++];
    *added = (struct pb_view_case){.name = name};
    return added;
}

static struct pb_view_scenario *find_scenario(struct pb_run_view *view, struct pb_view_case *shown,
                                              struct pb_arena *arena, const char *name)
{
    for (size_t i = shown->n_scenarios; i > 0; i--) {
        if (strcmp(shown->scenarios[i - 1].name, name) == 0) {
            return &shown->scenarios[i - 1];
        }
    }
    shown->scenarios = pb_arena_grow(arena, shown->scenarios, shown->n_scenarios,
                                     &shown->scenarios_capacity, sizeof *shown->scenarios);
    struct pb_view_scenario *added = &shown->scenarios[shown->n_scenarios++];
    *added = (struct pb_view_scenario){.name = name};
    view->n_scenarios++;
    return added;
}

static void note_variant(struct pb_view_case *shown, struct pb_arena *arena,
                         const struct pb_benchmark_record *benchmark)
{
    for (size_t i = 0; i < shown->n_variants; i++) {
        if (strcmp(shown->variants[i].name, benchmark->variant) == 0) {
            return;
        }
    }
    shown->variants = pb_arena_grow(arena, shown->variants, shown->n_variants,
                                    &shown->variants_capacity, sizeof *shown->variants);
    shown->variants[shown->n_variants++] =
        (struct pb_view_variant){.name = benchmark->variant, .flags = benchmark->flags};
}

void pb_run_view_make(const struct pb_run_record *run, struct pb_arena *arena,
                      struct pb_run_view *view)
{
    *view = (struct pb_run_view){0};
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        struct pb_view_case *shown = find_case(view, arena, benchmark->case_name);
        struct pb_view_scenario *scenario = find_scenario(view, shown, arena, benchmark->scenario);
        note_variant(shown, arena, benchmark);
        scenario->benchmarks =
            pb_arena_grow(arena, scenario->benchmarks, scenario->n_benchmarks,
                          &scenario->benchmarks_capacity, sizeof *scenario->benchmarks);
        scenario->benchmarks[scenario->n_benchmarks++] = benchmark;
    }
    for (size_t i = 0; i < run->n_pairs; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        struct pb_view_case *shown = find_case(view, arena, pair->case_name);
        struct pb_view_scenario *scenario = find_scenario(view, shown, arena, pair->scenario);
        scenario->pairs = pb_arena_grow(arena, scenario->pairs, scenario->n_pairs,
                                        &scenario->pairs_capacity, sizeof *scenario->pairs);
        scenario->pairs[scenario->n_pairs++] = pair;
    }
}

const struct pb_benchmark_record *pb_view_benchmark(const struct pb_view_scenario *scenario,
                                                    const char *variant)
{
    for (size_t i = 0; i < scenario->n_benchmarks; i++) {
        if (strcmp(scenario->benchmarks[i]->variant, variant) == 0) {
            return scenario->benchmarks[i];
        }
    }
    return NULL;
}

const struct pb_pair_record *pb_view_pair(const struct pb_view_scenario *scenario, const char *b)
{
    for (size_t i = 0; i < scenario->n_pairs; i++) {
        const struct pb_pair_record *pair = scenario->pairs[i];
        if (pair->variant == NULL && strcmp(pair->b, b) == 0 && strcmp(pair->a, b) != 0) {
            return pair;
        }
    }
    return NULL;
}

static bool is_judged(const struct pb_view_case *shown, const char *variant)
{
    for (size_t i = 0; i < shown->n_scenarios; i++) {
        const struct pb_pair_record *pair = pb_view_pair(&shown->scenarios[i], variant);
        if (pair != NULL && pair->gated) {
            return true;
        }
    }
    return false;
}

size_t pb_view_judged(const struct pb_view_case *shown, size_t *judged)
{
    size_t n = 0;
    for (size_t i = 0; i < shown->n_variants; i++) {
        if (is_judged(shown, shown->variants[i].name)) {
            judged[n++] = i;
        }
    }
    return n;
}

struct pb_verdict_counts pb_run_verdicts(const struct pb_run_record *run)
{
    struct pb_verdict_counts counts = {0};
    for (size_t i = 0; i < run->n_pairs; i++) {
        if (run->pairs[i].gated) {
            pb_verdicts_count(&counts, run->pairs[i].verdict);
        }
    }
    return counts;
}

void pb_run_states(const struct pb_run_record *run, size_t counts[PB_STATE_SKIPPED + 1])
{
    memset(counts, 0, (PB_STATE_SKIPPED + 1) * sizeof *counts);
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        counts[run->benchmarks[i].state]++;
    }
}
