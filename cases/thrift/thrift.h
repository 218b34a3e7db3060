/* SPDX-License-Identifier: Apache-2.0
 *
 * The Thrift binary protocol as this suite sees it: type numbers, the values that decoders make and
 * encoders take, the descriptions of structs, and the classes of errors.
 *
 * A decoded struct is a C struct: a 32-bit mask that says which fields are there, then the fields
 * in the order of their description. A description (struct thrift_struct) says where each field
 * lies; decoders, encoders, comparison and text are all driven by it, old and new alike, so that a
 * pair differs in how it reads or writes and not in what it knows.
 *
 * Depends on libc, pairbench.h and bytes/.
 * source: Apache Thrift, binary protocol encoding; where its libraries disagree, C++ 0.17 decides,
 *         except that a missing required field is accepted and that limits hold for skipped fields
 */
#ifndef CASES_THRIFT_THRIFT_H
#define CASES_THRIFT_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pairbench.h"

#define THRIFT_MUST_USE __attribute__((warn_unused_result))

/* Levels of structs and of skipped values in all, the outermost struct being the first. */
#define THRIFT_MAX_DEPTH 64u

/* Types on the wire. */
enum thrift_type {
    THRIFT_STOP = 0,
    THRIFT_VOID = 1,
    THRIFT_BOOL = 2,
    THRIFT_BYTE = 3,
    THRIFT_DOUBLE = 4,
    THRIFT_I16 = 6,
    THRIFT_I32 = 8,
    THRIFT_I64 = 10,
    THRIFT_STRING = 11,
    THRIFT_STRUCT = 12,
    THRIFT_MAP = 13,
    THRIFT_SET = 14,
    THRIFT_LIST = 15,
};

/* Types of messages. */
enum thrift_message_type {
    THRIFT_CALL = 1,
    THRIFT_REPLY = 2,
    THRIFT_EXCEPTION = 3,
    THRIFT_ONEWAY = 4,
};

/* Why a message could not be decoded or encoded: classes, the same from every path. */
enum thrift_code {
    THRIFT_OK = 0,
    THRIFT_TRUNCATED,       /* the data ends inside of the message                              */
    THRIFT_NEGATIVE_LENGTH, /* of a string or a container                                       */
    THRIFT_OVER_LIMIT,      /* a string or a container is longer than the limits allow          */
    THRIFT_TOO_DEEP,        /* more than THRIFT_MAX_DEPTH levels                                */
    THRIFT_BAD_TYPE,        /* a type number that there is not                                  */
    THRIFT_BAD_VERSION,     /* not a message of this protocol                                   */
    THRIFT_BAD_BODY,        /* the transfer coding below makes no sense                         */
    THRIFT_SOURCE_FAILED,   /* reading failed; the source's `error` says why                    */
    THRIFT_SINK_FAILED,     /* writing failed; the sink's `error` says why                      */
    THRIFT_TOO_LONG,        /* a value to encode does not fit an int32 length                   */
    THRIFT_NO_MEMORY,
};

/*
 * returns: a phrase without a full stop; never NULL
 */
const char *thrift_code_text(enum thrift_code code);

/* How a field's value is held in memory and on the wire. */
enum thrift_form {
    FORM_BOOL,      /* bool                                                                   */
    FORM_BYTE,      /* int8_t                                                                 */
    FORM_I16,       /* int16_t                                                                */
    FORM_I32,       /* int32_t, enumerations too; unknown numbers are kept                    */
    FORM_I64,       /* int64_t                                                                */
    FORM_DOUBLE,    /* double                                                                 */
    FORM_STRING,    /* struct pb_bytes; any bytes, UTF-8 is not checked                       */
    FORM_BINARY,    /* struct pb_bytes                                                        */
    FORM_STRUCT,    /* pointer to a struct                                                    */
    FORM_LIST_BOOL, /* struct thrift_list of bool, and so on                                  */
    FORM_LIST_BYTE,
    FORM_LIST_I16,
    FORM_LIST_I32,
    FORM_LIST_I64,
    FORM_LIST_DOUBLE,
    FORM_LIST_STRING,
    FORM_LIST_BINARY,
    FORM_LIST_STRUCT, /* the structs themselves, one behind the other                           */
    FORM_MAP_STRING,  /* struct thrift_map from string to string, and so on                     */
    FORM_MAP_I32,
    FORM_MAP_STRUCT,
    N_FORMS,
};

/* What follows from a form. */
struct thrift_form_facts {
    uint8_t wire;         /* enum thrift_type of the field                                      */
    uint8_t element_wire; /* of a list's elements or a map's values                             */
    uint8_t element;      /* enum thrift_form of them                                           */
    uint8_t size;         /* in memory, bytes                                                   */
};
extern const struct thrift_form_facts thrift_forms[N_FORMS];

/* items points to count values of the element's form in memory; NULL when count is 0. */
struct thrift_list {
    void *items;
    size_t count;
};

/* Keys are strings. The order is that of first appearance; a later value of a key replaces it. */
struct thrift_entry {
    struct pb_bytes key;
    union {
        struct pb_bytes text; /* FORM_MAP_STRING                                                */
        int32_t number;       /* FORM_MAP_I32                                                   */
        void *object;         /* FORM_MAP_STRUCT                                                */
    } value;
};

struct thrift_map {
    struct thrift_entry *entries;
    size_t count;
};

struct thrift_struct;

struct thrift_field {
    uint32_t key;    /* type << 16 | id, as the first three bytes of the field on the wire      */
    uint16_t offset; /* of the value in the struct                                              */
    uint8_t form;    /* enum thrift_form                                                        */
    uint8_t index;   /* its bit in the mask, and its place in the description                   */
    const struct thrift_struct *child; /* of FORM_STRUCT, FORM_LIST_STRUCT, FORM_MAP_STRUCT     */
    const char *name;
    const int64_t *preset; /* what the field holds in a new struct; NULL: it is not there       */
};

/* A struct begins with its mask; 32 fields are more than any has. */
#define THRIFT_MAX_FIELDS 32

/* The key of the field behind the last one. */
#define THRIFT_NO_KEY UINT32_MAX

/*
 * Reads a struct in the fast path, whose business this is alone.
 */
struct fast;
typedef const unsigned char *thrift_fast_reader(struct fast *fast, const unsigned char *at,
                                                void *value, unsigned depth);

struct thrift_struct {
    const struct thrift_field *fields; /* n_fields by ascending id, then one that no key matches */
    uint32_t n_fields;
    uint32_t size; /* of the C struct, bytes                                                    */
    const char *name;
    thrift_fast_reader *reader;
};

struct thrift_message {
    struct pb_bytes name; /* of the method                                                      */
    int32_t type;         /* enum thrift_message_type, other numbers are kept                   */
    int32_t sequence;
    bool old_style; /* without a version; written and read all the same                         */
};

static inline uint32_t *thrift_mask(void *value)
{
    return value; /* the first member of every struct */
}

static inline bool thrift_has(const void *value, const struct thrift_field *field)
{
    return (*(const uint32_t *)value >> field->index & 1u) != 0;
}

static inline void *thrift_at(void *value, const struct thrift_field *field)
{
    return (char *)value + field->offset;
}

static inline const void *thrift_at_const(const void *value, const struct thrift_field *field)
{
    return (const char *)value + field->offset;
}

/*
 * Makes a struct empty but for the fields that have a preset.
 */
void thrift_init(const struct thrift_struct *description, void *value);

/*
 * Looks a field up by what stands on the wire.
 * key:     type << 16 | id
 * returns: NULL for an unknown id, and for a known one with another type
 */
const struct thrift_field *thrift_find(const struct thrift_struct *description, uint32_t key);

/*
 * Whether two values are the same: the same fields, lists in order, maps in any order, doubles by
 * their bits.
 */
bool thrift_equal(const struct thrift_struct *description, const void *a, const void *b);

#endif
