/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of things: jobs, then verify, count and calibrate each of them, then the waves.
 */
#include "measure/measure.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "measure/collect.h"
#include "measure/instructions.h"
#include "measure/job.h"
#include "measure/kernels.h"
#include "stats/interval.h"
#include "stats/random.h"
#include "stats/summary.h"
#include "stats/verdict.h"

/* Steps of a job that come before its first timing launch, for the progress. */
enum { STEPS_BEFORE = 3 };

/* Streams of the run's seed: launches take the numbers from 0 up. */
#define STREAM_WAVES   (UINT64_C(1) << 63)
#define STREAM_CONTROL (STREAM_WAVES + 1)

/* How surprising an A/A control must be for a run to be thrown away. */
#define CONTROL_LEVEL 0.001

struct run_state {
    struct pb_session session;
    const struct pb_measure_watch *watch;
    struct pb_job *jobs;
    uint32_t n_jobs;
    struct pb_job control;
    bool has_control;
    uint32_t n_unfinished;
    uint64_t done;
    uint64_t total;
    double started_s;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Shows what comes next. errors: PB_ERR_INTERRUPTED */
static enum pb_code step(struct run_state *state, const struct pb_job *job, struct pb_error *err)
{
    const struct pb_measure_watch *watch = state->watch;
    if (watch == NULL) {
        return PB_OK;
    }
    if (watch->stopped != NULL && watch->stopped(watch->context)) {
        return pb_error_set(err, PB_ERR_INTERRUPTED, "interrupted; nothing was stored");
    }
    if (watch->progress != NULL) {
        struct pb_strbuf name = {0};
        pb_text_add_escaped(&name, job->case_name);
        pb_strbuf_addc(&name, '/');
        pb_text_add_escaped(&name, job->scenario);
        watch->progress(watch->context, state->done, state->total, name.text);
        pb_strbuf_release(&name);
    }
    state->done++;
    return PB_OK;
}

static void make_variant_jobs(struct run_state *state, const struct pb_catalog *catalog,
                              const struct pb_selection *selection)
{
    state->jobs = pb_arena_array(state->session.arena, selection->n_scenarios, sizeof *state->jobs);
    for (size_t c = 0; c < catalog->n_cases; c++) {
        for (uint32_t s = 0; s < catalog->cases[c].n_scenarios; s++) {
            const struct pb_job_place place = {catalog, c, s};
            if (selection->wanted[c][s][0]) {
                pb_job_init_variants(&state->jobs[state->n_jobs++], &state->session, &place,
                                     selection->wanted[c][s]);
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

static void make_build_jobs(struct run_state *state, const struct pb_builds *builds)
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
            state->jobs = pb_arena_grow(state->session.arena, state->jobs, state->n_jobs, &capacity,
                                        sizeof *state->jobs);
            pb_job_init_builds(&state->jobs[state->n_jobs++], &state->session, &here, &there,
                               variant);
        }
    }
}

/* The A/A control: the reference of a job that can be timed, drawn at random. */
static void make_control(struct run_state *state)
{
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(state->session.plan->seed, STREAM_CONTROL));
    uint32_t n_seen = 0;
    for (uint32_t i = 0; i < state->n_jobs; i++) {
        const struct pb_job *job = &state->jobs[i];
        const struct pb_job_side *side = &job->sides[0];
        if (side->state != PB_STATE_OK || side->below_resolution) {
            continue;
        }
        if (pb_random_below(&random, ++n_seen) == 0) {
            pb_job_init_control(&state->control, job);
            state->has_control = true;
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

static enum pb_code prepare_jobs(struct run_state *state, struct pb_error *err)
{
    static enum pb_code (*const steps[STEPS_BEFORE])(struct pb_job *, struct pb_session *,
                                                     struct pb_error *) = {pb_job_verify, count,
                                                                           pb_job_calibrate};
    const int n_steps = state->session.plan->times ? STEPS_BEFORE : STEPS_BEFORE - 1;
    for (int i = 0; i < n_steps; i++) {
        for (uint32_t j = 0; j < state->n_jobs; j++) {
            enum pb_code code = step(state, &state->jobs[j], err);
            if (code == PB_OK) {
                code = steps[i](&state->jobs[j], &state->session, err);
            }
            if (code != PB_OK) {
                return code;
            }
        }
    }
    return PB_OK;
}

/* A job that ends early takes the launches that it won't need off the progress. */
static void finish(struct run_state *state, struct pb_job *job, const char *why)
{
    job->finished = true;
    job->stopped = why;
    state->n_unfinished--;
    state->total -= pb_looks_last(&state->session.looks) - (uint32_t)job->n_launches;
}

/* Finishes a job whose intervals are narrow enough at a look. */
static enum pb_code look(struct run_state *state, struct pb_job *job, struct pb_error *err)
{
    const struct pb_looks *looks = &state->session.looks;
    const uint32_t n = (uint32_t)job->n_launches;
    if (n >= pb_looks_last(looks)) {
        finish(state, job, "all launches done");
        return PB_OK;
    }
    if (!pb_looks_has(looks, n)) {
        return PB_OK;
    }
    struct pb_job_progress progress;
    const enum pb_code code = pb_collect_progress(job, looks, state->session.arena, &progress, err);
    if (code != PB_OK) {
        return code;
    }
    if (state->session.plan->finish == PB_FINISH_VERDICT && progress.decided) {
        finish(state, job, "decided");
    } else if (state->session.plan->finish == PB_FINISH_WIDTH &&
               progress.half_width <= PB_HALF_WIDTH_WANTED) {
        finish(state, job, "interval narrow enough");
    }
    return PB_OK;
}

static enum pb_code launch_job(struct run_state *state, struct pb_job *job, uint32_t wave,
                               struct pb_error *err)
{
    enum pb_code code = PB_OK;
    if (pb_job_can_time(job)) {
        code = step(state, job, err);
        code = code == PB_OK ? pb_job_time(job, &state->session, wave, err) : code;
    }
    if (code == PB_OK && !pb_job_can_time(job)) {
        finish(state, job, "no side is left to be timed");
        return PB_OK;
    }
    return code == PB_OK ? look(state, job, err) : code;
}

static enum pb_code run_wave(struct run_state *state, uint32_t wave, struct pb_random *random,
                             uint32_t *order, struct pb_error *err)
{
    for (uint32_t i = 0; i < state->n_jobs; i++) {
        order[i] = i;
    }
    pb_random_shuffle(random, order, state->n_jobs);
    for (uint32_t i = 0; i < state->n_jobs; i++) {
        struct pb_job *job = &state->jobs[order[i]];
        const enum pb_code code = job->finished ? PB_OK : launch_job(state, job, wave, err);
        if (code != PB_OK) {
            return code;
        }
    }
    if (state->has_control && pb_job_can_time(&state->control)) {
        return pb_job_time(&state->control, &state->session, wave, err);
    }
    return PB_OK;
}

static void finish_all(struct run_state *state, const char *why)
{
    for (uint32_t i = 0; i < state->n_jobs; i++) {
        if (!state->jobs[i].finished) {
            finish(state, &state->jobs[i], why);
        }
    }
}

static enum pb_code run_waves(struct run_state *state, struct pb_error *err)
{
    const struct pb_plan *plan = state->session.plan;
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(plan->seed, STREAM_WAVES));
    uint32_t *order = pb_arena_array(state->session.arena, state->n_jobs, sizeof *order);
    double longest_s = 0; /* of a launch */
    for (uint32_t wave = 0; state->n_unfinished > 0; wave++) {
        const double begun_s = now_s();
        const double wave_s = longest_s * state->n_unfinished;
        if (plan->budget_s > 0 && wave > 0 &&
            begun_s - state->started_s + wave_s > plan->budget_s) {
            finish_all(state, "budget used up");
            break;
        }
        const uint32_t n = state->n_unfinished;
        const enum pb_code code = run_wave(state, wave, &random, order, err);
        if (code != PB_OK) {
            return code;
        }
        longest_s = fmax(longest_s, (now_s() - begun_s) / n);
    }
    return PB_OK;
}

/* The waves, between the kernels where these are wanted. */
static enum pb_code time_all(struct run_state *state, struct pb_run_record *run,
                             struct pb_error *err)
{
    const bool kernels = state->session.plan->kernels;
    enum pb_code code = PB_OK;
    if (kernels) {
        code = pb_kernels_time(&state->session, state->watch, run, err);
    }
    if (code == PB_OK) {
        code = run_waves(state, err);
    }
    return code == PB_OK && kernels ? pb_kernels_time(&state->session, state->watch, run, err)
                                    : code;
}

/* Keeps the control as a pair, and marks the run invalid when it was rejected. */
static enum pb_code collect_control(struct run_state *state, struct pb_run_record *run,
                                    struct pb_error *err)
{
    struct pb_arena *arena = state->session.arena;
    if (!state->has_control || state->control.n_launches == 0) {
        return PB_OK;
    }
    struct pb_pair_record *pair = &run->pairs[run->n_pairs++];
    enum pb_code code =
        pb_collect_control(&state->control, &state->session.looks, arena, pair, err);
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
    if (interval.lo > 0 || interval.hi < 0) {
        run->valid = false;
        run->invalid_reason = pb_arena_printf(
            arena, "the A/A control %s/%s differs from itself by %+.2f %% [%+.2f, %+.2f]",
            pair->case_name, pair->scenario, pb_change_pct(interval.estimate),
            pb_change_pct(interval.lo), pb_change_pct(interval.hi));
    }
    return PB_OK;
}

static enum pb_code collect(struct run_state *state, struct pb_run_record *run,
                            struct pb_error *err)
{
    size_t n_sides = 0;
    size_t n_pairs = 0;
    for (uint32_t i = 0; i < state->n_jobs; i++) {
        n_sides += state->jobs[i].n_sides;
        n_pairs += pb_collect_pairs_max(state->jobs[i].n_sides);
    }
    struct pb_arena *arena = state->session.arena;
    run->benchmarks = pb_arena_array(arena, n_sides, sizeof *run->benchmarks);
    run->pairs = pb_arena_array(arena, n_pairs + 1, sizeof *run->pairs);
    for (uint32_t i = 0; i < state->n_jobs; i++) {
        const enum pb_code code =
            pb_collect_job(&state->jobs[i], &state->session.looks, arena, run, err);
        if (code != PB_OK) {
            return code;
        }
    }
    return collect_control(state, run, err);
}

static enum pb_code measure_jobs(struct run_state *state, struct pb_run_record *run,
                                 struct pb_error *err)
{
    const struct pb_plan *plan = state->session.plan;
    const uint32_t launches = plan->times ? pb_looks_last(&state->session.looks) : 0;
    state->total =
        (uint64_t)state->n_jobs * (plan->times ? STEPS_BEFORE + launches : STEPS_BEFORE - 1);
    state->n_unfinished = state->n_jobs;
    enum pb_code code = prepare_jobs(state, err);
    if (code == PB_OK && plan->instructions) {
        pb_instructions_report(&state->session, state->watch, run);
    }
    if (code == PB_OK && plan->times) {
        make_control(state);
        code = time_all(state, run, err);
    }
    if (code != PB_OK) {
        return code;
    }
    run->wall_s = now_s() - state->started_s;
    run->timed_s = state->session.timed_s;
    run->start_ms = pb_median(state->session.start_ms, state->session.n_starts);
    run->launches = launches;
    run->adaptive = plan->times && plan->launches == 0;
    run->injected = plan->n_injections > 0;
    return collect(state, run, err);
}

static enum pb_code start(struct run_state *state, const struct pb_plan *plan,
                          const struct pb_measure_watch *watch, struct pb_arena *arena,
                          struct pb_error *err)
{
    if (plan->launches > PB_LAUNCHES_MAX) {
        (void)pb_error_set(err, PB_ERR_LIMIT, "%u launches, at most %d are possible",
                           plan->launches, PB_LAUNCHES_MAX);
        return PB_ERR_LIMIT; /* by name: lint takes what another file returns for anything */
    }
    *state = (struct run_state){
        .session = {.plan = plan,
                    .arena = arena,
                    .looks = plan->looks != NULL && plan->launches == 0
                                 ? *plan->looks
                                 : pb_looks_make(plan->launches, plan->launches_least)},
        .watch = watch,
        .started_s = now_s(),
    };
    if (plan->margins.equivalence > 0) {
        state->session.looks.margins = plan->margins;
    }
    if (plan->change_level > 0) {
        state->session.looks.change_level = plan->change_level;
    }
    return pb_launch_new(plan->worker, &state->session.launch, err);
}

enum pb_code pb_measure(const struct pb_catalog *catalog, const struct pb_selection *selection,
                        const struct pb_plan *plan, const struct pb_measure_watch *watch,
                        struct pb_arena *arena, struct pb_run_record *run, struct pb_error *err)
{
    struct run_state state;
    enum pb_code code = start(&state, plan, watch, arena, err);
    if (code != PB_OK) {
        return code;
    }
    make_variant_jobs(&state, catalog, selection);
    code = measure_jobs(&state, run, err);
    pb_launch_free(state.session.launch);
    return code;
}

enum pb_code pb_measure_builds(const struct pb_builds *builds, const struct pb_plan *plan,
                               const struct pb_measure_watch *watch, struct pb_arena *arena,
                               struct pb_run_record *run, struct pb_error *err)
{
    struct run_state state;
    enum pb_code code = start(&state, plan, watch, arena, err);
    if (code != PB_OK) {
        return code;
    }
    make_build_jobs(&state, builds);
    code = measure_jobs(&state, run, err);
    pb_launch_free(state.session.launch);
    return code;
}
