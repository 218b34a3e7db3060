/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways in which what was measured may be untrustworthy, each a named value with advice.
 *
 * A diagnostic chooses what is done next; it never discards data. Pure functions on arrays: whoever
 * has the samples asks.
 */
#ifndef PB_MEASURE_DIAGNOSTICS_H
#define PB_MEASURE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "provenance/noise.h"

enum pb_diagnostic {
    PB_DIAGNOSTIC_ORDER,     /* the side that goes first is faster or slower       */
    PB_DIAGNOSTIC_DRIFT,     /* the ratio moved while it was measured              */
    PB_DIAGNOSTIC_MODAL,     /* many launches stand apart from the others          */
    PB_DIAGNOSTIC_STEAL,     /* the host took processor time                       */
    PB_DIAGNOSTIC_PRESSURE,  /* more programs wanted to run than there are processors */
    PB_DIAGNOSTIC_THROTTLED, /* a quota of a control group was used up             */
};
enum { PB_DIAGNOSTICS = PB_DIAGNOSTIC_THROTTLED + 1 };

/* What a diagnostic makes the measurement do. */
enum pb_remedy {
    PB_REMEDY_WARM,     /* an untimed slice more, once                                     */
    PB_REMEDY_DOUBT,    /* no verdict, unless both halves of the launches come to the same */
    PB_REMEDY_LAUNCHES, /* more launches                                                   */
    PB_REMEDY_WAIT,     /* wait a little, then go on                                       */
};

struct pb_diagnostic_words {
    const char *name;   /* `order`, for machines                          */
    const char *text;   /* what was seen, for people                      */
    const char *advice; /* what a person can do                           */
    const char *unit;   /* of the value: `%`, or "" for a plain number    */
    enum pb_remedy remedy;
};

/* The table of them. */
const struct pb_diagnostic_words *pb_diagnostic_words(enum pb_diagnostic diagnostic);

/* How each diagnostic came out. */
struct pb_diagnosis {
    bool found[PB_DIAGNOSTICS];
    double value[PB_DIAGNOSTICS]; /* in its unit; NaN = there was no telling */
};

/* A diagnosis with nothing found and nothing known. */
struct pb_diagnosis pb_diagnosis_none(void);

/* The samples of one pair. */
struct pb_pair_samples {
    const double *d; /* log ratios of the launches, in their order                     */
    size_t n;
    const double *round_d; /* log ratios of rounds, of any number of launches; may be NULL */
    const bool *a_first;   /* for each of them whether a ran first                     */
    size_t n_rounds;
};

/*
 * Order, drift and modality of one pair; the other diagnostics are left as they are.
 *
 * order: what going first is worth, in percent; found beyond ±0.5.
 * drift: p of Spearman's correlation of d with its index; found below 0.001.
 * modal: share of launches that stand apart, in percent; found from 12.5 on, of at least 16
 *        launches and 4 that stand apart. Half of the launches lie in the narrowest interval that
 *        holds half of them; a launch stands apart when it is further from that interval than
 *        three times its width and than 1 %. Of a normal distribution 0.0002 % do, of Laplace's
 *        0.8 %, of Cauchy's 9 %. Groups of 16 to 96 launches are called modal by chance in at most
 *        0.4 % (normal), 1.5 % (Student's t, 3 degrees), 2.9 % (Laplace); of the recorded launches
 *        with real modes half are at 16, 9 in 10 at 40. Three modes of which none holds half are
 *        not seen.
 * source: order and drift, see stats/trend.h
 */
void pb_diagnose_pair(const struct pb_pair_samples *samples, struct pb_diagnosis *diagnosis);

/*
 * What was found, with values: `modal 18 %; order +0.8 %`.
 * returns: in the arena; NULL when nothing was found
 */
const char *pb_diagnosis_text(const struct pb_diagnosis *diagnosis, struct pb_arena *arena);

/* Steal, pressure and throttling of a stretch of time; the others are left as they are. */
void pb_diagnose_noise(const struct pb_noise_interval *interval, struct pb_diagnosis *diagnosis);

#endif
