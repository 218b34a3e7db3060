/* SPDX-License-Identifier: Apache-2.0
 *
 * What there is to measure: the tables of all loaded suites, as plain data.
 *
 * The pairbench process itself never loads a suite, since loading runs code: a worker does, and
 * hands back what the tables say. A suite that crashes while it is loaded is an error message here.
 */
#ifndef PB_MEASURE_CATALOG_H
#define PB_MEASURE_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/record.h"

enum {
    PB_SUITES_MAX = 64,
    PB_LAYOUTS_MAX = 16,
    PB_VARIANTS_MAX = 12,
};

struct pb_catalog_scenario {
    const char *name;
    const char *summary;
    uint32_t flags;
    size_t golden_bytes; /* 0 when there is no golden vector */
};

struct pb_catalog_variant {
    const char *name;
    const char *summary;
    uint32_t flags;
};

struct pb_catalog_case {
    uint32_t suite; /* index in suites             */
    uint32_t index; /* of the case in its suite    */
    const char *name;
    const char *summary;
    const char *source;
    struct pb_catalog_scenario *scenarios;
    size_t n_scenarios;
    struct pb_catalog_variant *variants;
    size_t n_variants;
};

struct pb_catalog_suite {
    const char *path;     /* absolute */
    const char **layouts; /* paths of the same code in other orders; layouts[0] is path */
    size_t n_layouts;
    const char *name;
    const char *compiler;
    const char *flags;
    const char *build_type;
    bool optimized;
};

struct pb_catalog {
    struct pb_catalog_suite *suites;
    size_t n_suites;
    struct pb_catalog_case *cases; /* sorted by name */
    size_t n_cases;
};

/*
 * Reads the tables of the suites at paths. NAME.layout1.so, NAME.layout2.so … beside NAME.so are
 * taken as its layouts. worker: path of the worker program errors: PB_ERR_SUITE for a file that
 * can't be loaded, another ABI number, a malformed table, a layout with another table than its
 * suite, or two benchmarks of one name (both places are named)
 */
enum pb_code pb_catalog_load(const char *worker, const char *const *paths, size_t n_paths,
                             struct pb_arena *arena, struct pb_catalog *catalog,
                             struct pb_error *err) PB_MUST_USE;

#endif
