/* SPDX-License-Identifier: Apache-2.0
 *
 * Blame. A worker that hangs or exits does so in the callback it was in: the region says whose. A
 * worker that dies of a signal may die of what another side did to the heap earlier, and one whose
 * region was written over can't say anything, so every side is tried alone, with the C library's
 * checks of the heap on; who dies alone is to blame. When all survive alone, the launch is
 * repeated, and the third time the side that was running is blamed, with these words in its reason.
 */
#include "measure/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/monotonic.h"
#include "pairbench.h"
#include "stats/random.h"

enum { UNEXPLAINED_MAX = 3 };

/* Streams of a launch's seed; the worker takes the smaller ones. */
enum { STREAM_LAYOUTS = 16 };

static double injection_of(const struct pb_plan *plan, const struct pb_job *job,
                           const char *variant)
{
    double pct = 0;
    for (size_t i = 0; i < plan->n_injections; i++) {
        const struct pb_injection *injection = &plan->injections[i];
        if (pb_name_matches(injection->glob, job->case_name, job->scenario, variant)) {
            pct = injection->pct;
        }
    }
    return pct;
}

static void add_side(struct pb_job *job, struct pb_session *session,
                     const struct pb_job_place *place, uint32_t variant_index, const char *label)
{
    const struct pb_catalog_case *its_case = &place->catalog->cases[place->its_case];
    const struct pb_catalog_variant *variant = &its_case->variants[variant_index];
    job->sides[job->n_sides++] = (struct pb_job_side){
        .suite = &place->catalog->suites[its_case->suite],
        .case_index = its_case->index,
        .scenario_index = place->scenario,
        .variant_index = variant_index,
        .flags = variant->flags,
        .name = pb_arena_printf(session->arena, "%s/%s/%s", job->case_name, job->scenario,
                                variant->name),
        .variant = variant->name,
        .label = label != NULL ? label : variant->name,
    };
}

static struct pb_job make_job(enum pb_job_kind kind, const struct pb_job_place *place)
{
    const struct pb_catalog_case *its_case = &place->catalog->cases[place->its_case];
    return (struct pb_job){
        .kind = kind,
        .case_name = its_case->name,
        .scenario = its_case->scenarios[place->scenario].name,
    };
}

void pb_job_init_variants(struct pb_job *job, struct pb_session *session,
                          const struct pb_job_place *place, const bool *wanted)
{
    *job = make_job(PB_JOB_VARIANTS, place);
    for (uint32_t v = 0; v < place->catalog->cases[place->its_case].n_variants; v++) {
        if (wanted[v]) {
            add_side(job, session, place, v, NULL);
            struct pb_job_side *side = &job->sides[job->n_sides - 1];
            side->inject_pct = injection_of(session->plan, job, side->variant);
        }
    }
}

static uint32_t find_variant(const struct pb_job_place *place, const char *variant)
{
    const struct pb_catalog_case *its_case = &place->catalog->cases[place->its_case];
    uint32_t v = 0;
    while (v + 1 < its_case->n_variants && strcmp(its_case->variants[v].name, variant) != 0) {
        v++;
    }
    return v;
}

void pb_job_init_builds(struct pb_job *job, struct pb_session *session,
                        const struct pb_job_place *base, const struct pb_job_place *head,
                        const char *variant)
{
    *job = make_job(PB_JOB_BUILDS, base);
    add_side(job, session, base, find_variant(base, variant), "base");
    add_side(job, session, head, find_variant(head, variant), "head");
    job->sides[1].inject_pct = injection_of(session->plan, job, variant);
}

void pb_job_init_control(struct pb_job *job, const struct pb_job *of)
{
    *job = (struct pb_job){
        .kind = PB_JOB_CONTROL,
        .case_name = of->case_name,
        .scenario = of->scenario,
        .n_sides = 2,
        .slices = of->slices,
        .setup_ns = of->setup_ns,
    };
    for (int i = 0; i < 2; i++) {
        struct pb_job_side *side = &job->sides[i];
        *side = of->sides[0];
        side->inject_pct = 0;
        side->executed = side->iterations;
    }
}

static void fail_side(struct pb_session *session, struct pb_job_side *side, enum pb_state state,
                      const char *reason)
{
    if (side->state == PB_STATE_OK) {
        side->state = state;
        side->reason = pb_arena_strdup(session->arena, reason);
    }
}

/* Which sides of a job a launch holds: indices into job->sides. */
struct crew {
    uint32_t side[PB_LAUNCH_SIDES_MAX];
    uint32_t n;
};

static struct crew gather(const struct pb_job *job, enum pb_task task)
{
    struct crew crew = {0};
    for (uint32_t i = 0; i < job->n_sides; i++) {
        const struct pb_job_side *side = &job->sides[i];
        if (side->state == PB_STATE_OK && !(task == PB_TASK_TIME && side->below_resolution)) {
            crew.side[crew.n++] = i;
        }
    }
    return crew;
}

/* What setting up further layouts may take of a launch. */
#define MORE_SETUP_MOST_NS 8e6

/*
 * How many layouts of the suites a launch gets. Code that stands elsewhere is some percent faster
 * or slower for as long as the process lives; with several copies in turn, the median over rounds
 * is that of their luck. Each is set up for itself: where that takes long, another launch is worth
 * more than another layout. The tasks that time nothing are done on the first layout, since all do
 * the same.
 */
static uint32_t count_instances(const struct pb_job *job, enum pb_task task)
{
    uint32_t n = 1;
    for (uint32_t i = 0; i < job->n_sides && task == PB_TASK_TIME; i++) {
        const uint32_t n_layouts = (uint32_t)job->sides[i].suite->n_layouts;
        n = n_layouts > n ? n_layouts : n;
    }
    n = n < job->slices.rounds || n == 1 ? n : job->slices.rounds;
    n = n < PB_INSTANCES_MAX ? n : PB_INSTANCES_MAX;
    while (n > 1 && job->setup_ns * (n - 1) > MORE_SETUP_MOST_NS) {
        n--;
    }
    return n;
}

/*
 * Gives a side its layouts, in random order. Variants of one build share a stream and so their
 * layouts, sides that must not share their luck have streams of their own.
 */
static void draw_layouts(struct pb_launch_request *request, struct pb_side_request *side,
                         const struct pb_catalog_suite *suite, uint64_t stream)
{
    uint32_t order[PB_LAYOUTS_MAX] = {0};
    struct pb_random random;
    pb_random_init(&random, pb_random_derive(request->seed, STREAM_LAYOUTS + stream));
    for (uint32_t i = 0; i < suite->n_layouts; i++) {
        order[i] = i;
    }
    if (request->task == PB_TASK_TIME) {
        pb_random_shuffle(&random, order, suite->n_layouts);
    }
    uint32_t next = 0; /* around, where there are fewer layouts than instances */
    for (uint32_t k = 0; k < request->n_instances; k++) {
        side->suites[k] = pb_launch_add_suite(request, suite->layouts[order[next]]);
        side->layouts[k] = (uint8_t)order[next];
        next = next + 1 < suite->n_layouts ? next + 1 : 0;
    }
}

static void fill_request(const struct pb_job *job, struct pb_session *session, enum pb_task task,
                         const struct crew *crew)
{
    struct pb_launch_request *request = &pb_launch_region(session->launch)->request;
    request->seed = pb_random_derive(session->plan->seed, session->n_launched++);
    request->task = task;
    request->n_suites = 0;
    request->n_sides = crew->n;
    request->n_instances = count_instances(job, task);
    request->own_layouts = job->kind != PB_JOB_VARIANTS;
    request->rounds = job->slices.rounds;
    request->warm_slices = job->slices.warm_slices;
    request->timed_slices = job->slices.timed_slices;
    request->slice_ns = PB_SLICE_NS;
    request->has_reference = crew->side[0] == 0;
    snprintf(request->reference, sizeof request->reference, "%s", job->sides[0].label);
    for (uint32_t i = 0; i < crew->n; i++) {
        const struct pb_job_side *side = &job->sides[crew->side[i]];
        const uint64_t stream = job->kind == PB_JOB_VARIANTS ? 0 : crew->side[i];
        request->sides[i] = (struct pb_side_request){
            .case_index = side->case_index,
            .scenario = side->scenario_index,
            .variant = side->variant_index,
            .iterations = side->iterations,
            .executed = side->executed,
        };
        draw_layouts(request, &request->sides[i], side->suite, stream);
    }
}

/* How one launch of a job is done. */
struct attempt {
    enum pb_task task;
    struct crew crew;
    bool checks_heap;
};

static enum pb_code launch_once(struct pb_job *job, struct pb_session *session,
                                const struct attempt *attempt, struct pb_launch_outcome *outcome,
                                struct pb_error *err)
{
    const char *preload = NULL;
    if (session->plan->heap_counter != NULL) { /* allocators can be preloaded */
        preload = attempt->checks_heap             ? PB_HEAP_CHECKER
                  : attempt->task == PB_TASK_COUNT ? session->plan->heap_counter
                                                   : NULL;
    }
    fill_request(job, session, attempt->task, &attempt->crew);
    const double begun_s = pb_monotonic_s();
    enum pb_code code =
        pb_launch_run(session->launch, preload, session->plan->deadline_s, outcome, err);
    job->wall_s += pb_monotonic_s() - begun_s;
    if (code == PB_OK && outcome->end == PB_END_REFUSED) {
        code = pb_error_set(err, PB_ERR_SUITE, "suite %s: %s", job->sides[0].suite->path,
                            outcome->reason);
    }
    return code;
}

/*
 * Tries every side of a launch that died alone. The words of that launch are kept for the side that
 * was running in it: those under the checks of the heap say less.
 * *explained: whether one of them died again
 */
static enum pb_code try_alone(struct pb_job *job, struct pb_session *session,
                              const struct attempt *died, const struct pb_launch_outcome *first,
                              bool *explained, struct pb_error *err)
{
    *explained = false;
    for (uint32_t i = 0; i < died->crew.n; i++) {
        const struct attempt alone = {
            .task = died->task,
            .crew = {.side = {died->crew.side[i]}, .n = 1},
            .checks_heap = true,
        };
        struct pb_launch_outcome outcome;
        const enum pb_code code = launch_once(job, session, &alone, &outcome, err);
        if (code != PB_OK) {
            return code;
        }
        if (outcome.end != PB_END_DONE) {
            fail_side(session, &job->sides[died->crew.side[i]], PB_STATE_FAILED,
                      i == first->side ? first->reason : outcome.reason);
            *explained = true;
        }
    }
    return PB_OK;
}

static enum pb_code find_culprit(struct pb_job *job, struct pb_session *session,
                                 const struct attempt *died,
                                 const struct pb_launch_outcome *outcome, struct pb_error *err)
{
    struct pb_job_side *running = &job->sides[died->crew.side[outcome->side]];
    const bool knows_whose = outcome->end == PB_END_HUNG || outcome->end == PB_END_EXITED;
    if (knows_whose || died->crew.n == 1) {
        fail_side(session, running, PB_STATE_FAILED, outcome->reason);
        return PB_OK;
    }
    bool explained = false;
    const enum pb_code code = try_alone(job, session, died, outcome, &explained, err);
    if (code == PB_OK && !explained && ++job->n_unexplained == UNEXPLAINED_MAX) {
        fail_side(session, running, PB_STATE_FAILED,
                  pb_arena_printf(session->arena,
                                  "%s (three times, though every side survives alone)",
                                  outcome->reason));
        job->n_unexplained = 0;
    }
    return code;
}

/* Marks the sides that failed one by one. returns: whether there were any */
static bool take_failures(struct pb_job *job, struct pb_session *session, const struct crew *crew)
{
    const struct pb_launch_region *region = pb_launch_region(session->launch);
    bool any = false;
    for (uint32_t i = 0; i < crew->n; i++) {
        const struct pb_side_result *result = &region->results[i];
        if (result->state != PB_STATE_OK) {
            fail_side(session, &job->sides[crew->side[i]],
                      result->state == PB_STATE_SKIPPED ? PB_STATE_SKIPPED : PB_STATE_FAILED,
                      result->reason);
            any = true;
        }
    }
    return any;
}

/*
 * Launches a task until it goes through with all that are left. *crew: who took part; n = 0 when
 * nobody is left. In the tasks that treat one side after another a side's own failure does not
 * spoil the launch for the others; a timing launch is repeated without it.
 */
static enum pb_code go_through(struct pb_job *job, struct pb_session *session, enum pb_task task,
                               struct crew *crew, struct pb_error *err)
{
    for (;;) {
        *crew = gather(job, task);
        if (crew->n == 0) {
            return PB_OK;
        }
        struct pb_launch_outcome outcome;
        const struct attempt all = {.task = task, .crew = *crew};
        enum pb_code code = launch_once(job, session, &all, &outcome, err);
        if (code != PB_OK) {
            return code;
        }
        if (outcome.end == PB_END_DONE) {
            if (!take_failures(job, session, crew) || task != PB_TASK_TIME) {
                return PB_OK;
            }
            continue;
        }
        code = find_culprit(job, session, &all, &outcome, err);
        if (code != PB_OK) {
            return code;
        }
    }
}

/* A difference that is allowed is noted, and the side timed all the same. */
static void forgive_differences(struct pb_job *job)
{
    static const char allowed[] = PB_DIFFERS " from base's";
    for (uint32_t i = 1; i < job->n_sides; i++) {
        struct pb_job_side *side = &job->sides[i];
        if (side->state == PB_STATE_FAILED &&
            strncmp(side->reason, allowed, strlen(allowed)) == 0) {
            side->differs = side->reason;
            side->reason = NULL;
            side->state = PB_STATE_OK;
        }
    }
}

enum pb_code pb_job_verify(struct pb_job *job, struct pb_session *session, struct pb_error *err)
{
    struct crew crew;
    const enum pb_code code = go_through(job, session, PB_TASK_VERIFY, &crew, err);
    const struct pb_job_side *reference = &job->sides[0];
    if (code == PB_OK && session->plan->allows_different_output) {
        forgive_differences(job);
    }
    if (code != PB_OK || reference->state == PB_STATE_OK) {
        return code;
    }
    for (uint32_t i = 1; i < job->n_sides; i++) {
        if ((job->sides[i].flags & PAIRBENCH_VARIANT_BOUND) == 0) {
            fail_side(session, &job->sides[i], PB_STATE_SKIPPED,
                      pb_arena_printf(session->arena, "not compared with %s, which it must equal",
                                      reference->label));
        }
    }
    return PB_OK;
}

/* Takes the counts of a side; one that the second pass finds again, the same, is deterministic. */
static void take_counts(struct pb_session *session, struct pb_job_side *side,
                        const struct pb_side_result *result)
{
    for (uint32_t i = 0; i < result->n_counts; i++) {
        uint32_t k = 0;
        while (k < side->n_counts && strcmp(side->counts[k].name, result->counts[i].name) != 0) {
            k++;
        }
        if (k < side->n_counts) {
            side->counts[k].deterministic = side->counts[k].value == result->counts[i].value;
        } else if (k < PB_LAUNCH_COUNTS_MAX) {
            side->counts[side->n_counts++] = (struct pb_job_count){
                .name = pb_arena_strdup(session->arena, result->counts[i].name),
                .value = result->counts[i].value,
            };
        }
    }
}

enum pb_code pb_job_count(struct pb_job *job, struct pb_session *session, struct pb_error *err)
{
    for (int pass = 0; pass < 2; pass++) {
        struct crew crew;
        const enum pb_code code = go_through(job, session, PB_TASK_COUNT, &crew, err);
        if (code != PB_OK) {
            return code;
        }
        const struct pb_launch_region *region = pb_launch_region(session->launch);
        session->counts_syscalls = session->counts_syscalls || region->counts_syscalls != 0;
        for (uint32_t i = 0; i < crew.n; i++) {
            struct pb_job_side *side = &job->sides[crew.side[i]];
            if (side->state == PB_STATE_OK) {
                take_counts(session, side, &region->results[i]);
            }
        }
    }
    return PB_OK;
}

/* Plans the slices of all sides that can be timed. */
static void plan_slices(struct pb_job *job)
{
    double operation_ns[PB_LAUNCH_SIDES_MAX];
    double inject_pct[PB_LAUNCH_SIDES_MAX];
    uint32_t timed[PB_LAUNCH_SIDES_MAX];
    size_t n = 0;
    for (uint32_t i = 0; i < job->n_sides; i++) {
        if (job->sides[i].state == PB_STATE_OK && !job->sides[i].below_resolution) {
            operation_ns[n] = job->sides[i].operation_ns;
            inject_pct[n] = job->sides[i].inject_pct;
            timed[n++] = i;
        }
    }
    if (n == 0) {
        return;
    }
    job->slices =
        pb_plan_slices(operation_ns, inject_pct, n,
                       job->kind == PB_JOB_VARIANTS ? PB_SHARED_BY_VARIANTS : PB_SHARED_BY_BUILDS);
    pb_plan_more_rounds(&job->slices, operation_ns, n, job->setup_ns);
    for (size_t i = 0; i < n; i++) {
        job->sides[timed[i]].iterations = job->slices.iterations[i];
        job->sides[timed[i]].executed = job->slices.executed[i];
    }
}

enum pb_code pb_job_calibrate(struct pb_job *job, struct pb_session *session, struct pb_error *err)
{
    struct crew crew;
    const enum pb_code code = go_through(job, session, PB_TASK_CALIBRATE, &crew, err);
    if (code != PB_OK) {
        return code;
    }
    job->setup_ns = pb_launch_region(session->launch)->setup_ns;
    for (uint32_t i = 0; i < crew.n; i++) {
        struct pb_job_side *side = &job->sides[crew.side[i]];
        if (side->state != PB_STATE_OK) {
            continue;
        }
        side->operation_ns = pb_launch_region(session->launch)->results[i].operation_ns;
        if (!(side->operation_ns > 0) || !isfinite(side->operation_ns)) {
            side->below_resolution = true;
            side->reason = "below resolution: an operation takes no measurable time; is its result "
                           "used, or has the compiler removed it?";
        }
    }
    plan_slices(job);
    return PB_OK;
}

bool pb_job_can_time(const struct pb_job *job)
{
    return gather(job, PB_TASK_TIME).n >= (job->kind == PB_JOB_VARIANTS ? 1 : 2);
}

/* The layout that a side ran in, round by round. */
static const uint8_t *layouts_of(const struct pb_side_request *request,
                                 const struct pb_side_result *result, uint32_t rounds,
                                 struct pb_arena *arena)
{
    uint8_t *layouts = pb_arena_array(arena, rounds, sizeof *layouts);
    for (uint32_t k = 0; k < rounds; k++) {
        layouts[k] = request->layouts[result->instance[k] % PB_INSTANCES_MAX];
    }
    return layouts;
}

/* Copies what a worker measured before the next launch overwrites it. */
static void take_samples(struct pb_job *job, struct pb_session *session, uint32_t wave,
                         const struct crew *crew)
{
    const struct pb_launch_region *region = pb_launch_region(session->launch);
    struct pb_arena *arena = session->arena;
    job->launches = pb_arena_grow(arena, job->launches, job->n_launches, &job->launches_capacity,
                                  sizeof *job->launches);
    struct pb_job_launch *launch = &job->launches[job->n_launches++];
    *launch = (struct pb_job_launch){.wave = wave};
    for (uint32_t i = 0; i < crew->n; i++) {
        const struct pb_side_result *result = &region->results[i];
        const size_t bytes = sizeof(float) * job->slices.rounds * job->slices.timed_slices;
        launch->real_ns[crew->side[i]] = pb_arena_memdup(arena, result->real_ns, bytes);
        launch->cpu_ns[crew->side[i]] = pb_arena_memdup(arena, result->cpu_ns, bytes);
        launch->turn[crew->side[i]] = pb_arena_memdup(arena, result->turn, job->slices.rounds);
        launch->layout[crew->side[i]] =
            layouts_of(&region->request.sides[i], result, job->slices.rounds, arena);
    }
    session->timed_s += region->timed_s;
    session->start_ms = pb_arena_grow(arena, session->start_ms, session->n_starts,
                                      &session->starts_capacity, sizeof *session->start_ms);
    session->start_ms[session->n_starts++] =
        1e-6 * (double)(region->first_ns - region->request.started_ns);
}

enum pb_code pb_job_time(struct pb_job *job, struct pb_session *session, uint32_t wave,
                         struct pb_error *err)
{
    struct crew crew;
    const enum pb_code code = go_through(job, session, PB_TASK_TIME, &crew, err);
    if (code == PB_OK && crew.n > 0) {
        take_samples(job, session, wave, &crew);
    }
    return code;
}
