/* SPDX-License-Identifier: Apache-2.0
 *
 * A Thrift value as text, as the classes that Thrift generates for Python show themselves:
 * Name(field=value, field=None, …), nested, every field in the order of the interface.
 *
 * A string that is not UTF-8 can't be a Python string; its odd bytes are shown as \udcXX, which is
 * what Python makes of them when it is told to keep them.
 *
 * source: repr() of Python 3.11
 */
#ifndef CASES_LOGGING_THRIFT_TEXT_H
#define CASES_LOGGING_THRIFT_TEXT_H

#include "bytes/sink.h"
#include "thrift/thrift.h"

/*
 * Writes the text to a sink, in pieces.
 * value:   described by description
 * returns: THRIFT_OK, or THRIFT_SINK_FAILED where sink->error says why
 */
THRIFT_MUST_USE enum thrift_code
thrift_text_write(struct sink *sink, const struct thrift_struct *description, const void *value);

#endif
