/* SPDX-License-Identifier: Apache-2.0
 *
 * Apache Thrift's C++ library on the messages of this suite, behind C: what one would use instead.
 *
 * Messages are decoded from memory and encoded to memory, the library's fastest ways, with the code
 * that its compiler generates from vectors/tcli_subset.thrift. No exception leaves these functions.
 */
#ifndef CASES_REFERENCE_THRIFT_CPP_H
#define CASES_REFERENCE_THRIFT_CPP_H

#include "pairbench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One reader and writer of messages of one kind. */
struct thrift_cpp;

/*
 * message: whole, with its header, by whose name and type the kind is chosen; borrowed for the call
 * error:   receives the reason of a failure, error_size bytes
 * returns: NULL on failure
 */
struct thrift_cpp *thrift_cpp_new(struct pb_bytes message, char *error, size_t error_size);
void thrift_cpp_free(struct thrift_cpp *thrift);

/*
 * Decodes a message of the kind into a new value, which replaces the last one.
 * returns: 0, or 1 with the reason in thrift_cpp_error()
 */
int thrift_cpp_decode(struct thrift_cpp *thrift, struct pb_bytes message);

/*
 * Encodes the last value with its header.
 * bytes: valid until the next call
 */
int thrift_cpp_encode(struct thrift_cpp *thrift, struct pb_bytes *bytes);

const char *thrift_cpp_error(const struct thrift_cpp *thrift);

#ifdef __cplusplus
}
#endif

#endif
