/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass with a stack of open elements. Comments and CDATA are jumped over; a document type may
 * stand at the beginning.
 */
#include "markup.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { DEPTH_MAX = 64, NAME_MAX_BYTES = 40 };

struct reader {
    const char *text;
    const char *at;
    char open[DEPTH_MAX][NAME_MAX_BYTES];
    int depth;
    struct pb_strbuf *why;
};

static bool complain(struct reader *reader, const char *what)
{
    pb_strbuf_addf(reader->why, "%s at byte %zu: %.60s", what, (size_t)(reader->at - reader->text),
                   reader->at);
    return false;
}

static bool starts(const struct reader *reader, const char *prefix)
{
    return strncmp(reader->at, prefix, strlen(prefix)) == 0;
}

/* Reads a name into name. */
static bool read_name(struct reader *reader, char *name)
{
    size_t n = 0;
    while (isalnum((unsigned char)*reader->at) || strchr(":-_.", *reader->at) != NULL) {
        if (*reader->at == '\0' || n + 1 >= NAME_MAX_BYTES) {
            break;
        }
        name[n++] = *reader->at++;
    }
    name[n] = '\0';
    return n > 0 || complain(reader, "no name");
}

static bool read_reference(struct reader *reader)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (starts(reader, known[i])) {
            reader->at += strlen(known[i]);
            return true;
        }
    }
    if (!starts(reader, "&#") || !isdigit((unsigned char)reader->at[2])) {
        return complain(reader, "unknown reference");
    }
    reader->at += 2 + strspn(reader->at + 2, "0123456789");
    return *reader->at++ == ';' || complain(reader, "unfinished reference");
}

static bool read_character(struct reader *reader)
{
    const unsigned char c = (unsigned char)*reader->at;
    if (c == '&') {
        return read_reference(reader);
    }
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F || starts(reader, "]]>")) {
        return complain(reader, "forbidden character");
    }
    reader->at++;
    return true;
}

static bool is_safe_attribute(struct reader *reader, const char *name, const char *value, size_t n)
{
    if (strncasecmp(name, "on", 2) == 0) {
        return complain(reader, "an event handler");
    }
    const bool address = strcmp(name, "href") == 0 || strcmp(name, "src") == 0 ||
                         strcmp(name, "srcset") == 0 || strcmp(name, "xlink:href") == 0;
    if (!address || n == 0) {
        return true;
    }
    const bool inside = strncmp(value, "data:image/", 11) == 0 ||
                        strncmp(value, "data:text/tab-separated-values;", 31) == 0 ||
                        value[0] == '#' || (memchr(value, ':', n) == NULL && value[0] != '/');
    return inside || complain(reader, "a foreign address");
}

static bool read_attribute(struct reader *reader)
{
    char name[NAME_MAX_BYTES];
    if (!read_name(reader, name)) {
        return false;
    }
    if (*reader->at++ != '=' || (*reader->at != '"' && *reader->at != '\'')) {
        return complain(reader, "an attribute without a quoted value");
    }
    const char quote = *reader->at++;
    const char *value = reader->at;
    while (*reader->at != quote) {
        if (*reader->at == '\0' || *reader->at == '<' || !read_character(reader)) {
            return complain(reader, "a broken attribute");
        }
    }
    const size_t n = (size_t)(reader->at++ - value);
    return is_safe_attribute(reader, name, value, n);
}

static void skip_blanks(struct reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool read_end_tag(struct reader *reader)
{
    char name[NAME_MAX_BYTES];
    reader->at += 2;
    if (!read_name(reader, name)) {
        return false;
    }
    if (reader->depth == 0 || strcmp(reader->open[--reader->depth], name) != 0) {
        return complain(reader, "an end without its beginning");
    }
    skip_blanks(reader);
    return *reader->at++ == '>' || complain(reader, "an unfinished end");
}

static bool read_start_tag(struct reader *reader)
{
    char name[NAME_MAX_BYTES];
    reader->at++;
    if (!read_name(reader, name)) {
        return false;
    }
    if (strcasecmp(name, "script") == 0 || strcasecmp(name, "iframe") == 0) {
        return complain(reader, "an active element");
    }
    for (;;) {
        skip_blanks(reader);
        if (starts(reader, "/>")) {
            reader->at += 2;
            return true;
        }
        if (*reader->at == '>') {
            reader->at++;
            break;
        }
        if (!read_attribute(reader)) {
            return false;
        }
    }
    if (reader->depth == DEPTH_MAX) {
        return complain(reader, "too deep");
    }
    strcpy(reader->open[reader->depth++], name);
    return true;
}

/* Jumps behind end. */
static bool skip_to(struct reader *reader, const char *end)
{
    const char *found = strstr(reader->at, end);
    if (found == NULL) {
        return complain(reader, "no end");
    }
    reader->at = found + strlen(end);
    return true;
}

static bool read_markup(struct reader *reader)
{
    if (starts(reader, "<!--")) {
        return skip_to(reader, "-->");
    }
    if (starts(reader, "<![CDATA[")) {
        return skip_to(reader, "]]>");
    }
    if (starts(reader, "<?") || starts(reader, "<!DOCTYPE")) {
        return skip_to(reader, ">");
    }
    return starts(reader, "</") ? read_end_tag(reader) : read_start_tag(reader);
}

bool markup_is_inert(const char *text, struct pb_strbuf *why)
{
    struct reader reader = {.text = text, .at = text, .why = why};
    while (*reader.at != '\0') {
        if (!(*reader.at == '<' ? read_markup(&reader) : read_character(&reader))) {
            return false;
        }
    }
    return reader.depth == 0 || complain(&reader, "an element is still open");
}
