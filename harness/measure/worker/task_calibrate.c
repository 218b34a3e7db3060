/* SPDX-License-Identifier: Apache-2.0
 *
 * How long setting up takes, and one operation, from bursts that grow until they are long enough to
 * be trusted.
 */
#include "measure/worker/tasks.h"

#include "base/monotonic.h"
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
    struct pb_launch_region *region = sides[0].region;
    uint32_t order[PB_LAUNCH_SIDES_MAX];
    for (uint32_t i = 0; i < n; i++) {
        order[i] = i;
    }
    const double begun_s = pb_monotonic_s();
    sides_setup(sides, order, n);
    region->setup_ns = 1e9 * (pb_monotonic_s() - begun_s);
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &sides[i];
        if (side_open(side, 0)) {
            side->result->operation_ns = pb_calibrate(probe, side, region->request.slice_ns);
        }
        side_close(side);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &sides[i];
        side_teardown(side);
        side->result->done = 1;
    }
}
