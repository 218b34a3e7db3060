/* SPDX-License-Identifier: Apache-2.0
 *
 * What a bisection found: the commit, its measured step, and how it was got at.
 */
#ifndef PB_OUTPUT_BISECT_TEXT_H
#define PB_OUTPUT_BISECT_TEXT_H

#include "output/comparison.h"
#include "output/style.h"

enum pb_bisect_end {
    PB_BISECT_FOUND,        /* one commit, and its step is confirmed                         */
    PB_BISECT_RANGE,        /* one of several: those in between could not be asked           */
    PB_BISECT_NO_CHANGE,    /* bad is no slower than good                                    */
    PB_BISECT_INCONCLUSIVE, /* there is no telling, or no single commit is responsible       */
};

struct pb_bisect_commit {
    const char *id;
    const char *subject;
};

/* One revision that was asked. */
struct pb_bisect_step {
    struct pb_bisect_commit commit;
    const char *answer;         /* `good`, `bad`, `skipped`                   */
    struct pb_pair_record pair; /* against good; no launches when not timed   */
    const char *reason;         /* of skipping it; else NULL                  */
};

struct pb_bisect_record {
    enum pb_bisect_end end;
    const char *benchmark; /* that was followed; NULL when nothing changed */
    const char *others;    /* that regressed, too, joined by ", "; NULL = none */
    struct pb_bisect_commit good;
    struct pb_bisect_commit bad;
    struct pb_pair_record whole;         /* bad against good */
    struct pb_bisect_commit *candidates; /* the answer, the oldest first; n = 1 when it was found */
    size_t n_candidates;
    struct pb_pair_record step; /* of the last candidate against `against` */
    const char *against;        /* id: its parent, or the nearest before it that builds */
    bool merge;                 /* the answer is a merge */
    struct pb_bisect_step *steps;
    size_t n_steps;
    double wall_s;
    int exit_code;
};

/* `found`, `range`, `no change`, `inconclusive` */
const char *pb_bisect_end_name(enum pb_bisect_end end);

/* Appends a bisection as text; with -q its answer alone. */
void pb_bisect_text_add(struct pb_strbuf *buf, const struct pb_bisect_record *record,
                        const struct pb_style *style);

#endif
