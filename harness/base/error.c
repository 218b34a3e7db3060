/* SPDX-License-Identifier: Apache-2.0
 *
 * Filling an error. Nothing here allocates, so that running out of memory can be reported too.
 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char ellipsis[] = "…";

/* Marks a message that did not fit, without leaving half a character in front of the mark. */
static void mark_cut(char *message, size_t size)
{
    size_t end = size - sizeof ellipsis;
    while (end > 0 && ((unsigned char)message[end] & 0xC0) == 0x80) {
        end--;
    }
    memcpy(message + end, ellipsis, sizeof ellipsis);
}

enum pb_code pb_error_set(struct pb_error *err, enum pb_code code, const char *format, ...)
{
    if (err == NULL) {
        return code;
    }
    va_list args;
    va_start(args, format);
    err->code = code;
    const int n = vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    if (n < 0) {
        err->message[0] = '\0';
    } else if ((size_t)n >= sizeof err->message) {
        mark_cut(err->message, sizeof err->message);
    }
    return code;
}

enum pb_code pb_error_prefix(struct pb_error *err, const char *format, ...)
{
    char prefix[PB_ERROR_MESSAGE_BYTES];
    char message[PB_ERROR_MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    if (n < 0) {
        prefix[0] = '\0';
    }
    memcpy(message, err->message, sizeof message);
    return pb_error_set(err, err->code, "%s: %s", prefix, message);
}
