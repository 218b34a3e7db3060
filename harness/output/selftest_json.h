/* SPDX-License-Identifier: Apache-2.0
 *
 * A self-test as a document of schema `pairbench/1`.
 */
#ifndef PB_OUTPUT_SELFTEST_JSON_H
#define PB_OUTPUT_SELFTEST_JSON_H

#include "base/strbuf.h"
#include "output/selftest_report.h"

/* Appends the document. errors: PB_ERR_NOMEM; PB_ERR_LIMIT the buffer is full */
enum pb_code pb_selftest_json_add(struct pb_strbuf *buf, const struct pb_selftest_report *report,
                                  struct pb_error *err) PB_MUST_USE;

#endif
