/* SPDX-License-Identifier: Apache-2.0
 *
 * What is not deterministic can't be held against anything, and is left out.
 */
#include "commands/run_baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "provenance/machine.h"

/* The counter whose values depend on how malloc rounds. */
static const char peak_live_bytes[] = "peak_live_bytes";

static int compare_counts(const void *a, const void *b)
{
    const struct pb_baseline_count *left = a;
    const struct pb_baseline_count *right = b;
    const int order = strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->metric, right->metric);
}

static int compare_ratios(const void *a, const void *b)
{
    const struct pb_baseline_ratio *left = a;
    const struct pb_baseline_ratio *right = b;
    int order = strcmp(left->case_name, right->case_name);
    order = order != 0 ? order : strcmp(left->scenario, right->scenario);
    order = order != 0 ? order : strcmp(left->a, right->a);
    return order != 0 ? order : strcmp(left->b, right->b);
}

static void gather_counts(const struct pb_run_record *run, struct pb_arena *arena,
                          struct pb_baseline *baseline)
{
    size_t capacity = 0;
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        const bool is_ours = benchmark->state == PB_STATE_OK && benchmark->flags == 0;
        for (size_t k = 0; is_ours && k < benchmark->n_counts; k++) {
            const struct pb_count_record *count = &benchmark->counts[k];
            if (!count->deterministic || strcmp(count->name, peak_live_bytes) == 0) {
                continue;
            }
            baseline->counts = pb_arena_grow(arena, baseline->counts, baseline->n_counts, &capacity,
                                             sizeof *baseline->counts);
            baseline->counts[baseline->n_counts++] =
                (struct pb_baseline_count){benchmark->name, count->name, count->value};
        }
    }
    if (baseline->n_counts > 0) {
        qsort(baseline->counts, baseline->n_counts, sizeof *baseline->counts, compare_counts);
    }
}

static double deviation(const double *x, size_t n)
{
    double mean = 0;
    double square = 0;
    for (size_t i = 0; i < n; i++) {
        mean += x[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        square += (x[i] - mean) * (x[i] - mean);
    }
    return n > 1 ? sqrt(square / (double)(n - 1)) : NAN;
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
            .spread = deviation(pair->d, pair->n_launches),
            .launches = (uint32_t)pair->n_launches,
        };
    }
    if (baseline->n_ratios > 0) {
        qsort(baseline->ratios, baseline->n_ratios, sizeof *baseline->ratios, compare_ratios);
    }
}

struct pb_baseline pb_baseline_of_run(const struct pb_run_record *run, struct pb_arena *arena)
{
    struct pb_baseline baseline = {0};
    baseline.class_facts = pb_class_facts(arena, &run->machine, &run->build);
    gather_counts(run, arena, &baseline);
    gather_ratios(run, arena, &baseline);
    return baseline;
}
