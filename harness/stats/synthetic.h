/* SPDX-License-Identifier: Apache-2.0
 *
 * The procedure tried on millions of simulated launches: do its constants, its coverage and its
 * error rates keep within what is stated?
 *
 * Deterministic: the same seed gives the same counts, so that a check that fails has a cause.
 */
#ifndef PB_STATS_SYNTHETIC_H
#define PB_STATS_SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Sequences of launches for every check; each has up to PB_STOPPING_LAUNCHES launches. */
enum { PB_SYNTHETIC_SEQUENCES = 5000, PB_SYNTHETIC_CHECKS_MAX = 64 };

struct pb_synthetic_check {
    const char *what;         /* what is counted: `found at +1 %`                       */
    const char *distribution; /* what the launches come from; NULL = none takes part   */
    uint64_t k;               /* of n sequences (or constants) it happened in so many   */
    uint64_t n;
    double least; /* the share k / n must be within these, beyond what chance allows */
    double most;
    bool holds;
};

struct pb_synthetic_report {
    struct pb_synthetic_check checks[PB_SYNTHETIC_CHECKS_MAX];
    size_t n_checks;
    size_t n_failed;
    uint64_t n_launches; /* simulated */
};

/*
 * Does all checks.
 * n_sequences: for every check, >= 100; the fewer, the more chance is allowed: four standard
 *              deviations of the share
 * errors:      PB_ERR_USAGE too few sequences; PB_ERR_NOMEM
 * cost:        0.2 ms a sequence
 */
enum pb_code pb_synthetic_run(uint64_t seed, uint64_t n_sequences,
                              struct pb_synthetic_report *report, struct pb_error *err) PB_MUST_USE;

#endif
