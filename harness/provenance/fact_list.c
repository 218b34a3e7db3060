/* SPDX-License-Identifier: Apache-2.0
 *
 * An array that grows in the arena and one sort at the end.
 */
#include "provenance/fact_list.h"

#include <stdlib.h>
#include <string.h>

void pb_fact_list_add(struct pb_fact_list *list, const char *key, const char *value)
{
    struct pb_facts *facts = &list->facts;
    facts->items =
        pb_arena_grow(list->arena, facts->items, facts->n, &list->capacity, sizeof *facts->items);
    facts->items[facts->n++] = (struct pb_fact){key, value != NULL ? value : PB_FACT_UNKNOWN};
}

static int compare_keys(const void *a, const void *b)
{
    const struct pb_fact *one = a;
    const struct pb_fact *other = b;
    return strcmp(one->key, other->key);
}

struct pb_facts pb_fact_list_sorted(struct pb_fact_list *list)
{
    if (list->facts.n > 1) {
        qsort(list->facts.items, list->facts.n, sizeof *list->facts.items, compare_keys);
    }
    return list->facts;
}

const char *pb_fact_or_unknown(const struct pb_facts *facts, const char *key)
{
    const char *value = facts != NULL ? pb_facts_get(facts, key) : NULL;
    return value != NULL ? value : PB_FACT_UNKNOWN;
}

/* With its terminating zero, so that "ab" + "c" and "a" + "bc" differ. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    const size_t n = strlen(text) + 1;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t pb_facts_hash(const struct pb_facts *facts)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < facts->n; i++) {
        hash = hash_text(hash, facts->items[i].key);
        hash = hash_text(hash, facts->items[i].value);
    }
    return hash;
}
