/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens when the operating system has no memory left.
 *
 * The one exception to "library code never prints and never exits". Linux overcommits, so a small
 * allocation does not fail by a caller's mistake, and unwinding code that is never run is worse
 * than none. Sizes that a user controls are checked against their own limits before they are used.
 */
#ifndef PB_BASE_MEMORY_H
#define PB_BASE_MEMORY_H

/* Says so on stderr and exits with 2. */
_Noreturn void pb_out_of_memory(void);

#endif
