/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects are built with json-c and written in one go. A failed allocation is noted in the
 * document and reported at its end, so that the functions in between need not care.
 *
 * json-c prints doubles with printf, hence as the locale says, and reads names as UTF-8 without
 * looking. So numbers reach it as text made under the C locale, and names already mended.
 */
#include "output/json_document.h"

#include "base/text.h"
#include "output/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pb_json_put(struct pb_json_document *doc, struct json_object *object, const char *key,
                 struct json_object *value)
{
    if (value == NULL || json_object_object_add(object, key, value) != 0) {
        doc->failed = true;
        json_object_put(value);
    }
}

/* null is NULL in json-c, which pb_json_put() takes for a failure. */
void pb_json_put_null(struct pb_json_document *doc, struct json_object *object, const char *key)
{
    doc->failed |= json_object_object_add(object, key, NULL) != 0;
}

const char *pb_json_mend(struct pb_json_document *doc, const char *text)
{
    pb_strbuf_reset(&doc->scratch);
    pb_text_add_utf8(&doc->scratch, text);
    return doc->scratch.text;
}

void pb_json_put_text(struct pb_json_document *doc, struct json_object *object, const char *key,
                      const char *text)
{
    if (text == NULL) {
        pb_json_put_null(doc, object, key);
        return;
    }
    const char *mended = pb_json_mend(doc, text);
    pb_json_put(doc, object, key, json_object_new_string_len(mended, (int)doc->scratch.length));
}

void pb_json_put_bool(struct pb_json_document *doc, struct json_object *object, const char *key,
                      bool value)
{
    pb_json_put(doc, object, key, json_object_new_boolean(value));
}

void pb_json_put_count(struct pb_json_document *doc, struct json_object *object, const char *key,
                       uint64_t value)
{
    pb_json_put(doc, object, key, json_object_new_uint64(value));
}

/* The shortest of 15, 16 and 17 digits that reads back as the same number. */
void pb_json_put_number(struct pb_json_document *doc, struct json_object *object, const char *key,
                        double value)
{
    if (!isfinite(value)) {
        pb_json_put_null(doc, object, key);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        pb_strbuf_reset(&doc->scratch);
        pb_strbuf_addf(&doc->scratch, "%.*g", digits, value);
        if (doc->c_locale != (locale_t)0 &&
            strtod_l(doc->scratch.text, NULL, doc->c_locale) == value) {
            break;
        }
    }
    pb_json_put(doc, object, key, json_object_new_double_s(value, doc->scratch.text));
}

void pb_json_put_time(struct pb_json_document *doc, struct json_object *object, const char *key,
                      int64_t time)
{
    pb_strbuf_reset(&doc->scratch);
    pb_quantity_add_timestamp(&doc->scratch, time);
    pb_json_put(doc, object, key, json_object_new_string(doc->scratch.text));
}

/* A new object or array under key of parent; with key NULL at the end of an array. */
struct json_object *pb_json_add_child(struct pb_json_document *doc, struct json_object *parent,
                                      const char *key, struct json_object *child)
{
    if (child == NULL) {
        doc->failed = true;
    } else if (key != NULL) {
        doc->failed |= json_object_object_add(parent, key, child) != 0;
    } else {
        doc->failed |= json_object_array_add(parent, child) != 0;
    }
    return child;
}

struct json_object *pb_json_add_object(struct pb_json_document *doc, struct json_object *parent,
                                       const char *key)
{
    return pb_json_add_child(doc, parent, key, json_object_new_object());
}

struct json_object *pb_json_add_array(struct pb_json_document *doc, struct json_object *parent,
                                      const char *key)
{
    return pb_json_add_child(doc, parent, key, json_object_new_array());
}

void pb_json_begin(struct pb_json_document *doc, const char *command)
{
    *doc = (struct pb_json_document){.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    pb_strbuf_init(&doc->scratch);
    doc->root = json_object_new_object();
    doc->failed = doc->root == NULL;
    pb_json_put_text(doc, doc->root, "schema", "pairbench/1");
    pb_json_put_text(doc, doc->root, "command", command);
}

enum pb_code pb_json_end(struct pb_json_document *doc, struct pb_strbuf *buf, struct pb_error *err)
{
    enum pb_code code = PB_OK;
    const char *text = NULL;
    if (!doc->failed) {
        text = json_object_to_json_string_ext(doc->root, JSON_C_TO_STRING_PRETTY |
                                                             JSON_C_TO_STRING_SPACED |
                                                             JSON_C_TO_STRING_NOSLASHESCAPE);
    }
    if (text == NULL) {
        code = pb_error_set(err, PB_ERR_NOMEM, "out of memory for a JSON document");
    } else {
        pb_strbuf_adds(buf, text);
        pb_strbuf_addc(buf, '\n');
    }
    if (code == PB_OK && buf->overflow) {
        code = pb_error_set(err, PB_ERR_LIMIT,
                            "the JSON document is larger than its limit of %zu bytes; choose fewer "
                            "benchmarks",
                            buf->limit != 0 ? buf->limit : PB_STRBUF_LIMIT_BYTES);
    }
    json_object_put(doc->root);
    pb_strbuf_release(&doc->scratch);
    if (doc->c_locale != (locale_t)0) {
        freelocale(doc->c_locale);
    }
    return code;
}

void pb_json_put_facts(struct pb_json_document *doc, struct json_object *parent, const char *key,
                       const struct pb_facts *facts)
{
    struct json_object *object = pb_json_add_object(doc, parent, key);
    for (size_t i = 0; i < facts->n; i++) {
        /* The key is needed while the value is mended in the same buffer. */
        char *fact_key = strdup(pb_json_mend(doc, facts->items[i].key));
        if (fact_key == NULL) {
            doc->failed = true;
            return;
        }
        pb_json_put_text(doc, object, fact_key, facts->items[i].value);
        free(fact_key);
    }
}

/* An array of texts under key of the root. */
void pb_json_put_texts(struct pb_json_document *doc, const char *key, const char *const *texts,
                       size_t n)
{
    struct json_object *array = pb_json_add_array(doc, doc->root, key);
    for (size_t i = 0; i < n; i++) {
        pb_json_add_child(doc, array, NULL, json_object_new_string(pb_json_mend(doc, texts[i])));
    }
}
