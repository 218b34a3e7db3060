/* SPDX-License-Identifier: Apache-2.0
 *
 * thrift/encode_request: a request of the service as one message.
 *
 * Old (thrift_encode_old.c) writes each primitive to the sink by itself, new (thrift_encode_new.c)
 * builds the message in the sink's memory and writes it once. Here are the requests, as a driver
 * builds them.
 */
#ifndef CASES_THRIFT_ENCODE_REQUEST_H
#define CASES_THRIFT_ENCODE_REQUEST_H

#include "thrift/thrift.h"

enum request_kind {
    REQUEST_OPEN_SESSION,
    REQUEST_EXECUTE, /* with native parameters, one of them nested, and query tags              */
    REQUEST_EXECUTE_UNTAGGED, /* the same without the tags                                      */
    REQUEST_GET_TABLES,
    REQUEST_GET_COLUMNS,
};

struct request {
    struct thrift_message message;
    const struct thrift_struct *description;
    void *args;
};

/*
 * Builds a request.
 * env:     the request lives in its arena
 * returns: PAIRBENCH_OK, or PAIRBENCH_FAILED when the arena is used up
 */
int request_build(enum request_kind kind, struct pb_env *env, struct request *request);

#endif
