/* SPDX-License-Identifier: Apache-2.0
 *
 * The value of a Thrift vector, written as JSON, as the C struct that the encoders take.
 */
#ifndef CASES_TESTS_THRIFT_JSON_H
#define CASES_TESTS_THRIFT_JSON_H

#include <json-c/json.h>

#include "scrap.h"
#include "thrift/thrift.h"

/*
 * json:    an object; strings point into it. Binaries are {"hex"}, maps {"map": [[key, value] …]},
 *          doubles {"f64bits"}; what is left out is not there
 * returns: the struct, in scrap; NULL when the JSON doesn't describe one, with the name of the
 *          field that is wrong in *wrong
 */
void *thrift_json_read(const struct thrift_struct *description, struct json_object *json,
                       struct scrap *scrap, const char **wrong);

#endif
