/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON documents of the commands, schema `pairbench/1`: strict JSON, one document, keys only
 * ever added.
 *
 * What is not a finite number is null. Names are UTF-8: bytes that are not become U+FFFD. Numbers
 * read back as the same double. A 64-bit seed is a string, since many readers keep only 53 bits.
 */
#ifndef PB_OUTPUT_JSON_H
#define PB_OUTPUT_JSON_H

#include "base/error.h"
#include "base/record.h"
#include "base/strbuf.h"
#include "output/baseline_diff_text.h"
#include "output/bisect_text.h"
#include "output/comparison.h"
#include "output/doctor_text.h"
#include "output/finding.h"
#include "output/listing.h"

/*
 * Appends the document of `run`, `list`, `check`, `baseline show|diff`, `doctor`, `compare` or
 * `bisect`, with a newline at its end.
 * errors: PB_ERR_NOMEM; PB_ERR_LIMIT the buffer is full
 */
enum pb_code pb_json_add_run(struct pb_strbuf *buf, const struct pb_run_record *run,
                             struct pb_error *err) PB_MUST_USE;
enum pb_code pb_json_add_check(struct pb_strbuf *buf, const struct pb_run_record *run,
                               const struct pb_check_record *check,
                               struct pb_error *err) PB_MUST_USE;
enum pb_code pb_json_add_list(struct pb_strbuf *buf, const struct pb_listing *listing,
                              struct pb_error *err) PB_MUST_USE;
enum pb_code pb_json_add_baseline(struct pb_strbuf *buf, const struct pb_baseline_listing *baseline,
                                  struct pb_error *err) PB_MUST_USE;
enum pb_code pb_json_add_baseline_diff(struct pb_strbuf *buf, const struct pb_baseline_diff *diff,
                                       struct pb_error *err) PB_MUST_USE;
enum pb_code pb_json_add_doctor(struct pb_strbuf *buf, const struct pb_doctor_record *record,
                                struct pb_error *err) PB_MUST_USE;
/* Of two stored runs: that of head, held against that of base. */
enum pb_code pb_json_add_compared_runs(struct pb_strbuf *buf, const struct pb_run_record *run,
                                       const struct pb_check_record *check,
                                       struct pb_error *err) PB_MUST_USE;
enum pb_code pb_json_add_comparison(struct pb_strbuf *buf, const struct pb_comparison *comparison,
                                    struct pb_error *err) PB_MUST_USE;
enum pb_code pb_json_add_bisection(struct pb_strbuf *buf, const struct pb_bisect_record *record,
                                   struct pb_error *err) PB_MUST_USE;

#endif
