/* SPDX-License-Identifier: Apache-2.0
 *
 * A run and its check as Markdown, for the step summary or the comment of a CI job.
 *
 * Names are escaped so that nothing in them renders, links, mentions or runs. Code hosts cut or
 * refuse long comments, so the text is cut here instead: the worst stays, the rest is counted.
 */
#ifndef PB_OUTPUT_MARKDOWN_H
#define PB_OUTPUT_MARKDOWN_H

#include "base/record.h"
#include "base/strbuf.h"
#include "output/finding.h"

/* Longest comment that the common code hosts take, in characters; bytes are never fewer. */
#define PB_MARKDOWN_LIMIT_BYTES ((size_t)65535)

struct pb_markdown_spec {
    const struct pb_run_record *run;
    const struct pb_check_record *check; /* NULL when nothing was checked              */
    const char *full_report;             /* where all of it is; NULL when nowhere      */
    size_t limit_bytes;                  /* 0 = PB_MARKDOWN_LIMIT_BYTES; at least 4096 */
};

/* Appends fewer than limit_bytes bytes of Markdown. */
void pb_markdown_add(struct pb_strbuf *buf, const struct pb_markdown_spec *spec);

#endif
