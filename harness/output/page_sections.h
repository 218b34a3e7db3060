/* SPDX-License-Identifier: Apache-2.0
 *
 * The sections of the report, one function each; the template says where they go.
 *
 * Everything from a record is escaped on its way in. Elements are written so that the page is
 * well-formed XML too, which is easy to check.
 */
#ifndef PB_OUTPUT_PAGE_SECTIONS_H
#define PB_OUTPUT_PAGE_SECTIONS_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "output/page.h"
#include "output/run_view.h"

struct pb_page {
    struct pb_strbuf *buf;
    const struct pb_page_spec *spec;
    const struct pb_charts *charts;
    struct pb_arena *arena;
    struct pb_run_view view;
};

void pb_page_title(struct pb_page *page);
void pb_page_style(struct pb_page *page);
void pb_page_headline(struct pb_page *page);
void pb_page_remarks(struct pb_page *page);
void pb_page_facts(struct pb_page *page);
void pb_page_overview(struct pb_page *page);
void pb_page_findings(struct pb_page *page);
void pb_page_problems(struct pb_page *page);
void pb_page_cases(struct pb_page *page);
void pb_page_footer(struct pb_page *page);

#endif
