/* SPDX-License-Identifier: Apache-2.0
 *
 * The raw body of an HTTP response as a source, pulled out of libcurl, which pushes.
 *
 * libcurl is told to leave the transfer coding alone. What it hands over is kept until it is read;
 * it is asked for more when that is used up, so that no more than one of its buffers is held.
 */
#ifndef CASES_CLIENT_CURL_SOURCE_H
#define CASES_CLIENT_CURL_SOURCE_H

#include <curl/curl.h>

#include "bytes/http_head.h"
#include "bytes/memory_sink.h"
#include "bytes/source.h"

struct curl_source {
    struct source source;
    CURLM *multi;
    CURL *easy; /* borrowed                                                                     */
    struct http_head head;
    bool head_wrong; /* a line of it made no sense                                              */
    bool body_begun;
    bool done; /* libcurl is through with the response                                          */
    CURLcode result;
    struct memory_sink held; /* what libcurl handed over and nobody read                        */
    size_t n_taken;          /* bytes of it that were read                                      */
};

/*
 * easy: set up but for what the source needs
 */
void curl_source_init(struct curl_source *source, CURLM *multi, CURL *easy);
void curl_source_release(struct curl_source *source);

/*
 * Sends the request and waits until the head of the response is there.
 * returns: 0; SOURCE_MALFORMED for a head that makes no sense; SOURCE_FAILED when there is none
 */
SOURCE_MUST_USE int curl_source_begin(struct curl_source *source);

/* Ends the transfer. What was not read is lost, and the connection with it, unless it was all. */
void curl_source_end(struct curl_source *source);

#endif
