/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples as bytes: the layout that schema.sql promises, and blobs that are not of it.
 */
#include "store/sample_blob.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_blob_has_the_documented_bytes(void **state)
{
    (void)state;
    static const float ns[] = {1.0F, -2.5F};
    static const unsigned char expected[] = {
        0x04, 0x03, 0x02, 0x01, /* position */
        0x02, 0x00, 0x00, 0x00, /* n        */
        0x00, 0x00, 0x80, 0x3f, /* 1        */
        0x00, 0x00, 0x20, 0xc0, /* -2.5     */
    };
    struct pb_strbuf blob = {0};
    pb_sample_blob_add(&blob, (struct pb_sample_piece){0x01020304, 2, ns});
    assert_int_equal(blob.length, sizeof expected);
    assert_memory_equal(blob.text, expected, sizeof expected);
    pb_strbuf_release(&blob);
}

static void pieces_come_back_bit_by_bit(void **state)
{
    (void)state;
    static const float first[] = {0, -0.0F, 1e-45F, 3.4e38F, INFINITY, NAN};
    static const float third[] = {9};
    const struct pb_sample_piece pieces[] = {{0, 6, first}, {7, 0, third}, {UINT32_MAX, 1, third}};
    struct pb_arena arena = {0};
    struct pb_strbuf blob = {0};
    for (size_t i = 0; i < 3; i++) {
        pb_sample_blob_add(&blob, pieces[i]);
    }
    struct pb_sample_cursor cursor = {(const unsigned char *)blob.text, blob.length};
    for (size_t i = 0; i < 3; i++) {
        struct pb_sample_piece piece = {0};
        assert_true(pb_sample_blob_next(&cursor, &arena, &piece));
        assert_int_equal(piece.position, pieces[i].position);
        assert_int_equal(piece.n, pieces[i].n);
        assert_non_null(piece.ns);
        assert_memory_equal(piece.ns, pieces[i].ns, piece.n * sizeof(float));
    }
    struct pb_sample_piece piece = {0};
    assert_false(pb_sample_blob_next(&cursor, &arena, &piece));
    assert_int_equal(cursor.left, 0);
    pb_strbuf_release(&blob);
    pb_arena_release(&arena);
}

static void what_is_no_piece_is_not_taken_for_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
    } table[] = {
        {"\0", 1},
        {"\0\0\0\0\0\0\0", 7},
        {"\0\0\0\0\1\0\0\0", 8},                  /* one sample, none there           */
        {"\0\0\0\0\1\0\0\0\0\0\0", 11},           /* one sample, a part of it         */
        {"\0\0\0\0\xff\xff\xff\xff\0\0\0\0", 12}, /* a count that would overflow */
        {"\0\0\0\0\0\0\0\x40\0\0\0\0", 12},
    };
    struct pb_arena arena = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct pb_sample_cursor cursor = {(const unsigned char *)table[i].bytes, table[i].n};
        struct pb_sample_piece piece = {0};
        assert_false(pb_sample_blob_next(&cursor, &arena, &piece));
        assert_true(cursor.left > 0);
    }
    pb_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blob_has_the_documented_bytes),
        cmocka_unit_test(pieces_come_back_bit_by_bit),
        cmocka_unit_test(what_is_no_piece_is_not_taken_for_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
