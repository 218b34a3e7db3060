/* SPDX-License-Identifier: Apache-2.0
 *
 * How long one operation takes, from bursts that grow until they are long enough to be trusted.
 */
#include "measure/worker/tasks.h"

#include "measure/calibrate.h"
#include "measure/worker/burst.h"

/* Smallest of three slices of n operations, ns; NaN when the side failed. */
static double probe(void *context, uint64_t n)
{
    float real_ns[3] = {0};
    float cpu_ns[3];
    const struct burst burst = {
        .side = context,
        .iterations = n,
        .executed = n,
        .timed_slices = 3,
        .real_ns = real_ns,
        .cpu_ns = cpu_ns,
    };
    if (!burst_run(&burst)) {
        return -1;
    }
    float least = real_ns[0];
    for (int i = 1; i < 3; i++) {
        least = real_ns[i] < least ? real_ns[i] : least;
    }
    return (double)least * (double)n;
}

void task_calibrate(struct side *sides, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &sides[i];
        if (side_setup(side) && side_open(side, 0)) {
            side->result->operation_ns = pb_calibrate(probe, side, side->region->request.slice_ns);
        }
        side_close(side);
        side_teardown(side);
        side->result->done = 1;
    }
}
