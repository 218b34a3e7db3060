/* SPDX-License-Identifier: Apache-2.0
 *
 * What a self-test found: plain data, made by the command, drawn as text and JSON.
 */
#ifndef PB_OUTPUT_SELFTEST_REPORT_H
#define PB_OUTPUT_SELFTEST_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "stats/synthetic.h"

/* Whether something that is demanded holds. */
enum pb_demand_result {
    PB_DEMAND_NONE, /* nothing is demanded           */
    PB_DEMAND_OPEN, /* too few trials to tell        */
    PB_DEMAND_REACHED,
    PB_DEMAND_MISSED,
};

/* `-`, `open`, `reached`, `missed` */
const char *pb_demand_result_name(enum pb_demand_result result);

struct pb_demand {
    double limit;     /* share, or seconds in a row of seconds; NaN = nothing is demanded */
    uint64_t n_least; /* trials that it takes to say that it holds                        */
    enum pb_demand_result result;
};

/* One line of the table: so many of so many trials, or seconds. */
struct pb_selftest_row {
    const char *id;   /* for machines: `found_plus1` */
    const char *what; /* for people */
    bool is_seconds;  /* value_s counts, and not k of n */
    bool at_most;     /* what is demanded is an upper limit; else a lower one */
    uint64_t k;
    uint64_t n;
    double lo; /* exact 95 % bounds of the share; NaN without trials */
    double hi;
    double value_s;  /* NaN = not measured */
    double median_s; /* wall time of a trial; NaN when it says nothing */
    struct pb_demand must;
    struct pb_demand aim;
};

/* How one method does on recorded samples: k of n. */
struct pb_method_tally {
    uint64_t k;
    uint64_t n;
};

struct pb_method_row {
    const char *id;
    const char *what;
    struct pb_method_tally false_verdicts; /* on identical code */
    struct pb_method_tally found_1;        /* at +1 %           */
    struct pb_method_tally found_2;        /* at +2 %           */
};

struct pb_selftest_report {
    const char *tool_version;
    int64_t started_at;
    uint64_t seed;
    double wall_s; /* of all sittings together */
    struct pb_facts machine;
    struct pb_facts build; /* of the suites that were measured */
    const char *stopped;   /* why there are no more trials; NULL = nothing was measured */
    uint64_t n_trials;
    uint64_t n_failed;  /* trials without times: a benchmark that failed */
    uint64_t n_invalid; /* trials of runs whose A/A control was rejected */
    struct pb_selftest_row *rows;
    size_t n_rows;
    struct pb_method_row *methods;
    size_t n_methods;
    const struct pb_synthetic_report *synthetic; /* NULL = not asked for */
    int exit_code;
};

#endif
