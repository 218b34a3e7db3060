/* SPDX-License-Identifier: Apache-2.0
 *
 * A side inside the worker: one variant on one scenario, and what the harness lends it.
 *
 * Every callback of a variant is called through here. Each call notes its phase in the region, so
 * that the launcher knows who died; afterwards the side is asked what it returned and whether it
 * wrote to stdout. Once a side has failed or was skipped, calls return false and do nothing, but
 * what was opened or set up is still closed and torn down.
 */
#ifndef PB_MEASURE_WORKER_SIDE_H
#define PB_MEASURE_WORKER_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/launch.h"
#include "pairbench.h"

struct side {
    struct pb_env env;
    struct pb_launch_region *region;
    const struct pb_side_request *request;
    struct pb_side_result *result;
    const struct pb_scenario *scenario;
    const struct pb_variant *variant;
    uint32_t index;
    void *shared; /* from setup */
    void *state;  /* from open  */
    bool is_set_up;
    bool borrows; /* its `shared` is another side's, which tears it down */
    bool is_open;
    unsigned char *arena; /* page-aligned; PAIRBENCH_ARENA_BYTES and a page behind it */
    size_t arena_offset;  /* of this round */
    size_t arena_used;
};

/*
 * Finds the side in its suite's table and gives it an arena.
 * returns: false when that failed; the reason is in region->failure
 */
bool side_init(struct side *side, struct pb_launch_region *region, uint32_t index,
               const struct pb_suite *suite);

bool side_setup(struct side *side);

/*
 * Sets up n sides in this order. One takes what another has set up by the same functions for the
 * same scenario, so that both read their input from the same memory.
 * returns: whether all are well
 */
bool sides_setup(struct side *sides, const uint32_t *order, uint32_t n);

/* offset: where in its page the arena begins in this round, a multiple of 16 below 4096 */
bool side_open(struct side *side, size_t offset);
bool side_run(struct side *side, uint64_t n);
bool side_output(struct side *side, struct pb_bytes *bytes);
bool side_counts(struct side *side);
void side_close(struct side *side);
void side_teardown(struct side *side);

/* Notes a phase without calling anything: what comes next is this side's doing. */
void side_enter(struct side *side, enum pb_phase phase);

/* After a callback that returned `code` by other means than the calls above. returns: all is well
 */
bool side_accept(struct side *side, int code);

/* Whether the side is neither failed nor skipped. */
bool side_ok(const struct side *side);

/* Marks the side failed, printf-style; the first reason is kept. */
void side_fail(struct side *side, const char *format, ...) PB_PRINTF(2, 3);

/* Whether anything was written to stdout since the last call; what was written is thrown away. */
bool stdout_was_used(char *excerpt, size_t size);

#endif
