/* SPDX-License-Identifier: Apache-2.0
 *
 * A run seen the way it is shown: its benchmarks and pairs by case and scenario, in the order of
 * the record.
 *
 * A record is flat lists. Everything that draws a table or a chart of a run starts from this view,
 * so that all agree on the order. It borrows from the record and lives in the given arena.
 */
#ifndef PB_OUTPUT_RUN_VIEW_H
#define PB_OUTPUT_RUN_VIEW_H

#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "output/finding.h"

struct pb_view_scenario {
    const char *name;
    const struct pb_benchmark_record **benchmarks;
    size_t n_benchmarks;
    size_t benchmarks_capacity;
    const struct pb_pair_record **pairs;
    size_t n_pairs;
    size_t pairs_capacity;
};

struct pb_view_variant {
    const char *name;
    unsigned flags; /* PB_BENCHMARK_… */
};

struct pb_view_case {
    const char *name;
    struct pb_view_scenario *scenarios;
    size_t n_scenarios;
    size_t scenarios_capacity;
    struct pb_view_variant *variants; /* of any of its scenarios */
    size_t n_variants;
    size_t variants_capacity;
};

struct pb_run_view {
    struct pb_view_case *cases;
    size_t n_cases;
    size_t cases_capacity;
    size_t n_scenarios; /* of all cases */
};

/* Sorts a run into cases and scenarios. run: borrowed, must outlive the view */
void pb_run_view_make(const struct pb_run_record *run, struct pb_arena *arena,
                      struct pb_run_view *view);

/* The benchmark of a variant, or NULL. */
const struct pb_benchmark_record *pb_view_benchmark(const struct pb_view_scenario *scenario,
                                                    const char *variant);

/* The pair of variants whose b is the one named and whose a is another, or NULL: no control, and no
 * pair of two builds. */
const struct pb_pair_record *pb_view_pair(const struct pb_view_scenario *scenario, const char *b);

/*
 * The variants of a case that are judged against another one, in order: those that are b of a gated
 * pair in some scenario.
 * judged:  out, n_variants indexes into variants at most
 * returns: how many
 */
size_t pb_view_judged(const struct pb_view_case *shown, size_t *judged);

/* Verdicts of all gated pairs of a run. */
struct pb_verdict_counts pb_run_verdicts(const struct pb_run_record *run);

/* How often each state occurs among the benchmarks. */
void pb_run_states(const struct pb_run_record *run, size_t counts[PB_STATE_SKIPPED + 1]);

#endif
