/* SPDX-License-Identifier: Apache-2.0
 *
 * A check as JUnit XML, the form in which most CI servers take results.
 *
 * A suite for each gate, a test case for each finding. What fails the check is a failure, or an
 * error where a benchmark could not be measured at all; what could not be judged, or was waived, is
 * skipped, so that no server counts it as passed.
 */
#ifndef PB_OUTPUT_JUNIT_H
#define PB_OUTPUT_JUNIT_H

#include "base/record.h"
#include "base/strbuf.h"
#include "output/finding.h"

/*
 * Appends the document.
 * check: concluded, so that it is known what fails it
 * source: the schema of Jenkins' xunit plugin, junit-10.xsd
 */
void pb_junit_add(struct pb_strbuf *buf, const struct pb_run_record *run,
                  const struct pb_check_record *check);

#endif
