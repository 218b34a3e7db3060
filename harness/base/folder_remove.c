/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder without permission to write is given it first: some build tools make such.
 */
#include "base/folder_remove.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

enum { DESCRIPTORS = 16 };

static int open_up(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)walk;
    if ((kind == FTW_D || kind == FTW_DNR) && (status->st_mode & S_IRWXU) != S_IRWXU) {
        chmod(path, S_IRWXU);
    }
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    remove(path);
    return 0;
}

void pb_folder_remove(const char *path)
{
    nftw(path, open_up, DESCRIPTORS, FTW_PHYS | FTW_MOUNT);
    nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
