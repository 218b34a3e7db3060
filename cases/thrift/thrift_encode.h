/* SPDX-License-Identifier: Apache-2.0
 *
 * Encoding messages: the old way and the new one, same bytes.
 *
 * Old hands each primitive (a type, an id, a length, a payload) to the sink as a write of its own.
 * New builds the whole message in the sink's memory and hands it over with one write; when that
 * fails, nothing of the message is left behind.
 *
 * A field is written when it is there, presets too, by ascending id; maps keep their order.
 */
#ifndef CASES_THRIFT_THRIFT_ENCODE_H
#define CASES_THRIFT_THRIFT_ENCODE_H

#include "bytes/sink.h"
#include "thrift/thrift.h"

/*
 * message: NULL: the struct alone, without a header
 * value:   described by description; borrowed for the call
 * errors:  THRIFT_TOO_LONG, THRIFT_TOO_DEEP; THRIFT_SINK_FAILED, where sink->error says why
 */
THRIFT_MUST_USE enum thrift_code thrift_encode_old(struct sink *sink,
                                                   const struct thrift_message *message,
                                                   const struct thrift_struct *description,
                                                   const void *value);
THRIFT_MUST_USE enum thrift_code thrift_encode_new(struct sink *sink,
                                                   const struct thrift_message *message,
                                                   const struct thrift_struct *description,
                                                   const void *value);

/* The version of the protocol, to which the message's type is added. */
#define THRIFT_VERSION_1 0x80010000u

#endif
