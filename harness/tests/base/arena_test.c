/* SPDX-License-Identifier: Apache-2.0
 *
 * Pieces are apart, aligned and zeroed, whatever their sizes.
 */
#include "base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const size_t sizes[] = {0, 1, 15, 16, 17, 4096, 32767, 32768, 32769, 65536, 65537, 1000000};
enum { N_SIZES = sizeof sizes / sizeof sizes[0], ROUNDS = 5 };

static void pieces_are_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    struct pb_arena arena;
    pb_arena_init(&arena);
    unsigned char *pieces[ROUNDS * N_SIZES];
    for (size_t i = 0; i < ROUNDS * N_SIZES; i++) {
        const size_t size = sizes[i % N_SIZES];
        pieces[i] = pb_arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        for (size_t k = 0; k < size; k++) {
            assert_int_equal(pieces[i][k], 0);
        }
        memset(pieces[i], (int)(i + 1), size);
    }
    for (size_t i = 0; i < ROUNDS * N_SIZES; i++) {
        for (size_t k = 0; k < sizes[i % N_SIZES]; k++) {
            assert_int_equal(pieces[i][k], i + 1);
        }
    }
    pb_arena_release(&arena);
    assert_null(arena.blocks);
}

static void release_accepts_nothing_to_release(void **state)
{
    (void)state;
    pb_arena_release(NULL);
    struct pb_arena arena = {0};
    pb_arena_release(&arena);
    assert_non_null(pb_arena_alloc(&arena, 1)); /* zeroed is ready */
    pb_arena_release(&arena);
    assert_non_null(pb_arena_alloc(&arena, 1)); /* and so is released */
    pb_arena_release(&arena);
}

static void copies_are_copies(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    char text[] = "text";
    char *copy = pb_arena_strdup(&arena, text);
    assert_string_equal(copy, "text");
    assert_ptr_not_equal(copy, text);
    assert_null(pb_arena_strdup(&arena, NULL));
    char *bytes = pb_arena_memdup(&arena, "a\0b", 3);
    assert_memory_equal(bytes, "a\0b\0", 4);
    assert_string_equal(pb_arena_memdup(&arena, NULL, 0), "");
    pb_arena_release(&arena);
}

static void printf_has_no_limit(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    assert_string_equal(pb_arena_printf(&arena, "%s/%d", "x", 7), "x/7");
    assert_string_equal(pb_arena_printf(&arena, "%s", ""), "");
    const char *wide = pb_arena_printf(&arena, "%*d", 100000, 7);
    assert_int_equal(strlen(wide), 100000);
    assert_int_equal(wide[99999], '7');
    pb_arena_release(&arena);
}

static void a_growing_array_keeps_its_items(void **state)
{
    (void)state;
    struct pb_arena arena = {0};
    uint64_t *items = NULL;
    size_t capacity = 0;
    for (size_t n = 0; n < 1000; n++) {
        items = pb_arena_grow(&arena, items, n, &capacity, sizeof *items);
        assert_true(capacity > n);
        items[n] = n * n;
    }
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(items[i], i * i);
    }
    pb_arena_release(&arena);
}

/* Runs an allocation that no machine can serve. returns: exit code of the process it ran in */
static int exit_code_of(void (*allocate)(struct pb_arena *))
{
    fflush(NULL); /* the process exits, and so flushes what it has a copy of */
    const pid_t pid = fork();
    if (pid == 0) {
        struct pb_arena arena = {0};
        close(STDERR_FILENO);
        allocate(&arena);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void too_large(struct pb_arena *arena)
{
    pb_arena_alloc(arena, SIZE_MAX - 8);
}

static void too_many(struct pb_arena *arena)
{
    pb_arena_array(arena, SIZE_MAX / 4, 8);
}

static void an_overflow_is_out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(exit_code_of(too_large), 2);
    assert_int_equal(exit_code_of(too_many), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_zeroed_and_apart),
        cmocka_unit_test(release_accepts_nothing_to_release),
        cmocka_unit_test(copies_are_copies),
        cmocka_unit_test(printf_has_no_limit),
        cmocka_unit_test(a_growing_array_keeps_its_items),
        cmocka_unit_test(an_overflow_is_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
