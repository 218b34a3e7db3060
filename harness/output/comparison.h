/* SPDX-License-Identifier: Apache-2.0
 *
 * What a comparison of two builds has to say, as plain data, and the order it is shown in.
 */
#ifndef PB_OUTPUT_COMPARISON_H
#define PB_OUTPUT_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "base/strbuf.h"
#include "output/finding.h"
#include "stats/verdict.h"

enum pb_compared_kind {
    PB_COMPARED_COMMIT,
    PB_COMPARED_TREE, /* the working tree of a commit */
    PB_COMPARED_FILE,
};

struct pb_compared_side {
    enum pb_compared_kind kind;
    const char *name;    /* as the user named it: `main`, a path; "" = not named         */
    const char *commit;  /* id; "" when not known                                        */
    const char *subject; /* of the commit; "" when not known                             */
    bool dirty;          /* of a working tree: it has changes that are not committed     */
    const char *suite;   /* path of the object that was loaded                           */
    size_t layouts;      /* shuffled ones that it was timed in; 0 = only as it was built */
};

/* One benchmark of either side. */
struct pb_compared {
    const char *name;                       /* CASE/SCENARIO/VARIANT */
    struct pb_pair_record pair;             /* head against base, with the verdict that holds */
    const struct pb_benchmark_record *base; /* NULL = it has none, or was not measured */
    const struct pb_benchmark_record *head;
    bool flagged;                            /* by the screen, and measured again            */
    double screen_pct;                       /* what the screen saw; NaN unless flagged      */
    double p;                                /* adjusted; NaN unless flagged                 */
    const struct pb_pair_record *production; /* of the production objects; NULL = not measured */
    bool identical;                          /* machine code and data of both sides: not timed */
};

/* How the merge base was found. */
struct pb_merge_base {
    const char *of; /* what the user named: `main`; NULL = no merge base was asked for */
    long behind;    /* commits that `of` has beyond it; -1 = not known                 */
    long ahead;     /* commits that head has beyond it                                 */
};

struct pb_comparison {
    struct pb_run_record run; /* of the screen: id, time, seed, machine, build; validity of all */
    struct pb_compared_side base;
    struct pb_compared_side head;
    struct pb_merge_base merge_base;
    struct pb_margins margins;
    struct pb_compared *items; /* worst first */
    size_t n;
    const struct pb_pair_record *control; /* of the screen; NULL = none */
    double wall_s;                        /* of all that was measured   */
    int exit_code;
};

/* Sorts by severity, then by the size of the change, the largest first, then by name. */
void pb_comparison_sort(struct pb_comparison *comparison);

/* How often each verdict was given. */
struct pb_verdict_counts pb_comparison_verdicts(const struct pb_comparison *comparison);

/* Appends what a side is: `main 1a2b3c4d5e6f`, `the working tree at 1a2b3c4d5e6f, with changes`. */
void pb_compared_side_add(struct pb_strbuf *buf, const struct pb_compared_side *side);

/* Appends `merge base of main: 2 commits behind it, 5 behind head`; nothing when none was asked
 * for. */
void pb_merge_base_add(struct pb_strbuf *buf, const struct pb_merge_base *merge_base);

/* Appends the change of a pair with its interval, `-` when it was not timed, `identical` when
 * there was nothing to time. */
void pb_compared_add_change(struct pb_strbuf *buf, const struct pb_compared *item);

/* Appends why a verdict is what it is; nothing when it speaks for itself. */
void pb_compared_add_reason(struct pb_strbuf *buf, const struct pb_compared *item);

/* A count that is not the same on both sides. */
struct pb_count_change {
    const char *name;
    int64_t base;
    int64_t head;
};

/*
 * Deterministic counts that differ, by name; of one side only: as if it were 0 on the other.
 * changes: room for as many as both sides have
 * returns: how many
 */
size_t pb_compared_count_changes(const struct pb_compared *item, struct pb_count_change *changes);

/* Room that the above needs. */
size_t pb_compared_counts_max(const struct pb_compared *item);

#endif
