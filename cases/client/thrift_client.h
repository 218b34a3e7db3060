/* SPDX-License-Identifier: Apache-2.0
 *
 * thrift/retry: a client that sends requests of the service over HTTP, decodes what comes back
 * while it comes, and asks again when the server is busy.
 *
 * libcurl makes the connections; the body layer of this suite parses the framing, so that what is
 * tested is what is measured. The transport is the plain one or the buffered one, with the same
 * behaviour: a reply that can't be decoded asks the status.
 *
 * Depends on libcurl, bytes/ and thrift/. One call at a time.
 */
#ifndef CASES_CLIENT_THRIFT_CLIENT_H
#define CASES_CLIENT_THRIFT_CLIENT_H

#include "thrift/retry_policy.h"
#include "thrift/tcli.h"
#include "thrift/thrift_decode.h"

/* Time, so that a test need not wait. Both are NULL for the real one. */
struct client_clock {
    double (*now_s)(void *context);
    void (*wait_s)(void *context, double seconds);
    void *context;
};

struct client_options {
    const char *url; /* borrowed for the call                                                   */
    enum transport_kind transport;
    struct retry_policy policy;
    struct client_clock clock;
};

/* What became of a call. */
struct client_outcome {
    enum thrift_code code; /* of the last attempt                                               */
    int status;            /* of the last attempt; 0 when no head came                          */
    unsigned attempts;
    double waited_s;           /* in all                                                          */
    enum thrift_path path;     /* by which the last body was decoded                              */
    bool reusable;             /* the last connection can be used again                           */
    struct thrift_reply reply; /* when code is THRIFT_OK; valid until the next call             */
};

struct thrift_client;

/*
 * returns: NULL when there is no memory or libcurl can't be used
 */
struct thrift_client *thrift_client_new(const struct client_options *options);
void thrift_client_free(struct thrift_client *client);

/*
 * Calls a method.
 * args:    described by method->args; borrowed for the call
 * returns: the code of the last attempt, which is in the outcome too
 */
THRIFT_MUST_USE enum thrift_code thrift_client_call(struct thrift_client *client,
                                                    const struct tcli_method *method,
                                                    const void *args,
                                                    struct client_outcome *outcome);

#endif
