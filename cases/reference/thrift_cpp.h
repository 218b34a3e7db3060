/* SPDX-License-Identifier: Apache-2.0
 *
 * Apache Thrift's C++ library on the messages of this suite, behind C: what one would use instead.
 *
 * Messages are decoded from memory and encoded to memory, the library's fastest ways, with the code
 * that its compiler generates from vectors/tcli_subset.thrift. No exception leaves these functions.
 *
 * All of it is an object of its own beside the suite's, loaded when it is asked for: with the
 * libraries that it needs that takes 5 ms, which launches of other scenarios can do without.
 */
#ifndef CASES_REFERENCE_THRIFT_CPP_H
#define CASES_REFERENCE_THRIFT_CPP_H

#include "pairbench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One reader and writer of messages of one kind. */
struct thrift_cpp;

struct thrift_cpp_api {
    /*
     * message: whole, with its header, by whose name and type the kind is chosen; borrowed for the
     *          call
     * error:   receives the reason of a failure, error_size bytes
     * returns: NULL on failure
     */
    struct thrift_cpp *(*make)(struct pb_bytes message, char *error, size_t error_size);

    void (*release)(struct thrift_cpp *thrift);

    /*
     * Decodes a message of the kind into a new value, which replaces the last one.
     * returns: 0, or 1 with the reason in error()
     */
    int (*decode)(struct thrift_cpp *thrift, struct pb_bytes message);

    /*
     * Encodes the last value with its header.
     * bytes: valid until the next call
     */
    int (*encode)(struct thrift_cpp *thrift, struct pb_bytes *bytes);

    const char *(*error)(const struct thrift_cpp *thrift);
};

/* The function of the object that has them, and its type. */
#define THRIFT_CPP_OBJECT   "pairbench-thrift-cpp.so"
#define THRIFT_CPP_FUNCTION "pairbench_thrift_cpp"
typedef const struct thrift_cpp_api *thrift_cpp_function(void);

/*
 * Loads the object from the folder of the suite; it stays loaded.
 * error:   receives the reason of a failure, error_size bytes
 * returns: NULL on failure: it isn't there, or a library that it needs isn't
 */
const struct thrift_cpp_api *thrift_cpp_load(char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
