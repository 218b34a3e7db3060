/* SPDX-License-Identifier: Apache-2.0
 *
 * A JSON document in the making: strict, whatever the locale and whatever is in names.
 *
 * What goes wrong on the way is kept and reported at the end. What is not a finite number is null;
 * bytes that are not UTF-8 become U+FFFD.
 */
#ifndef PB_OUTPUT_JSON_DOCUMENT_H
#define PB_OUTPUT_JSON_DOCUMENT_H

#include <json-c/json.h>
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/record.h"
#include "base/strbuf.h"

struct pb_json_document {
    struct json_object *root;
    locale_t c_locale;
    struct pb_strbuf scratch;
    bool failed; /* out of memory somewhere */
};

/* Begins a document of schema `pairbench/1` of a command. */
void pb_json_begin(struct pb_json_document *doc, const char *command);

/*
 * Appends the document, with a newline at its end, and releases it.
 * errors: PB_ERR_NOMEM; PB_ERR_LIMIT the buffer is full
 */
enum pb_code pb_json_end(struct pb_json_document *doc, struct pb_strbuf *buf,
                         struct pb_error *err) PB_MUST_USE;

/* Text as UTF-8; valid until the next call of anything here. */
const char *pb_json_mend(struct pb_json_document *doc, const char *text);

/* Put a value under key of an object. value: taken; text NULL is null */
void pb_json_put(struct pb_json_document *doc, struct json_object *object, const char *key,
                 struct json_object *value);
void pb_json_put_null(struct pb_json_document *doc, struct json_object *object, const char *key);
void pb_json_put_text(struct pb_json_document *doc, struct json_object *object, const char *key,
                      const char *text);
void pb_json_put_bool(struct pb_json_document *doc, struct json_object *object, const char *key,
                      bool value);
void pb_json_put_count(struct pb_json_document *doc, struct json_object *object, const char *key,
                       uint64_t value);
void pb_json_put_number(struct pb_json_document *doc, struct json_object *object, const char *key,
                        double value);
void pb_json_put_time(struct pb_json_document *doc, struct json_object *object, const char *key,
                      int64_t time);
void pb_json_put_facts(struct pb_json_document *doc, struct json_object *parent, const char *key,
                       const struct pb_facts *facts);

/* Puts an array of texts under key of the root. */
void pb_json_put_texts(struct pb_json_document *doc, const char *key, const char *const *texts,
                       size_t n);

/* A new object or array under key of parent; with key NULL at the end of an array. child: taken */
struct json_object *pb_json_add_child(struct pb_json_document *doc, struct json_object *parent,
                                      const char *key, struct json_object *child);
struct json_object *pb_json_add_object(struct pb_json_document *doc, struct json_object *parent,
                                       const char *key);
struct json_object *pb_json_add_array(struct pb_json_document *doc, struct json_object *parent,
                                      const char *key);

#endif
