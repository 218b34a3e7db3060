/* SPDX-License-Identifier: Apache-2.0
 *
 * Decoding replies: one entry, two paths.
 *
 * The generic path reads each primitive (a type, an id, a length, a payload) through the
 * transport. The fast path looks into the window of a buffered transport. Both follow the same
 * descriptions and rules, give the same value, and fail with the same code; which one ran is
 * recorded. The fast path needs the buffered transport, and is left alone where the caller says so.
 *
 * The rule to know: a decoded value, with all its strings, is valid until the decoder's next reply,
 * thrift_decoder_flush() or thrift_decoder_release().
 */
#ifndef CASES_THRIFT_THRIFT_DECODE_H
#define CASES_THRIFT_THRIFT_DECODE_H

#include "thrift/thrift_transport.h"

#define THRIFT_NO_LIMIT ((uint32_t)INT32_MAX)

/* The largest lengths to accept. 0 is a limit: only what is empty passes. */
struct thrift_limits {
    uint32_t string_bytes;    /* of strings and binaries, those of skipped fields too           */
    uint32_t container_items; /* of lists, sets and maps                                        */
};

enum thrift_path {
    THRIFT_PATH_NONE, /* nothing was decoded yet                                                */
    THRIFT_PATH_GENERIC,
    THRIFT_PATH_FAST,
};

struct thrift_decoder {
    struct reply_memory memory;
    struct thrift_transport transport;
    struct thrift_limits limits; /* may be changed between replies                              */
    bool generic_only;           /* may be changed between replies                              */
    bool large_fields;           /* the last reply had fields with buffers of their own         */
    enum thrift_path path;       /* which path the last struct was decoded by                   */
};

struct thrift_reply {
    struct thrift_message message;
    const struct thrift_struct *description; /* of value: the result, or an exception           */
    void *value;
};

/* No limits. */
void thrift_decoder_init(struct thrift_decoder *decoder);

/* Forgets the last reply and gives all memory back. The decoder can go on. */
void thrift_decoder_flush(struct thrift_decoder *decoder);
void thrift_decoder_release(struct thrift_decoder *decoder);

/*
 * Decodes a message: its header, and the struct that follows it. What stands behind that is
 * ignored, and not asked for.
 * body:    borrowed for the call
 * result:  describes the struct, unless the message is an exception
 * reply:   filled on success
 * errors:  every enum thrift_code but THRIFT_SINK_FAILED and THRIFT_TOO_LONG; the reply is lost
 */
THRIFT_MUST_USE enum thrift_code
thrift_decode_message(struct thrift_decoder *decoder, enum transport_kind kind, struct source *body,
                      const struct thrift_struct *result, struct thrift_reply *reply);

/* The same for the header alone, and for a struct without a header. */
THRIFT_MUST_USE enum thrift_code thrift_decode_header(struct thrift_decoder *decoder,
                                                      enum transport_kind kind, struct source *body,
                                                      struct thrift_message *message);
THRIFT_MUST_USE enum thrift_code thrift_decode_struct(struct thrift_decoder *decoder,
                                                      enum transport_kind kind, struct source *body,
                                                      const struct thrift_struct *description,
                                                      void **value);

#endif
