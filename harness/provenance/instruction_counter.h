/* SPDX-License-Identifier: Apache-2.0
 *
 * The processor's own counter of instructions, for this thread and outside of the kernel.
 *
 * Most virtual machines have none, and many systems forbid it; the reason is an errno.
 */
#ifndef PB_PROVENANCE_INSTRUCTION_COUNTER_H
#define PB_PROVENANCE_INSTRUCTION_COUNTER_H

#include <stdint.h>

/*
 * Opens the counter, stopped, and makes sure that it counts.
 * *fd:     to be closed with close()
 * returns: 0, else an errno: ENOENT or EOPNOTSUPP there is no such counter (also when it opens but
 *          stays at zero), EACCES or EPERM it is forbidden, ENOSYS the kernel knows no counters
 * source:  perf_event_open(2)
 */
int pb_instruction_counter_open(int *fd);

/* Starts to count at zero. */
void pb_instruction_counter_start(int fd);

/* Stops. returns: instructions since the start; negative when there is no telling */
int64_t pb_instruction_counter_stop(int fd);

#endif
