/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about the build come from the suites: they are what is measured, and other people build
 * theirs with other compilers than this tool was built with.
 */
#include "commands/bench.h"

#include <libgen.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <uuid.h>

#include "commands/comparing/confirm.h"
#include "output/progress.h"
#include "provenance/checkout.h"
#include "provenance/machine.h"

#define INJECT_LEAST_PCT     (-90.0)
#define INJECT_MOST_PCT      1000.0
#define INJECT_STEPS_PER_PCT 1000.0 /* finer is not planned, see measure/calibrate.h */

enum pb_code pb_bench_load(const struct pb_context *context, struct pb_catalog *catalog,
                           struct pb_error *err)
{
    if (context->n_suites == 0) {
        return pb_error_set(err, PB_ERR_USAGE,
                            "there is no suite: pairbench-cases.so was not found; name one with "
                            "--suite PATH");
    }
    return pb_catalog_load(context->worker, context->suites, context->n_suites, context->arena,
                           catalog, err);
}

uint64_t pb_bench_random_seed(void)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
    }
    return seed;
}

/* The values of all suites for one fact, joined where they differ. */
static const char *join(struct pb_arena *arena, const struct pb_catalog *catalog,
                        const char *(*value_of)(const struct pb_catalog_suite *))
{
    const char *joined = value_of(&catalog->suites[0]);
    bool differ = false;
    for (size_t i = 1; i < catalog->n_suites; i++) {
        differ = differ || strcmp(value_of(&catalog->suites[i]), joined) != 0;
    }
    for (size_t i = 1; differ && i < catalog->n_suites; i++) {
        joined = pb_arena_printf(arena, "%s + %s", joined, value_of(&catalog->suites[i]));
    }
    return joined;
}

static const char *build_type_of(const struct pb_catalog_suite *suite)
{
    return suite->build_type;
}

static const char *compiler_of(const struct pb_catalog_suite *suite)
{
    return suite->compiler;
}

static const char *flags_of(const struct pb_catalog_suite *suite)
{
    return suite->flags;
}

static const char *optimized_of(const struct pb_catalog_suite *suite)
{
    return suite->optimized ? "true" : "false";
}

static const char *name_of(const struct pb_catalog_suite *suite)
{
    return suite->name;
}

static struct pb_facts build_facts(struct pb_arena *arena, const struct pb_catalog *catalog)
{
    static const struct {
        const char *key;
        const char *(*value_of)(const struct pb_catalog_suite *);
    } facts[] = {
        {"build_type", build_type_of}, {"compiler", compiler_of}, {"flags", flags_of},
        {"optimized", optimized_of},   {"suite", name_of},
    };
    enum { N = sizeof facts / sizeof facts[0] };
    struct pb_facts made = {.items = pb_arena_array(arena, N, sizeof *made.items), .n = N};
    for (size_t i = 0; i < N; i++) {
        made.items[i] = (struct pb_fact){facts[i].key, join(arena, catalog, facts[i].value_of)};
    }
    return made;
}

/* The checkout that the first suite lies in; else the one of the current directory. */
static struct pb_facts checkout_facts(struct pb_arena *arena, const struct pb_catalog *catalog)
{
    char *path = pb_arena_strdup(arena, catalog->suites[0].path);
    const struct pb_facts facts = pb_checkout_facts(arena, dirname(path));
    const char *state = pb_facts_get(&facts, "state");
    if (state != NULL && strcmp(state, "no repository") == 0) {
        return pb_checkout_facts(arena, NULL);
    }
    return facts;
}

void pb_bench_describe(const struct pb_context *context, const struct pb_catalog *catalog,
                       struct pb_run_record *run)
{
    enum { UUID_TEXT_BYTES = 37 };
    uuid_t uuid;
    char text[UUID_TEXT_BYTES];
    uuid_generate(uuid);
    uuid_unparse_lower(uuid, text);
    run->id = pb_arena_strdup(context->arena, text);
    run->started_at = (int64_t)time(NULL);
    run->tool_version = PAIRBENCH_VERSION;
    run->valid = true;
    run->machine = pb_machine_facts(context->arena);
    run->build = build_facts(context->arena, catalog);
    run->commit = checkout_facts(context->arena, catalog);
}

/* Splits GLOB=+N% at its last '='. */
static enum pb_code parse_injection(const char *text, struct pb_arena *arena,
                                    struct pb_injection *injection, struct pb_error *err)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text) {
        return pb_error_set(err, PB_ERR_USAGE, "--inject '%s': GLOB=+N%% is wanted", text);
    }
    injection->glob = pb_arena_memdup(arena, text, (size_t)(equals - text));
    double pct = 0;
    const enum pb_code code =
        pb_parse_pct("--inject", equals + 1, INJECT_LEAST_PCT, INJECT_MOST_PCT, &pct, err);
    if (code != PB_OK) {
        return code;
    }
    injection->pct = round(pct * INJECT_STEPS_PER_PCT) / INJECT_STEPS_PER_PCT;
    if (pct != 0 && injection->pct == 0) {
        return pb_error_set(err, PB_ERR_USAGE, "--inject '%s': the least is 0.001%%", text);
    }
    return PB_OK;
}

enum pb_code pb_bench_parse_injections(const struct pb_args *args, struct pb_arena *arena,
                                       struct pb_plan *plan, struct pb_error *err)
{
    const char *const *values = NULL;
    const size_t n = pb_args_values(args, "inject", &values);
    struct pb_injection *injections = pb_arena_array(arena, n, sizeof *injections);
    for (size_t i = 0; i < n; i++) {
        const enum pb_code code = parse_injection(values[i], arena, &injections[i], err);
        if (code != PB_OK) {
            return code;
        }
    }
    plan->injections = injections;
    plan->n_injections = n;
    return PB_OK;
}

/* What the watch of a measurement needs. */
struct watched {
    const struct pb_context *context;
    struct pb_progress progress;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_progress(void *context, uint64_t done, uint64_t total, const char *what)
{
    struct watched *watched = context;
    pb_progress_update(&watched->progress, (size_t)done, (size_t)total, what, now_s());
}

static bool was_stopped(void *context)
{
    const struct watched *watched = context;
    return watched->context->stop != NULL && *watched->context->stop != 0;
}

static void warn(void *context, const char *text)
{
    struct watched *watched = context;
    pb_progress_clear(&watched->progress);
    pb_warn(watched->context, "%s", text);
}

static struct pb_measure_watch begin_watch(const struct pb_context *context,
                                           struct watched *watched)
{
    *watched = (struct watched){.context = context};
    pb_progress_init(&watched->progress, stderr, context->progress, 0);
    return (struct pb_measure_watch){
        .context = watched,
        .progress = show_progress,
        .stopped = was_stopped,
        .warn = warn,
    };
}

enum pb_code pb_bench_measure(const struct pb_context *context, const struct pb_catalog *catalog,
                              const struct pb_selection *selection, const struct pb_plan *plan,
                              struct pb_run_record *run, struct pb_error *err)
{
    struct watched watched;
    const struct pb_measure_watch watch = begin_watch(context, &watched);
    const enum pb_code code =
        pb_measure(catalog, selection, plan, &watch, context->arena, run, err);
    pb_progress_finish(&watched.progress);
    const struct pb_margins margins = {PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN};
    for (size_t i = 0; code == PB_OK && i < run->n_pairs; i++) {
        if (run->pairs[i].gated) {
            pb_confirm_check_drift(&run->pairs[i], margins, context->arena);
        }
    }
    return code;
}

enum pb_code pb_bench_measure_builds(const struct pb_context *context,
                                     const struct pb_builds *builds, const struct pb_plan *plan,
                                     struct pb_run_record *run, struct pb_error *err)
{
    struct watched watched;
    const struct pb_measure_watch watch = begin_watch(context, &watched);
    const enum pb_code code = pb_measure_builds(builds, plan, &watch, context->arena, run, err);
    pb_progress_finish(&watched.progress);
    return code;
}
