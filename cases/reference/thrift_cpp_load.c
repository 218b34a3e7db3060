/* SPDX-License-Identifier: Apache-2.0
 *
 * The object is looked for beside the one that this code is in, wherever that was installed.
 */
#include "reference/thrift_cpp.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

const struct thrift_cpp_api *thrift_cpp_load(char *error, size_t error_size)
{
    static const char here = 0;
    Dl_info info;
    char path[PATH_MAX];
    if (dladdr(&here, &info) == 0) {
        snprintf(error, error_size, "can't tell where the suite is");
        return NULL;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    const int folder = slash != NULL ? (int)(slash + 1 - info.dli_fname) : 0;
    if (snprintf(path, sizeof path, "%.*s%s", folder, info.dli_fname, THRIFT_CPP_OBJECT) >=
        (int)sizeof path) {
        snprintf(error, error_size, "the suite's path is too long");
        return NULL;
    }
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    thrift_cpp_function *function = NULL;
    if (object != NULL) {
        *(void **)&function = dlsym(object, THRIFT_CPP_FUNCTION);
    }
    if (function == NULL) {
        snprintf(error, error_size, "%s", dlerror());
        return NULL;
    }
    return function();
}
