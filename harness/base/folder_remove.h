/* SPDX-License-Identifier: Apache-2.0
 *
 * Throwing away a folder of our own with all that is in it.
 */
#ifndef PB_BASE_FOLDER_REMOVE_H
#define PB_BASE_FOLDER_REMOVE_H

/*
 * Removes a file, or a folder with everything in it, as far as that is allowed; what a symbolic
 * link points at stays. What is not there is fine.
 */
void pb_folder_remove(const char *path);

#endif
