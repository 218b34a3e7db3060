/* SPDX-License-Identifier: Apache-2.0
 *
 * The structs of TCLIService as C structs, with the descriptions that drive decoders and encoders.
 *
 * struct X holds the mask `present` and the fields under their names in the interface. X_field is
 * the index of a field, thrift_X the description. A method M has the structs M_args and M_result.
 */
#ifndef CASES_THRIFT_TCLI_H
#define CASES_THRIFT_TCLI_H

#include "thrift/tcli_fields.h"
#include "thrift/thrift.h"

/* The C type of each form. */
#define TCLI_TYPE_BOOL(child)        bool
#define TCLI_TYPE_BYTE(child)        int8_t
#define TCLI_TYPE_I16(child)         int16_t
#define TCLI_TYPE_I32(child)         int32_t
#define TCLI_TYPE_I64(child)         int64_t
#define TCLI_TYPE_DOUBLE(child)      double
#define TCLI_TYPE_STRING(child)      struct pb_bytes
#define TCLI_TYPE_BINARY(child)      struct pb_bytes
#define TCLI_TYPE_STRUCT(child)      struct child *
#define TCLI_TYPE_LIST_BOOL(child)   struct thrift_list
#define TCLI_TYPE_LIST_BYTE(child)   struct thrift_list
#define TCLI_TYPE_LIST_I16(child)    struct thrift_list
#define TCLI_TYPE_LIST_I32(child)    struct thrift_list
#define TCLI_TYPE_LIST_I64(child)    struct thrift_list
#define TCLI_TYPE_LIST_DOUBLE(child) struct thrift_list
#define TCLI_TYPE_LIST_STRING(child) struct thrift_list
#define TCLI_TYPE_LIST_BINARY(child) struct thrift_list
#define TCLI_TYPE_LIST_STRUCT(child) struct thrift_list
#define TCLI_TYPE_MAP_STRING(child)  struct thrift_map
#define TCLI_TYPE_MAP_I32(child)     struct thrift_map
#define TCLI_TYPE_MAP_STRUCT(child)  struct thrift_map

/* The type of each form on the wire. */
#define TCLI_WIRE_BOOL        THRIFT_BOOL
#define TCLI_WIRE_BYTE        THRIFT_BYTE
#define TCLI_WIRE_I16         THRIFT_I16
#define TCLI_WIRE_I32         THRIFT_I32
#define TCLI_WIRE_I64         THRIFT_I64
#define TCLI_WIRE_DOUBLE      THRIFT_DOUBLE
#define TCLI_WIRE_STRING      THRIFT_STRING
#define TCLI_WIRE_BINARY      THRIFT_STRING
#define TCLI_WIRE_STRUCT      THRIFT_STRUCT
#define TCLI_WIRE_LIST_BOOL   THRIFT_LIST
#define TCLI_WIRE_LIST_BYTE   THRIFT_LIST
#define TCLI_WIRE_LIST_I16    THRIFT_LIST
#define TCLI_WIRE_LIST_I32    THRIFT_LIST
#define TCLI_WIRE_LIST_I64    THRIFT_LIST
#define TCLI_WIRE_LIST_DOUBLE THRIFT_LIST
#define TCLI_WIRE_LIST_STRING THRIFT_LIST
#define TCLI_WIRE_LIST_BINARY THRIFT_LIST
#define TCLI_WIRE_LIST_STRUCT THRIFT_LIST
#define TCLI_WIRE_MAP_STRING  THRIFT_MAP
#define TCLI_WIRE_MAP_I32     THRIFT_MAP
#define TCLI_WIRE_MAP_STRUCT  THRIFT_MAP

/* NOLINTNEXTLINE(bugprone-macro-parentheses): a member's name takes none */
#define TCLI_MEMBER(owner, id, field, form, child, preset) TCLI_TYPE_##form(child) field;
#define TCLI_INDEX(owner, id, field, form, child, preset)  owner##_##field,
#define TCLI_DECLARE(name)                                                                         \
    struct name {                                                                                  \
        uint32_t present;                                                                          \
        TCLI_##name(TCLI_MEMBER)                                                                   \
    };                                                                                             \
    enum { TCLI_##name(TCLI_INDEX) name##_n_fields };                                              \
    extern const struct thrift_struct thrift_##name;                                               \
    thrift_fast_reader tcli_read_##name; /* of the fast path */

TCLI_STRUCTS(TCLI_DECLARE)

#undef TCLI_MEMBER
#undef TCLI_INDEX
#undef TCLI_DECLARE

/* Whether a struct holds a field: TCLI_HAS(reply, GetColumns_result, success). */
#define TCLI_HAS(value, owner, field) (((value)->present >> owner##_##field & 1u) != 0)

/* Puts a field into a struct: TCLI_SET(request, TGetTablesReq, runAsync, true). */
#define TCLI_SET(value, owner, member, ...)                                                        \
    ((value)->member = __VA_ARGS__, (value)->present |= 1u << owner##_##member)

/* The methods of the service. */
struct tcli_method {
    const char *name;
    const struct thrift_struct *args;
    const struct thrift_struct *result;
};

/*
 * returns: NULL when there is no such method
 */
const struct tcli_method *tcli_find_method(struct pb_bytes name);

/*
 * returns: NULL when there is no such struct
 */
const struct thrift_struct *tcli_find_struct(const char *name);

#endif
