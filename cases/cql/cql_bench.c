/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop that the CQL cases time, and what is done around it.
 *
 * The descriptor is that of /dev/null, which takes everything and shows nothing. To show what a
 * variant wrote, one more operation writes to a file in memory.
 */
#include "cql/cql_bench.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes/record_sink.h"

/* So that the first byte of a message has the same place in its cache line on all sides. */
#define SINK_ALIGN_BYTES 64

static int open_sinks(struct cql_bench *bench, bool descriptor)
{
    const size_t capacity = bench->request.size_bytes;
    void *storage = pb_alloc(bench->env, capacity, SINK_ALIGN_BYTES);
    if (storage == NULL) {
        return PAIRBENCH_FAILED;
    }
    memory_sink_init(&bench->memory, storage, capacity);
    bench->sink = &bench->memory.sink;
    if (!descriptor) {
        return PAIRBENCH_OK;
    }
    bench->copy = pb_alloc(bench->env, capacity, SINK_ALIGN_BYTES);
    if (bench->copy == NULL) {
        return PAIRBENCH_FAILED;
    }
    const int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return pb_fail(bench->env, "/dev/null can't be opened: %s", strerror(errno));
    }
    fd_sink_init(&bench->descriptor, fd, storage, capacity);
    bench->sink = &bench->descriptor.sink;
    return PAIRBENCH_OK;
}

int cql_bench_open(struct pb_env *env, const struct pb_scenario *scenario,
                   enum cql_code (*encode)(const struct cql_request *, struct sink *), void **state)
{
    const struct cql_input *input = scenario->input;
    struct cql_bench *bench = pb_alloc(env, sizeof *bench, _Alignof(struct cql_bench));
    if (bench == NULL) {
        return PAIRBENCH_FAILED;
    }
    *bench = (struct cql_bench){.env = env, .encode = encode, .descriptor = {.fd = -1}};
    if (cql_shape_build(&input->shape, env, &bench->request) != PAIRBENCH_OK ||
        open_sinks(bench, input->descriptor) != PAIRBENCH_OK) {
        return PAIRBENCH_FAILED;
    }
    *state = bench;
    return PAIRBENCH_OK;
}

static int fail_with(struct pb_env *env, enum cql_code code, const struct sink *sink)
{
    return code == CQL_SINK ? pb_fail(env, "writing: %s", strerror(sink->error))
                            : pb_fail(env, "encoding: %s", cql_code_text(code));
}

int cql_bench_run(void *state, uint64_t n)
{
    struct cql_bench *bench = state;
    for (uint64_t i = 0; i < n; ++i) {
        memory_sink_reset(&bench->memory);
        const enum cql_code code = bench->encode(&bench->request, bench->sink);
        if (code != CQL_OK) {
            return fail_with(bench->env, code, bench->sink);
        }
    }
    return PAIRBENCH_OK;
}

/* One operation into a file in memory, which is read back. */
static int show_descriptor(struct cql_bench *bench, int file, struct pb_bytes *bytes)
{
    const int null = bench->descriptor.fd;
    bench->descriptor.fd = file;
    const enum cql_code code = bench->encode(&bench->request, bench->sink);
    bench->descriptor.fd = null;
    if (code != CQL_OK) {
        return fail_with(bench->env, code, bench->sink);
    }
    const ssize_t n = pread(file, bench->copy, bench->request.size_bytes, 0);
    if (n < 0) {
        return pb_fail(bench->env, "what was written can't be read: %s", strerror(errno));
    }
    *bytes = (struct pb_bytes){bench->copy, (size_t)n};
    return PAIRBENCH_OK;
}

int cql_bench_output(void *state, struct pb_bytes *bytes)
{
    struct cql_bench *bench = state;
    if (bench->sink == &bench->memory.sink) {
        *bytes = memory_sink_bytes(&bench->memory);
        return PAIRBENCH_OK;
    }
    const int file = memfd_create("cql", MFD_CLOEXEC);
    if (file < 0) {
        return pb_fail(bench->env, "no file in memory: %s", strerror(errno));
    }
    const int result = show_descriptor(bench, file, bytes);
    close(file);
    return result;
}

int cql_bench_counts(void *state, struct pb_env *env)
{
    struct cql_bench *bench = state;
    struct record_sink record;
    record_sink_init(&record);
    int result = PAIRBENCH_OK;
    enum cql_code code = bench->encode(&bench->request, &record.sink);
    if (code != CQL_OK) {
        result = fail_with(env, code, &record.sink);
        goto out;
    }
    pb_count(env, "writes", (int64_t)record.n_writes);
    pb_count(env, "bytes", (int64_t)memory_sink_bytes(&record.bytes).size);
    if (bench->sink == &bench->descriptor.sink) {
        const uint64_t before = bench->descriptor.n_syscalls;
        code = bench->encode(&bench->request, bench->sink);
        if (code != CQL_OK) {
            result = fail_with(env, code, bench->sink);
            goto out;
        }
        pb_count(env, "syscalls", (int64_t)(bench->descriptor.n_syscalls - before));
    }
out:
    record_sink_release(&record);
    return result;
}

void cql_bench_close(void *state)
{
    struct cql_bench *bench = state;
    if (bench->descriptor.fd >= 0) {
        close(bench->descriptor.fd);
        fd_sink_release(&bench->descriptor);
    }
    memory_sink_release(&bench->memory);
}
