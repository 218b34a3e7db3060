/* SPDX-License-Identifier: Apache-2.0
 *
 * A source that is memory. It copies what is asked for, up to what is left.
 */
#ifndef CASES_BYTES_MEMORY_SOURCE_H
#define CASES_BYTES_MEMORY_SOURCE_H

#include "bytes/source.h"
#include "pairbench.h"

struct memory_source {
    struct source source;
    const unsigned char *next;
    size_t left; /* bytes                                                                       */
};

/*
 * bytes: kept until the last read
 */
void memory_source_init(struct memory_source *memory, struct pb_bytes bytes);

#endif
