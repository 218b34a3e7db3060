/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers are round, so that what is printed can be told by heart.
 */
#include "synthetic_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LAUNCHES = 40, VARIANTS = 4, SCENARIOS = 2 };

static const char *const variants[VARIANTS] = {"old", "new", "floor", "lib"};
static const unsigned flags[VARIANTS] = {0, 0, PB_BENCHMARK_BOUND, PB_BENCHMARK_REFERENCE};
static const double times_ns[VARIANTS] = {100, 50, 25, 75};
static const char *const scenarios[SCENARIOS] = {"s1", "s2"};

static struct pb_facts make_facts(struct pb_arena *arena, const struct pb_fact *facts, size_t n)
{
    struct pb_facts made = {.items = pb_arena_array(arena, n, sizeof *made.items), .n = n};
    memcpy(made.items, facts, n * sizeof *facts);
    return made;
}

static void describe(struct pb_arena *arena, struct pb_run_record *run)
{
    static const struct pb_fact machine[] = {
        {"arch", "x86_64"},     {"cpu", "Imagined CPU"}, {"family", "25"},
        {"fingerprint", "f1"},  {"libc", "glibc 2.36"},  {"model", "1"},
        {"vendor", "Imagined"},
    };
    static const struct pb_fact build[] = {
        {"build_type", "Release"}, {"compiler", "gcc 12.2.0"}, {"flags", "-O3"},
        {"optimized", "true"},     {"suite", "imagined"},
    };
    static const struct pb_fact commit[] = {
        {"branch", "main"}, {"committed_at", "2026-01-31T02:00:00Z"},
        {"dirty", "false"}, {"id", "0123456789abcdef0123456789abcdef01234567"},
        {"state", "ok"},    {"subject", "a commit"},
    };
    run->machine = make_facts(arena, machine, sizeof machine / sizeof machine[0]);
    run->build = make_facts(arena, build, sizeof build / sizeof build[0]);
    run->commit = make_facts(arena, commit, sizeof commit / sizeof commit[0]);
}

static struct pb_launch_record *make_launches(struct pb_arena *arena, double time_ns)
{
    struct pb_launch_record *launches = pb_arena_array(arena, LAUNCHES, sizeof *launches);
    for (uint32_t k = 0; k < LAUNCHES; k++) {
        launches[k] = (struct pb_launch_record){
            .launch = k,
            .n_slices = 60,
            .iterations = 500,
            .min_ns = time_ns,
            .p05_ns = time_ns,
            .median_ns = time_ns,
        };
    }
    return launches;
}

static struct pb_benchmark_record make_benchmark(struct pb_arena *arena, const char *scenario,
                                                 unsigned variant)
{
    struct pb_benchmark_record made = {
        .name = pb_arena_printf(arena, "cql/batch/%s/%s", scenario, variants[variant]),
        .case_name = "cql/batch",
        .scenario = scenario,
        .variant = variants[variant],
        .flags = flags[variant],
        .best_ns = times_ns[variant],
        .median_ns = times_ns[variant],
        .cpu_ns = times_ns[variant],
        .repeats = 60 * LAUNCHES,
        .iterations = 500,
        .instructions = -1,
        .counts = pb_arena_array(arena, 3, sizeof *made.counts),
        .n_counts = 3,
        .launches = make_launches(arena, times_ns[variant]),
        .n_launches = LAUNCHES,
    };
    made.counts[0] = (struct pb_count_record){"allocations", 0, true};
    made.counts[1] = (struct pb_count_record){"bytes", 5384, true};
    made.counts[2] = (struct pb_count_record){"writes", variant == 0 ? 10 : 1, true};
    return made;
}

static struct pb_pair_record make_pair(struct pb_arena *arena, const char *scenario,
                                       unsigned variant)
{
    struct pb_pair_record made = {
        .case_name = "cql/batch",
        .scenario = scenario,
        .a = "old",
        .b = variants[variant],
        .gated = flags[variant] == 0,
        .d = pb_arena_array(arena, LAUNCHES, sizeof *made.d),
        .launch = pb_arena_array(arena, LAUNCHES, sizeof *made.launch),
        .n_launches = LAUNCHES,
        .timed_s = 1,
        .verdict = PB_VERDICT_IMPROVED,
    };
    for (uint32_t k = 0; k < LAUNCHES; k++) {
        made.launch[k] = k;
    }
    synthetic_set_ratio(&made, times_ns[variant] / times_ns[0], 0.1);
    return made;
}

struct pb_run_record synthetic_run(struct pb_arena *arena, unsigned number)
{
    struct pb_run_record run = {
        .id = pb_arena_printf(arena, "%08x-0000-4000-8000-000000000000", number),
        .started_at = 1769824800 + 60 * (int64_t)number,
        .label = "",
        .patterns = "",
        .tool_version = "0.1.0",
        .seed = number,
        .launches = LAUNCHES,
        .valid = true,
        .wall_s = 3,
        .timed_s = 1,
        .start_ms = 2,
        .benchmarks = pb_arena_array(arena, SCENARIOS * VARIANTS, sizeof *run.benchmarks),
        .pairs = pb_arena_array(arena, SCENARIOS * VARIANTS, sizeof *run.pairs),
    };
    describe(arena, &run);
    for (unsigned s = 0; s < SCENARIOS; s++) {
        for (unsigned v = 0; v < VARIANTS; v++) {
            run.benchmarks[run.n_benchmarks++] = make_benchmark(arena, scenarios[s], v);
            if (v > 0) {
                run.pairs[run.n_pairs++] = make_pair(arena, scenarios[s], v);
            }
        }
    }
    return run;
}

struct pb_benchmark_record *synthetic_benchmark(struct pb_run_record *run, const char *scenario,
                                                const char *variant)
{
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        if (strcmp(benchmark->scenario, scenario) == 0 &&
            strcmp(benchmark->variant, variant) == 0) {
            return benchmark;
        }
    }
    fail_msg("no benchmark %s/%s", scenario, variant);
    return NULL;
}

struct pb_pair_record *synthetic_pair(struct pb_run_record *run, const char *scenario,
                                      const char *variant)
{
    for (size_t i = 0; i < run->n_pairs; i++) {
        if (strcmp(run->pairs[i].scenario, scenario) == 0 &&
            strcmp(run->pairs[i].b, variant) == 0) {
            return &run->pairs[i];
        }
    }
    fail_msg("no pair %s/%s", scenario, variant);
    return NULL;
}

struct pb_count_record *synthetic_count(struct pb_benchmark_record *benchmark, const char *name)
{
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        if (strcmp(benchmark->counts[i].name, name) == 0) {
            return &benchmark->counts[i];
        }
    }
    fail_msg("no count %s", name);
    return NULL;
}

void synthetic_set_ratio(struct pb_pair_record *pair, double ratio, double half_width_pct)
{
    const double half_width = log1p(half_width_pct / 100);
    pair->estimate = log(ratio);
    pair->lo = pair->estimate - half_width;
    pair->hi = pair->estimate + half_width;
    for (size_t k = 0; k < pair->n_launches; k++) {
        pair->d[k] = pair->estimate + (k % 2 == 0 ? half_width : -half_width);
    }
}

void synthetic_drop(struct pb_run_record *run, const char *scenario)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        if (strcmp(run->benchmarks[i].scenario, scenario) != 0) {
            run->benchmarks[n++] = run->benchmarks[i];
        }
    }
    run->n_benchmarks = n;
    n = 0;
    for (size_t i = 0; i < run->n_pairs; i++) {
        if (strcmp(run->pairs[i].scenario, scenario) != 0) {
            run->pairs[n++] = run->pairs[i];
        }
    }
    run->n_pairs = n;
}

void synthetic_spoil(struct pb_run_record *run, const char *scenario, const char *variant,
                     enum pb_state state, const char *reason)
{
    struct pb_benchmark_record *benchmark = synthetic_benchmark(run, scenario, variant);
    benchmark->state = state;
    benchmark->reason = reason;
    benchmark->best_ns = benchmark->median_ns = benchmark->cpu_ns = NAN;
    benchmark->n_launches = 0;
    benchmark->repeats = 0;
    for (size_t i = 0; i < run->n_pairs; i++) {
        struct pb_pair_record *pair = &run->pairs[i];
        if (strcmp(pair->scenario, scenario) == 0 &&
            (strcmp(pair->a, variant) == 0 || strcmp(pair->b, variant) == 0)) {
            pair->verdict = state == PB_STATE_FAILED ? PB_VERDICT_FAILED : PB_VERDICT_SKIPPED;
            pair->reason = reason;
            pair->n_launches = 0;
            pair->estimate = NAN;
            pair->lo = -INFINITY;
            pair->hi = INFINITY;
        }
    }
}

void synthetic_set_fact(struct pb_facts *facts, const char *key, const char *value)
{
    for (size_t i = 0; i < facts->n; i++) {
        if (strcmp(facts->items[i].key, key) == 0) {
            facts->items[i].value = value;
            return;
        }
    }
    fail_msg("no fact %s", key);
}

void synthetic_rename(struct pb_arena *arena, struct pb_run_record *run, const char *scenario,
                      const char *name)
{
    for (size_t i = 0; i < run->n_benchmarks; i++) {
        struct pb_benchmark_record *benchmark = &run->benchmarks[i];
        if (strcmp(benchmark->scenario, scenario) == 0) {
            benchmark->scenario = name;
            benchmark->name =
                pb_arena_printf(arena, "%s/%s/%s", benchmark->case_name, name, benchmark->variant);
        }
    }
    for (size_t i = 0; i < run->n_pairs; i++) {
        if (strcmp(run->pairs[i].scenario, scenario) == 0) {
            run->pairs[i].scenario = name;
        }
    }
}
