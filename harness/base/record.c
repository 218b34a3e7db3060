/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of the record: one table each, used by text, JSON, SQL and HTML alike.
 */
#include "base/record.h"

#include <string.h>

const char *pb_facts_get(const struct pb_facts *facts, const char *key)
{
    for (size_t i = 0; i < facts->n; i++) {
        if (strcmp(facts->items[i].key, key) == 0) {
            return facts->items[i].value;
        }
    }
    return NULL;
}

void pb_facts_add(struct pb_arena *arena, struct pb_facts *facts, const char *key,
                  const char *value)
{
    struct pb_fact *items = pb_arena_array(arena, facts->n + 1, sizeof *items);
    size_t at = 0;
    while (at < facts->n && strcmp(facts->items[at].key, key) < 0) {
        items[at] = facts->items[at];
        at++;
    }
    items[at] = (struct pb_fact){key, value};
    for (size_t i = at; i < facts->n; i++) {
        items[i + 1] = facts->items[i];
    }
    *facts = (struct pb_facts){.items = items, .n = facts->n + 1};
}

bool pb_run_could_count(const struct pb_run_record *run, const char *count)
{
    static const struct {
        const char *count;
        const char *counter;
    } taken_by[] = {
        {PB_SYSCALLS_COUNT, PB_SYSCALL_COUNTER},
        {PB_ALLOCATIONS_COUNT, PB_HEAP_COUNTER},
        {PB_ALLOCATED_BYTES_COUNT, PB_HEAP_COUNTER},
        {PB_PEAK_LIVE_BYTES_COUNT, PB_HEAP_COUNTER},
    };
    for (size_t i = 0; i < sizeof taken_by / sizeof taken_by[0]; i++) {
        if (strcmp(taken_by[i].count, count) == 0) {
            const char *counter = pb_facts_get(&run->machine, taken_by[i].counter);
            return counter == NULL || strcmp(counter, PB_NO_COUNTER) != 0;
        }
    }
    return true;
}

const struct pb_count_record *pb_benchmark_count(const struct pb_benchmark_record *benchmark,
                                                 const char *name)
{
    for (size_t i = 0; i < benchmark->n_counts; i++) {
        if (strcmp(benchmark->counts[i].name, name) == 0) {
            return &benchmark->counts[i];
        }
    }
    return NULL;
}

const char *pb_state_name(enum pb_state state)
{
    static const char *const names[] = {
        [PB_STATE_OK] = "ok",
        [PB_STATE_FAILED] = "failed",
        [PB_STATE_SKIPPED] = "skipped",
    };
    return names[state];
}

const char *pb_kernel_name(enum pb_kernel kernel)
{
    static const char *const names[PB_KERNELS] = {
        [PB_KERNEL_ALU] = "alu",
        [PB_KERNEL_L2] = "l2",
        [PB_KERNEL_MEMORY] = "memory",
    };
    return names[kernel];
}

const char *pb_verdict_name(enum pb_verdict verdict)
{
    static const char *const names[PB_VERDICTS] = {
        [PB_VERDICT_REGRESSED] = "regressed",
        [PB_VERDICT_IMPROVED] = "improved",
        [PB_VERDICT_UNCHANGED] = "unchanged",
        [PB_VERDICT_INCONCLUSIVE] = "inconclusive",
        [PB_VERDICT_ADDED] = "added",
        [PB_VERDICT_MISSING] = "missing",
        [PB_VERDICT_SKIPPED] = "skipped",
        [PB_VERDICT_FAILED] = "failed",
        [PB_VERDICT_INCOMPARABLE] = "incomparable",
        [PB_VERDICT_BELOW_RESOLUTION] = "below resolution",
        [PB_VERDICT_INSUFFICIENT_HISTORY] = "insufficient history",
        [PB_VERDICT_INVALID_RUN] = "invalid run",
    };
    return names[verdict];
}
