/* SPDX-License-Identifier: Apache-2.0
 *
 * A batch is a handful of benchmarks of one cell that take turns, launch by launch, as in any run;
 * each of them is a trial, and its wall time is that of its own workers. Half of a batch are
 * workloads, half are the suite's, however many there are of each.
 *
 * An injection is exact only where it is a whole number of operations: a benchmark whose slice
 * would get too long for that takes part without injection only.
 */
#include "commands/selftest/trials.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "commands/bench.h"
#include "commands/comparing/confirm.h"
#include "commands/selftest/builds.h"
#include "measure/calibrate.h"
#include "output/progress.h"
#include "pairbench.h"
#include "stats/random.h"

enum {
    BATCH_WHOLE = 20,
    BATCH_QUICK = 3,
    SURVEYED_QUICK = 24, /* benchmarks that a quick self-test draws from */
    FAILURES_MAX = 3,    /* in a row */
    TIMED_SCENARIOS = 50,
    SCENARIOS_AGAIN = 5,
};

/*
 * Operations whose injected share is whole only in so long a slice are not injected into. Slices
 * are rounded up to a multiple of that, so get at most twice as long as usual.
 */
#define WHOLE_SHARE_MOST_NS 50e3
#define OPERATION_MOST_NS   5e6

/* What a trial, and a run with its check, is taken to last before one has been seen. */
#define TRIAL_GUESSED_S         1.0
#define RUN_AND_CHECK_GUESSED_S 120.0

/* Streams of the log's seed: batches take the numbers from 0 up. */
#define STREAM_SURVEY (UINT64_C(1) << 62)
#define STREAM_RUNS   (STREAM_SURVEY + 1) /* and their numbers of launches */

/* A benchmark that can be timed. */
struct candidate {
    const char *name;
    double operation_ns;
    bool is_workload;
};

struct trials {
    const struct pb_context *context;
    const struct pb_trials_plan *plan;
    struct pb_trial_log *log;
    struct pb_selftest_builds builds;
    struct candidate *candidates;
    size_t n_candidates;
    uint32_t *order; /* scratch, a permutation of the candidates */
    size_t n_done[PB_CELLS];
    double trial_s[PB_CELLS]; /* the longest that a trial of it lasted */
    struct pb_progress progress;
    double begun_s;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool was_stopped(void *context)
{
    const struct trials *trials = context;
    return trials->context->stop != NULL && *trials->context->stop != 0;
}

static bool is_eligible(const struct candidate *candidate, const struct pb_cell_words *words)
{
    const bool is_long = candidate->operation_ns > PB_LONG_SLICE_NS;
    if ((words->kind == PB_NULL_COMMENT && !candidate->is_workload) ||
        is_long != (words == pb_cell_words(PB_CELL_LONG))) {
        return false;
    }
    uint64_t executed = 0;
    const uint64_t n = pb_plan_injection(1, words->inject_pct, &executed);
    return (double)n * candidate->operation_ns <= WHOLE_SHARE_MOST_NS || words->inject_pct == 0;
}

/* Whether there is nothing to try for a cell, as far as is known: no suite needs long operations.
 */
static bool has_no_candidate(const struct trials *trials, enum pb_cell cell)
{
    for (size_t i = 0; i < trials->n_candidates; i++) {
        if (is_eligible(&trials->candidates[i], pb_cell_words(cell))) {
            return false;
        }
    }
    return trials->n_candidates > 0;
}

static size_t n_wanted(const struct trials *trials, enum pb_cell cell)
{
    const struct pb_cell_words *words = pb_cell_words(cell);
    return has_no_candidate(trials, cell) ? 0
           : trials->plan->quick          ? words->n_quick
                                          : words->n_whole;
}

/* Keeps the line on the terminal alive while a batch lasts. */
static void show_progress(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct trials *trials = context;
    size_t n_done = 0;
    size_t n_all = 0;
    (void)done;
    (void)total;
    for (int cell = 0; cell < PB_CELLS; cell++) {
        const size_t n = n_wanted(trials, (enum pb_cell)cell);
        n_all += n;
        n_done += trials->n_done[cell] < n ? trials->n_done[cell] : n;
    }
    pb_progress_update(&trials->progress, n_done, n_all, what, now_s());
}

static struct pb_measure_watch watch_of(struct trials *trials)
{
    return (struct pb_measure_watch){
        .context = trials, .progress = show_progress, .stopped = was_stopped};
}

/* Chooses the benchmarks of a catalog whose names are among n. */
static struct pb_selection select_named(const struct pb_catalog *catalog, const char *const *names,
                                        size_t n, struct pb_arena *arena)
{
    struct pb_selection selection = pb_selection_none(catalog, arena);
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (size_t i = 0; i < its_case->n_scenarios * its_case->n_variants; i++) {
            const size_t s = i / its_case->n_variants;
            const size_t v = i % its_case->n_variants;
            const char *name =
                pb_arena_printf(arena, "%s/%s/%s", its_case->name, its_case->scenarios[s].name,
                                its_case->variants[v].name);
            for (size_t k = 0; k < n; k++) {
                if (strcmp(names[k], name) == 0) {
                    selection.wanted[c][s][v] = true;
                    selection.n_scenarios++; /* a bound: scenarios are chosen more than once */
                }
            }
        }
    }
    return selection;
}

/* The plan that `compare` screens with. */
static struct pb_plan screen_plan(const struct trials *trials, uint64_t seed)
{
    return (struct pb_plan){
        .worker = trials->context->worker,
        .heap_counter = trials->context->heap_counter,
        .times = true,
        .finish = PB_FINISH_VERDICT,
        .seed = seed,
        .deadline_s = PB_DEADLINE_S,
        .change_level = PB_SCREEN_LEVEL,
    };
}

static bool is_workload(const struct trials *trials, const char *case_name)
{
    const struct pb_catalog *workloads = &trials->builds.base[PB_NULL_COMMENT];
    for (size_t c = 0; c < workloads->n_cases; c++) {
        if (strcmp(workloads->cases[c].name, case_name) == 0) {
            return true;
        }
    }
    return false;
}

/* Names of all that is measured by default; for a quick self-test all workloads and a few others.
 */
static const char **name_all(const struct trials *trials, struct pb_arena *arena, size_t *n)
{
    const struct pb_catalog *catalog = &trials->builds.base[PB_NULL_SAME];
    const char **names = NULL;
    size_t capacity = 0;
    size_t n_others = 0;
    *n = 0;
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (size_t i = 0; i < its_case->n_scenarios * its_case->n_variants; i++) {
            const struct pb_catalog_scenario *scenario =
                &its_case->scenarios[i / its_case->n_variants];
            const bool is_other = !is_workload(trials, its_case->name);
            if ((scenario->flags & PAIRBENCH_SCENARIO_ON_REQUEST) != 0 ||
                (is_other && trials->plan->quick && ++n_others > SURVEYED_QUICK)) {
                continue;
            }
            names = pb_arena_grow(arena, names, *n, &capacity, sizeof *names);
            names[(*n)++] = pb_arena_printf(arena, "%s/%s/%s", its_case->name, scenario->name,
                                            its_case->variants[i % its_case->n_variants].name);
        }
    }
    return names;
}

static void keep_candidates(struct trials *trials, const struct pb_run_record *run)
{
    struct pb_arena *arena = trials->context->arena;
    trials->candidates = pb_arena_array(arena, run->n_benchmarks, sizeof *trials->candidates);
    trials->order = pb_arena_array(arena, run->n_benchmarks, sizeof *trials->order);
    for (size_t i = 0; i + 1 < run->n_benchmarks; i += 2) {
        const struct pb_benchmark_record *base = &run->benchmarks[i];
        const struct pb_benchmark_record *head = &run->benchmarks[i + 1];
        if (base->n_launches > 0 && head->n_launches > 0 && base->median_ns > 0 &&
            base->median_ns <= OPERATION_MOST_NS) {
            trials->order[trials->n_candidates] = (uint32_t)trials->n_candidates;
            trials->candidates[trials->n_candidates++] = (struct candidate){
                .name = pb_arena_strdup(arena, base->name),
                .operation_ns = base->median_ns,
                .is_workload = is_workload(trials, base->case_name),
            };
        }
    }
}

/* Finds out what can be timed, and how long an operation takes. */
static enum pb_code survey(struct trials *trials, struct pb_error *err)
{
    struct pb_arena arena = {0};
    size_t n = 0;
    const char **names = name_all(trials, &arena, &n);
    const struct pb_catalog *base = &trials->builds.base[PB_NULL_SAME];
    const struct pb_selection selection = select_named(base, names, n, &arena);
    const struct pb_builds builds = {
        .base = base, .head = &trials->builds.head[PB_NULL_SAME], .selection = &selection};
    struct pb_plan plan = screen_plan(trials, pb_random_derive(trials->log->seed, STREAM_SURVEY));
    plan.launches = 1;
    const struct pb_measure_watch watch = watch_of(trials);
    struct pb_run_record run = {.valid = true};
    enum pb_code code = pb_measure_builds(&builds, &plan, &watch, &arena, &run, err);
    if (code == PB_OK) {
        keep_candidates(trials, &run);
    }
    if (code == PB_OK && trials->n_candidates == 0) {
        code = pb_error_set(err, PB_ERR_SUITE, "not a single benchmark can be timed here");
    }
    pb_arena_release(&arena);
    return code;
}

/* Draws up to `most` benchmarks, half of them workloads where there are enough. returns: how many
 */
static size_t draw(struct trials *trials, const struct pb_cell_words *words,
                   struct pb_random *random, size_t most, const char **names)
{
    size_t n = 0;
    size_t n_of[2] = {0};
    pb_random_shuffle(random, trials->order, trials->n_candidates);
    const size_t half = (most + 1) / 2;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < trials->n_candidates && n < most; i++) {
            const struct candidate *candidate = &trials->candidates[trials->order[i]];
            size_t k = 0;
            while (k < n && names[k] != candidate->name) {
                k++;
            }
            const bool has_room = pass == 1 || n_of[candidate->is_workload] < half;
            if (k == n && has_room && is_eligible(candidate, words)) {
                names[n++] = candidate->name;
                n_of[candidate->is_workload]++;
            }
        }
    }
    return n;
}

/* Takes the verdicts that compare would take; what it flags it measures again, whatever it did. */
static void check_drifts(struct pb_run_record *run, size_t n_pairs, struct pb_margins margins,
                         struct pb_arena *arena)
{
    for (size_t i = 0; i < n_pairs; i++) {
        if (!pb_is_flagged(&run->pairs[i])) {
            pb_confirm_check_drift(&run->pairs[i], margins, arena);
        }
    }
}

/* Measures under the load of a cell. batch: cell and seed filled in; the rest is */
static enum pb_code measure_hogged(struct trials *trials, struct pb_batch *batch,
                                   const struct pb_builds *builds, struct pb_arena *arena,
                                   struct pb_run_record *run, struct pb_error *err)
{
    const struct pb_cell_words *words = pb_cell_words(batch->cell);
    const struct pb_injection injection = {"*", words->inject_pct};
    struct pb_plan plan = screen_plan(trials, batch->seed);
    plan.margins = words->margins;
    plan.injections = &injection;
    plan.n_injections = words->inject_pct != 0;
    const struct pb_measure_watch watch = watch_of(trials);
    struct pb_hogs hogs;
    enum pb_code code = pb_hogs_start(words->hog, &hogs, err);
    if (code == PB_OK) {
        const double begun_s = now_s();
        code = pb_measure_builds(builds, &plan, &watch, arena, run, err);
        batch->wall_s = now_s() - begun_s;
        pb_hogs_stop(&hogs);
    }
    return code;
}

/* One batch of up to `most` trials. */
static enum pb_code run_batch(struct trials *trials, enum pb_cell cell, size_t most,
                              struct pb_error *err)
{
    struct pb_arena arena = {0};
    const struct pb_cell_words *words = pb_cell_words(cell);
    struct pb_batch batch = {.cell = cell,
                             .seed = pb_random_derive(trials->log->seed, trials->log->n_batches)};
    const char *names[BATCH_WHOLE];
    struct pb_random random;
    pb_random_init(&random, batch.seed);
    const size_t n = draw(trials, words, &random, most, names);
    struct pb_catalog base;
    struct pb_catalog head;
    if (words->kind == PB_NULL_LAYOUT) {
        pb_selftest_builds_deal(&trials->builds, &random, &arena, &base, &head);
    } else {
        base = trials->builds.base[words->kind];
        head = trials->builds.head[words->kind];
    }
    const struct pb_selection selection = select_named(&base, names, n, &arena);
    const struct pb_builds builds = {.base = &base, .head = &head, .selection = &selection};
    struct pb_run_record run = {.valid = true};
    enum pb_code code = PB_OK;
    if (n == 0) {
        code = pb_error_set(err, PB_ERR_SUITE, "no benchmark can take part in the trials of %s",
                            words->name);
    } else {
        code = measure_hogged(trials, &batch, &builds, &arena, &run, err);
    }
    if (code == PB_OK) {
        batch.run = &run;
        batch.n_pairs = run.n_benchmarks / 2; /* of n names that are in both builds: not 0 */
        check_drifts(&run, batch.n_pairs, words->margins, &arena);
        code = pb_trial_log_add(trials->log, &batch, trials->context->arena, err);
        trials->n_done[cell] += batch.n_pairs;
        trials->trial_s[cell] = fmax(trials->trial_s[cell], batch.wall_s / (double)batch.n_pairs);
    }
    pb_arena_release(&arena);
    return code;
}

/* Chooses up to `most` scenarios with all their variants. returns: how many */
static size_t select_scenarios(const struct pb_catalog *catalog, size_t most,
                               struct pb_selection *selection)
{
    size_t n = 0;
    for (size_t c = 0; c < catalog->n_cases; c++) {
        const struct pb_catalog_case *its_case = &catalog->cases[c];
        for (size_t s = 0; s < its_case->n_scenarios && n < most; s++) {
            if ((its_case->scenarios[s].flags & PAIRBENCH_SCENARIO_ON_REQUEST) != 0) {
                continue;
            }
            for (size_t v = 0; v < its_case->n_variants; v++) {
                selection->wanted[c][s][v] = true;
            }
            n++;
        }
    }
    selection->n_scenarios = n;
    return n;
}

/*
 * A run of up to `most` scenarios.
 * budget_s, launches: 0 = as many as it takes
 * *n:                 how many scenarios there were
 */
static enum pb_code run_scenarios(struct trials *trials, size_t most, double budget_s,
                                  uint32_t launches, size_t *n, struct pb_error *err)
{
    struct pb_arena arena = {0};
    const struct pb_catalog *catalog = &trials->builds.base[PB_NULL_SAME];
    struct pb_selection selection = pb_selection_none(catalog, &arena);
    *n = select_scenarios(catalog, most, &selection);
    const struct pb_plan plan = {
        .worker = trials->context->worker,
        .heap_counter = trials->context->heap_counter,
        .times = true,
        .kernels = true,
        .budget_s = budget_s,
        .launches = launches,
        .seed = pb_random_derive(trials->log->seed, STREAM_RUNS + launches),
        .deadline_s = PB_DEADLINE_S,
    };
    const struct pb_measure_watch watch = watch_of(trials);
    struct pb_run_record run = {.valid = true};
    const enum pb_code code = pb_measure(catalog, &selection, &plan, &watch, &arena, &run, err);
    pb_arena_release(&arena);
    return code;
}

/* Times a run as `run` does it, and the second look of `check`. Where there are fewer scenarios it
 * counts for more. */
static enum pb_code time_run_and_check(struct trials *trials, struct pb_error *err)
{
    const double begun_s = now_s();
    size_t n = 0;
    size_t n_again = 0;
    enum pb_code code = run_scenarios(trials, TIMED_SCENARIOS, PB_RUN_BUDGET_S, 0, &n, err);
    if (code == PB_OK) {
        code = run_scenarios(trials, SCENARIOS_AGAIN, 0, PB_CONFIRM_LAUNCHES, &n_again, err);
    }
    if (code != PB_OK) {
        return code;
    }
    const double wall_s = now_s() - begun_s;
    const struct pb_batch batch = {
        .cell = PB_CELL_RUN_AND_CHECK,
        .seed = trials->log->seed,
        .wall_s = wall_s * fmax(1, (double)TIMED_SCENARIOS / (double)n),
    };
    trials->n_done[PB_CELL_RUN_AND_CHECK]++;
    return pb_trial_log_add(trials->log, &batch, trials->context->arena, err);
}

/* How far a cell is: up to 1 with its first trials, up to 2 with the others, which come after those
 * of all cells. */
static double share_done(const struct trials *trials, enum pb_cell cell)
{
    const double done = (double)trials->n_done[cell];
    const double all = (double)n_wanted(trials, cell);
    const double first = trials->plan->quick ? all : (double)pb_cell_words(cell)->n_first;
    return done >= all ? 2 : done < first ? done / first : 1 + (done - first) / (all - first);
}

/* The cell that is furthest from its number of trials; returns: false when all are there */
static bool choose_cell(const struct trials *trials, enum pb_cell *cell)
{
    double least = 2;
    for (int i = 0; i < PB_CELLS; i++) {
        const double share = share_done(trials, (enum pb_cell)i);
        if (share < least) {
            least = share;
            *cell = (enum pb_cell)i;
        }
    }
    return least < 2;
}

/* How many trials of a cell come next: as many as are missing, fit a batch and the budget. */
static size_t batch_size(const struct trials *trials, enum pb_cell cell)
{
    const size_t missing = n_wanted(trials, cell) - trials->n_done[cell];
    const size_t most = trials->plan->quick ? BATCH_QUICK : BATCH_WHOLE;
    const double trial_s = trials->trial_s[cell] > 0 ? trials->trial_s[cell] : TRIAL_GUESSED_S;
    const double left_s = trials->plan->budget_s - (now_s() - trials->begun_s);
    const double fit = fmax(0, floor(left_s / trial_s));
    const size_t n = missing < most ? missing : most;
    return fit < (double)n ? (size_t)fit : n;
}

static enum pb_code run_next(struct trials *trials, enum pb_cell cell, size_t n,
                             struct pb_error *err)
{
    return cell == PB_CELL_RUN_AND_CHECK ? time_run_and_check(trials, err)
                                         : run_batch(trials, cell, n, err);
}

/* Batch by batch. A failure may pass, as when memory was short under a hog; several won't. */
static enum pb_code run_batches(struct trials *trials, const char **stopped, struct pb_error *err)
{
    int n_failures = 0;
    for (;;) {
        enum pb_cell cell = PB_CELL_COPY;
        if (!choose_cell(trials, &cell)) {
            *stopped = "all trials done";
            return PB_OK;
        }
        const size_t n = batch_size(trials, cell);
        if (n == 0) {
            *stopped = "budget used up";
            return PB_OK;
        }
        const enum pb_code code = run_next(trials, cell, n, err);
        if (code == PB_OK) {
            n_failures = 0;
            continue;
        }
        if (code == PB_ERR_INTERRUPTED || ++n_failures == FAILURES_MAX) {
            return code;
        }
        pb_progress_clear(&trials->progress);
        pb_warn(trials->context, "%s", err->message);
    }
}

static void count_done(struct trials *trials)
{
    for (size_t i = 0; i < trials->log->n; i++) {
        trials->n_done[trials->log->trials[i].cell]++;
    }
}

enum pb_code pb_trials_run(const struct pb_context *context, const struct pb_trials_plan *plan,
                           struct pb_trial_log *log, struct pb_facts *build, const char **stopped,
                           struct pb_error *err)
{
    struct trials trials = {.context = context, .plan = plan, .log = log, .begun_s = now_s()};
    enum pb_cell next = PB_CELL_COPY;
    trials.trial_s[PB_CELL_RUN_AND_CHECK] = RUN_AND_CHECK_GUESSED_S;
    count_done(&trials);
    pb_progress_init(&trials.progress, stderr, context->progress, 0);
    enum pb_code code = pb_selftest_builds_make(context, &trials.builds, err);
    if (code == PB_OK) {
        struct pb_run_record described = {0};
        pb_bench_describe(context, &trials.builds.base[PB_NULL_SAME], &described);
        *build = described.build;
        code = choose_cell(&trials, &next) ? survey(&trials, err) : PB_OK;
    }
    if (code == PB_OK) {
        code = run_batches(&trials, stopped, err);
    }
    pb_progress_finish(&trials.progress);
    pb_selftest_builds_remove(&trials.builds);
    return code;
}
