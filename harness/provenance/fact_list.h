/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts in the making: added in any order, handed out sorted by key.
 */
#ifndef PB_PROVENANCE_FACT_LIST_H
#define PB_PROVENANCE_FACT_LIST_H

#include <stdint.h>

#include "base/arena.h"
#include "base/record.h"

/* The value of every fact that can't be known. */
#define PB_FACT_UNKNOWN "unknown"

struct pb_fact_list {
    struct pb_arena *arena;
    struct pb_facts facts;
    size_t capacity;
};

/*
 * Adds a fact.
 * key:   kept, not copied
 * value: kept, not copied; NULL means PB_FACT_UNKNOWN
 */
void pb_fact_list_add(struct pb_fact_list *list, const char *key, const char *value);

/* The facts, sorted by key (strcmp). The list must not be added to any more. */
struct pb_facts pb_fact_list_sorted(struct pb_fact_list *list);

/* The value of key, PB_FACT_UNKNOWN when there is none. facts: may be NULL */
const char *pb_fact_or_unknown(const struct pb_facts *facts, const char *key);

/*
 * A hash of keys and values in their order; equal facts have equal hashes on every machine.
 * Not for secrets: it is no cryptographic one.
 * source: FNV-1a, 64 bits
 */
uint64_t pb_facts_hash(const struct pb_facts *facts);

#endif
