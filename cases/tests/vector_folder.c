/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder of vectors.
 */
#include "vector_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void vector_folder_choose(char *folder, size_t size)
{
    const char *name = getenv("PAIRBENCH_VECTORS");
    const char *shell = getenv("PWD");
    if (name == NULL || name[0] == '\0') {
        name = CASES_VECTORS;
    }
    snprintf(folder, size, "%s/%s", shell != NULL ? shell : ".", name);
    if (name[0] == '/' || access(folder, R_OK) != 0) {
        snprintf(folder, size, "%s", name);
    }
}
