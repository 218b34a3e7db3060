/* SPDX-License-Identifier: Apache-2.0
 *
 * What is left of a budget is handed out in blocks, after the last planned look. Who gets them and
 * for how long depends on how wide an interval is, not on where it lies, wherever `run` does that:
 * the interval is looked at once more, when all is done, and its rank allows for that look.
 */
#include "measure/waves.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/monotonic.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "measure/collect.h"
#include "stats/random.h"

/* Stream of the run's seed: launches take the numbers from 0 up. */
#define STREAM_WAVES (UINT64_C(1) << 63)

/* The machine is looked at so often; shorter stretches have too few ticks of the system's clock. */
#define NOISE_STRETCH_S 1.0

/* One wait, and all of them together: at least so long, and at most this share of the run. */
#define WAIT_S       0.5
#define WAITS_S      2.0
#define WAITS_SHARE  0.05
#define WAIT_STEP_MS 50

enum { BLOCK = 8, BLOCKS_MAX = 60 }; /* of launches, out of what is left of the budget */

static bool is_stopped(const struct pb_measurement *measurement)
{
    const struct pb_measure_watch *watch = measurement->watch;
    return watch != NULL && watch->stopped != NULL && watch->stopped(watch->context);
}

enum pb_code pb_measurement_step(struct pb_measurement *measurement, const struct pb_job *job,
                                 struct pb_error *err)
{
    const struct pb_measure_watch *watch = measurement->watch;
    if (is_stopped(measurement)) {
        return pb_error_set(err, PB_ERR_INTERRUPTED, "interrupted; nothing was stored");
    }
    if (watch != NULL && watch->progress != NULL) {
        struct pb_strbuf name = {0};
        pb_text_add_escaped(&name, job->case_name);
        pb_strbuf_addc(&name, '/');
        pb_text_add_escaped(&name, job->scenario);
        watch->progress(watch->context, measurement->done, measurement->total, name.text);
        pb_strbuf_release(&name);
    }
    measurement->done++;
    return PB_OK;
}

/* A job that ends early takes the launches that it won't need off the progress. */
static void finish(struct pb_measurement *measurement, struct pb_job *job, const char *why)
{
    job->finished = true;
    job->stopped = why;
    measurement->n_unfinished--;
    measurement->total -= pb_looks_last(&measurement->session.looks) - (uint32_t)job->n_launches;
}

/* Finishes a job at a look when its question is answered, and does what diagnostics ask for. */
static enum pb_code look(struct pb_measurement *measurement, struct pb_job *job,
                         struct pb_error *err)
{
    const struct pb_looks *looks = &measurement->session.looks;
    const uint32_t n = (uint32_t)job->n_launches;
    if (n >= pb_looks_last(looks)) {
        finish(measurement, job, "all launches done");
        return PB_OK;
    }
    if (!pb_looks_has(looks, n)) {
        return PB_OK;
    }
    struct pb_job_progress progress;
    const enum pb_code code =
        pb_collect_progress(job, looks, measurement->session.arena, &progress, err);
    if (code != PB_OK) {
        return code;
    }
    if (measurement->session.plan->finish == PB_FINISH_VERDICT) {
        if (progress.decided) {
            finish(measurement, job, "decided");
        }
    } else if (progress.half_width <= PB_HALF_WIDTH_WANTED && (!progress.modal || job->postponed)) {
        finish(measurement, job, "interval narrow enough");
    } else {
        job->postponed = job->postponed || progress.modal;
    }
    if (progress.order && !job->warmed) {
        job->slices.warm_slices++;
        job->warmed = true;
    }
    return PB_OK;
}

static enum pb_code launch_job(struct pb_measurement *measurement, struct pb_job *job,
                               uint32_t wave, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    if (pb_job_can_time(job)) {
        code = pb_measurement_step(measurement, job, err);
        code = code == PB_OK ? pb_job_time(job, &measurement->session, wave, err) : code;
    }
    if (code == PB_OK && !pb_job_can_time(job)) {
        finish(measurement, job, "no side is left to be timed");
        return PB_OK;
    }
    return code == PB_OK ? look(measurement, job, err) : code;
}

/* Under a budget nobody takes more than this many times the mean of what the unfinished took. */
#define FAIR_SHARE 4.0

/* Seconds of timing launches that a job may have had to take part in the next wave. */
static double fair_share_s(const struct pb_measurement *measurement)
{
    double sum_s = 0;
    if (measurement->session.plan->budget_s <= 0) {
        return INFINITY;
    }
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        const struct pb_job *job = &measurement->jobs[i];
        sum_s += job->finished ? 0 : job->wall_s - job->prepared_s;
    }
    return FAIR_SHARE * sum_s / measurement->n_unfinished;
}

static enum pb_code run_wave(struct pb_measurement *measurement, uint32_t wave,
                             struct pb_random *random, uint32_t *order, struct pb_error *err)
{
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        order[i] = i;
    }
    pb_random_shuffle(random, order, measurement->n_jobs);
    const double share_s = fair_share_s(measurement);
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        struct pb_job *job = &measurement->jobs[order[i]];
        const bool waits = job->n_launches > 0 && job->wall_s - job->prepared_s > share_s;
        const enum pb_code code =
            job->finished || waits ? PB_OK : launch_job(measurement, job, wave, err);
        if (code != PB_OK) {
            return code;
        }
    }
    /* Beside a single job the control is content with half as many launches, once it has enough of
     * them to be rejected at all. */
    const bool turn = measurement->n_jobs > 1 || wave % 2 == 0 ||
                      measurement->control.n_launches < PB_CONTROL_LAUNCHES_LEAST;
    if (turn && measurement->has_control && pb_job_can_time(&measurement->control)) {
        return pb_job_time(&measurement->control, &measurement->session, wave, err);
    }
    return PB_OK;
}

/* Sleeps in steps, so that whoever interrupts need not wait as long. */
static void wait_a_little(const struct pb_measurement *measurement)
{
    const double until_s = pb_monotonic_s() + WAIT_S;
    while (pb_monotonic_s() < until_s && !is_stopped(measurement)) {
        nanosleep(&(struct timespec){.tv_nsec = WAIT_STEP_MS * 1000000L}, NULL);
    }
}

/* Keeps the worst that was seen of each kind. returns: whether anything was */
static bool keep_worst(struct pb_diagnosis *worst, const struct pb_diagnosis *seen)
{
    bool any = false;
    for (int i = 0; i < PB_DIAGNOSTICS; i++) {
        if (seen->found[i]) {
            worst->value[i] =
                worst->found[i] ? fmax(worst->value[i], seen->value[i]) : seen->value[i];
            worst->found[i] = true;
            any = true;
        }
    }
    return any;
}

static void begin_stretch(struct pb_measurement *measurement)
{
    const char *root = measurement->session.plan->noise_root;
    measurement->noise.before = pb_noise_sample_take(root != NULL ? root : "");
    measurement->noise.before_s = pb_monotonic_s();
}

/* Notes what disturbed the machine in the stretch that ends now. returns: whether anything did */
static bool end_stretch(struct pb_measurement *measurement)
{
    const struct pb_noise_sample before = measurement->noise.before;
    begin_stretch(measurement);
    const struct pb_noise_interval interval = pb_noise_between(&before, &measurement->noise.before);
    struct pb_diagnosis seen = pb_diagnosis_none();
    pb_diagnose_noise(&interval, &seen);
    return keep_worst(&measurement->noise.worst, &seen);
}

/* Between waves: when the machine was disturbed since the last time, wait a little. */
static void mind_noise(struct pb_measurement *measurement)
{
    struct pb_watchfulness *noise = &measurement->noise;
    const double now_s = pb_monotonic_s();
    if (now_s - noise->before_s < NOISE_STRETCH_S) {
        return;
    }
    const double most_s = fmax(WAITS_S, WAITS_SHARE * (now_s - measurement->started_s));
    if (end_stretch(measurement) && noise->waited_s + WAIT_S <= most_s) {
        wait_a_little(measurement);
        noise->waited_s += WAIT_S;
        begin_stretch(measurement);
    }
}

/* Whether so many more seconds are beyond the budget. */
static bool is_beyond(const struct pb_measurement *measurement, double more_s)
{
    const double budget_s = measurement->session.plan->budget_s;
    return budget_s > 0 && pb_monotonic_s() - measurement->started_s + more_s > budget_s;
}

static void finish_all(struct pb_measurement *measurement, const char *why)
{
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        if (!measurement->jobs[i].finished) {
            finish(measurement, &measurement->jobs[i], why);
        }
    }
}

/* A job's interval, and what a launch of it costs. */
struct standing {
    double half_width; /* 0 when it needs no more */
    double launch_s;
    unsigned n_blocks; /* that it got out of what was left */
};

static enum pb_code stand(const struct pb_measurement *measurement, const struct pb_job *job,
                          struct standing *standing, struct pb_error *err)
{
    struct pb_job_progress progress;
    standing->half_width = 0;
    if (!pb_job_can_time(job) || job->n_launches == 0 || standing->n_blocks >= BLOCKS_MAX) {
        return PB_OK;
    }
    const enum pb_code code = pb_collect_progress(job, &measurement->session.looks,
                                                  measurement->session.arena, &progress, err);
    const bool enough = measurement->session.plan->finish == PB_FINISH_VERDICT
                            ? progress.decided
                            : progress.half_width <= PB_HALF_WIDTH_WANTED;
    if (code == PB_OK && !enough) {
        standing->half_width = progress.half_width;
    }
    return code;
}

static uint32_t widest(const struct standing *standings, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++) {
        best = standings[i].half_width > standings[best].half_width ? i : best;
    }
    return best;
}

static enum pb_code run_block(struct pb_measurement *measurement, struct pb_job *job,
                              struct standing *standing, struct pb_error *err)
{
    const double begun_s = pb_monotonic_s();
    for (int i = 0; i < BLOCK && pb_job_can_time(job); i++, measurement->n_waves++) {
        measurement->total++;
        enum pb_code code = pb_measurement_step(measurement, job, err);
        if (code == PB_OK) {
            code = pb_job_time(job, &measurement->session, measurement->n_waves, err);
        }
        if (code != PB_OK) {
            return code;
        }
    }
    standing->launch_s = (pb_monotonic_s() - begun_s) / BLOCK;
    standing->n_blocks++;
    job->stopped = "more launches, as the budget allowed";
    return PB_OK;
}

/* Hands what is left of the budget to the widest interval, again and again. */
static enum pb_code spend_rest(struct pb_measurement *measurement, double launch_s,
                               struct pb_error *err)
{
    const uint32_t n = measurement->n_jobs;
    struct standing *standings = pb_arena_array(measurement->session.arena, n, sizeof *standings);
    for (uint32_t i = 0; i < n; i++) {
        standings[i].launch_s = launch_s;
        const enum pb_code code = stand(measurement, &measurement->jobs[i], &standings[i], err);
        if (code != PB_OK) {
            return code;
        }
    }
    while (n > 0) {
        const uint32_t i = widest(standings, n);
        if (standings[i].half_width == 0 || is_beyond(measurement, BLOCK * standings[i].launch_s)) {
            break;
        }
        enum pb_code code = run_block(measurement, &measurement->jobs[i], &standings[i], err);
        if (code == PB_OK) {
            code = stand(measurement, &measurement->jobs[i], &standings[i], err);
        }
        if (code != PB_OK) {
            return code;
        }
    }
    return PB_OK;
}

enum pb_code pb_waves_run(struct pb_measurement *measurement, struct pb_error *err)
{
    const struct pb_plan *plan = measurement->session.plan;
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(plan->seed, STREAM_WAVES));
    uint32_t *order =
        pb_arena_array(measurement->session.arena, measurement->n_jobs, sizeof *order);
    double longest_s = 0; /* of a launch */
    for (uint32_t i = 0; i < measurement->n_jobs; i++) {
        measurement->jobs[i].prepared_s = measurement->jobs[i].wall_s;
    }
    measurement->noise.worst = pb_diagnosis_none();
    begin_stretch(measurement);
    for (; measurement->n_unfinished > 0; measurement->n_waves++) {
        const uint32_t wave = measurement->n_waves;
        const double begun_s = pb_monotonic_s();
        const uint32_t n = measurement->n_unfinished;
        if (wave > 0 && is_beyond(measurement, longest_s * n)) {
            finish_all(measurement, "budget used up");
            break;
        }
        const enum pb_code code = run_wave(measurement, wave, &random, order, err);
        if (code != PB_OK) {
            return code;
        }
        longest_s = fmax(longest_s, (pb_monotonic_s() - begun_s) / n);
        mind_noise(measurement);
    }
    enum pb_code code = PB_OK;
    if (plan->budget_s > 0 && plan->spends_budget && !measurement->session.looks.fixed) {
        code = spend_rest(measurement, longest_s, err);
    }
    (void)end_stretch(measurement);
    return code;
}
