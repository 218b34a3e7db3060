/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the vectors are that a test reads.
 */
#ifndef CASES_TESTS_VECTOR_FOLDER_H
#define CASES_TESTS_VECTOR_FOLDER_H

#include <stddef.h>

/*
 * The folder that PAIRBENCH_VECTORS names, else the committed one. CTest changes to another folder
 * before it runs a test, and so a relative name is taken from where the shell was, when there is
 * such a folder.
 */
void vector_folder_choose(char *folder, size_t size);

#endif
