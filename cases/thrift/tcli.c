/* SPDX-License-Identifier: Apache-2.0
 *
 * The descriptions, made from the list of fields.
 */
#include "thrift/tcli.h"

#include <string.h>

static const int64_t preset_zero = 0;
static const int64_t preset_minus_seven = -7;

#define TCLI_PRESET_NONE        NULL
#define TCLI_PRESET_ZERO        &preset_zero
#define TCLI_PRESET_MINUS_SEVEN &preset_minus_seven

/* The child of fields that have none. */
static const struct thrift_struct thrift_none = {.name = "none"};

#define TCLI_FIELD(owner, id_, field, form_, child_, preset_)                                      \
    {                                                                                              \
        .key = (uint32_t)TCLI_WIRE_##form_ << 16 | (id_),                                          \
        .offset = offsetof(struct owner, field),                                                   \
        .form = FORM_##form_,                                                                      \
        .index = owner##_##field,                                                                  \
        .child = &thrift_##child_,                                                                 \
        .name = #field,                                                                            \
        .preset = TCLI_PRESET_##preset_,                                                           \
    },
#define TCLI_DESCRIBE(name_)                                                                       \
    _Static_assert(name_##_n_fields <= THRIFT_MAX_FIELDS, "more fields than bits");                \
    static const struct thrift_field fields_of_##name_[] = {                                       \
        TCLI_##name_(TCLI_FIELD){.key = THRIFT_NO_KEY}};                                           \
    const struct thrift_struct thrift_##name_ = {                                                  \
        .fields = fields_of_##name_,                                                               \
        .n_fields = name_##_n_fields,                                                              \
        .size = sizeof(struct name_),                                                              \
        .name = #name_,                                                                            \
        .reader = tcli_read_##name_,                                                               \
    };

TCLI_STRUCTS(TCLI_DESCRIBE)

const struct tcli_method *tcli_find_method(struct pb_bytes name)
{
#define METHOD(name)                                                                               \
    {                                                                                              \
#name, &thrift_##name##_args, &thrift_##name##_result                                      \
    }
    static const struct tcli_method methods[] = {
        METHOD(OpenSession), METHOD(ExecuteStatement), METHOD(GetTables),
        METHOD(GetColumns),  METHOD(FetchResults),
    };
#undef METHOD
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        if (name.size == strlen(methods[i].name) &&
            memcmp(name.data, methods[i].name, name.size) == 0) {
            return &methods[i];
        }
    }
    return NULL;
}

const struct thrift_struct *tcli_find_struct(const char *name)
{
#define ADDRESS(name) &thrift_##name,
    static const struct thrift_struct *const structs[] = {TCLI_STRUCTS(ADDRESS)};
#undef ADDRESS
    for (size_t i = 0; i < sizeof structs / sizeof structs[0]; ++i) {
        if (strcmp(structs[i]->name, name) == 0) {
            return structs[i];
        }
    }
    return NULL;
}
