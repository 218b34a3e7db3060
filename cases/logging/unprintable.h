/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters that are not shown as they are.
 */
#ifndef CASES_LOGGING_UNPRINTABLE_H
#define CASES_LOGGING_UNPRINTABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a character beyond ASCII is a control, a format or a separator character, a surrogate,
 * for private use, or unassigned.
 * source: Unicode 14.0, categories Cc, Cf, Cs, Co, Cn, Zl, Zp and Zs
 */
bool unprintable(uint32_t character);

#endif
