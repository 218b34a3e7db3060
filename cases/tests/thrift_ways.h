/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways from a message to its value: each decoding path over each kind of body, whole and in
 * pieces. All must give the same.
 */
#ifndef CASES_TESTS_THRIFT_WAYS_H
#define CASES_TESTS_THRIFT_WAYS_H

#include "bytes/http_body.h"
#include "bytes/memory_source.h"
#include "bytes/shaped_source.h"
#include "scrap.h"
#include "thrift/thrift_decode.h"

struct thrift_way {
    const char *name;
    enum transport_kind kind;
    bool generic_only;
    enum thrift_path path; /* the path that must run                                            */
    enum http_framing framing;
    size_t http_chunk; /* bytes of each chunk of a chunked body                                 */
    size_t piece;      /* bytes of each read from below; 0: as many as are asked for            */
    bool no_last_chunk;
};

extern const struct thrift_way thrift_ways[];
extern const size_t n_thrift_ways;

/* The stack of sources under a decoder. */
struct thrift_road {
    struct memory_source memory;
    struct shaped_source shaped;
    struct buffered_reader reader;
    struct http_body body;
};

/* message: kept until the last read */
void thrift_road_build(struct thrift_road *road, const struct thrift_way *way,
                       struct pb_bytes message, struct scrap *scrap);

/* How many bytes of the body a decoder has taken for a message. */
size_t thrift_road_consumed(const struct thrift_road *road, const struct thrift_decoder *decoder);

/*
 * returns: the bytes in chunks of this size, with the last chunk or without it; in scrap
 */
struct pb_bytes chunked_body(struct pb_bytes bytes, size_t chunk, bool last, struct scrap *scrap);

#endif
