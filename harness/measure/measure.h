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
#include "measure/selection.h"

/* Makes matching benchmarks execute more (or fewer) iterations than they report. */
struct pb_injection {
    const char *glob;
    double pct; /* -90..1000, to 1/1000 */
};

struct pb_plan {
    const char *worker;       /* path of the worker program                                       */
    const char *heap_counter; /* shared object that counts allocations; NULL = don't count them   */
    bool times;               /* false = verify and count only                                    */
    uint32_t launches;        /* per scenario; 0 = as many as it takes, see measure/looks.h       */
    uint64_t seed;
    double deadline_s; /* for one launch */
    double budget_s;   /* no wave is begun that would end after it; 0 = none */
    const struct pb_injection *injections;
    size_t n_injections;
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
};

/*
 * Measures what is selected and fills run->benchmarks, ->pairs, ->wall_s, ->timed_s, ->start_ms,
 * ->injected and ->launches. A benchmark that fails is no error here: its state tells.
 * errors: PB_ERR_INTERRUPTED the watch stopped it; PB_ERR_SUITE, PB_ERR_CHILD, PB_ERR_IO
 */
enum pb_code pb_measure(const struct pb_catalog *catalog, const struct pb_selection *selection,
                        const struct pb_plan *plan, const struct pb_measure_watch *watch,
                        struct pb_arena *arena, struct pb_run_record *run,
                        struct pb_error *err) PB_MUST_USE;

#endif
