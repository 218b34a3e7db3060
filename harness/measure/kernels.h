/* SPDX-License-Identifier: Apache-2.0
 *
 * The calibration kernels: how fast the machine is at the time of a run.
 *
 * Absolute times of two nights can't be compared as they are, since a virtual machine's clock rate
 * and its share of caches and memory move by tens of percent. What the kernels took in the same
 * run says how much of a change the machine accounts for; see stats/gate.h.
 */
#ifndef PB_MEASURE_KERNELS_H
#define PB_MEASURE_KERNELS_H

#include "measure/job.h"

/*
 * Times all kernels in a worker of their own and enters them as run->kernels_ns; what was entered
 * before counts half. To be called at both ends of a run. A kernel that could not be timed stays as
 * it was, and the watch is told.
 * watch:  may be NULL
 * errors: PB_ERR_CHILD, PB_ERR_IO from pb_launch_run()
 * cost:   80 ms, most of it for memory that no cache holds
 */
enum pb_code pb_kernels_time(struct pb_session *session, const struct pb_measure_watch *watch,
                             struct pb_run_record *run, struct pb_error *err) PB_MUST_USE;

#endif
