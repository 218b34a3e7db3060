/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of things: jobs, then verify, count and calibrate each of them, then the waves.
 */
#include "measure/measure.h"

#include <math.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "measure/collect.h"
#include "measure/job.h"
#include "stats/interval.h"
#include "stats/random.h"
#include "stats/summary.h"

/* Steps of a job that come before its first timing launch, for the progress. */
enum { STEPS_BEFORE = 3 };

/* Streams of the run's seed: launches take the numbers from 0 up. */
#define STREAM_WAVES (UINT64_C(1) << 63)

struct run_state {
    struct pb_session session;
    const struct pb_measure_watch *watch;
    struct pb_job *jobs;
    uint32_t n_jobs;
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
        pb_text_add_escaped(&name, job->its_case->name);
        pb_strbuf_addc(&name, '/');
        pb_text_add_escaped(&name, job->scenario->name);
        watch->progress(watch->context, state->done, state->total, name.text);
        pb_strbuf_release(&name);
    }
    state->done++;
    return PB_OK;
}

static void make_jobs(struct run_state *state, const struct pb_selection *selection)
{
    const struct pb_catalog *catalog = state->session.catalog;
    state->jobs = pb_arena_array(state->session.arena, selection->n_scenarios, sizeof *state->jobs);
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (uint32_t s = 0; s < its_case->n_scenarios; s++) {
            if (selection->wanted[c][s][0]) {
                pb_job_init(&state->jobs[state->n_jobs++], &state->session, its_case, s,
                            selection->wanted[c][s]);
            }
        }
    }
    const bool times = state->session.plan->times;
    state->total = (uint64_t)state->n_jobs *
                   (times ? STEPS_BEFORE + pb_looks_last(&state->session.looks) : STEPS_BEFORE - 1);
}

static enum pb_code prepare_jobs(struct run_state *state, struct pb_error *err)
{
    static enum pb_code (*const steps[STEPS_BEFORE])(
        struct pb_job *, struct pb_session *, struct pb_error *) = {pb_job_verify, pb_job_count,
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
    double half_width = INFINITY;
    const enum pb_code code =
        pb_collect_half_width(job, looks, state->session.arena, &half_width, err);
    if (code == PB_OK && half_width <= PB_HALF_WIDTH_WANTED) {
        finish(state, job, "interval narrow enough");
    }
    return code;
}

static enum pb_code launch_job(struct run_state *state, struct pb_job *job, uint32_t wave,
                               struct pb_error *err)
{
    enum pb_code code = step(state, job, err);
    if (code == PB_OK) {
        code = pb_job_time(job, &state->session, wave, err);
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
    run->pairs = pb_arena_array(arena, n_pairs, sizeof *run->pairs);
    for (uint32_t i = 0; i < state->n_jobs; i++) {
        const enum pb_code code =
            pb_collect_job(&state->jobs[i], &state->session.looks, arena, run, err);
        if (code != PB_OK) {
            return code;
        }
    }
    return PB_OK;
}

enum pb_code pb_measure(const struct pb_catalog *catalog, const struct pb_selection *selection,
                        const struct pb_plan *plan, const struct pb_measure_watch *watch,
                        struct pb_arena *arena, struct pb_run_record *run, struct pb_error *err)
{
    if (plan->launches > PB_LAUNCHES_MAX) {
        return pb_error_set(err, PB_ERR_LIMIT, "%u launches, at most %d are possible",
                            plan->launches, PB_LAUNCHES_MAX);
    }
    struct run_state state = {
        .session = {.catalog = catalog,
                    .plan = plan,
                    .arena = arena,
                    .looks = pb_looks_make(plan->launches)},
        .watch = watch,
        .started_s = now_s(),
    };
    enum pb_code code = pb_launch_new(plan->worker, &state.session.launch, err);
    if (code != PB_OK) {
        return code;
    }
    make_jobs(&state, selection);
    code = prepare_jobs(&state, err);
    state.n_unfinished = state.n_jobs;
    if (code == PB_OK && plan->times) {
        code = run_waves(&state, err);
    }
    if (code == PB_OK) {
        run->wall_s = now_s() - state.started_s;
        run->timed_s = state.session.timed_s;
        run->start_ms = pb_median(state.session.start_ms, state.session.n_starts);
        run->launches = plan->times ? pb_looks_last(&state.session.looks) : 0;
        run->adaptive = plan->times && plan->launches == 0;
        run->injected = plan->n_injections > 0;
        code = collect(&state, run, err);
    }
    pb_launch_free(state.session.launch);
    return code;
}
