/* SPDX-License-Identifier: Apache-2.0
 *
 * The words in which the scenarios of the CQL cases are written: values by the run, and a scenario
 * on a sink. Without another version they speak v4.
 * source: the benchmark scripts of scylladb/python-driver #791
 */
#ifndef CASES_CQL_CQL_RUNS_H
#define CASES_CQL_CQL_RUNS_H

#include "cql/cql_bench.h"
#include "golden.h"

/* clang-format off */
#define RUN_INT       {.count = 1, .size_bytes = 4, .pattern = {0, 0, 0, 42}}
#define RUN_VEC128    {.count = 1, .size_bytes = 512, .pattern = {0x3d, 0xcc, 0xcc, 0xcd}}
#define RUN_VEC768    {.count = 1, .size_bytes = 3072, .pattern = {0x3d, 0xcc, 0xcc, 0xcd}}
#define RUN_TEXTS(n)  {.count = (n), .size_bytes = 20, .pattern = {'A', 'A', 'A', 'A'}}
#define RUN_NULLS(n)  {.count = (n), .kind = CQL_NULL}
#define RUN_UNSETS(n) {.count = (n), .kind = CQL_UNSET}
#define RUN_BLOB_1M   {.count = 1, .size_bytes = 1 << 20, .pattern = {0xde, 0xad, 0xbe, 0xef}}
/* 12 values of three kinds, in this order. */
#define RUNS_NULL_UNSET                                                                            \
    {.count = 8, .size_bytes = 4, .pattern = {0, 0, 0, 1}}, RUN_NULLS(3), RUN_UNSETS(1)

/* golden_name is the golden bytes' name in golden.h; the rest describes the shape. */
#define ON_MEMORY(scenario_name, text, golden_name, ...)                                           \
    {.name = (scenario_name),                                                                      \
     .summary = (text),                                                                            \
     .golden = GOLDEN(golden_name),                                                                \
     .input = &(const struct cql_input){.shape = {.version = 4, __VA_ARGS__}}}

/* For what is too large to keep golden bytes of. */
#define WITHOUT_GOLDEN(scenario_name, text, ...)                                                   \
    {.name = (scenario_name),                                                                      \
     .summary = (text),                                                                            \
     .input = &(const struct cql_input){.shape = {.version = 4, __VA_ARGS__}}}

#define ON_DESCRIPTOR(scenario_name, text, golden_name, ...)                                       \
    {.name = (scenario_name),                                                                      \
     .summary = (text ", to a file descriptor"),                                                   \
     .golden = GOLDEN(golden_name),                                                                \
     .input = &(const struct cql_input){.shape = {.version = 4, __VA_ARGS__}, .descriptor = true}}

/* The same input on both sinks. */
#define ON_BOTH_SINKS(scenario_name, text, golden_name, ...)                                       \
    ON_MEMORY(scenario_name, text, golden_name, __VA_ARGS__),                                      \
    ON_DESCRIPTOR(scenario_name "_fd", text, golden_name, __VA_ARGS__)
/* clang-format on */

#endif
