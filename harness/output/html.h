/* SPDX-License-Identifier: Apache-2.0
 *
 * Small pieces of HTML: escaped text, cells, words with their colour, pictures as data.
 */
#ifndef PB_OUTPUT_HTML_H
#define PB_OUTPUT_HTML_H

#include <stddef.h>

#include "base/arena.h"
#include "base/record.h"
#include "base/strbuf.h"
#include "output/finding.h"
#include "output/table.h"

/* Appends a name or message of other people: made visible as on a terminal, then escaped. */
void pb_html_add_text(struct pb_strbuf *buf, const char *text);

/* Appends the same inside <code>, which may be broken behind a '/'. */
void pb_html_add_code(struct pb_strbuf *buf, const char *text);

/* The class attribute's word of a tone: `good`, `bad`, `warn`, `faint`, "". */
const char *pb_html_tone(enum pb_tone tone);

/* Appends a table cell with the verdict's name in its colour. */
void pb_html_add_verdict_cell(struct pb_strbuf *buf, enum pb_verdict verdict);

/* The same with the word for a finding. */
void pb_html_add_finding_cell(struct pb_strbuf *buf, const struct pb_finding *finding);

/*
 * Appends `data:TYPE;base64,…` of n bytes.
 * type:   media type
 * source: RFC 4648, section 4
 */
void pb_html_add_data_uri(struct pb_strbuf *buf, const char *type, const void *data, size_t n);

#endif
