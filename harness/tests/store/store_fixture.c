/* SPDX-License-Identifier: Apache-2.0
 *
 * The members are listed here a second time, on purpose: the store's own list of columns can't show
 * that something was left out of it.
 */
#include "store_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEN(text)     text text text text text text text text text text
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
#define MEMBER(type, x, kind)                                                                      \
    {                                                                                              \
#type "." #x, kind, offsetof(struct type, x), sizeof(__typeof__(((struct type *)0)->x)),   \
            _Alignof(__typeof__(((struct type *)0)->x))                                            \
    }

const char *const fixture_names[] = {
    "a/b",
    "a-b",
    "quotes \"double\" 'single' `back` $(id) ${HOME} \\ %s %n | ; & #",
    "<script>alert(1)</script>",
    "line\nbreak\r\ttab\x01\x1b[31mred\x7f",
    "not UTF-8: \xff\xfe\xc0\x80\xed\xa0\x80 end",
    "UTF-8: \xc3\xa9 \xe4\xb8\xad \xf0\x9f\x90\x88 \xc2\x85",
    TEN(TEN("n")) "first", /* equal first 100 characters */
    TEN(TEN("n")) "second",
    TEN(TEN("300")),
    "",
};
const size_t fixture_n_names = LENGTH(fixture_names);

enum { SLICES = 60 };

static const double reals[] = {0,   1.5,      -2.25,     1e-300, 1.7976931348623157e308,
                               NAN, INFINITY, -INFINITY, 0.1,    1.0 / 3};

/* Value i of a sequence that begins anew in each run. */
static double real(unsigned number, size_t i)
{
    return reals[(number + i) % LENGTH(reals)];
}

static struct pb_facts make_facts(struct pb_arena *arena, const char *const (*pairs)[2], size_t n)
{
    struct pb_facts facts = {.items = pb_arena_array(arena, n, sizeof *facts.items), .n = n};
    for (size_t i = 0; i < n; i++) {
        facts.items[i] = (struct pb_fact){pairs[i][0], pairs[i][1]};
    }
    return facts;
}

static struct pb_launch_record make_launch(struct pb_arena *arena, unsigned number, size_t i)
{
    struct pb_launch_record launch = {
        .launch = (uint32_t)(i * i * 7), /* not one after the other */
        .n_slices = SLICES,
        .iterations = i == 1 ? UINT64_MAX : 1000 + i,
        .min_ns = real(number, i),
        .p05_ns = real(number, i + 1),
        .median_ns = real(number, i + 2),
        .mad_ns = real(number, i + 3),
    };
    if (i % 3 != 2) { /* every third one was pruned */
        float *samples = pb_arena_array(arena, SLICES, sizeof *samples);
        for (size_t k = 0; k < SLICES; k++) {
            samples[k] = (float)number + (float)k / 3;
        }
        samples[SLICES - 1] = INFINITY;
        launch.samples_ns = samples;
    }
    return launch;
}

static void make_counts(struct pb_arena *arena, struct pb_benchmark_record *benchmark)
{
    const struct pb_count_record counts[] = {
        {"bytes", INT64_MAX, true},
        {"reads \xff", 0, false},
        {"writes", -1, true},
    };
    benchmark->counts = pb_arena_array(arena, LENGTH(counts), sizeof *counts);
    benchmark->n_counts = LENGTH(counts);
    for (size_t i = 0; i < LENGTH(counts); i++) {
        benchmark->counts[i] = counts[i];
    }
}

static struct pb_benchmark_record make_benchmark(struct pb_arena *arena, unsigned number, size_t i)
{
    const char *name = fixture_names[i];
    struct pb_benchmark_record benchmark = {
        .name = pb_arena_printf(arena, "%s/sc/new", name),
        .case_name = name,
        .scenario = "sc",
        .variant = "new",
        .flags = (unsigned)i % 4,
        .state = (enum pb_state)(i % 3),
        .reason = i % 3 != 0 ? "killed by signal 11\nin \xff" : NULL,
        .below_resolution = i % 4 == 3,
        .best_ns = real(number, i),
        .median_ns = real(number, i + 1),
        .repeats = i % 2 == 0 ? UINT64_MAX : i,
        .iterations = i % 2 == 1 ? (uint64_t)INT64_MAX + 1 : i,
        .cpu_ns = real(number, i + 2),
        .inject_pct = real(number, i + 3),
        .instructions = i == 0 ? -1 : INT64_MAX,
    };
    if (i != 1) {
        make_counts(arena, &benchmark);
    }
    benchmark.n_launches = i % 5;
    benchmark.launches = pb_arena_array(arena, i % 5, sizeof *benchmark.launches);
    for (size_t k = 0; k < benchmark.n_launches; k++) {
        benchmark.launches[k] = make_launch(arena, number, k);
    }
    return benchmark;
}

static struct pb_pair_record make_pair(struct pb_arena *arena, unsigned number, size_t i)
{
    struct pb_pair_record pair = {
        .case_name = fixture_names[i % fixture_n_names],
        .scenario = "sc",
        .a = i < fixture_n_names ? "old" : "\xfe",
        .b = "new",
        .gated = i % 2 == 0,
        .n_launches = i % 4,
        .estimate = real(number, i),
        .lo = real(number, i + 1),
        .hi = real(number, i + 2),
        .timed_s = real(number, i + 3),
        .wall_s = real(number, i + 4),
        .verdict = (enum pb_verdict)(i % PB_VERDICTS),
        .reason = i % 2 == 0 ? NULL : "a \xff reason",
        .stopped = i % 3 == 0 ? NULL : "interval narrow enough",
        .noticed = i % 2 == 0 ? NULL : "modal 18 %",
        .variant = i % 4 == 0 ? "new" : NULL,
    };
    pair.d = pb_arena_array(arena, pair.n_launches, sizeof *pair.d);
    pair.launch = pb_arena_array(arena, pair.n_launches, sizeof *pair.launch);
    for (size_t k = 0; k < pair.n_launches; k++) {
        pair.d[k] = real(number, i + k);
        pair.launch[k] = (uint32_t)(k * UINT32_MAX / 3);
    }
    return pair;
}

struct pb_run_record fixture_run(struct pb_arena *arena, unsigned number)
{
    static const char *const machine[][2] = {
        {"arch", "x86_64"}, {"cpu", "Name \xff"}, {"vendor", "\"v\""}};
    static const char *const build[][2] = {{"compiler", "gcc 12"}, {"flags", "-O2\n'-g'"}};
    static const char *const commit[][2] = {
        {"branch", "main\x01"}, {"id", "0123456789abcdef"}, {"subject", ""}};
    struct pb_run_record run = {
        .id = pb_arena_printf(arena, "%08x-0000-4000-8000-%012x", number * 0x9E3779B1u, number),
        .started_at = number == 0 ? INT64_MIN : 1767225600 + (int64_t)number,
        .label = number % 2 == 0 ? "" : "k=\xff,l='\n",
        .patterns = number % 2 == 0 ? "" : "a/*\n\xff",
        .tool_version = "0.1.0",
        .seed = UINT64_MAX - number,
        .launches = UINT32_MAX,
        .quick = number % 2 == 1,
        .adaptive = number % 3 == 1,
        .injected = number % 3 == 1,
        .valid = number % 4 != 1,
        .invalid_reason = number % 4 == 1 ? "A/A rejected" : NULL,
        .wall_s = real(number, 0),
        .timed_s = real(number, 1),
        .start_ms = real(number, 2),
        .plan = number % 3 == 2 ? NULL : "looks 16 24; until ± 0.4 %",
        .noticed = number % 3 == 1 ? "pressure 62 %\nmodal in 1 pair" : NULL,
        .kernels_ns = {real(number, 3), real(number, 4), real(number, 5)},
        .machine = make_facts(arena, machine, LENGTH(machine)),
        .build = make_facts(arena, build, LENGTH(build)),
        .commit = make_facts(arena, commit, LENGTH(commit)),
        .n_benchmarks = fixture_n_names,
        .n_pairs = (size_t)PB_VERDICTS + 2,
    };
    run.benchmarks = pb_arena_array(arena, run.n_benchmarks, sizeof *run.benchmarks);
    for (size_t i = 0; i < run.n_benchmarks; i++) {
        run.benchmarks[i] = make_benchmark(arena, number, i);
    }
    run.pairs = pb_arena_array(arena, run.n_pairs, sizeof *run.pairs);
    for (size_t i = 0; i < run.n_pairs; i++) {
        run.pairs[i] = make_pair(arena, number, i);
    }
    return run;
}

enum kind {
    TEXT, /* const char *, may be NULL       */
    REAL, /* double; NaN equals NaN          */
    BITS, /* compared byte by byte           */
    LIST, /* compared by the functions below */
};

struct member {
    const char *name;
    enum kind kind;
    size_t offset;
    size_t bytes;
    size_t alignment;
};

static const struct member run_members[] = {
    MEMBER(pb_run_record, id, TEXT),
    MEMBER(pb_run_record, started_at, BITS),
    MEMBER(pb_run_record, label, TEXT),
    MEMBER(pb_run_record, patterns, TEXT),
    MEMBER(pb_run_record, tool_version, TEXT),
    MEMBER(pb_run_record, seed, BITS),
    MEMBER(pb_run_record, launches, BITS),
    MEMBER(pb_run_record, quick, BITS),
    MEMBER(pb_run_record, adaptive, BITS),
    MEMBER(pb_run_record, injected, BITS),
    MEMBER(pb_run_record, valid, BITS),
    MEMBER(pb_run_record, invalid_reason, TEXT),
    MEMBER(pb_run_record, wall_s, REAL),
    MEMBER(pb_run_record, timed_s, REAL),
    MEMBER(pb_run_record, start_ms, REAL),
    MEMBER(pb_run_record, noticed, TEXT),
    MEMBER(pb_run_record, plan, TEXT),
    MEMBER(pb_run_record, kernels_ns[0], REAL),
    MEMBER(pb_run_record, kernels_ns[1], REAL),
    MEMBER(pb_run_record, kernels_ns[2], REAL),
    MEMBER(pb_run_record, machine, LIST),
    MEMBER(pb_run_record, build, LIST),
    MEMBER(pb_run_record, commit, LIST),
    MEMBER(pb_run_record, benchmarks, LIST),
    MEMBER(pb_run_record, n_benchmarks, BITS),
    MEMBER(pb_run_record, pairs, LIST),
    MEMBER(pb_run_record, n_pairs, BITS),
};
static const struct member benchmark_members[] = {
    MEMBER(pb_benchmark_record, name, TEXT),
    MEMBER(pb_benchmark_record, case_name, TEXT),
    MEMBER(pb_benchmark_record, scenario, TEXT),
    MEMBER(pb_benchmark_record, variant, TEXT),
    MEMBER(pb_benchmark_record, flags, BITS),
    MEMBER(pb_benchmark_record, state, BITS),
    MEMBER(pb_benchmark_record, reason, TEXT),
    MEMBER(pb_benchmark_record, below_resolution, BITS),
    MEMBER(pb_benchmark_record, best_ns, REAL),
    MEMBER(pb_benchmark_record, median_ns, REAL),
    MEMBER(pb_benchmark_record, repeats, BITS),
    MEMBER(pb_benchmark_record, iterations, BITS),
    MEMBER(pb_benchmark_record, cpu_ns, REAL),
    MEMBER(pb_benchmark_record, inject_pct, REAL),
    MEMBER(pb_benchmark_record, counts, LIST),
    MEMBER(pb_benchmark_record, n_counts, BITS),
    MEMBER(pb_benchmark_record, instructions, BITS),
    MEMBER(pb_benchmark_record, launches, LIST),
    MEMBER(pb_benchmark_record, n_launches, BITS),
};
static const struct member count_members[] = {
    MEMBER(pb_count_record, name, TEXT),
    MEMBER(pb_count_record, value, BITS),
    MEMBER(pb_count_record, deterministic, BITS),
};
static const struct member launch_members[] = {
    MEMBER(pb_launch_record, launch, BITS),     MEMBER(pb_launch_record, n_slices, BITS),
    MEMBER(pb_launch_record, iterations, BITS), MEMBER(pb_launch_record, min_ns, REAL),
    MEMBER(pb_launch_record, p05_ns, REAL),     MEMBER(pb_launch_record, median_ns, REAL),
    MEMBER(pb_launch_record, mad_ns, REAL),     MEMBER(pb_launch_record, samples_ns, LIST),
};
static const struct member pair_members[] = {
    MEMBER(pb_pair_record, case_name, TEXT),  MEMBER(pb_pair_record, scenario, TEXT),
    MEMBER(pb_pair_record, variant, TEXT),    MEMBER(pb_pair_record, a, TEXT),
    MEMBER(pb_pair_record, b, TEXT),          MEMBER(pb_pair_record, gated, BITS),
    MEMBER(pb_pair_record, d, LIST),          MEMBER(pb_pair_record, launch, LIST),
    MEMBER(pb_pair_record, n_launches, BITS), MEMBER(pb_pair_record, estimate, REAL),
    MEMBER(pb_pair_record, lo, REAL),         MEMBER(pb_pair_record, hi, REAL),
    MEMBER(pb_pair_record, timed_s, REAL),    MEMBER(pb_pair_record, wall_s, REAL),
    MEMBER(pb_pair_record, verdict, BITS),    MEMBER(pb_pair_record, reason, TEXT),
    MEMBER(pb_pair_record, stopped, TEXT),    MEMBER(pb_pair_record, noticed, TEXT),
};
static const struct member fact_members[] = {
    MEMBER(pb_fact, key, TEXT),
    MEMBER(pb_fact, value, TEXT),
};

static int by_offset(const void *left, const void *right)
{
    const size_t x = ((const struct member *)left)->offset;
    const size_t y = ((const struct member *)right)->offset;
    return (x > y) - (x < y);
}

/* Between two members lies only what the alignment of the second takes. */
static void check_struct(const struct member *in_any_order, size_t n, size_t struct_bytes)
{
    struct member members[32];
    size_t end = 0;
    assert_true(n <= LENGTH(members));
    memcpy(members, in_any_order, n * sizeof *members);
    qsort(members, n, sizeof *members, by_offset);
    for (size_t i = 0; i < n; i++) {
        const size_t a = members[i].alignment;
        if (members[i].offset != (end + a - 1) / a * a) {
            fail_msg("a member before %s is not in the tables of store_fixture.c", members[i].name);
        }
        end = members[i].offset + members[i].bytes;
    }
    if (struct_bytes - end >= _Alignof(max_align_t) / 2) {
        fail_msg("a member behind %s is not in the tables of store_fixture.c", members[n - 1].name);
    }
}

void fixture_check_members(void)
{
    check_struct(run_members, LENGTH(run_members), sizeof(struct pb_run_record));
    check_struct(benchmark_members, LENGTH(benchmark_members), sizeof(struct pb_benchmark_record));
    check_struct(count_members, LENGTH(count_members), sizeof(struct pb_count_record));
    check_struct(launch_members, LENGTH(launch_members), sizeof(struct pb_launch_record));
    check_struct(pair_members, LENGTH(pair_members), sizeof(struct pb_pair_record));
    check_struct(fact_members, LENGTH(fact_members), sizeof(struct pb_fact));
}

static bool same_text(const char *x, const char *y)
{
    return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
}

static bool same_real(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static bool same_member(const struct member *member, const void *x, const void *y)
{
    switch (member->kind) {
    case TEXT:
        return same_text(*(const char *const *)x, *(const char *const *)y);
    case REAL:
        return same_real(*(const double *)x, *(const double *)y);
    case BITS:
        return memcmp(x, y, member->bytes) == 0;
    case LIST:
        break;
    }
    return true;
}

struct comparison {
    struct pb_strbuf *difference;
    size_t benchmark, pair, element; /* where it is */
};

static bool differ(struct comparison *at, const char *what)
{
    pb_strbuf_addf(at->difference, "%s (benchmark %zu, pair %zu, element %zu)", what, at->benchmark,
                   at->pair, at->element);
    return false;
}

static bool same_struct(struct comparison *at, const struct member *members, size_t n,
                        const void *x, const void *y)
{
    for (size_t i = 0; i < n; i++) {
        const size_t offset = members[i].offset;
        if (!same_member(&members[i], (const char *)x + offset, (const char *)y + offset)) {
            return differ(at, members[i].name);
        }
    }
    return true;
}

static bool same_facts(struct comparison *at, const struct pb_facts *x, const struct pb_facts *y)
{
    if (x->n != y->n) {
        return differ(at, "number of facts");
    }
    bool same = true;
    for (at->element = 0; same && at->element < x->n; at->element++) {
        same = same_struct(at, fact_members, LENGTH(fact_members), &x->items[at->element],
                           &y->items[at->element]);
    }
    return same;
}

static bool same_samples(struct comparison *at, const struct pb_launch_record *x,
                         const struct pb_launch_record *y)
{
    if (x->samples_ns == NULL || y->samples_ns == NULL) {
        return x->samples_ns == y->samples_ns || differ(at, "samples_ns: pruned");
    }
    return memcmp(x->samples_ns, y->samples_ns, x->n_slices * sizeof(float)) == 0 ||
           differ(at, "samples_ns");
}

static bool same_benchmark(struct comparison *at, const struct pb_benchmark_record *x,
                           const struct pb_benchmark_record *y)
{
    bool same = same_struct(at, benchmark_members, LENGTH(benchmark_members), x, y);
    for (at->element = 0; same && at->element < x->n_counts; at->element++) {
        same = same_struct(at, count_members, LENGTH(count_members), &x->counts[at->element],
                           &y->counts[at->element]);
    }
    for (at->element = 0; same && at->element < x->n_launches; at->element++) {
        const struct pb_launch_record *launch_x = &x->launches[at->element];
        const struct pb_launch_record *launch_y = &y->launches[at->element];
        same = same_struct(at, launch_members, LENGTH(launch_members), launch_x, launch_y) &&
               same_samples(at, launch_x, launch_y);
    }
    return same;
}

static bool same_pair(struct comparison *at, const struct pb_pair_record *x,
                      const struct pb_pair_record *y)
{
    bool same = same_struct(at, pair_members, LENGTH(pair_members), x, y);
    for (at->element = 0; same && at->element < x->n_launches; at->element++) {
        if (!same_real(x->d[at->element], y->d[at->element])) {
            same = differ(at, "pb_pair_record.d");
        } else if (x->launch[at->element] != y->launch[at->element]) {
            same = differ(at, "pb_pair_record.launch");
        }
    }
    return same;
}

bool fixture_same_run(const struct pb_run_record *x, const struct pb_run_record *y,
                      struct pb_strbuf *difference)
{
    struct comparison at = {.difference = difference};
    bool same = same_struct(&at, run_members, LENGTH(run_members), x, y) &&
                same_facts(&at, &x->machine, &y->machine) &&
                same_facts(&at, &x->build, &y->build) && same_facts(&at, &x->commit, &y->commit);
    for (at.benchmark = 0; same && at.benchmark < x->n_benchmarks; at.benchmark++) {
        same = same_benchmark(&at, &x->benchmarks[at.benchmark], &y->benchmarks[at.benchmark]);
    }
    for (at.pair = 0; same && at.pair < x->n_pairs; at.pair++) {
        same = same_pair(&at, &x->pairs[at.pair], &y->pairs[at.pair]);
    }
    return same;
}

void fixture_store_runs(const char *path, unsigned first, unsigned n)
{
    struct pb_error err = {0};
    struct pb_store *store = NULL;
    if (pb_store_open(path, PB_STORE_WRITE, &store, &err) != PB_OK) {
        fail_msg("%s", err.message);
    }
    for (unsigned i = first; i < first + n; i++) {
        struct pb_arena arena = {0};
        const struct pb_run_record run = fixture_run(&arena, i);
        if (pb_store_save_run(store, &run, &err) != PB_OK) {
            fail_msg("%s", err.message);
        }
        pb_arena_release(&arena);
    }
    pb_store_close(store);
}

static bool holds_run(struct pb_store *store, unsigned number, struct pb_strbuf *why)
{
    struct pb_arena arena = {0};
    struct pb_error err = {0};
    const struct pb_run_record expected = fixture_run(&arena, number);
    struct pb_run_record found = {0};
    bool same = false;
    pb_strbuf_addf(why, "run %u: ", number);
    if (pb_store_load_run(store, expected.id, &arena, &found, &err) != PB_OK) {
        pb_strbuf_adds(why, err.message);
    } else {
        same = fixture_same_run(&expected, &found, why);
    }
    pb_arena_release(&arena);
    return same;
}

bool fixture_holds_runs(const char *path, unsigned first, unsigned n, struct pb_strbuf *why)
{
    struct pb_error err = {0};
    struct pb_store *store = NULL;
    pb_strbuf_reset(why);
    if (pb_store_open(path, PB_STORE_READ, &store, &err) != PB_OK) {
        pb_strbuf_adds(why, err.message);
        return false;
    }
    bool holds = true;
    for (unsigned i = first; i < first + n && holds; i++) {
        pb_strbuf_reset(why);
        holds = holds_run(store, i, why);
    }
    pb_store_close(store);
    return holds;
}
