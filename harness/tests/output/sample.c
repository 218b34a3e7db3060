/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeded, so that every test sees the same numbers; the sizes are those of real encoders.
 */
#include "sample.h"

#include "output/folder.h"
#include "stats/random.h"
#include "stats/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <ftw.h>

/* 300 characters, alike up to the last one. */
#define TEN(x)     x x x x x x x x x x
#define LONG(last) TEN("a_long_name_with_no_end_to_it_") last

const char *const sample_hostile_names[] = {
    "plain",
    "a-b",
    "a b",
    "quote\"single'back`tick",
    "pipe|percent%dollar$HOME",
    "$(touch PWNED)",
    "`touch PWNED`",
    "\"; system(\"touch PWNED\"); \"",
    "'; system('touch PWNED'); '",
    "new\nline",
    "tab\tand\rreturn",
    "back\\slash\\n\\x41",
    "<script>alert(1)</script>",
    "</title></style><img src=x onerror=alert(1)>",
    "]]>&amp;&lt;&#60;",
    "{{title}}",
    "@someone #123 https://example.org/ [x](javascript:alert(1))",
    "**bold** _em_ ~~gone~~ | --- |",
    "bell\a escape\033[31m del\177",
    "c1 \xc2\x9b 31m",
    "invalid \xff\xfe utf-8 \xc3",
    "overlong \xc0\xaf",
    "größe µ 日本語 🙂",
    "rtl \xe2\x80\xae gpj\xe2\x80\xac",
    "# comment",
    "NaN",
    "-",
    "1e5",
    "{/Bold=40 x}_a^b@c",
    "%s%n%d",
    "no character \xef\xbf\xbe\xef\xbf\xbf",
    " leading and trailing ",
    LONG("1"),
    LONG("2"),
};
const size_t sample_n_hostile_names = sizeof sample_hostile_names / sizeof sample_hostile_names[0];

/* How a case of the realistic run looks. */
struct shape {
    const char *name;
    const char *const *scenarios;
    size_t n_scenarios;
    double old_ns;  /* typical       */
    double speedup; /* typical       */
};

static const char *const batch_scenarios[] = {
    "10q_2p_vec128",
    "10q_2p_vec768",
    "50q_2p_vec128",
    "10q_10p_text",
    "50q_10p_text",
    "10q_2p_unprepared",
    "empty",
    "mixed_prepared_unprepared",
    "null_unset_12p",
    "one_parameter",
    "fifty_parameters",
    "one_blob_1MiB",
    "1000_queries",
};
static const char *const batch_fd_scenarios[] = {
    "10q_2p_vec128_fd",
    "50q_2p_vec128_fd",
    "50q_10p_text_fd",
    "mixed_prepared_unprepared_fd",
};
static const char *const value_scenarios[] = {"value", "null_unset_12p"};

static const struct shape shapes[] = {
    {"cql/batch_send_body", batch_scenarios, 13, 4000, 1.9},
    {"cql/batch_send_body_fd", batch_fd_scenarios, 4, 60000, 22},
    {"cql/write_value", value_scenarios, 2, 40, 1.2},
};

static const char *const variants[] = {"old", "new", "floor", "libreference"};
static const unsigned variant_flags[] = {0, 0, PB_BENCHMARK_BOUND, PB_BENCHMARK_REFERENCE};

/* Uniform in [-1, 1). */
static double jitter(struct pb_random *random)
{
    return 2 * pb_random_unit(random) - 1;
}

static void make_counts(struct pb_arena *arena, struct pb_benchmark_record *benchmark, bool old)
{
    benchmark->n_counts = 2;
    benchmark->counts = pb_arena_array(arena, 2, sizeof *benchmark->counts);
    benchmark->counts[0] = (struct pb_count_record){"bytes", 5384, true};
    benchmark->counts[1] = (struct pb_count_record){"writes", old ? 83 : 1, true};
    benchmark->instructions = -1;
}

static struct pb_benchmark_record make_benchmark(struct pb_arena *arena, const char *case_name,
                                                 const char *scenario, size_t variant,
                                                 double best_ns)
{
    struct pb_benchmark_record benchmark = {
        .name = pb_arena_printf(arena, "%s/%s/%s", case_name, scenario, variants[variant]),
        .case_name = case_name,
        .scenario = scenario,
        .variant = variants[variant],
        .flags = variant_flags[variant],
        .best_ns = best_ns,
        .median_ns = best_ns * 1.04,
        .cpu_ns = best_ns * 1.03,
        .repeats = 2400,
        .iterations = 160,
    };
    make_counts(arena, &benchmark, variant == 0);
    return benchmark;
}

static struct pb_pair_record make_pair(const char *case_name, const char *scenario, size_t variant,
                                       double estimate, double half_width)
{
    const struct pb_interval interval = {estimate, estimate - half_width, estimate + half_width};
    return (struct pb_pair_record){
        .case_name = case_name,
        .scenario = scenario,
        .a = variants[0],
        .b = variants[variant],
        .gated = variant == 1,
        .n_launches = 40,
        .estimate = interval.estimate,
        .lo = interval.lo,
        .hi = interval.hi,
        .timed_s = 0.31,
        .stopped = "every interval is narrow enough",
        .verdict =
            pb_pair_verdict(interval, (struct pb_margins){PB_GATE_MARGIN, PB_EQUIVALENCE_MARGIN}),
    };
}

/* All sides and pairs of one scenario. */
static void make_scenario(struct sample *sample, struct pb_random *random,
                          const struct shape *shape, size_t row)
{
    const char *scenario = shape->scenarios[row];
    const double old_ns = shape->old_ns * exp(1.5 * jitter(random));
    const double log_speedup = log(shape->speedup) * (1 + 0.3 * jitter(random));
    const double logs[] = {0, -log_speedup, -log_speedup - 0.2, -log_speedup * 0.7};
    struct pb_run_record *run = &sample->run;
    for (size_t v = 0; v < 4; v++) {
        run->benchmarks[run->n_benchmarks++] =
            make_benchmark(&sample->arena, shape->name, scenario, v, old_ns * exp(logs[v]));
    }
    for (size_t v = 1; v < 4; v++) {
        run->pairs[run->n_pairs++] =
            make_pair(shape->name, scenario, v, logs[v], 0.002 + 0.004 * pb_random_unit(random));
    }
}

static struct pb_facts make_facts(struct pb_arena *arena, const struct pb_fact *items, size_t n)
{
    struct pb_facts facts = {pb_arena_array(arena, n, sizeof *items), n};
    memcpy(facts.items, items, n * sizeof *items);
    return facts;
}

static void make_provenance(struct sample *sample)
{
    static const struct pb_fact machine[] = {
        {"arch", "x86_64"},    {"cpu", "AMD EPYC 7B13"},   {"cpus", "2"},
        {"hypervisor", "KVM"}, {"kernel", "Linux 6.1.0"},  {"libc", "glibc 2.36"},
        {"model", "1"},        {"vendor", "AuthenticAMD"},
    };
    static const struct pb_fact build[] = {
        {"build_type", "Release"}, {"compiler", "gcc 12.2.0"}, {"flags", "-O3 -DNDEBUG"}};
    static const struct pb_fact commit[] = {
        {"branch", "main"},
        {"dirty", "false"},
        {"id", "3f1c2d4e5a6b7c8d9e0f1a2b3c4d5e6f70819203"},
        {"subject", "cql: one write for a batch"},
    };
    struct pb_run_record *run = &sample->run;
    run->machine = make_facts(&sample->arena, machine, sizeof machine / sizeof machine[0]);
    run->build = make_facts(&sample->arena, build, sizeof build / sizeof build[0]);
    run->commit = make_facts(&sample->arena, commit, sizeof commit / sizeof commit[0]);
}

static struct pb_pair_record *find_pair(struct sample *sample, const char *scenario)
{
    for (size_t i = 0; i < sample->run.n_pairs; i++) {
        struct pb_pair_record *pair = &sample->run.pairs[i];
        if (strcmp(pair->scenario, scenario) == 0 && pair->gated) {
            return pair;
        }
    }
    return NULL;
}

static struct pb_benchmark_record *find_benchmark(struct sample *sample, const char *name)
{
    for (size_t i = 0; i < sample->run.n_benchmarks; i++) {
        if (strcmp(sample->run.benchmarks[i].name, name) == 0) {
            return &sample->run.benchmarks[i];
        }
    }
    return NULL;
}

static void lose_pair(struct pb_pair_record *pair, enum pb_verdict verdict, const char *reason)
{
    pair->estimate = NAN;
    pair->lo = -INFINITY;
    pair->hi = INFINITY;
    pair->n_launches = 0;
    pair->verdict = verdict;
    pair->reason = reason;
}

static void lose_benchmark(struct pb_benchmark_record *benchmark, enum pb_state state,
                           const char *reason)
{
    benchmark->state = state;
    benchmark->reason = reason;
    benchmark->best_ns = benchmark->median_ns = benchmark->cpu_ns = NAN;
    benchmark->repeats = 0;
}

/* What does not go well in the realistic run. */
static void make_trouble(struct sample *sample)
{
    static const char crash[] = "ended by signal 11 (Segmentation fault) in launch 3";
    lose_benchmark(find_benchmark(sample, "cql/batch_send_body/empty/new"), PB_STATE_FAILED, crash);
    lose_pair(find_pair(sample, "empty"), PB_VERDICT_FAILED, NULL);
    lose_benchmark(find_benchmark(sample, "cql/batch_send_body/one_parameter/libreference"),
                   PB_STATE_SKIPPED, "the library is not installed");
    struct pb_benchmark_record *fast = find_benchmark(sample, "cql/write_value/value/new");
    lose_benchmark(fast, PB_STATE_OK, "one operation takes less than 0.3 ns");
    fast->below_resolution = true;
    lose_pair(find_pair(sample, "value"), PB_VERDICT_BELOW_RESOLUTION, NULL);
    struct pb_pair_record *slower = find_pair(sample, "one_blob_1MiB");
    *slower = make_pair(slower->case_name, slower->scenario, 1, 0.012, 0.003);
    struct pb_pair_record *wide = find_pair(sample, "1000_queries");
    *wide = make_pair(wide->case_name, wide->scenario, 1, -0.01, 0.05);
}

static struct pb_finding make_finding(const char *name, const char *gate, const char *metric,
                                      double baseline, double now)
{
    return (struct pb_finding){
        .name = name,
        .gate = gate,
        .metric = metric,
        .baseline = baseline,
        .now = now,
        .change_pct = NAN,
        .lo_pct = NAN,
        .hi_pct = NAN,
    };
}

static void make_findings(struct sample *sample)
{
    const struct pb_run_record *run = &sample->run;
    struct pb_check_record *check = &sample->check;
    static const char *const baselines[] = {"baselines/counts.jsonl",
                                            "baselines/x86_64-authenticamd-25-1.jsonl"};
    check->baselines = baselines;
    check->n_baselines = 2;
    check->exit_code = 3;
    check->findings = pb_arena_array(&sample->arena, run->n_pairs + 8, sizeof *check->findings);
    for (size_t i = 0; i < run->n_pairs; i++) {
        const struct pb_pair_record *pair = &run->pairs[i];
        if (!pair->gated || !isfinite(pair->estimate)) {
            continue;
        }
        const double ratio = exp(pair->estimate);
        check->findings[check->n_findings++] = (struct pb_finding){
            .name = pb_arena_printf(&sample->arena, "%s/%s/%s", pair->case_name, pair->scenario,
                                    pair->b),
            .gate = "ratio",
            .metric = "new/old",
            .baseline = ratio,
            .now = ratio * (i == 0 ? 1.103 : 1.001),
            .change_pct = i == 0 ? 10.3 : 0.1,
            .lo_pct = i == 0 ? 9.8 : -0.5,
            .hi_pct = i == 0 ? 10.8 : 0.7,
            .verdict = i == 0 ? PB_VERDICT_REGRESSED : PB_VERDICT_UNCHANGED,
            .fails = i == 0,
        };
    }
    struct pb_finding more[] = {
        make_finding("cql/batch_send_body/empty/new", "ratio", "new/old", 0.5, NAN),
        make_finding("cql/batch_send_body/gone/new", "ratio", "new/old", 0.5, NAN),
        make_finding("cql/write_value/value/new", "counts", "writes", 1, 3),
        make_finding("cql/write_value/value/old", "counts", "allocations", 0, 5),
        make_finding("cql/write_value/value/old", "counts", "writes", 0, 0),
    };
    more[0].verdict = PB_VERDICT_FAILED;
    more[0].reason = "ended by signal 11 (Segmentation fault) in launch 3";
    more[1].verdict = PB_VERDICT_MISSING;
    more[1].reason = "in the baseline, not in this run";
    more[2].verdict = more[3].verdict = PB_VERDICT_REGRESSED;
    more[2].change_pct = 200;
    more[3].change_pct = INFINITY;
    more[4].verdict = PB_VERDICT_UNCHANGED;
    more[4].change_pct = 0;
    for (size_t i = 0; i < 4; i++) {
        more[i].fails = true;
    }
    memcpy(check->findings + check->n_findings, more, sizeof more);
    check->n_findings += sizeof more / sizeof more[0];
}

/* Nights of one pair up to the run; a step down two thirds of the way in every fourth pair. */
static void make_nights(struct sample *sample, struct pb_random *random, size_t n_runs,
                        size_t pair_number)
{
    const struct pb_pair_record *pair = &sample->run.pairs[pair_number];
    const double base = isfinite(pair->estimate) ? pair->estimate : -0.6;
    for (size_t night = 0; night < n_runs; night++) {
        const bool stepped = pair_number % 4 == 0 && night < 2 * n_runs / 3;
        const double estimate = base + 0.002 * jitter(random) - (stepped ? 0.02 : 0);
        const double half_width = 0.002 + 0.003 * pb_random_unit(random);
        const bool last = night + 1 == n_runs;
        sample->trend[sample->n_trend++] = (struct pb_trend_point){
            .run_id = last ? sample->run.id : pb_arena_printf(&sample->arena, "run-%04zu", night),
            .started_at = sample->run.started_at - (int64_t)(n_runs - 1 - night) * 86400,
            .commit_id = pb_arena_printf(&sample->arena, "%040zx", night * 7919),
            .machine = night < n_runs / 3 ? "x86_64-one" : "x86_64-two",
            .case_name = pair->case_name,
            .scenario = pair->scenario,
            .a = pair->a,
            .b = pair->b,
            .estimate = last ? pair->estimate : estimate,
            .lo = last ? pair->lo : estimate - half_width,
            .hi = last ? pair->hi : estimate + half_width,
            .injected = night == n_runs / 2 && pair_number % 5 == 0 && !last,
        };
    }
}

static void make_trend(struct sample *sample, size_t n_runs, struct pb_random *random)
{
    sample->trend =
        pb_arena_array(&sample->arena, n_runs * sample->run.n_pairs, sizeof *sample->trend);
    for (size_t i = 0; i < sample->run.n_pairs; i++) {
        make_nights(sample, random, n_runs, i);
    }
}

static void begin_run(struct sample *sample, size_t n_benchmarks, size_t n_pairs)
{
    sample->run = (struct pb_run_record){
        .id = "0b9c3a52-7d1e-4c55-9a53-6f2f8f1d2c3b",
        .started_at = 1769824800, /* 2026-01-31T02:00:00Z */
        .label = "",
        .patterns = "",
        .tool_version = "0.1.0",
        .seed = UINT64_C(13835058055282163712),
        .launches = 96,
        .adaptive = true,
        .valid = true,
        .wall_s = 74.2,
        .timed_s = 51.9,
        .start_ms = 3.12,
        .kernels_ns = {1.5, 4.25}, /* there was not enough memory for the third */
        .benchmarks = pb_arena_array(&sample->arena, n_benchmarks, sizeof *sample->run.benchmarks),
        .pairs = pb_arena_array(&sample->arena, n_pairs, sizeof *sample->run.pairs),
    };
}

void sample_make(struct sample *sample, size_t n_runs)
{
    *sample = (struct sample){0};
    struct pb_random random;
    pb_random_init(&random, 5);
    begin_run(sample, 4 * 19, 3 * 19);
    make_provenance(sample);
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (size_t row = 0; row < shapes[s].n_scenarios; row++) {
            make_scenario(sample, &random, &shapes[s], row);
        }
    }
    make_trouble(sample);
    make_findings(sample);
    make_trend(sample, n_runs, &random);
}

/* Two sides of one scenario, all of whose texts are hostile. */
static void add_hostile_scenario(struct sample *sample, size_t number)
{
    struct pb_run_record *run = &sample->run;
    const char *name = sample_hostile_names[number];
    const char *case_name = sample_hostile_names[number % 7 == 0 ? number : number - number % 7];
    for (size_t v = 0; v < 2; v++) {
        struct pb_benchmark_record benchmark =
            make_benchmark(&sample->arena, case_name, name, v, 100.0 + (double)(number + v));
        benchmark.variant = v == 0 ? "old" : case_name;
        benchmark.name =
            pb_arena_printf(&sample->arena, "%s/%s/%s", case_name, name, benchmark.variant);
        benchmark.reason = name;
        benchmark.state = number % 5 == 4 && v == 1 ? PB_STATE_FAILED : PB_STATE_OK;
        benchmark.counts[0].name = name;
        run->benchmarks[run->n_benchmarks++] = benchmark;
    }
    struct pb_pair_record pair = make_pair(case_name, name, 1, -0.5, 0.01);
    pair.b = case_name;
    pair.reason = name;
    run->pairs[run->n_pairs++] = pair;
    sample->check.findings[sample->check.n_findings++] = (struct pb_finding){
        .name = run->benchmarks[run->n_benchmarks - 1].name,
        .gate = "counts",
        .metric = name,
        .baseline = 1,
        .now = (double)number,
        .change_pct = 100.0 * ((double)number - 1),
        .lo_pct = NAN,
        .hi_pct = NAN,
        .verdict = (enum pb_verdict)(number % PB_VERDICTS),
        .reason = name,
    };
}

static struct pb_facts hostile_facts(struct sample *sample)
{
    struct pb_facts facts = {
        pb_arena_array(&sample->arena, sample_n_hostile_names + 4, sizeof *facts.items), 0};
    for (size_t i = 0; i < sample_n_hostile_names; i++) {
        facts.items[facts.n++] = (struct pb_fact){sample_hostile_names[i], sample_hostile_names[i]};
    }
    static const char *const shown[] = {"id", "branch", "subject", "cpu"};
    for (size_t i = 0; i < 4; i++) {
        facts.items[facts.n++] = (struct pb_fact){shown[i], sample_hostile_names[12 + i]};
    }
    return facts;
}

void sample_make_hostile(struct sample *sample)
{
    *sample = (struct sample){0};
    begin_run(sample, 2 * sample_n_hostile_names, sample_n_hostile_names);
    struct pb_random random;
    pb_random_init(&random, 6);
    sample->run.label = "k=<b>`v`</b>\n";
    sample->run.patterns = "cql/*\na\\nb<*>\n";
    sample->run.valid = false;
    sample->run.invalid_reason = "<script>alert('invalid')</script>";
    sample->run.machine = sample->run.build = sample->run.commit = hostile_facts(sample);
    sample->check.findings =
        pb_arena_array(&sample->arena, sample_n_hostile_names, sizeof *sample->check.findings);
    sample->check.baselines = sample_hostile_names;
    sample->check.n_baselines = sample_n_hostile_names;
    sample->check.note = "<script>alert('note')</script> `touch PWNED`";
    for (size_t i = 0; i < sample_n_hostile_names; i++) {
        add_hostile_scenario(sample, i);
    }
    make_trend(sample, 3, &random);
    for (size_t i = 0; i < sample->n_trend; i++) {
        sample->trend[i].machine = sample->trend[i].commit_id = sample_hostile_names[i / 3];
    }
}

void sample_release(struct sample *sample)
{
    pb_arena_release(&sample->arena);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

const char *sample_directory(struct pb_arena *arena, const char *name)
{
    const char *path = pb_arena_printf(arena, "%s/output-%s", PB_TEST_BUILD, name);
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    struct pb_error err;
    if (pb_folder_make(path, &err) != PB_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return path;
}
