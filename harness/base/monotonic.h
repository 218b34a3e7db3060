/* SPDX-License-Identifier: Apache-2.0
 *
 * How long something takes.
 */
#ifndef PB_BASE_MONOTONIC_H
#define PB_BASE_MONOTONIC_H

/* Seconds of a clock that only goes forward; from when is not said. */
double pb_monotonic_s(void);

#endif
