/* SPDX-License-Identifier: Apache-2.0
 *
 * The CQL encoders beyond the vectors: requests too large to write down, extensions of Scylla,
 * failing sinks, and old against new on random requests.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cql/batch_send_body.h"
#include "cql/query_params.h"
#include "cql/vector_value.h"
#include "cql/write_value.h"
#include "cql_sides.h"

static const struct cql_protocol *protocol_of(int version)
{
    const struct cql_protocol *protocol = cql_protocol_find(version);
    assert_non_null(protocol);
    return protocol;
}

static struct pb_bytes text_bytes(const char *text)
{
    return (struct pb_bytes){text, strlen(text)};
}

/* A string of which only the size will be looked at. */
static struct pb_bytes only_size(size_t size)
{
    return (struct pb_bytes){"", size};
}

/* Encodes and compares with what is expected, written as hex digits. */
static void expect(const struct cql_line *line, const struct cql_protocol *protocol,
                   enum cql_side side, enum cql_code code, const char *hex)
{
    struct scrap scrap = {NULL};
    struct record_sink record;
    record_sink_init(&record);
    assert_int_equal(cql_line_encode(line, protocol, side, &record.sink), code);
    const struct pb_bytes bytes = memory_sink_bytes(&record.bytes);
    const struct pb_bytes golden = hex_read(hex, &scrap);
    assert_int_equal(bytes.size, golden.size);
    assert_true(bytes_equal(bytes, golden));
    record_sink_release(&record);
    scrap_release(&scrap);
}

static struct cql_line batch_line(const struct cql_query *queries, size_t n)
{
    return (struct cql_line){
        .message = CQL_MESSAGE_BATCH,
        .batch = {.queries = queries, .n_queries = n, .consistency = 1},
    };
}

static struct cql_line execute_line(const struct cql_value *values, size_t n)
{
    return (struct cql_line){
        .message = CQL_MESSAGE_EXECUTE,
        .execute =
            {.id = text_bytes("q"),
             .params = {.consistency = 1, .values = values, .n_values = n, .has_values = true}},
    };
}

static void test_65536_queries_are_one_too_many(void **state)
{
    (void)state;
    struct cql_query *queries = calloc(65536, sizeof *queries);
    assert_non_null(queries);
    const struct cql_line line = batch_line(queries, 65536);
    expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "00");
    expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "");
    free(queries);
}

static void test_65536_values_are_one_too_many(void **state)
{
    (void)state;
    struct cql_value *values = calloc(65536, sizeof *values);
    assert_non_null(values);
    const struct cql_query query = {
        .prepared = true, .statement = text_bytes("\x07"), .values = values, .n_values = 65536};
    const struct cql_line batch = batch_line(&query, 1);
    expect(&batch, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "00000101000107");
    expect(&batch, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "");
    const struct cql_line execute = execute_line(values, 65536);
    expect(&execute, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "000171000101");
    expect(&execute, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "000171000101");
    free(values);
}

static void test_a_string_beyond_its_length_field_is_refused(void **state)
{
    (void)state;
    struct cql_line line = batch_line(NULL, 0);
    line.batch.keyspace = only_size(65536);
    expect(&line, protocol_of(5), CQL_SIDE_OLD, CQL_RANGE, "000000000100000080");
    expect(&line, protocol_of(5), CQL_SIDE_NEW, CQL_RANGE, "");
    const struct {
        bool prepared;
        size_t size;
    } rows[] = {{true, 65536}, {true, SIZE_MAX}, {false, (size_t)1 << 31}, {false, SIZE_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const struct cql_query query = {.prepared = rows[i].prepared,
                                        .statement = only_size(rows[i].size)};
        line = batch_line(&query, 1);
        expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE,
               rows[i].prepared ? "00000101" : "00000100");
        expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "");
    }
    line = execute_line(NULL, 0);
    line.execute.id = only_size(65536);
    expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "");
    expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "");
}

static void test_a_value_beyond_2_31_is_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {(size_t)1 << 31, SIZE_MAX - 3, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const struct cql_value value = {.data = "", .size = sizes[i]};
        struct cql_line line = {.message = CQL_MESSAGE_VALUES, .values = &value, .n_values = 1};
        expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "");
        expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "");
        line = execute_line(&value, 1);
        expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "0001710001010001");
        expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "000171000101");
    }
}

static void test_a_paging_state_beyond_2_31_leaves_no_block_with_new(void **state)
{
    (void)state;
    const struct cql_value value = {.kind = CQL_NULL};
    struct cql_line line = execute_line(&value, 1);
    line.execute.params.paging = only_size((size_t)1 << 31);
    expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "0001710001090001ffffffff");
    expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "000171000109");
}

static void test_a_type_that_is_no_byte_is_refused(void **state)
{
    (void)state;
    struct cql_line line = batch_line(NULL, 0);
    line.batch.type = 256;
    expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_RANGE, "");
    expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_RANGE, "");
}

static void test_text_as_a_bare_value_leaves_its_length_with_old_only(void **state)
{
    (void)state;
    const struct cql_value value = {.data = "h\xc3\xa9", .size = 3, .kind = CQL_TEXT};
    const struct cql_line line = {.message = CQL_MESSAGE_VALUES, .values = &value, .n_values = 1};
    expect(&line, protocol_of(4), CQL_SIDE_OLD, CQL_TYPE, "00000002");
    expect(&line, protocol_of(4), CQL_SIDE_NEW, CQL_TYPE, "");
}

static void test_scylla_writes_a_missing_metadata_id_as_an_empty_one(void **state)
{
    (void)state;
    struct cql_protocol scylla = *protocol_of(5);
    scylla.empty_metadata_id = true;
    const struct cql_line line = execute_line(NULL, 0);
    for (enum cql_side side = CQL_SIDE_OLD; side <= CQL_SIDE_NEW; ++side) {
        expect(&line, &scylla, side, CQL_OK, "00017100000001000000010000");
        expect(&line, protocol_of(5), side, CQL_TYPE, "000171");
    }
}

static void test_scylla_may_negotiate_metadata_ids_and_skip_metadata_on_v4(void **state)
{
    (void)state;
    struct cql_protocol scylla = *protocol_of(4);
    struct cql_line line = execute_line(NULL, 0);
    line.execute.metadata_id = text_bytes("mm");
    line.execute.params.skip_metadata = true;
    for (enum cql_side side = CQL_SIDE_OLD; side <= CQL_SIDE_NEW; ++side) {
        expect(&line, protocol_of(4), side, CQL_OK, "0001710001010000");
        scylla.metadata_id = scylla.skip_metadata = true;
        expect(&line, &scylla, side, CQL_OK, "00017100026d6d0001030000");
    }
}

static void test_scylla_ends_execute_with_a_tablet_byte(void **state)
{
    (void)state;
    struct cql_protocol scylla = *protocol_of(4);
    scylla.tablet_byte = true;
    struct cql_line line = execute_line(NULL, 0);
    for (enum cql_side side = CQL_SIDE_OLD; side <= CQL_SIDE_NEW; ++side) {
        line.execute.tablet_version = 0;
        expect(&line, &scylla, side, CQL_OK, "000171000101000000");
        line.execute.tablet_version = 255;
        expect(&line, &scylla, side, CQL_OK, "0001710001010000ff");
    }
    line.execute.tablet_version = 256;
    expect(&line, &scylla, CQL_SIDE_OLD, CQL_RANGE, "0001710001010000");
    expect(&line, &scylla, CQL_SIDE_NEW, CQL_RANGE, "000171");
}

static void test_only_the_six_versions_are_known(void **state)
{
    (void)state;
    for (int version = -1; version < 300; ++version) {
        const bool known =
            (version >= 3 && version <= 6) || version == CQL_DSE_V1 || version == CQL_DSE_V2;
        assert_int_equal(cql_protocol_find(version) != NULL, known);
    }
}

static void test_every_code_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int a = CQL_OK; a <= CQL_FULL; ++a) {
        for (int b = CQL_OK; b < a; ++b) {
            assert_string_not_equal(cql_code_text((enum cql_code)a),
                                    cql_code_text((enum cql_code)b));
        }
    }
    assert_string_equal(cql_code_text((enum cql_code)99), "unknown code");
}

static void test_a_frame_has_an_int16_stream_and_a_payload_from_v4_on(void **state)
{
    (void)state;
    const int64_t streams[] = {32768, -32769, INT64_MAX};
    struct record_sink record;
    record_sink_init(&record);
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; ++i) {
        const struct cql_frame frame = {.opcode = CQL_OPCODE_QUERY, .stream = streams[i]};
        assert_int_equal(cql_frame_write(&frame, protocol_of(4), text_bytes("body"), &record.sink),
                         CQL_RANGE);
    }
    const struct cql_payload entry = {.key = text_bytes("k")};
    const struct cql_frame frame = {.opcode = CQL_OPCODE_QUERY, .payload = &entry, .n_payload = 1};
    assert_int_equal(cql_frame_write(&frame, protocol_of(3), text_bytes("body"), &record.sink),
                     CQL_UNSUPPORTED);
    assert_int_equal(cql_frame_write(&frame, protocol_of(4), only_size(INT32_MAX), &record.sink),
                     CQL_RANGE);
    assert_int_equal(record.n_writes, 0);
    record_sink_release(&record);
}

static void test_a_vector_has_its_dimension_and_numbers_in_reach(void **state)
{
    (void)state;
    const double values[] = {1.0, 3.4028235677973366e38}; /* halfway beyond the largest float32 */
    unsigned char bytes[8];
    assert_int_equal(cql_vector_encode(values, 2, 3, bytes), CQL_DIMENSION);
    assert_int_equal(cql_vector_encode(values, 2, 1, bytes), CQL_DIMENSION);
    assert_int_equal(cql_vector_encode(values, 2, 2, bytes), CQL_OVERFLOW);
    assert_int_equal(cql_vector_encode(values, 1, 1, bytes), CQL_OK);
    assert_memory_equal(bytes, "\x3f\x80\0\0", 4);
}

/* A sink that takes only so many writes, and reserves only so many bytes. */
struct failing_sink {
    struct sink sink;
    unsigned char storage[256];
    size_t n_left;
};

static int failing_write(struct sink *sink, const void *data, size_t size)
{
    (void)data;
    (void)size;
    struct failing_sink *failing = (struct failing_sink *)sink;
    return failing->n_left-- > 0 ? 0 : (sink->error = EPIPE);
}

static int failing_grow(struct sink *sink, size_t size)
{
    (void)size;
    return sink->error = ENOMEM;
}

static int failing_commit(struct sink *sink, size_t size)
{
    return failing_write(sink, NULL, size);
}

static enum cql_code encode_failing(const struct cql_line *line, enum cql_side side,
                                    size_t n_writes, size_t room, int *error)
{
    struct failing_sink failing = {
        .sink = {.write = failing_write, .grow = failing_grow, .commit = failing_commit},
        .n_left = n_writes,
    };
    failing.sink.next = failing.storage;
    failing.sink.room = room;
    const enum cql_code code = cql_line_encode(line, protocol_of(5), side, &failing.sink);
    *error = failing.sink.error;
    return code;
}

static void test_a_failing_sink_is_reported_whichever_write_it_is(void **state)
{
    (void)state;
    const struct cql_value values[] = {{.data = "abc", .size = 3}, {.kind = CQL_NULL}};
    const struct cql_query query = {
        .statement = text_bytes("select"), .values = values, .n_values = 2};
    struct cql_line lines[] = {batch_line(&query, 1), execute_line(values, 2)};
    lines[0].batch.keyspace = text_bytes("ks");
    lines[1].execute.metadata_id = text_bytes("mm");
    lines[1].execute.params.page_size = 5;
    for (size_t i = 0; i < 2; ++i) {
        for (enum cql_side side = CQL_SIDE_OLD; side <= CQL_SIDE_NEW; ++side) {
            int error = 0;
            size_t n = 0;
            while (encode_failing(&lines[i], side, n, 256, &error) == CQL_SINK) {
                assert_int_equal(error, EPIPE);
                ++n;
            }
            assert_int_equal(error, 0);
            assert_true(n >= 1);
        }
        int error = 0;
        assert_int_equal(encode_failing(&lines[i], CQL_SIDE_NEW, 99, 3, &error), CQL_SINK);
        assert_int_equal(error, ENOMEM);
    }
}

/* Random requests: small numbers, now and then one that is refused. */
struct dice {
    uint64_t state;
    struct scrap scrap;
};

static uint64_t roll(struct dice *dice, uint64_t sides)
{
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (dice->state >> 33) % sides;
}

static struct pb_bytes random_string(struct dice *dice, size_t most)
{
    const size_t size = roll(dice, 4) == 0 ? roll(dice, most + 1) : roll(dice, 40);
    unsigned char *data = scrap_alloc(&dice->scrap, size);
    for (size_t i = 0; i < size; ++i) {
        data[i] = (unsigned char)roll(dice, 256);
    }
    return (struct pb_bytes){data, size};
}

static const struct cql_value *random_values(struct dice *dice, size_t n)
{
    struct cql_value *values = scrap_alloc(&dice->scrap, n * sizeof *values);
    for (size_t i = 0; i < n; ++i) {
        const uint64_t kind = roll(dice, 300);
        if (kind < 30) {
            values[i].kind = kind < 20 ? CQL_NULL : CQL_UNSET;
        } else if (kind == 30) {
            values[i].kind = CQL_NUMBER;
        } else {
            const struct pb_bytes bytes = random_string(dice, 300);
            values[i] = (struct cql_value){.data = bytes.data, .size = bytes.size};
        }
    }
    return values;
}

/* Mostly in range; sometimes just beyond one end. */
static int64_t random_number(struct dice *dice, int64_t least, int64_t most)
{
    switch (roll(dice, 60)) {
    case 0:
        return least - 1;
    case 1:
        return most + 1;
    case 2:
        return least;
    case 3:
        return most;
    default:
        return (int64_t)roll(dice, 20);
    }
}

static struct cql_timestamp random_timestamp(struct dice *dice)
{
    struct cql_timestamp timestamp = {.present = roll(dice, 2) == 0};
    timestamp.us = roll(dice, 40) == 0 ? (__int128)UINT64_MAX + 1 : (__int128)roll(dice, 1000) - 5;
    return timestamp;
}

static struct pb_bytes random_keyspace(struct dice *dice)
{
    const struct pb_bytes too_long = {"", (size_t)UINT16_MAX + 1};
    const uint64_t kind = roll(dice, 80);
    return kind == 0 ? too_long : kind < 20 ? random_string(dice, 20) : (struct pb_bytes){NULL, 0};
}

static struct cql_batch random_batch(struct dice *dice)
{
    const size_t n = roll(dice, 8);
    struct cql_query *queries = scrap_alloc(&dice->scrap, n * sizeof *queries);
    for (size_t i = 0; i < n; ++i) {
        queries[i].prepared = roll(dice, 2) == 0;
        queries[i].statement = random_string(dice, 100);
        queries[i].n_values = roll(dice, 6);
        queries[i].values = random_values(dice, queries[i].n_values);
    }
    return (struct cql_batch){
        .type = (int64_t)roll(dice, 3),
        .queries = queries,
        .n_queries = n,
        .consistency = random_number(dice, 0, UINT16_MAX),
        .serial_consistency = random_number(dice, 0, UINT16_MAX),
        .timestamp = random_timestamp(dice),
        .keyspace = random_keyspace(dice),
    };
}

static struct cql_params random_params(struct dice *dice)
{
    struct cql_paging *paging = scrap_alloc(&dice->scrap, sizeof *paging);
    paging->max_pages = random_number(dice, INT32_MIN, INT32_MAX);
    paging->max_pages_per_second = random_number(dice, INT32_MIN, INT32_MAX);
    paging->max_queue_size = random_number(dice, INT32_MIN, INT32_MAX);
    struct cql_params params = {
        .consistency = random_number(dice, 0, UINT16_MAX),
        .n_values = roll(dice, 10),
        .has_values = roll(dice, 5) != 0,
        .page_size = random_number(dice, INT32_MIN, INT32_MAX),
        .paging = random_string(dice, 50),
        .serial_consistency = random_number(dice, 0, UINT16_MAX),
        .timestamp = random_timestamp(dice),
        .keyspace = random_keyspace(dice),
        .continuous = roll(dice, 4) == 0 ? paging : NULL,
    };
    params.values = random_values(dice, params.n_values);
    return params;
}

static struct cql_line random_line(struct dice *dice)
{
    static const enum cql_message messages[] = {CQL_MESSAGE_BATCH, CQL_MESSAGE_QUERY,
                                                CQL_MESSAGE_EXECUTE};
    struct cql_line line = {.message = messages[roll(dice, 3)]};
    line.batch = random_batch(dice);
    line.query = (struct cql_query_message){random_string(dice, 100), random_params(dice)};
    line.execute = (struct cql_execute_message){.id = random_string(dice, 30),
                                                .metadata_id = random_string(dice, 30),
                                                .params = random_params(dice)};
    return line;
}

/* Both sides refuse alike, and write alike what neither refuses. */
static void compare_sides(const struct cql_line *line, const struct cql_protocol *protocol)
{
    struct record_sink old;
    struct record_sink new;
    record_sink_init(&old);
    record_sink_init(&new);
    const enum cql_code code = cql_line_encode(line, protocol, CQL_SIDE_OLD, &old.sink);
    assert_int_equal(cql_line_encode(line, protocol, CQL_SIDE_NEW, &new.sink), code);
    struct pb_bytes old_bytes = memory_sink_bytes(&old.bytes);
    const struct pb_bytes new_bytes = memory_sink_bytes(&new.bytes);
    if (code != CQL_OK) {
        assert_true(new_bytes.size <= old_bytes.size);
        assert_true(line->message != CQL_MESSAGE_BATCH || new_bytes.size == 0);
        assert_true(new_bytes.size <= cql_line_head_size(line, protocol));
        old_bytes.size = new_bytes.size;
    } else {
        assert_true(line->message != CQL_MESSAGE_BATCH || new.n_writes == 1);
        assert_true(cql_line_fits_any_room(line, protocol, CQL_SIDE_NEW, new_bytes));
    }
    assert_true(bytes_equal(old_bytes, new_bytes));
    record_sink_release(&old);
    record_sink_release(&new);
}

static void test_old_and_new_agree_on_random_requests(void **state)
{
    (void)state;
    const int versions[] = {3, 4, 5, 6, CQL_DSE_V1, CQL_DSE_V2};
    struct dice dice = {.state = 20};
    for (int i = 0; i < 6000; ++i) {
        const struct cql_line line = random_line(&dice);
        compare_sides(&line, protocol_of(versions[i % 6]));
        scrap_release(&dice.scrap);
    }
}

/* Every room from none to enough, so that each field is once the one that does not fit. */
static void test_new_starts_over_wherever_the_room_ends(void **state)
{
    (void)state;
    struct dice dice = {.state = 7};
    const struct cql_value values[] = {
        {.data = "abc", .size = 3},
        {.kind = CQL_NULL},
        {.data = "0123456789012345678901234567890123456789", .size = 40},
        {.kind = CQL_UNSET}};
    const struct cql_query queries[] = {
        {.statement = text_bytes("select"), .values = values, .n_values = 4},
        {.prepared = true, .statement = text_bytes("id"), .values = values, .n_values = 1}};
    struct cql_line line = batch_line(queries, 2);
    line.batch.keyspace = text_bytes("ks");
    line.batch.serial_consistency = 8;
    line.batch.timestamp = (struct cql_timestamp){.us = 77, .present = true};
    struct record_sink old;
    record_sink_init(&old);
    assert_int_equal(cql_line_encode(&line, protocol_of(5), CQL_SIDE_OLD, &old.sink), CQL_OK);
    const struct pb_bytes golden = memory_sink_bytes(&old.bytes);
    for (size_t room = 0; room <= golden.size + 8; ++room) {
        unsigned char *storage = scrap_alloc(&dice.scrap, room);
        struct memory_sink memory;
        memory_sink_init(&memory, storage, room);
        assert_int_equal(cql_line_encode(&line, protocol_of(5), CQL_SIDE_NEW, &memory.sink),
                         CQL_OK);
        assert_true(bytes_equal(memory_sink_bytes(&memory), golden));
        memory_sink_release(&memory);
    }
    record_sink_release(&old);
    scrap_release(&dice.scrap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_65536_queries_are_one_too_many),
        cmocka_unit_test(test_65536_values_are_one_too_many),
        cmocka_unit_test(test_a_string_beyond_its_length_field_is_refused),
        cmocka_unit_test(test_a_value_beyond_2_31_is_refused),
        cmocka_unit_test(test_a_paging_state_beyond_2_31_leaves_no_block_with_new),
        cmocka_unit_test(test_a_type_that_is_no_byte_is_refused),
        cmocka_unit_test(test_text_as_a_bare_value_leaves_its_length_with_old_only),
        cmocka_unit_test(test_scylla_writes_a_missing_metadata_id_as_an_empty_one),
        cmocka_unit_test(test_scylla_may_negotiate_metadata_ids_and_skip_metadata_on_v4),
        cmocka_unit_test(test_scylla_ends_execute_with_a_tablet_byte),
        cmocka_unit_test(test_only_the_six_versions_are_known),
        cmocka_unit_test(test_every_code_has_a_text_of_its_own),
        cmocka_unit_test(test_a_frame_has_an_int16_stream_and_a_payload_from_v4_on),
        cmocka_unit_test(test_a_vector_has_its_dimension_and_numbers_in_reach),
        cmocka_unit_test(test_a_failing_sink_is_reported_whichever_write_it_is),
        cmocka_unit_test(test_old_and_new_agree_on_random_requests),
        cmocka_unit_test(test_new_starts_over_wherever_the_room_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
