/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs of a scenario: old against every other variant, and every bound against each variant that
 * does the whole work, which says how much is left to gain. Only old against a variant of ours is
 * gated.
 */
#include "measure/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/diagnostics.h"
#include "measure/layout_luck.h"
#include "pairbench.h"
#include "stats/interval.h"
#include "stats/summary.h"
#include "stats/trend.h"
#include "stats/verdict.h"

static int compare_counts(const void *a, const void *b)
{
    return strcmp(((const struct pb_count_record *)a)->name,
                  ((const struct pb_count_record *)b)->name);
}

static void collect_counts(const struct pb_job_side *side, struct pb_arena *arena,
                           struct pb_benchmark_record *record)
{
    record->n_counts = side->n_counts;
    record->counts = pb_arena_array(arena, side->n_counts, sizeof *record->counts);
    for (uint32_t i = 0; i < side->n_counts; i++) {
        record->counts[i] = (struct pb_count_record){
            .name = side->counts[i].name,
            .value = side->counts[i].value,
            .deterministic = side->counts[i].deterministic,
        };
    }
    if (side->n_counts > 0) {
        qsort(record->counts, record->n_counts, sizeof *record->counts, compare_counts);
    }
}

static struct pb_launch_record summarize_launch(const struct pb_job_launch *launch,
                                                const struct pb_job *job, uint32_t side,
                                                double *scratch)
{
    const size_t n = (size_t)job->slices.rounds * job->slices.timed_slices;
    const float *samples = launch->real_ns[side];
    for (size_t i = 0; i < n; i++) {
        scratch[i] = (double)samples[i];
    }
    struct pb_launch_record record = {
        .launch = launch->wave,
        .n_slices = (uint32_t)n,
        .iterations = job->sides[side].iterations,
        .min_ns = pb_min(scratch, n),
        .p05_ns = pb_quantile(scratch, n, 0.05),
        .median_ns = pb_median(scratch, n),
        .samples_ns = samples,
    };
    record.mad_ns = pb_mad(scratch, n);
    return record;
}

static double median_cpu_ns(const struct pb_job *job, uint32_t side, struct pb_arena *arena)
{
    const size_t n_slices = (size_t)job->slices.rounds * job->slices.timed_slices;
    double *values = pb_arena_array(arena, job->n_launches * n_slices, sizeof *values);
    size_t n = 0;
    for (size_t k = 0; k < job->n_launches; k++) {
        const float *samples = job->launches[k].cpu_ns[side];
        for (size_t i = 0; samples != NULL && i < n_slices; i++) {
            values[n++] = (double)samples[i];
        }
    }
    return pb_median(values, n);
}

static void collect_times(const struct pb_job *job, uint32_t side, struct pb_arena *arena,
                          struct pb_benchmark_record *record)
{
    double scratch[PB_LAUNCH_SAMPLES_MAX];
    double *medians = pb_arena_array(arena, job->n_launches, sizeof *medians);
    record->launches = pb_arena_array(arena, job->n_launches, sizeof *record->launches);
    double best_ns = INFINITY;
    for (size_t k = 0; k < job->n_launches; k++) {
        if (job->launches[k].real_ns[side] == NULL) {
            continue;
        }
        const struct pb_launch_record launch =
            summarize_launch(&job->launches[k], job, side, scratch);
        medians[record->n_launches] = launch.median_ns;
        record->launches[record->n_launches++] = launch;
        record->repeats += launch.n_slices;
        best_ns = fmin(best_ns, launch.min_ns);
    }
    if (record->n_launches > 0) {
        record->best_ns = best_ns;
        record->median_ns = pb_median(medians, record->n_launches);
        record->cpu_ns = median_cpu_ns(job, side, arena);
    }
}

static void collect_benchmark(const struct pb_job *job, uint32_t index, struct pb_arena *arena,
                              struct pb_benchmark_record *record)
{
    const struct pb_job_side *side = &job->sides[index];
    *record = (struct pb_benchmark_record){
        .name = side->name,
        .case_name = job->case_name,
        .scenario = job->scenario,
        .variant = side->variant,
        .state = side->state,
        .reason = side->reason != NULL ? side->reason : side->differs,
        .below_resolution = side->below_resolution,
        .best_ns = NAN,
        .median_ns = NAN,
        .cpu_ns = NAN,
        .iterations = side->iterations,
        .inject_pct = side->inject_pct,
        .instructions = side->instructions.known ? side->instructions.value : -1,
    };
    record->flags |= (side->flags & PAIRBENCH_VARIANT_BOUND) != 0 ? PB_BENCHMARK_BOUND : 0;
    record->flags |= (side->flags & PAIRBENCH_VARIANT_REFERENCE) != 0 ? PB_BENCHMARK_REFERENCE : 0;
    collect_counts(side, arena, record);
    if (side->state == PB_STATE_OK) {
        collect_times(job, index, arena, record);
    }
}

/* Why a pair has no verdict from its times: the worse of its sides. returns: false when it has */
static bool has_no_times(const struct pb_job_side *a, const struct pb_job_side *b,
                         struct pb_pair_record *pair)
{
    const struct pb_job_side *sides[] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (sides[i]->state == PB_STATE_FAILED) {
            pair->verdict = PB_VERDICT_FAILED;
            pair->reason = sides[i]->reason;
            return true;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (sides[i]->state == PB_STATE_SKIPPED || sides[i]->below_resolution) {
            pair->verdict = sides[i]->state == PB_STATE_SKIPPED ? PB_VERDICT_SKIPPED
                                                                : PB_VERDICT_BELOW_RESOLUTION;
            pair->reason = sides[i]->reason;
            return true;
        }
    }
    return false;
}

static void collect_ratios(const struct pb_job *job, uint32_t a, uint32_t b, struct pb_arena *arena,
                           struct pb_pair_record *pair)
{
    const uint32_t rounds = job->slices.rounds;
    const uint32_t slices = job->slices.timed_slices;
    pair->d = pb_arena_array(arena, job->n_launches, sizeof *pair->d);
    pair->launch = pb_arena_array(arena, job->n_launches, sizeof *pair->launch);
    for (size_t k = 0; k < job->n_launches; k++) {
        const struct pb_job_launch *launch = &job->launches[k];
        if (launch->real_ns[a] == NULL || launch->real_ns[b] == NULL) {
            continue;
        }
        const double d = pb_launch_ratio(launch->real_ns[a], launch->real_ns[b], rounds, slices);
        if (!isfinite(d)) {
            continue;
        }
        pair->d[pair->n_launches] = d;
        pair->launch[pair->n_launches++] = launch->wave;
        for (size_t i = 0; i < (size_t)rounds * slices; i++) {
            pair->timed_s +=
                1e-9 * ((double)launch->real_ns[a][i] * (double)job->sides[a].iterations +
                        (double)launch->real_ns[b][i] * (double)job->sides[b].iterations);
        }
    }
}

/*
 * The rounds of the last launches, as many as an order effect can be seen in, each less the middle
 * of its launch: what differs between launches is no effect of the order.
 */
static struct pb_pair_samples gather_rounds(const struct pb_job *job, uint32_t a, uint32_t b,
                                            struct pb_arena *arena)
{
    const size_t rounds = job->slices.rounds;
    const size_t most = PB_TREND_VALUES_MAX / rounds;
    const size_t first = job->n_launches > most ? job->n_launches - most : 0;
    double *d = pb_arena_array(arena, (job->n_launches - first) * rounds, sizeof *d);
    bool *a_first = pb_arena_array(arena, (job->n_launches - first) * rounds, sizeof *a_first);
    size_t n = 0;
    for (size_t k = first; k < job->n_launches; k++) {
        const struct pb_job_launch *launch = &job->launches[k];
        if (launch->turn[a] == NULL || launch->turn[b] == NULL) {
            continue;
        }
        pb_round_ratios(launch->real_ns[a], launch->real_ns[b], rounds, job->slices.timed_slices,
                        d + n);
        for (size_t i = 0; i < rounds; i++) {
            a_first[n + i] = launch->turn[a][i] < launch->turn[b][i];
        }
        const double middle = pb_order_middle(d + n, a_first + n, rounds);
        for (size_t i = 0; i < rounds; i++) {
            d[n + i] -= middle;
        }
        n += isfinite(middle) ? rounds : 0; /* one in which the same side went first is no help */
    }
    return (struct pb_pair_samples){.round_d = d, .a_first = a_first, .n_rounds = n};
}

static struct pb_diagnosis diagnose(const struct pb_job *job, uint32_t a, uint32_t b,
                                    const struct pb_pair_record *pair, struct pb_arena *arena)
{
    struct pb_diagnosis diagnosis = pb_diagnosis_none();
    if (pair->n_launches > 0) {
        struct pb_pair_samples samples = gather_rounds(job, a, b, arena);
        samples.d = pair->d;
        samples.n = pair->n_launches;
        pb_diagnose_pair(&samples, &diagnosis);
    }
    return diagnosis;
}

static enum pb_code interval_at(double level, const struct pb_pair_record *pair,
                                const struct pb_looks *looks, struct pb_arena *arena,
                                struct pb_interval *interval, struct pb_error *err)
{
    unsigned rank = 0;
    const enum pb_code code =
        pb_looks_rank_at(looks, level, (uint32_t)pair->n_launches, &rank, err);
    if (code == PB_OK) {
        double *d = pb_arena_memdup(arena, pair->d, pair->n_launches * sizeof *d);
        *interval = pb_median_interval(d, pair->n_launches, rank);
    }
    return code;
}

static enum pb_code judge_pair(struct pb_pair_record *pair, const struct pb_looks *looks,
                               struct pb_arena *arena, struct pb_error *err)
{
    if (pair->n_launches == 0) {
        pair->verdict = PB_VERDICT_INCONCLUSIVE;
        pair->reason = "not timed";
        return PB_OK;
    }
    struct pb_interval interval;
    struct pb_interval calling;
    enum pb_code code = interval_at(PB_INTERVAL_LEVEL, pair, looks, arena, &interval, err);
    if (code == PB_OK) {
        code = interval_at(looks->change_level, pair, looks, arena, &calling, err);
    }
    if (code != PB_OK) {
        return code;
    }
    pair->estimate = interval.estimate;
    pair->lo = interval.lo;
    pair->hi = interval.hi;
    pair->verdict = pb_pair_verdict(calling, looks->margins);
    if (pair->verdict != PB_VERDICT_REGRESSED && pair->verdict != PB_VERDICT_IMPROVED) {
        pair->verdict = pb_pair_verdict(interval, looks->margins) == PB_VERDICT_UNCHANGED
                            ? PB_VERDICT_UNCHANGED
                            : PB_VERDICT_INCONCLUSIVE;
    }
    if (isinf(interval.lo)) {
        pair->reason = pb_arena_printf(arena, "only %zu launch%s: no interval can be given",
                                       pair->n_launches, pair->n_launches == 1 ? "" : "es");
    }
    return PB_OK;
}

/*
 * Takes back a change of two builds that their layouts alone could have made. What is looked at
 * again on the way is no test of its own: it can only take a verdict away.
 */
static void mind_layouts(const struct pb_job *job, const struct pb_looks *looks,
                         struct pb_pair_record *pair, struct pb_arena *arena)
{
    if (job->kind != PB_JOB_BUILDS ||
        (pair->verdict != PB_VERDICT_REGRESSED && pair->verdict != PB_VERDICT_IMPROVED)) {
        return;
    }
    const uint32_t rounds = job->slices.rounds;
    struct pb_layout_launch *launches = pb_arena_array(arena, job->n_launches, sizeof *launches);
    size_t n = 0;
    for (size_t k = 0; k < job->n_launches; k++) {
        const struct pb_job_launch *launch = &job->launches[k];
        if (launch->layout[0] == NULL || launch->layout[1] == NULL) {
            continue;
        }
        double *d = pb_arena_array(arena, rounds, sizeof *d);
        pb_round_ratios(launch->real_ns[0], launch->real_ns[1], rounds, job->slices.timed_slices,
                        d);
        launches[n++] = (struct pb_layout_launch){d, launch->layout[0], launch->layout[1]};
    }
    pair->by_layout = !pb_layouts_agree(launches, n, rounds, pair->estimate, arena);
    if (!pair->by_layout) {
        return;
    }
    const struct pb_interval interval = {pair->estimate, pair->lo, pair->hi};
    const struct pb_margins no_gate = {INFINITY, looks->margins.equivalence};
    pair->verdict = pb_pair_verdict(interval, no_gate);
    if (pair->verdict != PB_VERDICT_UNCHANGED) {
        pair->reason = pb_arena_printf(
            arena, "%+.2f %%, but not in enough of the layouts: where the code lies could do that",
            pb_change_pct(pair->estimate));
    }
}

/* Of one build old against a variant of ours; of two builds head against base, whatever it is. */
static bool is_gated(const struct pb_job *job, uint32_t a, uint32_t b)
{
    const unsigned not_ours = PAIRBENCH_VARIANT_BOUND | PAIRBENCH_VARIANT_REFERENCE;
    if (job->kind == PB_JOB_VARIANTS) {
        return a == 0 && (job->sides[b].flags & not_ours) == 0;
    }
    return job->kind == PB_JOB_BUILDS;
}

static enum pb_code collect_pair(const struct pb_job *job, uint32_t a, uint32_t b,
                                 const struct pb_looks *looks, struct pb_arena *arena,
                                 struct pb_pair_record *pair, struct pb_error *err)
{
    *pair = (struct pb_pair_record){
        .case_name = job->case_name,
        .scenario = job->scenario,
        .variant = job->kind == PB_JOB_BUILDS ? job->sides[a].variant : NULL,
        .a = job->sides[a].label,
        .b = job->sides[b].label,
        .gated = is_gated(job, a, b),
        .estimate = NAN,
        .lo = -INFINITY,
        .hi = INFINITY,
        .stopped = job->stopped,
        .wall_s = job->wall_s,
    };
    if (has_no_times(&job->sides[a], &job->sides[b], pair)) {
        return PB_OK;
    }
    collect_ratios(job, a, b, arena, pair);
    const struct pb_diagnosis diagnosis = diagnose(job, a, b, pair, arena);
    pair->noticed = pb_diagnosis_text(&diagnosis, arena);
    const enum pb_code code = judge_pair(pair, looks, arena, err);
    mind_layouts(job, looks, pair, arena);
    return code;
}

enum pb_code pb_collect_progress(const struct pb_job *job, const struct pb_looks *looks,
                                 struct pb_arena *arena, struct pb_job_progress *progress,
                                 struct pb_error *err)
{
    struct pb_job_progress made = {.half_width = 0, .decided = true};
    for (uint32_t b = 1; b < job->n_sides; b++) {
        struct pb_pair_record pair;
        if (!is_gated(job, 0, b)) {
            continue;
        }
        const enum pb_code code = collect_pair(job, 0, b, looks, arena, &pair, err);
        if (code != PB_OK) {
            return code;
        }
        if (pair.verdict <= PB_VERDICT_INCONCLUSIVE) {
            const double half_width = fmax(pair.hi - pair.estimate, pair.estimate - pair.lo);
            made.half_width = fmax(made.half_width, half_width);
            made.decided = made.decided && pair.verdict != PB_VERDICT_INCONCLUSIVE;
            const struct pb_diagnosis diagnosis = diagnose(job, 0, b, &pair, arena);
            made.modal = made.modal || diagnosis.found[PB_DIAGNOSTIC_MODAL];
            made.order = made.order || diagnosis.found[PB_DIAGNOSTIC_ORDER];
        }
    }
    *progress = made;
    return PB_OK;
}

enum pb_code pb_collect_control(const struct pb_job *job, const struct pb_looks *looks,
                                struct pb_arena *arena, struct pb_pair_record *pair,
                                struct pb_error *err)
{
    return collect_pair(job, 0, 1, looks, arena, pair, err);
}

size_t pb_collect_pairs_max(size_t n_sides)
{
    return n_sides * n_sides;
}

enum pb_code pb_collect_job(const struct pb_job *job, const struct pb_looks *looks,
                            struct pb_arena *arena, struct pb_run_record *run, struct pb_error *err)
{
    for (uint32_t i = 0; i < job->n_sides; i++) {
        collect_benchmark(job, i, arena, &run->benchmarks[run->n_benchmarks++]);
    }
    enum pb_code code = PB_OK;
    for (uint32_t a = 0; a < job->n_sides; a++) {
        const bool bound = (job->sides[a].flags & PAIRBENCH_VARIANT_BOUND) != 0;
        for (uint32_t b = 1; code == PB_OK && b < job->n_sides; b++) {
            const bool whole_work = (job->sides[b].flags & PAIRBENCH_VARIANT_BOUND) == 0;
            if (a == 0 || (bound && whole_work)) {
                code = collect_pair(job, a, b, looks, arena, &run->pairs[run->n_pairs++], err);
            }
        }
    }
    return code;
}
