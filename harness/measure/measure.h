/* SPDX-License-Identifier: Apache-2.0
 *
 * Measuring: from a choice of benchmarks and a plan to the record of a run.
 *
 * Everything happens in worker processes. First every variant is verified (its output against old's
 * and the golden vector), counted (twice, to see what is deterministic) and calibrated; then all
 * scenarios take turns in waves, one launch each in random order, until each is finished. A
 * side that fails on the way is marked with its reason and left out; the others go on.
 */
#ifndef PB_MEASURE_MEASURE_H
#define PB_MEASURE_MEASURE_H

#include "base/arena.h"
#include "base/record.h"
#include "measure/catalog.h"
#include "measure/looks.h"
#include "measure/selection.h"
#include "stats/verdict.h"

/* Makes matching benchmarks execute more (or fewer) iterations than they report. */
struct pb_injection {
    const char *glob;
    double pct; /* -90..1000, to 1/1000 */
};

/* What ends a scenario before its last launch, at a look. */
enum pb_finish {
    PB_FINISH_WIDTH,   /* the intervals of its pairs are narrow, whatever they show */
    PB_FINISH_VERDICT, /* none of its pairs is inconclusive                         */
};

struct pb_plan {
    const char *worker;     /* path of the worker program                                       */
    const char *noise_root; /* of the tree where noise is read, see provenance/noise.h; NULL = / */
    const char *heap_counter; /* shared object that counts allocations; NULL = don't count them   */
    bool times;               /* false = verify and count only                                    */
    bool instructions;        /* count them, see measure/instructions.h                           */
    bool kernels;             /* time them at both ends, see measure/kernels.h                    */
    uint32_t launches;        /* per scenario; 0 = as many as it takes, see measure/looks.h       */
    uint32_t launches_least;  /* before a scenario may be finished; 0 = no such rule */
    const struct pb_looks
        *looks; /* with launches 0: other looks than the usual ones; NULL = those */
    enum pb_finish finish;
    uint64_t seed;
    double deadline_s;  /* for one launch */
    double budget_s;    /* no wave is begun that would end after it; 0 = none */
    bool spends_budget; /* what is left of it goes to the widest intervals */
    const struct pb_injection *injections;
    size_t n_injections;
    struct pb_margins margins;    /* of pairs; equivalence 0 = the usual ones */
    double change_level;          /* see measure/looks.h; 0 = PB_INTERVAL_LEVEL */
    bool allows_different_output; /* of head against base: noted, and timed all the same */
};

/* Launches of `run --quick`, and the fewest that a baseline is made from. */
enum { PB_LAUNCHES_QUICK = 16, PB_LAUNCHES_BASELINE = 40 };
#define PB_DEADLINE_S 10.0

/* How measuring tells how far it is and learns that it should stop. */
struct pb_measure_watch {
    void *context;
    /* what: the scenario or step that comes next; valid during the call */
    void (*progress)(void *context, uint64_t done, uint64_t total, const char *what);
    bool (*stopped)(void *context); /* asked between launches; NULL = never */
    /* text: what went wrong but stops nothing, one line; NULL = nobody is told */
    void (*warn)(void *context, const char *text);
};

/*
 * Measures what is selected and fills run->benchmarks, ->pairs, ->wall_s, ->timed_s, ->start_ms,
 * ->injected, ->launches, ->adaptive and ->valid. A benchmark that fails is no error here: its
 * state tells. One pair is old of a scenario drawn at random against itself: when that control is
 * rejected, the machine or the tool favours a side, and the run is marked invalid; not when it is
 * by less than half of the margin that a change must exceed, which takes no verdict to the wrong
 * side. errors: PB_ERR_INTERRUPTED the watch stopped it; PB_ERR_SUITE, PB_ERR_CHILD, PB_ERR_IO
 */
enum pb_code pb_measure(const struct pb_catalog *catalog, const struct pb_selection *selection,
                        const struct pb_plan *plan, const struct pb_measure_watch *watch,
                        struct pb_arena *arena, struct pb_run_record *run,
                        struct pb_error *err) PB_MUST_USE;

/* Two builds of one suite. */
struct pb_builds {
    const struct pb_catalog *base;
    const struct pb_catalog *head;
    const struct pb_selection *selection; /* of base; what head does not have is left out */
};

/*
 * Measures each selected benchmark of base against that of head, in the same launches, after the
 * output of head was compared with base's. run->pairs are of base and head, with ->variant.
 * errors: as pb_measure()
 */
enum pb_code pb_measure_builds(const struct pb_builds *builds, const struct pb_plan *plan,
                               const struct pb_measure_watch *watch, struct pb_arena *arena,
                               struct pb_run_record *run, struct pb_error *err) PB_MUST_USE;

#endif
