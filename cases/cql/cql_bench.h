/* SPDX-License-Identifier: Apache-2.0
 *
 * What the variants of all CQL cases share: a request, a sink, and a loop around one encoder.
 *
 * A variant is its encoder and an open() that names it; everything else is here and the same for
 * all sides, the timed loop included, so that its place in memory favours none.
 */
#ifndef CASES_CQL_CQL_BENCH_H
#define CASES_CQL_CQL_BENCH_H

#include "bytes/fd_sink.h"
#include "cql/cql_shape.h"

/* What a scenario's `input` points to. */
struct cql_input {
    struct cql_shape shape;
    bool descriptor; /* write to a file descriptor, else to memory                              */
};

struct cql_bench {
    struct pb_env *env;
    struct cql_request request;
    enum cql_code (*encode)(const struct cql_request *request, struct sink *sink);
    struct memory_sink memory;
    struct fd_sink descriptor;
    struct sink *sink;   /* the one that is written to                                            */
    unsigned char *copy; /* where output() puts what went to the descriptor                     */
};

/*
 * For a variant's open(). Nothing is allocated after this, whatever is run.
 * encode: one operation
 */
int cql_bench_open(struct pb_env *env, const struct pb_scenario *scenario,
                   enum cql_code (*encode)(const struct cql_request *, struct sink *),
                   void **state);

/* For every pb_variant, as they are. */
int cql_bench_run(void *state, uint64_t n);
int cql_bench_output(void *state, struct pb_bytes *bytes);
int cql_bench_counts(void *state, struct pb_env *env);
void cql_bench_close(void *state);

/* Defines a variant's open(). */
#define CQL_BENCH_OPEN(variant)                                                                    \
    static int open_##variant(struct pb_env *env, const struct pb_scenario *scenario,              \
                              void *shared, void **state)                                          \
    {                                                                                              \
        (void)shared;                                                                              \
        return cql_bench_open(env, scenario, encode_##variant, state);                             \
    }

#define CQL_BENCH_VARIANT(variant, text, variant_flags)                                            \
    {                                                                                              \
        .name = #variant, .summary = (text), .flags = (variant_flags), .open = open_##variant,     \
        .run = cql_bench_run, .output = cql_bench_output, .counts = cql_bench_counts,              \
        .close = cql_bench_close                                                                   \
    }

/* Defines `variants` from encode_old(), encode_new() and encode_floor(), with their summaries. */
#define CQL_BENCH_VARIANTS(old_text, new_text, floor_text)                                         \
    CQL_BENCH_OPEN(old)                                                                            \
    CQL_BENCH_OPEN(new)                                                                            \
    CQL_BENCH_OPEN(floor)                                                                          \
    static const struct pb_variant variants[] = {                                                  \
        CQL_BENCH_VARIANT(old, old_text, 0),                                                       \
        CQL_BENCH_VARIANT(new, new_text, 0),                                                       \
        CQL_BENCH_VARIANT(floor, floor_text, PAIRBENCH_VARIANT_BOUND),                             \
    }

#endif
