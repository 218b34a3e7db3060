/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of a head. Names are compared without case; what is not known is ignored.
 */
#include "bytes/http_head.h"

#include <string.h>
#include <strings.h>

/* Digits only, at least one, less than 2^63. */
static bool parse_number(const char *text, size_t size, uint64_t *value)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; ++i) {
        if (text[i] < '0' || text[i] > '9' || sum > (INT64_MAX - 9) / 10) {
            return false;
        }
        sum = 10 * sum + (uint64_t)(text[i] - '0');
    }
    *value = sum;
    return size > 0;
}

static int status_line(struct http_head *head, const char *line, size_t size)
{
    uint64_t status;
    if (size < 12 || memcmp(line, "HTTP/", 5) != 0 || line[8] != ' ' ||
        (size > 12 && line[12] != ' ') || !parse_number(line + 9, 3, &status) || status < 100) {
        return SOURCE_MALFORMED;
    }
    *head = (struct http_head){.status = (int)status, .framing = HTTP_UNTIL_CLOSE};
    if (status == 204 || status == 304) {
        head->framing = HTTP_LENGTH;
    }
    return 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool named(const char *line, size_t size, const char *name)
{
    return size == strlen(name) && strncasecmp(line, name, size) == 0;
}

/* A header, its value without blanks around it. */
static int header(struct http_head *head, const char *name, size_t name_size, const char *value,
                  size_t size)
{
    if (named(name, name_size, "Transfer-Encoding")) {
        /* It says more than a length does. Chunked is the last coding, or the only one. */
        if (size < 7 || strncasecmp(value + size - 7, "chunked", 7) != 0) {
            return SOURCE_MALFORMED;
        }
        head->framing = HTTP_CHUNKED;
    } else if (named(name, name_size, "Content-Length")) {
        uint64_t length;
        if (!parse_number(value, size, &length) ||
            (head->framing == HTTP_LENGTH && head->status != 204 && head->status != 304 &&
             length != head->length_bytes)) {
            return SOURCE_MALFORMED;
        }
        if (head->framing == HTTP_UNTIL_CLOSE) {
            head->framing = HTTP_LENGTH;
            head->length_bytes = length;
        }
    } else if (named(name, name_size, "Retry-After")) {
        const size_t n = size < HTTP_RETRY_AFTER_BYTES ? size : HTTP_RETRY_AFTER_BYTES - 1;
        memcpy(head->retry_after_text, value, n);
        head->retry_after_text[n] = '\0';
        head->retry_after = true;
    }
    return 0;
}

int http_head_line(struct http_head *head, const char *line, size_t size)
{
    if (size >= 5 && memcmp(line, "HTTP/", 5) == 0) {
        return status_line(head, line, size);
    }
    if (head->status == 0) {
        return SOURCE_MALFORMED;
    }
    const char *colon = size > 0 ? memchr(line, ':', size) : NULL;
    if (colon == NULL) {
        return 0;
    }
    const char *value = colon + 1;
    const char *end = line + size;
    while (value < end && is_blank(*value)) {
        ++value;
    }
    while (end > value && is_blank(end[-1])) {
        --end;
    }
    return header(head, line, (size_t)(colon - line), value, (size_t)(end - value));
}

/* One head, to its empty line. */
static int read_one(struct http_head *head, struct buffered_reader *reader)
{
    unsigned char line[HTTP_LINE_BYTES];
    for (int i = 0; i < HTTP_HEAD_LINES; ++i) {
        size_t size;
        int end = buffered_reader_line(reader, line, sizeof line, READER_BUFFER_BYTES, &size);
        if (end == 0 && size == 0 && head->status != 0) {
            return 0;
        }
        if (end == 0) {
            end = http_head_line(head, (const char *)line, size);
        }
        if (end != 0) {
            return end;
        }
    }
    return SOURCE_MALFORMED;
}

int http_head_read(struct http_head *head, struct buffered_reader *reader)
{
    for (int i = 0; i < HTTP_HEAD_LINES; ++i) {
        *head = (struct http_head){.status = 0};
        const int end = read_one(head, reader);
        if (end != 0 || head->status >= 200) {
            return end;
        }
    }
    return SOURCE_MALFORMED;
}
