/* SPDX-License-Identifier: Apache-2.0
 *
 * The sinks: what they hold, how they grow, what they say when they can't.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/fd_sink.h"
#include "bytes/record_sink.h"
#include "bytes/short_copy.h"

/* No period that a piece of it could hide behind. */
static void fill(unsigned char *bytes, size_t n)
{
    uint32_t x = 1;
    for (size_t i = 0; i < n; ++i) {
        x = x * 1664525u + 1013904223u;
        bytes[i] = (unsigned char)(x >> 24);
    }
}

static void assert_holds(const struct memory_sink *memory, const void *bytes, size_t size)
{
    const struct pb_bytes held = memory_sink_bytes(memory);
    assert_int_equal(held.size, size);
    assert_memory_equal(held.data, bytes, size);
}

static void test_memory_keeps_writes_in_order_while_it_grows(void **state)
{
    (void)state;
    unsigned char bytes[5000];
    fill(bytes, sizeof bytes);
    struct memory_sink memory;
    memory_sink_init(&memory, NULL, 0);
    for (size_t at = 0, n = 0; at < sizeof bytes; at += n) {
        n = at % 37 + 1 < sizeof bytes - at ? at % 37 + 1 : sizeof bytes - at;
        assert_int_equal(sink_write(&memory.sink, bytes + at, n), 0);
    }
    assert_holds(&memory, bytes, sizeof bytes);
    memory_sink_reset(&memory);
    assert_int_equal(memory_sink_bytes(&memory).size, 0);
    memory_sink_release(&memory);
}

static void test_memory_leaves_lent_storage_when_it_is_full(void **state)
{
    (void)state;
    unsigned char storage[8];
    struct memory_sink memory;
    memory_sink_init(&memory, storage, sizeof storage);
    assert_int_equal(sink_write(&memory.sink, "12345678", 8), 0);
    assert_ptr_equal(memory_sink_bytes(&memory).data, storage);
    assert_int_equal(sink_write(&memory.sink, "9", 1), 0);
    assert_ptr_not_equal(memory_sink_bytes(&memory).data, storage);
    assert_holds(&memory, "123456789", 9);
    memory_sink_release(&memory);
}

static void test_what_is_reserved_counts_only_when_committed(void **state)
{
    (void)state;
    struct memory_sink memory;
    memory_sink_init(&memory, NULL, 0);
    assert_int_equal(sink_write(&memory.sink, "ab", 2), 0);
    unsigned char *room = sink_reserve(&memory.sink, 1000);
    assert_non_null(room);
    memset(room, 'x', 1000);
    assert_holds(&memory, "ab", 2);
    room = sink_reserve(&memory.sink, 3);
    const char rest[3] = {'c', 'd', 'e'};
    memcpy(room, rest, sizeof rest);
    assert_int_equal(sink_commit(&memory.sink, 3), 0);
    assert_holds(&memory, "abcde", 5);
    memory_sink_release(&memory);
}

static void test_more_than_the_limit_is_refused_and_nothing_is_lost(void **state)
{
    (void)state;
    struct memory_sink memory;
    memory_sink_init(&memory, NULL, 0);
    assert_int_equal(sink_write(&memory.sink, "ab", 2), 0);
    assert_null(sink_reserve(&memory.sink, SINK_LIMIT_BYTES - 1));
    assert_int_equal(memory.sink.error, EFBIG);
    assert_null(sink_reserve(&memory.sink, SIZE_MAX));
    assert_int_equal(sink_write(&memory.sink, "c", SIZE_MAX), EFBIG);
    assert_int_equal(sink_write(&memory.sink, "c", 1), 0);
    assert_holds(&memory, "abc", 3);
    memory_sink_release(&memory);
}

static void test_writing_nothing_is_a_write(void **state)
{
    (void)state;
    struct record_sink record;
    record_sink_init(&record);
    assert_int_equal(sink_write(&record.sink, NULL, 0), 0);
    assert_int_equal(record.n_writes, 1);
    assert_int_equal(record.sizes[0], 0);
    record_sink_release(&record);
}

static void test_record_remembers_the_size_of_each_write_and_commit(void **state)
{
    (void)state;
    struct record_sink record;
    record_sink_init(&record);
    for (size_t i = 0; i < 200; ++i) {
        unsigned char *room = sink_reserve(&record.sink, i);
        assert_true(room != NULL || i == 0);
        if (i > 0) {
            memset(room, (int)i, i);
        }
        assert_int_equal(i % 2 == 0 ? sink_commit(&record.sink, i)
                                    : sink_write(&record.sink, "yyyyyyyyyyy", i % 11),
                         0);
    }
    assert_int_equal(record.n_writes, 200);
    for (size_t i = 0; i < 200; ++i) {
        assert_int_equal(record.sizes[i], i % 2 == 0 ? i : i % 11);
    }
    record_sink_reset(&record);
    assert_int_equal(record.n_writes, 0);
    assert_int_equal(memory_sink_bytes(&record.bytes).size, 0);
    record_sink_release(&record);
}

/* A pipe with a descriptor sink at its end. */
struct piped {
    int ends[2];
    struct fd_sink out;
};

static void piped_open(struct piped *piped)
{
    assert_int_equal(pipe(piped->ends), 0);
    fd_sink_init(&piped->out, piped->ends[1], NULL, 0);
}

static void piped_close(struct piped *piped)
{
    fd_sink_release(&piped->out);
    close(piped->ends[0]);
    close(piped->ends[1]);
}

static void test_each_write_to_a_descriptor_is_one_system_call(void **state)
{
    (void)state;
    struct piped piped;
    piped_open(&piped);
    assert_int_equal(sink_write(&piped.out.sink, "abc", 3), 0);
    assert_int_equal(sink_write(&piped.out.sink, "", 0), 0);
    unsigned char *room = sink_reserve(&piped.out.sink, 600);
    assert_non_null(room);
    memset(room, 'z', 600);
    assert_int_equal(sink_commit(&piped.out.sink, 600), 0);
    assert_int_equal(piped.out.n_syscalls, 3);
    char bytes[1000];
    assert_int_equal(read(piped.ends[0], bytes, sizeof bytes), 603);
    assert_memory_equal(bytes, "abczz", 5);
    piped_close(&piped);
}

static void test_a_closed_descriptor_is_an_error(void **state)
{
    (void)state;
    struct piped piped;
    piped_open(&piped);
    piped.out.fd = -1;
    assert_int_equal(sink_write(&piped.out.sink, "abc", 3), EBADF);
    assert_int_equal(piped.out.sink.error, EBADF);
    assert_non_null(sink_reserve(&piped.out.sink, 3));
    assert_int_equal(sink_commit(&piped.out.sink, 3), EBADF);
    piped_close(&piped);
}

static void test_a_full_descriptor_is_an_error_after_what_it_took(void **state)
{
    (void)state;
    struct piped piped;
    piped_open(&piped);
    assert_int_equal(fcntl(piped.ends[1], F_SETFL, O_NONBLOCK), 0);
    const size_t size = (size_t)4 << 20;
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    fill(bytes, size);
    assert_int_equal(sink_write(&piped.out.sink, bytes, size), EAGAIN);
    unsigned char start[64];
    assert_int_equal(read(piped.ends[0], start, sizeof start), sizeof start);
    assert_memory_equal(start, bytes, sizeof start);
    free(bytes);
    piped_close(&piped);
}

/* The reading end of a pipe, read by a thread that interrupts the writer first and in between. */
struct slow_reader {
    int fd;
    pthread_t writer;
    unsigned char *bytes;
    size_t size;
};

static void ignore_signal(int number)
{
    (void)number;
}

static void *read_slowly(void *argument)
{
    struct slow_reader *reader = argument;
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int i = 0; i < 20; ++i) { /* the pipe is full: the writer waits and has written nothing */
        nanosleep(&pause, NULL);
        pthread_kill(reader->writer, SIGUSR1);
    }
    for (size_t at = 0; at < reader->size;) {
        pthread_kill(reader->writer, SIGUSR1);
        const ssize_t n = read(reader->fd, reader->bytes + at, reader->size - at);
        if (n <= 0) {
            break;
        }
        at += (size_t)n;
    }
    return NULL;
}

/* returns: how many bytes the pipe took */
static size_t fill_pipe(int fd)
{
    const char block[4096] = "";
    assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
    size_t size = 0;
    for (ssize_t n; (n = write(fd, block, sizeof block)) > 0;) {
        size += (size_t)n;
    }
    assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
    return size;
}

static void test_short_and_interrupted_writes_are_continued(void **state)
{
    (void)state;
    struct piped piped;
    piped_open(&piped);
    const struct sigaction action = {.sa_handler = ignore_signal}; /* no SA_RESTART: write fails */
    struct sigaction before;
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    const size_t before_it = fill_pipe(piped.ends[1]);
    const size_t size = (size_t)1 << 20; /* more than a pipe holds */
    unsigned char *bytes = malloc(size);
    struct slow_reader reader = {.fd = piped.ends[0],
                                 .writer = pthread_self(),
                                 .bytes = malloc(before_it + size),
                                 .size = before_it + size};
    assert_true(bytes != NULL && reader.bytes != NULL);
    fill(bytes, size);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_slowly, &reader), 0);
    assert_int_equal(sink_write(&piped.out.sink, bytes, size), 0);
    close(piped.ends[1]); /* so that the reader ends even when bytes are missing */
    piped.ends[1] = -1;
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_memory_equal(reader.bytes + before_it, bytes, size);
    assert_true(piped.out.n_syscalls > 1);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
    free(bytes);
    free(reader.bytes);
    piped_close(&piped);
}

static void test_short_copy_copies_every_size_and_not_a_byte_more(void **state)
{
    (void)state;
    unsigned char from[200];
    unsigned char to[220];
    fill(from, sizeof from);
    for (size_t size = 0; size <= sizeof from; ++size) {
        memset(to, 0xee, sizeof to);
        short_copy(to + 10, from, size);
        assert_memory_equal(to + 10, from, size);
        assert_int_equal(to[9], 0xee);
        assert_int_equal(to[10 + size], 0xee);
    }
    short_copy(to, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_keeps_writes_in_order_while_it_grows),
        cmocka_unit_test(test_memory_leaves_lent_storage_when_it_is_full),
        cmocka_unit_test(test_what_is_reserved_counts_only_when_committed),
        cmocka_unit_test(test_more_than_the_limit_is_refused_and_nothing_is_lost),
        cmocka_unit_test(test_writing_nothing_is_a_write),
        cmocka_unit_test(test_record_remembers_the_size_of_each_write_and_commit),
        cmocka_unit_test(test_each_write_to_a_descriptor_is_one_system_call),
        cmocka_unit_test(test_a_closed_descriptor_is_an_error),
        cmocka_unit_test(test_a_full_descriptor_is_an_error_after_what_it_took),
        cmocka_unit_test(test_short_and_interrupted_writes_are_continued),
        cmocka_unit_test(test_short_copy_copies_every_size_and_not_a_byte_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
