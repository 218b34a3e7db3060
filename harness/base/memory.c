/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocates nothing, for there is nothing to allocate.
 */
#include "base/memory.h"

#include <stdlib.h>
#include <unistd.h>

_Noreturn void pb_out_of_memory(void)
{
    static const char message[] = "pairbench: out of memory\n";
    const ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
    exit(2);
}
