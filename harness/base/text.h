/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and messages of other people made safe to show.
 *
 * Suites name benchmarks as they like: quotes, newlines, escape sequences, invalid UTF-8. Names are
 * stored as they are and pass through one of these on their way out.
 */
#ifndef PB_BASE_TEXT_H
#define PB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Whether n bytes are well-formed UTF-8 (Unicode 15, table 3-7: no surrogates, no overlong forms).
 */
bool pb_text_is_utf8(const char *text, size_t n);

/*
 * Appends text so that a terminal shows it and does nothing else: control characters (C0, DEL, C1)
 * as \n, \t or \xNN, a backslash as \\, as \xNN for each byte what is not UTF-8, what turns the
 * direction of text (U+202A to U+202E, U+2066 to U+2069, marks), and what can't be seen (U+200B,
 * U+FEFF). Injective: it can be undone.
 */
void pb_text_add_escaped(struct pb_strbuf *buf, const char *text);

/*
 * Appends a message for a terminal: the same as \xNN, but \n stays a line break, and a backslash
 * stays as it is, since the message may hold names that were escaped before.
 */
void pb_text_add_message(struct pb_strbuf *buf, const char *text);

/*
 * Undoes pb_text_add_escaped.
 * returns: false when text is not such a form; buf then holds a part of it
 */
bool pb_text_add_unescaped(struct pb_strbuf *buf, const char *text);

/* Appends text as UTF-8: each byte that is not part of well-formed UTF-8 becomes U+FFFD. */
void pb_text_add_utf8(struct pb_strbuf *buf, const char *text);

/* Appends text for HTML and XML content or a double-quoted attribute: & < > " ' as references,
 * control characters but \t and \n, U+FFFE and U+FFFF as U+FFFD, invalid UTF-8 as U+FFFD. */
void pb_text_add_html(struct pb_strbuf *buf, const char *text);

/* Columns that escaped or plain UTF-8 text takes on a terminal: one for each code point. */
size_t pb_text_columns(const char *text);

/*
 * A file name for a benchmark name: [A-Za-z0-9._-] are kept, everything else becomes '_', at most
 * 80 bytes of it, and a 16-digit hexadecimal hash of the whole name behind: different names never
 * collide, `a/b` and `a-b` included.
 */
void pb_text_add_file_name(struct pb_strbuf *buf, const char *name);

#endif
