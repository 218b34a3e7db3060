/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of a run in JSON: its parts, for the documents that hold them.
 */
#ifndef PB_OUTPUT_JSON_RECORD_H
#define PB_OUTPUT_JSON_RECORD_H

#include "output/json_document.h"

/* Puts what a run is under `run` of the root: machine, build, commit, plan; not what it measured.
 */
void pb_json_put_run(struct pb_json_document *doc, const struct pb_run_record *run);

/* Appends an object to an array. returns: it, for more keys */
struct json_object *pb_json_put_benchmark(struct pb_json_document *doc, struct json_object *array,
                                          const struct pb_benchmark_record *benchmark);
struct json_object *pb_json_put_pair(struct pb_json_document *doc, struct json_object *array,
                                     const struct pb_pair_record *pair);

/* Puts a log ratio with its interval as `speedup`, `change_pct`, `lo_pct` and `hi_pct`. */
void pb_json_put_change(struct pb_json_document *doc, struct json_object *object, double estimate,
                        double lo, double hi);

#endif
