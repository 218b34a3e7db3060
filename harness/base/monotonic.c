/* SPDX-License-Identifier: Apache-2.0
 *
 * CLOCK_MONOTONIC can't fail.
 */
#include "base/monotonic.h"

#include <time.h>

double pb_monotonic_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
