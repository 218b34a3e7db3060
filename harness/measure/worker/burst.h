/* SPDX-License-Identifier: Apache-2.0
 *
 * A burst: slices of one opened side, back to back, timed by Google Benchmark.
 */
#ifndef PB_MEASURE_WORKER_BURST_H
#define PB_MEASURE_WORKER_BURST_H

#include "measure/worker/side.h"

struct burst {
    struct side *side;   /* open */
    uint64_t iterations; /* per slice, as reported */
    uint64_t executed;   /* per slice, as done     */
    uint32_t warm_slices;
    uint32_t timed_slices;
    float *real_ns; /* out, timed_slices values per operation; NULL = not wanted */
    float *cpu_ns;  /* the same */
};

/* returns: whether the side is still well */
bool burst_run(const struct burst *burst);

#endif
