/* SPDX-License-Identifier: Apache-2.0
 *
 * The shapes, written as they stand on the wire, without the encoders that are measured.
 */
#include "thrift/reply_shapes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bytes/big_endian.h"
#include "bytes/memory_sink.h"
#include "thrift/thrift_encode.h"

#define SEED         0x7461626c6573u
#define N_TABLES     60000u
#define N_ARROW_ROWS 100000u

/* An Arrow batch of one row. */
#define SMALL_BATCH_BYTES ((size_t)400)

/* A failure stays in the sink's error; what follows is then of no account. */
struct wire {
    struct memory_sink memory;
    uint64_t random;
};

/* source: Steele, Lea and Flood 2014, SplitMix64 */
static uint64_t next_random(struct wire *wire)
{
    uint64_t z = wire->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void put(struct wire *wire, const void *data, size_t size)
{
    const int error = sink_write(&wire->memory.sink, data, size);
    (void)error; /* also in the sink, where the end looks for it */
}

static void put_u32(struct wire *wire, uint32_t value)
{
    unsigned char bytes[4];
    store_be32(bytes, value);
    put(wire, bytes, sizeof bytes);
}

static void put_string(struct wire *wire, const void *data, size_t size)
{
    put_u32(wire, (uint32_t)size);
    put(wire, data, size);
}

static void put_text(struct wire *wire, const char *text)
{
    put_string(wire, text, strlen(text));
}

static void put_field(struct wire *wire, enum thrift_type type, unsigned id)
{
    const unsigned char bytes[3] = {(unsigned char)type, (unsigned char)(id >> 8),
                                    (unsigned char)id};
    put(wire, bytes, sizeof bytes);
}

static void put_stop(struct wire *wire)
{
    put(wire, "", 1);
}

static void put_i32(struct wire *wire, unsigned id, uint32_t value)
{
    put_field(wire, THRIFT_I32, id);
    put_u32(wire, value);
}

static void put_i64(struct wire *wire, unsigned id, uint64_t value)
{
    unsigned char bytes[8];
    store_be64(bytes, value);
    put_field(wire, THRIFT_I64, id);
    put(wire, bytes, sizeof bytes);
}

static void put_list(struct wire *wire, unsigned id, enum thrift_type type, uint32_t count)
{
    const unsigned char byte = (unsigned char)type;
    put_field(wire, THRIFT_LIST, id);
    put(wire, &byte, 1);
    put_u32(wire, count);
}

static void put_status(struct wire *wire)
{
    put_field(wire, THRIFT_STRUCT, 1);
    put_i32(wire, 1, 0);
    put_stop(wire);
}

static void put_handle(struct wire *wire, uint32_t operation)
{
    static const char id[] = "0123456789abcdef";
    put_field(wire, THRIFT_STRUCT, 2);
    put_field(wire, THRIFT_STRUCT, 1);
    put_field(wire, THRIFT_STRING, 1);
    put_string(wire, id, 16);
    put_field(wire, THRIFT_STRING, 2);
    put_string(wire, id, 16);
    put_stop(wire);
    put_i32(wire, 2, operation);
    put_field(wire, THRIFT_BOOL, 3);
    put(wire, "\1", 1);
    put_stop(wire);
}

/* TColumnDesc of a primitive type. */
static void put_column(struct wire *wire, const char *name, uint32_t type, uint32_t position)
{
    put_field(wire, THRIFT_STRING, 1);
    put_text(wire, name);
    put_field(wire, THRIFT_STRUCT, 2);
    put_list(wire, 1, THRIFT_STRUCT, 1);
    put_field(wire, THRIFT_STRUCT, 1);
    put_i32(wire, 1, type);
    put_stop(wire);
    put_stop(wire);
    put_stop(wire);
    put_i32(wire, 3, position);
    put_stop(wire);
}

/* TGetResultSetMetadataResp as field id: the schema, and the kind of result set. */
static void put_metadata(struct wire *wire, unsigned id, const char *const *names, uint32_t n,
                         uint32_t type, uint32_t format)
{
    put_field(wire, THRIFT_STRUCT, id);
    put_status(wire);
    put_field(wire, THRIFT_STRUCT, 2);
    put_list(wire, 1, THRIFT_STRUCT, n);
    for (uint32_t i = 0; i < n; ++i) {
        put_column(wire, names[i], type, i + 1);
    }
    put_stop(wire);
    put_i32(wire, 0x501, format);
    put_stop(wire);
}

/* Up to hasMoreRows of a TFetchResultsResp, and the beginning of its TRowSet. */
static void begin_rows(struct wire *wire)
{
    put_status(wire);
    put_field(wire, THRIFT_BOOL, 2);
    put(wire, "", 1);
    put_field(wire, THRIFT_STRUCT, 3);
    put_i64(wire, 1, 0);
    put_list(wire, 2, THRIFT_STRUCT, 0);
}

static void put_random(struct wire *wire, size_t size)
{
    unsigned char *room = sink_reserve(&wire->memory.sink, size);
    if (room == NULL) {
        return;
    }
    for (size_t i = 0; i < size; i += 8) {
        const uint64_t bits = next_random(wire);
        memcpy(room + i, &bits, size - i < 8 ? size - i : 8);
    }
    const int error = sink_commit(&wire->memory.sink, size);
    (void)error;
}

static void put_batches(struct wire *wire, uint32_t n_batches, size_t size, uint32_t n_rows)
{
    put_list(wire, 0x501, THRIFT_STRUCT, n_batches);
    for (uint32_t i = 0; i < n_batches; ++i) {
        put_field(wire, THRIFT_STRING, 1);
        put_u32(wire, (uint32_t)size);
        put_random(wire, size);
        put_i64(wire, 2, n_rows / n_batches);
        put_stop(wire);
    }
}

/* A name of `least` to `least` + `more` - 1 characters. */
static void put_name(struct wire *wire, size_t least, size_t more)
{
    char name[256];
    uint64_t bits = next_random(wire);
    const size_t size = least + (size_t)(bits % more);
    for (size_t i = 0; i < size; ++i) {
        if (i % 8 == 0) {
            bits = next_random(wire);
        }
        name[i] = "abcdefghijklmnopqrstuvwxyz_01234"[bits & 31];
        bits >>= 8;
    }
    put_string(wire, name, size);
}

static void put_table_value(struct wire *wire, unsigned column, uint32_t row)
{
    char text[32];
    switch (column) {
    case 0:
        snprintf(text, sizeof text, "catalog_%u", row / 12000u);
        put_text(wire, text);
        break;
    case 1:
        snprintf(text, sizeof text, "schema_%u", row / 300u);
        put_text(wire, text);
        break;
    case 2:
        put_name(wire, 16, 64);
        break;
    case 3:
        put_text(wire, row % 5 == 0 ? "VIEW" : "TABLE");
        break;
    case 4:
        put_name(wire, 60, 120);
        break;
    default:
        put_text(wire, "");
        break;
    }
}

static void put_tables(struct wire *wire)
{
    static const char *const names[] = {
        "TABLE_CAT",      "TABLE_SCHEM", "TABLE_NAME",
        "TABLE_TYPE",     "REMARKS",     "TYPE_CAT",
        "TYPE_SCHEM",     "TYPE_NAME",   "SELF_REFERENCING_COL_NAME",
        "REF_GENERATION",
    };
    const uint32_t n = sizeof names / sizeof names[0];
    put_status(wire);
    put_handle(wire, 4);
    put_field(wire, THRIFT_STRUCT, 0x501);
    put_metadata(wire, 2, names, n, 7, 1);
    put_field(wire, THRIFT_STRUCT, 3);
    begin_rows(wire);
    put_list(wire, 3, THRIFT_STRUCT, n);
    for (unsigned column = 0; column < n; ++column) {
        put_field(wire, THRIFT_STRUCT, 7);
        put_list(wire, 1, THRIFT_STRING, N_TABLES);
        for (uint32_t row = 0; row < N_TABLES; ++row) {
            put_table_value(wire, column, row);
        }
        put_field(wire, THRIFT_STRING, 2);
        put_string(wire, "", 1);
        put_stop(wire);
        put_stop(wire);
    }
    put_stop(wire); /* the row set */
    put_stop(wire); /* the fetched results */
    put_stop(wire); /* the direct results */
    put_stop(wire);
}

static void put_select_1(struct wire *wire)
{
    static const char *const names[] = {"1"};
    put_status(wire);
    put_handle(wire, 0);
    put_field(wire, THRIFT_STRUCT, 0x501);
    put_metadata(wire, 2, names, 1, 3, 0);
    put_field(wire, THRIFT_STRUCT, 3);
    begin_rows(wire);
    put_batches(wire, 1, SMALL_BATCH_BYTES, 1);
    put_stop(wire);
    put_stop(wire);
    put_stop(wire);
    put_stop(wire);
}

static void put_arrow(struct wire *wire, uint32_t n_batches)
{
    begin_rows(wire);
    put_batches(wire, n_batches, REPLY_BATCH_BYTES, N_ARROW_ROWS);
    put_stop(wire);
    put_stop(wire);
}

void *reply_shape_make(enum reply_shape shape, size_t *size)
{
    static const struct {
        const char *method;
        size_t capacity; /* a first guess, to grow little                                       */
    } facts[] = {
        [REPLY_SELECT_1] = {"ExecuteStatement", 1024},
        [REPLY_TABLES_60K] = {"GetTables", (size_t)16 << 20},
        [REPLY_ARROW_20MIB] = {"FetchResults", (size_t)21 << 20},
        [REPLY_ARROW_100MIB] = {"FetchResults", (size_t)101 << 20},
    };
    struct wire wire = {.random = SEED};
    memory_sink_init(&wire.memory, NULL, 0);
    assert(shape != REPLY_GOLDEN);
    if (facts[shape].method == NULL ||
        sink_reserve(&wire.memory.sink, facts[shape].capacity) == NULL) {
        return NULL;
    }
    put_u32(&wire, THRIFT_VERSION_1 | THRIFT_REPLY);
    put_text(&wire, facts[shape].method);
    put_u32(&wire, 0);
    put_field(&wire, THRIFT_STRUCT, 0);
    switch (shape) {
    case REPLY_SELECT_1:
        put_select_1(&wire);
        break;
    case REPLY_TABLES_60K:
        put_tables(&wire);
        break;
    default:
        put_arrow(&wire, shape == REPLY_ARROW_20MIB ? 5 : 25);
        break;
    }
    put_stop(&wire);
    if (wire.memory.sink.error != 0) {
        memory_sink_release(&wire.memory);
        return NULL;
    }
    *size = memory_sink_bytes(&wire.memory).size;
    return wire.memory.data; /* the sink's memory becomes the caller's */
}
