/* SPDX-License-Identifier: Apache-2.0
 *
 * stdout of a worker is a memory file: its size after a callback tells who printed. It is flushed
 * first, since a suite's stdio is the worker's own.
 */
#include "measure/worker/side.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, DEFAULT_ALIGN = 16 };

static void PAIRBENCH_PRINTF(3, 0)
    set_reason(struct side *side, enum pb_state state, const char *format, va_list args)
{
    if (side->result->state != PB_STATE_OK) {
        return;
    }
    side->result->state = state;
    vsnprintf(side->result->reason, sizeof side->result->reason, format, args);
}

void side_fail(struct side *side, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_reason(side, PB_STATE_FAILED, format, args);
    va_end(args);
}

PAIRBENCH_PRINTF(2, 3)
static int env_fail(struct pb_env *env, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_reason(env->harness, PB_STATE_FAILED, format, args);
    va_end(args);
    return PAIRBENCH_FAILED;
}

PAIRBENCH_PRINTF(2, 3)
static int env_skip(struct pb_env *env, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_reason(env->harness, PB_STATE_SKIPPED, format, args);
    va_end(args);
    return PAIRBENCH_SKIPPED;
}

static void *env_alloc(struct pb_env *env, size_t size_bytes, size_t align_bytes)
{
    struct side *side = env->harness;
    const size_t align = align_bytes != 0 ? align_bytes : DEFAULT_ALIGN;
    if (!side->is_open || (align & (align - 1)) != 0 || align > PAGE_BYTES) {
        side_fail(side,
                  side->is_open ? "pb_alloc: %zu is no power of two up to 4096"
                                : "pb_alloc: %zu: there is an arena only from open() to close()",
                  align);
        return NULL;
    }
    const size_t at = side->arena_offset + side->arena_used;
    const size_t start = ((at + align - 1) & ~(align - 1)) - side->arena_offset;
    if (size_bytes > PAIRBENCH_ARENA_BYTES || start > PAIRBENCH_ARENA_BYTES - size_bytes) {
        side_fail(side,
                  "pb_alloc: the arena of %zu bytes is used up; large inputs belong in setup()",
                  PAIRBENCH_ARENA_BYTES);
        return NULL;
    }
    side->arena_used = start + size_bytes;
    return side->arena + side->arena_offset + start;
}

static int env_count(struct pb_env *env, const char *name, int64_t value)
{
    struct side *side = env->harness;
    struct pb_side_result *result = side->result;
    if (side->region->phase != PB_PHASE_COUNTS) {
        return pb_fail(env, "pb_count: may be called from counts() only");
    }
    if (name == NULL || name[0] == '\0' || strlen(name) >= PB_LAUNCH_COUNT_NAME_BYTES) {
        return pb_fail(env, "pb_count: a name has 1 to %d bytes", PB_LAUNCH_COUNT_NAME_BYTES - 1);
    }
    if (result->n_counts == PB_LAUNCH_COUNTS_MAX) {
        return pb_fail(env, "pb_count: more than %d counts", PB_LAUNCH_COUNTS_MAX);
    }
    if (value < 0) {
        return pb_fail(env, "pb_count: %s is negative", name);
    }
    for (uint32_t i = 0; i < result->n_counts; i++) {
        if (strcmp(result->counts[i].name, name) == 0) {
            return pb_fail(env, "pb_count: %s was reported twice", name);
        }
    }
    strcpy(result->counts[result->n_counts].name, name);
    result->counts[result->n_counts++].value = value;
    return PAIRBENCH_OK;
}

bool side_init(struct side *side, struct pb_launch_region *region, uint32_t index,
               const struct pb_suite *suite)
{
    const struct pb_side_request *request = &region->request.sides[index];
    *side = (struct side){.region = region, .request = request, .index = index};
    side->result = &region->results[index];
    side->env = (struct pb_env){env_alloc, env_fail, env_skip, env_count, side};
    const struct pb_case *its_case =
        request->case_index < suite->n_cases ? suite->cases[request->case_index] : NULL;
    if (its_case == NULL || request->scenario >= its_case->n_scenarios ||
        request->variant >= its_case->n_variants) {
        snprintf(region->failure, sizeof region->failure,
                 "the suite's table has changed since it was read");
        return false;
    }
    side->scenario = &its_case->scenarios[request->scenario];
    side->variant = &its_case->variants[request->variant];
    void *mapped = mmap(NULL, PAIRBENCH_ARENA_BYTES + 2 * PAGE_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        snprintf(region->failure, sizeof region->failure, "can't map an arena: %s",
                 strerror(errno));
        return false;
    }
    /* Whether the kernel finds a huge page here is luck that one side has and another has not. */
    madvise(mapped, PAIRBENCH_ARENA_BYTES + 2 * PAGE_BYTES, MADV_NOHUGEPAGE);
    side->arena = mapped;
    return true;
}

bool stdout_was_used(char *excerpt, size_t size)
{
    fflush(stdout);
    struct stat file;
    if (fstat(STDOUT_FILENO, &file) != 0 || file.st_size == 0) {
        return false;
    }
    const ssize_t n = pread(STDOUT_FILENO, excerpt, size - 1, 0);
    excerpt[n > 0 ? n : 0] = '\0';
    for (ssize_t i = 0; i < n; i++) {
        excerpt[i] = excerpt[i] == '\n' || excerpt[i] == '\0' ? ' ' : excerpt[i];
    }
    if (ftruncate(STDOUT_FILENO, 0) == 0) {
        lseek(STDOUT_FILENO, 0, SEEK_SET);
    }
    return true;
}

bool side_ok(const struct side *side)
{
    return side->result->state == PB_STATE_OK;
}

void side_enter(struct side *side, enum pb_phase phase)
{
    side->region->side = side->index;
    side->region->phase = phase;
}

bool side_accept(struct side *side, int code)
{
    const char *where = pb_phase_text((enum pb_phase)side->region->phase);
    char excerpt[80];
    if (stdout_was_used(excerpt, sizeof excerpt)) {
        side_fail(side, "wrote to stdout %s: \"%s\"", where, excerpt);
    }
    if (code == PAIRBENCH_SKIPPED && side_ok(side)) {
        side->result->state = PB_STATE_SKIPPED;
        snprintf(side->result->reason, sizeof side->result->reason, "skipped %s", where);
    } else if (code != PAIRBENCH_OK) {
        side_fail(side, "returned %d %s", code, where);
    }
    return side_ok(side);
}

bool side_setup(struct side *side)
{
    if (!side_ok(side)) {
        return false;
    }
    side_enter(side, PB_PHASE_SETUP);
    if (side->variant->setup == NULL) {
        side->is_set_up = true;
        return true;
    }
    const int code = side->variant->setup(&side->env, side->scenario, &side->shared);
    side->is_set_up = code == PAIRBENCH_OK;
    return side_accept(side, code);
}

/* Takes what another side has set up. returns: false when it has nothing to lend */
static bool borrow(struct side *side, const struct side *other)
{
    if (!side_ok(side) || !other->is_set_up || side->scenario != other->scenario ||
        side->variant->setup == NULL || side->variant->setup != other->variant->setup ||
        side->variant->teardown != other->variant->teardown) {
        return false;
    }
    side->shared = other->shared;
    side->is_set_up = true;
    side->borrows = true;
    return true;
}

bool sides_setup(struct side *sides, const uint32_t *order, uint32_t n)
{
    bool well = true;
    for (uint32_t i = 0; i < n; i++) {
        struct side *side = &sides[order[i]];
        bool borrowed = false;
        for (uint32_t k = 0; k < i && !borrowed; k++) {
            borrowed = borrow(side, &sides[order[k]]);
        }
        well = (borrowed || side_setup(side)) && well;
    }
    return well;
}

bool side_open(struct side *side, size_t offset)
{
    if (!side_ok(side) || !side->is_set_up) {
        return false;
    }
    side->arena_offset = offset;
    side->arena_used = 0;
    side->state = NULL;
    side->is_open = true;
    side_enter(side, PB_PHASE_OPEN);
    const int code = side->variant->open(&side->env, side->scenario, side->shared, &side->state);
    side->is_open = code == PAIRBENCH_OK;
    return side_accept(side, code);
}

bool side_run(struct side *side, uint64_t n)
{
    if (!side_ok(side)) {
        return false;
    }
    side_enter(side, PB_PHASE_RUN);
    return side_accept(side, side->variant->run(side->state, n));
}

bool side_output(struct side *side, struct pb_bytes *bytes)
{
    *bytes = (struct pb_bytes){0};
    if (!side_ok(side) || side->variant->output == NULL) {
        return side_ok(side);
    }
    side_enter(side, PB_PHASE_OUTPUT);
    const int code = side->variant->output(side->state, bytes);
    if (code == PAIRBENCH_OK && bytes->data == NULL && bytes->size != 0) {
        side_fail(side, "output() gave %zu bytes at NULL", bytes->size);
    }
    return side_accept(side, code);
}

bool side_counts(struct side *side)
{
    if (!side_ok(side) || side->variant->counts == NULL) {
        return side_ok(side);
    }
    side_enter(side, PB_PHASE_COUNTS);
    return side_accept(side, side->variant->counts(side->state, &side->env));
}

void side_close(struct side *side)
{
    if (!side->is_open) {
        return;
    }
    side_enter(side, PB_PHASE_CLOSE);
    if (side->variant->close != NULL) {
        side->variant->close(side->state);
    }
    side->is_open = false;
    side_accept(side, PAIRBENCH_OK);
}

/*
 * Makes the C library look at its heap: it aborts over damage that this side has done, instead of
 * waiting for the next one to meet it. Larger than what is kept in its quick lists.
 */
static void touch_heap(void)
{
    enum { TOUCH_BYTES = 64 * 1024 };
    void *volatile memory = malloc(TOUCH_BYTES);
    free(memory);
}

void side_teardown(struct side *side)
{
    if (!side->is_set_up) {
        return;
    }
    side_enter(side, PB_PHASE_TEARDOWN);
    if (side->variant->teardown != NULL && !side->borrows) {
        side->variant->teardown(side->shared);
    }
    touch_heap();
    side->is_set_up = false;
    side_accept(side, PAIRBENCH_OK);
}
