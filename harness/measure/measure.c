/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of things: jobs, then verify, count and calibrate each of them, then the waves.
 */
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#include "base/monotonic.h"
#include "base/strbuf.h"
#include "measure/collect.h"
#include "measure/instructions.h"
#include "measure/job.h"
#include "measure/kernels.h"
#include "measure/waves.h"
#include "stats/interval.h"
#include "stats/random.h"
#include "stats/summary.h"
#include "stats/verdict.h"

/* Steps of a job that come before its first timing launch, for the progress. */
enum { STEPS_BEFORE = 3 };

/* Stream of the run's seed, beside that of the waves. */
#define STREAM_CONTROL ((UINT64_C(1) << 63) + 1)

/* How surprising an A/A control must be for a run to be thrown away. */
#define CONTROL_LEVEL 0.001

static void make_variant_jobs(struct pb_measurement *measurement, const struct pb_catalog *catalog,
                              const struct pb_selection *selection)
{
    measurement->jobs = pb_arena_array(measurement->session.arena, selection->n_scenarios,
                                       sizeof *measurement->jobs);
    for (size_t c = 0; c < catalog->n_cases; c++) {
        for (uint32_t s = 0; s < catalog->cases[c].n_scenarios; s++) {
            const struct pb_job_place place = {catalog, c, s};
            if (selection->wanted[c][s][0]) {
                pb_job_init_variants(&measurement->jobs[measurement->n_jobs++],
                                     &measurement->session, &place, selection->wanted[c][s]);
            }
        }
    }
}

/* Where a benchmark of one catalog stands in another. returns: false when it doesn't */
static bool find_place(const struct pb_catalog *catalog, const char *case_name,
                       const char *scenario, const char *variant, struct pb_job_place *place)
{
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        if (strcmp(its_case->name, case_name) != 0) {
            continue;
        }
        for (uint32_t s = 0; s < its_case->n_scenarios; s++) {
            for (size_t v = 0; v < its_case->n_variants; v++) {
                if (strcmp(its_case->scenarios[s].name, scenario) == 0 &&
                    strcmp(its_case->variants[v].name, variant) == 0) {
                    *place = (struct pb_job_place){catalog, c, s};
                    return true;
                }
            }
        }
    }
    return false;
}

static void make_build_jobs(struct pb_measurement *measurement, const struct pb_builds *builds)
{
    const struct pb_catalog *base = builds->base;
    size_t capacity = 0;
    for (size_t c = 0; c < base->n_cases; c++) {
        const struct pb_catalog_case *its_case = &base->cases[c];
        for (size_t i = 0; i < its_case->n_scenarios * its_case->n_variants; i++) {
            const uint32_t s = (uint32_t)(i / its_case->n_variants);
            const char *variant = its_case->variants[i % its_case->n_variants].name;
            const struct pb_job_place here = {base, c, s};
            struct pb_job_place there;
            if (!builds->selection->wanted[c][s][i % its_case->n_variants] ||
                !find_place(builds->head, its_case->name, its_case->scenarios[s].name, variant,
                            &there)) {
                continue;
            }
            measurement->jobs =
                pb_arena_grow(measurement->session.arena, measurement->jobs, measurement->n_jobs,
                              &capacity, sizeof *measurement->jobs);
            pb_job_init_builds(&measurement->jobs[measurement->n_jobs++], &measurement->session,
                               &here, &there, variant);
        }
    }
}

/* The A/A control: the reference of a job that can be timed, drawn at random. */
static void make_control(struct pb_measurement *measurement)
{
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(measurement->session.plan->seed, STREAM_CONTROL));
    uint32_t n_seen = 0;
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        const struct pb_job *job = &measurement->jobs[i];
        const struct pb_job_side *side = &job->sides[0];
        if (side->state != PB_STATE_OK || side->below_resolution) {
            continue;
        }
        if (pb_random_below(&random, ++n_seen) == 0) {
            pb_job_init_control(&measurement->control, job);
            measurement->has_control = true;
        }
    }
}

/* Counts, and instructions where they are wanted. */
static enum pb_code count(struct pb_job *job, struct pb_session *session, struct pb_error *err)
{
    const enum pb_code code = pb_job_count(job, session, err);
    return code == PB_OK && session->plan->instructions ? pb_instructions_count(job, session, err)
                                                        : code;
}

static enum pb_code prepare_jobs(struct pb_measurement *measurement, struct pb_error *err)
{
    static enum pb_code (*const steps[STEPS_BEFORE])(struct pb_job *, struct pb_session *,
                                                     struct pb_error *) = {pb_job_verify, count,
                                                                           pb_job_calibrate};
    const int n_steps = measurement->session.plan->times ? STEPS_BEFORE : STEPS_BEFORE - 1;
    for (int i = 0; i < n_steps; i++) {
        for (uint32_t j = 0; j < measurement->n_jobs; j++) {
            enum pb_code code = pb_measurement_step(measurement, &measurement->jobs[j], err);
            if (code == PB_OK) {
                code = steps[i](&measurement->jobs[j], &measurement->session, err);
            }
            if (code != PB_OK) {
                return code;
            }
        }
    }
    return PB_OK;
}

/* The waves, between the kernels where these are wanted. */
static enum pb_code time_all(struct pb_measurement *measurement, struct pb_run_record *run,
                             struct pb_error *err)
{
    const bool kernels = measurement->session.plan->kernels;
    enum pb_code code = PB_OK;
    if (kernels) {
        code = pb_kernels_time(&measurement->session, measurement->watch, run, err);
    }
    if (code == PB_OK) {
        code = pb_waves_run(measurement, err);
    }
    return code == PB_OK && kernels
               ? pb_kernels_time(&measurement->session, measurement->watch, run, err)
               : code;
}

/* Keeps the control as a pair, and marks the run invalid when it was rejected. */
static enum pb_code collect_control(struct pb_measurement *measurement, struct pb_run_record *run,
                                    struct pb_error *err)
{
    struct pb_arena *arena = measurement->session.arena;
    if (!measurement->has_control || measurement->control.n_launches == 0) {
        return PB_OK;
    }
    struct pb_pair_record *pair = &run->pairs[run->n_pairs++];
    enum pb_code code =
        pb_collect_control(&measurement->control, &measurement->session.looks, arena, pair, err);
    if (code != PB_OK || pair->n_launches == 0) {
        return code;
    }
    const unsigned look = (unsigned)pair->n_launches;
    unsigned rank = 0;
    code = pb_interval_ranks(&look, 1, CONTROL_LEVEL, &rank, NULL, err);
    if (code != PB_OK) {
        return code;
    }
    double *d = pb_arena_memdup(arena, pair->d, pair->n_launches * sizeof *d);
    const struct pb_interval interval = pb_median_interval(d, pair->n_launches, rank);
    if (pb_control_rejected(interval, measurement->session.looks.margins)) {
        run->valid = false;
        run->invalid_reason = pb_arena_printf(
            arena, "the A/A control %s/%s differs from itself by %+.2f %% [%+.2f, %+.2f]",
            pair->case_name, pair->scenario, pb_change_pct(interval.estimate),
            pb_change_pct(interval.lo), pb_change_pct(interval.hi));
    }
    return PB_OK;
}

/* How often a diagnostic was found among pairs, or how bad it was on the machine; NULL = not found
 */
static const char *sum_up(const struct pb_measurement *measurement, const struct pb_run_record *run,
                          enum pb_diagnostic which)
{
    struct pb_arena *arena = measurement->session.arena;
    const struct pb_diagnosis *worst = &measurement->noise.worst;
    const char *name = pb_diagnostic_words(which)->name;
    if (worst->found[which]) {
        struct pb_diagnosis one = pb_diagnosis_none();
        one.found[which] = true;
        one.value[which] = worst->value[which];
        return pb_diagnosis_text(&one, arena);
    }
    size_t n = 0;
    for (size_t i = 0; i < run->n_pairs; i++) {
        n += run->pairs[i].noticed != NULL && strstr(run->pairs[i].noticed, name) != NULL;
    }
    return n > 0 ? pb_arena_printf(arena, "%s in %zu pair%s", name, n, n == 1 ? "" : "s") : NULL;
}

/* What was noticed of the machine and of pairs, a line each, with what to do about it. */
static void note_diagnostics(const struct pb_measurement *measurement, struct pb_run_record *run)
{
    const char *lines = NULL;
    for (int i = 0; i < PB_DIAGNOSTICS; i++) {
        const struct pb_diagnostic_words *words = pb_diagnostic_words((enum pb_diagnostic)i);
        const char *what = sum_up(measurement, run, (enum pb_diagnostic)i);
        if (what != NULL) {
            lines = pb_arena_printf(measurement->session.arena, "%s%s%s: %s; %s",
                                    lines != NULL ? lines : "", lines != NULL ? "\n" : "", what,
                                    words->text, words->advice);
        }
    }
    run->noticed = lines;
}

static enum pb_code collect(struct pb_measurement *measurement, struct pb_run_record *run,
                            struct pb_error *err)
{
    size_t n_sides = 0;
    size_t n_pairs = 0;
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        n_sides += measurement->jobs[i].n_sides;
        n_pairs += pb_collect_pairs_max(measurement->jobs[i].n_sides);
    }
    struct pb_arena *arena = measurement->session.arena;
    run->benchmarks = pb_arena_array(arena, n_sides, sizeof *run->benchmarks);
    run->pairs = pb_arena_array(arena, n_pairs + 1, sizeof *run->pairs);
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        const enum pb_code code =
            pb_collect_job(&measurement->jobs[i], &measurement->session.looks, arena, run, err);
        if (code != PB_OK) {
            return code;
        }
    }
    note_diagnostics(measurement, run);
    return collect_control(measurement, run, err);
}

/* `looks 16 24 40 64 96; until ± 0.4 %; budget 120 s; layouts 4 a launch` */
static const char *plan_text(const struct pb_session *session)
{
    const struct pb_plan *plan = session->plan;
    const struct pb_looks *looks = &session->looks;
    struct pb_strbuf text;
    pb_strbuf_init(&text);
    pb_strbuf_adds(&text, looks->fixed ? "launches" : "looks");
    for (size_t i = 0; i < looks->n; i++) {
        pb_strbuf_addf(&text, " %u", looks->at[i]);
    }
    if (!looks->fixed) {
        if (plan->finish == PB_FINISH_VERDICT) {
            pb_strbuf_adds(&text, "; until decided");
        } else {
            pb_strbuf_addf(&text, "; until ± %.2g %%", pb_change_pct(PB_HALF_WIDTH_WANTED));
        }
        pb_strbuf_addf(&text, "; margin %.3g %%, equivalence %.3g %%", 100 * looks->margins.gate,
                       100 * looks->margins.equivalence);
    }
    if (plan->budget_s > 0) {
        pb_strbuf_addf(&text, "; budget %.6g s%s", plan->budget_s,
                       plan->spends_budget ? ", to be spent" : "");
    }
    pb_strbuf_addf(&text, "; at most %d layouts a launch", PB_INSTANCES_MAX);
    const char *kept = pb_arena_strdup(session->arena, text.text);
    pb_strbuf_release(&text);
    return kept;
}

static enum pb_code measure_jobs(struct pb_measurement *measurement, struct pb_run_record *run,
                                 struct pb_error *err)
{
    const struct pb_plan *plan = measurement->session.plan;
    const uint32_t launches = plan->times ? pb_looks_last(&measurement->session.looks) : 0;
    measurement->total =
        (uint64_t)measurement->n_jobs * (plan->times ? STEPS_BEFORE + launches : STEPS_BEFORE - 1);
    measurement->n_unfinished = measurement->n_jobs;
    enum pb_code code = prepare_jobs(measurement, err);
    if (code == PB_OK) {
        pb_facts_add(measurement->session.arena, &run->machine, PB_SYSCALL_COUNTER,
                     measurement->session.counts_syscalls ? "user_dispatch" : PB_NO_COUNTER);
        pb_facts_add(measurement->session.arena, &run->machine, PB_HEAP_COUNTER,
                     plan->heap_counter != NULL ? "preload" : PB_NO_COUNTER);
    }
    if (code == PB_OK && plan->instructions) {
        pb_instructions_report(&measurement->session, measurement->watch, run);
    }
    if (code == PB_OK && plan->times) {
        make_control(measurement);
        code = time_all(measurement, run, err);
    }
    if (code != PB_OK) {
        return code;
    }
    run->wall_s = pb_monotonic_s() - measurement->started_s;
    run->timed_s = measurement->session.timed_s;
    run->start_ms = pb_median(measurement->session.start_ms, measurement->session.n_starts);
    run->launches = launches;
    run->plan = plan->times ? plan_text(&measurement->session) : NULL;
    run->adaptive = plan->times && plan->launches == 0;
    run->injected = plan->n_injections > 0;
    return collect(measurement, run, err);
}

static enum pb_code start(struct pb_measurement *measurement, const struct pb_plan *plan,
                          const struct pb_measure_watch *watch, struct pb_arena *arena,
                          struct pb_error *err)
{
    if (plan->launches > PB_LAUNCHES_MAX) {
        (void)pb_error_set(err, PB_ERR_LIMIT, "%u launches, at most %d are possible",
                           plan->launches, PB_LAUNCHES_MAX);
        return PB_ERR_LIMIT; /* by name: lint takes what another file returns for anything */
    }
    *measurement = (struct pb_measurement){
        .session = {.plan = plan,
                    .arena = arena,
                    .looks = plan->looks != NULL && plan->launches == 0
                                 ? *plan->looks
                                 : pb_looks_make(plan->launches, plan->launches_least)},
        .watch = watch,
        .started_s = pb_monotonic_s(),
    };
    if (plan->margins.equivalence > 0) {
        measurement->session.looks.margins = plan->margins;
    }
    if (plan->change_level > 0) {
        measurement->session.looks.change_level = plan->change_level;
    }
    return pb_launch_new(plan->worker, &measurement->session.launch, err);
}

enum pb_code pb_measure(const struct pb_catalog *catalog, const struct pb_selection *selection,
                        const struct pb_plan *plan, const struct pb_measure_watch *watch,
                        struct pb_arena *arena, struct pb_run_record *run, struct pb_error *err)
{
    struct pb_measurement measurement;
    enum pb_code code = start(&measurement, plan, watch, arena, err);
    if (code != PB_OK) {
        return code;
    }
    make_variant_jobs(&measurement, catalog, selection);
    code = measure_jobs(&measurement, run, err);
    pb_launch_free(measurement.session.launch);
    return code;
}

enum pb_code pb_measure_builds(const struct pb_builds *builds, const struct pb_plan *plan,
                               const struct pb_measure_watch *watch, struct pb_arena *arena,
                               struct pb_run_record *run, struct pb_error *err)
{
    struct pb_measurement measurement;
    enum pb_code code = start(&measurement, plan, watch, arena, err);
    if (code != PB_OK) {
        return code;
    }
    make_build_jobs(&measurement, builds);
    code = measure_jobs(&measurement, run, err);
    pb_launch_free(measurement.session.launch);
    return code;
}
