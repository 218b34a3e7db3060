/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the instructions that a stretch of code takes.
 *
 * By the processor's own counter where there is one, else by valgrind's callgrind, which simulates
 * the program and counts exactly, at about fifty times the time. Either way the worker begins anew,
 * as the same process, in an environment that makes counts comparable between machines; see
 * meter_begin().
 */
#ifndef PB_MEASURE_WORKER_METER_H
#define PB_MEASURE_WORKER_METER_H

#include "measure/launch.h"

/*
 * To be called before any suite is loaded. The first time, it replaces this program by itself,
 * under the counter that there is, and does not return. Pinned is what differs between machines:
 *   - string and memory functions of glibc, which are chosen by the processor: all that is newer
 *     than the x86-64 baseline is switched off, and sizes of caches are fixed (GLIBC_TUNABLES)
 *   - addresses: no randomisation, no stack pad
 * Not pinned: code of other libraries, or of the suite, that asks for the processor itself.
 * returns: false when there is no counter; the reason is in region->failure
 */
bool meter_begin(struct pb_launch_region *region);

struct meter {
    enum pb_counter counter;
    int fd;
};

/* returns: false when that failed; the reason is in region->failure */
bool meter_open(struct meter *meter, struct pb_launch_region *region);

void meter_start(const struct meter *meter);

/* returns: instructions since the start, and a constant few more; negative when that failed */
int64_t meter_stop(const struct meter *meter);

#endif
