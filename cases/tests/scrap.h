/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory of a test: taken piece by piece, given back all at once. Each piece is an allocation of
 * its own, so that the sanitizers see a read past its end.
 */
#ifndef CASES_TESTS_SCRAP_H
#define CASES_TESTS_SCRAP_H

#include <stddef.h>

struct scrap_piece;

struct scrap {
    struct scrap_piece *pieces;
};

/* returns: size zeroed bytes (1 for 0); never NULL: a test that has no memory is aborted */
void *scrap_alloc(struct scrap *scrap, size_t size);
void scrap_release(struct scrap *scrap);

#endif
