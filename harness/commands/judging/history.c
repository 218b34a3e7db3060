/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runs before say: how far runs of a pair lie apart, and which absolute times are usual.
 */
#include "commands/judging/parts.h"

#include <math.h>
#include <string.h>

#include "measure/measure.h"
#include "stats/gate.h"
#include "stats/verdict.h"

#define METRIC_TIME "median_ns"

enum pb_code pb_past_load(struct pb_store *store, const struct pb_run_record *run,
                          struct pb_arena *arena, struct pb_past *past, struct pb_error *err)
{
    struct pb_past loaded = {0};
    enum pb_code code = pb_store_load_history(store, arena, &loaded.pairs, &loaded.n_pairs, err);
    if (code == PB_OK) {
        /* The run before this one is judged, too, and is no history. */
        code = pb_store_load_times(store, run, PB_HISTORY_MOST + 1, arena, &loaded.times,
                                   &loaded.n_times, err);
    }
    if (code == PB_OK) {
        *past = loaded;
    }
    return code;
}

void pb_past_update(struct pb_past *past, const struct pb_aliases *aliases, struct pb_arena *arena)
{
    pb_aliases_update_history(aliases, arena, past->pairs, past->n_pairs);
    pb_aliases_update_times(aliases, arena, past->times, past->n_times);
}

static bool is_before(const struct pb_history_point *point, const struct pb_run_record *run)
{
    return point->started_at < run->started_at ||
           (point->started_at == run->started_at && strcmp(point->run_id, run->id) < 0);
}

static bool is_of(const struct pb_history_point *point, const struct pb_baseline_ratio *ratio)
{
    return strcmp(point->case_name, ratio->case_name) == 0 &&
           strcmp(point->scenario, ratio->scenario) == 0 && strcmp(point->a, ratio->a) == 0 &&
           strcmp(point->b, ratio->b) == 0;
}

double pb_judge_spread(const struct pb_judge *judge, const struct pb_baseline_ratio *ratio,
                       size_t *n_runs)
{
    const struct pb_past *past = judge->past;
    double estimates[PB_HISTORY_MOST];
    size_t n = 0;
    /* From the latest back, so that the last ones are taken. */
    for (size_t i = past != NULL ? past->n_pairs : 0; i > 0 && n < PB_HISTORY_MOST; i--) {
        const struct pb_history_point *point = &past->pairs[i - 1];
        if (is_of(point, ratio) && is_before(point, judge->run) && !point->injected &&
            isfinite(point->estimate) && strcmp(point->machine, judge->set->class_name) == 0) {
            estimates[n++] = point->estimate;
        }
    }
    const double spread = pb_run_spread(estimates, n);
    *n_runs = isnan(spread) ? 0 : n;
    /* What makes launches differ, such as a neighbour's load, outlasts a run in part: on a shared
     * machine the spread between five runs was up to half of that between launches. */
    return isnan(spread) ? fmax(log1p(PB_RATIO_GATE_SPREAD), PB_RATIO_GATE_SHARE * ratio->spread)
                         : spread;
}

static struct pb_absolute_point make_point(double time_ns, const double kernels_ns[PB_KERNELS])
{
    struct pb_absolute_point point = {.time_ns = time_ns};
    for (int i = 0; i < PB_KERNELS; i++) {
        point.kernels_ns[i] = kernels_ns[i];
    }
    return point;
}

static bool has_kernels(const struct pb_run_record *run)
{
    for (int i = 0; i < PB_KERNELS; i++) {
        if (!(run->kernels_ns[i] > 0)) {
            return false;
        }
    }
    return true;
}

static size_t count_runs(const struct pb_past *past)
{
    size_t n = 0;
    for (size_t i = 0; i < past->n_times; i++) {
        n += i == 0 || strcmp(past->times[i - 1].run_id, past->times[i].run_id) != 0;
    }
    return n;
}

/* How many earlier runs are needed: history, and the run before this one. */
enum { RUNS_NEEDED = PB_HISTORY_LEAST + 1 };

static const char *too_few(struct pb_arena *arena, size_t n_runs)
{
    return pb_arena_printf(arena,
                           "%zu earlier run%s on this machine with this class of build, %d are "
                           "needed to say what is usual",
                           n_runs, n_runs == 1 ? "" : "s", RUNS_NEEDED);
}

static const char *explain(const struct pb_absolute_gate *gate, struct pb_arena *arena)
{
    if (gate->verdict == PB_VERDICT_UNCHANGED) {
        return NULL;
    }
    const char *which =
        gate->verdict == PB_VERDICT_INCONCLUSIVE ? "in this run only" : "twice in a row";
    return pb_arena_printf(
        arena, "%s by more than the machine accounts for, %s; usual is within %.3g %%",
        gate->change > 0 ? "slower" : "faster", which, pb_change_pct(gate->limit));
}

static void judge_time(struct pb_judge *judge, const struct pb_benchmark_record *benchmark)
{
    const struct pb_past *past = judge->past;
    struct pb_absolute_point points[PB_HISTORY_MOST + 2];
    size_t n = 0;
    for (size_t i = 0; i < past->n_times && n <= PB_HISTORY_MOST; i++) {
        if (strcmp(past->times[i].name, benchmark->name) == 0) {
            points[n++] = make_point(past->times[i].median_ns, past->times[i].kernels_ns);
        }
    }
    points[n] = make_point(benchmark->median_ns, judge->run->kernels_ns);
    const struct pb_absolute_gate gate = pb_absolute_gate_judge(points, n + 1);
    struct pb_finding *finding =
        pb_judge_add(judge, benchmark->name, PB_GATE_ABSOLUTE, METRIC_TIME, gate.verdict);
    finding->warns = true;
    if (gate.verdict == PB_VERDICT_INSUFFICIENT_HISTORY) {
        finding->reason = too_few(judge->arena, n);
        return;
    }
    finding->baseline = gate.usual_ns;
    finding->now = gate.usual_ns * exp(gate.change);
    finding->change_pct = pb_change_pct(gate.change);
    finding->reason = explain(&gate, judge->arena);
}

void pb_judge_absolute(struct pb_judge *judge)
{
    if (judge->past == NULL || !judge->run->valid) {
        return;
    }
    if (!has_kernels(judge->run)) {
        pb_judge_add(judge, PB_JUDGED_RUN, PB_GATE_ABSOLUTE, METRIC_TIME, PB_VERDICT_SKIPPED)
            ->reason = pb_arena_printf(judge->arena,
                                       "the kernels that times are held against were not timed in "
                                       "this run: it takes one of %d launches or more",
                                       PB_LAUNCHES_QUICK);
        return;
    }
    const size_t n_runs = count_runs(judge->past);
    if (n_runs < RUNS_NEEDED) { /* said once, not of every benchmark */
        pb_judge_add(judge, PB_JUDGED_RUN, PB_GATE_ABSOLUTE, METRIC_TIME,
                     PB_VERDICT_INSUFFICIENT_HISTORY)
            ->reason = too_few(judge->arena, n_runs);
        return;
    }
    for (size_t i = 0; i < judge->run->n_benchmarks; i++) {
        const struct pb_benchmark_record *benchmark = &judge->run->benchmarks[i];
        if (pb_judge_is_judged(benchmark) && benchmark->median_ns > 0) {
            judge_time(judge, benchmark);
        }
    }
}
