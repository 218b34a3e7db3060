/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the system calls that this thread makes, in whatever library it makes them, without
 * another process and without privileges.
 *
 * Calls by which a heap gets and returns memory are left out: when those are due depends on all
 * that was allocated before, and what an operation does to the heap is counted as allocations.
 * Calls of other threads are not seen, nor is what the vDSO answers without the kernel.
 */
#ifndef PB_MEASURE_SYSCALL_COUNTER_H
#define PB_MEASURE_SYSCALL_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/* Begins at zero. returns: false where the kernel or the architecture offers no way */
bool syscall_counter_begin(void);

/*
 * Ends what was begun. returns: the calls since; -1 when something was called that can't be counted
 * through, such as fork(): it was done all the same, but from there on nothing was counted
 */
int64_t syscall_counter_end(void);

#endif
