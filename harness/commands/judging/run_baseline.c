/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not deterministic can't be held against anything, and is left out.
 */
#include "commands/judging/run_baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/instructions.h"
#include "provenance/machine.h"
#include "stats/summary.h"
#include "store/baseline_format.h"

/* The counter whose values depend on how malloc rounds. */
static const char peak_live_bytes[] = "peak_live_bytes";

bool pb_count_is_gated(const char *name)
{
    return strcmp(name, peak_live_bytes) != 0;
}

static bool is_ours(const struct pb_benchmark_record *benchmark)
{
    return benchmark->state == PB_STATE_OK && benchmark->flags == 0;
}

static void gather_counts(const struct pb_run_record *run, struct pb_arena *arena,
                          struct pb_baseline *baseline)
{
    size_t capacity = 0;
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        for (size_t k = 0; is_ours(benchmark) && k < benchmark->n_counts; k++) {
            const struct pb_count_record *count = &benchmark->counts[k];
            if (!count->deterministic || !pb_count_is_gated(count->name)) {
                continue;
            }
            baseline->counts = pb_arena_grow(arena, baseline->counts, baseline->n_counts, &capacity,
                                             sizeof *baseline->counts);
            baseline->counts[baseline->n_counts++] =
                (struct pb_baseline_count){benchmark->name, count->name, count->value};
        }
    }
    if (baseline->n_counts > 0) {
        qsort(baseline->counts, baseline->n_counts, sizeof *baseline->counts,
              pb_baseline_compare_counts);
    }
}

const char *pb_run_counter(const struct pb_run_record *run)
{
    const char *counter = pb_facts_get(&run->machine, PB_INSTRUCTION_COUNTER);
    const bool counted = counter != NULL && strcmp(counter, pb_counter_name(PB_COUNTER_NONE)) != 0;
    return counted ? counter : NULL;
}

static void gather_instructions(const struct pb_run_record *run, struct pb_arena *arena,
                                struct pb_baseline *baseline)
{
    baseline->counter = pb_run_counter(run);
    if (baseline->counter == NULL) {
        return;
    }
    baseline->instructions =
        pb_arena_array(arena, run->n_benchmarks, sizeof *baseline->instructions);
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        if (is_ours(benchmark) && benchmark->instructions >= 0) {
            baseline->instructions[baseline->n_instructions++] = (struct pb_baseline_count){
                benchmark->name, PB_BASELINE_INSTRUCTIONS, benchmark->instructions};
        }
    }
    if (baseline->n_instructions > 0) {
        qsort(baseline->instructions, baseline->n_instructions, sizeof *baseline->instructions,
              pb_baseline_compare_counts);
    }
}

const struct pb_benchmark_record *pb_run_find_benchmark(const struct pb_run_record *run,
                                                        const char *name)
{
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        if (strcmp(run->benchmarks[i].name, name) == 0) {
            return &run->benchmarks[i];
        }
    }
    return NULL;
}

double pb_run_time_ns(const struct pb_run_record *run, const char *case_name, const char *scenario,
                      const char *variant, struct pb_arena *arena)
{
    const struct pb_benchmark_record *benchmark = pb_run_find_benchmark(
        run, pb_arena_printf(arena, "%s/%s/%s", case_name, scenario, variant));
    return benchmark != NULL && benchmark->median_ns > 0 ? benchmark->median_ns : (double)NAN;
}

static void gather_ratios(const struct pb_run_record *run, struct pb_arena *arena,
                          struct pb_baseline *baseline)
{
    baseline->ratios = pb_arena_array(arena, run->n_pairs, sizeof *baseline->ratios);
    for (size_t i = 0; i < run->n_pairs; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        if (!pair->gated || !isfinite(pair->lo) || !isfinite(pair->hi)) {
            continue;
        }
        baseline->ratios[baseline->n_ratios++] = (struct pb_baseline_ratio){
            .case_name = pair->case_name,
            .scenario = pair->scenario,
            .a = pair->a,
            .b = pair->b,
            .estimate = pair->estimate,
            .lo = pair->lo,
            .hi = pair->hi,
            .spread = pb_deviation(pair->d, pair->n_launches),
            .launches = (uint32_t)pair->n_launches,
            .a_ns = pb_run_time_ns(run, pair->case_name, pair->scenario, pair->a, arena),
        };
    }
    if (baseline->n_ratios > 0) {
        qsort(baseline->ratios, baseline->n_ratios, sizeof *baseline->ratios,
              pb_baseline_compare_ratios);
    }
}

struct pb_baseline pb_baseline_of_run(const struct pb_run_record *run, struct pb_arena *arena)
{
    struct pb_baseline baseline = {0};
    baseline.class_facts = pb_class_facts(arena, &run->machine, &run->build);
    gather_counts(run, arena, &baseline);
    gather_instructions(run, arena, &baseline);
    gather_ratios(run, arena, &baseline);
    return baseline;
}
