/* SPDX-License-Identifier: Apache-2.0
 *
 * What a check found: one line for every gate that was applied to a benchmark.
 */
#ifndef PB_OUTPUT_FINDING_H
#define PB_OUTPUT_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "base/strbuf.h"
#include "output/table.h"

struct pb_finding {
    const char *name;   /* benchmark, CASE/SCENARIO/VARIANT; of a ratio the side b              */
    const char *gate;   /* `ratio`, `counts`, `absolute`                                        */
    const char *metric; /* `new/old`, `writes`, `real_ns` …                                     */
    double baseline;    /* in the metric's unit; NaN when there is none                         */
    double now;         /* the same                                                             */
    double change_pct;  /* INFINITY from zero; NaN when there is none                           */
    double lo_pct;      /* interval of the change; NaN where the gate has none                  */
    double hi_pct;
    enum pb_verdict verdict;
    const char *reason; /* or NULL */
    bool warns;         /* a regression here is a warning only                                  */
    const char *waived_until;  /* last day of the waiver of a regression; NULL when it has none */
    const char *waived_reason; /* the reason of that waiver                                     */
    bool fails;                /* it makes the check fail                                       */
    double spread_pct;         /* what the interval allows for runs that differ; 0 = nothing    */
    size_t spread_runs;        /* how many runs that comes from; 0 = assumed                    */
};

/* All that one check has to say. */
struct pb_check_record {
    struct pb_finding *findings;
    size_t n_findings;
    const char *const *baselines; /* files that were read, as the user knows them */
    size_t n_baselines;
    const char *note; /* what to know besides, e.g. no baseline for this class; NULL = nothing */
    int exit_code;
};

/* How bad a verdict is: 0 for the worst; what is shown first. */
int pb_verdict_severity(enum pb_verdict verdict);

/* How a verdict is coloured. */
enum pb_tone pb_verdict_tone(enum pb_verdict verdict);

/* Whether a finding is a regression that does not count: a warning, or waived. */
bool pb_finding_is_let_pass(const struct pb_finding *finding);

/* The word for a finding: its verdict's name, `regressed (warning)` or `regressed (waived)`. */
const char *pb_finding_word(const struct pb_finding *finding);

/* How it is coloured. */
enum pb_tone pb_finding_tone(const struct pb_finding *finding);

/* How often each verdict was given. */
struct pb_verdict_counts {
    size_t n[PB_VERDICTS];
    size_t total;
};

/* Counts one more. counts: zeroed before the first */
void pb_verdicts_count(struct pb_verdict_counts *counts, enum pb_verdict verdict);

/* Appends `3 regressed, 1 missing, 60 unchanged`, worst first; nothing when total is 0. */
void pb_verdicts_add_summary(struct pb_strbuf *buf, const struct pb_verdict_counts *counts);

/* What findings come to: verdicts that count, and regressions that are let pass. */
struct pb_finding_counts {
    struct pb_verdict_counts verdicts;
    size_t n_warnings;
    size_t n_waived;
};

struct pb_finding_counts pb_findings_count(const struct pb_finding *findings, size_t n);

/* Sorts by severity, then name, gate and metric; regressions that are let pass are less severe than
 * all that may fail a check. */
void pb_findings_sort(struct pb_finding *findings, size_t n);

/* A sorted copy, in the arena. */
struct pb_finding *pb_findings_sorted(struct pb_arena *arena, const struct pb_finding *findings,
                                      size_t n);

/* Appends the same of findings by their words; `nothing to check` when n == 0. */
void pb_findings_add_summary(struct pb_strbuf *buf, const struct pb_finding *findings, size_t n);

/*
 * Appends the change of a finding as people read it: `=` when nothing moved,
 * `+12.0 % [+11.8 %, +12.3 %]`, for counts `+2 (+40.0 %)`, from zero `+5 (+inf)`; `-` when there is
 * nothing to compare.
 */
void pb_finding_add_change(struct pb_strbuf *buf, const struct pb_finding *finding);

#endif
