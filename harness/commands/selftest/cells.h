/* SPDX-License-Identifier: Apache-2.0
 *
 * What a self-test tries, how often, and what it must reach.
 *
 * A cell is one question asked under one condition: two builds that are the same or made different
 * on purpose, on a machine that is quiet or disturbed on purpose. A trial is one benchmark measured
 * once for a cell, as `compare` measures it before anything is confirmed.
 */
#ifndef PB_COMMANDS_SELFTEST_CELLS_H
#define PB_COMMANDS_SELFTEST_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "commands/selftest/hogs.h"
#include "output/selftest_report.h"
#include "stats/verdict.h"

/* How head came from base. */
enum pb_null_kind {
    PB_NULL_COPY,    /* one object, and the same bytes in another file   */
    PB_NULL_SAME,    /* the same with all layouts                        */
    PB_NULL_COMMENT, /* built once more from sources with a comment more */
    PB_NULL_LAYOUT,  /* half of the layouts against the other half, dealt anew for every batch */
};

/* The cells; the order is that of the table. */
enum pb_cell {
    PB_CELL_COPY,
    PB_CELL_LAYOUT,
    PB_CELL_COMMENT,
    PB_CELL_LONG, /* operations longer than a slice, which all other cells leave out */
    PB_CELL_PLUS_1,
    PB_CELL_PLUS_2,
    PB_CELL_PLUS_HALF,
    PB_CELL_PLUS_1_HALF,
    PB_CELL_ONE_HOG,
    PB_CELL_ALL_HOGS,
    PB_CELL_BURSTY,
    PB_CELL_MEMORY_HOG,
    PB_CELL_RUN_AND_CHECK, /* not of trials: how long a run with its check takes */
};
enum { PB_CELLS = PB_CELL_RUN_AND_CHECK + 1 };

struct pb_cell_words {
    const char *name; /* in files: `plus1` */
    enum pb_null_kind kind;
    enum pb_hog hog;
    double inject_pct;
    struct pb_margins margins;
    unsigned
        n_first; /* trials that a whole self-test does of all cells before it does more of any */
    unsigned n_whole; /* trials of a whole self-test */
    unsigned n_quick; /* and of a quick one */
};

const struct pb_cell_words *pb_cell_words(enum pb_cell cell);

/* The cell of a name. returns: false when there is none */
bool pb_cell_find(const char *name, enum pb_cell *cell);

/* How one trial ended. */
struct pb_trial {
    enum pb_cell cell;
    enum pb_verdict verdict;
    bool valid;    /* the A/A control of its run was not rejected            */
    double wall_s; /* of all its workers; of RUN_AND_CHECK what 50 scenarios take */
    double operation_ns;
};

/*
 * The rows of the report from n trials, in any order.
 * *n_rows: how many
 * returns: in the arena
 */
struct pb_selftest_row *pb_selftest_rows(const struct pb_trial *trials, size_t n,
                                         struct pb_arena *arena, size_t *n_rows);

/* Whether a row misses what it must reach. */
bool pb_selftest_missed(const struct pb_selftest_row *rows, size_t n);

#endif
