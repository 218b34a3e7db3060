/* SPDX-License-Identifier: Apache-2.0
 *
 * What a worker can be asked to do, one function a task; each leaves its results in the region.
 */
#ifndef PB_MEASURE_WORKER_TASKS_H
#define PB_MEASURE_WORKER_TASKS_H

#include "measure/worker/side.h"

/*
 * Writes the suite's table behind the region, for the launcher to read: texts that end in a zero
 * byte, numbers as decimal text.
 * returns: false when the table is malformed; the reason is in region->failure
 */
bool task_list(struct pb_launch_region *region, const struct pb_suite *suite);

/*
 * Compares the output of every side but bounds with old's, when old is among them, with the golden
 * vector, and with its own after two more operations.
 */
void task_verify(struct side *sides, uint32_t n);

/* Collects the deterministic numbers of one operation of every side. */
void task_count(struct side *sides, uint32_t n);

/* Finds how long it takes to set all sides up, and one operation of every side. */
void task_calibrate(struct side *sides, uint32_t n);

/*
 * Counts the instructions of one operation of every side; meter_begin() has been called.
 * When the counter fails as a whole, the reason is in region->failure.
 */
void task_instructions(struct side *sides, uint32_t n);

/* Times the calibration kernels. */
void task_kernels(struct pb_launch_region *region);

/*
 * Rounds of bursts: the samples that everything else is made from. Behind the n sides stand those
 * of the other instances, n each.
 */
void task_time(struct side *sides, uint32_t n);

#endif
