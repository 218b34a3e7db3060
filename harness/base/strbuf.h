/* SPDX-License-Identifier: Apache-2.0
 *
 * A growing string with a bound. Every text that pairbench makes is built in one of these.
 *
 * An append that would pass the limit appends what fits and sets `overflow`, which the caller
 * tests once at the end. Numbers are written in the C locale whatever setlocale() says.
 */
#ifndef PB_BASE_STRBUF_H
#define PB_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

/* Limit of a buffer that was not given one: a report has never come near it. */
#define PB_STRBUF_LIMIT_BYTES ((size_t)256 << 20)

struct pb_strbuf {
    char *text;    /* always zero-terminated; "" when empty, never NULL after an append or _init */
    size_t length; /* without the terminating zero                                              */
    size_t capacity; /* of the allocation                                                         */
    size_t limit;    /* bytes; 0 means PB_STRBUF_LIMIT_BYTES                                      */
    bool overflow;   /* something was cut off at the limit                                        */
};

void pb_strbuf_init(struct pb_strbuf *buf);
void pb_strbuf_release(struct pb_strbuf *buf);
void pb_strbuf_reset(struct pb_strbuf *buf);

void pb_strbuf_add(struct pb_strbuf *buf, const void *data, size_t n);
void pb_strbuf_adds(struct pb_strbuf *buf, const char *text);
void pb_strbuf_addc(struct pb_strbuf *buf, char c);
void pb_strbuf_addf(struct pb_strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
