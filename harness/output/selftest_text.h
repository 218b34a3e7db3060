/* SPDX-License-Identifier: Apache-2.0
 *
 * A self-test as text: tables of what was measured, of methods, of simulated launches.
 */
#ifndef PB_OUTPUT_SELFTEST_TEXT_H
#define PB_OUTPUT_SELFTEST_TEXT_H

#include "base/strbuf.h"
#include "output/selftest_report.h"
#include "output/style.h"

/*
 * Appends the parts of a report that have something in them. Checks on simulated launches that
 * hold are only counted, with -v all are listed.
 */
void pb_selftest_text_add(struct pb_strbuf *buf, const struct pb_selftest_report *report,
                          const struct pb_style *style);

#endif
