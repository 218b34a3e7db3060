/* SPDX-License-Identifier: Apache-2.0
 *
 * A check as workflow commands of GitHub Actions, which makes annotations of them.
 *
 * An error for each finding that fails the check, a warning for each regression that is let pass,
 * worst first, and a notice that sums up. GitHub shows ten of a kind in a step and drops the rest
 * without a word, so the tenth says how many there are more.
 */
#ifndef PB_OUTPUT_GITHUB_H
#define PB_OUTPUT_GITHUB_H

#include "base/strbuf.h"
#include "output/finding.h"

/* Most annotations of a kind that a step can have. */
enum { PB_GITHUB_ANNOTATIONS_MAX = 10 };

/*
 * Appends the commands, a line each. Whatever is in names, a line is one command and no other.
 * check:  concluded, so that it is known what fails it
 * source: docs.github.com, Workflow commands for GitHub Actions; escapes as in the toolkit's
 *         `command`: % CR LF in the message, also : and , in a property
 */
void pb_github_add(struct pb_strbuf *buf, const struct pb_check_record *check);

#endif
