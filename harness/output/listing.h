/* SPDX-License-Identifier: Apache-2.0
 *
 * What `list` and `baseline show` have to say, as plain data and as text.
 *
 * The rooms that know suites and baseline files stand beside this one, so the command copies
 * their tables into these structs. Pointers are borrowed.
 */
#ifndef PB_OUTPUT_LISTING_H
#define PB_OUTPUT_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "base/strbuf.h"
#include "output/style.h"

struct pb_listed_scenario {
    const char *name;
    const char *summary;
    bool on_request;     /* measured only when asked for by name */
    size_t golden_bytes; /* 0 when there is no golden vector     */
};

struct pb_listed_variant {
    const char *name;
    const char *summary;
    bool bound;
    bool reference;
};

struct pb_listed_case {
    size_t suite; /* index in suites */
    const char *name;
    const char *summary;
    const char *source;
    const struct pb_listed_scenario *scenarios;
    size_t n_scenarios;
    const struct pb_listed_variant *variants;
    size_t n_variants;
};

struct pb_listed_suite {
    const char *path;
    const char *name;
    const char *compiler;
    const char *flags;
    const char *build_type;
    bool optimized;
};

struct pb_listing {
    const struct pb_listed_suite *suites;
    size_t n_suites;
    const struct pb_listed_case *cases;
    size_t n_cases;
};

struct pb_listed_count {
    const char *name;
    const char *metric;
    int64_t value;
};

struct pb_listed_ratio {
    const char *case_name;
    const char *scenario;
    const char *a;
    const char *b;
    double estimate; /* log(b / a) */
    double lo;
    double hi;
    double spread; /* standard deviation of the launches' log(b / a); NaN when not known */
    uint32_t launches;
};

struct pb_listed_alias {
    const char *old_name;
    const char *new_name;
    const char *date;
    const char *reason;
};

struct pb_listed_waiver {
    const char *name;
    const char *gate;   /* NULL = any */
    const char *metric; /* the same   */
    double at_most_pct; /* INFINITY = any change */
    const char *until;
    const char *reason;
};

struct pb_baseline_listing {
    const char *const *paths;
    size_t n_paths;
    struct pb_facts class_facts;
    struct pb_facts origin;
    const struct pb_listed_count *counts;
    size_t n_counts;
    const struct pb_listed_ratio *ratios;
    size_t n_ratios;
    const struct pb_listed_alias *aliases;
    size_t n_aliases;
    const struct pb_listed_waiver *waivers;
    size_t n_waivers;
};

/* Appends suites, cases, scenarios and variants as text; with -q benchmark names alone, a line
 * each. */
void pb_listing_text_add(struct pb_strbuf *buf, const struct pb_listing *listing,
                         const struct pb_style *style);

/* Appends a baseline as text. */
void pb_baseline_text_add(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                          const struct pb_style *style);

#endif
