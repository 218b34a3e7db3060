/* SPDX-License-Identifier: Apache-2.0
 *
 * Two tables: of cells, and of rows that are counted from the trials of some of them.
 *
 * A trial of a run whose control was rejected has no verdict: it is neither a false one nor one
 * that was found.
 */
#include "commands/selftest/cells.h"

#include <math.h>
#include <string.h>

#include "measure/calibrate.h"
#include "stats/binomial.h"
#include "stats/summary.h"

#define USUAL                                                                                      \
    {                                                                                              \
        .gate = PB_GATE_MARGIN, .equivalence = PB_EQUIVALENCE_MARGIN                               \
    }
/* With these half a percent is looked for. */
#define FINE                                                                                       \
    {                                                                                              \
        .gate = 0, .equivalence = 0.004                                                            \
    }

static const struct pb_cell_words cells[PB_CELLS] = {
    [PB_CELL_COPY] = {"copy", PB_NULL_COPY, PB_HOG_NONE, 0, USUAL, 400, 900, 6},
    [PB_CELL_LAYOUT] = {"layout", PB_NULL_LAYOUT, PB_HOG_NONE, 0, USUAL, 700, 1310, 12},
    [PB_CELL_COMMENT] = {"comment", PB_NULL_COMMENT, PB_HOG_NONE, 0, USUAL, 400, 810, 6},
    [PB_CELL_LONG] = {"long", PB_NULL_LAYOUT, PB_HOG_NONE, 0, USUAL, 20, 20, 0},
    [PB_CELL_PLUS_1] = {"plus1", PB_NULL_SAME, PB_HOG_NONE, 1, USUAL, 250, 250, 6},
    [PB_CELL_PLUS_2] = {"plus2", PB_NULL_SAME, PB_HOG_NONE, 2, USUAL, 250, 250, 6},
    [PB_CELL_PLUS_HALF] = {"plus0.5", PB_NULL_SAME, PB_HOG_NONE, 0.5, FINE, 200, 200, 4},
    [PB_CELL_PLUS_1_HALF] = {"plus1.5", PB_NULL_SAME, PB_HOG_NONE, 1.5, USUAL, 300, 300, 4},
    [PB_CELL_ONE_HOG] = {"one_hog", PB_NULL_LAYOUT, PB_HOG_ONE, 0, USUAL, 100, 100, 4},
    [PB_CELL_ALL_HOGS] = {"all_hogs", PB_NULL_LAYOUT, PB_HOG_ALL, 0, USUAL, 300, 300, 4},
    [PB_CELL_BURSTY] = {"bursty", PB_NULL_LAYOUT, PB_HOG_BURSTY, 0, USUAL, 100, 100, 4},
    [PB_CELL_MEMORY_HOG] = {"memory_hog", PB_NULL_LAYOUT, PB_HOG_MEMORY, 0, USUAL, 100, 100, 4},
    [PB_CELL_RUN_AND_CHECK] = {"run_and_check", PB_NULL_SAME, PB_HOG_NONE, 0, USUAL, 1, 1, 0},
};

const struct pb_cell_words *pb_cell_words(enum pb_cell cell)
{
    return &cells[cell];
}

bool pb_cell_find(const char *name, enum pb_cell *cell)
{
    for (int i = 0; i < PB_CELLS; i++) {
        if (strcmp(cells[i].name, name) == 0) {
            *cell = (enum pb_cell)i;
            return true;
        }
    }
    return false;
}

/* Sets of cells and of verdicts. */
#define SET(x)    (1u << (x))
#define NULLS     (SET(PB_CELL_COPY) | SET(PB_CELL_LAYOUT) | SET(PB_CELL_COMMENT) | SET(PB_CELL_LONG))
#define CHANGED   (SET(PB_VERDICT_REGRESSED) | SET(PB_VERDICT_IMPROVED))
#define UNDECIDED (SET(PB_VERDICT_INCONCLUSIVE) | SET(PB_VERDICT_INVALID_RUN))

/* Which operations are counted. */
enum length {
    ANY_LENGTH,
    SHORT,
    LONG, /* beyond PB_LONG_SLICE_NS */
};

/* What is counted for a row, and what it must and should reach. */
struct row_words {
    const char *id;
    const char *what;
    unsigned cells;
    unsigned verdicts;
    double within_s; /* later ones don't count; 0 = any time will do */
    bool at_most;
    double must;
    unsigned n_must;
    double aim;
    unsigned n_aim;
    enum length length;
};

/* Nothing is demanded. */
#define FREE (double)NAN, 0, (double)NAN, 0

static const struct row_words row_words[] = {
    {"false_verdicts", "identical code: false verdict", NULLS, CHANGED, 0, true, 0.005, 1000, 0,
     3000, ANY_LENGTH},
    {"false_copy", "  one object and a copy of it", SET(PB_CELL_COPY), CHANGED, 0, true, FREE,
     ANY_LENGTH},
    {"false_layout", "  in other layouts", SET(PB_CELL_LAYOUT), CHANGED, 0, true, FREE, ANY_LENGTH},
    {"false_comment", "  a comment more", SET(PB_CELL_COMMENT), CHANGED, 0, true, FREE, ANY_LENGTH},
    {"found_plus1", "+1 %: found within 1.5 s", SET(PB_CELL_PLUS_1), SET(PB_VERDICT_REGRESSED), 1.5,
     false, 0.85, 200, 0.95, 200, ANY_LENGTH},
    {"found_plus2", "+2 %: found within 1 s", SET(PB_CELL_PLUS_2), SET(PB_VERDICT_REGRESSED), 1.0,
     false, 0.99, 200, 1, 200, ANY_LENGTH},
    {"found_plus0.5", "+0.5 %, no gate: found within 3 s", SET(PB_CELL_PLUS_HALF),
     SET(PB_VERDICT_REGRESSED), 3.0, false, 0.60, 200, 0.85, 200, ANY_LENGTH},
    {"proven", "fits a slice: proven within ±1 % in 1.5 s", NULLS, SET(PB_VERDICT_UNCHANGED), 1.5,
     false, 0.97, 200, 0.99, 200, SHORT},
    {"proven_any", "  code of any length: the same", NULLS, SET(PB_VERDICT_UNCHANGED), 1.5, false,
     FREE, ANY_LENGTH},
    {"proven_long", "  longer than a slice: proven, later too", NULLS, SET(PB_VERDICT_UNCHANGED), 0,
     false, FREE, LONG},
    {"false_proofs", "+1.5 %: falsely proven within ±1 %", SET(PB_CELL_PLUS_1_HALF),
     SET(PB_VERDICT_UNCHANGED), 0, true, 0.01, 200, 0.001, 300, ANY_LENGTH},
    {"all_hogs_false", "all processors hogged: false verdict", SET(PB_CELL_ALL_HOGS), CHANGED, 0,
     true, 0.01, 300, 0.001, 300, ANY_LENGTH},
    {"all_hogs_inconclusive", "all processors hogged: inconclusive", SET(PB_CELL_ALL_HOGS),
     UNDECIDED, 0, true, 0.15, 300, 0.05, 300, ANY_LENGTH},
    {"one_hog_false", "one processor hogged: false verdict", SET(PB_CELL_ONE_HOG), CHANGED, 0, true,
     FREE, ANY_LENGTH},
    {"one_hog_inconclusive", "one processor hogged: inconclusive", SET(PB_CELL_ONE_HOG), UNDECIDED,
     0, true, FREE, ANY_LENGTH},
    {"bursty_false", "bursts of load: false verdict", SET(PB_CELL_BURSTY), CHANGED, 0, true, FREE,
     ANY_LENGTH},
    {"bursty_inconclusive", "bursts of load: inconclusive", SET(PB_CELL_BURSTY), UNDECIDED, 0, true,
     FREE, ANY_LENGTH},
    {"memory_hog_false", "memory hogged: false verdict", SET(PB_CELL_MEMORY_HOG), CHANGED, 0, true,
     FREE, ANY_LENGTH},
    {"memory_hog_inconclusive", "memory hogged: inconclusive", SET(PB_CELL_MEMORY_HOG), UNDECIDED,
     0, true, FREE, ANY_LENGTH},
};
enum { N_SHARES = sizeof row_words / sizeof row_words[0] };

#define RUN_AND_CHECK_MUST_S 150.0
#define RUN_AND_CHECK_AIM_S  90.0
#define BOUNDS_LEVEL         0.05

/* Shares are quotients of small numbers: equal but for the last digit is equal. */
#define ROUNDING 1e-12

static bool is_within(double value, double limit, bool at_most)
{
    return at_most ? value <= limit + ROUNDING : value >= limit - ROUNDING;
}

/*
 * With enough trials the share itself decides; with fewer it can be missed, where the bounds leave
 * no doubt, and not be reached.
 */
static struct pb_demand judge_share(const struct pb_selftest_row *row, double limit,
                                    uint64_t n_least)
{
    struct pb_demand demand = {.limit = limit, .n_least = n_least, .result = PB_DEMAND_OPEN};
    if (isnan(limit)) {
        demand.result = PB_DEMAND_NONE;
    } else if (row->n > 0) {
        const double share = (double)row->k / (double)row->n;
        const double best = row->at_most ? row->lo : row->hi;
        const bool enough = row->n >= n_least;
        if (!is_within(enough ? share : best, limit, row->at_most)) {
            demand.result = PB_DEMAND_MISSED;
        } else if (enough) {
            demand.result = PB_DEMAND_REACHED;
        }
    }
    return demand;
}

static enum pb_verdict verdict_of(const struct pb_trial *trial)
{
    return trial->valid ? trial->verdict : PB_VERDICT_INVALID_RUN;
}

/* A trial of a benchmark that could not be timed says nothing about verdicts. */
static bool counts(const struct pb_trial *trial, const struct row_words *words)
{
    const bool is_long = trial->operation_ns > PB_LONG_SLICE_NS;
    return (SET(trial->cell) & words->cells) != 0 && trial->verdict <= PB_VERDICT_INCONCLUSIVE &&
           (words->length == ANY_LENGTH || is_long == (words->length == LONG));
}

static struct pb_selftest_row count_row(const struct row_words *words,
                                        const struct pb_trial *trials, size_t n, double *scratch)
{
    struct pb_selftest_row row = {
        .id = words->id,
        .what = words->what,
        .at_most = words->at_most,
        .lo = NAN,
        .hi = NAN,
        .value_s = NAN,
    };
    for (size_t i = 0; i < n; i++) {
        if (!counts(&trials[i], words)) {
            continue;
        }
        const bool in_time = words->within_s <= 0 || trials[i].wall_s <= words->within_s;
        row.k += in_time && (SET(verdict_of(&trials[i])) & words->verdicts) != 0;
        scratch[row.n++] = trials[i].wall_s;
    }
    row.median_s = pb_median(scratch, row.n);
    if (row.n > 0) {
        const struct pb_bounds bounds = pb_proportion_bounds(row.k, row.n, BOUNDS_LEVEL);
        row.lo = bounds.lo;
        row.hi = bounds.hi;
    }
    row.must = judge_share(&row, words->must, words->n_must);
    row.aim = judge_share(&row, words->aim, words->n_aim);
    return row;
}

static struct pb_demand judge_seconds(double value_s, double limit_s)
{
    return (struct pb_demand){
        .limit = limit_s,
        .n_least = 1,
        .result = isnan(value_s)       ? PB_DEMAND_OPEN
                  : value_s <= limit_s ? PB_DEMAND_REACHED
                                       : PB_DEMAND_MISSED,
    };
}

/* The longest of what was measured. */
static struct pb_selftest_row time_row(const struct pb_trial *trials, size_t n)
{
    struct pb_selftest_row row = {
        .id = "run_and_check",
        .what = "run and check of 50 scenarios, 5 of them again",
        .is_seconds = true,
        .at_most = true,
        .lo = NAN,
        .hi = NAN,
        .value_s = NAN,
        .median_s = NAN,
    };
    for (size_t i = 0; i < n; i++) {
        if (trials[i].cell == PB_CELL_RUN_AND_CHECK) {
            row.value_s = fmax(row.value_s, trials[i].wall_s);
            row.n++;
        }
    }
    row.must = judge_seconds(row.value_s, RUN_AND_CHECK_MUST_S);
    row.aim = judge_seconds(row.value_s, RUN_AND_CHECK_AIM_S);
    return row;
}

struct pb_selftest_row *pb_selftest_rows(const struct pb_trial *trials, size_t n,
                                         struct pb_arena *arena, size_t *n_rows)
{
    struct pb_selftest_row *rows = pb_arena_array(arena, N_SHARES + 1, sizeof *rows);
    double *scratch = pb_arena_array(arena, n, sizeof *scratch);
    for (size_t i = 0; i < N_SHARES; i++) {
        rows[i] = count_row(&row_words[i], trials, n, scratch);
    }
    rows[N_SHARES] = time_row(trials, n);
    *n_rows = N_SHARES + 1;
    return rows;
}

bool pb_selftest_missed(const struct pb_selftest_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].must.result == PB_DEMAND_MISSED) {
            return true;
        }
    }
    return false;
}
